package engine_test

import (
	"fmt"
	"testing"
	"time"

	"hiss/bot"
	"hiss/engine/rules"
)

// TestNewMatchIsLikeTheLast presses New match below a match that was ended:
// board and rules are the same again.
func TestNewMatchIsLikeTheLast(t *testing.T) {
	t.Parallel()
	for _, asked := range []string{
		"classic family", "tiny plain", "sprint doubles", "twenty marathon", "tiny plain seats=1", "classic plain dice=2 end=bounce",
		"summit family void=0 seats=4", "tiny doubles dice=3 void=9 finish=last", "tiny family solo=yes sides=8", "summit plain sides=100 end=overshoot",
		"classic family bonus=none",
	} {
		h := newHall(t, nil)
		h.say(room("1"), "asha: /newgame "+asked)
		first := h.latest(room("1"))
		over := h.say(room("1"), "asha: /cancel")
		h.press(room("1"), "asha", over, "New match")
		if next := h.latest(room("1")); next.ID == first.ID || next.Rules != first.Rules || next.Board != first.Board {
			t.Errorf("%s: %q on %.8s, then %q on %.8s by %q", asked, first.Rules, first.Board, next.Rules, next.Board, lineOf(t, over, "New match"))
		}
	}
}

// TestNewMatchOfManyOptions has more options than a button's line has room for.
func TestNewMatchOfManyOptions(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	h.say(room("1"), "asha: /newgame classic47 doubles dice=10 sides=99 end=overshoot bonus=max void=10 finish=last seats=15 solo=yes")
	over := h.say(room("1"), "asha: /cancel")
	if line := lineOf(t, over, "New match"); line != "newgame classic47" {
		t.Errorf("%q", line)
	}
}

// TestNewMatchOnARandomBoard has no name that anybody could type.
func TestNewMatchOnARandomBoard(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	h.say(room("1"), "asha: /newgame board=random size=50 plain")
	over := h.say(room("1"), "asha: /cancel")
	if line := lineOf(t, over, "New match"); line != "newgame plain" {
		t.Errorf("%q", line)
	}
	wants(t, h.press(room("1"), "asha", over, "New match"), "New match on Classic")
}

// TestWordsBehindRoll types what a button would carry: people may type what
// they like behind /roll, and it counts once.
func TestWordsBehindRoll(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	h.say(room("1"), "asha: /newgame summit plain")
	for i, line := range []string{"roll 1 7", "roll a six", "roll 1", "roll 99 0"} {
		r := h.typed(room("1"), "asha", line)
		for range 2 {
			if a := h.handle(r); a.Told != nil {
				a.Told()
			}
		}
		if g := h.folded(h.latest(room("1"))); g.Goes() != i+1 {
			t.Fatalf("%q: %d goes, want %d", line, g.Goes(), i+1)
		}
	}
}

