package discord_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hiss/adapters/discord"
	"hiss/bot"
	"hiss/engine"
	"hiss/engine/rules"
	"hiss/store"
)

var renew = flag.Bool("update", false, "write the transcripts anew, to be reviewed as a diff")

// TestTranscripts plays every conversation in testdata: the real engine over a
// real SQLite file and the real adapter, on a Discord in memory. Each has a
// bubble of its own, in which waiting takes no time.
//
// # Transcripts
//
// A transcript reads like a chat log. What people do is input; the bot's lines,
// which begin with "bot" or are indented, are output: they are dropped on
// reading, and written anew below what caused them. Texts stand there as clients
// show them.
//
//	# A comment.
//	ann: /newgame tiny plain dice=2     words fill options in order, or by name
//	bot 2 (to ann, sound): 🎲 New …     the second message here, her answer
//	     [Join] [🎲 Roll alone]         one line for each row of buttons
//	ben: [Join]                         presses the newest message that has it
//	bot (only ben): You're in, seat 2.  what nobody else sees
//	bot updates 2: 🎲 New match …       the whole of what message 2 shows now
//	bot thinks                          an answer that comes later
//	bot suggests to ann: tiny, classic  what follows a word that ends with …
//	bot doesn't answer ben              what clients show after three seconds
//	ben: [Join]~1                       the one before, its buttons gone or not
//	ben: {roll 1 2}                     sends what no button says
//	ann: /newgame ti…                   is still typing
//	ann: /unseat @ben                   somebody as an option
//	ann (file board.yaml): /boards      a file of testdata as an option
//	ann (fills in): title=New, size=3   the form that she was asked to fill in,
//	                                    " / " for a line break
//	#thread ann: /newgame               another channel
//	#dm ann: /start                     her private chat
//	"<b>": /join                        a name that isn't a plain word
//
// Behind the bot's messages stands what isn't in their words: to ann (it answers
// what she did), sound, calls ben, to 4 (a reply), board.png 640×640, after 4s;
// below them the words that stand for a picture.
//
// /shelf is a command of the test's own, which takes and gives files.
//
// Everybody is made up when first named. There are two servers: one with a
// channel without a name, its #thread, a #voice channel and a forum with one
// #post, and another with the channel #other. What is done comes five seconds
// after what was done before.
//
// Directives:
//
//	!dice 4 6           faces of the next dice       !seed K7Q2-…   of the next match
//	!full               the next write fails         !wait 10s      nobody does anything
//	!pace 1s            how fast people are          !slow 5s       how slow the engine is
//	!stop  !start  !restart
//	!hold  !release     what is done between is told at once
//	!again              the last interaction is told again
//	!admins ann ben     who administers the server   !nick ben Bee
//	!user ben {"global_name": "Ben"}                 or "username", or "locale"
//	!join ben  !leave ben                            of which nobody tells the bot
//	!bot removed        or added, or lost, of the server
//	!deny ATTACH_FILES  what the bot may not do; nothing gives all rights back
//	!block ann  !unblock ann                         of her private chat
//	!archive #thread  !lock #thread  !open #thread
//	!delete 4           somebody deletes message 4   !remove #post  the whole channel
//	!drop               the gateway's connection breaks
//	!reconnect          the gateway asks for a new connection
//	!close 4000         the gateway closes its connection
//	!invalid            the session is no good; "resumable" if it is
//	!forget             sessions can't be resumed    !deaf  !hearing  no heartbeat ACKs
//	!outage  !outage over                            nothing can be reached
//	!fail send 2 429 1.5  the next two calls fail, retry after 1.5 s; or 502, cut,
//	                    garbage, slow 3s; "late" if the work is done all the same
//	!sends {"now": "…", "call": "ben"}               as saying, of the clock's
//	!reaches            whether people can reach it  !asks ben      whether he's still there
//	!heal               nothing fails any more       !fault words   the bot's fault is expected
//	!pictures           Hiss starts again, and draws from here on
//	!dressing           from here on texts are shown as they were sent
//
// Calls are named as in routeTable, with - for a blank: !fail edit-answer 1 502.
// Directives about a place take its name first: !deny #other EMBED_LINKS.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { checkScript(t, file) })
		})
	}
}

