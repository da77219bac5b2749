package engine_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine"
	"hiss/engine/rules"
)

// moody is a store whose next write may fail, with or without landing.
type moody struct {
	*memory
	mood string
}

func (m *moody) Put(ctx context.Context, r *engine.Record) error {
	mood := m.mood
	m.mood = ""
	switch mood {
	case "full":
		return fmt.Errorf("%w: full", engine.ErrNotWritten)
	case "lost":
		return errStrange
	case "landed":
		if err := m.memory.Put(ctx, r); err != nil {
			return err
		}
		return errStrange
	case "panics":
		panic("in the store")
	}
	return m.memory.Put(ctx, r)
}

// town is some people in two rooms, who do whatever people do, and a store
// that fails now and then.
type town struct {
	*rapid.T
	chance  *rand.Rand // evenly, where rapid would draw the first ones most
	store   *moody
	engine  *engine.Engine
	clock   *clock
	log     *journal
	seeds   uint64
	ids     int
	sent    []bot.Request
	buttons []bot.Button
	tracks  map[string]*rules.Track
	counted map[string]bool   // deliveries that have changed something
	sums    map[string][2]int // throws and acts that a record's acts tell
}

func newTown(t *rapid.T) *town {
	c := &town{T: t, store: &moody{memory: &memory{}}, log: &journal{}, tracks: make(map[string]*rules.Track), counted: make(map[string]bool),
		sums:   make(map[string][2]int),
		chance: rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "chance"), 0)),
		clock:  &clock{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}}
	c.engine = c.another(c.store)
	return c
}

func (c *town) another(s engine.Store) *engine.Engine {
	return engine.New(engine.Config{Store: s, Now: c.clock.Now, Log: slog.New(slog.NewTextHandler(c.log, nil)),
		Seed: func() (rules.Seed, error) { c.seeds++; return rules.SeedNumber(c.seeds), nil }})
}

func pick[T any](c *town, all ...T) T { return all[c.chance.IntN(len(all))] }

// lines are what people type, more often what leads on.
var lines = []string{
	"newgame tiny plain", "newgame tiny family", "newgame sprint doubles", "newgame tiny plain finish=last", "newgame twenty marathon",
	"newgame board=random size=30", "newgame tiny family seats=2", "newgame tiny plain dice=2", "newgame x", "new tiny",
	"join", "join", "join", "join", "roll", "roll", "roll", "roll", "roll", "roll 1 1", "leave", "leave", "autoroll on", "autoroll on",
	"autoroll off", "unseat 1", "unseat 2", "unseat bo", "kick 3", "cancel", "board", "status", "history", "history #1", "fair", "fair #1",
	"replay", "replay #1", "replay #2 1", "replay #1 board=tiny", "replay 0000000000000001", "help", "rules", "rulez",
}

func (c *town) request() bot.Request {
	c.ids++
	who := pick(c, "al", "al", "bo", "bo", "cy", "ed")
	channel := bot.Channel{Chat: "fake:1", Place: pick(c, "", "", "", "", "", "", "", "7")}
	return bot.Request{ID: fmt.Sprint("fake:", c.ids), Channel: channel, Named: true,
		User:  bot.User{ID: bot.UserID("fake:" + who), Name: who},
		Admin: func(context.Context, bool) (bool, error) { return who == "ed", nil }}
}

func (c *town) types() {
	r := c.request()
	r.Command, _, r.Args = bot.ParseLine(pick(c, lines...))
	c.ask(r, false)
}

