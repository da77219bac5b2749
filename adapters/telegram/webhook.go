package telegram

import (
	"context"
	"crypto/subtle"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// lookEvery is how often it's looked whether updates are delivered; more often
// while they aren't.
const lookEvery = 20 * time.Second

// listen keeps the house clean while updates are delivered by a webhook, and looks
// whether they are.
func (t *Telegram) listen(ctx context.Context) {
	for failures, wait := 0, time.Duration(0); pause(ctx, wait); {
		if t.delivers(ctx) {
			failures, wait = 0, lookEvery
			t.heard.Heard(lookEvery)
		} else {
			wait = min(time.Second<<min(failures, 5), lookEvery)
			failures++
			t.heard.Missed()
		}
		t.out.sweep(time.Now())
	}
}

// delivers asks Telegram whether it could deliver lately. It couldn't if it holds
// updates and has failed since the last one came.
func (t *Telegram) delivers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	info, err := t.api.GetWebhookInfo(ctx)
	switch {
	case err != nil:
		t.log.Warn("asking Telegram whether updates are delivered", "error", t.api.hide(err))
		return false
	case info.PendingUpdateCount > 0 && int64(info.LastErrorDate) > t.delivered.Load():
		t.log.Warn("Telegram can't deliver updates", "waiting", info.PendingUpdateCount, "error", info.LastErrorMessage)
		return false
	}
	return true
}

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
	t.delivered.Store(time.Now().Unix())
	if !t.turns.inTurn(r.Context(), u.ID, func() { t.take(u) }) || !t.ledger.finished(r.Context(), u.ID, hookLimit) {
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
// numbers have no gaps, so one that is ahead, or the first, waits a moment for
// those before it.
type turns struct {
	mu      sync.Mutex
	next    int64              // 0 before the first
	waiting map[int64]struct{} // those that are ahead
	over    bool               // nothing is taken any more
	changed chan struct{}      // closed when somebody's turn may have come
}

// inTurn does something when an update's turn has come, and reports whether it
// has.
func (t *turns) inTurn(ctx context.Context, id int64, do func()) bool {
	timer := time.NewTimer(overtakenWait)
	defer timer.Stop()
	for waited := false; ; {
		t.mu.Lock()
		done, changed := t.try(id, waited, do)
		over := t.over
		t.mu.Unlock()
		if done || over {
			return done
		}
		select {
		case <-changed:
		case <-timer.C:
			waited = true
		case <-ctx.Done():
			t.mu.Lock()
			t.leave(id)
			t.mu.Unlock()
			return false
		}
	}
}

// try does what an update is for if it's its turn: its number is next or has
// passed, or it has waited long enough and none that waits is before it. The
// lock is held.
func (t *turns) try(id int64, waited bool, do func()) (done bool, changed chan struct{}) {
	if t.over {
		return false, nil
	}
	if t.next == 0 || id > t.next {
		if t.waiting == nil {
			t.waiting = make(map[int64]struct{})
		}
		if t.changed == nil {
			t.changed = make(chan struct{})
		}
		t.waiting[id] = struct{}{}
		if !waited || slices.Min(slices.Collect(maps.Keys(t.waiting))) != id {
			return false, t.changed
		}
	}
	do()
	if id >= t.next || t.next-id > recognised { // or numbered anew
		t.next = id + 1
	}
	t.leave(id)
	return true, nil
}

// leave lets the others look whose turn it is. The lock is held.
func (t *turns) leave(id int64) {
	delete(t.waiting, id)
	if t.changed != nil {
		close(t.changed)
	}
	t.changed = make(chan struct{})
}

// close lets nothing in any more.
func (t *turns) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
	t.leave(0)
}
