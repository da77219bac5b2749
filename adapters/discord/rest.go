package discord

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// How long calls may take: those that answer an interaction have three seconds
// in all.
const (
	callLimit   = 15 * time.Second
	paintLimit  = 500 * time.Millisecond  // for drawing the picture of an answer
	answerLimit = 2800 * time.Millisecond // from when it came until the last try begins
	longError   = 500                     // bytes of an error's words
)

// rest makes the calls of the HTTP API. It keeps nothing of an interaction. It is
// safe for concurrent use.
type rest struct {
	http  *http.Client
	base  string // an origin
	token string

	mu   sync.Mutex
	rest time.Time // until when no call at all may leave
}

func newREST(c Config) *rest {
	base := strings.TrimRight(c.URL, "/")
	if base == "" {
		base = "https://discord.com"
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if c.Dial != nil {
		transport.DialContext, transport.Proxy = c.Dial, nil
	}
	return &rest{base: base, token: c.Token, http: &http.Client{
		Transport: transport,
		// A redirect would carry the token elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// close gives back the connections.
func (r *rest) close() { r.http.CloseIdleConnections() }

// apiError is a call that Discord refused.
type apiError struct {
	Status  int     `json:"-"`
	Code    int     `json:"code"`
	Message string  `json:"message"`
	Retry   float64 `json:"retry_after"` // seconds
	Global  bool    `json:"global"`
	call    string
	foreign bool // somebody in between answered
}

func (e *apiError) Error() string {
	return fmt.Sprintf("%s: %d %s (%d)", e.call, e.Status, e.Message, e.Code)
}

// file is uploaded with a call.
type file struct {
	name, kind string
	data       []byte
}

// call is one call of the HTTP API.
type call struct {
	method, path string
	query        string
	body         any
	files        []file
	open         bool // the path's own token is all that's needed
	result       any
}

// do makes a call, and returns after how long the next one of its kind may
// leave.
func (r *rest) do(ctx context.Context, c call) (next time.Duration, err error) {
	if err := r.rested(ctx); err != nil {
		return 0, err
	}
	kind, body, err := encode(c)
	if err != nil {
		return 0, err
	}
	address := r.base + "/api/v10" + c.path
	if c.query != "" {
		address += "?" + c.query
	}
	q, err := http.NewRequestWithContext(ctx, c.method, address, body)
	if err != nil {
		return 0, errors.New("an address that can't be") // the path may hold a token
	}
	if kind != "" {
		q.Header.Set("Content-Type", kind)
	}
	if !c.open {
		q.Header.Set("Authorization", "Bot "+r.token)
	}
	q.Header.Set("User-Agent", "DiscordBot (https://pkg.go.dev/github.com/bwmarrin/discordgo, 0.29.0)")
	answer, err := r.http.Do(q)
	if err != nil {
		return 0, &offline{c.name(), cause(err)}
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(io.LimitReader(answer.Body, 8<<20))
	if err != nil {
		return 0, &offline{c.name(), cause(err)}
	}
	return r.read(c, answer, data)
}

// read reads an answer.
func (r *rest) read(c call, answer *http.Response, data []byte) (next time.Duration, err error) {
	if answer.Header.Get("X-RateLimit-Remaining") == "0" {
		next = seconds(answer.Header.Get("X-RateLimit-Reset-After"))
	}
	if answer.StatusCode < 300 {
		if c.result != nil && len(data) > 0 {
			if err := json.Unmarshal(data, c.result); err != nil {
				return next, fmt.Errorf("%s: no answer of Discord's: %w", c.name(), err)
			}
		}
		return next, nil
	}
	e := &apiError{call: c.name()}
	if json.Unmarshal(data, e) != nil || e.Message == "" {
		e.Message, e.foreign = "no answer of Discord's", true
	}
	e.Status = answer.StatusCode
	if len(e.Message) > longError {
		e.Message = strings.ToValidUTF8(e.Message[:longError], "") + " …"
	}
	if e.Status == http.StatusTooManyRequests {
		if e.Retry == 0 {
			e.Retry = seconds(answer.Header.Get("Retry-After")).Seconds()
		}
		e.Retry = cmp.Or(e.Retry, 5)
		if e.Global || e.foreign {
			r.mu.Lock()
			r.rest = time.Now().Add(e.wait())
			r.mu.Unlock()
		}
	}
	return next, e
}

// wait returns how long Discord wants to be left alone.
func (e *apiError) wait() time.Duration {
	return time.Duration(max(e.Retry, 0.1)*float64(time.Second)) + 50*time.Millisecond
}

// rested waits while Discord wants no call at all.
func (r *rest) rested(ctx context.Context) error {
	r.mu.Lock()
	wait := time.Until(r.rest)
	r.mu.Unlock()
	if wait > 0 && !pause(ctx, wait) {
		return ctx.Err()
	}
	return nil
}

// name is how a call is called in errors: tokens in its path are left out.
func (c call) name() string {
	parts := strings.Split(c.path, "/")
	for i, p := range parts {
		if len(p) > 20 {
			parts[i] = "…"
		}
	}
	return c.method + " " + strings.Join(parts, "/")
}

// offline is a call that Discord may never have seen, or whose answer was lost.
type offline struct {
	call string
	err  error
}

func (o *offline) Error() string { return o.call + ": " + o.err.Error() }
func (o *offline) Unwrap() error { return o.err }

// cause drops the address that errors of net/http quote.
func cause(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// encode returns the body of a call: JSON, or a form with files.
func encode(c call) (kind string, body io.Reader, err error) {
	if c.body == nil {
		return "", nil, nil
	}
	data, err := json.Marshal(c.body)
	if err != nil {
		return "", nil, err
	}
	if len(c.files) == 0 {
		return "application/json", bytes.NewReader(data), nil
	}
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	part := func(name, file, kind string, data []byte) error {
		h := textproto.MIMEHeader{}
		disposition := fmt.Sprintf(`form-data; name=%q`, name)
		if file != "" {
			disposition += fmt.Sprintf(`; filename=%q`, file)
		}
		h.Set("Content-Disposition", disposition)
		h.Set("Content-Type", kind)
		w, err := form.CreatePart(h)
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	}
	err = part("payload_json", "", "application/json", data)
	for i, f := range c.files {
		err = errors.Join(err, part(fmt.Sprintf("files[%d]", i), f.name, f.kind, f.data))
	}
	return form.FormDataContentType(), &b, errors.Join(err, form.Close())
}

func seconds(s string) time.Duration {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f < 0 {
		return 0
	}
	return time.Duration(f * float64(time.Second))
}

// pause waits, and reports whether ctx lasted that long.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