// plays does what leads on in a room: opens, joins, starts, rolls.
func (c *town) plays() {
	r := c.request()
	rec, err := c.store.memory.Latest(context.Background(), r.Channel)
	line := "roll"
	switch {
	case err != nil || !rec.Open:
		line = pick(c, lines[:8]...)
	case len(rec.Seats) < 2 || len(rec.Seats) < 3 && c.chance.IntN(3) == 0:
		line = "join"
	default:
		sitter := rec.Seats[c.folded(rec).Turn()]
		if sitter.User != "" { // computers don't press
			r.User = bot.User{ID: sitter.User, Name: sitter.Name}
		}
		if n := len(c.buttons); n > 0 && strings.HasPrefix(c.buttons[n-1].Line, "roll ") {
			line, r.Pressed = c.buttons[n-1].Line, true
		}
	}
	r.Command, _, r.Args = bot.ParseLine(line)
	c.ask(r, false)
}

func (c *town) presses() {
	if len(c.buttons) == 0 {
		return
	}
	r := c.request()
	// The newest buttons are the likeliest.
	back := min(c.chance.IntN(4), len(c.buttons)-1)
	r.Command, _, r.Args = bot.ParseLine(c.buttons[len(c.buttons)-1-back].Line)
	r.Pressed = true
	c.ask(r, false)
}

func (c *town) comesAgain() {
	if len(c.sent) > 0 {
		c.ask(c.sent[len(c.sent)-1-min(c.chance.IntN(9), len(c.sent)-1)], true)
	}
}

func (c *town) waits() {
	c.clock.wait(time.Duration(1+c.chance.IntN(200)) * time.Second)
}

func (c *town) fails() {
	c.store.mood = pick(c, "full", "lost", "landed", "panics")
}

func (c *town) restarts() {
	if c.chance.IntN(2) == 0 {
		if err := c.engine.Flush(context.Background()); err != nil {
			c.Fatal(err)
		}
	}
	c.engine = c.another(c.store)
	if c.chance.IntN(2) == 0 {
		c.engine.Started(context.Background(), &inbox{})
	}
}

// ask hands a request over and looks at the answer.
func (c *town) ask(r bot.Request, again bool) {
	before, acts := c.thrown(r.Channel)
	failing := c.store.mood != ""
	a := c.engine.Handle(context.Background(), r)
	after, actsNow := c.thrown(r.Channel)
	if !again {
		c.sent = append(c.sent, r)
	}
	if a.Asker == nil && len(a.Channel) == 0 && !again && !r.Pressed {
		c.Fatalf("%s %q is answered with silence", r.Command, r.Args)
	}
	if a.Asker == nil && len(a.Channel) == 0 && actsNow != acts {
		c.Fatalf("%s %q changes something in silence", r.Command, r.Args)
	}
	told := 0
	for _, m := range slices.Concat(a.Channel, asked(a)) {
		c.presentable(m)
		said := m.Said.String()
		if r.Command != "replay" && !strings.Contains(said, "While I was away") {
			told += strings.Count(said, " rolls ")
		}
	}
	if told != after-before && !(failing && told == 0) {
		c.Fatalf("%s %q: %d throws told, %d on disk:\n%s", r.Command, r.Args, told, after-before, whole(a))
	}
	if actsNow > acts && c.counted[r.ID] {
		c.Fatalf("%s %q counts twice:\n%s", r.Command, r.Args, whole(a))
	}
	c.counted[r.ID] = c.counted[r.ID] || actsNow > acts
	if a.Told != nil && c.chance.IntN(10) > 0 {
		a.Told()
	}
}

func asked(a bot.Answer) []bot.Message {
	if a.Asker == nil {
		return nil
	}
	return []bot.Message{*a.Asker}
}

// presentable fails on a message that no platform could show.
func (c *town) presentable(m bot.Message) {
	if strings.TrimSpace(m.Text().String()) == "" {
		c.Fatal("an empty message")
	}
	if strings.Contains(m.Text().String(), "{") {
		c.Fatalf("a gap stays open: %s", m.Text())
	}
	for _, row := range m.Buttons {
		for _, b := range row {
			if len(b.Line) == 0 || len(b.Line) > 64 || len(b.Label) == 0 || len([]rune(b.Label)) > 80 {
				c.Fatalf("button %+v", b)
			}
			c.buttons = append(c.buttons, b)
		}
	}
}

