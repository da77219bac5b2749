package console_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"hiss/adapters/console"
	"hiss/adapters/talk"
	"hiss/bot"
)

const greeting = "Hiss: Snakes and Ladders in this terminal, kept in hiss.db. You are me.\n" +
	"Enter presses the [button]; asha: /join speaks for Asha; /help; Ctrl-D leaves.\n"

// Keys as a terminal sends them.
const (
	enter  = "\r"
	tab    = "\t"
	up     = "\x1b[A"
	left   = "\x1b[D"
	ctrlC  = "\x03"
	ctrlD  = "\x04"
	pasted = "\x1b[200~/x\r/y\r\x1b[201~"
)

// person types at an interactive terminal.
type person struct {
	kettle
	config   console.Config
	restored int
}

func newPerson() *person {
	p := &person{}
	p.config = console.Config{
		Login: "me", Database: "hiss.db", Interactive: true, ErrShown: true,
		Raw:  func() (func() error, error) { return func() error { p.restored++; return nil }, nil },
		Size: func() (int, int, error) { return 200, 50, nil },
	}
	return p
}

// types lets the person press keys until the input ends, and returns what is
// on the screen, with its colours.
func (p *person) types(t *testing.T, keys string) string {
	t.Helper()
	out, errs := run(t, p.config, &p.kettle, keys)
	if errs != "" {
		t.Errorf("on Err: %q", errs)
	}
	if p.restored != 1 {
		t.Errorf("the terminal was given back %d times", p.restored)
	}
	return out
}

func (p *person) did(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for _, r := range p.asked {
		got = append(got, strings.TrimSpace(fmt.Sprint(r.User.Name, " ", r.Command, " ", strings.Join(r.Args, " "))))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("asked %q, want %q", got, want)
	}
}

// orders are what a terminal obeys, but for line breaks.
var orders = regexp.MustCompile(`\x1b\[[0-9?;]*[a-zA-Z]|\r`)

func shows(t *testing.T, screen string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(screen, w) {
			t.Errorf("the screen lacks %q:\n%s", w, orders.ReplaceAllString(screen, ""))
		}
	}
}

func TestInteractive(t *testing.T) {
	p := newPerson()
	p.config.Colours = true
	screen := p.types(t, "/brew"+enter+"[Pour]"+enter+"[Cup]"+enter+ctrlD)
	p.did(t, "me brew", "me pour")
	shows(t, orders.ReplaceAllString(screen, ""), greeting, "me> /brew\nbot: 🫖 me brews\n     [☕ Pour] [Throw away]\nme> [Pour]\n",
		"bot (only me): wait\n", "line 3: me sees no button [Cup] that far back\n")
	shows(t, screen, "\x1b[?2004h", "\x1b[?2004l", "bot: 🫖 \x1b[1mme\x1b[22m brews\r\n", "\x1b[2mbot (only me): wait\x1b[22m\r\n")
	if !p.asked[0].Alone {
		t.Error("one person at a terminal isn't alone")
	}
}

func TestEnterAloneIsPressedByWhoIsNext(t *testing.T) {
	p := newPerson()
	screen := p.types(t, enter+"/brew"+enter+enter+"/x"+enter+"asha: hello"+enter+"/x"+enter+ctrlD)
	p.did(t, "me brew", "bo pour", "me x", "asha x")
	shows(t, screen, "line 1: there is no button to press\r\n", "asha> ")
	if p.asked[1].Alone || p.asked[3].Alone || !p.asked[0].Alone {
		t.Error("who has spoken isn't counted")
	}
}

