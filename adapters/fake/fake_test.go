package fake_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hiss/adapters/fake"
	"hiss/adapters/talk"
	"hiss/bot"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata")

// kettle makes tea.
type kettle struct {
	platform *fake.Platform
	asked    []bot.Request
}

func newKettle(c fake.Config) *kettle {
	k := &kettle{platform: fake.New(c)}
	k.platform.Serve(k, k)
	return k
}

func (k *kettle) Commands() []bot.Command                { return nil }
func (k *kettle) About() (short, long string)            { return "", "" }
func (k *kettle) Back(context.Context, bot.ChatID) error { return nil }

func (k *kettle) Left(context.Context, bot.ChatID, bot.User) error { return nil }
func (k *kettle) Started(context.Context, bot.Adapter)             {}

func (k *kettle) Move(context.Context, bot.ChatID, bot.ChatID) error { return nil }

func (k *kettle) Handle(_ context.Context, r bot.Request) bot.Answer {
	k.asked = append(k.asked, r)
	switch r.Command {
	case "brew":
		return bot.Answer{Channel: []bot.Message{{
			Page: "1", Call: &r.User, Sound: true,
			Said:    bot.Text{{Kind: bot.Sign, Text: "🫖 "}, {Kind: bot.Strong, Text: r.User.Name}, {Text: " brews"}},
			Buttons: [][]bot.Button{{{Sign: "☕", Label: "Pour", Line: "pour"}}, {{Label: "Throw away", Line: "throw away"}}},
		}}}
	case "pour":
		return bot.Answer{Asker: &bot.Message{Said: bot.Said("wait")}}
	case "order":
		return k.order(r)
	}
	return bot.Answer{Channel: []bot.Message{{Said: bot.Said(r.User.Name + ": " + r.Command + " " + strings.Join(r.Args, " "))}}}
}

// order takes an order, or asks for one, and gives it back as a file.
func (k *kettle) order(r bot.Request) bot.Answer {
	if r.Attachment == nil {
		return bot.Answer{Asker: &bot.Message{Said: bot.Said("what?"), Asks: &bot.Question{Line: "order", Title: "Order"}}}
	}
	data, err := r.Attachment.Read(context.Background(), 100)
	if err != nil {
		return bot.Answer{Asker: &bot.Message{Said: bot.Said(err.Error())}}
	}
	return bot.Answer{Channel: []bot.Message{{
		Said: bot.Said(r.User.Name + " orders by " + r.Attachment.Name), Document: &bot.Document{Name: "order.txt", Data: data},
		Buttons: [][]bot.Button{{{Label: "Pour", Line: "pour"}}},
	}}}
}

func (k *kettle) Direct(ctx context.Context, word string, args []string) error {
	if word != "ring" {
		return errors.New("no such directive")
	}
	for i, channel := range []string{"", "garden"} {
		m := bot.Message{Said: bot.Said(fmt.Sprint("ring ", i+1))}
		if err := k.platform.Send(ctx, talk.ChannelOf(k.platform.Name(), channel), bot.Answer{Channel: []bot.Message{m}}); err != nil {
			return err
		}
	}
	return nil
}

func TestTranscript(t *testing.T) {
	k := newKettle(fake.Config{Dir: "testdata"})
	k.platform.Check(t, "testdata/tea.txt", *update)
	if a := k.asked[0].Attachment; a == nil {
		t.Error("the file was not attached")
	} else if data, err := a.Read(t.Context(), 3); string(data) != "six" || err != nil {
		t.Errorf("read %q, %v", data, err)
	}
	if first, again := k.asked[len(k.asked)-2], k.asked[len(k.asked)-1]; first.ID != again.ID || !strings.HasPrefix(first.ID, "fake:0-") {
		t.Errorf("ids %q and %q", first.ID, again.ID)
	}
}

// TestFilesAndQuestions plays a conversation about both.
func TestFilesAndQuestions(t *testing.T) {
	newKettle(fake.Config{Dir: "testdata"}).platform.Check(t, "testdata/order.txt", *update)
}

// input is what remains of a transcript without the bot's lines.
func input(t *testing.T, script string) string {
	t.Helper()
	var b strings.Builder
	r := talk.NewReader(strings.NewReader(script))
	for {
		l, err := r.Next()
		if err != nil {
			return b.String()
		}
		if l.Kind != talk.Output {
			b.WriteString(r.Raw() + "\n")
		}
	}
}

