package telegram_test

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"time"
)

// updates is what the bot has still to be told.
type updates struct {
	next    int64
	queue   []update
	last    *update
	allowed []string // nil for the usual ones
	held    bool     // what happens is told later, together
	polls   int      // counts getUpdates, so that one finds out about the next
	polling bool
	failed  bool // the last one did, and the bot waits before the next
}

// update is a part of the queue.
type update struct {
	id      int64
	kind    string
	body    json.RawMessage
	fetched bool
}

// MarshalJSON writes the update as the server does.
func (u update) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"update_id": u.id, u.kind: u.body})
}

// updateKinds are those that can be asked for; the unusual ones aren't told
// unless they are.
func updateKinds() map[string]bool {
	kinds := map[string]bool{"chat_member": false, "message_reaction": false, "message_reaction_count": false}
	for _, usual := range strings.Fields("message edited_message channel_post edited_channel_post inline_query chosen_inline_result " +
		"callback_query my_chat_member poll poll_answer chat_join_request chat_boost removed_chat_boost shipping_query pre_checkout_query") {
		kinds[usual] = true
	}
	return kinds
}

// tell puts an update into the queue, if the bot wants its kind. The lock is
// held.
func (a *botAPI) tell(kind string, body any) {
	if u := &a.updates; u.allowed != nil && !slices.Contains(u.allowed, kind) || u.allowed == nil && !updateKinds()[kind] {
		return
	}
	data, err := json.Marshal(body)
	if err != nil {
		panic(err) // the test made something that has no JSON
	}
	a.queue(update{id: a.updates.next, kind: kind, body: data})
	a.updates.next++
}

// queue puts an update behind the others. The lock is held.
func (a *botAPI) queue(u update) {
	a.updates.queue = append(a.updates.queue, u)
	a.updates.last = &u
	a.notify()
}

// inject tells the bot something that no method here brings about, by the
// update's JSON without its id.
func (a *botAPI) inject(kind, body string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.queue(update{id: a.updates.next, kind: kind, body: json.RawMessage(body)})
	a.updates.next++
}

// again delivers the last update once more.
func (a *botAPI) again() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.updates.last != nil {
		a.queue(*a.updates.last)
	}
}

// jump lets update ids go on elsewhere, as they do after a week of silence.
func (a *botAPI) jump(to int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.updates.next = to
}

// hold keeps updates back until release, so that they come in one batch.
func (a *botAPI) hold() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.updates.held = true
}

func (a *botAPI) release() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.updates.held = false
	a.notify()
}

// pending returns how many updates aren't confirmed yet.
func (a *botAPI) pending() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.updates.queue)
}

// allow takes over which updates a request asks for.
func (a *botAPI) allow(r *request) {
	if !r.has("allowed_updates") {
		return
	}
	var kinds []string
	r.into("allowed_updates", &kinds)
	a.updates.allowed = nil
	for _, kind := range kinds {
		if _, known := updateKinds()[kind]; !known {
			a.faultf("%s: there are no updates %q", r.method, kind)
		}
		a.updates.allowed = append(a.updates.allowed, kind)
	}
}

func (a *botAPI) getUpdates(r *request) (any, *apiError) {
	u := &a.updates
	if a.webhook.url != "" {
		return nil, a.refuse(r, conflict("can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"), "a webhook is set")
	}
	a.allow(r)
	u.failed = false
	u.polls++
	mine := u.polls
	if u.polling {
		a.faultf("getUpdates: two at once")
		a.notify()
	}
	u.polling = true
	if offset := r.int("offset"); offset != 0 {
		// Ids that went on elsewhere may be lower than an offset, and what comes
		// twice is: nothing is confirmed that was never fetched.
		u.queue = slices.DeleteFunc(u.queue, func(u update) bool { return u.fetched && u.id < offset })
	}
	limit := int(r.int("limit"))
	if limit < 1 || limit > 100 {
		limit = 100
	}
	end := time.NewTimer(min(time.Duration(r.int("timeout"))*time.Second, 50*time.Second))
	defer end.Stop()
	for over := false; ; {
		switch {
		case u.polls != mine:
			return nil, conflict("terminated by other getUpdates request; make sure that only one bot instance is running")
		case len(u.queue) > 0 && !u.held || over:
			u.polling = false
			if u.held {
				return []update{}, nil
			}
			batch := u.queue[:min(limit, len(u.queue))]
			for i := range batch {
				batch[i].fetched = true
				for _, p := range a.presses {
					p.fetched = p.fetched || bytes.Contains(batch[i].body, []byte(`"id":"`+p.id+`"`))
				}
			}
			return append([]update{}, batch...), nil
		}
		changed := a.changed
		a.mu.Unlock() // while it waits
		select {
		case <-changed:
		case <-end.C:
			over = true
		case <-r.ctx.Done():
			over = true
		}
		a.mu.Lock()
	}
}

