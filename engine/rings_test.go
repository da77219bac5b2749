package engine

import (
	"context"
	"fmt"
	"testing"

	"hiss/bot"
)

// TestStopWaitsForNoHand: where all hands are held by channels that hang, whoever starts
// one more stops waiting when the program does; and that channel can be started later.
func TestStopWaitsForNoHand(t *testing.T) {
	r, hang := newRings(), make(chan struct{})
	for i := range dueHands {
		r.start(t.Context(), bot.Channel{Chat: bot.ChatID(fmt.Sprint("fake:", i))}, func() { <-hang })
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	late := bot.Channel{Chat: "fake:late"}
	r.start(ended, late, func() { t.Error("begun after the end") })
	close(hang)
	r.wait()
	done := false
	r.start(t.Context(), late, func() { done = true })
	if r.wait(); !done {
		t.Error("it can't be begun any more")
	}
}
