package console

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"hiss/adapters/talk"
	"hiss/bot"
)

// Name is the adapter's name, the prefix of its ids.
const Name = "console"

// Grace is how long Run waits for a write that hangs after its context ended.
const Grace = 3 * time.Second

// Config says what terminal it is. In, Out and Err must be set.
type Config struct {
	In       io.Reader
	Out, Err io.Writer

	Login    string // says what is said without a name, until somebody is named
	Database string // the name of the file that keeps everything, for the greeting
	// Stamp tells this run's deliveries from those of any other; random if
	// empty.
	Stamp string
	Stage talk.Stage // obeys directives; nil if nobody does

	// Interactive says that a person types here.
	Interactive bool
	Colours     bool // names are bold, private lines dim
	// Raw switches the terminal to raw mode, which line editing takes, and
	// returns what switches it back. If nil, lines are not edited.
	Raw func() (restore func() error, err error)
	// Size returns the terminal's columns and rows. May be nil.
	Size func() (columns, rows int, err error)
	// ErrShown says that Err is seen on the same terminal.
	ErrShown bool
}

// Console is the adapter of one terminal or pipe.
type Console struct {
	config Config

	mu      sync.Mutex
	session *talk.Session // while Run runs, as is screen
	screen  *screen
}

// New returns the adapter of a terminal. It reads nothing before Run.
func New(c Config) *Console {
	if c.Stamp == "" {
		c.Stamp = rand.Text()[:10]
	}
	return &Console{config: c}
}

// Name returns "console".
func (c *Console) Name() string { return Name }

// Log returns a writer for what is to stand on Err while Run may be running:
// on the terminal on which lines are edited it goes above the prompt.
func (c *Console) Log() io.Writer { return (*log)(c) }

type log Console

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	s := l.screen
	l.mu.Unlock()
	if s == nil {
		return l.config.Err.Write(p)
	}
	return s.err.Write(p)
}

// errNotRunning is what Send returns outside of Run.
var errNotRunning = errors.New("the terminal isn't being served")

// Send writes a message that nobody asked for.
func (c *Console) Send(ctx context.Context, channel bot.Channel, a bot.Answer) error {
	c.mu.Lock()
	s := c.session
	c.mu.Unlock()
	if s == nil {
		return errNotRunning
	}
	return s.Send(ctx, channel, a)
}

// Reachable reports whether people can be reached, who are at the terminal, unless
// a directive says otherwise.
func (c *Console) Reachable() bool {
	c.mu.Lock()
	s := c.session
	c.mu.Unlock()
	return s == nil || s.Reachable()
}

// Member reports whether somebody is in a chat: everybody is, but who a directive
// says is gone.
func (c *Console) Member(ctx context.Context, chat bot.ChatID, user bot.UserID) (bool, error) {
	c.mu.Lock()
	s := c.session
	c.mu.Unlock()
	if s == nil {
		return false, errNotRunning
	}
	return s.Member(ctx, chat, user)
}

// Run answers the lines of In until it ends, or ctx does, or nobody can read
// Out any more, which is an error.
func (c *Console) Run(ctx context.Context, h bot.Handler) (err error) {
	out := newOutput(ctx, c.config.Out)
	screen, err := openScreen(c.config, out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, screen.close()) }()
	session := talk.NewSession(talk.Config{
		Adapter: Name, Stamp: c.config.Stamp, Speaker: c.config.Login, Private: c.config.Interactive,
		Handler: h, Stage: c.config.Stage, Open: openFile, Deliver: screen.deliver,
	})
	if err := screen.greet(); err != nil {
		return err
	}
	c.serve(session, screen)
	defer c.serve(nil, nil)
	h.Started(ctx, c)
	return c.loop(ctx, h, session, screen, out)
}

// serve sets what Send and Log write to.
func (c *Console) serve(s *talk.Session, screen *screen) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session, c.screen = s, screen
}

// loop answers lines. Between two of them it notices that ctx has ended or
// that Out is broken.
func (c *Console) loop(ctx context.Context, h bot.Handler, s *talk.Session, screen *screen, out *output) error {
	help := &completer{commands: commands(h), session: s, out: screen.out}
	help.suggest = func(channel, name, command string, args []string, option string) []bot.Suggestion {
		return s.Suggest(ctx, channel, name, command, args, option)
	}
	if screen.editor != nil {
		screen.editor.AutoCompleteCallback = help.key
	}
	in := newInput(c.config.In, screen.lines)
	defer in.stop()
	for {
		help.speaker = s.Speaker()
		screen.prompt(s.Speaker())
		r, ok := in.next(ctx, out.broken)
		if !ok {
			return out.err()
		}
		if errors.Is(r.err, io.EOF) {
			return out.err()
		}
		err := r.err
		if err == nil {
			err = c.say(ctx, s, r.line)
		}
		if fault, ok := errors.AsType[*talk.Fault](err); ok {
			// Whoever doesn't want to read of faults has closed Err.
			_, _ = fmt.Fprintln(screen.err, talk.Clean(fault.Error()))
		} else if err != nil {
			return err
		}
	}
}

// say does what a line asks for, all of it even if ctx ends meanwhile.
func (c *Console) say(ctx context.Context, s *talk.Session, l talk.Line) error {
	ctx = context.WithoutCancel(ctx)
	if l.Kind == talk.Blank && c.config.Interactive {
		return s.Enter(ctx, l)
	}
	return s.Say(ctx, l)
}
