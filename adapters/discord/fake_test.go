package discord_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// discordAPI plays Discord for one application, in memory and strictly: what a
// bot must never do is a fault, which fails the test at its end. The HTTP API,
// the gateway and the store of attachments are served by one http.Server, whose
// connections are pipes made by Dial, so that it works inside the bubbles of
// testing/synctest; with serve it listens on a socket as well. All of its
// methods are safe for concurrent use.
//
//	fake_test.go           requests in, answers out, failures on demand
//	fake_route_test.go     the routes, and what their bodies may hold
//	fake_params_test.go    how bodies are read and compared with that
//	fake_limit_test.go     how much is too much
//	fake_form_test.go      messages, looked at before they are taken
//	fake_message_test.go   messages in channels
//	fake_answer_test.go    answers to interactions
//	fake_command_test.go   the registered commands
//	fake_gateway_test.go   sessions and events
//	fake_world_test.go     users, servers, channels and rights
//	fake_people_test.go    what people do
//	fake_text_test.go      what a text looks like
type discordAPI struct {
	t     testing.TB
	token string
	self  *user
	base  string // where it is, as "http://discord.test"
	pipes chan net.Conn
	over  chan struct{} // closed when the server is
	http  *http.Server

	mu           sync.Mutex
	wrong        []string // the faults
	failures     []*failure
	called       map[string]int // by the names of routes
	down         bool           // nothing can be reached
	conns        map[net.Conn]bool
	serial       int64
	users        map[string]*user
	guilds       map[string]*guild
	channels     map[string]*channel
	files        map[string]*attachment
	commands     map[string][]map[string]any // by server, "" for everywhere
	interactions []*interaction
	log          []event
	limits       map[string]*limit
	refused      map[string]time.Time // requests that lacked a right
	begun        time.Time            // when the bot was started anew
	gate         gate
}

// newDiscordAPI returns a running server with an empty world. At the end of the
// test it reports the bot's faults and stops.
func newDiscordAPI(t testing.TB) *discordAPI {
	a := &discordAPI{
		t: t, token: "MTAw.made.up", base: "http://discord.test", pipes: make(chan net.Conn), over: make(chan struct{}),
		self:  &user{ID: "100000000000000001", Username: "hiss", Bot: true},
		conns: map[net.Conn]bool{}, called: map[string]int{}, users: map[string]*user{}, guilds: map[string]*guild{},
		channels: map[string]*channel{}, files: map[string]*attachment{}, commands: map[string][]map[string]any{},
		limits: map[string]*limit{}, refused: map[string]time.Time{}, gate: newGate(),
	}
	a.users[a.self.ID] = a.self
	a.http = &http.Server{Handler: a, ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: time.Minute}
	go func() { _ = a.http.Serve(pipeListener{a}) }()
	t.Cleanup(func() {
		t.Helper()
		a.check(t)
		a.close()
	})
	return a
}

// serve makes the server listen on a socket, too, and be there for its bot.
func (a *discordAPI) serve(l net.Listener) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.base = "http://" + l.Addr().String()
	go func() { _ = a.http.Serve(l) }()
}

// url is where the server is, for the bot's configuration.
func (a *discordAPI) url() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.base
}

// close stops the server and breaks all of its connections.
func (a *discordAPI) close() {
	close(a.over)
	_ = a.http.Close()
	a.drop()
}

var errNoRoute = errors.New("connect: no route to host")

// Dial connects the bot with the server, and with nothing else.
func (a *discordAPI) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	a.mu.Lock()
	down := a.down
	if host := strings.TrimPrefix(a.base, "http://"); network != "tcp" || address != host && address != host+":80" {
		a.faultf("the bot connects to %s", address)
		down = true
	}
	a.mu.Unlock()
	if down {
		return nil, errNoRoute
	}
	theirs, ours := net.Pipe()
	select {
	case a.pipes <- ours:
		a.mu.Lock()
		defer a.mu.Unlock()
		a.conns[ours] = true
		return theirs, nil
	case <-a.over:
		return nil, errNoRoute
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// pipeListener takes the other ends of what Dial returns.
type pipeListener struct{ a *discordAPI }

// Accept waits for a connection.
func (l pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.a.pipes:
		return c, nil
	case <-l.a.over:
		return nil, net.ErrClosed
	}
}

