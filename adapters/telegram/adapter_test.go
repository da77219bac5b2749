package telegram_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hiss/adapters/telegram"
	"hiss/bot"
)

// host is a handler that answers as a test wants it, and what it was asked.
type host struct {
	answer func(bot.Request) bot.Answer

	mu    sync.Mutex
	asked []bot.Request
	left  []bot.UserID
}

func (h *host) Started(context.Context, bot.Adapter) {}
func (h *host) About() (short, long string)          { return "Short.", "Long." }
func (h *host) Commands() []bot.Command {
	return []bot.Command{
		{Name: "roll", Summary: "Your go", Menus: bot.InGroups | bot.InPrivate},
		{Name: "unseat", Summary: "Take a player out", Menus: bot.ForAdmins},
	}
}

func (h *host) Handle(_ context.Context, r bot.Request) bot.Answer {
	h.mu.Lock()
	h.asked = append(h.asked, r)
	h.mu.Unlock()
	return h.answer(r)
}

func (h *host) Move(context.Context, bot.ChatID, bot.ChatID) error { return nil }

func (h *host) Back(context.Context, bot.ChatID) error { return nil }

func (h *host) Left(_ context.Context, _ bot.ChatID, u bot.User) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.left = append(h.left, u.ID)
	return nil
}

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

// bench is an adapter on a Bot API in memory, with a host behind it.
type bench struct {
	*botAPI
	*host
	t       *testing.T
	adapter *telegram.Telegram
	notes   *notes
	log     *bytes.Buffer
	stop    func() error
}

// onBench runs a test on a bench, in a bubble of its own, which has a testing.T of its own, too.
func onBench(t *testing.T, answer func(bot.Request) bot.Answer, test func(*testing.T, *bench)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{botAPI: newWorld(t), host: &host{answer: answer}, t: t, notes: &notes{}}
		b.run(telegram.Config{})
		defer func() {
			if err := b.stop(); err != nil {
				t.Error(err)
			}
		}()
		test(t, b)
	})
}

// run starts an adapter; what the test's configuration leaves out is filled in.
func (b *bench) run(c telegram.Config) {
	b.t.Helper()
	b.log = &bytes.Buffer{}
	c.Token, c.URL, c.Client, c.Notes = b.token, b.url(), b.Client(), b.notes
	c.Log = slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	adapter, err := telegram.New(c)
	if err != nil {
		b.t.Fatal(err)
	}
	b.adapter = adapter
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- adapter.Run(ctx, b.host) }()
	b.stop = func() error { cancel(); return <-ended }
	synctest.Wait()
}

