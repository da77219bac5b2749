package talk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"hiss/bot"
)

// Stage obeys the directives that reach behind the talk, such as "!dice 4 6"
// or "!restart". It is handed in by whoever knows the game.
type Stage interface {
	// Direct obeys a directive. What follows from it is delivered by the
	// adapter's Send before Direct returns. An error says why it can't be
	// obeyed, a word that isn't known included; then nothing has changed.
	Direct(ctx context.Context, word string, args []string) error
}

// Config says what a Session is made of.
type Config struct {
	// Adapter is the adapter's name, the prefix of all ids.
	Adapter string
	// Stamp tells this run's deliveries from those of every other run on the
	// same file: their ids are "adapter:stamp-1", "adapter:stamp-2" and so on.
	Stamp string
	// Speaker says lines without a name until somebody was named. If empty,
	// such lines are faults.
	Speaker string
	// Private says that nobody can be here but who has spoken, as in an
	// interactive terminal: while that is one person they are alone.
	Private bool
	Handler bot.Handler
	Stage   Stage // nil if there are no further directives
	// Open opens a file that is attached. Nil if there are none.
	Open func(name string) (io.ReadCloser, error)
	// Deliver shows a message. Calls come one at a time. An error means that
	// nobody can read any more.
	Deliver func(Delivery) error
}

// Session is a conversation: who has spoken, what can be pressed, what was
// asked for last. Say, Enter and Speaker are for one goroutine; Send, Labels,
// Reachable and Member may be called by any other at the same time.
type Session struct {
	config   Config
	speaker  string
	spoken   map[string]bool
	admins   map[string]bool
	attached *bot.Attachment
	asked    map[asked]bot.Question // what waits for an answer
	last     *bot.Request
	count    int
	floor    chan struct{} // held while something is delivered
	shelves  map[bot.Channel]*shelf

	away    sync.Mutex
	gone    map[bot.UserID]bool // who has left without a word
	outside bool                // nobody can be reached
}

// NewSession begins a conversation.
func NewSession(c Config) *Session {
	return &Session{
		config: c, speaker: c.Speaker,
		spoken: map[string]bool{}, admins: map[string]bool{}, asked: map[asked]bot.Question{},
		floor: make(chan struct{}, 1), shelves: map[bot.Channel]*shelf{}, gone: map[bot.UserID]bool{},
	}
}

// Speaker returns who says a line without a name, or "" at first.
func (s *Session) Speaker() string { return s.speaker }

// Names returns everybody who has spoken, sorted.
func (s *Session) Names() []string { return slices.Sorted(maps.Keys(s.spoken)) }

// Say does what a line asks for. When it returns, all that follows has been
// delivered. A *Fault says why the line can't be obeyed; any other error, that
// what follows could not be delivered.
func (s *Session) Say(ctx context.Context, l Line) error {
	var err error
	switch l.Kind {
	case Directive:
		err = s.direct(ctx, l)
	case Spoken:
		err = s.speak(ctx, l)
	}
	return at(l, err)
}

// Enter does what an empty line asks for where a person types: it presses the
// first live button of the unnamed channel for whoever is expected to press
// it, or else for the last speaker. Errors are those of Say.
func (s *Session) Enter(ctx context.Context, l Line) error { return at(l, s.enter(ctx)) }

func (s *Session) enter(ctx context.Context) error {
	channel := ChannelOf(s.config.Adapter, "")
	if err := s.take(ctx); err != nil {
		return err
	}
	b, next, found := s.shelf(channel).first()
	s.leave()
	if !found {
		return faultf("there is no button to press")
	}
	name := s.speaker
	if next != nil && !next.Automaton {
		name = next.Name
		if next.ID != UserOf(s.config.Adapter, name).ID {
			return faultf("it is somebody else's go")
		}
	}
	if name == "" {
		return faultf("nobody has spoken yet")
	}
	s.spoken[name] = true
	s.leaves(name, false)
	return s.press(ctx, channel, name, b)
}

