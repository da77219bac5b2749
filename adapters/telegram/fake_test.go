package telegram_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// botAPI plays api.telegram.org for one bot, in memory and strictly: what the
// bot must never do is a fault, which fails the test at its end. It is an
// http.Handler for a real server, and Client reaches it without one, so that
// it works inside the bubbles of testing/synctest. All of its methods are safe
// for concurrent use.
//
//	fake_test.go          requests in, answers out, failures on demand
//	fake_params_test.go   which method takes what
//	fake_text_test.go     texts, entities, buttons
//	fake_media_test.go    pictures and files
//	fake_send_test.go     messages, edits, presses, the pace
//	fake_update_test.go   getUpdates and webhooks
//	fake_about_test.go    who is who, menus and descriptions
//	fake_world_test.go    users, chats and what the bot may do there
//	fake_people_test.go   what people do
type botAPI struct {
	t     testing.TB
	token string
	self  user
	// perMinute is how many messages and edits a group takes in any 60 s, and
	// perSecond how many all chats take together in any second.
	perMinute, perSecond int
	// privacy hides from the bot what isn't meant for it.
	privacy bool

	mu       sync.Mutex
	changed  chan struct{} // closed and made anew with every change
	wrong    []string      // the faults
	failures []*failure
	called   map[string]int
	users    map[int64]*user
	chats    map[int64]*chat
	files    map[string]*file
	forgot   map[string]bool   // the ids of files that were known once
	menus    map[string][]any  // commands by scope and language
	about    map[string]string // descriptions by kind and language
	log      []event
	presses  []*press
	sentAt   []time.Time
	paused   map[string]time.Time // until when a method without a chat rests
	begun    time.Time            // when the bot was started anew
	updates  updates
	webhook  webhook
}

// newBotAPI returns a server whose bot is HissBot, id 1000, with privacy mode
// on. At the end of the test it reports the bot's faults.
func newBotAPI(t testing.TB) *botAPI {
	a := &botAPI{
		t: t, token: "1000:made-up", perMinute: 20, perSecond: 30, privacy: true,
		self:    user{ID: 1000, IsBot: true, FirstName: "Hiss", Username: "HissBot"},
		changed: make(chan struct{}), called: map[string]int{}, users: map[int64]*user{}, chats: map[int64]*chat{},
		files: map[string]*file{}, menus: map[string][]any{}, about: map[string]string{}, paused: map[string]time.Time{},
		updates: updates{next: 5001},
	}
	t.Cleanup(func() {
		t.Helper()
		a.check(t)
	})
	return a
}

// url is where the server is, for the bot's configuration.
func (a *botAPI) url() string { return "https://api.telegram.org" }

// faults returns what the bot did wrong so far.
func (a *botAPI) faults() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.wrong)
}

