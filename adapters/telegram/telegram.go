package telegram

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	client "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hiss/adapters/queue"
	"hiss/bot"
)

// name is the adapter's, the prefix of its ids.
const name = "telegram"

// How many chats' updates are handled at a time, and how long the last of them
// and the last confirmation may take when the program stops, which is to take
// less than ten seconds in all.
const (
	sideBySide   = 64
	lastRequests = 2 * time.Second
	lastConfirm  = time.Second
)

// sendMessages and sendPhotos are what Telegram calls the rights to write and to
// send pictures.
const sendMessages, sendPhotos = "Send Messages", "Send Photos"

// Config says how to connect. Token and Notes are needed; the rest has defaults.
type Config struct {
	// Token is what BotFather gave. It is shown nowhere.
	Token string
	// URL is the address of the Bot API; https://api.telegram.org if empty.
	URL string
	// Client makes all calls; one of its own if nil. Redirects aren't followed.
	Client *http.Client
	// Notes keep what has to be known after a restart: which menu is
	// registered, and who was greeted when.
	Notes bot.Notes
	Log   *slog.Logger
	// Webhook is the public address at which ServeHTTP is reached. If empty,
	// updates are polled.
	Webhook string
	// Secret is what Telegram sends along to a webhook: 1 to 256 letters,
	// digits, "_" and "-". If empty one is drawn at every start.
	Secret string
}

// Telegram is a bot.Adapter, and the http.Handler of its webhook. Its methods
// are safe for concurrent use.
type Telegram struct {
	api     *api
	webhook string
	secret  string
	notes   bot.Notes
	log     *slog.Logger

	self    models.User // known before started is closed, like the handler
	handler bot.Handler
	started chan struct{}

	ledger *ledger
	rests  time.Time // until when polls have to rest; the poller's own
	turns  turns
	lanes  *queue.Lanes[int64]
	out    *outbox
	acks   *acks
	rights rights
	people people
	heard  queue.Contact // by polls, or the webhook
	asks   *queue.Inquiries

	delivered atomic.Int64 // when the webhook was last called, in Unix seconds

	greeting sync.Mutex // held while it's decided who is greeted
	moving   sync.Mutex // of moved
	moved    map[int64]int64

	health sync.Mutex // of ill
	ill    error
}

