// Hiss hosts Snakes and Ladders in chats. Without configuration it plays in
// the terminal. See README.md.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/kelseyhightower/envconfig"

	"hiss/adapters/console"
	"hiss/adapters/discord"
	"hiss/adapters/telegram"
	"hiss/adapters/web"
	"hiss/bot"
	"hiss/engine"
	"hiss/store"
)

// config is read once from the environment, from variables that begin with
// HISS_. Each stands in .env.example too.
type config struct {
	Telegram struct {
		Token string // from BotFather; empty: no Telegram
		API   struct {
			URL web.Address `default:"https://api.telegram.org"` // where its Bot API is
		}
		Webhook struct {
			URL    web.Address // the public address of Listen; empty: updates are polled
			Secret string      // what Telegram sends along; empty: drawn at every start
		}
	}
	Discord struct {
		Token string // from the developer portal; empty: no Discord
		API   struct {
			URL web.Address `default:"https://discord.com"` // the origin that stands for it
		}
		Shards count  // connections that share the servers; 0: as many as Discord advises
		Guild  string // the one server that commands are registered in; empty: everywhere
	}
	Listen    string     // the address to listen on for webhooks, such as :8080
	Pictures  bool       `default:"true"`                    // false: words alone, whatever chats have set
	Database  string     `default:"hiss.db"`                 // the file that keeps everything
	LogLevel  slog.Level `split_words:"true" default:"info"` // debug, info, warn or error
	LogFormat logFormat  `split_words:"true" default:"text"` // text or json
}

// What --help says, of everything and of each command.
const (
	usage = `Hiss hosts Snakes and Ladders. Without configuration it plays in the terminal,
and through pipes, and keeps everything in one file, hiss.db. With a token it
serves that platform instead, until it's stopped.

  hiss                              play here; /help says how, Ctrl-D leaves
  hiss < script                     lines such as "asha: /newgame" in, the chat out
  HISS_TELEGRAM_TOKEN=… hiss        play in Telegram groups
  HISS_DISCORD_TOKEN=… hiss         play in Discord servers; both go together
` + boardUsage + replayUsage + `
Settings are environment variables, described in .env.example:
HISS_TELEGRAM_TOKEN, HISS_TELEGRAM_API_URL, HISS_TELEGRAM_WEBHOOK_URL,
HISS_TELEGRAM_WEBHOOK_SECRET, HISS_DISCORD_TOKEN, HISS_DISCORD_API_URL,
HISS_DISCORD_SHARDS, HISS_DISCORD_GUILD, HISS_LISTEN, HISS_DATABASE,
HISS_PICTURES, HISS_LOG_LEVEL, HISS_LOG_FORMAT.
`
	boardUsage = `  hiss board classic [rules…]       what a board is like; a file's name will do,
                                    and a set of rules, then options: family dice=2
  hiss board classic -picture classic.png     draws it
`
	replayUsage = `  hiss replay K7Q2-…                a match that is over, by its seed, every die
                                    checked; HISS_DATABASE names the file it's in
  hiss replay K7Q2-… -film match.gif          shows it instead
`
)

// count is a whole number from 0 to 1,000; empty is 0.
type count int

// Decode reads a count; envconfig calls it.
func (c *count) Decode(value string) error {
	n, err := strconv.Atoi("0" + value)
	if err != nil || n > 1000 {
		return errors.New("no count")
	}
	*c = count(n)
	return nil
}

// logFormat is how log lines are written: text or json.
type logFormat string

// Decode reads the format; envconfig calls it.
func (f *logFormat) Decode(value string) error {
	if value != "text" && value != "json" {
		return fmt.Errorf("text or json, not %q", value)
	}
	*f = logFormat(value)
	return nil
}

// explain says in one line which variable is wrong and what it takes.
func explain(err error) error {
	var bad *envconfig.ParseError
	if !errors.As(err, &bad) {
		return err
	}
	takes := map[string]string{
		"HISS_LOG_LEVEL": "debug, info, warn or error", "HISS_LOG_FORMAT": "text or json",
		"HISS_TELEGRAM_API_URL":     "an address such as https://api.telegram.org",
		"HISS_DISCORD_API_URL":      "an address such as https://discord.com",
		"HISS_PICTURES":             "true or false",
		"HISS_DISCORD_SHARDS":       "a number from 1 to 1000, or nothing",
		"HISS_TELEGRAM_WEBHOOK_URL": "an address such as https://hiss.example.org/telegram",
	}[bad.KeyName]
	if strings.HasSuffix(bad.KeyName, "_URL") { // a token may stand in it
		return fmt.Errorf("%s takes %s", bad.KeyName, takes)
	}
	return fmt.Errorf("%s takes %s, not %q", bad.KeyName, takes, bad.Value)
}

