package engine

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
	"unicode/utf8"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// patience is how long a request may take, its writes included, before whoever
// asked is told that it's not known whether it counted.
const patience = 20 * time.Second

// passing is how many characters a private answer to a press may have and
// still pass by without a message. A longer one stands at the bottom of the chat.
const passing = 200

// maxInput is how many characters a command may have.
const maxInput = 1000

// maxBoard is how many one may have that carries a board.
const maxBoard = 10_000

// Config says what an engine stands on. Store and Seed are needed; the rest
// has defaults.
type Config struct {
	Store Store
	// Now is the clock; time.Now if nil.
	Now func() time.Time
	// Seed draws the seed of a new match. Everywhere but in tests it reads the
	// operating system's entropy: see Entropy.
	Seed func() (rules.Seed, error)
	// Notes keep when Hiss or a platform was away, which is charged to nobody. If
	// nil that isn't known after a restart.
	Notes bot.Notes
	// NoPictures says that nothing is drawn: there are words alone.
	NoPictures bool
	// Rig loads dice and seeds for tests and the terminal; nil elsewhere.
	Rig *Rig
	Log *slog.Logger
	// Wordless is for how long an asker waits without a word where something takes
	// long; a second if 0.
	Wordless time.Duration
}

// Entropy returns a function that draws seeds from a source of entropy.
func Entropy(source io.Reader) func() (rules.Seed, error) {
	return func() (rules.Seed, error) { return rules.NewSeed(source) }
}

// Engine is a [bot.Handler] that hosts matches. It is safe for concurrent use:
// requests of one channel wait for one another, others don't.
type Engine struct {
	Config
	words    *words.Language
	commands map[string]*command
	listed   []bot.Command

	mu       sync.Mutex // of the three maps, held for a look-up
	tables   map[bot.Channel]*table
	warm     map[*table]struct{}    // those that hold a match
	adapters map[string]bot.Adapter // those that can send, by name
	tracks   tracks
	told     told
	errands  *errands
	gallery  *gallery
	keeper   keeper
	chats    chatCache
	habits   habitCache
}

// New returns an engine. Its Run must run for what it does unasked.
func New(c Config) *Engine {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Wordless == 0 {
		c.Wordless = time.Second
	}
	e := &Engine{
		Config:   c,
		words:    words.English(),
		tables:   make(map[bot.Channel]*table),
		warm:     make(map[*table]struct{}),
		adapters: make(map[string]bot.Adapter),
		errands:  newErrands(),
		gallery:  newGallery(),
	}
	e.tracks.store = c.Store
	e.keeper.notes = c.Notes
	e.told.store = c.Store
	e.commands, e.listed = commandTable(e.words)
	c.Rig.serve(e)
	return e
}

// Commands returns the table of commands, for menus and registration.
func (e *Engine) Commands() []bot.Command { return e.listed }

// About says what Hiss is for, see [bot.Handler].
func (e *Engine) About() (short, long string) {
	return e.words.Words(words.AboutShort), e.words.Words(words.About)
}

// call is one request on its way through the engine.
type call struct {
	*Engine
	ctx context.Context
	bot.Request
	now   time.Time
	admin *bool // whether the asker administers the chat, once that was asked
}

// Handle does what was asked and answers. It never panics: what goes wrong
// inside is logged, and the asker told that something did.
func (e *Engine) Handle(ctx context.Context, r bot.Request) bot.Answer {
	// What has begun is finished, even when the process is told to stop.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	c := &call{Engine: e, ctx: ctx, Request: r, now: e.Now()}
	if r.Completing != "" {
		return bot.Answer{Suggestions: c.suggest()} // and nothing may be done
	}
	cmd, refusal := c.find()
	if cmd == nil {
		return c.refused(refusal)
	}
	return c.safely(cmd)
}

// apart runs a command that has nothing to do with a match, without the channel's
// lock: it may take its time.
func (c *call) apart(cmd *command) bot.Answer {
	if c.came() {
		return bot.Answer{}
	}
	result, err := cmd.run(c, nil)
	var refusal *refusal
	switch {
	case errors.As(err, &refusal):
		return c.refused(err)
	case err != nil:
		return c.failed(err)
	}
	return result.answer
}

// came notes that somebody is here and what they pressed or typed. It reports
// whether that is the second tap of a double one.
func (c *call) came() (again bool) {
	t := c.at(c.Channel)
	t.mu.Lock()
	defer t.mu.Unlock()
	c.enter(t)
	if again = t.doubleTap(c); !again {
		t.tapped(c)
	}
	if !c.Pressed {
		t.page = page{}
	}
	return again
}

// bottom notes that something stands at the bottom of the chat that is no match.
func (c *call) bottom() {
	t := c.at(c.Channel)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.company != nil {
		t.page = page{}
	}
}

// safely runs a command. What goes wrong inside ends here.
func (c *call) safely(cmd *command) (answer bot.Answer) {
	defer func() {
		if p := recover(); p != nil {
			c.Log.Error("panic in a request", "request", c.ID, "channel", c.Channel, "command", c.Command,
				"panic", p, "stack", string(debug.Stack()))
			answer = private(c.words.Text(words.FailUnsure))
		}
	}()
	return c.run(cmd)
}