func TestKeys(t *testing.T) {
	for keys, want := range map[string][]string{
		"/x" + enter + up + enter + ctrlC + "/y" + enter:                  {"me x", "me x"},
		"/xy" + left + "1" + enter:                                        {"me x1y"},
		pasted:                                                            {"me x", "me y"},
		"/br" + tab + enter:                                               {"me brew"},
		"asha: /br" + tab + enter:                                         {"asha brew"},
		"#garden asha: /po" + tab + "s" + tab + enter:                     {"asha post"},
		"/p" + tab + tab + "u" + tab + enter:                              {"me pour"},
		"/brew g" + tab + "mi" + tab + tab + "m" + enter:                  {"me brew green mim"},
		"/brew milk=y" + tab + "minu" + tab + "3" + enter:                 {"me brew milk=yes minutes=3"},
		"/brew " + tab + "z" + enter:                                      {"me brew z"},
		"/brew bl" + tab + "ac" + tab + enter:                             {"me brew black"},
		"/brew" + enter + "[Th" + tab + enter:                             {"me brew", "me throw"},
		"Anna: hi" + enter + "me: hi" + enter + "An" + tab + "/x" + enter: {"Anna x"},
		"/cu" + tab + "l" + tab + enter:                                   {"me cups list"},
		"/cups show mu" + tab + enter:                                     {"me cups show mug"},
		"/cups show m" + tab + tab + "oc" + tab + "f" + tab + tab + enter: {"me cups show mocha from=delft"},
		"/cups list m" + tab + "/cups nothing m" + tab + enter:            {"me cups list m/cups nothing m"},
		"/zz" + tab + enter:                                               {"me zz"},
		"! x" + tab + enter + "/x y" + tab + enter:                        {"me x y"},
		"/x" + ctrlD + enter + ctrlD + "/y" + enter:                       {"me x"},
		"/x": nil,
	} {
		p := newPerson()
		p.types(t, keys)
		t.Run(fmt.Sprintf("%q", keys), func(t *testing.T) { p.did(t, want...) })
	}
}

func TestTabListsWhatIsPossible(t *testing.T) {
	p := newPerson()
	screen := p.types(t, "/po"+tab+enter+"/brew "+tab+ctrlD)
	shows(t, screen, "post  pour\r\n", "black  blue  green  milk=no  milk=yes  minutes=\r\n")
}

func TestTabAsksWhatIsPossible(t *testing.T) {
	p := newPerson()
	screen := p.types(t, "asha: /cups "+tab+enter+"#garden asha: /cups show "+tab+"mug from=d"+tab+enter)
	shows(t, screen, "list  shelve  show\r\n", "from=  mocha  mug\r\n")
	if got := strings.Join(p.completed, "\n"); got != "cup cups show|\nfrom cups show|mug|d" {
		t.Errorf("asked for:\n%s", got)
	}
	p.did(t, "asha cups", "asha cups show mug from=delft")
}

func TestLongKeyEndsRunInsteadOfSpinning(t *testing.T) {
	p := newPerson()
	var out bytes.Buffer
	p.config.In, p.config.Out, p.config.Err = strings.NewReader("\x1b["+strings.Repeat("1", 1000)), &out, io.Discard
	if err := console.New(p.config).Run(t.Context(), p); err == nil || p.restored != 1 {
		t.Errorf("%v; given back %d times", err, p.restored)
	}
}

func TestErrElsewhere(t *testing.T) {
	p := newPerson()
	p.config.ErrShown = false
	out, errs := run(t, p.config, &p.kettle, "[Cup]"+enter)
	if errs != "line 1: me sees no button [Cup] that far back\n" || strings.Contains(out, "line 1") {
		t.Errorf("on Err %q, on the screen %q", errs, out)
	}
}

func TestDumbTerminal(t *testing.T) {
	p := newPerson()
	p.config.Raw = nil
	out, errs := run(t, p.config, &p.kettle, "/brew\n\n[Cup]\n")
	if want := greeting + "bot: 🫖 me brews\n     [☕ Pour] [Throw away]\nbot (only bo): wait\n"; out != want || !strings.HasPrefix(errs, "line 3:") {
		t.Errorf("got\n%s\nand %q, want\n%s", out, errs, want)
	}
}

