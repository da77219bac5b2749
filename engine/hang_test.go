package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hiss/bot"
	"hiss/engine"
)

// gate is a store whose writes do what a test wants first.
type gate struct {
	engine.Store
	put    atomic.Pointer[func(context.Context, *engine.Record) error]
	latest atomic.Pointer[func()]
}

func (g *gate) Put(ctx context.Context, r *engine.Record) error {
	if f := g.put.Load(); f != nil {
		if err := (*f)(ctx, r); err != nil {
			return err
		}
	}
	return g.Store.Put(ctx, r)
}

func (g *gate) Latest(ctx context.Context, c bot.Channel) (engine.Record, error) {
	if f := g.latest.Load(); f != nil {
		(*f)()
	}
	return g.Store.Latest(ctx, c)
}

func (g *gate) on(f func(context.Context, *engine.Record) error) { g.put.Store(&f) }

// gated returns a hall whose store has a gate.
func gated(t testing.TB) (*hall, *gate) {
	g := &gate{}
	return newHall(t, func(s engine.Store) engine.Store { g.Store = s; return g }), g
}

var errStrange = errors.New("strange things happen")

const (
	lost   = "That didn't count: I couldn't save it. Try again in a moment."
	unsure = "Something went wrong on my side. /status shows where the match stands."
)

// TestNothingIsSaidBeforeItIsKept lets writes of one room hang.
func TestNothingIsSaidBeforeItIsKept(t *testing.T) {
	t.Parallel()
	h, g := gated(t)
	opened := h.say(room("1"), "asha: /newgame", "bilal: /join")
	reached, release := make(chan struct{}), make(chan struct{})
	g.on(func(_ context.Context, r *engine.Record) error {
		if r.Channel == room("1") {
			close(reached)
			<-release
		}
		return nil
	})
	answered := make(chan bot.Answer, 1)
	go func() { answered <- h.press(room("1"), "asha", opened, "Roll to start") }()
	<-reached
	for range 20 { // all others play on
		h.say(room("2"), "asha: /newgame plain", "asha: /roll", "asha: /cancel")
		wants(t, h.say(room("3"), "chen: /help"), "Snakes and Ladders with Hiss")
	}
	select {
	case a := <-answered:
		t.Errorf("said before it was kept: %s", whole(a))
	default:
	}
	if rec := h.latest(room("1")); rec.Entries != 2 {
		t.Errorf("%d acts on disk while the write hangs", rec.Entries)
	}
	g.put.Store(nil)
	close(release)
	wants(t, <-answered, "asha rolls")
}

func TestAWriteThatDidNotLand(t *testing.T) {
	t.Parallel()
	h, g := gated(t)
	opened := h.say(room("1"), "asha: /newgame", "bilal: /join")
	line := lineOf(t, opened, "Roll to start")
	press := h.pressed(room("1"), "asha", line)
	g.on(func(context.Context, *engine.Record) error {
		return fmt.Errorf("the disk is full: %w", engine.ErrNotWritten)
	})
	a := h.handle(press)
	wants(t, a, lost)
	if len(a.Channel) > 0 || a.Told != nil {
		t.Errorf("the channel was told: %s", whole(a))
	}
	if n := strings.Count(h.log.String(), "level=ERROR"); n != 1 {
		t.Errorf("logged %d times:\n%s", n, h.log)
	}
	g.put.Store(nil)
	wants(t, h.handle(press), "asha rolls") // the same delivery, within the same second
	if g := h.folded(h.latest(room("1"))); g.Goes() != 1 {
		t.Errorf("%d goes", g.Goes())
	}
}

// TestAFailedWriteIsNoRestart fails a write while an earlier answer is on its
// way: the channel hasn't missed anything.
func TestAFailedWriteIsNoRestart(t *testing.T) {
	t.Parallel()
	h, g := gated(t)
	h.say(room("1"), "asha: /newgame", "bilal: /join")
	slow := h.handle(h.typed(room("1"), "asha", "/roll")) // its Told comes late
	g.on(func(context.Context, *engine.Record) error { return engine.ErrNotWritten })
	a := h.handle(h.typed(room("1"), "bilal", "/roll"))
	wants(t, a, lost)
	lacks(t, a, "While I was away")
	g.put.Store(nil)
	a = h.handle(h.typed(room("1"), "bilal", "/roll"))
	lacks(t, a, "While I was away")
	wants(t, a, "bilal rolls")
	slow.Told()
	a.Told()
}

