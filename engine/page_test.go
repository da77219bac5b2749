package engine_test

import (
	"strings"
	"testing"
	"time"

	"hiss/bot"
	"hiss/engine"
)

// desk is a hall of one room, in which buttons are pressed and pages looked at.
type desk struct {
	*hall
	newest bot.Answer // that had a roll button
	page   string     // of the message before
	said   string     // all that stands on it
	pages  map[string]bool
	last   bot.Message // the newest
}

// newDesk opens a match for the people named by the letters of who, of whom
// the first is the host.
func newDesk(t *testing.T, newgame, who string) *desk {
	h := newHall(t, nil)
	h.rig = &engine.Rig{}
	h.engine = h.another(h.disk)
	d := &desk{hall: h, pages: make(map[string]bool)}
	d.newest = h.say(room("1"), who[:1]+": /newgame "+newgame)
	for _, name := range who[1:] {
		d.newest = h.say(room("1"), string(name)+": /join")
	}
	return d
}

// do makes steps, separated by blanks, and returns for each go, as it is told,
// "n" for a new message and "e" for an edit of the one before:
//
//	A      presses the newest Roll
//	A/     types /roll
//	A?     types /status, which tells no go
//	A!     presses Roll out of turn, which tells none either
//	+19s   waits
//	A=x y  types or, with a leading ".", presses a line
func (d *desk) do(steps string) string {
	d.Helper()
	var got strings.Builder
	for step := range strings.FieldsSeq(steps) {
		who, rest := step[:1], step[1:]
		line, typed := strings.CutPrefix(rest, "=")
		line = strings.ReplaceAll(line, "_", " ")
		switch {
		case who == "+":
			wait, err := time.ParseDuration(rest)
			if err != nil {
				d.Fatal(err)
			}
			d.clock.wait(wait)
		case typed && strings.HasPrefix(line, "."):
			got.WriteString(d.look(d.handle(d.pressed(room("1"), who, line[1:]))))
		case typed:
			got.WriteString(d.look(d.handle(d.typed(room("1"), who, line))))
		case rest == "/":
			got.WriteString(d.look(d.handle(d.typed(room("1"), who, "roll"))))
		case rest == "?":
			got.WriteString(d.look(d.handle(d.typed(room("1"), who, "status"))))
		default:
			d.clock.wait(time.Second)
			got.WriteString(d.look(d.handle(d.pressed(room("1"), who, d.button()))))
		}
	}
	return got.String()
}

func (d *desk) button() string {
	for _, label := range []string{"Roll to start", "Roll alone", "Roll", "Next round"} {
		if line := findLine(d.newest, label); line != "" {
			return line
		}
	}
	d.Fatalf("no button on %s", whole(d.newest))
	return ""
}

// look checks that a message is a page begun or one gone on with.
func (d *desk) look(a bot.Answer) string {
	d.Helper()
	if len(a.Channel) == 0 {
		return ""
	}
	if len(a.Channel) != 1 {
		d.Fatalf("%d messages", len(a.Channel))
	}
	if findLine(a, "Roll") != "" || findLine(a, "Next round") != "" {
		d.newest = a
	}
	m := a.Channel[0]
	d.last = m
	if m.Page == "" || m.Page != d.page {
		if m.Page != "" && (len(m.Before) > 0 || d.pages[m.Page]) {
			d.Errorf("page %q begins with %q", m.Page, m.Before)
		}
		d.page, d.said = m.Page, m.Said.String()
		d.pages[m.Page] = true
		return "n"
	}
	if m.Before.String() != d.said {
		d.Errorf("page %q said %q, now %q stands there", m.Page, d.said, m.Before)
	}
	d.said = bot.Lines(m.Before, m.Said).String()
	if m.Call != nil {
		d.Error("an edit notifies nobody")
	}
	return "e"
}

func TestGoesShareAPage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ who, steps, want string }{
		"two, brisk":                  {"AB", "A B A B A B A B A", "neeeneeen"},
		"three, brisk":                {"ABC", "A B C A B C A B C", "neeeeenee"},
		"six, brisk: a round a page":  {"ABCDEF", "A B C D E F A B C D E F A", "neeeeeneeeeen"},
		"nine: never more than eight": {"ABCDEFGHI", "A B C D E F G H I A B C D E F G H", "neeeeeeeneeeeeeen"},
		"a pause of 19 s":             {"AB", "A +18s B +18s A", "nee"},
		"a pause of 20 s":             {"AB", "A +19s B +19s A B", "nnne"},
		"who types":                   {"AB", "A B/ A B/ A", "nnene"},
		"who types to Hiss":           {"AB", "A B B? A B", "nene"},
		"a press out of turn":         {"AB", "A B B A B", "neee"},
		"the board is brought down":   {"AB", "A B=board B A", "nnne"},
		"a replay is refused":         {"AB", "A B=.replay_x B A", "nee"},
		"autoroll counts":             {"ABC", "A C=.autoroll_on B A B A B", "neeene"},
		"everybody on autoroll":       {"ABC", "A A=.autoroll_on C=.autoroll_on B=.autoroll_on A A A", "neeen"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, "summit plain", c.who)
			if got := d.do(c.steps); got != c.want {
				t.Errorf("%s: %s, want %s", c.steps, got, c.want)
			}
		})
	}
}

