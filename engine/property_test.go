package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hiss/bot"
	"hiss/engine"
)

// world is what the property test acts on: two rooms, four people, an engine
// that is killed now and then, on a store whose writes fail now and then.
type world struct {
	*rapid.T
	*hall
	shelf  *memory
	gate   *gate
	done   []bot.Request // all that counted as delivered
	taps   map[string]time.Time
	newest map[bot.Channel]bot.Answer
	own    map[bot.Channel]int // throws told in answers of their own
	all    map[bot.Channel]int // and those that were missed
}

func TestAnySequence(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		w := &world{
			T: r, shelf: &memory{}, gate: &gate{}, taps: map[string]time.Time{},
			newest: map[bot.Channel]bot.Answer{}, own: map[bot.Channel]int{}, all: map[bot.Channel]int{},
		}
		w.gate.Store = w.shelf
		w.hall = &hall{TB: t, clock: &clock{now: time.Unix(1_800_000_000, 0)}, log: &journal{}}
		w.engine = w.another(w.gate)
		for range rapid.IntRange(5, 60).Draw(r, "steps") {
			w.step()
		}
		w.restart()
		w.atLast()
		if strings.Contains(w.log.String(), "panic") {
			r.Fatal(w.log.String())
		}
	})
}

func (w *world) step() {
	switch rapid.IntRange(0, 24).Draw(w.T, "kind") {
	case 0:
		w.restart()
	case 1:
		w.fail()
	case 2, 3, 4:
		w.clock.wait(time.Duration(rapid.IntRange(1, 150).Draw(w.T, "seconds")) * time.Second)
	case 5:
		if len(w.done) > 0 {
			w.ask(rapid.SampledFrom(w.done).Draw(w.T, "again"), true)
		}
	case 6, 7, 8, 9, 10, 11, 12:
		w.pressSomething()
	default:
		line := rapid.SampledFrom([]string{
			"newgame sprint", "newgame sprint plain", "newgame sprint marathon seats=3", "newgame", "join", "leave", "roll", "roll", "roll",
			"autoroll on", "autoroll off", "cancel", "unseat 2", "unseat asha", "status", "board", "history", "fair", "replay", "help", "nonsense",
		}).Draw(w.T, "line")
		w.ask(w.typed(w.room(), w.who(), line), false)
	}
}

func (w *world) room() bot.Channel {
	return room(rapid.SampledFrom([]string{"1", "2"}).Draw(w.T, "room"))
}

func (w *world) who() string {
	return rapid.SampledFrom([]string{"asha", "bilal", "chen", "dora"}).Draw(w.T, "who")
}

// restart kills the engine, or stops it in good order.
func (w *world) restart() {
	if rapid.Bool().Draw(w.T, "orderly") {
		if err := w.engine.Flush(context.Background()); err != nil {
			w.T.Fatal(err)
		}
	}
	w.engine = w.another(w.gate)
	w.taps = map[string]time.Time{}
	for _, d := range w.started() {
		w.heard(d.channel, d.message)
	}
}

// fail makes the next write fail in one of three ways.
func (w *world) fail() {
	how := rapid.IntRange(0, 2).Draw(w.T, "how")
	w.gate.on(func(ctx context.Context, r *engine.Record) error {
		w.gate.put.Store(nil)
		switch how {
		case 0:
			return engine.ErrNotWritten
		case 1:
			if err := w.shelf.Put(ctx, r); err != nil {
				return err
			}
		}
		return errStrange
	})
}

func (w *world) pressSomething() {
	channel := w.room()
	a := w.newest[channel]
	var lines []string
	for _, m := range a.Channel {
		for _, row := range m.Buttons {
			for _, b := range row {
				lines = append(lines, b.Line)
			}
		}
	}
	if len(lines) == 0 {
		return
	}
	who := w.who()
	if m := a.Channel[len(a.Channel)-1]; m.Next != nil && rapid.IntRange(0, 3).Draw(w.T, "next") > 0 {
		who = m.Next.Name
	}
	w.ask(w.pressed(channel, who, rapid.SampledFrom(lines).Draw(w.T, "button")), false)
}

func (w *world) ask(r bot.Request, again bool) {
	a := w.handle(r)
	tap := fmt.Sprint(r.Channel, r.User.ID, r.Command, r.Args)
	quick := r.Pressed && w.clock.Now().Sub(w.taps[tap]) < time.Second
	if r.Pressed {
		w.taps[tap] = w.clock.Now()
	}
	if whole(a) == "" && !again && !quick {
		w.T.Fatalf("silence after /%s %v of %s", r.Command, r.Args, r.User.Name)
	}
	if said := whole(a); !strings.Contains(said, lost) && !strings.Contains(said, unsure) {
		w.done = append(w.done, r)
	}
	for _, m := range a.Channel {
		if r.Command != "replay" || strings.HasPrefix(m.Said.String(), "While I was away") {
			w.heard(r.Channel, m)
		}
	}
	if len(a.Channel) > 0 {
		w.newest[r.Channel] = a
	}
	if a.Told != nil && rapid.IntRange(0, 4).Draw(w.T, "slow") > 0 {
		a.Told()
	}
	if rapid.IntRange(0, 29).Draw(w.T, "look") == 0 { // it takes a while
		w.check(r.Channel)
	}
}

func (w *world) heard(c bot.Channel, m bot.Message) {
	n := strings.Count(m.Said.String(), " rolls ")
	w.all[c] += n
	if !strings.HasPrefix(m.Said.String(), "While I was away") {
		w.own[c] += n
	}
}

// thrown counts the dice of all records of a room, and folds them.
func (w *world) thrown(c bot.Channel) (dice int) {
	for _, rec := range w.shelf.recs {
		if rec.Aside {
			w.T.Fatalf("match %d was set aside", rec.ID)
		}
		if rec.Channel == c {
			dice += replayed(w.T, w.shelf, rec).Thrown()
		}
	}
	return dice
}

// check compares what was told with what is kept, and the match in memory with
// the one that an engine folds which has just started.
func (w *world) check(c bot.Channel) {
	if dice := w.thrown(c); w.own[c] > dice {
		w.T.Fatalf("%s: %d throws told, %d kept", c, w.own[c], dice)
	}
	fresh := w.another(w.shelf)
	for _, line := range []string{"status", "history"} {
		r := w.typed(c, "stranger", line)
		live, cold := w.handle(r), fresh.Handle(context.Background(), r)
		if live.Asker.Text().String() != cold.Asker.Text().String() {
			w.T.Fatalf("/%s in memory:\n%s\non disk:\n%s", line, live.Asker.Text(), cold.Asker.Text())
		}
		for _, m := range live.Channel {
			w.heard(c, m)
		}
	}
}

// atLast checks that every throw was told, at the latest at the last start.
func (w *world) atLast() {
	for _, name := range []string{"1", "2"} {
		w.check(room(name))
		if dice := w.thrown(room(name)); w.all[room(name)] < dice {
			w.T.Fatalf("room %s: %d throws kept, only %d told", name, dice, w.all[room(name)])
		}
	}
}