// Send delivers what nobody asked for. It waits while something else is being
// delivered, until ctx ends.
func (s *Session) Send(ctx context.Context, channel bot.Channel, a bot.Answer) error {
	if channel.Chat.Adapter() != s.config.Adapter {
		return fmt.Errorf("%v is no channel of %s", channel, s.config.Adapter)
	}
	if err := s.take(ctx); err != nil {
		return err
	}
	defer s.leave()
	for _, m := range a.Channel {
		if err := s.deliver(Delivery{Channel: channel, Message: m}); err != nil {
			return err
		}
	}
	if a.Told != nil {
		a.Told()
	}
	return nil
}

// Labels returns the words on the buttons that a person can press in the
// channel of that name, the newest message's first.
func (s *Session) Labels(channel, name string) []string {
	s.floor <- struct{}{}
	defer s.leave()
	return s.shelf(ChannelOf(s.config.Adapter, channel)).labels(UserOf(s.config.Adapter, name).ID)
}

// direct obeys a directive: its own, or the stage's.
func (s *Session) direct(ctx context.Context, l Line) error {
	switch l.Word {
	case "again":
		if s.last == nil {
			return faultf("nothing was delivered yet that could be delivered again")
		}
		return s.hand(ctx, *s.last)
	case "admin", "gone":
		name, err := parseName(l.Text)
		switch {
		case err != nil:
			return faultf("!%s takes a name: %v", l.Word, err)
		case l.Word == "admin":
			s.admins[name] = true
		default:
			s.leaves(name, true)
		}
		return nil
	case "reachable", "unreachable":
		if l.Text != "" {
			return faultf("!%s stands alone", l.Word)
		}
		s.reach(l.Word == "reachable")
		return nil
	case "file":
		return s.attach(l.Text)
	}
	if s.config.Stage == nil {
		return faultf("there is no directive !%s here", Clean(l.Word))
	}
	if err := s.config.Stage.Direct(ctx, l.Word, strings.Fields(l.Text)); err != nil {
		return faultf("!%s: %v", Clean(l.Word), err)
	}
	return nil
}

// attach keeps a file for the next request.
func (s *Session) attach(name string) error {
	if name == "" || s.config.Open == nil {
		return faultf("!file takes the name of a file")
	}
	f, err := s.config.Open(name)
	if err != nil {
		return faultf("!file: %v", err)
	}
	if err := f.Close(); err != nil {
		return faultf("!file: %v", err)
	}
	s.attached = &bot.Attachment{
		Name: path.Base(filepath.ToSlash(name)),
		Read: func(_ context.Context, limit int) ([]byte, error) { return s.read(name, limit) },
	}
	return nil
}

func (s *Session) read(name string, limit int) ([]byte, error) {
	f, err := s.config.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading an attachment: %w", err)
	}
	defer f.Close()
	data, err := bot.ReadAtMost(f, limit)
	if err != nil {
		return nil, fmt.Errorf("reading an attachment: %w", err)
	}
	return data, nil
}

// nextID returns the mark of one more delivery.
func (s *Session) nextID() string {
	s.count++
	return s.config.Adapter + ":" + s.config.Stamp + "-" + strconv.Itoa(s.count)
}

func (s *Session) take(ctx context.Context) error {
	select {
	case s.floor <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Session) leave() { <-s.floor }

// shelf returns the buttons of a channel; the floor must be held.
func (s *Session) shelf(c bot.Channel) *shelf {
	if s.shelves[c] == nil {
		s.shelves[c] = new(shelf)
	}
	return s.shelves[c]
}

// deliver shows a message and remembers its buttons; the floor must be held.
func (s *Session) deliver(d Delivery) error {
	d.Message.Buttons = here(d.Message.Buttons)
	if err := s.config.Deliver(d); err != nil {
		return err
	}
	s.shelf(d.Channel).add(d)
	return nil
}

// at gives a fault the number of its line.
func at(l Line, err error) error {
	if fault, ok := errors.AsType[*Fault](err); ok {
		fault.Line = l.Number
	}
	return err
}

func faultf(format string, args ...any) error {
	return &Fault{What: fmt.Sprintf(format, args...)}
}