func TestAWriteOfWhichNobodyKnows(t *testing.T) {
	t.Parallel()
	for _, landed := range []bool{false, true} {
		t.Run(fmt.Sprint("landed=", landed), func(t *testing.T) {
			t.Parallel()
			h, g := gated(t)
			h.say(room("1"), "asha: /newgame", "bilal: /join")
			g.on(func(ctx context.Context, r *engine.Record) error {
				if landed {
					if err := g.Store.Put(ctx, r); err != nil {
						return err
					}
				}
				return errStrange
			})
			roll := h.typed(room("1"), "asha", "/roll")
			wants(t, h.handle(roll), unsure)
			g.put.Store(nil)
			again := h.handle(roll) // the platform delivers once more
			if landed {
				wants(t, again, "While I was away:\nasha rolls", "bilal is next")
			} else {
				wants(t, again, "asha rolls")
				lacks(t, again, "While I was away")
			}
			again.Told()
			wants(t, h.say(room("1"), "bilal: /roll"), "bilal rolls")
			if g := h.folded(h.latest(room("1"))); g.Goes() != 2 {
				t.Errorf("%d goes", g.Goes())
			}
		})
	}
}

// TestPatience lets a write hang for good. Whoever asked is told after 20 s.
func TestPatience(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		g := &gate{Store: m}
		g.on(func(ctx context.Context, _ *engine.Record) error { <-ctx.Done(); return ctx.Err() })
		e := engine.New(engine.Config{Store: g, Seed: countedSeeds()})
		h := &hall{TB: t, engine: e, clock: &clock{}}
		began := time.Now()
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // what has begun is finished, even when the process is told to stop
		wants(t, e.Handle(ctx, h.typed(room("1"), "asha", "/newgame")), unsure)
		if took := time.Since(began); took != 20*time.Second {
			t.Errorf("answered after %s", took)
		}
		g.put.Store(nil)
		wants(t, h.say(room("1"), "asha: /newgame"), "New match on")
		wants(t, h.say(room("1"), "bilal: /join"), "You're in, seat 2")
	})
}

func TestAStoreThatPanics(t *testing.T) {
	t.Parallel()
	h, g := gated(t)
	h.say(room("1"), "asha: /newgame", "bilal: /join")
	g.on(func(context.Context, *engine.Record) error { panic("no more") })
	a := h.say(room("1"), "asha: /roll")
	wants(t, a, unsure)
	log := h.log.String()
	if n := strings.Count(log, "level=ERROR"); n != 1 || !strings.Contains(log, "no more") || !strings.Contains(log, "stack=") {
		t.Errorf("logged %d times:\n%s", n, log)
	}
	g.put.Store(nil)
	h.clock.wait(time.Minute)
	wants(t, h.say(room("1"), "asha: /roll"), "asha rolls")

	boom := func() { panic("not even reading") }
	g.latest.Store(&boom)
	wants(t, h.say(room("2"), "asha: /newgame"), unsure)
	g.latest.Store(nil)
	wants(t, h.say(room("2"), "asha: /newgame"), "New match on")
}

// TestAStartThatPanics opens rooms that are owed something, with a store that
// can't stand one of them.
func TestAStartThatPanics(t *testing.T) {
	t.Parallel()
	h, g := gated(t)
	h.handle(h.typed(room("1"), "asha", "/newgame"))
	h.handle(h.typed(room("2"), "bilal", "/newgame"))
	h.kill()
	boom := func() { g.latest.Store(nil); panic("only the first") }
	g.latest.Store(&boom)
	p := &inbox{}
	h.engine.Started(t.Context(), p)
	if len(p.sent) != 1 || p.sent[0].channel != room("2") {
		t.Errorf("sent %v", p.sent)
	}
	if !strings.Contains(h.log.String(), "only the first") {
		t.Errorf("not logged: %s", h.log)
	}
	wants(t, h.say(room("1"), "chen: /join"), "New match on", "You're in, seat 2")
}

// TestConflictsWithoutEnd is a store on which another always comes first.
func TestConflictsWithoutEnd(t *testing.T) {
	t.Parallel()
	h, g := gated(t)
	h.say(room("1"), "asha: /newgame", "bilal: /join")
	g.on(func(context.Context, *engine.Record) error { return engine.ErrConflict })
	a := h.say(room("1"), "asha: /roll")
	wants(t, a, lost) // nothing was written, that much is certain
	lacks(t, a, "While I was away")
}
