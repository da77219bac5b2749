package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"hiss/adapters/queue"
	"hiss/bot"
)

// name is the adapter's, the prefix of its ids.
const name = "discord"

// How many channels' interactions are handled at a time, how many deliveries are
// recognised when they come again, and how long the last of them may take when
// the program stops, which is to take less than ten seconds in all.
const (
	sideBySide   = 64
	recognised   = 4096
	lastRequests = 4 * time.Second
)

// calls stands among the shards for the HTTP API, as far as health goes.
const calls = -1

// Config says how to connect. Token and Notes are needed; the rest has defaults.
type Config struct {
	// Token is the bot's, of the developer portal. It is shown nowhere.
	Token string
	// URL is the origin that stands for Discord's; https://discord.com if empty.
	URL string
	// Dial opens all connections; the net package's if nil.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Notes keep what has to be known after a restart: when sessions were begun,
	// and which servers have no commands of their own left.
	Notes bot.Notes
	Log   *slog.Logger
	// Shards is how many connections share the servers; 0 is as many as Discord
	// advises.
	Shards int
	// Guild is the one server that commands are registered in, at once, for
	// development; everywhere if empty.
	Guild string
}

// Discord is a bot.Adapter. Its methods are safe for concurrent use.
type Discord struct {
	config Config
	rest   *rest
	dial   func(ctx context.Context, network, address string) (net.Conn, error)
	notes  bot.Notes
	log    *slog.Logger
	pace   pace

	handler bot.Handler
	lanes   *queue.Lanes[string]
	out     *outbox
	beside  sync.WaitGroup

	asks *queue.Inquiries

	mu     sync.Mutex
	guilds map[string]bool  // servers that the bot is in
	heard  []*queue.Contact // by shard; none before they are connected
	app    string           // the application's id
	url    string           // of the gateway
	seen   []string         // the last interactions
	known  map[string]bool
	over   bool          // nothing is taken in any more
	ill    map[int]error // by shard
	stale  chan string   // servers whose own commands are to be looked at
}

