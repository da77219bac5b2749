package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"hiss/engine/rules"
)

// takes returns what was sent since the last call, "channel: text".
func (i *inbox) takes() []string {
	var sent []string
	for _, d := range i.sent {
		sent = append(sent, d.String())
	}
	i.sent = nil
	return sent
}

func move(h *hall, from, to string) {
	h.Helper()
	if err := h.engine.Move(context.Background(), room(from).Chat, room(to).Chat); err != nil {
		h.Fatal(err)
	}
}

// TestAMatchMovesWithItsChat lets a group become another one with a match on,
// twice over, and asks in both.
func TestAMatchMovesWithItsChat(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	a := h.say(room("old"), "asha: /newgame sprint plain", "bilal: /join")
	start := lineOf(t, a, "Roll to start")
	move(h, "old", "new")
	move(h, "old", "new")
	wants(t, h.handle(h.pressed(room("new"), "asha", start)), "asha rolls ")
	h.clock.wait(2e9)
	wants(t, h.handle(h.pressed(room("new"), "asha", start)), "That button is from an earlier go. It's bilal's go now.")
	// What was on its way under the old id belongs to the same match.
	wants(t, h.say(room("old"), "bilal: /roll"), "bilal rolls ")
	wants(t, h.say(room("new"), "asha: /roll"), "asha rolls ")
	wants(t, h.say(room("old"), "chen: /newgame"), "A match is on here")
	if g := h.folded(h.latest(room("new"))); g.Goes() != 3 {
		t.Errorf("%d goes", g.Goes())
	}
	h.kill()
	wants(t, h.say(room("new"), "bilal: /roll"), "bilal rolls ")
	if h.log.String() != "" {
		t.Errorf("logged: %s", h.log)
	}
}

// TestTwoMatchesMeet moves a chat to one in which a match is on, too.
func TestTwoMatchesMeet(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		old, new int // goes
		goesOn   string
	}{
		"the old one is longer": {3, 1, "old"},
		"the new one is longer": {0, 2, "new"},
		"both are as long":      {1, 1, "new"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, box := newHall(t, nil), &inbox{}
			h.engine.Started(t.Context(), box)
			for room1, goes := range map[string]int{"old": c.old, "new": c.new} {
				h.say(room(room1), room1+"A: /newgame summit plain", room1+"B: /join")
				for i := range goes {
					h.say(room(room1), room1+string("AB"[i%2])+": /roll")
				}
			}
			move(h, "old", "new")
			other := map[string]string{"old": "new", "new": "old"}[c.goesOn]
			sent := box.takes()
			if len(sent) != 1 || !strings.HasPrefix(sent[0], "fake:new: This chat has moved, and a match was on in both places. ") || !strings.Contains(sent[0], "of "+other+"A, "+other+"B, is ended") {
				t.Errorf("told: %q", sent)
			}
			wants(t, h.say(room("new"), "zoe: /status"), c.goesOn+"A")
			wants(t, h.say(room("old"), "zoe: /status"), c.goesOn+"A")
			next := c.goesOn + string("AB"[max(c.old, c.new)%2])
			wants(t, h.say(room("new"), next+": /roll"), next+" rolls ")
			ended, err := h.disk.Finished(t.Context(), room("new").Chat, 10)
			if err != nil || len(ended) != 1 {
				t.Fatal(ended, err)
			}
			if g := h.folded(ended[0]); g.Winner() >= 0 {
				t.Error("a match that was ended has a winner")
			}
			if o, e := h.folded(ended[0]).Outcome(); o != rules.Broken || e.Seat >= 0 {
				t.Errorf("outcome %v, %+v", o, e)
			}
			h.startsAnew(box)
			if sent := box.takes(); len(sent) > 0 {
				t.Errorf("told after a restart: %q", sent)
			}
		})
	}
}

// startsAnew stops in order, and starts.
func (h *hall) startsAnew(box *inbox) {
	h.Helper()
	if err := h.engine.Flush(context.Background()); err != nil {
		h.Fatal(err)
	}
	h.kill()
	h.engine.Started(context.Background(), box)
}

// TestAMeetingThatIsToldLater lets the word about the ended match get lost.
func TestAMeetingThatIsToldLater(t *testing.T) {
	t.Parallel()
	h, box := newHall(t, nil), &inbox{}
	h.engine.Started(t.Context(), box)
	h.say(room("new"), "asha: /newgame summit plain", "bilal: /join", "asha: /roll")
	h.say(room("old"), "chen: /newgame summit plain", "dora: /join")
	box.fail = errors.New("gone")
	move(h, "old", "new")
	h.startsAnew(box)
	if sent := box.takes(); len(sent) != 1 || !strings.HasPrefix(sent[0], "fake:new: While I was away:\nAn admin ended the match. Nobody wins.") {
		t.Errorf("told: %q", sent)
	}
	wants(t, h.say(room("new"), "bilal: /roll"), "bilal rolls ")
	h.startsAnew(box)
	if sent := box.takes(); len(sent) > 0 {
		t.Errorf("told again: %q", sent)
	}
}

// TestWhatAnOlderMatchOwes kills the process at the end of a match, and opens
// the next one before anything else.
func TestWhatAnOlderMatchOwes(t *testing.T) {
	t.Parallel()
	h, box := newHall(t, nil), &inbox{}
	h.say(room("1"), "asha: /newgame tiny family")
	h.handle(h.typed(room("1"), "asha", "cancel")) // never told
	h.kill()
	a := h.say(room("1"), "asha: /newgame tiny family")
	wants(t, a, "While I was away:\nasha ended the match. Nobody wins.", "New match on Tiny")
	if len(a.Channel) != 2 {
		t.Errorf("%d messages", len(a.Channel))
	}
	h.startsAnew(box)
	if sent := box.takes(); len(sent) > 0 {
		t.Errorf("told: %q", sent)
	}
	owed, err := h.disk.Untold(t.Context(), 0, 10)
	if err != nil || len(owed) > 0 {
		t.Errorf("still owed: %v, %v", owed, err)
	}
}
