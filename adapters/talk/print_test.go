package talk_test

import (
	"strings"
	"testing"
	"unicode"

	"hiss/adapters/talk"
	"hiss/bot"
)

var (
	plain    = talk.Printer{}
	dressed  = talk.Printer{Signs: true}
	coloured = talk.Printer{Signs: true, Colours: true}
)

// goMessage is a message with everything in it.
func goMessage() bot.Message {
	return bot.Message{
		Page:   "1",
		Before: bot.Said("told before"),
		Said: bot.Text{{Kind: bot.Sign, Text: "🪜 "}, {Kind: bot.Strong, Text: "Asha"}, {Text: " rolls 4: 0 → 4, ladder to 14\n"},
			{Kind: bot.Sign, Text: "🎲 "}, {Kind: bot.Strong, Text: "Bo"}, {Text: " rolls 1: 0 → 1"}},
		Now:     bot.Text{{Kind: bot.Mention, Text: "Asha", User: "console:Asha"}, {Text: " is next"}},
		Buttons: [][]bot.Button{{{Sign: "🎲", Label: "Roll", Line: "roll 1 2"}}, {{Label: "Add Hiss", Line: "add"}}},
		Picture: &bot.Picture{Name: "board.png", Alt: "a board"},
	}
}

func TestPrint(t *testing.T) {
	asha := talk.UserOf("console", "Asha")
	home, garden, thread := talk.ChannelOf("console", ""), talk.ChannelOf("console", "garden"), talk.ChannelOf("console", "club/garden")
	board := bot.Message{Said: bot.Text{{Kind: bot.Code, Text: "  1 2  \r\n  3 4  \n\n \t \n end"}}}
	for name, c := range map[string]struct {
		p    talk.Printer
		d    talk.Delivery
		want string
	}{
		"plain": {plain, talk.Delivery{Channel: home, Message: goMessage()}, "bot: Asha rolls 4: 0 → 4, ladder to 14\n" +
			"     Bo rolls 1: 0 → 1\n     Asha is next\n     [Roll] [Add Hiss]\n"},
		"signs": {dressed, talk.Delivery{Channel: home, Message: goMessage()}, "bot: 🪜 Asha rolls 4: 0 → 4, ladder to 14\n" +
			"     🎲 Bo rolls 1: 0 → 1\n     Asha is next\n     [🎲 Roll] [Add Hiss]\n"},
		"channel": {plain, talk.Delivery{Channel: garden, Message: goMessage()}, "#garden bot: Asha rolls 4: 0 → 4, ladder to 14\n" +
			"#garden      Bo rolls 1: 0 → 1\n#garden      Asha is next\n#garden      [Roll] [Add Hiss]\n"},
		"thread":          {plain, talk.Delivery{Channel: thread, Message: bot.Message{Said: bot.Said("hi")}}, "#club/garden bot: hi\n"},
		"only":            {plain, talk.Delivery{Channel: garden, Only: &asha, Message: bot.Message{Said: bot.Said("no\nnot now")}}, "#garden bot (only Asha): no\n#garden      not now\n"},
		"code":            {plain, talk.Delivery{Channel: home, Message: board}, "bot:   1 2\n       3 4\n      end\n"},
		"buttons alone":   {plain, talk.Delivery{Channel: home, Message: bot.Message{Buttons: goMessage().Buttons}}, "bot: [Roll] [Add Hiss]\n"},
		"a picture alone": {plain, talk.Delivery{Channel: home, Message: bot.Message{Picture: goMessage().Picture, Before: goMessage().Before}}, "bot: a board\n"},
		"nothing":         {plain, talk.Delivery{Channel: home, Message: bot.Message{Said: bot.Text{{Kind: bot.Sign, Text: "🎲"}, {Text: "\n"}}}}, ""},
		"a document": {plain, talk.Delivery{Channel: garden, Only: &asha, Message: bot.Message{Said: bot.Said("here"), Document: file("a.yaml", "size: 9\n\nladders:\n  2: 4\n"), Buttons: buttons("Ok")}},
			"#garden bot (only Asha): here\n#garden      (file a.yaml, 25 bytes)\n#garden      size: 9\n#garden      ladders:\n#garden        2: 4\n#garden      [Ok]\n"},
		"a document alone": {plain, talk.Delivery{Channel: home, Message: bot.Message{Document: file("x\nbot: y", "1")}}, "bot: (file x bot: y, 1 byte)\n     1\n"},
		"no text":          {plain, talk.Delivery{Channel: home, Message: bot.Message{Document: file("a.png", "\x89PNG\r\n")}}, "bot: (file a.png, 6 bytes)\n"},
		"a long document":  {plain, talk.Delivery{Channel: home, Message: bot.Message{Document: file("a.csv", strings.Repeat("1\n", 101))}}, "bot: (file a.csv, 202 bytes)\n"},
		"an empty one":     {plain, talk.Delivery{Channel: home, Message: bot.Message{Said: bot.Said("hi"), Document: file("a.csv", "")}}, "bot: hi\n"},
		"a board": {coloured, talk.Delivery{Channel: home, Message: bot.Message{Said: bot.Text{{Kind: bot.Code, Text: " 7  . ~ A 9\n 1  # . . 3\n# 1→9\n/newgame 7"}}}},
			"bot:  7 │  \x1b[2m·\x1b[22m \x1b[31m~\x1b[39m \x1b[1mA\x1b[22m │ 9\n      1 │  \x1b[32m╫\x1b[39m \x1b[2m·\x1b[22m \x1b[2m·\x1b[22m │ 3\n" +
				"     \x1b[32m╫\x1b[39m 1→9\n     /newgame 7\n"},
		"bold": {coloured, talk.Delivery{Channel: home, Message: bot.Message{Said: bot.Text{{Kind: bot.Strong, Text: "A\nB"}, {Text: " x"}}}},
			"bot: \x1b[1mA\x1b[22m\n     \x1b[1mB\x1b[22m x\n"},
		"dim": {coloured, talk.Delivery{Channel: garden, Only: &asha, Message: bot.Message{Said: bot.Text{{Text: "no, "}, {Kind: bot.Strong, Text: "Asha"}}}},
			"\x1b[2m#garden bot (only Asha): no, \x1b[1mAsha\x1b[22m\x1b[2m\x1b[22m\n"},
	} {
		if got := c.p.Print(c.d); got != c.want {
			t.Errorf("%s: got\n%q, want\n%q", name, got, c.want)
		}
	}
}

