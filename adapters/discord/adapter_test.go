package discord_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hiss/adapters/discord"
	"hiss/bot"
)

// host is a handler that answers as a test wants it, and what it was asked.
type host struct {
	answer func(bot.Request) bot.Answer

	mu    sync.Mutex
	asked []bot.Request
}

func (h *host) Started(context.Context, bot.Adapter) {}
func (h *host) About() (short, long string)          { return "Short.", "Long." }
func (h *host) Commands() []bot.Command {
	return []bot.Command{
		{Name: "roll", Summary: "Your go", Options: []bot.Option{{Name: "file", Summary: "A file", Kind: bot.File}}},
		{Name: "settings", Summary: "How matches run here", Admins: true},
		{Name: "take", Summary: "Take something", Options: []bot.Option{
			{Name: "from", Summary: "Whose"}, {Name: "what", Summary: "What", Needed: true}, {Name: "to", Summary: "Where", Needed: true},
		}},
	}
}

func (h *host) Handle(_ context.Context, r bot.Request) bot.Answer {
	h.mu.Lock()
	h.asked = append(h.asked, r)
	h.mu.Unlock()
	return h.answer(r)
}

func (h *host) Move(context.Context, bot.ChatID, bot.ChatID) error { return nil }
func (h *host) Back(context.Context, bot.ChatID) error             { return nil }
func (h *host) Left(context.Context, bot.ChatID, bot.User) error   { return nil }

// notes are kept in memory.
type notes struct {
	mu   sync.Mutex
	kept map[string][]byte
}

func (n *notes) Get(key string) ([]byte, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.kept[key], nil
}

func (n *notes) Put(key string, value []byte) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.kept == nil {
		n.kept = make(map[string][]byte)
	}
	n.kept[key] = value
	return nil
}

// bench is an adapter on a Discord in memory, with a host behind it.
type bench struct {
	*world
	*host
	t       *testing.T
	adapter *discord.Discord
	notes   *notes
	log     *bytes.Buffer
	stop    func() error
}

// onBench runs a test on a bench, in a bubble of its own, which has a testing.T
// of its own, too.
func onBench(t *testing.T, answer func(bot.Request) bot.Answer, test func(*testing.T, *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{world: newWorld(t), host: &host{answer: answer}, t: t, notes: &notes{}}
		b.run()
		defer func() {
			if err := b.stop(); err != nil {
				t.Error(err)
			}
		}()
		test(t, b)
	})
}

