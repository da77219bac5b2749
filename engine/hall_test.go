package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine"
	"hiss/engine/rules"
	"hiss/store"
)

// hall is engines one after another on one file, and requests made by hand
// rather than by lines: for what a transcript can't say.
type hall struct {
	testing.TB
	path   string
	wrap   func(engine.Store) engine.Store // what stands before the store, or nil
	rig    *engine.Rig
	clock  *clock
	log    *journal
	ids    atomic.Int64
	seeds  atomic.Uint64
	disk   *store.Store
	engine *engine.Engine
}

func newHall(t testing.TB, wrap func(engine.Store) engine.Store) *hall {
	h := &hall{
		TB: t, path: filepath.Join(t.TempDir(), "hiss.db"), wrap: wrap, log: &journal{},
		clock: &clock{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)},
	}
	h.open()
	t.Cleanup(func() { _ = h.disk.Close() })
	return h
}

func (h *hall) open() {
	h.Helper()
	disk, err := store.Open(context.Background(), h.path)
	if err != nil {
		h.Fatal(err)
	}
	h.disk, h.engine = disk, h.another(disk)
}

// another returns one more engine, on a store.
func (h *hall) another(s engine.Store) *engine.Engine {
	if h.wrap != nil {
		s = h.wrap(s)
	}
	return engine.New(engine.Config{
		Store: s, Now: h.clock.Now, Rig: h.rig,
		Log:  slog.New(slog.NewTextHandler(h.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Seed: func() (rules.Seed, error) { return rules.SeedNumber(h.seeds.Add(1)), nil },
	})
}

// kill begins anew on the same file, with nothing written that wasn't.
func (h *hall) kill() {
	h.Helper()
	if err := h.disk.Close(); err != nil {
		h.Fatal(err)
	}
	h.open()
}

// room is the channel of a name in tests.
func room(name string) bot.Channel { return bot.Channel{Chat: bot.ChatID("fake:" + name)} }

// typed makes a request of a line that somebody types.
func (h *hall) typed(room bot.Channel, who, line string) bot.Request {
	command, _, args := bot.ParseLine(line)
	return bot.Request{
		ID: fmt.Sprintf("fake:%d", h.ids.Add(1)), Channel: room, Named: true,
		User: bot.User{ID: bot.UserID("fake:" + who), Name: who}, Command: command, Args: args,
	}
}

// pressed makes a request of a button's line.
func (h *hall) pressed(room bot.Channel, who, line string) bot.Request {
	r := h.typed(room, who, line)
	r.Pressed = true
	return r
}

func (h *hall) handle(r bot.Request) bot.Answer {
	return h.engine.Handle(context.Background(), r)
}

// say lets people type lines, "asha: /join", in a room, tells the engine that
// its answers arrived, and returns the last one.
func (h *hall) say(room bot.Channel, lines ...string) bot.Answer {
	h.Helper()
	var a bot.Answer
	for _, line := range lines {
		who, text, _ := strings.Cut(line, ": ")
		a = h.handle(h.typed(room, who, text))
		if a.Told != nil {
			a.Told()
		}
	}
	return a
}

// press presses the newest button of a label on an answer.
func (h *hall) press(room bot.Channel, who string, on bot.Answer, label string) bot.Answer {
	h.Helper()
	a := h.handle(h.pressed(room, who, lineOf(h, on, label)))
	if a.Told != nil {
		a.Told()
	}
	return a
}

// lineOf returns the line of an answer's button.
func lineOf(t testing.TB, a bot.Answer, label string) string {
	t.Helper()
	if line := findLine(a, label); line != "" {
		return line
	}
	t.Fatalf("no button %q on %s", label, whole(a))
	return ""
}

func findLine(a bot.Answer, label string) (line string) {
	all := a.Channel
	if a.Asker != nil {
		all = append(all[:len(all):len(all)], *a.Asker)
	}
	for _, m := range all {
		for _, row := range m.Buttons {
			for _, b := range row {
				if b.Label == label {
					line = b.Line
				}
			}
		}
	}
	return line
}

// whole returns all words of an answer.
func whole(a bot.Answer) string {
	var lines []string
	for _, m := range a.Channel {
		lines = append(lines, m.Text().String())
	}
	if a.Asker != nil {
		lines = append(lines, "(private) "+a.Asker.Text().String())
	}
	return strings.Join(lines, "\n")
}

// wants fails unless an answer has all these words.
func wants(t testing.TB, a bot.Answer, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(whole(a), w) {
			t.Errorf("no %q in:\n%s", w, whole(a))
		}
	}
}

// lacks fails if an answer has one of these words.
func lacks(t testing.TB, a bot.Answer, words ...string) {
	t.Helper()
	for _, w := range words {
		if strings.Contains(whole(a), w) {
			t.Errorf("%q in:\n%s", w, whole(a))
		}
	}
}

// latest returns a room's latest record.
func (h *hall) latest(room bot.Channel) engine.Record {
	h.Helper()
	rec, err := h.disk.Latest(context.Background(), room)
	if err != nil {
		h.Fatal(err)
	}
	return rec
}

// folded returns the game that a record tells, or fails.
func (h *hall) folded(rec engine.Record) *rules.Game {
	h.Helper()
	g := replayed(h, h.disk, rec)
	if g.Acts() != rec.Entries || g.Seats() != len(rec.Seats) || (g.Phase() != rules.Finished) != rec.Open {
		h.Errorf("match %d: %d acts, %d seats, phase %v, but its record says %d, %d, open %v", rec.ID,
			g.Acts(), g.Seats(), g.Phase(), rec.Entries, len(rec.Seats), rec.Open)
	}
	return g
}

// failer is what *testing.T and *rapid.T have in common.
type failer interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// replayed folds a record by package rules alone, and checks every die.
func replayed(t failer, s engine.Library, rec engine.Record) *rules.Game {
	t.Helper()
	file, err := s.Board(context.Background(), rec.Board)
	if err != nil {
		t.Fatal(err)
	}
	b, err := boards.Parse("board.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	r, err := rules.ParseNotation(rec.Rules)
	if err != nil {
		t.Fatal(err)
	}
	track, err := rules.Compile(b, r)
	if err != nil {
		t.Fatal(err)
	}
	seed, _ := rules.ParseSeed(rec.Seed)
	g := rules.NewGame(track)
	for entry := range strings.SplitSeq(rec.Acts, " ") {
		e, err := g.Read(entry)
		if err != nil {
			t.Fatalf("match %d, %q of %q: %v", rec.ID, entry, rec.Acts, err)
		}
		if went, ok := e.(rules.Went); ok && !went.Loaded && !g.Loaded() {
			if bad := g.Verify(went, seed.Dice(r.Sides)); bad != nil {
				t.Fatalf("match %d: go %d isn't the seed's", rec.ID, bad.Go)
			}
		}
		if err := g.Apply(e); err != nil {
			t.Fatalf("match %d, %q of %q: %v", rec.ID, entry, rec.Acts, err)
		}
	}
	return g
}

// clock stands still until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) wait(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// journal is a log that can be read while it is written.
type journal struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.String()
}