func TestPlayWritesOutputAnew(t *testing.T) {
	data, err := os.ReadFile("testdata/tea.txt")
	if err != nil {
		t.Fatal(err)
	}
	script := string(data)
	for name, from := range map[string]string{
		"the input alone":          input(t, script),
		"other output":             strings.ReplaceAll(script, "asha brews", "asha boils\n     and boils"),
		"without last break":       strings.TrimSuffix(script, "\n"),
		"line breaks of Windows":   strings.ReplaceAll(script, "\n", "\r\n"),
		"white space at line ends": strings.ReplaceAll(input(t, script), "\n", " \t\n"),
	} {
		got, err := newKettle(fake.Config{Dir: "testdata"}).platform.Play(t.Context(), from)
		if err != nil || got != script {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

func TestPlayTellsFaultsByLine(t *testing.T) {
	got, err := newKettle(fake.Config{}).platform.Play(t.Context(), "/brew\nasha: /brew\nbot: x\n!fly\n     [Pour]\nasha: [Nothing]\n")
	if err == nil {
		t.Fatal("no fault")
	}
	for i, want := range []string{"line 1: nobody has spoken", "line 4: !fly: no such directive", "line 5: it is indented", "line 6: asha sees no button [Nothing]"} {
		if lines := strings.Split(err.Error(), "\n"); len(lines) != 4 || !strings.HasPrefix(lines[i], want) {
			t.Errorf("faults are %q, want %q", lines, want)
		}
	}
	want := "/brew\nasha: /brew\nbot: asha brews\n     [Pour] [Throw away]\n!fly\n     [Pour]\nasha: [Nothing]\n"
	if got != want {
		t.Errorf("played:\n%s", got)
	}
}

func TestSayReturnsMessages(t *testing.T) {
	k := newKettle(fake.Config{Name: "other", Stamp: "s", Private: true})
	sent, err := k.platform.Say(t.Context(), "bot", "/brew")
	if err != nil || len(sent) != 1 || sent[0].Message.Call.Name != "bot" || !sent[0].Message.Sound || sent[0].Message.Page != "1" {
		t.Fatalf("%+v, %v", sent, err)
	}
	if q := k.asked[0]; q.ID != "other:s-1" || q.Channel.Chat != "other:terminal" || q.User.ID != "other:bot" || !q.Alone {
		t.Errorf("asked %+v", q)
	}
	sent, err = k.platform.Line(t.Context(), "#garden bo: /pour")
	if err != nil || len(sent) != 1 || sent[0].Only.Name != "bo" || sent[0].Channel.Chat != "other:garden" {
		t.Errorf("%+v, %v", sent, err)
	}
	if _, err := k.platform.Line(t.Context(), "! x"); err == nil {
		t.Error("an unreadable line was taken")
	}
	if got := k.platform.Printed(); got != "bot: bot brews\n     [Pour] [Throw away]\n#garden bot (only bo): wait\n" {
		t.Errorf("printed %q", got)
	}
	if len(k.platform.Sent()) != 0 || k.platform.Printed() != "" {
		t.Error("something is returned twice")
	}
}

func TestRunServesUntilItsContextEnds(t *testing.T) {
	p, k := fake.New(fake.Config{}), &kettle{}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := bot.Run(ctx, k, nil, p); err != nil {
		t.Error(err)
	}
	if sent, err := p.Say(t.Context(), "asha", "/brew"); err != nil || len(sent) != 1 {
		t.Errorf("%+v, %v", sent, err)
	}
}

// recorder is a test that may fail.
type recorder struct {
	testing.TB
	failures string
}

func (r *recorder) Helper()                        {}
func (r *recorder) Errorf(format string, a ...any) { r.failures += fmt.Sprintf(format, a...) }
func (r *recorder) Error(a ...any)                 { r.failures += fmt.Sprint(a...) }

func TestCheckShowsWhatDiffers(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	script := "# one\n# two\n# three\nasha: /brew\nbot: asha boils\n     [Pour] [Throw away]\n# four\n# five\n# six\n# seven\n# eight\nasha: /x y\n"
	write := func(s string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(update bool) string {
		r := &recorder{TB: t}
		fake.Check(r, path, update, &kettle{}, nil)
		return r.failures
	}
	write(script)
	got := check(false)
	want := "    3   # three\n    4   asha: /brew\n    5 - bot: asha boils\n    6 + bot: asha brews\n    6        [Pour] [Throw away]\n    7   # four\n" +
		"  ...\n   11   # eight\n   12   asha: /x y\n   13 + bot: asha: x y\n"
	if !strings.Contains(got, path) || !strings.HasSuffix(got, ":\n"+want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if data, _ := os.ReadFile(path); string(data) != script {
		t.Error("the file was rewritten without being asked to")
	}
	if got := check(true) + check(false); got != "" {
		t.Errorf("after an update: %s", got)
	}
	write(script + "! x\n")
	if got := check(true); !strings.Contains(got, "line 13:") {
		t.Errorf("a fault: %s", got)
	}
	if data, _ := os.ReadFile(path); string(data) != script+"! x\n" {
		t.Error("a script with faults was rewritten")
	}
}

func TestPlayFailsItsTest(t *testing.T) {
	r := &recorder{TB: t}
	if got := fake.Play(r, "asha: /x 1\n!fly\n", &kettle{}, nil); got != "asha: /x 1\nbot: asha: x 1\n!fly\n" || !strings.Contains(r.failures, "line 2: !fly") {
		t.Errorf("played %q, failed with %q", got, r.failures)
	}
}
