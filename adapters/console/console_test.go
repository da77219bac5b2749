package console_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"hiss/adapters/console"
	"hiss/adapters/talk"
	"hiss/bot"
)

// kettle makes tea, and writes down what it was asked.
type kettle struct {
	asked     []bot.Request
	completed []string              // what it was asked to suggest for
	busy      func(context.Context) // while it handles a request, if set
	told      func()
}

func (k *kettle) Started(context.Context, bot.Adapter) {}

func (k *kettle) Move(context.Context, bot.ChatID, bot.ChatID) error { return nil }

func (k *kettle) About() (short, long string) { return "", "" }

func (k *kettle) Back(context.Context, bot.ChatID) error { return nil }

func (k *kettle) Left(context.Context, bot.ChatID, bot.User) error { return nil }

func (k *kettle) Commands() []bot.Command {
	return []bot.Command{{Name: "pour"}, {Name: "post"}, {Name: "brew", Options: []bot.Option{
		{Name: "leaf", Choices: []string{"green", "black", "blue"}},
		{Name: "milk", Keyed: true, Choices: []string{"no", "yes"}}, {Name: "minutes", Keyed: true},
	}}, {Name: "cups", Subs: []bot.Command{
		{Name: "show", Options: []bot.Option{{Name: "cup", Suggests: true}, {Name: "from", Keyed: true, Suggests: true}}},
		{Name: "list"}, {Name: "shelve"},
	}}}
}

// suggest returns the cups that there are, and where they come from.
func (k *kettle) suggest(r bot.Request) bot.Answer {
	k.completed = append(k.completed, r.Completing+" "+r.Command+" "+strings.Join(r.Args, "|"))
	values := map[string][]string{"cup": {"mug", "mocha", "old mug"}, "from": {"delft"}}[r.Completing]
	var a bot.Answer
	for _, v := range values {
		a.Suggestions = append(a.Suggestions, bot.Suggestion{Label: "a " + v, Value: v})
	}
	return a
}

func (k *kettle) Handle(ctx context.Context, r bot.Request) bot.Answer {
	if r.Completing != "" {
		return k.suggest(r)
	}
	k.asked = append(k.asked, r)
	if k.busy != nil {
		k.busy(ctx)
	}
	switch r.Command {
	case "brew":
		next := talk.UserOf("console", "bo")
		return bot.Answer{Told: k.told, Channel: []bot.Message{{
			Said:    bot.Text{{Kind: bot.Sign, Text: "🫖 "}, {Kind: bot.Strong, Text: r.User.Name}, {Text: " brews"}},
			Buttons: [][]bot.Button{{{Sign: "☕", Label: "Pour", Line: "pour"}, {Label: "Throw away", Line: "throw"}}},
			Next:    &next,
		}}}
	case "pour":
		return bot.Answer{Asker: &bot.Message{Said: bot.Said("wait")}}
	}
	return bot.Answer{Channel: []bot.Message{{Said: bot.Said(r.User.Name + ": " + r.Command)}}}
}

// run runs a console over an input that ends, and returns what it wrote.
func run(t *testing.T, c console.Config, k *kettle, in string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	c.In, c.Out, c.Err = strings.NewReader(in), &o, &e
	if err := console.New(c).Run(t.Context(), k); err != nil {
		t.Errorf("Run: %v", err)
	}
	return o.String(), e.String()
}

func TestPiped(t *testing.T) {
	k := &kettle{}
	out, errs := run(t, console.Config{Login: "me", Stamp: "s", Colours: true}, k, strings.Join([]string{
		"# tea", "/brew", "#club/garden asha: /brew\r", "bo: [Pour]", "", "bot: an old answer", "     and more of it",
		"[Throw away]~0", "#club/garden [Pour]", "!again", "hello", "!fly", "[Cup]", ": x", strings.Repeat("x", 100_000), "asha: /x"}, "\n"))
	wantOut := "bot: me brews\n     [Pour] [Throw away]\n" +
		"#club/garden bot: asha brews\n#club/garden      [Pour] [Throw away]\n" +
		"bot (only bo): wait\nbot: bo: throw\n#club/garden bot (only bo): wait\n#club/garden bot (only bo): wait\nbot: asha: x\n"
	wantErrs := "line 12: there is no directive !fly here\nline 13: bo sees no button [Cup] that far back\n" +
		"line 14: there is no name before the colon\nline 15: it is longer than 65536 bytes\n"
	if out != wantOut || errs != wantErrs {
		t.Errorf("got\n%s\nand\n%s\nwant\n%s\nand\n%s", out, errs, wantOut, wantErrs)
	}
	for i, r := range k.asked {
		if r.Alone || !r.Named || !strings.HasPrefix(r.ID, "console:s-") {
			t.Errorf("request %d is %+v", i, r)
		}
	}
	if k.asked[0].User.ID != "console:me" || k.asked[5].ID != k.asked[4].ID {
		t.Errorf("asked %+v", k.asked)
	}
}

