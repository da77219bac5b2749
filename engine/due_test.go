package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hiss/bot"
	"hiss/engine"
)

// queue is a bubble with so many matches of asha and bilal, in a room each, in which
// bilal's go is over in the same second, after the slow room's. Only that room's writes
// take long, and only once they shall.
type queue struct {
	*hall
	*hallway
	memory *memory
	gate   *gate
}

const slowRoom, slowWrite = "slow", 15 * time.Second

func newQueue(t *testing.T, n int) *queue {
	q := &queue{hallway: &hallway{}, memory: &memory{}}
	q.gate = &gate{Store: q.memory}
	q.hall = &hall{TB: t, clock: &clock{}, engine: engine.New(engine.Config{Store: q.gate, Seed: countedSeeds()})}
	q.say(room(slowRoom), "asha: /newgame classic plain", "bilal: /join", "asha: /roll")
	rec := &q.memory.recs[0]
	rec.Told = rec.Entries
	for i := range n {
		r := *rec
		r.ID, r.Channel = int64(len(q.memory.recs)+1), room(fmt.Sprint(i))
		q.memory.recs = append(q.memory.recs, r)
		rec = &q.memory.recs[0]
	}
	q.engine = engine.New(engine.Config{Store: q.gate, Seed: countedSeeds()})
	return q
}

// gone returns how often each room was told of a go that Hiss threw, since the last
// time.
func (q *queue) gone() map[bot.Channel]int {
	q.hallway.mu.Lock()
	defer q.hallway.mu.Unlock()
	all := make(map[bot.Channel]int)
	for _, d := range q.sent {
		if strings.Contains(d.message.Text().String(), "bilal is away: Hiss throws") {
			all[d.channel]++
		}
	}
	q.sent = nil
	return all
}

// TestManyDueAtOnce: hundreds whose deadline is the same second are all thrown for
// within two, each once, even if the disk takes its time for one of them; and so is who
// is due while it does.
func TestManyDueAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const n = 300
		q := newQueue(t, n)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- q.engine.Run(ctx) }()
		q.engine.Started(t.Context(), q.hallway)
		time.Sleep(5 * time.Second)
		q.say(room("later"), "asha: /newgame classic plain", "bilal: /join", "asha: /roll") // due 5 s later
		time.Sleep(80 * time.Second)
		q.gate.on(func(_ context.Context, r *engine.Record) error {
			if r.Channel == room(slowRoom) {
				time.Sleep(slowWrite)
			}
			return nil
		})
		if early := q.gone(); len(early) > 0 {
			t.Fatalf("thrown for after 85 s of 90: %v", early)
		}
		time.Sleep(7 * time.Second)
		synctest.Wait()
		first := q.gone()
		late := 0
		for i := range n {
			if first[room(fmt.Sprint(i))] == 0 {
				late++
			}
		}
		if late > 0 || first[room(slowRoom)] > 0 {
			t.Errorf("two seconds after their deadline %d of %d were not thrown for", late, n)
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if next := q.gone(); next[room("later")] != 1 {
			t.Errorf("who is due five seconds later waits for the slow one: %v", next)
		}
		time.Sleep(slowWrite)
		synctest.Wait()
		rest := q.gone()
		for i := range n {
			if r := room(fmt.Sprint(i)); first[r]+rest[r] > 1 {
				t.Errorf("%s: thrown for %d times", r, first[r]+rest[r])
			}
		}
		if rest[room(slowRoom)] != 1 {
			t.Errorf("the slow one: thrown for %d times", rest[room(slowRoom)])
		}
		for _, rec := range q.memory.recs {
			if g := replayed(t, q.memory, rec); g.Goes() != 2 {
				t.Errorf("%s: %d goes are kept", rec.Channel, g.Goes())
			}
		}
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