func TestRawModeFails(t *testing.T) {
	p := newPerson()
	broken := errors.New("no terminal")
	p.config.Raw = func() (func() error, error) { return nil, broken }
	p.config.In, p.config.Out, p.config.Err = strings.NewReader(""), io.Discard, io.Discard
	if err := console.New(p.config).Run(t.Context(), p); !errors.Is(err, broken) {
		t.Errorf("Run: %v", err)
	}
	p.config.Raw = func() (func() error, error) { return func() error { return broken }, nil }
	if err := console.New(p.config).Run(t.Context(), p); !errors.Is(err, broken) {
		t.Errorf("Run: %v", err)
	}
}

func TestContextEndsAtThePrompt(t *testing.T) {
	p := newPerson()
	s := start(t, p.config, &p.kettle)
	s.read(t, "\x1b[?2004h"+strings.ReplaceAll(greeting, "\n", "\r\n")+"me> ")
	sent := make(chan error, 1)
	go func() {
		_, err := io.WriteString(s.Log(), "level=WARN\n")
		sent <- errors.Join(err, s.Send(t.Context(), talk.ChannelOf("console", ""), bot.Answer{Channel: []bot.Message{{Said: bot.Said("ding")}}}))
	}()
	s.read(t, "\x1b[4D\x1b[Klevel=WARN\r\nme> \x1b[4D\x1b[Kbot: ding\r\nme> ")
	if err := <-sent; err != nil {
		t.Error(err)
	}
	s.stop()
	rest, err := io.ReadAll(s.out)
	if err := errors.Join(err, <-s.done); err != nil || string(rest) != "\x1b[?2004l\r\n" || p.restored != 1 {
		t.Errorf("%v; last %q; given back %d times", err, rest, p.restored)
	}
}

// TestTheClockSpeaksAboveThePrompt while a line is being typed, of which nothing
// is lost.
func TestTheClockSpeaksAboveThePrompt(t *testing.T) {
	p := newPerson()
	s := start(t, p.config, &p.kettle)
	s.read(t, "\x1b[?2004h"+strings.ReplaceAll(greeting, "\n", "\r\n")+"me> ")
	typed, sent := make(chan error, 1), make(chan error, 1)
	types := func(keys string) { // beside: a terminal that nobody looks at takes no keys
		go func() {
			_, err := io.WriteString(s.in, keys)
			typed <- err
		}()
	}
	types("/p")
	s.read(t, "/p")
	go func() {
		sent <- s.Send(t.Context(), talk.ChannelOf("console", ""), bot.Answer{Channel: []bot.Message{{
			Page: "7", Call: &bot.User{ID: "console:me"}, Sound: true,
			Now:     bot.Text{{Kind: bot.Sign, Text: "⏳ "}, {Kind: bot.Mention, Text: "me", User: "console:me"}, {Text: ", your go. Hiss throws for you "}, {Kind: bot.Moment, Text: "in 30 s"}, {Text: "."}},
			Buttons: [][]bot.Button{{{Label: "Roll", Line: "pour"}}},
		}}})
	}()
	s.read(t, "\x1b[6D\x1b[Kbot: ⏳ me, your go. Hiss throws for you in 30 s.\r\n     [Roll]\r\nme> /p")
	if err := <-sent; err != nil {
		t.Error(err)
	}
	types("our\r") // the rest of the word
	s.read(t, "our\r\nbot (only me): ")
	s.stop()
	_, err := io.ReadAll(s.out)
	if err := errors.Join(err, <-s.done, <-typed, <-typed); err != nil {
		t.Error(err)
	}
	p.did(t, "me pour")
}

func TestLogWithoutRun(t *testing.T) {
	var errs bytes.Buffer
	if _, err := io.WriteString(console.New(console.Config{Err: &errs}).Log(), "x\n"); err != nil || errs.String() != "x\n" {
		t.Errorf("%q, %v", errs.String(), err)
	}
}

func TestAttachToPipes(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	var c console.Config
	c.Attach(r, w, w, func(string) string { return "" })
	if c.Interactive || c.Colours || c.ErrShown || c.Raw != nil || c.In != r || c.Out != w || c.Err != w {
		t.Errorf("%+v", c)
	}
}
