package discord_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"hiss/bot"
)

// TestAttachmentsAreBounded in time, in size and in where they come from, whatever
// goes wrong; neither the token nor the signature of an address stands in an error.
func TestAttachmentsAreBounded(t *testing.T) {
	const limit = 1000
	whole := bytes.Repeat([]byte("1"), limit)
	for name, c := range map[string]struct {
		data   []byte
		claims int // the size that Discord tells, if it isn't the real one
		fails  failure
		took   time.Duration
		large  bool // the error says so
		fine   bool
	}{
		"as large as may be":        {data: whole, fine: true},
		"smaller than it says":      {data: whole[:10], claims: 500, fine: true},
		"one byte more":             {data: append(whole[:limit:limit], '1'), large: true},
		"larger than it says":       {data: bytes.Repeat(whole, 10<<10), claims: 5, large: true},
		"too large by what it says": {data: whole, claims: 10 << 20, large: true},
		"a hanging file":            {data: whole, fails: failure{delay: time.Hour}, took: 10 * time.Second},
		"a slow drip":               {data: whole, fails: failure{drip: limit}, took: 10 * time.Second},
		"a slow start and a drip":   {data: whole, fails: failure{delay: 6 * time.Second, drip: 6}, took: 10 * time.Second},
		"a drip in time":            {data: whole, fails: failure{drip: 5}, took: 5 * time.Second, fine: true},
		"elsewhere":                 {data: whole, fails: failure{redirect: "http://elsewhere.example/"}},
		"not there":                 {data: whole, fails: failure{status: 404}},
		"cut off":                   {data: whole, fails: failure{cut: true}},
		"something else":            {data: whole, fails: failure{garbage: true}},
	} {
		t.Run(name, func(t *testing.T) {
			onBench(t, func(bot.Request) bot.Answer { return public(bot.Message{Said: bot.Said("hi")}) }, func(t *testing.T, b *bench) {
				line := typing{words: []string{"roll"}, file: &upload{name: "tiny.yaml", data: c.data}, claims: c.claims}
				if err := b.slash(b.hall, b.ann, line); err != nil {
					t.Fatal(err)
				}
				b.waits(time.Second)
				f := b.asked[0].Attachment
				if f == nil || f.Name != "tiny.yaml" {
					t.Fatalf("%+v", f)
				}
				if c.fails != (failure{}) {
					b.fail("file", 100, c.fails)
				}
				begun := time.Now()
				data, err := f.Read(context.Background(), limit)
				if took := time.Since(begun); took != c.took {
					t.Errorf("it took %v", took)
				}
				if _, large := errors.AsType[*bot.TooLarge](err); large != c.large || (err == nil) != c.fine {
					t.Errorf("%v", err)
				}
				if c.fine && c.fails.drip == 0 && !bytes.Equal(data, c.data) || err != nil && len(data) > 0 {
					t.Errorf("%d bytes, %v", len(data), err)
				}
				for _, secret := range []string{b.token, "hm="} {
					if err != nil && strings.Contains(err.Error(), secret) || strings.Contains(b.log.String(), secret) {
						t.Errorf("%s stands in %v, or is logged: %s", secret, err, b.log)
					}
				}
			})
		})
	}
}

// TestAttachmentsOfOtherHosts aren't fetched at all.
func TestAttachmentsOfOtherHosts(t *testing.T) {
	onBench(t, func(bot.Request) bot.Answer { return public(bot.Message{Said: bot.Said("hi")}) }, func(t *testing.T, b *bench) {
		for _, address := range []string{
			"https://elsewhere.example/attachments/1/2/a.yaml", "http://cdn.discordapp.com/a", "https://cdn.discordapp.com.example/a",
			"https://cdn.discordapp.com@elsewhere.example/a", "ftp://cdn.discordapp.com/a", "file:///etc/passwd", "//", "%", "",
		} {
			line := typing{words: []string{"roll"}, file: &upload{name: "tiny.yaml", data: []byte("size: 9")}, at: &address}
			if err := b.slash(b.hall, b.ann, line); err != nil {
				t.Fatal(err)
			}
			b.waits(5 * time.Second)
			if _, err := b.asked[len(b.asked)-1].Attachment.Read(context.Background(), 100); err == nil {
				t.Errorf("%q was fetched", address)
			}
		}
	})
}
