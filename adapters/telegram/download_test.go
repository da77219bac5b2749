package telegram_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"hiss/bot"
)

// TestDownloadsAreBounded in time, in size and in where they come from, whatever
// goes wrong; the token stands in no error and no log.
func TestDownloadsAreBounded(t *testing.T) {
	const limit = 1000
	whole := bytes.Repeat([]byte("1"), limit)
	for name, c := range map[string]struct {
		data  []byte
		claim int // the size that Telegram tells
		fails map[string]failure
		took  time.Duration
		large bool // the error says so
		fine  bool
	}{
		"as large as may be":        {data: whole, claim: limit, fine: true},
		"without a size":            {data: whole, fine: true},
		"smaller than it says":      {data: whole[:10], claim: 500, fine: true},
		"one byte more":             {data: append(whole[:limit:limit], '1'), claim: limit + 1, large: true},
		"more, without a size":      {data: append(whole[:limit:limit], '1'), large: true},
		"larger than it says":       {data: bytes.Repeat(whole, 10<<10), claim: 5, large: true},
		"too large by what it says": {data: whole, claim: 10 << 20, large: true},
		"a hanging question":        {data: whole, fails: map[string]failure{"getFile": {delay: time.Hour}}, took: 10 * time.Second},
		"a hanging file":            {data: whole, fails: map[string]failure{"file": {delay: time.Hour}}, took: 10 * time.Second},
		"a slow drip":               {data: whole, fails: map[string]failure{"file": {drip: limit}}, took: 10 * time.Second},
		"both slow":                 {data: whole, fails: map[string]failure{"getFile": {delay: 6 * time.Second}, "file": {drip: 6}}, took: 10 * time.Second},
		"a drip in time":            {data: whole, fails: map[string]failure{"file": {drip: 5}}, took: 5 * time.Second, fine: true},
		"elsewhere":                 {data: whole, fails: map[string]failure{"file": {redirect: "https://elsewhere.example/"}}},
		"not there":                 {data: whole, fails: map[string]failure{"file": {status: 404}}},
		"no such file":              {data: whole, fails: map[string]failure{"getFile": {status: 400}}},
		"cut off":                   {data: whole, fails: map[string]failure{"file": {cut: true}}},
		"something else":            {data: whole, fails: map[string]failure{"file": {status: 502, garbage: true}}},
	} {
		t.Run(name, func(t *testing.T) {
			onBench(t, hi, func(t *testing.T, b *bench) {
				m := b.say(ann, ann, "/boards upload", attaching("a.yaml", c.data), claiming(c.claim))
				b.waits(time.Second)
				for method, f := range c.fails {
					b.fail(method, 1, f)
				}
				begun := time.Now()
				data, err := b.of("telegram:11")[0].Attachment.Read(t.Context(), limit)
				if took := time.Since(begun); took != c.took {
					t.Errorf("it took %v", took)
				}
				if _, large := errors.AsType[*bot.TooLarge](err); large != c.large || (err == nil) != c.fine {
					t.Errorf("%v", err)
				}
				if drip := c.fails["file"].drip; c.fine && drip == 0 && !bytes.Equal(data, c.data) || err != nil && len(data) > 0 {
					t.Errorf("%d bytes of %s, %v", len(data), m.Document.Name, err)
				}
				if err != nil && strings.Contains(err.Error(), b.token) || strings.Contains(b.log.String(), b.token) {
					t.Errorf("the token stands in %v, or is logged: %s", err, b.log)
				}
				if n := b.calls("elsewhere"); n > 0 {
					t.Errorf("%d calls of another host", n)
				}
			})
		})
	}
}

// claiming lets the server tell another size of a file than it has, none if 0.
func claiming(size int) func(*botAPI, *message) {
	return func(a *botAPI, m *message) {
		m.Document.Size, a.files[m.Document.ID].Size = size, size
	}
}

// TestOnlyItsOwnQuestionsAreAnswered: whoever writes a link like a question's asks
// for nothing, nor do others' bots, nor a link that leads elsewhere.
func TestOnlyItsOwnQuestionsAreAnswered(t *testing.T) {
	const link = "https://t.me/HissBot?start=cm9sbA" // roll
	onBench(t, hi, func(t *testing.T, b *bench) {
		b.botAPI.mu.Lock()
		b.privacy = false
		b.botAPI.mu.Unlock()
		linked := func(by user, kind, address string) message {
			return message{ID: 77, From: &by, Text: "Say it.", Entities: []entity{{Type: kind, Length: 3, URL: address}}}
		}
		other := user{ID: 5, IsBot: true, FirstName: "Other"}
		forward := linked(b.self, "text_link", link)
		forward.Forward = map[string]any{"type": "hidden_user", "sender_user_name": "Somebody", "date": 1}
		for _, to := range []message{
			linked(*b.users[ben], "text_link", link), linked(other, "text_link", link), forward,
			linked(b.self, "url", ""), linked(b.self, "text_link", "https://t.example/HissBot?start=cm9sbA"),
			linked(b.self, "text_link", "https://t.me/HissBot?start=%00"), linked(b.self, "text_link", "https://t.me/HissBot"),
			linked(b.self, "text_link", "::"),
		} {
			b.say(group, ann, "4-14", replying(to))
		}
		b.waits(time.Second)
		if len(b.asked) > 0 {
			t.Errorf("asked %+v", b.asked)
		}
		b.say(group, ann, "4-14", replying(linked(b.self, "text_link", link)))
		b.say(group, ann, "", replying(linked(b.self, "text_link", link)), func(_ *botAPI, m *message) { m.Joined = []user{*b.users[ben]} })
		b.waits(time.Second)
		if len(b.asked) != 1 {
			t.Fatalf("asked %+v", b.asked)
		}
		if r := b.asked[0]; r.Command != "roll" || len(r.Args) > 0 || r.Pressed || !r.Named || r.Attachment.Name != "" {
			t.Errorf("%+v", r)
		}
	})
}