// webhook is where updates go instead of being fetched.
type webhook struct {
	url    string
	secret string
	max    int
	to     http.Handler // what answers there
	error  string       // of the last delivery
	failed time.Time    // when one last did
}

var secretToken = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)

func (a *botAPI) setWebhook(r *request) (any, *apiError) {
	if r.str("url") == "" {
		return a.deleteWebhook(r)
	}
	secret := r.str("secret_token")
	switch {
	case !strings.HasPrefix(r.str("url"), "https://"):
		return nil, a.refuse(r, bad("bad webhook: An HTTPS URL must be provided for webhook"), "the URL is %s", r.str("url"))
	case secret == "":
		a.faultf("setWebhook: without a secret_token anybody can forge updates")
	case !secretToken.MatchString(secret):
		return nil, a.refuse(r, bad("secret token contains unallowed characters"), "the secret is %q", secret)
	case strings.Contains(r.str("url"), a.token):
		a.faultf("setWebhook: the token stands in the URL")
	}
	a.allow(r)
	a.webhook.url, a.webhook.secret, a.webhook.max = r.str("url"), secret, int(r.int("max_connections"))
	if r.bool("drop_pending_updates") {
		a.updates.queue = nil
	}
	a.notify()
	return true, nil
}

func (a *botAPI) deleteWebhook(r *request) (any, *apiError) {
	a.webhook.url, a.webhook.secret = "", ""
	if r.bool("drop_pending_updates") {
		a.updates.queue = nil
	}
	a.notify()
	return true, nil
}

func (a *botAPI) getWebhookInfo(*request) (any, *apiError) {
	info := map[string]any{"url": a.webhook.url, "has_custom_certificate": false, "pending_update_count": len(a.updates.queue)}
	if a.webhook.error != "" {
		info["last_error_message"] = a.webhook.error
	}
	if !a.webhook.failed.IsZero() {
		info["last_error_date"] = a.webhook.failed.Unix()
	}
	return info, nil
}

// deliver posts updates to a webhook until ctx ends. Those of a moment go side
// by side, and come again after a second unless they were taken.
func (a *botAPI) deliver(ctx context.Context, to http.Handler) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.webhook.to = to
	sent := map[int64]bool{}
	for ctx.Err() == nil {
		for _, u := range a.updates.queue {
			if a.webhook.url != "" && !a.updates.held && !sent[u.id] && len(sent) < 40 {
				sent[u.id] = true
				go a.deliverOne(ctx, u, sent)
			}
		}
		changed := a.changed
		a.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
		}
		a.mu.Lock()
	}
}

// deliverOne posts one update. The map is looked at under the lock.
func (a *botAPI) deliverOne(ctx context.Context, u update, sent map[int64]bool) {
	problem := a.postUpdate(ctx, u)
	if problem != "" {
		retry := time.NewTimer(time.Second)
		defer retry.Stop()
		select {
		case <-retry.C:
		case <-ctx.Done():
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.webhook.error = problem
	if problem != "" {
		a.webhook.failed = time.Now()
	}
	delete(sent, u.id)
	if problem == "" {
		if i := slices.IndexFunc(a.updates.queue, func(o update) bool { return o.id == u.id }); i >= 0 {
			a.updates.queue = slices.Delete(a.updates.queue, i, i+1)
		}
	}
	a.notify()
}

// postUpdate posts an update once and returns what went wrong. An answer may
// hold a call, whose result nobody hears of.
func (a *botAPI) postUpdate(ctx context.Context, u update) string {
	body, err := json.Marshal(u)
	if err != nil {
		panic(err) // it is made of JSON
	}
	a.mu.Lock()
	q := httptest.NewRequestWithContext(ctx, http.MethodPost, a.webhook.url, bytes.NewReader(body))
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("X-Telegram-Bot-Api-Secret-Token", a.webhook.secret)
	to := a.webhook.to
	a.mu.Unlock()
	out := httptest.NewRecorder()
	to.ServeHTTP(out, q)
	if out.Code < 200 || out.Code > 299 {
		return "Wrong response from the webhook: " + http.StatusText(out.Code)
	}
	var call map[string]any
	d := json.NewDecoder(out.Body)
	d.UseNumber()
	if d.Decode(&call) != nil || call["method"] == nil {
		return ""
	}
	method, _ := call["method"].(string)
	args := maps.Clone(call)
	delete(args, "method")
	data, err := json.Marshal(args)
	if err != nil {
		panic(err) // it was JSON before
	}
	inner := httptest.NewRequestWithContext(ctx, http.MethodPost, a.url()+"/bot"+a.token+"/"+method, bytes.NewReader(data))
	inner.Header.Set("Content-Type", "application/json")
	a.ServeHTTP(httptest.NewRecorder(), inner)
	return ""
}