// find returns the command that is asked for, or why there's none. Both are
// nil where the words may be meant for another bot.
func (c *call) find() (*command, error) {
	length := len([]rune(c.Command))
	for _, a := range c.Args {
		length += 1 + len([]rune(a))
	}
	cmd := c.commands[c.Command]
	switch {
	case cmd == nil && !c.Named || cmd != nil && cmd.Shared && !c.Named:
		return nil, nil
	case length > maxInput && (cmd == nil || !cmd.long) || length > maxBoard:
		return nil, no(words.TooLong, words.N("n", maxInput))
	case cmd == nil:
		return nil, c.unknown()
	case c.User.ID == "":
		return nil, nil
	case c.Unable != "":
		return nil, no(words.FailWrite, words.S("right", c.Unable))
	case c.User.Masked && cmd.sits:
		return nil, no(words.AsGroup)
	}
	return cmd, nil
}

// run lets a command decide until what it decided could be written.
func (c *call) run(cmd *command) bot.Answer {
	if cmd.apart {
		return c.arrives(c.apart(cmd))
	}
	for tries := 0; ; tries++ {
		answer, err := c.try(cmd)
		var asks *needsAdmin
		var moved *hasMoved
		switch {
		case errors.As(err, &moved) && tries < 8:
			c.Channel = moved.to
		case errors.As(err, &asks):
			// Nobody else waits while the platform is asked.
			admin, err := c.isAdmin()
			if err != nil {
				c.Log.Warn("asking for admin rights", "channel", c.Channel, "error", err)
				return c.refused(no(words.FailAsk))
			}
			c.admin = &admin
		case errors.Is(err, ErrConflict) && tries < 8:
		case err != nil:
			return c.failed(err)
		default:
			return answer
		}
	}
}

func (c *call) isAdmin() (bool, error) {
	if c.Admin == nil {
		return false, nil
	}
	return c.Admin(c.ctx, false)
}

// needsAdmin is what a decision returns that depends on whether the asker
// administers the chat. It is made again once that is known.
type needsAdmin struct{}

func (*needsAdmin) Error() string { return "asks for admin rights" }

// hasMoved is what a try returns under a former id of a chat. The match has
// one table, under the present one.
type hasMoved struct{ to bot.Channel }

func (*hasMoved) Error() string { return "the chat has a new id" }

// try runs a command once, under the channel's lock. Of the errors that it
// returns none is a refusal.
func (c *call) try(cmd *command) (answer bot.Answer, err error) {
	t := c.at(c.Channel)
	t.mu.Lock()
	defer t.mu.Unlock()
	defer func() {
		if p := recover(); p != nil {
			t.drop()
			panic(p)
		}
	}()
	if err := c.load(t); err != nil {
		return bot.Answer{}, err
	}
	if t.rec.ID != 0 && t.rec.Channel != t.channel {
		moved := t.rec.Channel
		t.drop()
		return bot.Answer{}, &hasMoved{moved}
	}
	if t.knows(c, cmd) {
		return t.withMissed(c, t.missedBefore(c), bot.Answer{}), nil
	}
	missed := t.missedBefore(c)
	if !c.Pressed && c.User.ID != "" {
		t.page = page{} // what was typed is at the bottom of the chat now
	}
	result, err := c.returning(t)(cmd.run(c, t))
	var refusal *refusal
	switch {
	case errors.As(err, &refusal):
		t.note(c, cmd)
		answer = c.refused(err)
	case err != nil:
		return bot.Answer{}, err
	default:
		if answer, err = c.finish(t, cmd, result); err != nil {
			return bot.Answer{}, err
		}
	}
	t.tapped(c)
	if a := answer.Asker; c.Pressed && a != nil && (len(a.Buttons) > 0 || utf8.RuneCountInString(a.Text().String()) > passing) {
		t.page = page{}
	}
	return t.withMissed(c, missed, answer), nil
}

// finish writes what was decided and tells it.
func (c *call) finish(t *table, cmd *command, r result) (bot.Answer, error) {
	if len(r.events) == 0 && r.clock == nil {
		t.note(c, cmd)
		return r.answer, nil
	}
	before, told := t.game, 0
	if r.opens == nil {
		told = max(t.rec.Told, c.told.upTo(t.rec.ID))
	}
	if err := c.commit(t, cmd, r); err != nil {
		t.drop()
		t.contended = errors.Is(err, ErrConflict)
		return bot.Answer{}, err
	}
	if r.tell == nil { // only the clock was set
		return r.answer, nil
	}
	answer := r.tell(before)
	c.hush(answer.Channel)
	id, acts := t.rec.ID, t.rec.Entries
	t.handed = handed{id, acts}
	switch {
	case len(answer.Channel) > 0:
		answer.Told = func() { c.told.mark(id, acts, c.Now()) }
	case told == acts-len(r.events):
		// Nothing to tell the channel, and nothing still on its way there.
		c.told.mark(id, acts, c.now)
	}
	return answer, nil
}

// hush makes messages silent where the chat wants it quiet. They tell what has
// happened, so they are told even where nobody knows what the chat wants.
func (c *call) hush(messages []bot.Message) {
	s, err := c.settings()
	if err != nil {
		c.Log.Error("a message may be louder than its chat wants", "channel", c.Channel, "error", err)
	}
	for i := range messages {
		messages[i].Sound = messages[i].Sound && !s.quiet
	}
}

// result is what a command decided: events and how to tell them once they are
// on disk, or an answer that changes nothing.
type result struct {
	answer bot.Answer
	events []rules.Event
	opens  *Record    // the match to open, of which events are the first
	clock  *clockwork // what the clock is to know, if that changes by more than events
	tell   func(before *rules.Game) bot.Answer
}