// TestLongPages checks that a page stays under 700 characters: with long names
// fewer goes have room on it.
func TestLongPages(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "summit plain sides=2 bonus=max void=0", "AB")
	for range 4 {
		if err := d.rig.Direct(t.Context(), "dice", strings.Fields("2 2 2 2 2 2 2 1")); err != nil {
			t.Fatal(err)
		}
	}
	got := d.do("A B A B")
	if got != "neen" {
		t.Errorf("with short names: %s", got)
	}
	d = newDesk(t, "summit plain sides=2 bonus=max void=0", "A")
	name := strings.Repeat("N", 40)
	d.newest = d.say(room("1"), name+": /join")
	for range 4 {
		if err := d.rig.Direct(t.Context(), "dice", strings.Fields("2 2 2 2 2 2 2 1")); err != nil {
			t.Fatal(err)
		}
	}
	got = d.do("A")
	for _, who := range []string{name, "A", name} {
		d.clock.wait(time.Second)
		got += d.look(d.handle(d.pressed(room("1"), who, d.button())))
		if n := len([]rune(d.said)); n >= 700 {
			t.Errorf("%d characters on a page", n)
		}
	}
	if got != "nenn" {
		t.Errorf("with a long name: %s", got)
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	called := func(d *desk, step, want string) {
		t.Helper()
		d.do(step)
		got := ""
		if d.last.Call != nil {
			got = d.last.Call.Name
		}
		if got != want {
			t.Errorf("%s: %q is called, want %q", step, got, want)
		}
	}
	d := newDesk(t, "summit plain", "ABC")
	d.clock.wait(time.Minute)
	called(d, "A", "") // B was here a minute ago
	called(d, "B", "") // so was C
	d.clock.wait(2 * time.Minute)
	called(d, "C?", "")
	called(d, "C", "A") // whose press is over two minutes ago
	if !d.last.Sound || !strings.Contains(d.last.Now.String(), "A is next") {
		t.Errorf("a call says who is next: %+v", d.last)
	}
	called(d, "B=.leave", "") // A was called for this go
	if got := d.last.Now.String(); !strings.Contains(got, "A is next") || strings.Contains(got, "again") {
		t.Errorf("after B left: %s", got)
	}
	called(d, "A", "")
	d.clock.wait(3 * time.Minute)
	called(d, "C", "A")
}

func TestLateComersCallNobodyAgain(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "summit plain", "AB")
	d.clock.wait(3 * time.Minute)
	if d.do("A"); d.last.Call == nil || d.last.Call.Name != "B" {
		t.Fatalf("B isn't called: %+v", d.last)
	}
	if got := d.do("C=.join_1"); got != "e" || d.last.Call != nil ||
		!strings.HasSuffix(d.said, "\nC joins, seat 3") || !strings.Contains(d.last.Now.String(), "B is next") {
		t.Errorf("%s: %+v", got, d.last)
	}
}

func TestLobbyMessages(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	opened := h.say(room("1"), "asha: /newgame classic seats=2").Channel[0]
	if !opened.Sound || opened.Page == "" || len(opened.Before) > 0 || opened.Call != nil {
		t.Errorf("opened: %+v", opened)
	}
	full := h.say(room("1"), "bilal: /join").Channel[0]
	if !full.Sound || full.Page != opened.Page || full.Call != nil || full.Before.String() != opened.Said.String() {
		t.Errorf("full while the host is here: %+v", full)
	}
	h.say(room("1"), "bilal: /leave")
	h.clock.wait(3 * time.Minute)
	full = h.say(room("1"), "bilal: /join").Channel[0]
	if !full.Sound || full.Call == nil || full.Call.Name != "asha" || full.Next == nil || full.Next.Name != "asha" {
		t.Errorf("full while the host is away: %+v", full)
	}
	board := h.say(room("1"), "bilal: /board").Channel[0]
	if board.Sound || board.Call != nil || board.Page != "" || findLine(bot.Answer{Channel: []bot.Message{board}}, "Roll to start") == "" {
		t.Errorf("the board: %+v", board)
	}
	first := h.say(room("1"), "asha: /roll").Channel[0]
	if first.Page == "" || first.Page == opened.Page || first.Sound {
		t.Errorf("the first go: %+v", first)
	}
}

func TestTheEndIsANewMessage(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "tiny plain", "AB")
	if err := d.rig.Direct(t.Context(), "dice", []string{"4", "1", "2"}); err != nil {
		t.Fatal(err)
	}
	if got := d.do("A B A"); got != "nen" || d.last.Page != "" || d.last.Sound || d.last.Call != nil {
		t.Errorf("%s, %+v", got, d.last)
	}
	wants(t, bot.Answer{Channel: []bot.Message{d.last}}, "A rolls 2: 7 → 9", "A wins after 3 goes!")
}