func TestIDsDifferAcrossRuns(t *testing.T) {
	a, b := &kettle{}, &kettle{}
	run(t, console.Config{}, a, "me: /brew\n")
	run(t, console.Config{}, b, "me: /brew\n")
	if a.asked[0].ID == b.asked[0].ID {
		t.Errorf("both are %s", a.asked[0].ID)
	}
}

func TestAttachesFilesOnly(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "cups.txt")
	if err := os.WriteFile(file, []byte("six"), 0o600); err != nil {
		t.Fatal(err)
	}
	k := &kettle{}
	_, errs := run(t, console.Config{Login: "me"}, k, "!file "+dir+"\n!file "+file+"\u202ex\n!file /dev/zero\n!file "+file+"\n/x\n")
	if n := strings.Count(errs, "\n"); n != 3 || strings.Contains(errs, "\u202e") || !strings.Contains(errs, "line 3: !file: /dev/zero is no file") {
		t.Errorf("faults:\n%s", errs)
	}
	if data, err := k.asked[0].Attachment.Read(t.Context(), 10); string(data) != "six" || err != nil {
		t.Errorf("read %q, %v", data, err)
	}
}

// started is a console that runs, over pipes.
type started struct {
	*console.Console
	in   *io.PipeWriter
	out  *bufio.Reader
	stop context.CancelFunc
	done chan error
}

func start(t *testing.T, c console.Config, k *kettle) *started {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c.In, c.Out = inR, outW
	if c.Err == nil {
		c.Err = io.Discard
	}
	ctx, stop := context.WithCancel(t.Context())
	s := &started{Console: console.New(c), in: inW, out: bufio.NewReader(outR), stop: stop, done: make(chan error, 1)}
	go func() {
		s.done <- s.Run(ctx, k)
		outW.Close()
	}()
	t.Cleanup(func() { stop(); inW.Close(); outR.Close() })
	return s
}

func (s *started) say(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(s.in, text); err != nil {
		t.Fatal(err)
	}
}

func (s *started) read(t *testing.T, want string) {
	t.Helper()
	got := make([]byte, len(want))
	if n, err := io.ReadFull(s.out, got); string(got[:n]) != want || err != nil {
		t.Fatalf("read %q, %v, want %q", got[:n], err, want)
	}
}

func TestAnswersBeforeReadingOn(t *testing.T) {
	k := &kettle{}
	told := make(chan struct{}, 1)
	k.told = func() { told <- struct{}{} }
	s := start(t, console.Config{}, k)
	s.say(t, "me: /brew\nme: /x\n")
	s.read(t, "bot: me brews\n     [Pour] [Throw away]\n")
	<-told
	s.read(t, "bot: me: x\n")
}

func TestSend(t *testing.T) {
	s := start(t, console.Config{}, &kettle{})
	s.say(t, "me: /x\n")
	s.read(t, "bot: me: x\n")
	sent := make(chan error, 1)
	go func() {
		sent <- s.Send(t.Context(), talk.ChannelOf("console", "garden"), bot.Answer{Channel: []bot.Message{{Said: bot.Said("ding")}}})
	}()
	s.read(t, "#garden bot: ding\n")
	if err := <-sent; err != nil {
		t.Error(err)
	}
	s.in.Close()
	if err := <-s.done; err != nil {
		t.Error(err)
	}
	if err := s.Send(t.Context(), talk.ChannelOf("console", ""), bot.Answer{Channel: []bot.Message{{}}}); err == nil {
		t.Error("Send outside of Run succeeds")
	}
}

func TestContextEndsWhileWaitingForInput(t *testing.T) {
	s := start(t, console.Config{}, &kettle{}) // an input that can't be interrupted
	s.say(t, "me: /x\n")
	s.read(t, "bot: me: x\n")
	s.stop()
	if err := <-s.done; err != nil {
		t.Error(err)
	}
}

