package engine_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"hiss/engine"
)

// moves gives a chat a new id, which must come about.
func (h *hall) moves(from, to string) {
	h.Helper()
	if err := h.engine.Move(context.Background(), room(from).Chat, room(to).Chat); err != nil {
		h.Errorf("moving %s to %s: %v", from, to, err)
	}
}

// TestMoveComesThrough moves although others write at that moment, and
// although one of the two matches can't be read.
func TestMoveComesThrough(t *testing.T) {
	t.Parallel()
	h, g := gated(t)
	h.say(room("1"), "asha: /newgame", "bilal: /join")
	h.say(room("100"), "chen: /newgame")
	g.on(func(context.Context, *engine.Record) error { g.put.Store(nil); return engine.ErrConflict })
	h.moves("1", "100")
	wants(t, h.say(room("100"), "asha: /roll"), "asha rolls")

	h.say(room("2"), "asha: /newgame", "bilal: /join", "asha: /roll")
	h.say(room("200"), "chen: /newgame")
	broken := h.latest(room("200")).ID
	h.kill()
	h.forge("UPDATE matches SET acts = 'nonsense' WHERE id = ?", broken)
	h.moves("2", "200")
	wants(t, h.say(room("200"), "bilal: /roll"), "bilal rolls")
}

func TestMoveWhileTheyPlay(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	for i := range 5 {
		h.say(room(fmt.Sprint(i)), "asha: /newgame", "bilal: /join")
	}
	var all sync.WaitGroup
	for i := range 5 {
		for _, name := range []string{fmt.Sprint(i), fmt.Sprint(i + 100)} {
			all.Go(func() {
				for range 15 {
					h.handle(h.typed(room(name), "asha", "/roll"))
					h.handle(h.typed(room(name), "bilal", "/roll"))
				}
			})
		}
		all.Go(func() { h.moves(fmt.Sprint(i), fmt.Sprint(i+100)) })
	}
	all.Wait()
	for i := range 5 {
		rec := h.latest(room(fmt.Sprint(i + 100)))
		if g := h.folded(rec); g.Goes() < 5 {
			t.Errorf("room %d: %d goes", i, g.Goes())
		}
	}
}
