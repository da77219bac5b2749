package engine_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hiss/bot"
	"hiss/engine"
)

// BenchmarkGo measures a go as a request: one die, two players, the board
// classic. A match of about 60 goes is opened anew whenever one is over.
func BenchmarkGo(b *testing.B) {
	for name, store := range map[string]func(testing.TB) engine.Store{
		"memory": func(testing.TB) engine.Store { return &memory{} },
		"sqlite": func(tb testing.TB) engine.Store { return newHall(tb, nil).disk },
	} {
		b.Run(name, func(b *testing.B) {
			e := engine.New(engine.Config{Store: store(b), Seed: countedSeeds()})
			request := [2]func(string) bot.Request{asker("asha"), asker("bilal")}
			goes, turn := 0, 0
			for b.Loop() {
				a := e.Handle(b.Context(), request[turn]("roll"))
				if len(a.Channel) == 0 || findLine(a, "New match") != "" {
					e.Handle(b.Context(), request[0]("newgame"))
					e.Handle(b.Context(), request[1]("join"))
					turn = 0
					continue
				}
				goes++
				turn = 1 - turn
			}
			if goes < b.N/2 {
				b.Errorf("%d goes in %d requests", goes, b.N)
			}
		})
	}
}

// asker makes requests of one person in one room.
func asker(who string) func(string) bot.Request {
	n := 0
	return func(line string) bot.Request {
		n++
		command, _, args := bot.ParseLine(line)
		return bot.Request{
			ID: fmt.Sprint("fake:", who, n), Channel: room("1"), Named: true, Command: command, Args: args,
			User: bot.User{ID: bot.UserID("fake:" + who), Name: who},
		}
	}
}

// copies is a store in which every channel has a match like one of 100 goes.
type copies struct {
	engine.Store
	record engine.Record
}

func newCopies(tb testing.TB) copies {
	m := &memory{}
	e := engine.New(engine.Config{Store: m, Seed: countedSeeds()})
	names := []string{"asha", "bilal", "chen", "dora"}
	ask := make([]func(string) bot.Request, len(names))
	for i, name := range names {
		ask[i] = asker(name)
	}
	e.Handle(tb.Context(), ask[0]("newgame summit marathon"))
	for _, ask := range ask[1:] {
		e.Handle(tb.Context(), ask("join"))
	}
	for i := range 100 {
		e.Handle(tb.Context(), ask[i%len(names)]("roll"))
	}
	rec, err := m.Latest(tb.Context(), room("1"))
	if err != nil || rec.Entries != 104 {
		tb.Fatal(rec.Entries, err)
	}
	rec.Told = rec.Entries
	return copies{m, rec}
}

// Latest gives each channel a match of its own, as one that was read is.
func (c copies) Latest(_ context.Context, channel bot.Channel) (engine.Record, error) {
	r := c.record
	r.Channel, r.Acts, r.Seed = channel, strings.Clone(r.Acts), strings.Clone(r.Seed)
	r.Board, r.Rules = strings.Clone(r.Board), strings.Clone(r.Rules)
	r.Deliveries = append([]uint32(nil), r.Deliveries...)
	r.Seats = append([]engine.Sitter(nil), r.Seats...)
	for i := range r.Seats {
		r.Seats[i].User = bot.UserID(strings.Clone(string(r.Seats[i].User)))
		r.Seats[i].Name = strings.Clone(r.Seats[i].Name)
	}
	return r, nil
}

func channels(n int) []bot.Channel {
	all := make([]bot.Channel, n)
	for i := range all {
		all[i] = room(fmt.Sprint("-100", 1_000_000_000+i))
	}
	return all
}

// BenchmarkLoad measures the first request for a match of 100 goes that isn't
// in memory, without the store's read.
func BenchmarkLoad(b *testing.B) {
	store, ask := newCopies(b), asker("asha")
	all := channels(10_000)
	e := engine.New(engine.Config{Store: store, Seed: countedSeeds()})
	i := 0
	for b.Loop() {
		if i == len(all) { // all are in memory now
			i, e = 0, engine.New(engine.Config{Store: store, Seed: countedSeeds()})
		}
		r := ask("status")
		r.Channel = all[i]
		e.Handle(b.Context(), r)
		i++
	}
}

// held returns how many bytes of the heap are in use.
func held() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// TestMemory measures what a channel costs with a match in memory and, once
// nobody has asked for a while, without.
func TestMemory(t *testing.T) {
	store, ask := newCopies(t), asker("asha")
	synctest.Test(t, func(t *testing.T) {
		const n = 1000
		e := engine.New(engine.Config{Store: store, Seed: countedSeeds()})
		ctx, stop := context.WithCancel(t.Context())
		ran := make(chan error, 1)
		go func() { ran <- e.Run(ctx) }()
		all := channels(n)
		before := held()
		for _, c := range all {
			r := ask("status")
			r.Channel = c
			e.Handle(ctx, r)
		}
		loaded := (held() - before) / n
		time.Sleep(15 * time.Minute)
		synctest.Wait()
		idle := (held() - before) / n
		t.Logf("%d B a loaded match of 100 goes, %d B an idle channel", loaded, idle)
		if idle > 400 {
			t.Errorf("an idle channel takes %d B", idle)
		}
		if loaded > 4000 {
			t.Errorf("a loaded match of 100 goes takes %d B", loaded)
		}
		runtime.KeepAlive(all)
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	})
}