// checkScript plays a file and compares it with what it was this time.
func checkScript(t *testing.T, file string) {
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := newStage(t)
	s.play(string(script))
	got := s.out.String()
	switch {
	case t.Failed():
		t.Logf("so far:\n%s", got)
	case got == string(script):
	case *renew:
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s isn't as it was; -update writes it anew:\n%s", file, difference(string(script), got))
	}
}

// difference shows what stands between the first and the last line that differ.
func difference(old, now string) string {
	a, b := strings.Split(old, "\n"), strings.Split(now, "\n")
	from, end := 0, 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	for end < min(len(a), len(b))-from && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	var out strings.Builder
	show := func(mark string, lines []string) {
		for i, line := range lines {
			if i == 40 {
				fmt.Fprintf(&out, "%s …\n", mark)
				break
			}
			fmt.Fprintf(&out, "%s %s\n", mark, line)
		}
	}
	fmt.Fprintf(&out, "line %d\n", from+1)
	show(" ", a[max(0, from-3):from])
	show("-", a[from:len(a)-end])
	show("+", b[from:len(b)-end])
	return out.String()
}

// stage is a world, a bot in it, and the transcript of what they do.
type stage struct {
	pictures bool // Hiss draws
	t        *testing.T
	api      *discordAPI
	path     string
	rig      *engine.Rig
	seeds    uint64
	store    *store.Store
	adapter  *discord.Discord
	clock    *clock
	stop     context.CancelFunc // nil while the bot is stopped
	done     sync.WaitGroup
	ran      error

	people   map[string]*user    // by name
	places   map[string]*channel // by name; the first is ""
	speed    time.Duration
	held     bool
	dressing bool
	acted    time.Time // when somebody last did something
	shown    int       // how many events stand in the transcript
	out      strings.Builder

	mu     sync.Mutex
	slow   time.Duration // how long the engine takes
	logged []string      // warnings and worse that aren't in the transcript yet
}