// logger returns a logger as configured. In a conversation the usual would disturb.
func (c config) logger(w io.Writer, conversing bool) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if conversing && c.LogLevel == slog.LevelInfo {
		options.Level = slog.LevelWarn
	}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A reader that went away is an error of the next write, not a sudden end.
	signal.Ignore(syscall.SIGPIPE)
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "hiss:", err)
		os.Exit(1)
	}
}

// run reads arguments and environment and plays until ctx or the input ends.
func run(ctx context.Context, args []string) error {
	command := ""
	if len(args) > 0 {
		command = args[0]
	}
	about, known := map[string]string{"": usage, "board": boardUsage, "replay": replayUsage}[command]
	switch {
	case !known && helps(args):
		about = usage
		fallthrough
	case known && (helps(args) || len(args) == 1):
		_, err := io.WriteString(os.Stdout, about)
		return err
	case command == "board":
		return board(ctx, args[1:])
	case command == "replay":
		return replay(ctx, args[1:])
	case len(args) > 0:
		return errors.New("it takes board and a name, replay and a seed, or no arguments; hiss --help says more")
	}
	var c config
	if err := envconfig.Process("hiss", &c); err != nil {
		return explain(err)
	}
	if c.Telegram.Token != "" || c.Discord.Token != "" {
		return host(ctx, c)
	}
	return play(ctx, c)
}

// helps reports whether help is asked for.
func helps(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return a == "--help" || a == "-help" || a == "-h" })
}

// replay tells a match that is over, by its seed, or writes its film. It only reads,
// so Hiss may be running on the same file.
func replay(ctx context.Context, args []string) error {
	seed, out, err := console.Output(args, "film", ".gif")
	if err == nil && len(seed) == 0 {
		err = errors.New("it takes a match's seed; hiss replay --help says more")
	}
	if err != nil {
		return err
	}
	var c config
	if err := envconfig.Process("hiss", &c); err != nil {
		return explain(err)
	}
	s, err := store.Open(ctx, c.Database, store.ReadOnly())
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there's no database at %s; HISS_DATABASE takes the name of the one to read", c.Database)
	} else if err != nil {
		return fmt.Errorf("HISS_DATABASE: %w", err)
	}
	e := engine.New(engine.Config{Store: s, Log: c.logger(os.Stderr, false)})
	if out != "" {
		file, err := e.Film(ctx, strings.Join(seed, ""))
		if err == nil {
			err = console.Write(out, file, c.Database, c.Database+"-wal", c.Database+"-shm")
		}
		return errors.Join(err, s.Close())
	}
	said, err := e.Retell(ctx, strings.Join(seed, ""))
	if said != "" {
		_, broken := fmt.Println(said)
		err = errors.Join(err, broken)
	}
	return errors.Join(err, s.Close())
}

// board prints what a board is like, one that comes with Hiss or a file's, or draws
// it. It shows whoever waits how far it is.
func board(ctx context.Context, args []string) error {
	words, out, err := console.Output(args, "picture", ".png")
	switch {
	case err != nil:
		return err
	case len(words) == 0:
		return errors.New("it takes a board's name; hiss board --help says more")
	case out != "" && len(words) > 1:
		return errors.New("a picture shows a board, not its rules: leave them out, or -picture")
	}
	name, rules := words[0], words[1:]
	var file []byte
	if strings.ContainsAny(name, "./\\") {
		if file, err = console.Read(name, 1<<20); err != nil {
			return err
		}
	}
	if out != "" {
		picture, err := engine.Sketch(name, file)
		if err == nil {
			err = console.Write(out, picture, name)
		}
		return err
	}
	shown, wiped := time.Now(), ""
	card, err := engine.Card(ctx, name, file, rules, func(done float64) {
		if now := time.Now(); now.Sub(shown) > time.Second && console.IsTerminal(os.Stderr) {
			shown, wiped = now, "\r      \r"
			fmt.Fprintf(os.Stderr, "\r%3.0f %% ", 100*done)
		}
	})
	fmt.Fprint(os.Stderr, wiped)
	switch {
	case ctx.Err() != nil:
		return errors.New("stopped")
	case err == nil:
		_, err = fmt.Println(card)
	}
	return err
}