// thrown returns how many throws the record of a room's matches tell, and how
// many acts. Each record must fold.
func (c *town) thrown(channel bot.Channel) (throws, acts int) {
	for _, rec := range c.store.recs {
		if rec.Channel == channel {
			n, ok := c.sums[rec.Board+rec.Rules+rec.Acts]
			if !ok {
				g := c.folded(rec)
				n = [2]int{g.Thrown() / g.Rules().Dice, g.Acts()}
				c.sums[rec.Board+rec.Rules+rec.Acts] = n
			}
			throws, acts = throws+n[0], acts+n[1]
		}
	}
	return throws, acts
}

func (c *town) folded(rec engine.Record) *rules.Game {
	key := rec.Board + rec.Rules
	if c.tracks[key] == nil {
		c.tracks[key] = c.compiled(rec)
	}
	g, err := rules.Fold(c.tracks[key], rec.Acts)
	if err != nil {
		c.Fatal(err)
	}
	return g
}

func (c *town) compiled(rec engine.Record) *rules.Track {
	b, err := boards.Parse("board.yaml", []byte(c.store.boards[rec.Board]))
	if err != nil {
		c.Fatal(err)
	}
	r, err := rules.ParseNotation(rec.Rules)
	if err != nil {
		c.Fatal(err)
	}
	track, err := rules.Compile(b, r)
	if err != nil {
		c.Fatal(err)
	}
	return track
}

// holds compares the engine with one that begins now, and looks at what must
// be so in every record.
func (c *town) holds() {
	if log := c.log.String(); strings.Contains(log, "panic") && !strings.Contains(log, "in the store") {
		c.Fatal(log)
	}
	for _, place := range []string{"", "7"} {
		c.clock.wait(time.Second)
		ask := func(e *engine.Engine) string {
			a := e.Handle(context.Background(), bot.Request{
				ID: "", Channel: bot.Channel{Chat: "fake:1", Place: place}, User: bot.User{ID: "fake:spy", Name: "spy"},
				Command: "status", Pressed: true, Named: true,
			})
			return a.Asker.Text().String()
		}
		if live, loaded := ask(c.engine), ask(c.another(c.store.memory)); live != loaded {
			c.Fatalf("live:\n%s\nloaded:\n%s", live, loaded)
		}
	}
	open := make(map[bot.Channel]bool)
	for _, rec := range c.store.recs {
		g := c.folded(rec)
		if g.Acts() != rec.Entries || g.Seats() != len(rec.Seats) || (g.Phase() != rules.Finished) != rec.Open || rec.Told > rec.Entries {
			c.Fatalf("%+v", rec)
		}
		if rec.Open && open[rec.Channel] {
			c.Fatal("two matches are open in a room")
		}
		open[rec.Channel] = open[rec.Channel] || rec.Open
		if g.Phase() == rules.Running && g.Waiting() > 0 && !g.Seat(g.Turn()).Waits() {
			c.Fatalf("seat %d is on turn and nobody may press for it: %s", g.Turn()+1, rec.Acts)
		}
	}
}

func TestWhateverPeopleDo(t *testing.T) {
	t.Parallel()
	goes := 0
	rapid.Check(t, func(t *rapid.T) {
		c := newTown(t)
		for step := range 40 {
			switch n := c.chance.IntN(20); {
			case n < 8:
				c.plays()
			case n < 12:
				c.types()
			case n < 15:
				c.presses()
			case n < 17:
				c.comesAgain()
			case n < 18:
				c.waits()
			case n < 19:
				c.fails()
			default:
				c.restarts()
			}
			if step%5 == 4 {
				c.holds()
			}
		}
		for _, rec := range c.store.recs {
			goes += c.folded(rec).Goes()
		}
	})
	if goes < 500 {
		t.Errorf("only %d goes: this proves little", goes)
	}
	t.Logf("%d goes", goes)
}