// Close does nothing: the server ends the listening.
func (l pipeListener) Close() error { return nil }

// Addr is a pipe's.
func (l pipeListener) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

// Network is what pipes call it.
func (pipeAddr) Network() string { return "pipe" }

// String is what pipes call it.
func (pipeAddr) String() string { return "pipe" }

// outage breaks all connections and lets nobody in until it's over.
func (a *discordAPI) outage(down bool) {
	a.mu.Lock()
	a.down = down
	a.mu.Unlock()
	if down {
		a.drop()
	}
}

// faults returns what the bot did wrong so far.
func (a *discordAPI) faults() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.wrong)
}

// check fails a test for each fault, and for each thing that a user still waits
// for, and forgets them.
func (a *discordAPI) check(t testing.TB) {
	t.Helper()
	a.mu.Lock()
	for _, in := range a.interactions {
		a.checkEnd(in)
	}
	a.mu.Unlock()
	for _, f := range a.faults() {
		t.Error("Discord: " + f)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wrong = nil
}

// forgive takes away the faults that contain a text, and tells whether there
// were any.
func (a *discordAPI) forgive(text string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	before := len(a.wrong)
	a.wrong = slices.DeleteFunc(a.wrong, func(f string) bool { return strings.Contains(f, text) })
	return len(a.wrong) < before
}

// faultf notes a fault. The lock is held.
func (a *discordAPI) faultf(format string, args ...any) {
	text := strings.ReplaceAll(fmt.Sprintf(format, args...), a.token, "<token>")
	a.wrong = append(a.wrong, text)
	a.log = append(a.log, event{at: time.Now(), kind: "fault", text: text})
}

// refuse notes a fault and returns Discord's answer to it. The lock is held.
func (a *discordAPI) refuse(r *request, e *apiError, format string, args ...any) *apiError {
	a.faultf("%s: %s", r.route.name, fmt.Sprintf(format, args...))
	return e
}

// calls returns how often a route was called.
func (a *discordAPI) calls(route string) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.called[route]
}

// newRun tells that the bot was started anew: it can't know what it answered
// before, how far its limits are used up and what it may not do.
func (a *discordAPI) newRun() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begun = time.Now()
	clear(a.refused)
	for _, l := range a.limits {
		l.unaware = true
	}
}

// apiError is an answer that tells of a failure.
type apiError struct {
	status, code int
	text         string
	after        time.Duration // retry_after
	global       bool
	details      []problem
}

func (e *apiError) Error() string { return e.text }

func invalidForm(all ...problem) *apiError {
	return &apiError{status: http.StatusBadRequest, code: 50035, text: "Invalid Form Body", details: all}
}

func unknown(code int, what string) *apiError {
	return &apiError{status: http.StatusNotFound, code: code, text: "Unknown " + what}
}

func forbidden(code int, text string) *apiError {
	return &apiError{status: http.StatusForbidden, code: code, text: text}
}

func badRequest(code int, text string) *apiError {
	return &apiError{status: http.StatusBadRequest, code: code, text: text}
}

func tooMany(after time.Duration, global bool) *apiError {
	return &apiError{status: http.StatusTooManyRequests, text: "You are being rate limited.", after: after, global: global}
}

// failure is what goes wrong with a request for no fault of the bot.
type failure struct {
	status    int // 403, 429, 500, 502 …
	code      int // Discord's own, in the answer
	after     time.Duration
	global    bool
	afterWork bool          // the request is obeyed, then only its answer is wrong
	delay     time.Duration // before the work, or between it and the answer
	cut       bool          // the connection breaks
	garbage   bool          // somebody else answers, and not in JSON
	redirect  string        // the answer leads here
	drip      int           // so many bytes come, one a second

	route string
	left  int
}

// fail lets the next so many calls of a route fail. An empty name means any.
func (a *discordAPI) fail(route string, times int, f failure) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f.route, f.left = route, times
	a.failures = append(a.failures, &f)
}

// heal ends all failures.
func (a *discordAPI) heal() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failures = nil
}