// waits lets time pass.
func (b *bench) waits(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// newest returns the newest message of a chat that the bot sent.
func (b *bench) newest(chat int64) message {
	b.t.Helper()
	for _, m := range slices.Backward(b.messages(chat)) {
		if m.From.ID == b.self.ID {
			return m
		}
	}
	b.t.Fatal("the bot said nothing")
	return message{}
}

func public(m bot.Message) bot.Answer { return bot.Answer{Channel: []bot.Message{m}} }

// TestPictures sends a picture with its words, edits both together, and leaves
// none above words that have gone on.
func TestPictures(t *testing.T) {
	data := picture(t, 64, 64)
	board := bot.Drawn("board.png", data, "A board")
	next := bot.Message{}
	onBench(t, func(bot.Request) bot.Answer { return public(next) }, func(t *testing.T, b *bench) {
		say := func(m bot.Message) message {
			next = m
			b.say(group, ann, "/roll")
			b.waits(10 * time.Second)
			return b.newest(group)
		}
		first := say(bot.Message{Page: "1", Said: bot.Said("one"), Now: bot.Said("now"), Picture: board})
		if first.Caption != "one\nnow" || len(first.Photo) == 0 || !bytes.Equal(b.data(first.Photo[len(first.Photo)-1].ID), data) {
			t.Errorf("%+v", first)
		}
		second := say(bot.Message{Page: "1", Before: bot.Said("one"), Said: bot.Said("two"), Picture: board})
		if second.ID != first.ID || second.Caption != "one\ntwo" {
			t.Errorf("not an edit: %+v", second)
		}
		if m := say(bot.Message{Page: "1", Before: bot.Said("one\ntwo"), Now: bot.Said("later")}); m.ID != first.ID || m.Caption != "one\ntwo\nlater" {
			t.Errorf("words that say nothing new belong below the picture: %+v", m)
		}
		third := say(bot.Message{Page: "1", Before: bot.Said("one\ntwo"), Said: bot.Said("three")})
		if third.ID == first.ID || third.Text != "one\ntwo\nthree" {
			t.Errorf("the old picture stands above new words: %+v", third)
		}
		if m := say(bot.Message{Page: "1", Before: bot.Said("one\ntwo\nthree"), Said: bot.Said("four"), Picture: board}); m.ID != third.ID || m.Caption == "" {
			t.Errorf("a text gets its picture by an edit: %+v", m)
		}
		film := bot.Drawn("film.gif", []byte("GIF89a"), "A film")
		if m := say(bot.Message{Said: bot.Said("film"), Picture: film}); m.Animation == nil {
			t.Errorf("no animation: %+v", m)
		}
		file := bot.Drawn("boards.yaml", []byte("size: 9"), "A board")
		if m := say(bot.Message{Said: bot.Said("file"), Picture: file}); m.Document == nil || m.Document.Name != "boards.yaml" {
			t.Errorf("no document: %+v", m)
		}
		longest := strings.Repeat("🎲", 500) + strings.Repeat("x", 24)
		if m := say(bot.Message{Said: bot.Said(longest), Picture: board}); len(m.Photo) == 0 || m.Caption != longest {
			t.Errorf("a caption of 1,024 units has no picture: %+v", m)
		}
		if m := say(bot.Message{Said: bot.Said(strings.Repeat("long ", 300)), Picture: board}); m.media() != "" {
			t.Error("a caption over the limit was sent")
		}
	})
}

// TestPicturesAreSentOnce: what looks the same is uploaded once, and again when
// Telegram doesn't know it any more; what isn't ready in time stays out.
func TestPicturesAreSentOnce(t *testing.T) {
	data, drawn := picture(t, 64, 64), 0
	var late error
	board := &bot.Picture{Name: "board.png", Key: "k", Instead: bot.Said("in words"), Draw: func(context.Context) ([]byte, error) {
		drawn++
		return data, late
	}}
	next := bot.Message{}
	onBench(t, func(bot.Request) bot.Answer { return public(next) }, func(t *testing.T, b *bench) {
		say := func(m bot.Message) message {
			next = m
			b.say(group, ann, "/roll")
			b.waits(10 * time.Second)
			return b.newest(group)
		}
		for i := range 3 {
			if m := say(bot.Message{Said: bot.Said(fmt.Sprint("go ", i)), Picture: board}); len(m.Photo) == 0 || drawn != 1 {
				t.Errorf("go %d was drawn %d times: %+v", i, drawn, m)
			}
		}
		b.forgetFiles()
		if m := say(bot.Message{Said: bot.Said("once more"), Picture: board}); len(m.Photo) == 0 || drawn != 2 {
			t.Errorf("drawn %d times: %+v", drawn, m)
		}
		late, board.Key = context.DeadlineExceeded, ""
		if m := say(bot.Message{Page: "1", Said: bot.Said("too late"), Picture: board}); len(m.Photo) > 0 || m.Text != "too late\nin words" {
			t.Errorf("%+v", m)
		}
	})
}

// TestPicturesThatAreRefused has words instead, with a hint once a day.
func TestPicturesThatAreRefused(t *testing.T) {
	board := bot.Drawn("board.png", picture(t, 64, 64), "")
	board.Refused = func(right string) bot.Text { return bot.Said("I may not; " + right + " would do.") }
	n := 0
	answer := func(bot.Request) bot.Answer {
		n++
		return public(bot.Message{Said: bot.Said(fmt.Sprint("go ", n)), Picture: board})
	}
	onBench(t, answer, func(t *testing.T, b *bench) {
		b.mute(group, "photos")
		var got []string
		for _, wait := range []time.Duration{time.Minute, time.Minute, 25 * time.Hour, time.Minute} {
			b.say(group, ann, "/roll")
			b.waits(wait)
			got = append(got, b.newest(group).Text)
		}
		want := []string{"I may not; Send Photos would do.\ngo 1", "go 2", "go 3", "I may not; Send Photos would do.\ngo 4"}
		if !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
		b.mute(group)
		b.setStatus(group, ann, "member")
		b.waits(time.Minute)
		b.say(group, ann, "/roll")
		b.waits(time.Minute)
		if m := b.newest(group); m.media() != "photo" {
			t.Errorf("pictures aren't tried again: %+v", m)
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
		{strings.Repeat("a", 4096), false}, {strings.Repeat("a", 4097), true},
		{strings.Repeat("🎲", 2048), false}, {strings.Repeat("🎲", 2049), true},
		{strings.Repeat("Asha rolls 4: 0 → 4, ladder to 14\n", 2000), true},
	} {
		onBench(t, func(bot.Request) bot.Answer { return bot.Answer{Asker: &bot.Message{Said: bot.Said(c.text)}} }, func(t *testing.T, b *bench) {
			b.say(group, ann, "/roll")
			b.waits(time.Minute)
			m := b.newest(group)
			switch {
			case !c.file && m.Text != strings.TrimSpace(c.text), c.file != (m.Document != nil):
				t.Errorf("%d bytes: %+v", len(c.text), m)
			case c.file && string(b.data(m.Document.ID)) != strings.TrimSpace(c.text)+"\n":
				t.Errorf("%d bytes: the file isn't whole", len(c.text))
			case c.file && !strings.HasPrefix(c.text, strings.TrimSuffix(m.Caption, " …")):
				t.Errorf("the caption %q isn't the beginning", m.Caption)
			}
		})
	}
}

// TestPressesAreToldWhatHasToWait answers a press whose message can't leave for
// a while with its words.
func TestPressesAreToldWhatHasToWait(t *testing.T) {
	n := 0
	answer := func(r bot.Request) bot.Answer {
		n++
		a := public(bot.Message{Said: bot.Said(fmt.Sprint("go ", n)), Buttons: [][]bot.Button{{{Label: "Roll", Line: "roll"}}}})
		a.Brief = bot.Said(strings.Repeat("brief ", 60))
		return a
	}
	onBench(t, answer, func(t *testing.T, b *bench) {
		b.say(group, ann, "/roll")
		b.waits(time.Second)
		var presses []string
		for range 9 {
			presses = append(presses, b.tap(group, ann, b.newest(group).ID, "Roll"))
			b.waits(100 * time.Millisecond)
		}
		for i, id := range presses {
			p := b.pressed(id)
			if want := i >= 4; strings.HasPrefix(p.text, "brief") != want || units(p.text) > 200 || p.answered != 1 {
				t.Errorf("press %d was answered %d times, with %q", i, p.answered, p.text)
			}
		}
		b.waits(time.Minute)
		if m := b.newest(group); !strings.Contains(m.Text, "go 10") {
			t.Errorf("%q", m.Text)
		}
	})
}

// TestSlowAnswers lets nobody's press wait for an engine that hangs: it is
// answered with nothing, and what only they are told comes as a message.
func TestSlowAnswers(t *testing.T) {
	answer := func(r bot.Request) bot.Answer {
		if r.Pressed {
			time.Sleep(9 * time.Second)
			return bot.Answer{Asker: &bot.Message{Said: bot.Said("late")}}
		}
		return public(bot.Message{Said: bot.Said("hi"), Buttons: [][]bot.Button{{{Label: "Roll", Line: "roll"}}}})
	}
	onBench(t, answer, func(t *testing.T, b *bench) {
		b.say(group, ann, "/roll")
		b.say(forum, ben, "/roll")
		b.waits(time.Second)
		id := b.tap(group, ann, b.newest(group).ID, "Roll")
		b.waits(4 * time.Second)
		if p := b.pressed(id); p.answered != 1 || p.text != "" {
			t.Errorf("answered %d times, %q", p.answered, p.text)
		}
		b.say(forum, ben, "/roll") // nobody else waits
		b.waits(time.Second)
		if n := len(b.messages(forum)); n != 4 {
			t.Errorf("%d messages in another chat", n)
		}
		b.waits(10 * time.Second)
		if m := b.newest(group); m.Text != "late" || !m.silent {
			t.Errorf("%+v", m)
		}
	})
}

// TestAPanicEndsOneUpdate and nothing else.
func TestAPanicEndsOneUpdate(t *testing.T) {
	answer := func(r bot.Request) bot.Answer {
		if len(r.Args) > 0 {
			panic("no " + r.Args[0])
		}
		return public(bot.Message{Said: bot.Said("hi")})
	}
	onBench(t, answer, func(t *testing.T, b *bench) {
		b.say(group, ann, "/roll dice")
		b.say(group, ann, "/roll")
		b.waits(time.Second)
		if m := b.newest(group); m.Text != "hi" || !strings.Contains(b.log.String(), "no dice") {
			t.Errorf("%q, logged %s", m.Text, b.log)
		}
	})
}

// TestWhatNobodyUnderstands sends updates of all odd kinds: they are confirmed,
// and what comes behind them is handled.
func TestWhatNobodyUnderstands(t *testing.T) {
	onBench(t, func(bot.Request) bot.Answer { return public(bot.Message{Said: bot.Said("hi")}) }, func(t *testing.T, b *bench) {
		chat := `{"id":-1001,"type":"supergroup","title":"Group"}`
		for kind, body := range map[string]string{
			"message":              `{"message_id":900,"date":1,"chat":` + chat + `}`,
			"poll":                 `{"id":"1","question":"?"}`,
			"something_new":        `{"is":"new"}`,
			"my_chat_member":       `{"chat":` + chat + `,"from":{"id":11,"first_name":"Ann"},"date":1,"old_chat_member":{"status":"emperor"},"new_chat_member":{"status":"king"}}`,
			"callback_query":       `{"id":"77","from":{"id":11,"first_name":"Ann"},"inline_message_id":"x","data":"roll"}`,
			"edited_message":       `{"message_id":901,"date":1,"chat":` + chat + `,"from":{"id":11,"first_name":"Ann"},"text":"/roll","entities":[{"type":"bot_command","offset":0,"length":5}]}`,
			"channel_post":         `{"message_id":902,"date":1,"chat":{"id":-5,"type":"channel"},"text":"/roll","entities":[{"type":"bot_command","offset":0,"length":5}]}`,
			"message_reaction":     `[]`,
			"deleted_business":     `7`,
			"chat_member":          `{"chat":` + chat + `,"from":{"id":11,"first_name":"Ann"},"date":1}`,
			"inline_query":         `{"id":"3","from":{"id":11},"query":"x","offset":""}`,
			"edited_channel_post":  `{"message_id":903,"date":1,"chat":{"id":-5,"type":"channel"}}`,
			"chosen_inline_result": `null`,
		} {
			b.inject(kind, body)
		}
		b.inject("message", `{"message_id":904,"date":1,"chat":`+chat+`,"from":{"id":11,"first_name":"Ann"},"text":"😀/r","entities":[{"type":"bot_command","offset":0,"length":90},{"type":"bot_command","offset":-3,"length":2}]}`)
		b.say(group, ann, "/roll")
		b.waits(time.Second)
		if m := b.newest(group); m.Text != "hi" || len(b.asked) != 1 {
			t.Errorf("%q, asked %d times", m.Text, len(b.asked))
		}
		b.forgive("there is no press") // the press that nobody can have made
	})
}

// TestSend puts what nobody asked for in line, and refuses others' channels.
func TestSend(t *testing.T) {
	onBench(t, nil, func(t *testing.T, b *bench) {
		told := false
		a := public(bot.Message{Said: bot.Said("ding"), Sound: true})
		a.Told = func() { told = true }
		if err := b.adapter.Send(t.Context(), bot.Channel{Chat: "telegram:-1002", Place: "7"}, a); err != nil {
			t.Fatal(err)
		}
		b.waits(time.Second)
		if m := b.newest(forum); m.Text != "ding" || m.Thread != 7 || m.silent || !told {
			t.Errorf("%+v, told: %t", m, told)
		}
		if err := b.adapter.Send(t.Context(), bot.Channel{Chat: "discord:4"}, a); err == nil {
			t.Error("sent to another platform")
		}
	})
}

// TestHealth tells what is in the way.
func TestHealth(t *testing.T) {
	onBench(t, nil, func(t *testing.T, b *bench) {
		if err := b.adapter.Health(); err != nil {
			t.Error(err)
		}
		b.fail("getUpdates", 3, failure{status: 502})
		b.waits(52 * time.Second)
		if err := b.adapter.Health(); err == nil {
			t.Error("healthy while polls fail")
		}
		b.waits(2 * time.Minute)
		if err := b.adapter.Health(); err != nil {
			t.Error(err)
		}
		b.fail("getUpdates", 1, failure{status: 409})
		b.waits(52 * time.Second)
		if !strings.Contains(b.log.String(), "another program polls for this bot") {
			t.Errorf("logged %s", b.log)
		}
	})
}

// TestRefusedTokens stop the start, or the program, with a line that says so and
// doesn't show the token.
func TestRefusedTokens(t *testing.T) {
	for _, token := range []string{"", "a b", "x/../y", "1:\n"} {
		if _, err := telegram.New(telegram.Config{Token: token}); err == nil || !strings.Contains(err.Error(), "BotFather") || token != "" && strings.Contains(err.Error(), token) {
			t.Errorf("%q: %v", token, err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		api := newWorld(t)
		api.fail("getMe", 1, failure{status: 401, description: "Unauthorized"})
		adapter, err := telegram.New(telegram.Config{Token: api.token, URL: api.url(), Client: api.Client(), Notes: &notes{}})
		if err != nil {
			t.Fatal(err)
		}
		err = adapter.Run(t.Context(), &host{})
		if err == nil || !strings.Contains(err.Error(), "HISS_TELEGRAM_TOKEN") || strings.Contains(err.Error(), api.token) {
			t.Errorf("%v", err)
		}
	})
}

// TestTheTokenIsNowhere breaks calls in all ways, while everything is logged.
func TestTheTokenIsNowhere(t *testing.T) {
	onBench(t, func(r bot.Request) bot.Answer { return public(bot.Message{Said: bot.Said("hi")}) }, func(t *testing.T, b *bench) {
		ways := []failure{{cut: true}, {status: 500}, {garbage: true}, {redirect: "https://elsewhere.example/"}, {status: 404}, {delay: 2 * time.Minute}}
		for _, f := range ways {
			b.fail("sendMessage", 1, f)
			b.fail("getUpdates", 1, f)
			b.say(group, ann, "/roll")
			b.waits(3 * time.Minute)
			if err := b.adapter.Health(); err != nil && strings.Contains(err.Error(), b.token) {
				t.Errorf("health shows it: %v", err)
			}
		}
		if strings.Contains(b.log.String(), b.token) {
			t.Errorf("logged: %s", b.log)
		}
	})
}
