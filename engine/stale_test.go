package engine_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"hiss/bot"
	"hiss/engine"
)

// TestNothingStaleIsRemembered: what a chat and a person have set counts, also where
// somebody else read the old value while it was written.
func TestNothingStaleIsRemembered(t *testing.T) {
	t.Parallel()
	slow := &slowReader{}
	h := newHall(t, func(s engine.Store) engine.Store { slow.Store = s; return slow })
	chat := bot.ChatID("fake:1")
	one, two := bot.Channel{Chat: chat, Place: "1"}, bot.Channel{Chat: chat, Place: "2"}

	held := slow.hold()
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.say(one, "asha: /newgame classic plain")
	}()
	<-held.read
	set := h.typed(two, "bilal", "/settings pace day")
	set.Admin = func(context.Context, bool) (bool, error) { return true, nil }
	wants(t, h.handle(set), "pace is now day")
	close(held.end)
	<-done
	h.say(two, "asha: /newgame classic plain", "bilal: /join", "asha: /roll")
	if got := h.latest(two).Deadline.Sub(h.clock.Now()); got < time.Hour {
		t.Errorf("pace day waits %v", got)
	}

	three := bot.Channel{Chat: chat, Place: "3"}
	held = slow.hold()
	done = make(chan struct{})
	go func() {
		defer close(done)
		h.say(three, "chen: /newgame classic plain")
	}()
	<-held.read
	wants(t, h.say(two, "chen: /autoroll always"), "in every match")
	close(held.end)
	<-done
	h.say(three, "chen: /cancel", "chen: /newgame classic plain")
	if g := h.folded(h.latest(three)); !g.Seat(0).Auto {
		t.Error("autoroll always is forgotten")
	}
}

// slowReader is a store that holds back what it has read, when told to.
type slowReader struct {
	engine.Store
	mu   sync.Mutex
	next *reading
}

// reading is a reading that waits.
type reading struct{ read, end chan struct{} }

// hold has the next reading of settings or habits wait, with what it has read.
func (s *slowReader) hold() *reading {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = &reading{make(chan struct{}), make(chan struct{})}
	return s.next
}

func (s *slowReader) wait() {
	s.mu.Lock()
	h := s.next
	s.next = nil
	s.mu.Unlock()
	if h != nil {
		close(h.read)
		<-h.end
	}
}

func (s *slowReader) Settings(ctx context.Context, chat bot.ChatID) ([]engine.Setting, error) {
	all, err := s.Store.Settings(ctx, chat)
	s.wait()
	return all, err
}

func (s *slowReader) Habits(ctx context.Context, u bot.UserID) ([]engine.Setting, error) {
	all, err := s.Store.Habits(ctx, u)
	s.wait()
	return all, err
}
