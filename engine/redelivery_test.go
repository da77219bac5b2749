package engine_test

import (
	"strings"
	"testing"

	"hiss/bot"
)

// TestABatchComesAgain hands a platform's batch over, kills the engine, and
// hands the same batch over again: what was refused stays refused, and what
// counted counts once.
func TestABatchComesAgain(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	h.say(room("1"), "asha: /newgame", "bilal: /join", "chen: /join")
	batch := []bot.Request{
		h.typed(room("1"), "bilal", "/roll"), // not bilal's go: refused
		h.typed(room("1"), "asha", "/roll"),
		h.typed(room("1"), "asha", "/roll"), // refused
		h.typed(room("1"), "bilal", "/roll"),
		h.typed(room("1"), "dora", "/join"),
		h.typed(room("1"), "dora", "/join"), // in already
		h.typed(room("1"), "chen", "/leave"),
		h.typed(room("1"), "asha", "/autoroll on"),
	}
	told := 0
	for _, r := range batch {
		told += strings.Count(whole(h.handle(r)), " rolls ")
	}
	before := h.latest(room("1"))
	for range 3 {
		h.kill()
		for _, r := range batch {
			a := h.handle(r)
			if said := whole(a); !strings.HasPrefix(said, "While I was away") && said != "" {
				t.Errorf("%s /%s %v, once more: %s", r.User.Name, r.Command, r.Args, said)
			}
		}
		after := h.latest(room("1"))
		if after.Acts != before.Acts || after.Version != before.Version {
			t.Fatalf("acts %q became %q", before.Acts, after.Acts)
		}
	}
	if g := h.folded(before); g.Goes() < 2 || g.Thrown() != told {
		t.Errorf("%d goes, %d throws, %d of them told", g.Goes(), g.Thrown(), told)
	}
}

// TestRefusalsRideAlong has a roll refused, then made possible by an act, and
// delivered again: at once, after a kill, and in the match after.
func TestRefusalsRideAlong(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	h.say(room("1"), "asha: /newgame", "bilal: /join")
	early := h.typed(room("1"), "bilal", "/roll")
	wants(t, h.handle(early), "asha starts this match; if they don't, anyone seated can in 2 min.")
	opening := h.typed(room("1"), "bilal", "/newgame")
	wants(t, h.handle(opening), "A match is waiting for players")
	h.say(room("1"), "asha: /roll")
	if a := h.handle(early); whole(a) != "" {
		t.Errorf("once more: %s", whole(a))
	}
	h.kill()
	lacks(t, h.handle(early), "bilal rolls")
	h.say(room("1"), "asha: /cancel")
	h.kill()
	lacks(t, h.handle(opening), "New match on")
	if rec := h.latest(room("1")); rec.Open {
		t.Error("a refused /newgame counted in the end")
	}
	h.say(room("1"), "bilal: /newgame", "asha: /join")
	h.kill()
	lacks(t, h.handle(early), "bilal rolls")
	h.folded(h.latest(room("1")))
}

// TestPressesNameTheirGo presses old buttons in all orders: nothing counts but
// the button of the present go of the present match.
func TestPressesNameTheirGo(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	start := h.say(room("1"), "asha: /newgame", "bilal: /join")
	first := h.pressed(room("1"), "asha", lineOf(h, start, "Roll to start"))
	a := h.handle(first)
	wants(t, a, "asha rolls")
	second := h.pressed(room("1"), "bilal", lineOf(h, a, "Roll"))
	wants(t, h.handle(second), "bilal rolls")
	for _, r := range []bot.Request{first, second} {
		for range 2 { // now, and after a kill
			rec := h.latest(room("1"))
			a := h.handle(r)
			lacks(t, bot.Answer{Asker: a.Asker}, " rolls ")
			if h.latest(room("1")).Acts != rec.Acts {
				t.Errorf("%v counted twice", r.Args)
			}
			h.kill()
		}
	}
	h.say(room("1"), "asha: /cancel", "asha: /newgame", "bilal: /join")
	wants(t, h.handle(first), "That button belongs to a match that is over") // of the same go in another match
	if g := h.folded(h.latest(room("1"))); g.Goes() != 0 {
		t.Errorf("%d goes", g.Goes())
	}
	// Typed numbers guard nothing, so such a delivery counts once like any other.
	typed := h.typed(room("1"), "asha", "/roll 1 0")
	h.handle(typed)
	goes := h.folded(h.latest(room("1"))).Goes()
	h.say(room("1"), "bilal: /roll")
	h.handle(typed)
	if g := h.folded(h.latest(room("1"))); g.Goes() > goes+1 {
		t.Errorf("a typed roll counted twice: %d goes", g.Goes())
	}
}

// TestNothingHappensWhileTyping sends what Discord asks while options are
// filled in.
func TestNothingHappensWhileTyping(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	r := h.typed(room("1"), "asha", "/newgame spr")
	r.Completing = "rules"
	if a := h.handle(r); whole(a) != "" {
		t.Errorf("answered %s", whole(a))
	}
	wants(t, h.say(room("1"), "asha: /status"), "No match here.")
}
