package talk_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"hiss/adapters/talk"
)

func TestParse(t *testing.T) {
	spoken := func(channel, name, text string) talk.Line {
		return talk.Line{Kind: talk.Spoken, Channel: channel, Name: name, Text: text}
	}
	long := strings.Repeat("n", talk.MaxName)
	for line, want := range map[string]talk.Line{
		"":                     {Kind: talk.Blank},
		" \t ":                 {Kind: talk.Blank},
		"#":                    {Kind: talk.Comment},
		"# asha: /roll":        {Kind: talk.Comment, Text: "asha: /roll"},
		"#\tx":                 {Kind: talk.Comment, Text: "x"},
		"asha: /roll":          spoken("", "asha", "/roll"),
		"  asha :  /roll 1  ":  spoken("", "asha", "/roll 1"),
		"asha:\t/roll":         spoken("", "asha", "/roll"),
		"asha:":                spoken("", "asha", ""),
		"asha: ":               spoken("", "asha", ""),
		"Anna Maria: hi: ho":   spoken("", "Anna Maria", "hi: ho"),
		"a:b: c":               spoken("", "a:b", "c"),
		"a:: c":                spoken("", "a:", "c"),
		"a::":                  spoken("", "a:", ""),
		"日本: /roll":            spoken("", "日本", "/roll"),
		"Bot: /roll":           spoken("", "Bot", "/roll"),
		"/roll":                spoken("", "", "/roll"),
		"/newgame size: 5":     spoken("", "", "/newgame size: 5"),
		"[Roll]":               spoken("", "", "[Roll]"),
		"[Go: now]":            spoken("", "", "[Go: now]"),
		"hello":                spoken("", "", "hello"),
		"asha:/roll":           spoken("", "", "asha:/roll"),
		"see http://x.y/z":     spoken("", "", "see http://x.y/z"),
		"#garden asha: [Roll]": spoken("garden", "asha", "[Roll]"),
		"#garden /roll":        spoken("garden", "", "/roll"),
		"#garden hello":        spoken("garden", "", "hello"),
		"#club/a-1 Bo: hi":     spoken("club/a-1", "Bo", "hi"),
		"#2026 asha: hi":       spoken("2026", "asha", "hi"),
		"#ümlaut_1.x asha: hi": spoken("ümlaut_1.x", "asha", "hi"),
		`"bot": /join`:         spoken("", "bot", "/join"),
		`"a: b" : x`:           spoken("", "a: b", "x"),
		`"#!\"": x`:            spoken("", `#!"`, "x"),
		`"a\u001b[2J\n": x`:    spoken("", "a\x1b[2J\n", "x"),
		`"  ":`:                spoken("", "  ", ""),
		`#garden "bot": hi`:    spoken("garden", "bot", "hi"),
		"bot: Asha rolls 4":    {Kind: talk.Output, Text: "Asha rolls 4"},
		"bot:":                 {Kind: talk.Output},
		"bot (only Bo): no":    {Kind: talk.Output, Text: "no"},
		"#garden bot: yes":     {Kind: talk.Output, Channel: "garden", Text: "yes"},
		"bot (only me) hello":  spoken("", "", "bot (only me) hello"),
		"!wait 10m":            {Kind: talk.Directive, Word: "wait", Text: "10m"},
		"!again":               {Kind: talk.Directive, Word: "again"},
		" !file  a b.yaml ":    {Kind: talk.Directive, Word: "file", Text: "a b.yaml"},
		long + ": x":           spoken("", long, "x"),
	} {
		got, err := talk.Parse(line)
		if err != nil || got != want {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", line, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for line, why := range map[string]string{
		": /roll":                                "no name",
		":":                                      "no name",
		`"": /roll`:                              "no name",
		"a\x1b[2J: /roll":                        "U+001B",
		"asha: /roll\r":                          "U+000D",
		"asha: \x00":                             "U+0000",
		"asha: \u009b31m":                        "U+009B",
		"asha: \xff":                             "UTF-8",
		"!":                                      "word",
		"! wait":                                 "word",
		"#garden":                                "nothing is said",
		"#garden !wait 1m":                       "stands alone",
		"#garden #1: hi":                         "JSON",
		"##":                                     "no channel",
		"#!/bin/hiss":                            "no channel",
		"#a/b/c asha: hi":                        "no channel",
		"#/b asha: hi":                           "no channel",
		"#a/ asha: hi":                           "no channel",
		"#-a asha: hi":                           "no channel",
		`"asha: /roll`:                           "JSON",
		`"asha" /roll`:                           "followed",
		`"asha":/roll`:                           "followed",
		`"hello" she said`:                       "followed",
		strings.Repeat("n", 257) + ": x":         "256",
		"#" + strings.Repeat("n", 101) + " a: x": "100",
		"a: " + strings.Repeat("n", talk.MaxLine): "65536",
	} {
		_, err := talk.Parse(line)
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("Parse(%.40q) = %v, want an error with %q", line, err, why)
		} else if strings.ContainsFunc(err.Error(), func(r rune) bool { return r < ' ' }) {
			t.Errorf("Parse(%.40q): the error %q would be obeyed by a terminal", line, err)
		}
	}
}

