package queue_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"hiss/adapters/queue"
)

// TestContact is there once something was heard, until nothing is for longer than
// it should be and a few seconds.
func TestContact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c queue.Contact
		for i, step := range []struct {
			do   func()
			wait time.Duration
			want bool
		}{
			{func() {}, 0, false},
			{c.Missed, 0, false},
			{func() { c.Heard(time.Minute) }, 64 * time.Second, true},
			{func() {}, 2 * time.Second, false},
			{func() { c.Heard(queue.Always) }, 24 * time.Hour, true},
			{c.Missed, 4 * time.Second, true},
			{c.Missed, 2 * time.Second, false}, // the first one counts
			{c.Missed, time.Second, false},
			{func() { c.Heard(time.Minute) }, 0, true},
			{c.Missed, 4 * time.Second, true},
			{func() { c.Heard(time.Minute) }, 30 * time.Second, true}, // taken up again
			{c.End, 0, false},
		} {
			step.do()
			time.Sleep(step.wait)
			if got := c.Reached(); got != step.want {
				t.Errorf("step %d: %t", i, got)
			}
		}
	})
}

// TestInquiries are made one after the other, unhurried, and not while the other
// side wants to be left alone.
func TestInquiries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all, end := context.WithCancel(t.Context())
		q := queue.NewInquiries(all)
		begun := time.Now()
		made := func(takes, rest time.Duration) (time.Duration, error) {
			err := q.Make(t.Context(), func(ctx context.Context) (time.Duration, error) {
				select {
				case <-time.After(takes):
					return rest, nil
				case <-ctx.Done():
					return rest, ctx.Err()
				}
			})
			return time.Since(begun), err
		}
		for i, c := range []struct {
			takes, rest, at time.Duration
			fails           bool
		}{
			{0, 0, 0, false},
			{time.Second, 3 * time.Second, 1100 * time.Millisecond, false},
			{0, 20 * time.Second, 4100 * time.Millisecond, false},
			{0, 0, 4100 * time.Millisecond, true}, // it would have to wait for too long
			{0, 0, 4100 * time.Millisecond, true},
		} {
			if at, err := made(c.takes, c.rest); at != c.at || (err != nil) != c.fails {
				t.Errorf("inquiry %d after %v: %v", i, at, err)
			}
		}
		time.Sleep(20 * time.Second)
		if at, err := made(time.Minute, 0); at != 29100*time.Millisecond || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %v: %v", at, err)
		}
		end()
		if at, err := made(time.Minute, 0); at != 29100*time.Millisecond || !errors.Is(err, context.Canceled) {
			t.Errorf("after its end, at %v: %v", at, err)
		}
	})
}