// New returns an adapter that isn't connected yet. An error says what is wrong
// with the configuration.
func New(c Config) (*Telegram, error) {
	if !regexp.MustCompile(`^[0-9]+:[0-9A-Za-z_-]{3,}$`).MatchString(c.Token) {
		return nil, errors.New("HISS_TELEGRAM_TOKEN takes the token that BotFather gave: digits, a colon, letters and digits")
	}
	if !regexp.MustCompile(`^[A-Za-z0-9_-]{0,256}$`).MatchString(c.Secret) {
		return nil, errors.New("HISS_TELEGRAM_WEBHOOK_SECRET takes 1 to 256 letters, digits, _ and -")
	}
	if u, err := url.Parse(c.Webhook); c.Webhook != "" && (err != nil || u.Scheme != "https" || !slices.Contains([]string{"", "443", "80", "88", "8443"}, u.Port())) {
		return nil, errors.New("HISS_TELEGRAM_WEBHOOK_URL takes an https address, on port 443, 80, 88 or 8443")
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	a, err := newAPI(c)
	if err != nil {
		return nil, err
	}
	t := &Telegram{
		api: a, webhook: c.Webhook, secret: c.Secret, notes: c.Notes, log: c.Log.With("adapter", name),
		started: make(chan struct{}), ledger: newLedger(), lanes: queue.NewLanes[int64](sideBySide), moved: make(map[int64]int64),
		ill: errors.New("not connected yet"),
	}
	if t.webhook != "" && t.secret == "" {
		t.secret = rand.Text()
	}
	if t.webhook == "" {
		t.secret = "" // nobody is let in
	}
	t.rights.api = a
	t.rights.ctx, t.rights.quit = context.WithCancel(context.Background())
	t.out = newOutbox(a, t.log, t.moveChat)
	t.acks = newAcks(t.out.Context(), a, t.log)
	t.asks = queue.NewInquiries(t.out.Context())
	return t, nil
}

// Name returns "telegram".
func (t *Telegram) Name() string { return name }

// Run connects, waiting as long as Telegram can't be reached, and serves h
// until ctx ends. What came before that is handled and answered. It may be
// called once.
func (t *Telegram) Run(ctx context.Context, h bot.Handler) error {
	t.handler = h
	if err := t.connect(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	t.recall()
	t.acks.open()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var beside sync.WaitGroup
	beside.Go(func() { t.register(ctx) })
	h.Started(ctx, t)
	close(t.started)
	var err error
	if t.webhook == "" {
		err = t.poll(ctx)
	} else {
		t.listen(ctx)
	}
	stop()
	t.turns.close()
	if !t.lanes.WaitFor(lastRequests) {
		t.rights.quit() // what still waits for Telegram needn't
		t.lanes.WaitFor(lastRequests)
	}
	if t.webhook == "" && err == nil {
		t.confirm()
	}
	beside.Wait()
	t.out.Close(lastCalls, t.acks.close)
	t.remember()
	t.heard.End()
	t.healthy(errors.New("not connected any more"))
	return err
}

// spentNote is under what the calls that chats are missing are kept, since
// Telegram remembers them over a restart.
const spentNote = name + "/spent"

// remember notes what chats are missing.
func (t *Telegram) remember() {
	data, err := json.Marshal(t.out.budgets(time.Now()))
	if err == nil {
		err = t.notes.Put(spentNote, data)
	}
	if err != nil {
		t.log.Error("noting how much was sent lately", "error", err)
	}
}

// recall reads what remember noted. Without it, chats begin with all calls in
// hand.
func (t *Telegram) recall() {
	data, err := t.notes.Get(spentNote)
	if err == nil && data != nil {
		err = json.Unmarshal(data, &t.out.before)
	}
	if err != nil {
		t.log.Error("reading how much was sent lately", "error", err)
	}
}

// connect asks Telegram who the bot is, and says how updates are to come.
func (t *Telegram) connect(ctx context.Context) error {
	err := t.persist(ctx, "asking Telegram who the bot is", func(ctx context.Context) error {
		me, err := t.api.GetMe(ctx)
		if err == nil {
			t.self = *me
			t.out.username = me.Username
		}
		return t.api.hide(err)
	})
	if kind, _, _ := classify(err); err != nil && kind == noToken {
		return fmt.Errorf("Telegram doesn't know HISS_TELEGRAM_TOKEN; copy it again from BotFather: %w", err)
	}
	if err != nil {
		return err
	}
	t.log.Info("connected", "bot", t.self.Username)
	return t.persist(ctx, "telling Telegram how updates are to come", func(ctx context.Context) error {
		if t.webhook == "" {
			_, err := t.api.DeleteWebhook(ctx, &client.DeleteWebhookParams{})
			return t.api.hide(err)
		}
		_, err := t.api.SetWebhook(ctx, &client.SetWebhookParams{
			URL: t.webhook, SecretToken: t.secret, AllowedUpdates: allowed, MaxConnections: sideBySide,
		})
		return t.api.hide(err)
	})
}

// handle does what an update asks for. A panic ends here, and that one update
// with it.
func (t *Telegram) handle(u *models.Update, said *answered) {
	defer func() {
		if p := recover(); p != nil {
			t.log.Error("panic in an update", "update", u.ID, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	ctx := context.Background() // what has begun is finished; the engine has a limit of its own
	switch {
	case u.Message != nil:
		t.message(ctx, u.Message)
	case u.CallbackQuery != nil:
		t.press(ctx, u.CallbackQuery, said)
	case u.MyChatMember != nil:
		t.myself(ctx, u.MyChatMember)
	case u.ChatMember != nil:
		t.member(ctx, u.ChatMember)
	}
}

// chatOf returns the chat whose lane an update belongs in. It's false for what
// nobody handles.
func chatOf(u *models.Update) (int64, bool) {
	switch {
	case u.Message != nil:
		return u.Message.Chat.ID, true
	case u.CallbackQuery != nil:
		switch m := u.CallbackQuery.Message; {
		case m.Message != nil:
			return m.Message.Chat.ID, true
		case m.InaccessibleMessage != nil:
			return m.InaccessibleMessage.Chat.ID, true
		}
		return u.CallbackQuery.From.ID, true // it is answered all the same
	case u.MyChatMember != nil:
		return u.MyChatMember.Chat.ID, true
	case u.ChatMember != nil:
		return u.ChatMember.Chat.ID, true
	}
	return 0, false
}

// Send puts messages that nobody asked for in their chat's line.
func (t *Telegram) Send(_ context.Context, c bot.Channel, a bot.Answer) error {
	chat, ok := chatNumber(c.Chat)
	if !ok {
		return fmt.Errorf("%s is no channel of Telegram's", c)
	}
	chat = t.present(chat)
	t.out.line(chat).outrun(c.Place)
	t.out.put(chat, c.Place, a)
	return nil
}

// Reachable reports whether updates come in and messages get out.
func (t *Telegram) Reachable() bool { return t.heard.Reached() && t.out.reached.Reached() }

// Health returns nil while Telegram is reached, and else what is in the way.
func (t *Telegram) Health() error {
	t.health.Lock()
	defer t.health.Unlock()
	return t.ill
}

func (t *Telegram) healthy(err error) {
	t.health.Lock()
	defer t.health.Unlock()
	t.ill = err
}