// TestSilentActsOweNothing lets somebody ask for autoroll, which the channel
// isn't told of: after a stop in good order nothing is owed to it.
func TestSilentActsOweNothing(t *testing.T) {
	t.Parallel()
	for _, flushed := range []bool{false, true} {
		h := newHall(t, nil)
		h.say(room("1"), "asha: /newgame summit plain", "bilal: /join", "asha: /roll", "bilal: /roll")
		if flushed {
			if err := h.engine.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		h.say(room("1"), "bilal: /autoroll on")
		if err := h.engine.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		owed, err := h.disk.Untold(t.Context(), 0, 10)
		if err != nil || len(owed) > 0 {
			t.Errorf("flushed before: %v; told %d of %d, %v", flushed, owed[0].Told, owed[0].Entries, err)
		}
	}
}

// TestALateJoinerWakesTheTable lets somebody sit down where nobody presses for
// themself: who is on turn throws at once, up to the one who came.
func TestALateJoinerWakesTheTable(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	h.say(room("1"), "asha: /newgame summit plain", "bilal: /join", "chen: /join", "asha: /roll",
		"asha: /autoroll on", "chen: /autoroll on")
	wants(t, h.say(room("1"), "bilal: /autoroll on"), "Hiss throws for everyone here. Next round goes on.")
	a := h.say(room("1"), "dora: /join")
	wants(t, a, "You're in, seat 4.", "dora joins, seat 4\nbilal rolls", "· auto\nchen rolls", "dora is next")
	wants(t, h.say(room("1"), "dora: /roll"), "dora rolls", "bilal rolls")
	if g := h.folded(h.latest(room("1"))); g.Phase() != rules.Running || g.Goes() != 7 {
		t.Errorf("%v, %s", g.Phase(), fmt.Sprint(g.Goes(), " goes"))
	}
}

// TestAloneThereIsNoLobby opens matches where nobody else can be.
func TestAloneThereIsNoLobby(t *testing.T) {
	t.Parallel()
	for line, head := range map[string]string{
		"newgame":                "You against Hiss on Sprint (36 squares), plain",
		"newgame tiny":           "You alone on Tiny (9 squares), plain",
		"newgame classic family": "You alone on Classic (100 squares), family",
	} {
		h := newHall(t, nil)
		alone := func(line string) bot.Answer {
			r := h.typed(room("1"), "asha", line)
			r.Alone = true
			return h.handle(r)
		}
		a := alone(line)
		wants(t, a, head, "Dice sealed: ", "Your go.")
		lacks(t, a, "Seats", "Waiting", "Join")
		if m := a.Channel[0]; len(m.Buttons) != 1 || len(m.Buttons[0]) != 1 || m.Next == nil || m.Next.Name != "asha" || !m.Sound {
			t.Errorf("%s: %+v", line, m)
		}
		lineOf(t, a, "Roll")
		for range 1000 {
			if a = alone("roll"); findLine(a, "New match") != "" {
				break
			}
			lacks(t, a, "is next", "Join late")
		}
		wants(t, a, " wins after ")
		first := h.latest(room("1"))
		next := h.pressed(room("1"), "asha", lineOf(t, a, "New match"))
		next.Alone = true
		wants(t, h.handle(next), head)
		if again := h.latest(room("1")); again.Rules != first.Rules {
			t.Errorf("%s: %q, then %q", line, first.Rules, again.Rules)
		}
	}
}

// TestAFullTableCallsOnce lets somebody fill a table again and again: its host, who
// isn't here, is called once, and sounds once.
func TestAFullTableCallsOnce(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	h.say(room("1"), "asha: /newgame classic plain seats=2")
	h.clock.wait(3 * time.Minute)
	calls, sounds := 0, 0
	for range 5 {
		for _, m := range h.say(room("1"), "bilal: /join").Channel {
			if m.Call != nil {
				calls++
			}
			if m.Sound {
				sounds++
			}
		}
		h.say(room("1"), "bilal: /leave")
	}
	if calls != 1 || sounds != 1 {
		t.Errorf("%d calls, %d sounds", calls, sounds)
	}
}

// TestComingAndGoingKeepsNoLobbyOpen: a lobby waits longer for each who comes, once.
func TestComingAndGoingKeepsNoLobbyOpen(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	h.engine.Started(t.Context(), &hallway{})
	h.say(room("1"), "asha: /newgame classic plain")
	h.clock.wait(10 * time.Minute)
	h.say(room("1"), "bilal: /join")
	for range 8 {
		h.clock.wait(100 * time.Second)
		h.keep()
		h.say(room("1"), "bilal: /leave", "bilal: /join")
	}
	if rec := h.latest(room("1")); !rec.Open {
		t.Error("closed within a quarter of an hour of somebody's coming")
	}
	h.clock.wait(100 * time.Second)
	h.keep()
	if rec := h.latest(room("1")); rec.Open {
		t.Error("still open after 15 minutes in which nobody came who hadn't before")
	}
}

// TestBotsDontSit: another bot can ask, but opens, joins and throws nothing.
func TestBotsDontSit(t *testing.T) {
	t.Parallel()
	h, here := newHall(t, nil), room("1")
	for _, line := range []string{"/newgame tiny plain", "/join", "/roll"} {
		r := h.typed(here, "marvin", line)
		r.User.Automaton = true
		wants(t, h.handle(r), "Bots can't sit down. Add Hiss gives you a computer player.")
		h.say(here, "asha: /newgame tiny plain")
	}
	if g := h.folded(h.latest(here)); g.Seats() != 1 || g.Goes() != 0 {
		t.Errorf("%d seats and %d goes", g.Seats(), g.Goes())
	}
}