// failing takes the failure that a request meets, or returns nil.
func (a *discordAPI) failing(r *request) *failure {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, f := range a.failures {
		if f.left == 0 || f.route != "" && f.route != r.route.name {
			continue
		}
		f.left--
		if in := a.interactionOf(r); in != nil {
			in.hindered = true
			in.unsure = in.unsure || f.afterWork
		}
		if f.status == http.StatusTooManyRequests {
			a.pause(r, f.after, f.global)
		}
		return f
	}
	return nil
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
	case f.redirect != "":
		http.Redirect(w, q, f.redirect, http.StatusFound)
	case f.drip > 0:
		for range f.drip {
			_, _ = w.Write([]byte("1"))
			_ = http.NewResponseController(w).Flush()
			drop := time.NewTimer(time.Second)
			select {
			case <-drop.C:
			case <-q.Context().Done():
				drop.Stop()
				return true
			}
		}
	case f.garbage || f.status >= http.StatusBadGateway:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(cmp.Or(f.status, 520))
		_, _ = w.Write([]byte("<html><body><h1>Web server is returning an unknown error</h1></body></html>"))
	case f.status == http.StatusTooManyRequests:
		write(w, nil, tooMany(f.after, f.global))
	case f.status != 0:
		text := fmt.Sprintf("%d: %s", f.status, http.StatusText(f.status))
		write(w, nil, &apiError{status: f.status, code: f.code, text: text})
	default:
		return false
	}
	return true
}

// ServeHTTP answers a request.
func (a *discordAPI) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	switch {
	case strings.TrimSuffix(q.URL.Path, "/") == "/gw":
		a.serveGate(w, q)
		return
	case strings.HasPrefix(q.URL.Path, "/attachments/"):
		a.serveFile(w, q)
		return
	}
	r, problem := a.read(q)
	if r.route == nil {
		write(w, nil, problem)
		return
	}
	f := a.failing(r)
	if f != nil && !f.afterWork && f.strikes(w, q) {
		return
	}
	var result any
	if limited := a.limited(r, w.Header()); limited != nil {
		problem = limited
	} else if problem == nil {
		result, problem = a.obey(r)
	}
	if f != nil && f.afterWork && f.strikes(w, q) {
		return
	}
	write(w, result, problem)
}

// obey does what a well-formed request asks for.
func (a *discordAPI) obey(r *request) (any, *apiError) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.called[r.route.name]++
	again := time.Since(a.refused[r.same()]) < 10*time.Second
	result, problem := r.route.does(a, r)
	if problem != nil && problem.status == http.StatusForbidden {
		if again {
			a.faultf("%s: asked for again right after it was forbidden", r.route.name)
		}
		a.refused[r.same()] = time.Now()
	}
	return result, problem
}

// write answers as the HTTP API does.
func write(w http.ResponseWriter, result any, problem *apiError) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case problem != nil:
		body := map[string]any{"message": problem.text, "code": problem.code}
		if problem.status == http.StatusTooManyRequests {
			body["retry_after"], body["global"] = problem.after.Seconds(), problem.global
			w.Header().Set("Retry-After", fmt.Sprint(int(problem.after.Seconds())+1))
			if problem.global {
				w.Header().Set("X-RateLimit-Global", "true")
			}
		}
		if len(problem.details) > 0 {
			body["errors"] = nested(problem.details)
		}
		w.WriteHeader(problem.status)
		_ = json.NewEncoder(w).Encode(body)
	case result == nil:
		w.WriteHeader(http.StatusNoContent)
	default:
		_ = json.NewEncoder(w).Encode(result)
	}
}

// nested writes where a form is wrong as Discord does: {"content": {"_errors":
// [{"code": …, "message": …}]}}.
func nested(all []problem) map[string]any {
	root := map[string]any{}
	for _, p := range all {
		at := root
		for part := range strings.FieldsFuncSeq(p.at, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
			next, ok := at[part].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[part] = next
			}
			at = next
		}
		list, _ := at["_errors"].([]any)
		at["_errors"] = append(list, map[string]any{"code": "BASE_TYPE_BAD", "message": p.text})
	}
	return root
}
