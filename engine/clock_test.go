package engine_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hiss/bot"
	"hiss/engine"
)

// hallway is an adapter of tests that keeps what the clock sends.
type hallway struct {
	mu      sync.Mutex
	sent    []delivery
	away    bool                // people can't reach the bot
	gone    map[bot.UserID]bool // who isn't in any chat any more
	asked   map[bot.UserID]int  // how often it was asked who is
	unknown bool                // and whether nobody can say
}

func (*hallway) Name() string                           { return "fake" }
func (*hallway) Run(context.Context, bot.Handler) error { return nil }

func (w *hallway) Reachable() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.away
}

func (w *hallway) Member(_ context.Context, _ bot.ChatID, u bot.UserID) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.asked == nil {
		w.asked = make(map[bot.UserID]int)
	}
	w.asked[u]++
	if w.unknown {
		return false, fmt.Errorf("no answer")
	}
	return !w.gone[u], nil
}

func (w *hallway) Send(_ context.Context, c bot.Channel, a bot.Answer) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range a.Channel {
		w.sent = append(w.sent, delivery{c, m})
	}
	if a.Told != nil {
		a.Told()
	}
	return nil
}

// take returns what was sent since the last time, as text.
func (w *hallway) take() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []string
	for _, d := range w.sent {
		all = append(all, d.String())
	}
	w.sent = nil
	return strings.Join(all, "\n")
}

// keep lets the clock ring.
func (h *hall) keep() {
	h.Helper()
	if err := h.engine.KeepTime(context.Background()); err != nil {
		h.Error(err)
	}
}

// clocked is a hall whose clock rings, with a match of asha and bilal in a room in
// which asha has thrown.
func clocked(t testing.TB, here bot.Channel) (*hall, *hallway) {
	h, w := newHall(t, nil), &hallway{gone: make(map[bot.UserID]bool)}
	h.engine.Started(context.Background(), w)
	h.clock.wait(400 * time.Millisecond) // nothing happens on whole seconds
	h.say(here, "asha: /newgame classic plain", "bilal: /join", "asha: /roll")
	return h, w
}

// TestPressAndClock: a press and the deadline at the same instant are one go.
func TestPressAndClock(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	h.engine.Started(t.Context(), &hallway{})
	const tries = 1000
	here := room("instant")
	h.say(here, "asha: /newgame summit plain finish=all", "bilal: /join", "asha: /roll")
	for n := 0; n < tries; {
		rec := h.latest(here)
		g := h.folded(rec)
		if !rec.Open {
			h.say(here, "asha: /newgame summit plain finish=all", "bilal: /join", "asha: /roll")
			continue
		}
		who := []string{"asha", "bilal"}[g.Turn()]
		if g.Resting() || !g.Seat(g.Turn()).Waits() {
			h.say(here, who+": /roll", who+": /autoroll off")
			continue
		}
		h.clock.wait(rec.Deadline.Sub(h.clock.Now()) + time.Second)
		if rec = h.latest(here); !rec.Deadline.After(h.clock.Now()) {
			h.keep() // the reminder, after which the deadline itself is due
			rec = h.latest(here)
			h.clock.wait(max(0, rec.Deadline.Sub(h.clock.Now())))
		}
		g = h.folded(h.latest(here))
		turn, goes := g.Turn(), g.Goes()
		press := h.pressed(here, []string{"asha", "bilal"}[turn], fmt.Sprintf("roll %d %d", rec.ID, goes))
		var both sync.WaitGroup
		both.Go(func() { h.handle(press) })
		both.Go(func() { h.keep() })
		both.Wait()
		if now := h.folded(h.latest(here)); now.Seat(turn).Goes != g.Seat(turn).Goes+1 {
			t.Fatalf("%d goes of seat %d became %d", g.Seat(turn).Goes, turn+1, now.Seat(turn).Goes)
		}
		n++
	}
}

