package telegram

import (
	"context"
	"sync"
	"time"
)

// The ledger's limits: how many updates are recognised when they come again,
// how long one that is being handled holds up the confirmation of those behind it
// (Telegram gives a hundred unconfirmed ones at a time), and after how long a silence numbers may begin anew (Telegram
// says a week).
const (
	recognised = 4096
	heldUp     = 5 * time.Second
	renumbered = 24 * time.Hour
)

// ledger knows which updates were taken, and which of them are finished: their
// act is on disk or refused, and their answer is in its chat's line. Only what
// is finished is confirmed, so that a stop loses nothing. It is safe for
// concurrent use.
type ledger struct {
	mu      sync.Mutex
	state   map[int64]bool      // of recent updates: whether they are finished
	order   []int64             // those of state, oldest first
	open    map[int64]time.Time // when unfinished ones were begun; zero until then
	next    int64               // behind the newest
	last    time.Time           // when the newest was taken
	changed chan struct{}       // closed when one is finished
}

func newLedger() *ledger {
	return &ledger{state: make(map[int64]bool), open: make(map[int64]time.Time), changed: make(chan struct{})}
}

// take notes an update, and reports whether it is a new one.
func (l *ledger) take(id int64, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = now
	if _, known := l.state[id]; known {
		return false
	}
	l.state[id] = false
	l.order = append(l.order, id)
	if len(l.order) > recognised {
		delete(l.state, l.order[0])
		l.order = l.order[1:]
	}
	l.open[id] = time.Time{}
	l.next = id + 1
	return true
}

// begin notes that an update is being handled now.
func (l *ledger) begin(id int64, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[id] = now
}

// finish notes that an update is done with.
func (l *ledger) finish(id int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, id)
	if _, known := l.state[id]; known {
		l.state[id] = true
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

// offset returns up to where updates may be confirmed: the lowest unfinished
// one, unless it has held up the others for too long.
func (l *ledger) offset(now time.Time) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open) == 0 && now.Sub(l.last) > renumbered {
		return 0 // all is confirmed, and the next number may be any
	}
	lowest := l.next
	for id, since := range l.open {
		if since.IsZero() || now.Sub(since) < heldUp {
			lowest = min(lowest, id)
		}
	}
	return lowest
}

// settle waits until nothing is unfinished, but not longer than that.
func (l *ledger) settle(ctx context.Context, limit time.Duration) {
	l.until(ctx, limit, func() bool { return len(l.open) == 0 })
}

// finished waits until an update is finished, but not longer than that, and
// reports whether it is.
func (l *ledger) finished(ctx context.Context, id int64, limit time.Duration) bool {
	return l.until(ctx, limit, func() bool {
		done, known := l.state[id]
		return done || !known
	})
}

func (l *ledger) until(ctx context.Context, limit time.Duration, so func() bool) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		l.mu.Lock()
		ok, changed := so(), l.changed
		l.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-timer.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}