// New returns an adapter that isn't connected yet. An error says what is wrong
// with the configuration.
func New(c Config) (*Discord, error) {
	if !regexp.MustCompile(`^[\x21-\x7e]{3,}$`).MatchString(c.Token) || strings.HasPrefix(c.Token, "Bot ") {
		return nil, errors.New("HISS_DISCORD_TOKEN takes the bot's token of the developer portal, without anything before it")
	}
	if c.Guild != "" && !regexp.MustCompile(`^[0-9]{1,20}$`).MatchString(c.Guild) {
		return nil, errors.New("HISS_DISCORD_GUILD takes a server's number")
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	d := &Discord{
		config: c, rest: newREST(c), dial: c.Dial, notes: c.Notes, log: c.Log.With("adapter", name),
		lanes: queue.NewLanes[string](sideBySide), known: make(map[string]bool), guilds: make(map[string]bool), stale: make(chan string, recognised),
		ill: map[int]error{0: errors.New("not connected yet")},
	}
	d.pace = pace{notes: c.Notes, log: d.log, turn: make(chan struct{}, 1), atOnce: identifyFew}
	d.out = newOutbox(d.rest, d.log, d.draw)
	d.asks = queue.NewInquiries(d.out.Context())
	return d, nil
}

// Name returns "discord".
func (d *Discord) Name() string { return name }

// Run connects, waiting as long as Discord can't be reached, and serves h until
// ctx ends. What came before that is handled and answered. It may be called once.
func (d *Discord) Run(ctx context.Context, h bot.Handler) error {
	d.handler = h
	defer d.rest.close()
	defer d.out.Close(lastCalls)
	advice, err := d.ask(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	d.beside.Go(func() { d.register(ctx) })
	h.Started(ctx, d)
	shards := d.begun(d.shards(advice))
	errs := make([]error, len(shards))
	d.pace.atOnce = identifyFew + len(shards)
	var serving sync.WaitGroup
	for i, sh := range shards {
		serving.Go(func() {
			if errs[i] = d.serve(ctx, sh); errs[i] != nil {
				stop()
			}
		})
	}
	for pause(ctx, time.Minute) {
		d.out.sweep(time.Now())
	}
	serving.Wait()
	d.mu.Lock()
	d.over = true
	d.mu.Unlock()
	d.lanes.WaitFor(lastRequests)
	d.beside.Wait()
	d.healthy(0, errors.New("not connected any more"))
	return errors.Join(errs...)
}

// advice is what Discord says about connecting.
type advice struct {
	URL    string `json:"url"`
	Shards int    `json:"shards"`
	Limit  struct {
		Remaining int   `json:"remaining"`
		ResetMS   int64 `json:"reset_after"`
	} `json:"session_start_limit"`
}

// ask asks Discord who the bot is and how to connect, until it answers. Where
// hardly any sessions are left for today, it waits for tomorrow's.
func (d *Discord) ask(ctx context.Context) (advice, error) {
	var a advice
	for {
		var app struct {
			ID string `json:"id"`
		}
		err := d.persist(ctx, "asking Discord who the bot is", func(ctx context.Context) error {
			_, err := d.rest.do(ctx, call{method: http.MethodGet, path: "/applications/@me", result: &app})
			return err
		})
		if err == nil {
			err = d.persist(ctx, "asking Discord how to connect", func(ctx context.Context) error {
				_, err := d.rest.do(ctx, call{method: http.MethodGet, path: "/gateway/bot", result: &a})
				return err
			})
		}
		if err != nil {
			return a, err
		}
		d.mu.Lock()
		d.app, d.url = app.ID, a.URL
		d.mu.Unlock()
		if a.Limit.Remaining == 0 && a.Limit.ResetMS == 0 || a.Limit.Remaining > identifyLeft {
			return a, nil
		}
		wait := time.Duration(a.Limit.ResetMS) * time.Millisecond
		d.log.Error("hardly any sessions are left for today, so that Discord would take the token away; waiting", "left", a.Limit.Remaining, "until", wait)
		if !pause(ctx, wait) {
			return a, ctx.Err()
		}
	}
}

// shards returns how many connections there are to be.
func (d *Discord) shards(a advice) int {
	if d.config.Shards > 0 {
		return d.config.Shards
	}
	return max(a.Shards, 1)
}

// persist makes a call until it succeeds, with growing waits while Discord can't
// be reached. It gives up where trying again can't help.
func (d *Discord) persist(ctx context.Context, what string, do func(context.Context) error) error {
	for tries := 0; ; tries++ {
		limited, cancel := context.WithTimeout(ctx, callLimit)
		err := do(limited)
		cancel()
		kind, wait := classify(err)
		switch {
		case err == nil:
			d.healthy(calls, nil)
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case kind == noToken:
			return errors.New(fatal[4004])
		case kind != tryAgain && kind != waits:
			return fmt.Errorf("%s: %w", what, err)
		}
		d.healthy(calls, err)
		wait = max(wait, min(time.Second<<min(tries, 5), longPause))
		d.log.Warn(what+" has to wait", "error", err, "again in", wait)
		if !pause(ctx, wait) {
			return ctx.Err()
		}
	}
}

// take notes an interaction, and reports whether it is a new one.
func (d *Discord) take(id string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.over || d.known[id] {
		return false
	}
	d.known[id] = true
	d.seen = append(d.seen, id)
	if len(d.seen) > recognised {
		delete(d.known, d.seen[0])
		d.seen = d.seen[1:]
	}
	return true
}

// interaction puts an interaction in its channel's lane.
func (d *Discord) interaction(raw json.RawMessage) {
	a, err := parse(raw)
	if err != nil {
		d.log.Warn("an interaction couldn't be read", "error", err)
		return
	}
	if !d.take(a.ID) {
		return
	}
	// Its time runs from now on, also while it waits for others.
	r := d.reply(d.out.Context(), a)
	if a.Type == discordgo.InteractionApplicationCommandAutocomplete {
		r.timer.Stop() // it can't be deferred, and changes nothing
		d.lanes.Add(a.ChannelID+"?", func() { d.safely(func() { d.suggest(r) }) })
		return
	}
	d.lanes.Add(a.ChannelID, func() { d.safely(func() { d.handle(r) }) })
}

// safely does something. A panic ends there.
func (d *Discord) safely(do func()) {
	defer func() {
		if p := recover(); p != nil {
			d.log.Error("panic in an interaction", "panic", p, "stack", string(debug.Stack()))
		}
	}()
	do()
}

// handle does what an interaction asks for, and answers.
func (d *Discord) handle(r *reply) {
	defer r.timer.Stop()
	defer func() {
		if p := recover(); p != nil {
			r.nothing() // nobody is left waiting
			panic(p)
		}
	}()
	q, ok := d.request(r.asked)
	if !ok {
		r.nothing()
		return
	}
	r.brought = q.Attachment != nil
	l := d.out.line(r.asked.ChannelID)
	l.heard(r.asked.GuildID, r.asked.mayAttach())
	answer := d.handler.Handle(context.Background(), q) // what has begun is finished
	if q.Pressed {
		r.press(l, answer)
	} else {
		r.command(l, answer)
	}
}

// suggest answers with what could be typed.
func (d *Discord) suggest(r *reply) {
	choices := []map[string]string{}
	if q, ok := d.request(r.asked); ok && q.Completing != "" {
		for _, s := range d.handler.Handle(r.ctx, q).Suggestions {
			if len(choices) < maxChoices && s.Label != "" && s.Value != "" {
				choices = append(choices, map[string]string{"name": cut(s.Label, maxChoice), "value": cut(s.Value, maxChoice)})
			}
		}
	}
	if time.Since(r.at) > answerLimit {
		return // whoever typed has typed on
	}
	r.first(response{Type: discordgo.InteractionApplicationCommandAutocompleteResult, Data: map[string]any{"choices": choices}}, nil, nil)
}

// Send puts messages that nobody asked for in their channel's line.
func (d *Discord) Send(_ context.Context, c bot.Channel, a bot.Answer) error {
	channel, ok := channelNumber(c)
	if !ok {
		return fmt.Errorf("%s is no channel of Discord's", c)
	}
	d.out.put(d.out.line(channel), a)
	return nil
}

// Reachable reports whether all shards are connected, and messages get out. Whom a
// shard serves isn't looked at: better that a clock stands still elsewhere than
// that somebody pays for an outage.
func (d *Discord) Reachable() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	down := func(c *queue.Contact) bool { return !c.Reached() }
	return len(d.heard) > 0 && !slices.ContainsFunc(d.heard, down) && d.out.reached.Reached()
}

// Health returns nil while all shards are connected, and else what is in the way.
func (d *Discord) Health() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var all []error
	for _, err := range d.ill {
		all = append(all, err)
	}
	return errors.Join(all...)
}

func (d *Discord) healthy(shard int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ill[shard] = err
}

func (d *Discord) gateway() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.TrimRight(d.url, "/") + "/"
}

func (d *Discord) application() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.app
}