func TestQuote(t *testing.T) {
	for name, want := range map[string]string{
		"asha":        "asha",
		"Anna Maria":  "Anna Maria",
		"a:b":         "a:b",
		"a:":          "a:",
		"<&>":         "<&>",
		"bot":         `"bot"`,
		"bot (only x": `"bot (only x"`,
		"a: b":        `"a: b"`,
		"#1":          `"#1"`,
		"!x":          `"!x"`,
		`"x`:          `"\"x"`,
		"/x":          `"/x"`,
		"[x]":         `"[x]"`,
		" x":          `" x"`,
		"":            `""`,
		"\x1b[2J<":    `"\u001b[2J<"`,
		"a\u202eb":    `"a\u202eb"`,
		"a\u0085b":    `"a\u0085b"`,
	} {
		if got := talk.Quote(name); got != want {
			t.Errorf("Quote(%q) = %s, want %s", name, got, want)
		}
	}
}

func FuzzParseLine(f *testing.F) {
	for _, name := range []string{"asha", "bot", "a: b", "#x", "!x", `"x"`, "/x", "[x]", " x ", "x:", "\x1b\u202e", "\xff"} {
		f.Add(name, "/roll 1")
		f.Add("asha", name)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		if l, err := talk.Parse(name); err == nil && l.Kind == talk.Spoken && l.Name == "" && l.Text != strings.TrimSpace(l.Text) {
			t.Errorf("Parse(%q) keeps white space around %q", name, l.Text)
		}
		if name == "" || !utf8.ValidString(name) || utf8.RuneCountInString(name) > talk.MaxName {
			return
		}
		if _, err := talk.Parse("x: " + text); err != nil {
			return
		}
		want := talk.Line{Kind: talk.Spoken, Name: name, Text: strings.TrimSpace(text)}
		line := talk.Quote(name) + ": " + text
		if len(line) > talk.MaxLine {
			return
		}
		if got, err := talk.Parse(line); err != nil || got != want {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", line, got, err, want)
		}
	})
}

func TestParsePress(t *testing.T) {
	for text, want := range map[string]struct {
		label string
		back  int
		ok    bool
	}{
		"[Roll]":                      {"Roll", 0, true},
		"[ Roll to go ]":              {"Roll to go", 0, true},
		"[Roll]~0":                    {"Roll", 0, true},
		"[Roll]~12":                   {"Roll", 12, true},
		"[[x]]":                       {"[x]", 0, true},
		"[a] [b]":                     {"a] [b", 0, true},
		"[]":                          {"", 0, false},
		"[Roll":                       {},
		"Roll]":                       {},
		"[Roll] please":               {},
		"[Roll]~":                     {},
		"[Roll]~-1":                   {},
		"[Roll]~x":                    {},
		"[Roll]1":                     {},
		"[Roll]~99999999999999999999": {},
	} {
		label, back, ok := talk.ParsePress(text)
		if ok != want.ok || ok && (label != want.label || back != want.back) {
			t.Errorf("ParsePress(%q) = %q, %d, %v; want %+v", text, label, back, ok, want)
		}
	}
}
