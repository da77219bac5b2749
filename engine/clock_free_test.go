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

// TestOutagesCostNoWrites: what was given back is given back once, whatever part of a
// second it ended in.
func TestOutagesCostNoWrites(t *testing.T) {
	t.Parallel()
	here := room("fractions")
	h, w := clocked(t, here)
	for range 3 {
		h.clock.wait(1300 * time.Millisecond)
		w.away = true
		h.keep()
		h.clock.wait(time.Minute)
		w.away = false
		h.keep()
	}
	was := h.latest(here).Version
	for range 200 {
		h.clock.wait(time.Second)
		h.keep()
	}
	if rec := h.latest(here); rec.Version > was+8 {
		t.Errorf("%d writes in 200 seconds", rec.Version-was)
	}
	if said := w.take(); !strings.Contains(said, "bilal is away") || !strings.Contains(said, "asha, your go") {
		t.Errorf("200 seconds:\n%s", said)
	}
}

// TestRestIsFree: the days that a resting match waits are days in which Hiss runs, and
// so are the seconds of a vote.
func TestRestIsFree(t *testing.T) {
	t.Parallel()
	here := room("resting")
	h, w := clocked(t, here)
	for range 8 {
		h.clock.wait(91 * time.Second)
		h.keep()
	}
	if g := h.folded(h.latest(here)); !g.Resting() {
		t.Fatal("it doesn't rest")
	}
	outage := func(d time.Duration) {
		w.away = true
		h.keep()
		h.clock.wait(d)
		w.away = false
		h.keep()
	}
	outage(8 * 24 * time.Hour)
	h.clock.wait(6 * 24 * time.Hour)
	h.keep()
	if said := w.take(); strings.Contains(said, "closed") {
		t.Errorf("closed after six days:\n%s", said)
	}
	h.say(here, "asha: /settings pace day", "asha: /roll")
	outage(8 * time.Hour)
	h.say(here, "bilal: /cancel")
	h.clock.wait(31 * time.Second)
	h.keep()
	if rec := h.latest(here); rec.Open {
		t.Errorf("the vote goes on: %s", rec.Clock)
	}
}

// TestSleepIsFree: a machine that slept, or a process that was stopped, is charged to
// nobody.
func TestSleepIsFree(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, slept := &hallway{}, atomic.Int64{}
		e := engine.New(engine.Config{
			Store: &memory{}, Seed: countedSeeds(), Notes: notes{}, Now: func() time.Time { return time.Now().Add(time.Duration(slept.Load())) },
		})
		h := &hall{TB: t, engine: e, clock: &clock{}}
		here := room("asleep")
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- e.Run(ctx) }()
		e.Started(t.Context(), w)
		time.Sleep(2500 * time.Millisecond)
		h.say(here, "asha: /newgame classic plain", "bilal: /join", "asha: /roll")
		synctest.Wait()
		slept.Store(int64(10 * time.Minute))
		time.Sleep(40 * time.Second)
		synctest.Wait()
		if said := w.take(); said != "" {
			t.Errorf("40 seconds of bilal's:\n%s", said)
		}
		time.Sleep(35 * time.Second)
		synctest.Wait()
		if said := w.take(); !strings.Contains(said, "bilal, your go") {
			t.Errorf("75 seconds of bilal's: %q", said)
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// notes keep nothing.
type notes struct{}

func (notes) Get(string) ([]byte, error) { return nil, nil }
func (notes) Put(string, []byte) error   { return nil }

// TestWhatCannotBeDoneKeepsNobodyWaiting: hundreds of matches that can't be read are
// tried again now and then, and others are looked at all the same.
func TestWhatCannotBeDoneKeepsNobodyWaiting(t *testing.T) {
	t.Parallel()
	m := &torn{memory: &memory{}}
	w := &hallway{}
	e := engine.New(engine.Config{Store: m, Seed: countedSeeds()})
	h := &hall{TB: t, engine: e, clock: &clock{}}
	h.say(room("first"), "asha: /newgame classic plain", "bilal: /join", "asha: /roll")
	rec := m.recs[0]
	rec.Told = rec.Entries
	for i := range 500 {
		r := rec
		r.ID, r.Channel, r.Deadline = int64(len(m.recs)+1), room(fmt.Sprint("torn", i)), rec.Deadline.Add(-time.Hour)
		m.recs = append(m.recs, r)
	}
	at := rec.Deadline
	e.Now = func() time.Time { return at }
	e.Started(t.Context(), w)
	m.reads.Store(0)
	for range 59 {
		if err := e.KeepTime(t.Context()); err != nil {
			t.Fatal(err)
		}
		at = at.Add(time.Second)
	}
	if said := w.take(); !strings.Contains(said, "bilal, your go") {
		t.Errorf("the one that can be read: %q", said)
	}
	if reads := m.reads.Load(); reads > 600 {
		t.Errorf("%d reads of 500 in a minute", reads)
	}
}

// torn can read no match of rooms that are called so.
type torn struct {
	*memory
	reads atomic.Int64
}

func (c *torn) Latest(ctx context.Context, channel bot.Channel) (engine.Record, error) {
	if strings.Contains(string(channel.Chat), "torn") {
		c.reads.Add(1)
		return engine.Record{}, errors.New("the disk is torn")
	}
	return c.memory.Latest(ctx, channel)
}
