package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hiss/engine"
)

// started returns what an engine sends when its adapter starts.
func (h *hall) started() []delivery {
	p := &inbox{}
	h.engine.Started(context.Background(), p)
	return p.sent
}

// owing plays until one go has been told and another one hasn't: the mark of
// the first rode along with the second.
func owing(t testing.TB) *hall {
	h := newHall(t, nil)
	h.say(room("1"), "asha: /newgame", "bilal: /join", "asha: /roll")
	h.handle(h.typed(room("1"), "bilal", "/roll")) // its answer never arrives
	if rec := h.latest(room("1")); rec.Told != 3 || rec.Entries != 4 {
		t.Fatalf("told of %d acts of %d", rec.Told, rec.Entries)
	}
	h.kill()
	return h
}

func TestMissedAtStart(t *testing.T) {
	t.Parallel()
	h := owing(t)
	sent := h.started()
	if len(sent) != 1 || sent[0].channel != room("1") {
		t.Fatalf("sent %v", sent)
	}
	said := sent[0].message.Said.String()
	if !strings.HasPrefix(said, "While I was away:\nbilal rolls ") || strings.Contains(said, "asha rolls") {
		t.Errorf("said %q", said)
	}
	if now := sent[0].message.Now.String(); !strings.Contains(now, "asha is next") {
		t.Errorf("then %q", now)
	}
	if again := h.started(); len(again) > 0 {
		t.Errorf("sent again: %v", again)
	}
	lacks(t, h.say(room("1"), "chen: /status"), "While I was away")
	if err := h.engine.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.kill()
	if again := h.started(); len(again) > 0 {
		t.Errorf("sent after it was told: %v", again)
	}
}

func TestMissedBeforeTheFirstAnswer(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"/status", "/roll", "/leave", "/replay", "/nonsense"} {
		t.Run(line[1:], func(t *testing.T) {
			t.Parallel()
			h := owing(t)
			a := h.say(room("1"), "asha: "+line)
			if line == "/nonsense" {
				a = h.say(room("1"), "asha: /roll")
			}
			if len(a.Channel) == 0 || !strings.HasPrefix(a.Channel[0].Said.String(), "While I was away:\nbilal rolls ") {
				t.Fatalf("answered %s", whole(a))
			}
			lacks(t, h.say(room("1"), "asha: /board"), "While I was away")
			if sent := h.started(); len(sent) > 0 {
				t.Errorf("sent again: %v", sent)
			}
		})
	}
}

func TestMissedIsKeptWhenSendingFails(t *testing.T) {
	t.Parallel()
	h := owing(t)
	p := &inbox{fail: errors.New("no network")}
	h.engine.Started(t.Context(), p)
	if len(p.sent) > 0 || !strings.Contains(h.log.String(), "no network") {
		t.Errorf("sent %v, logged %s", p.sent, h.log)
	}
	wants(t, h.handle(h.typed(room("1"), "chen", "/status")), "While I was away:\nbilal rolls ")
	h.kill() // that answer got lost too
	if sent := h.started(); len(sent) != 1 || !strings.Contains(sent[0].String(), "While I was away:\nbilal rolls ") {
		t.Errorf("sent %v", sent)
	}
}

// TestMissedLobbyAndEnd kills before an opening and before an end were told.
func TestMissedLobbyAndEnd(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	h.handle(h.typed(room("1"), "asha", "/newgame sprint"))
	h.say(room("2"), "asha: /newgame sprint", "bilal: /join", "asha: /roll")
	h.handle(h.typed(room("2"), "bilal", "/leave"))
	h.say(room("3"), "asha: /newgame sprint", "bilal: /join", "asha: /roll")
	h.handle(h.typed(room("3"), "asha", "/cancel"))
	h.say(room("3"), "chen: /newgame sprint") // another one before that was told
	h.kill()
	sent := h.started()
	for _, want := range []string{
		"fake:1: New match on Sprint (36 squares), family",
		"fake:2: While I was away:\nbilal leaves on",
		"asha wins: everybody else has left.",
		"fake:3: While I was away:\nasha ended the match. Nobody wins.",
	} {
		if n := strings.Count(fmt.Sprint(sent), want); n != 1 {
			t.Errorf("%d times %q in %v", n, want, sent)
		}
	}
	if again := h.started(); len(again) > 0 {
		t.Errorf("sent again: %v", again)
	}
	wants(t, h.say(room("1"), "bilal: /join"), "You're in, seat 2")
}

// TestNotesOfWhatWasTold runs the engine beside a table, on a clock.
func TestNotesOfWhatWasTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := &memory{}
		h := &hall{TB: t, engine: engine.New(engine.Config{Store: m, Seed: countedSeeds()})}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- h.engine.Run(ctx) }()
		told := func(want, tells int, when string) {
			t.Helper()
			synctest.Wait()
			m.mu.Lock()
			defer m.mu.Unlock()
			if r := m.recs[0]; r.Told != want || m.tells != tells {
				t.Errorf("%s: told of %d acts (want %d) in %d writes of their own (want %d)", when, r.Told, want, m.tells, tells)
			}
		}
		h.say(room("1"), "asha: /newgame", "bilal: /join")
		told(1, 0, "the mark of the first rides with the second")
		time.Sleep(900 * time.Millisecond)
		told(1, 0, "before a second is over")
		h.say(room("1"), "asha: /roll")
		told(2, 0, "with the next act")
		time.Sleep(300 * time.Millisecond)
		told(2, 0, "at a tick within the second")
		time.Sleep(1800 * time.Millisecond)
		told(3, 1, "after a second's quiet")
		h.handle(h.typed(room("1"), "bilal", "/roll")) // its answer never arrives
		time.Sleep(2100 * time.Millisecond)
		told(3, 1, "nothing to note")
		h.say(room("1"), "asha: /roll")
		told(3, 1, "nothing to ride along")
		h.handle(h.typed(room("1"), "bilal", "/roll"))
		time.Sleep(2100 * time.Millisecond)
		told(5, 1, "it rode along, so there is no write of its own")
		h.say(room("1"), "asha: /roll")
		time.Sleep(2100 * time.Millisecond)
		h.say(room("1"), "bilal: /autoroll on") // which nobody is told of
		time.Sleep(2100 * time.Millisecond)
		h.say(room("1"), "bilal: /roll")
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if r := m.recs[0]; r.Told != r.Entries {
			t.Errorf("at the end: told of %d acts of %d", r.Told, r.Entries)
		}
	})
}

// TestSilentActsAreNotMissed kills after an act that only its asker is told of.
func TestSilentActsAreNotMissed(t *testing.T) {
	t.Parallel()
	for _, flush := range []bool{false, true} {
		h := newHall(t, nil)
		h.say(room("1"), "asha: /newgame", "bilal: /join", "asha: /roll")
		if flush {
			if err := h.engine.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		h.say(room("1"), "asha: /autoroll on")
		h.kill()
		sent := h.started()
		if flush && len(sent) > 0 { // else the mark of the go is lost too, and the go told once more
			t.Errorf("sent %v", sent)
		}
		lacks(t, h.say(room("1"), "bilal: /status"), "While I was away")
	}
}