// TestDowntimeIsFree: what Hiss is away for is given back to whoever is on turn.
func TestDowntimeIsFree(t *testing.T) {
	t.Parallel()
	here := room("down")
	h, w := clocked(t, here)
	notes := h.disk.Notes()
	start := func() {
		h.engine = engine.New(engine.Config{Store: h.disk, Now: h.clock.Now, Notes: notes, Seed: engine.Entropy(strings.NewReader(strings.Repeat("seed", 99)))})
		ctx, stop := context.WithCancel(context.Background())
		stop()
		if err := h.engine.Run(ctx); err != nil { // it begins, and ends at once
			t.Fatal(err)
		}
		h.engine.Started(context.Background(), w)
	}
	start()
	h.clock.wait(30 * time.Second)
	h.keep()
	// Hiss notes that it runs every quarter of a minute, and is killed.
	h.clock.wait(10 * time.Minute)
	start()
	w.take()
	h.keep()
	if got := w.take(); got != "" {
		t.Fatalf("at the start:\n%s", got)
	}
	h.clock.wait(25 * time.Second)
	h.keep()
	if got := w.take(); got != "" {
		t.Errorf("55 seconds of bilal's:\n%s", got)
	}
	h.clock.wait(25 * time.Second)
	h.keep()
	if got := w.take(); !strings.Contains(got, "bilal, your go. Hiss throws for you in ") {
		t.Errorf("80 seconds of bilal's: %q", got)
	}
	h.clock.wait(40 * time.Second)
	h.keep()
	if got := w.take(); !strings.Contains(got, "bilal is away: Hiss throws the very same dice") {
		t.Errorf("120 seconds of bilal's: %q", got)
	}
}

// TestOutageIsFree: while a platform can't be reached nobody's time passes there, nor
// while the presses that waited for its end come in.
func TestOutageIsFree(t *testing.T) {
	t.Parallel()
	here := room("outage")
	h, w := clocked(t, here)
	h.clock.wait(20 * time.Second)
	h.keep()
	w.away = true
	for range 60 {
		h.keep()
		h.clock.wait(time.Minute)
	}
	w.away = false
	h.keep()
	h.clock.wait(40 * time.Second)
	h.keep()
	if got := w.take(); got != "" {
		t.Errorf("50 seconds of bilal's:\n%s", got)
	}
	h.clock.wait(13 * time.Second) // with the seconds that are rounded up
	h.keep()
	if got := w.take(); !strings.Contains(got, "bilal, your go. Hiss throws for you in ") {
		t.Errorf("63 seconds of bilal's: %q", got)
	}
	h.clock.wait(30 * time.Second)
	h.keep()
	if got := w.take(); !strings.Contains(got, "bilal rolls") || strings.Contains(got, "asha, your go") {
		t.Errorf("93 seconds of bilal's: %q", got)
	}
}

// TestGoneWithoutAWord: who has left the chat silently loses the seat after the first
// missed go; the platform is asked once, and nobody is thrown out if it doesn't say.
func TestGoneWithoutAWord(t *testing.T) {
	t.Parallel()
	for _, gone := range []bool{true, false} {
		here := room(fmt.Sprint("gone", gone))
		h, w := clocked(t, here)
		w.gone["fake:bilal"], w.unknown = true, !gone
		for range 5 {
			h.clock.wait(61 * time.Second)
			h.keep()
		}
		said := w.take()
		if gone != strings.Contains(said, "bilal leaves on ") || w.asked["fake:bilal"] != 1 {
			t.Errorf("gone %t, asked %v times:\n%s", gone, w.asked, said)
		}
	}
}