// newStage returns a running bot in a world with two servers, at noon on the
// last of November 2026. At its end the bot is stopped. What else there has to be
// before it begins is brought about by the caller.
func newStage(t *testing.T, before ...func(*discordAPI)) *stage {
	time.Sleep(time.Until(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)))
	s := &stage{
		t: t, api: newDiscordAPI(t), path: filepath.Join(t.TempDir(), "hiss.db"), rig: &engine.Rig{},
		people: map[string]*user{}, places: map[string]*channel{}, speed: 5 * time.Second,
	}
	club, other := s.api.addGuild("900000000000000001", "Club"), s.api.addGuild("900000000000000002", "Other")
	s.addPlace("", channel{kind: textChannel, guild: club})
	s.addPlace("thread", channel{kind: thread, guild: club, parent: s.places[""]})
	s.addPlace("voice", channel{kind: voiceChannel, guild: club})
	s.addPlace("forum", channel{kind: forum, guild: club})
	s.addPlace("post", channel{kind: thread, guild: club, parent: s.places["forum"]})
	s.addPlace("other", channel{kind: textChannel, guild: other})
	for _, do := range before {
		do(s.api)
	}
	s.start()
	t.Cleanup(func() {
		if err := s.halt(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *stage) addPlace(name string, c channel) {
	c.id, c.name = fmt.Sprint(300000000000000101+len(s.places)), name
	s.places[name] = s.api.addChannel(c)
}

// start opens the store and runs the engine and the adapter on it, as main
// does, and lets the bot connect.
func (s *stage) start() {
	var err error
	if s.store, err = store.Open(s.t.Context(), s.path); err != nil {
		s.t.Fatal(err)
	}
	log := slog.New(&journal{stage: s})
	e := engine.New(engine.Config{
		Store: s.rig.Disk(s.store), Now: time.Now, Seed: s.seed, Rig: s.rig, Log: log, NoPictures: !s.pictures,
	})
	s.adapter, err = discord.New(discord.Config{
		Token: s.api.token, URL: s.api.url(), Dial: s.api.Dial, Notes: s.store.Notes(), Log: log,
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.clock = &clock{Handler: newShelf(e)}
	ctx, stop := context.WithCancel(context.WithoutCancel(s.t.Context()))
	engineCtx, stopEngine := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	s.done.Go(func() {
		var running sync.WaitGroup
		var ran error
		running.Go(func() { ran = e.Run(engineCtx) })
		err := s.adapter.Run(ctx, slowed{s.clock, s})
		stopEngine()
		running.Wait()
		s.ran = errors.Join(err, ran)
	})
	synctest.Wait()
	for range 15 {
		if s.api.ready() {
			break
		}
		s.pass(time.Second)
	}
}

// slowed is an engine that takes its time.
type slowed struct {
	bot.Handler
	stage *stage
}

// Handle obeys after a while.
func (h slowed) Handle(ctx context.Context, r bot.Request) bot.Answer {
	h.stage.mu.Lock()
	d := h.stage.slow
	h.stage.mu.Unlock()
	time.Sleep(d)
	return h.Handler.Handle(ctx, r)
}

func (s *stage) seed() (rules.Seed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seeds++
	return rules.SeedNumber(s.seeds - 1), nil
}

// halt is an orderly stop.
func (s *stage) halt() error {
	if s.stop == nil {
		return nil
	}
	s.stop()
	s.done.Wait()
	s.stop = nil
	return errors.Join(s.ran, s.store.Close())
}

// play plays a script.
func (s *stage) play(script string) {
	for i, line := range strings.Split(strings.TrimSuffix(script, "\n"), "\n") {
		line = strings.TrimRight(line, " \t\r")
		if isOutput(line) {
			continue
		}
		if err := s.line(line); err != nil {
			s.t.Errorf("line %d: %v", i+1, err)
		}
		synctest.Wait()
		s.show()
	}
	s.pass(s.speed)
	s.show()
}

// pass lets time go by and everybody finish what they do then.
func (s *stage) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// journal is where the bot logs.
type journal struct {
	stage *stage
	attrs []slog.Attr
}

// Enabled lets everything through: nothing that could be logged may show a
// token.
func (j *journal) Enabled(context.Context, slog.Level) bool { return true }

// Handle notes warnings and worse for the transcript.
func (j *journal) Handle(_ context.Context, r slog.Record) error {
	text := fmt.Sprintf("%s: %s", r.Level, r.Message)
	attrs := slices.Clone(j.attrs)
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	for _, a := range attrs {
		if a.Key != "adapter" {
			text += fmt.Sprintf(", %s %v", a.Key, a.Value)
		}
	}
	s := j.stage
	if strings.Contains(text, s.api.token) || strings.Contains(text, tokenMark) {
		s.api.mu.Lock()
		s.api.faultf("a token was logged: %s", text)
		s.api.mu.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Level >= slog.LevelWarn {
		s.logged = append(s.logged, snowflakes.ReplaceAllStringFunc(text, s.unnumbered))
	}
	return nil
}

var snowflakes = regexp.MustCompile(`\b\d{17,20}\b`)

// unnumbered returns what a number stands for in a transcript: a place's name,
// or nothing to be remembered.
func (s *stage) unnumbered(id string) string {
	for name, c := range s.places {
		if c.id == id {
			return "#" + name
		}
	}
	return "…"
}

// WithAttrs keeps what all records of a part have.
func (j *journal) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &journal{j.stage, append(slices.Clone(j.attrs), attrs...)}
}

// WithGroup makes no difference to a transcript.
func (j *journal) WithGroup(string) slog.Handler { return j }