// check fails a test for each fault, and for each press that waits for its
// answer, and forgets them.
func (a *botAPI) check(t testing.TB) {
	t.Helper()
	a.mu.Lock()
	for _, p := range a.presses {
		if p.answered == 0 && p.hindered < 3 { // nobody tries for ever
			a.faultf("the press of [%s] by %s was never answered", p.label, p.by)
			p.answered++
		}
	}
	a.mu.Unlock()
	for _, f := range a.faults() {
		t.Error("Telegram: " + f)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wrong = nil
}

// forgive takes away the faults that contain a text, and tells whether there
// were any.
func (a *botAPI) forgive(text string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	before := len(a.wrong)
	a.wrong = slices.DeleteFunc(a.wrong, func(f string) bool { return strings.Contains(f, text) })
	return len(a.wrong) < before
}

// faultf notes a fault. The lock is held.
func (a *botAPI) faultf(format string, args ...any) {
	text := strings.ReplaceAll(fmt.Sprintf(format, args...), a.token, "<token>")
	a.wrong = append(a.wrong, text)
	a.log = append(a.log, event{at: time.Now(), kind: "fault", text: text})
}

// refuse notes a fault and returns Telegram's answer to it. The lock is held.
func (a *botAPI) refuse(r *request, e *apiError, format string, args ...any) *apiError {
	a.faultf("%s: %s", r.method, fmt.Sprintf(format, args...))
	return e
}

// notify wakes all that wait for a change. The lock is held.
func (a *botAPI) notify() {
	close(a.changed)
	a.changed = make(chan struct{})
}

// calls returns how often a method was called.
func (a *botAPI) calls(method string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.called[method]
}

// apiError is an answer that isn't ok.
type apiError struct {
	status     int
	text       string
	retryAfter int
	migrateTo  int64
}

func (e *apiError) Error() string { return e.text }

func bad(format string, args ...any) *apiError {
	return &apiError{status: http.StatusBadRequest, text: "Bad Request: " + fmt.Sprintf(format, args...)}
}

func forbidden(format string, args ...any) *apiError {
	return &apiError{status: http.StatusForbidden, text: "Forbidden: " + fmt.Sprintf(format, args...)}
}

func conflict(text string) *apiError {
	return &apiError{status: http.StatusConflict, text: "Conflict: " + text}
}

func tooMany(seconds int) *apiError {
	return &apiError{status: http.StatusTooManyRequests, text: fmt.Sprintf("Too Many Requests: retry after %d", seconds), retryAfter: seconds}
}

// failure is what goes wrong with a request for no fault of the bot.
type failure struct {
	status      int    // 403, 429, 500, 502 …
	description string // the words of the answer; those of the status if empty
	retryAfter  int
	migrateTo   int64
	chat        int64         // requests for this chat only; 0 for any
	afterWork   bool          // the request is obeyed, then only its answer is wrong
	delay       time.Duration // before the work, or between it and the answer
	cut         bool          // the connection breaks
	garbage     bool          // the answer isn't JSON
	redirect    string        // the answer leads here
	drip        int           // so many bytes come, one a second

	method string
	left   int
}

// fail lets the next so many calls of a method fail. An empty method means all
// but getUpdates.
func (a *botAPI) fail(method string, times int, f failure) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f.method, f.left = method, times
	a.failures = append(a.failures, &f)
}

// heal ends all failures.
func (a *botAPI) heal() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failures = nil
}

// failing takes the failure that a request meets, or returns nil.
func (a *botAPI) failing(r *request) *failure {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, f := range a.failures {
		meant := f.method == r.method || f.method == "" && r.method != "getUpdates"
		if !meant || f.left == 0 || f.chat != 0 && f.chat != r.int("chat_id") {
			continue
		}
		f.left--
		a.hinder(r)
		if f.status == http.StatusTooManyRequests {
			a.pause(r, time.Duration(f.retryAfter)*time.Second)
		}
		return f
	}
	return nil
}

// hinder notes which presses can't be answered as they should be because a
// request fails. The lock is held.
func (a *botAPI) hinder(r *request) {
	a.updates.failed = a.updates.failed || r.method == "getUpdates"
	for _, p := range a.presses {
		if r.method == "answerCallbackQuery" && p.id == r.str("callback_query_id") || r.method == "getUpdates" && !p.fetched {
			p.hindered++
		}
	}
}

// harms tells whether a failure is more than a delay.
func (f *failure) harms() bool {
	return f.status != 0 || f.cut || f.garbage || f.redirect != ""
}

// ServeHTTP answers a request.
func (a *botAPI) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	path, isFile := strings.CutPrefix(q.URL.Path, "/file")
	token, rest, _ := strings.Cut(strings.TrimPrefix(path, "/bot"), "/")
	if !strings.HasPrefix(path, "/bot") || token != a.token {
		a.mu.Lock()
		a.faultf("a request for %s, which isn't below this bot's token", q.URL.Path)
		a.mu.Unlock()
		write(w, nil, &apiError{status: http.StatusUnauthorized, text: "Unauthorized"})
		return
	}
	if isFile {
		a.serveFile(w, q, rest)
		return
	}
	r, problem := a.read(q, rest)
	f := a.failing(r)
	if f != nil && !f.afterWork && f.strikes(w, q) {
		return
	}
	var result any
	if problem == nil {
		result, problem = a.obey(r)
	}
	if f != nil && f.afterWork {
		a.lose(r)
		if f.strikes(w, q) {
			return
		}
	}
	write(w, result, problem)
}

// lose notes that the bot can't know what came of a request, so that it may ask
// for the same again.
func (a *botAPI) lose(r *request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.presses {
		p.again = p.again || p.id == r.str("callback_query_id")
	}
	if c := a.chats[r.int("chat_id")]; c != nil {
		if m := c.message(r.int("message_id")); m != nil {
			m.unsure = true
		}
	}
}

