package telegram

import (
	"crypto/subtle"
	"io"
	"net/http"
	"sync"
	"time"
)

// What a webhook's caller may send, how long it waits for an update to be
// finished, and how long an update waits for one before it that is on its way.
const (
	maxUpdate     = 1 << 20
	hookLimit     = 25 * time.Second
	overtakenWait = 250 * time.Millisecond
)

// ServeHTTP takes in an update that Telegram delivers. It is answered when its
// act is on disk: what isn't, Telegram delivers again. Whoever doesn't know the
// secret is told that, and nothing else.
func (t *Telegram) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	given := r.Header.Get("X-Telegram-Bot-Api-Secret-Token")
	if t.secret == "" || subtle.ConstantTimeCompare([]byte(given), []byte(t.secret)) != 1 {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	if !t.serving(r) {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxUpdate))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	u, err := parseUpdate(body)
	if err != nil {
		t.log.Warn("the webhook was sent something else", "error", err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	t.healthy(nil)
	if !t.turns.inTurn(r, u.ID, func() { t.take(u) }) || !t.ledger.finished(r.Context(), u.ID, hookLimit) {
		w.WriteHeader(http.StatusServiceUnavailable) // Telegram delivers it again
	}
}

// serving waits until the bot serves, since Telegram delivers as soon as it
// knows where to.
func (t *Telegram) serving(r *http.Request) bool {
	timer := time.NewTimer(hookLimit)
	defer timer.Stop()
	select {
	case <-t.started:
		return true
	case <-timer.C:
	case <-r.Context().Done():
	}
	return false
}

// turns restores the order of updates that are delivered side by side. Their
// numbers have no gaps, so one that is ahead waits a moment for those before it.
type turns struct {
	mu      sync.Mutex
	next    int64 // 0 before the first
	over    bool  // nothing is taken any more
	changed chan struct{}
}

// inTurn does something when an update's turn has come, and reports whether it
// has.
func (t *turns) inTurn(r *http.Request, id int64, do func()) bool {
	timer := time.NewTimer(overtakenWait)
	defer timer.Stop()
	for waited := false; ; {
		t.mu.Lock()
		if t.over {
			t.mu.Unlock()
			return false
		}
		if waited || t.next == 0 || id <= t.next {
			do()
			if id >= t.next || t.next-id > recognised { // or numbered anew
				t.next = id + 1
			}
			if t.changed != nil {
				close(t.changed)
				t.changed = nil
			}
			t.mu.Unlock()
			return true
		}
		if t.changed == nil {
			t.changed = make(chan struct{})
		}
		changed := t.changed
		t.mu.Unlock()
		select {
		case <-changed:
		case <-timer.C:
			waited = true
		case <-r.Context().Done():
			return false
		}
	}
}

// close lets nothing in any more.
func (t *turns) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
	if t.changed != nil {
		close(t.changed)
		t.changed = nil
	}
}
