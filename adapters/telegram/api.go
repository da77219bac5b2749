package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	client "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hiss/bot"
)

// How long calls may take, and how long Telegram holds a poll.
const (
	callLimit = 15 * time.Second
	fileLimit = 60 * time.Second // for sending files
	readLimit = 10 * time.Second // for fetching one, in all
	pollHold  = 50 * time.Second
	longError = 500      // bytes of an error's words
	maxAnswer = 64 << 20 // bytes of an answer
)

// api is the library's client with its traps mended: polls that confirm only
// what they are told to, updates that are read one by one, downloads with a
// limit, and errors in which the token never stands.
type api struct {
	*client.Bot
	token string
	url   string
	http  *http.Client
}

func newAPI(c Config) (*api, error) {
	a := &api{token: c.Token, url: strings.TrimRight(c.URL, "/"), http: c.Client}
	if a.url == "" {
		a.url = "https://api.telegram.org"
	}
	calls := http.Client{} // every call has a limit of its own
	if a.http != nil {
		calls = *a.http
	}
	// A redirect would carry the token elsewhere.
	calls.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	a.http = &calls
	b, err := client.New(a.token,
		client.WithSkipGetMe(),
		client.WithServerURL(a.url),
		client.WithHTTPClient(pollHold, a.http),
		client.WithErrorsHandler(func(error) {}), // what matters is returned too
		client.WithDefaultHandler(nil),
	)
	a.Bot = b
	return a, a.hide(err)
}

// hide returns an error in whose words the token doesn't stand, whatever it
// wraps: errors of net/http quote addresses, and those hold the token.
func (a *api) hide(err error) error {
	if err == nil || !strings.Contains(err.Error(), a.token) && len(err.Error()) <= longError {
		return err
	}
	words := strings.ReplaceAll(err.Error(), a.token, "<token>")
	if len(words) > longError { // a page of somebody else's, mostly
		words = strings.ToValidUTF8(words[:longError], "") + " …"
	}
	return &hidden{err, words}
}

type hidden struct {
	error
	words string
}

func (h *hidden) Error() string { return h.words }

func (h *hidden) Unwrap() error { return h.error }

// update is one update as it came: its number, and what can be read of it.
type update struct {
	models.Update
	unread error // why its content couldn't be read
}

// parseUpdate reads an update. One of a kind that the library can't read is
// still one with a number, which has to be confirmed.
func parseUpdate(raw []byte) (update, error) {
	var u update
	err := json.Unmarshal(raw, &u.Update)
	if err == nil && u.ID != 0 {
		return u, nil
	}
	u.unread = err
	var bare struct {
		ID int64 `json:"update_id"`
	}
	if json.Unmarshal(raw, &bare) != nil || bare.ID == 0 {
		return u, errors.New("an update that can't be read")
	}
	u.Update = models.Update{ID: bare.ID}
	return u, nil
}

// updates asks for updates from offset on, which confirms those before it, and
// waits that long for one.
func (a *api) updates(ctx context.Context, offset int64, hold time.Duration) ([]update, error) {
	ctx, cancel := context.WithTimeout(ctx, hold+callLimit)
	defer cancel()
	var raw []json.RawMessage
	err := a.post(ctx, "getUpdates", map[string]any{
		"offset": offset, "timeout": int(hold.Seconds()), "allowed_updates": allowed,
	}, &raw)
	if err != nil {
		return nil, err
	}
	all := make([]update, 0, len(raw))
	for _, r := range raw {
		u, err := parseUpdate(r)
		if err != nil {
			return nil, err
		}
		all = append(all, u)
	}
	return all, nil
}

// allowed are the kinds of update that are used.
var allowed = []string{
	models.AllowedUpdateMessage, models.AllowedUpdateCallbackQuery,
	models.AllowedUpdateMyChatMember, models.AllowedUpdateChatMember,
}

// post makes a call of its own, with the library's errors.
func (a *api) post(ctx context.Context, method string, params map[string]any, result any) error {
	body, err := json.Marshal(params)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, a.url+"/bot"+a.token+"/"+method, bytes.NewReader(body))
	if err != nil {
		return a.hide(err)
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := a.http.Do(r)
	if err != nil {
		return fmt.Errorf("%s: %w", method, a.hide(cause(err)))
	}
	defer response.Body.Close()
	var answer struct {
		OK          bool            `json:"ok"`
		Result      json.RawMessage `json:"result"`
		Code        int             `json:"error_code"`
		Description string          `json:"description"`
		Parameters  struct {
			RetryAfter int `json:"retry_after"`
		} `json:"parameters"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(&answer); err != nil {
		return fmt.Errorf("%s: no answer of Telegram's (%s): %w", method, response.Status, a.hide(err))
	}
	if answer.OK {
		return json.Unmarshal(answer.Result, result)
	}
	if answer.Code == http.StatusTooManyRequests {
		return &client.TooManyRequestsError{Message: answer.Description, RetryAfter: answer.Parameters.RetryAfter}
	}
	kind := map[int]error{
		http.StatusBadRequest: client.ErrorBadRequest, http.StatusForbidden: client.ErrorForbidden,
		http.StatusUnauthorized: client.ErrorUnauthorized, http.StatusNotFound: client.ErrorNotFound,
		http.StatusConflict: client.ErrorConflict,
	}[answer.Code]
	if kind == nil {
		return fmt.Errorf("%s: %d %s", method, answer.Code, answer.Description)
	}
	return fmt.Errorf("%s: %w: %s", method, kind, answer.Description)
}

// cause drops the address that errors of net/http quote.
func cause(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// download returns a file that somebody sent, of at most that many bytes,
// whatever Telegram says of its size. It's fetched from where the Bot API is and
// from nowhere else.
func (a *api) download(ctx context.Context, id string, limit int) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	f, err := a.GetFile(ctx, &client.GetFileParams{FileID: id})
	switch {
	case err != nil:
		return nil, fmt.Errorf("asking for a file: %w", a.hide(err))
	case f.FileSize > int64(limit):
		return nil, &bot.TooLarge{Limit: limit}
	case f.FilePath == "":
		return nil, errors.New("asking for a file: it has no address")
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.FileDownloadLink(f), nil)
	if err != nil {
		return nil, errors.New("asking for a file: its address can't be") // which holds the token
	}
	response, err := a.http.Do(r)
	if err != nil {
		return nil, fmt.Errorf("fetching a file: %w", a.hide(cause(err)))
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("fetching a file: %s", response.Status)
	}
	data, err := bot.ReadAtMost(response.Body, limit)
	if err != nil {
		return nil, fmt.Errorf("fetching a file: %w", a.hide(err))
	}
	return data, nil
}