// watched is a file that tells when it is read.
type watched struct {
	*os.File
	reads chan struct{}
}

func (w watched) Read(p []byte) (int, error) {
	w.reads <- struct{}{}
	return w.File.Read(p)
}

func TestContextInterruptsAFile(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	ctx, stop := context.WithCancel(t.Context())
	reads := make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- console.New(console.Config{In: watched{r, reads}, Out: io.Discard, Err: io.Discard}).Run(ctx, &kettle{})
	}()
	<-reads
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := w.WriteString("left"); err != nil {
		t.Fatal(err)
	}
	left := make([]byte, 4)
	if n, err := io.ReadFull(r, left); err != nil || string(left) != "left" {
		t.Errorf("what came later was %q, %v: the reader took it or the deadline stayed", left[:n], err)
	}
}

// counted is an input that comes byte by byte and can be interrupted.
type counted struct {
	io.Reader
	reads int
}

func (c *counted) Read(p []byte) (int, error) {
	c.reads++
	return c.Reader.Read(p[:1])
}

func (c *counted) SetReadDeadline(time.Time) error { return nil }

func TestLineInHandIsAnsweredWhenTheContextEnds(t *testing.T) {
	k := &kettle{}
	ctx, stop := context.WithCancel(t.Context())
	k.busy = func(ctx context.Context) {
		stop()
		if ctx.Err() != nil {
			t.Error("the request in hand was cancelled")
		}
	}
	var out bytes.Buffer
	first := "me: /x\n"
	in := &counted{Reader: strings.NewReader(first + "me: /y\n")}
	err := console.New(console.Config{In: in, Out: &out, Err: io.Discard}).Run(ctx, k)
	if err != nil || out.String() != "bot: me: x\n" || in.reads != len(first) {
		t.Errorf("%v, %q, %d bytes read", err, out.String(), in.reads)
	}
}

// pipe fails like one that nobody reads.
type pipe struct{}

func (pipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

func TestBrokenOutputEndsRun(t *testing.T) {
	k := &kettle{told: func() { t.Error("told though nothing could be read") }}
	err := console.New(console.Config{In: strings.NewReader("me: /brew\nme: /x\n"), Out: pipe{}, Err: io.Discard}).Run(t.Context(), k)
	if !errors.Is(err, syscall.EPIPE) || err.Error() != "writing: broken pipe" || len(k.asked) != 1 {
		t.Errorf("%v after %d requests", err, len(k.asked))
	}
}

func TestBrokenOutputEndsRunWhileWaitingForInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, _ := io.Pipe()
		defer in.Close()
		c := console.New(console.Config{In: in, Out: pipe{}, Err: io.Discard})
		done := make(chan error, 1)
		go func() { done <- c.Run(t.Context(), &kettle{}) }()
		synctest.Wait()
		if err := c.Send(t.Context(), talk.ChannelOf("console", ""), bot.Answer{Channel: []bot.Message{{Said: bot.Said("ding")}}}); !errors.Is(err, syscall.EPIPE) {
			t.Errorf("Send: %v", err)
		}
		if err := <-done; !errors.Is(err, syscall.EPIPE) {
			t.Errorf("Run: %v", err)
		}
	})
}

func TestHangingOutputHoldsUpRunNoLongerThanGrace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		outR, out := io.Pipe()
		defer outR.Close()
		ctx, stop := context.WithCancel(t.Context())
		c := console.New(console.Config{In: strings.NewReader("me: /x\n"), Out: out, Err: io.Discard})
		done := make(chan error, 1)
		go func() { done <- c.Run(ctx, &kettle{}) }()
		synctest.Wait()
		sending, giveUp := context.WithTimeout(t.Context(), time.Hour)
		defer giveUp()
		if err := c.Send(sending, talk.ChannelOf("console", ""), bot.Answer{Channel: []bot.Message{{}}}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Send behind a hanging write: %v", err)
		}
		select {
		case err := <-done:
			t.Fatalf("Run gave up by itself: %v", err)
		default:
		}
		since := time.Now()
		stop()
		if err := <-done; err == nil || time.Since(since) != console.Grace {
			t.Errorf("Run: %v after %v", err, time.Since(since))
		}
	})
}