// play plays in the terminal until its input ends.
func play(ctx context.Context, c config) error {
	terminal := console.Config{Login: console.Login(), Database: c.Database}
	terminal.Attach(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	h := &house{config: c, rig: &engine.Rig{}}
	h.rig.Restart = h.restart
	terminal.Stage = h.rig
	if !terminal.Interactive {
		h.wordless = time.Minute // what a line causes is told before the next one is read
	}
	h.adapter = console.New(terminal)
	h.log = c.logger(h.adapter.Log(), terminal.Interactive)
	if err := h.open(ctx); err != nil {
		return err
	}
	return errors.Join(bot.Run(ctx, h, nil, h.adapter), h.close())
}

// host serves the platforms that there are tokens for, until ctx ends.
func host(ctx context.Context, c config) error {
	if c.Telegram.Webhook.URL != "" && c.Listen == "" {
		return errors.New("HISS_LISTEN takes the address to listen on, such as :8080, where HISS_TELEGRAM_WEBHOOK_URL is set")
	}
	if _, port, err := net.SplitHostPort(c.Listen); c.Listen != "" && (err != nil || port == "") {
		return fmt.Errorf("HISS_LISTEN takes an address to listen on, such as :8080 or 127.0.0.1:8080, not %q", c.Listen)
	}
	h := &house{config: c, log: c.logger(os.Stderr, false)}
	if err := h.open(ctx); err != nil {
		return err
	}
	served := make(web.Paths)
	adapters, err := h.platforms(served)
	if err != nil {
		return errors.Join(err, h.close())
	}
	close, err := web.Listen(c.Listen, served, h.log)
	if err != nil {
		return errors.Join(fmt.Errorf("HISS_LISTEN: %w", err), h.close())
	}
	return errors.Join(bot.Run(ctx, h, h.failed, adapters...), close(), h.close())
}

// failed says that a platform can't be served any more. Others go on.
func (h *house) failed(a bot.Adapter, err error) {
	h.log.Error("a platform isn't served any more", "platform", a.Name(), "error", err)
}

// platforms returns the adapters that there are tokens for. What others ask of
// them over HTTP goes by way of served.
func (h *house) platforms(served web.Paths) (all []bot.Adapter, err error) {
	c := h.config
	if c.Telegram.Token != "" {
		t, err := telegram.New(telegram.Config{
			Token: c.Telegram.Token, URL: string(c.Telegram.API.URL),
			Webhook: string(c.Telegram.Webhook.URL), Secret: c.Telegram.Webhook.Secret,
			Notes: h.store.Notes(), Log: h.log,
		})
		if err != nil {
			return nil, err
		}
		if c.Telegram.Webhook.URL != "" {
			served[c.Telegram.Webhook.URL.Path()] = t
		}
		all = append(all, t)
	}
	if c.Discord.Token != "" {
		d, err := discord.New(discord.Config{
			Token: c.Discord.Token, URL: string(c.Discord.API.URL), Shards: int(c.Discord.Shards), Guild: c.Discord.Guild,
			Notes: h.store.Notes(), Log: h.log,
		})
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// house is who is plugged into whom: the engine on its store, which !restart
// replaces by new ones.
type house struct {
	*engine.Engine
	config   config
	log      *slog.Logger
	rig      *engine.Rig
	wordless time.Duration // see engine.Config
	adapter  *console.Console
	store    *store.Store
	stop     context.CancelFunc
	done     sync.WaitGroup
	ran      error // what the engine's Run returned
}

// open opens the store and starts an engine on it.
func (h *house) open(ctx context.Context) error {
	s, err := store.Open(ctx, h.config.Database)
	if err != nil {
		return fmt.Errorf("HISS_DATABASE: %w", err)
	}
	h.store = s
	h.Engine = engine.New(engine.Config{
		Store: h.rig.Disk(s), Now: h.rig.Clock(time.Now), Seed: engine.Entropy(rand.Reader),
		Notes: s.Notes(), Rig: h.rig, Log: h.log, Wordless: h.wordless, NoPictures: !h.config.Pictures,
	})
	ctx, h.stop = context.WithCancel(context.WithoutCancel(ctx))
	e := h.Engine
	h.done.Go(func() { h.ran = e.Run(ctx) })
	return nil
}

// close stops the engine, then the store.
func (h *house) close() error {
	h.stop()
	h.done.Wait()
	return errors.Join(h.ran, h.store.Close())
}

// restart closes and opens everything, as between two runs of the program.
func (h *house) restart(ctx context.Context) error {
	if err := errors.Join(h.close(), h.open(ctx)); err != nil {
		return err
	}
	h.Started(ctx, h.adapter)
	return nil
}
