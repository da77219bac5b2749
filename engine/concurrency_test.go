package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hiss/bot"
	"hiss/engine"
	"hiss/engine/rules"
	"hiss/store"
)

// crowd is four people in each of fifty rooms, all at once.
type crowd struct {
	*hall
	engines []*engine.Engine
	rooms   [50]struct {
		newest atomic.Pointer[bot.Answer] // the last answer that had a message
		goes   atomic.Int64               // go lines that were told there
	}
	silent, twice atomic.Int64
}

// everyone makes each person ask a number of things.
func (c *crowd) everyone(rooms, asks int) {
	var all sync.WaitGroup
	for i := range rooms {
		for p, who := range []string{"asha", "bilal", "chen", "dora"} {
			all.Go(func() { c.person(i, who, asks, rand.New(rand.NewPCG(uint64(i), uint64(p)))) })
		}
	}
	all.Wait()
}

// person asks for this and that. A tenth of it arrives twice at once.
func (c *crowd) person(i int, who string, asks int, rnd *rand.Rand) {
	for range asks {
		c.clock.wait(time.Second) // so that few taps are double
		r := c.wish(i, who, rnd)
		if rnd.IntN(10) > 0 {
			c.ask(i, r, rnd.IntN(len(c.engines)))
			continue
		}
		c.twice.Add(1)
		var both sync.WaitGroup
		for range 2 {
			e := rnd.IntN(len(c.engines))
			both.Go(func() { c.ask(i, r, e) })
		}
		both.Wait()
	}
}

func (c *crowd) wish(i int, who string, rnd *rand.Rand) bot.Request {
	channel := room(fmt.Sprint(i))
	newest := c.rooms[i].newest.Load()
	if newest != nil && rnd.IntN(2) > 0 { // whoever is next is quick
		if m := newest.Channel[len(newest.Channel)-1]; m.Next != nil {
			who = m.Next.Name
		}
	}
	if newest != nil && rnd.IntN(5) > 0 {
		for _, label := range []string{"Roll", "Roll to start", "Next round", "Join", "New match"} {
			if line := findLine(*newest, label); line != "" && (label == "New match" || rnd.IntN(2) > 0) {
				return c.pressed(channel, who, line)
			}
		}
	}
	lines := []string{"newgame sprint", "join", "join", "roll", "roll", "roll", "roll", "roll", "roll", "status", "autoroll on", "autoroll off"}
	if rnd.IntN(20) == 0 {
		lines = []string{"cancel", "board", "history", "leave"}
	}
	return c.typed(channel, who, lines[rnd.IntN(len(lines))])
}

func (c *crowd) ask(i int, r bot.Request, e int) {
	a := c.engines[e].Handle(context.Background(), r)
	if a.Asker == nil && len(a.Channel) == 0 {
		c.silent.Add(1)
	}
	told := 0
	for _, m := range a.Channel {
		if said := m.Said.String(); !strings.HasPrefix(said, "While I was away") && r.Command != "replay" {
			told += strings.Count(said, " rolls ")
		}
	}
	c.rooms[i].goes.Add(int64(told))
	if len(a.Channel) > 0 {
		c.rooms[i].newest.Store(&a)
	}
	if a.Told != nil {
		a.Told()
	}
}

// check folds all that is on disk, and compares it with what was told.
func (c *crowd) check(rooms int) (acts, matches int) {
	c.Helper()
	for i := range rooms {
		recs, err := c.disk.Finished(context.Background(), room(fmt.Sprint(i)).Chat, 10_000)
		if err != nil {
			c.Fatal(err)
		}
		if latest := c.latest(room(fmt.Sprint(i))); latest.Open {
			recs = append(recs, latest)
		}
		rolls := 0
		for _, rec := range recs {
			g := c.folded(rec)
			rolls += g.Thrown() // one die, so one line each
			acts += g.Acts()
			matches++
		}
		if told := c.rooms[i].goes.Load(); told != int64(rolls) {
			c.Errorf("room %d: %d throws on disk, %d told", i, rolls, told)
		}
	}
	return acts, matches
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	c := &crowd{hall: newHall(t, nil)}
	c.engines = []*engine.Engine{c.engine}
	c.everyone(50, 24) // 4 people, 24 asks: 4,800 and a tenth again
	acts, matches := c.check(50)
	if acts < 1000 || matches < 50 {
		t.Errorf("only %d acts in %d matches: this proves little", acts, matches)
	}
	if n, most := c.silent.Load(), c.twice.Load()+200; n > most {
		t.Errorf("%d of 4,800 requests had no answer", n)
	}
	if log := c.log.String(); log != "" {
		t.Errorf("logged: %.2000s", log)
	}
	t.Logf("%d acts in %d matches, %d requests delivered twice, %d in silence", acts, matches, c.twice.Load(), c.silent.Load())
}

// TestTwoEnginesAtOnce lets two engines, each with a store of its own on one
// file, play in the same rooms: what one has told, the other doesn't lose.
func TestTwoEnginesAtOnce(t *testing.T) {
	t.Parallel()
	c := &crowd{hall: newHall(t, nil)}
	second, err := store.Open(t.Context(), c.path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	c.engines = []*engine.Engine{c.engine, c.another(second)}
	c.everyone(8, 20)
	acts, matches := c.check(8)
	if acts < 100 {
		t.Errorf("only %d acts in %d matches: this proves little", acts, matches)
	}
}

func TestTwoOpenAtOnce(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	second, err := store.Open(t.Context(), h.path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	engines := []*engine.Engine{h.engine, h.another(second)}
	for i := range 20 {
		channel := room(fmt.Sprint(i))
		var both sync.WaitGroup
		answers := make([]bot.Answer, 4)
		for n := range answers {
			r := h.typed(channel, fmt.Sprint("user", n), "newgame")
			both.Go(func() { answers[n] = engines[n%2].Handle(context.Background(), r) })
		}
		both.Wait()
		opened, refused := 0, 0
		for _, a := range answers {
			if strings.Contains(whole(a), "New match on") && a.Asker == nil {
				opened++
			}
			if strings.Contains(whole(a), "A match is waiting for players: press Join.") {
				refused++
			}
		}
		if opened != 1 || refused != 3 {
			t.Errorf("room %d: %d opened, %d refused", i, opened, refused)
		}
		if g := h.folded(h.latest(channel)); g.Acts() != 1 || g.Phase() != rules.Lobby {
			t.Errorf("room %d: %d acts", i, g.Acts())
		}
	}
}

// TestOneGoATurn presses the same button from twenty fingers at once.
func TestOneGoATurn(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	a := h.say(room("1"), "asha: /newgame sprint", "bilal: /join")
	line := lineOf(t, a, "Roll to start")
	for turn := range 6 {
		var all sync.WaitGroup
		answers := make([]bot.Answer, 20)
		for n := range answers {
			who := []string{"asha", "bilal"}[turn%2]
			all.Go(func() { answers[n] = h.handle(h.pressed(room("1"), who, line)) })
		}
		all.Wait()
		for _, a := range answers {
			if next := findLine(a, "Roll"); next != "" {
				line = next
			}
		}
		if g := h.folded(h.latest(room("1"))); g.Goes() != turn+1 {
			t.Fatalf("%d goes after %d turns", g.Goes(), turn+1)
		}
		h.clock.wait(2 * time.Second)
	}
}