func file(name, data string) *bot.Document { return &bot.Document{Name: name, Data: []byte(data)} }

// hostile is what people put into names to play tricks on terminals.
const hostile = "\x1b[2J\x1b]0;owned\x07\u009b31m\u202eevil\u2066x\u2069\u2069\u2068y\r\x00\x7f\u2028z\xff"

func TestPrintGuardsTheTerminal(t *testing.T) {
	asha := talk.UserOf("console", hostile)
	m := bot.Message{Said: bot.Text{{Kind: bot.Strong, Text: hostile}, {Kind: bot.Sign, Text: hostile}, {Kind: bot.Code, Text: hostile}},
		Document: file(hostile, "a\tb\u202e\u2028c\u2066\nbot: y\n"),
		Buttons:  [][]bot.Button{{{Label: hostile + "\nbot: x", Sign: hostile, Line: "x"}}}}
	channel := bot.Channel{Chat: "console:" + hostile, Place: hostile}
	for _, p := range []talk.Printer{plain, dressed} {
		got := p.Print(talk.Delivery{Channel: channel, Message: m, Only: &asha})
		for _, r := range strings.ReplaceAll(got, "\n", "") {
			if unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r == '\u2066' || r == '\u2067' || r == '\u2028' {
				t.Errorf("U+%04X reaches the terminal in %q", r, got)
			}
		}
		for line := range strings.Lines(got) {
			if strings.Count(line, "\u2068") != strings.Count(line, "\u2069") {
				t.Errorf("isolates don't come in pairs in %q", line)
			}
			if !strings.HasPrefix(line, "#") {
				t.Errorf("%q stands outside of its channel", line)
			}
		}
	}
}

func TestCleanKeepsIsolatedNames(t *testing.T) {
	for s, want := range map[string]string{
		"\u2068דנה\u2069 wins": "\u2068דנה\u2069 wins",
		"\u2068דנה":            "\u2068דנה\u2069",
		"a\u2069b":             "ab",
		"a\tb\nc":              "a b c",
		"👩‍👩‍👧 ok":             "👩‍👩‍👧 ok",
	} {
		if got := talk.Clean(s); got != want {
			t.Errorf("Clean(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestPrintKeepsIsolatesAcrossSpans(t *testing.T) {
	m := bot.Message{Said: bot.Text{{Text: "\u2068"}, {Kind: bot.Strong, Text: "דנה"}, {Text: "\u2069 wins\n"}, {Text: "\u2068open\nnext"}}}
	want := "bot: \u2068דנה\u2069 wins\n     \u2068open\u2069\n     next\n"
	if got := plain.Print(talk.Delivery{Channel: talk.ChannelOf("console", ""), Message: m}); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWhatIsPrintedIsReadAsOutput(t *testing.T) {
	asha := talk.UserOf("console", "x): hi\nbot")
	for _, channel := range []string{"", "garden", "club/garden"} {
		for _, only := range []*bot.User{nil, &asha} {
			s := plain.Print(talk.Delivery{Channel: talk.ChannelOf("console", channel), Message: goMessage(), Only: only})
			for _, l := range readAll(t, strings.NewReader(s)) {
				if l != "bot" {
					t.Errorf("%q is read as %q", s, l)
				}
			}
		}
	}
}
