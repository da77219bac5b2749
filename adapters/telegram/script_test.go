package telegram_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hiss/adapters/telegram"
	"hiss/engine"
	"hiss/engine/rules"
	"hiss/store"
)

var renew = flag.Bool("update", false, "write the transcripts anew, to be reviewed as a diff")

// TestTranscripts plays every conversation in testdata: the real engine over a
// real SQLite file and the real adapter, on a Bot API in memory. Each has a
// bubble of its own, in which waiting takes no time.
//
// # Transcripts
//
// A transcript reads like a chat log. What people do is input; the bot's lines,
// which begin with "bot" or are indented, are output: they are dropped on
// reading, and written anew below what caused them.
//
//	# A comment.
//	ann: /newgame@HissBot tiny plain
//	bot 2 (sound): 🎲 New match on Tiny …      its second message here, heard by all
//	     [Join] [🎲 Roll alone]                 one line for each row of buttons
//	ben: [Join]                                presses the newest message that has it
//	bot (toast to ben): You're in, seat 2.     or "alert"; empty ones aren't shown
//	bot edits 2: 🎲 New match …                 the whole of what message 2 shows now
//	ben: [Join]~1                              the one before, its buttons gone or not
//	ben: {roll 1 2}                            sends what no button says
//	#forum/7 ann: /newgame                     another chat, and a topic of it
//	#dm ann: /start                            her private chat
//	"<b>": /join                               a name that isn't a plain word
//
// Behind a name in parentheses stands how something is said: ann (reply 4):, ann
// (anonymous):, ann (channel):, ann (forwarded):, ann (edits 5):, ann (file
// board.yaml):, ann (photo):, ann (naming ben): where ben's name in the text is a
// link to him, two of these with a comma between, and of presses ann (gone): for a
// message that is too old to be shown. Behind the bot's messages stands what isn't
// in their words: sound, calls ben, to 4 (a reply), photo 640×640, asks ann for a
// reply, after 4s.
//
// /shelf is a command of the test's own, which takes and gives files.
//
// Everybody is made up when first named, with the name as username if it could
// be one. The first chat is a supergroup without a name, #forum has the topics
// 7 and 9, #basic is a basic group. What is said comes five seconds after what
// was said before.
//
// Directives:
//
//	!dice 4 6           faces of the next dice       !seed K7Q2-…   of the next match
//	!full               the next write fails         !wait 10s      nobody does anything
//	!pace 1s            how fast people are          !stop  !start  !restart
//	!hold  !release     what is done between comes as one batch
//	!again              the last update comes again  !jump 17       update ids go on elsewhere
//	!admins ann ben     who administers the chat     !user ben {"last_name": "B."}
//	!join ben  !leave ben  !remove ben               with a service message
//	!vanish ben         leaves without anybody being told
//	!bot kicked         or left, member, administrator, of the chat
//	!mute photos        or text messages, or nothing, which gives the rights back
//	!block ann  !unblock ann                         of her private chat
//	!topic 9 closed     or open                      !migrate #basic
//	!delete 4           somebody deletes message 4   !privacy off
//	!fail sendPhoto 2 429 7       the next two calls fail, retry after 7 s; or 502,
//	                    cut, garbage, slow 3s; "late" if the work is done all the same
//	!sends {"now": "…", "call": "ben"}               as saying, of the clock's
//	!reaches            whether people can reach it  !asks ben      whether he's still there
//	!heal               nothing fails any more       !fault words   the bot's fault is expected
//	!pictures           Hiss starts again, and draws from here on
//	!dressing           from here on the entities are shown
//
// Those about a chat take its name first: !bot #forum kicked.
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
	case got == string(script) || t.Failed():
	case *renew:
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s isn't as it was; -update writes it anew:\n%s", file, difference(string(script), got))
	}
}

// difference shows what stands between the first and the last line that differ.
func difference(old, new string) string {
	a, b := strings.Split(old, "\n"), strings.Split(new, "\n")
	from := 0
	for from < min(len(a), len(b)) && a[from] == b[from] {
		from++
	}
	end := 0
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
	api      *botAPI
	path     string
	rig      *engine.Rig
	seeds    uint64
	store    *store.Store
	adapter  *telegram.Telegram
	clock    *clock
	stop     context.CancelFunc // nil while the bot is stopped
	done     sync.WaitGroup
	ran      error

	people   map[string]int64 // by name
	chats    map[string]int64 // by name; the first is ""
	speed    time.Duration
	held     bool
	dressing bool
	acted    time.Time // when somebody last did something
	shown    int       // how many events stand in the transcript
	out      strings.Builder

	mu     sync.Mutex
	logged []string // warnings and worse that aren't in the transcript yet
}

// newStage returns a running bot in a world with three chats, at noon on the
// last of November 2026. At its end the bot is stopped.
func newStage(t *testing.T) *stage {
	time.Sleep(time.Until(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)))
	s := &stage{
		t: t, api: newBotAPI(t), path: filepath.Join(t.TempDir(), "hiss.db"), rig: &engine.Rig{},
		people: map[string]int64{}, chats: map[string]int64{}, speed: 5 * time.Second,
	}
	s.addChat("", place{ID: -100100, Type: "supergroup", Title: "Club"})
	s.addChat("forum", place{ID: -100200, Type: "supergroup", Title: "Forum", IsForum: true}, 7, 9)
	s.addChat("basic", place{ID: -300, Type: "group", Title: "Basic"})
	s.start()
	t.Cleanup(func() {
		if err := s.halt(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *stage) addChat(name string, p place, topics ...int) {
	s.chats[name] = p.ID
	c := chat{place: p, topics: map[int]bool{}}
	for _, topic := range topics {
		c.topics[topic] = true
	}
	s.api.addChat(c)
}

// start opens the store and runs the engine and the adapter on it, as main
// does.
func (s *stage) start() {
	var err error
	if s.store, err = store.Open(s.t.Context(), s.path); err != nil {
		s.t.Fatal(err)
	}
	log := slog.New(&journal{stage: s})
	e := engine.New(engine.Config{
		Store: s.rig.Disk(s.store), Now: time.Now, Seed: s.seed, Rig: s.rig, Log: log, NoPictures: !s.pictures,
	})
	s.adapter, err = telegram.New(telegram.Config{
		Token: s.api.token, URL: s.api.url(), Client: s.api.Client(), Notes: s.store.Notes(), Log: log,
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
		err := s.adapter.Run(ctx, s.clock)
		stopEngine()
		running.Wait()
		s.ran = errors.Join(err, ran)
	})
	synctest.Wait()
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

// Enabled lets everything through: nothing that could be logged may show the
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
	if strings.Contains(text, s.api.token) {
		s.api.mu.Lock()
		s.api.faultf("the token was logged: %s", text)
		s.api.mu.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Level >= slog.LevelWarn {
		s.logged = append(s.logged, text)
	}
	return nil
}

// WithAttrs keeps what all records of a part have.
func (j *journal) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &journal{j.stage, append(slices.Clone(j.attrs), attrs...)}
}

// WithGroup makes no difference to a transcript.
func (j *journal) WithGroup(string) slog.Handler { return j }
