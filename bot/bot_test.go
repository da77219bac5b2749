package bot_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"hiss/bot"
)

func TestParseLine(t *testing.T) {
	for line, want := range map[string][]string{
		"":                         {"", ""},
		"   ":                      {"", ""},
		"/roll":                    {"roll", ""},
		"/ROLL@OurBot":             {"roll", "OurBot"},
		"roll 12 7":                {"roll", "", "12", "7"},
		"/newgame  jungle\tdice=2": {"newgame", "", "jungle", "dice=2"},
		"/":                        {"", ""},
		"/@bot x":                  {"", "bot", "x"},
		"/Ünseat Zoë":              {"ünseat", "", "Zoë"},
	} {
		command, mention, args := bot.ParseLine(line)
		if got := append([]string{command, mention}, args...); !slices.Equal(got, want) {
			t.Errorf("%q is %q, not %q", line, got, want)
		}
	}
}

func TestText(t *testing.T) {
	line := bot.Text{{Kind: bot.Sign, Text: "🎲 "}, {Kind: bot.Strong, Text: "Asha"}, {Text: " rolls 4"}}
	if got := line.String(); got != "Asha rolls 4" {
		t.Errorf("%q", got)
	}
	there := bot.Text{{Text: "In "}, {Kind: bot.Where, Text: "#garden", Place: "7"}, {Text: ", "}, {Kind: bot.Moment, Text: "in 30 s", At: time.Unix(7, 0)}}
	if got := there.String(); got != "In #garden, in 30 s" {
		t.Errorf("%q", got)
	}
	if got := bot.Lines(nil, line, bot.Said(""), bot.Said("next")).String(); got != "Asha rolls 4\nnext" {
		t.Errorf("%q", got)
	}
	if bot.Lines() != nil || bot.Said("") != nil {
		t.Error("nothing said isn't nil")
	}
	m := bot.Message{Before: bot.Said("told"), Said: bot.Said("said"), Now: bot.Said("now")}
	if got := m.Text().String(); got != "said\nnow" {
		t.Errorf("%q", got)
	}
}

func TestChannel(t *testing.T) {
	c := bot.Channel{Chat: "telegram:-100", Place: "7"}
	if c.String() != "telegram:-100/7" || c.Chat.Adapter() != "telegram" {
		t.Error(c, c.Chat.Adapter())
	}
	if c.Place = ""; c.String() != "telegram:-100" {
		t.Error(c)
	}
}

func TestReadAtMost(t *testing.T) {
	for limit, want := range map[int]string{6: "", 7: "size: 9", 8: "size: 9"} {
		for name, read := range map[string]func() ([]byte, error){
			"text":   func() ([]byte, error) { return bot.Written("size: 9").Read(t.Context(), limit) },
			"reader": func() ([]byte, error) { return bot.ReadAtMost(strings.NewReader("size: 9"), limit) },
		} {
			data, err := read()
			large, isLarge := errors.AsType[*bot.TooLarge](err)
			if string(data) != want || isLarge != (want == "") || isLarge && large.Limit != limit {
				t.Errorf("%s of at most %d: %q, %v", name, limit, data, err)
			}
		}
	}
	broken := errors.New("gone")
	if _, err := bot.ReadAtMost(iotest.ErrReader(broken), 1); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	endless := &counting{}
	if _, err := bot.ReadAtMost(endless, 1000); err == nil || endless.read > 1001 {
		t.Errorf("%v after %d bytes", err, endless.read)
	}
}

// counting never ends, and counts what is read.
type counting struct{ read int }

func (c *counting) Read(p []byte) (int, error) {
	c.read += len(p)
	return len(p), nil
}

func TestDocumentText(t *testing.T) {
	for data, want := range map[string]bool{
		"": true, "size: 9\n": true, "a\tb\r\nç": true, "\x89PNG\r\n": false, "a\x00b": false, "\x1b[2J": false, "\xff": false,
	} {
		d := bot.Document{Data: []byte(data)}
		if text, ok := d.Text(); ok != want || text != data {
			t.Errorf("%q: %q, %t", data, text, ok)
		}
	}
}

// platform is an adapter that ends when told to, or fails at once.
type platform struct {
	name string
	err  error
	told chan struct{} // closed when its context ended
}

func (p *platform) Name() string { return p.name }

func (p *platform) Run(ctx context.Context, _ bot.Handler) error {
	if p.err != nil {
		return p.err
	}
	<-ctx.Done()
	close(p.told)
	return nil
}

func (p *platform) Send(context.Context, bot.Channel, bot.Answer) error { return nil }
func (p *platform) Reachable() bool                                     { return true }
func (p *platform) Member(context.Context, bot.ChatID, bot.UserID) (bool, error) {
	return true, nil
}

// TestRun lets one adapter fail: it is said which, the other goes on until it's
// told to stop, and the end is an error.
func TestRun(t *testing.T) {
	broken := errors.New("no such token")
	good := &platform{name: "good", told: make(chan struct{})}
	ctx, stop := context.WithCancel(t.Context())
	failed := func(a bot.Adapter, err error) {
		select {
		case <-good.told:
			t.Error("the other one was stopped")
		default:
		}
		if a.Name() != "bad" || !errors.Is(err, broken) {
			t.Errorf("%s: %v", a.Name(), err)
		}
		stop()
	}
	err := bot.Run(ctx, nil, failed, good, &platform{name: "bad", err: broken})
	if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "bad: ") {
		t.Errorf("%v", err)
	}
	quiet := &platform{name: "quiet", told: make(chan struct{})}
	if err := bot.Run(ctx, nil, nil, quiet); err != nil {
		t.Errorf("an orderly end: %v", err)
	}
}