// TestNobodyWaitsForInquiries: a platform that takes long to say who is there keeps
// no other chat's deadline waiting.
func TestNobodyWaitsForInquiries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &slow{hallway: &hallway{}}
		e := engine.New(engine.Config{Store: &memory{}, Seed: countedSeeds()})
		h := &hall{TB: t, engine: e, clock: &clock{}}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- e.Run(ctx) }()
		e.Started(t.Context(), w)
		for i := range 40 {
			h.say(room(fmt.Sprint(i)), "asha: /newgame classic plain", "bilal: /join", "asha: /roll")
		}
		time.Sleep(2 * time.Second)
		h.say(room("other"), "asha: /newgame classic plain", "bilal: /join", "asha: /roll")
		time.Sleep(92 * time.Second)
		synctest.Wait()
		if said := w.take(); !strings.Contains(said, "fake:other: bilal is away") {
			t.Errorf("a deadline of 90 seconds, after 92: %.200q", said)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// slow is an adapter that takes its time to say who is there.
type slow struct{ *hallway }

func (w *slow) Member(ctx context.Context, chat bot.ChatID, u bot.UserID) (bool, error) {
	select {
	case <-time.After(5 * time.Second):
		return w.hallway.Member(ctx, chat, u)
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// TestAFailedSendFreezesNothing: what can't be sent has happened all the same.
func TestAFailedSendFreezesNothing(t *testing.T) {
	t.Parallel()
	here := room("mute")
	h, w := clocked(t, here)
	h.engine.Started(t.Context(), &mute{w})
	for range 4 {
		h.clock.wait(61 * time.Second)
		h.keep()
	}
	wants(t, h.say(here, "bilal: /status"), "2 · bilal")
	if g := h.folded(h.latest(here)); g.Goes() < 2 || !g.Resting() {
		t.Errorf("%d goes", g.Goes())
	}
}

// mute is an adapter that can send nothing.
type mute struct{ *hallway }

func (*mute) Send(context.Context, bot.Channel, bot.Answer) error { return fmt.Errorf("no answer") }

// TestManyDeadlines: with thousands of matches waiting, a start reads none of
// them, and what is due is done in its second, whatever the others do.
func TestManyDeadlines(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := &counting{memory: &memory{}}
		n := 10_000
		w := &hallway{}
		e := engine.New(engine.Config{Store: m, Seed: countedSeeds()})
		h := &hall{TB: t, engine: e, clock: &clock{}}
		h.say(room("first"), "asha: /newgame classic plain", "bilal: /join", "asha: /roll")
		rec := m.recs[0]
		m.mu.Lock()
		rec.Told = rec.Entries
		m.recs[0].Told = rec.Told
		for i := range n {
			r := rec
			r.ID, r.Channel, r.Deadline = int64(len(m.recs)+1), room(fmt.Sprint(i)), rec.Deadline.Add(time.Duration(1+i)*time.Minute)
			m.recs = append(m.recs, r)
		}
		m.mu.Unlock()
		e = engine.New(engine.Config{Store: m, Seed: countedSeeds()})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- e.Run(ctx) }()
		e.Started(t.Context(), w)
		m.reads.Store(0)
		time.Sleep(59 * time.Second)
		synctest.Wait()
		if reads, said := m.reads.Load(), w.take(); reads != 0 || said != "" {
			t.Errorf("%d matches were read before anything was due: %.200q", reads, said)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if said := w.take(); !strings.Contains(said, "fake:first: bilal, your go.") {
			t.Errorf("a reminder of a minute, after 62 seconds: %.200q", said)
		}
		time.Sleep(30 * time.Second)
		synctest.Wait()
		if said := w.take(); !strings.Contains(said, "fake:first: bilal is away") {
			t.Errorf("a deadline of 90 seconds, after 92: %.200q", said)
		}
		if reads := m.reads.Load(); reads > 10 {
			t.Errorf("%d matches were read", reads)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// counting counts the matches that are read.
type counting struct {
	*memory
	reads atomic.Int64
}

func (c *counting) Latest(ctx context.Context, channel bot.Channel) (engine.Record, error) {
	c.reads.Add(1)
	return c.memory.Latest(ctx, channel)
}

// TestRecordsWithoutAClockGoOn: what a record keeps of the clock survives, whatever stands in it.
func TestRecordsWithoutAClockGoOn(t *testing.T) {
	t.Parallel()
	here := room("old")
	h, w := clocked(t, here)
	rec := h.latest(here)
	rec.Clock, rec.Deadline = "", time.Time{} // as an earlier version wrote it
	if err := h.disk.Put(t.Context(), &rec); err != nil {
		t.Fatal(err)
	}
	h.kill()
	h.engine.Started(t.Context(), w)
	h.clock.wait(time.Hour)
	h.keep()
	wants(t, h.say(here, "bilal: /roll"), "bilal rolls")
	rec = h.latest(here)
	for _, odd := range []string{"?", "live since=x", "90s since=1 reminded=99 vote=-1", "none paid=99999999999999999999"} {
		rec.Clock = odd
		if err := h.disk.Put(t.Context(), &rec); err != nil {
			t.Fatal(err)
		}
		h.kill()
		h.engine.Started(t.Context(), w)
		h.keep()
		wants(t, h.say(here, "asha: /status"), "Round ")
		rec = h.latest(here)
	}
}

// TestNoSoundForWhoIsNotCalled: who has asked not to be called isn't rung for either.
func TestNoSoundForWhoIsNotCalled(t *testing.T) {
	t.Parallel()
	for _, calls := range []string{"on", "off"} {
		h, w := clocked(t, room(calls))
		h.say(room(calls), "bilal: /calls "+calls)
		h.clock.wait(61 * time.Second)
		h.keep()
		for _, d := range w.sent {
			if m := d.message; m.Sound != (calls == "on") || (m.Call != nil) != m.Sound {
				t.Errorf("calls %s: sound %t, call %v", calls, m.Sound, m.Call)
			}
		}
		if len(w.sent) != 1 {
			t.Errorf("%d messages", len(w.sent))
		}
	}
}