func (b *bench) run() {
	b.t.Helper()
	b.log = &bytes.Buffer{}
	adapter, err := discord.New(discord.Config{
		Token: b.token, URL: b.url(), Dial: b.Dial, Notes: b.notes,
		Log: slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.adapter = adapter
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- adapter.Run(ctx, b.host) }()
	b.stop = func() error { cancel(); return <-ended }
	b.waits(time.Second)
}

// waits lets time pass.
func (b *bench) waits(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// rolls lets ann give the command, and returns the newest message of the hall
// that all can see.
func (b *bench) rolls(wait time.Duration) message {
	b.t.Helper()
	if err := b.slash(b.hall, b.ann, typing{words: []string{"roll"}}); err != nil {
		b.t.Fatal(err)
	}
	b.waits(wait)
	return b.newest()
}

func (b *bench) newest() (newest message) {
	for _, e := range b.seen(0) {
		if (e.kind == "send" || e.kind == "edit") && e.message.reader == nil {
			newest = e.message
		}
	}
	return newest
}

func public(m bot.Message) bot.Answer { return bot.Answer{Channel: []bot.Message{m}} }

// drawn returns a picture's file.
func drawn(t *testing.T, p *bot.Picture) []byte {
	t.Helper()
	data, err := p.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func board(t *testing.T) *bot.Picture {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewPaletted(image.Rect(0, 0, 40, 30), color.Palette{color.Black})); err != nil {
		t.Fatal(err)
	}
	p := bot.Drawn("board.png", b.Bytes(), "Asha on 14, Bilal on 6")
	p.Refused = func(right string) bot.Text { return bot.Said("I may not; " + right + " would do.") }
	return p
}

// TestPictures sends a picture with its words and its alt text, and edits both
// together: an edit lists what the message is to have, so none pile up.
func TestPictures(t *testing.T) {
	picture := board(t)
	next := bot.Message{}
	onBench(t, func(bot.Request) bot.Answer { return public(next) }, func(t *testing.T, b *bench) {
		longest := board(t)
		longest.Alt = strings.Repeat("14 ", 1000)
		next = bot.Message{Said: bot.Said(strings.Repeat("x", 2000)), Picture: longest}
		if m := b.rolls(5 * time.Second); len(m.attachments) != 1 || len([]rune(m.attachments[0].description)) > 1024 {
			t.Errorf("2,000 characters: %+v", m)
		}
		next = bot.Message{Page: "1", Said: bot.Said("one"), Picture: picture}
		first := b.rolls(5 * time.Second)
		if len(first.attachments) != 1 || first.attachments[0].description != picture.Alt || !bytes.Equal(first.attachments[0].data, drawn(t, picture)) {
			t.Errorf("%+v", first)
		}
		for i := range 7 {
			next = bot.Message{Page: "1", Before: bot.Said("one"), Said: bot.Said(fmt.Sprint("two ", i)), Picture: picture}
			if m := b.rolls(5 * time.Second); m.id != first.id || len(m.attachments) != 1 {
				t.Fatalf("edit %d: %d attachments, the same message: %t", i, len(m.attachments), m.id == first.id)
			}
		}
		next = bot.Message{Page: "1", Before: bot.Said("one"), Said: bot.Said("three")}
		if m := b.rolls(5 * time.Second); m.id != first.id || len(m.attachments) != 0 {
			t.Errorf("the picture stays above new words: %+v", m)
		}
		next = bot.Message{Page: "1", Before: bot.Said("one"), Said: bot.Said("nine")}
		if m := b.rolls(5 * time.Second); m.id == first.id {
			t.Error("updated more than eight times")
		}
	})
}

// TestFilesThatAreRefused has words instead, with a hint.
func TestFilesThatAreRefused(t *testing.T) {
	picture := board(t)
	onBench(t, nil, func(t *testing.T, b *bench) {
		b.setRights(b.hall, viewChannel|sendMessages)
		for _, want := range []string{"I may not; Attach Files would do.\nding", "ding"} {
			a := public(bot.Message{Said: bot.Said("ding"), Picture: picture})
			if err := b.adapter.Send(t.Context(), bot.Channel{Chat: "discord:900000000000000001", Place: b.hall.id}, a); err != nil {
				t.Fatal(err)
			}
			b.waits(time.Minute)
			if m := b.newest(); m.content != want {
				t.Errorf("%q, not %q", m.content, want)
			}
		}
	})
}

// TestTextsOfAnyLength arrive whole: as a message, or as a file with the
// beginning above it.
func TestTextsOfAnyLength(t *testing.T) {
	for _, c := range []struct {
		text string
		file bool
	}{
		{strings.Repeat("a", 2000), false}, {strings.Repeat("a", 2001), true},
		{strings.Repeat("_", 1000), false}, {strings.Repeat("_", 1001), true},
		{strings.Repeat("🎲", 1000), false}, {strings.Repeat("Asha rolls 4: 0 → 4, ladder to 14\n", 3000), true},
	} {
		onBench(t, func(bot.Request) bot.Answer { return public(bot.Message{Said: bot.Said(c.text)}) }, func(t *testing.T, b *bench) {
			m := b.rolls(time.Minute)
			whole := strings.TrimSpace(c.text)
			switch {
			case c.file != (len(m.attachments) == 1), !c.file && strings.ReplaceAll(m.content, `\`, "") != whole:
				t.Errorf("%d bytes: %.80q and %d files", len(c.text), m.content, len(m.attachments))
			case c.file && string(m.attachments[0].data) != whole+"\n":
				t.Errorf("%d bytes: the file isn't whole", len(c.text))
			}
		})
	}
}

// TestNeededOptionsComeFirst and can't be left out.
func TestNeededOptionsComeFirst(t *testing.T) {
	onBench(t, func(bot.Request) bot.Answer { return bot.Answer{} }, func(t *testing.T, b *bench) {
		for line, want := range map[string]string{"take x": "it needs to", "take x y": "", "take x y z": ""} {
			err := b.slash(b.hall, b.ann, typing{words: strings.Fields(line)})
			if err != nil && !strings.Contains(err.Error(), cmp.Or(want, "?")) || err == nil && want != "" {
				t.Errorf("/%s: %v, not %q", line, err, want)
			}
			b.waits(5 * time.Second)
		}
		var got []string
		for _, o := range list(b.command(b.hall, "take")["options"]) {
			got = append(got, text(object(o)["name"]))
		}
		if strings.Join(got, " ") != "what to from" {
			t.Errorf("registered as %q", got)
		}
	})
}

// TestSend puts what nobody asked for in line, and refuses others' channels.
func TestSend(t *testing.T) {
	onBench(t, nil, func(t *testing.T, b *bench) {
		told := false
		a := public(bot.Message{
			Said: bot.Text{{Kind: bot.Mention, Text: "ben", User: bot.UserID("discord:" + b.ben.ID)}, {Text: ", @everyone <@200000000000000011>"}},
			Call: &bot.User{ID: bot.UserID("discord:" + b.ben.ID)},
		})
		a.Told = func() { told = true }
		if err := b.adapter.Send(t.Context(), bot.Channel{Chat: "discord:900000000000000001", Place: b.thread.id}, a); err != nil {
			t.Fatal(err)
		}
		b.waits(time.Second)
		events := b.seen(0)
		last := events[len(events)-1]
		if last.channel != b.thread || !told || len(last.calls) != 1 || last.calls[0] != b.ben.ID {
			t.Errorf("%+v, told: %t", last, told)
		}
		if err := b.adapter.Send(t.Context(), bot.Channel{Chat: "telegram:4"}, a); err == nil {
			t.Error("sent to another platform")
		}
	})
}

// TestAPanicEndsOneInteraction and nothing else.
func TestAPanicEndsOneInteraction(t *testing.T) {
	n := 0
	answer := func(bot.Request) bot.Answer {
		if n++; n == 1 {
			panic("no dice")
		}
		return public(bot.Message{Said: bot.Said("hi")})
	}
	onBench(t, answer, func(t *testing.T, b *bench) {
		b.rolls(time.Second)
		if m := b.rolls(time.Second); m.content != "hi" || !strings.Contains(b.log.String(), "no dice") {
			t.Errorf("%q, logged %s", m.content, b.log)
		}
	})
}

// TestHealthAndTokens break calls in all ways while everything is logged: what is
// in the way is told, and never the token.
func TestHealthAndTokens(t *testing.T) {
	onBench(t, func(bot.Request) bot.Answer { return public(bot.Message{Said: bot.Said("hi")}) }, func(t *testing.T, b *bench) {
		if err := b.adapter.Health(); err != nil {
			t.Error(err)
		}
		for _, f := range []failure{{cut: true}, {status: 500}, {garbage: true}, {delay: time.Minute}} {
			b.fail("send", 1, f)
			a := public(bot.Message{Said: bot.Said("ding")})
			if err := b.adapter.Send(t.Context(), bot.Channel{Chat: "discord:900000000000000001", Place: b.hall.id}, a); err != nil {
				t.Fatal(err)
			}
			b.waits(3 * time.Minute)
		}
		b.outage(true)
		b.waits(time.Minute)
		if err := b.adapter.Health(); err == nil || strings.Contains(err.Error(), b.token) {
			t.Errorf("in an outage: %v", err)
		}
		b.outage(false)
		b.waits(2 * time.Minute)
		if err := b.adapter.Health(); err != nil {
			t.Error(err)
		}
		if strings.Contains(b.log.String(), b.token) {
			t.Errorf("logged: %s", b.log)
		}
	})
	for _, token := range []string{"", "a b", "Bot abc", "a\nb"} {
		if _, err := discord.New(discord.Config{Token: token}); err == nil || !strings.Contains(err.Error(), "HISS_DISCORD_TOKEN") || token != "" && strings.Contains(err.Error(), token) {
			t.Errorf("%q: %v", token, err)
		}
	}
}

// TestAWrongTokenStopsTheStart with a line that says so.
func TestAWrongTokenStopsTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		adapter, err := discord.New(discord.Config{Token: "wrong", URL: w.url(), Dial: w.Dial, Notes: &notes{}})
		if err != nil {
			t.Fatal(err)
		}
		err = adapter.Run(t.Context(), &host{})
		if err == nil || !strings.Contains(err.Error(), "HISS_DISCORD_TOKEN") {
			t.Errorf("%v", err)
		}
		w.forgive("")
	})
}