// obey does what a well-formed request asks for.
func (a *botAPI) obey(r *request) (any, *apiError) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.called[r.method]++
	if until := a.paused[r.rests()]; time.Now().Before(until) {
		a.faultf("%s was called %v before retry_after was over", r.method, time.Until(until))
		return nil, tooMany(seconds(time.Until(until)))
	}
	return r.does(a, r)
}

// strikes waits, and answers with the failure unless it's no more than a delay.
func (f *failure) strikes(w http.ResponseWriter, q *http.Request) bool {
	if f.delay > 0 {
		wait := time.NewTimer(f.delay)
		defer wait.Stop()
		select {
		case <-wait.C:
		case <-q.Context().Done():
			return true // nobody listens any more
		}
	}
	switch {
	case f.cut:
		panic(http.ErrAbortHandler)
	case f.garbage:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(cmp.Or(f.status, http.StatusOK))
		_, _ = w.Write([]byte("<html><body><h1>" + http.StatusText(cmp.Or(f.status, http.StatusOK)) + "</h1></body></html>"))
	case f.redirect != "":
		w.Header().Set("Location", f.redirect)
		w.WriteHeader(cmp.Or(f.status, http.StatusFound))
	case f.drip > 0:
		w.Header().Set("X-Drip", strconv.Itoa(f.drip)) // for the wire, which lets it come so
	case !f.harms():
		return false
	default:
		text := cmp.Or(f.description, http.StatusText(f.status))
		if f.status == http.StatusTooManyRequests && f.description == "" {
			text = tooMany(f.retryAfter).text
		}
		write(w, nil, &apiError{status: f.status, text: text, retryAfter: f.retryAfter, migrateTo: f.migrateTo})
	}
	return true
}

// write answers as the Bot API does.
func write(w http.ResponseWriter, result any, problem *apiError) {
	body := map[string]any{"ok": true, "result": result}
	status := http.StatusOK
	if problem != nil {
		status = problem.status
		body = map[string]any{"ok": false, "error_code": status, "description": problem.text}
		parameters := map[string]any{}
		if problem.retryAfter != 0 {
			parameters["retry_after"] = problem.retryAfter
		}
		if problem.migrateTo != 0 {
			parameters["migrate_to_chat_id"] = problem.migrateTo
		}
		if len(parameters) > 0 {
			body["parameters"] = parameters
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// Client returns a client whose requests reach the server without a socket.
func (a *botAPI) Client() *http.Client { return &http.Client{Transport: wire{a}} }

// wire hands requests to the server.
type wire struct{ api *botAPI }

var errCut = errors.New("read: connection reset by peer")

// RoundTrip serves a request on the goroutine of whoever makes it. The request
// ends with its context, also while the server takes its time.
func (w wire) RoundTrip(q *http.Request) (answer *http.Response, err error) {
	defer func() {
		if p := recover(); p == http.ErrAbortHandler {
			err = errCut
		} else if p != nil {
			panic(p)
		}
		if q.Body != nil {
			_ = q.Body.Close()
		}
	}()
	if at := q.URL.Scheme + "://" + q.URL.Host; at != w.api.url() {
		return w.api.elsewhere(q), nil
	}
	out := httptest.NewRecorder()
	w.api.ServeHTTP(out, q)
	if err := q.Context().Err(); err != nil {
		return nil, context.Cause(q.Context())
	}
	answer = out.Result()
	answer.Request = q
	if n, err := strconv.Atoi(answer.Header.Get("X-Drip")); err == nil {
		answer.Body, answer.ContentLength = &dripping{q.Context(), n}, -1
	}
	return answer, nil
}

// elsewhere answers a request to any other server, to which the token must not
// be shown.
func (a *botAPI) elsewhere(q *http.Request) *http.Response {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.called["elsewhere"]++
	if strings.Contains(fmt.Sprint(q.URL, q.Header), a.token) {
		a.faultf("the token was shown to %s", q.URL.Host)
	}
	out := httptest.NewRecorder()
	out.WriteHeader(http.StatusNotFound)
	answer := out.Result()
	answer.Request = q
	return answer
}

// seconds rounds up to whole seconds, as retry_after has them.
func seconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
