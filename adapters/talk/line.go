package talk

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says what a line is.
type Kind uint8

// The kinds of line.
const (
	Blank     Kind = iota // nothing, or white space
	Comment               // "# …" or a lone "#"
	Spoken                // somebody said Text
	Directive             // "!word …"
	Output                // said by the bot in an earlier run
)

// Bounds of what a line may hold.
const (
	MaxLine    = 64 << 10 // bytes of a line
	MaxName    = 256      // characters of a name
	MaxChannel = 100      // characters of a channel's name, slash included
)

// Line is a line that was read.
type Line struct {
	Number  int    // counted from 1; 0 if unknown
	Kind    Kind   //
	Channel string // "garden" or "club/garden"; empty for the unnamed channel
	Name    string // who said it; empty for the last speaker
	Word    string // of a directive, without its "!"
	Text    string // what was said, or what follows a directive's word
}

// Parse reads one line, without its line break. The error says what can't be
// read, in words for whoever wrote the line.
//
// It looks at this line alone: a further line of what the bot said is known
// as such by Reader only.
func Parse(line string) (Line, error) {
	if err := readable(line); err != nil {
		return Line{}, err
	}
	line = strings.TrimSpace(line)
	switch {
	case line == "":
		return Line{Kind: Blank}, nil
	case line[0] == '!':
		return parseDirective(line[1:])
	case line[0] != '#':
		return parseSpoken("", line)
	}
	channel, body := cutSpace(line[1:])
	if channel == "" {
		return Line{Kind: Comment, Text: body}, nil
	}
	if err := checkChannel(channel); err != nil {
		return Line{}, err
	}
	switch {
	case body == "":
		return Line{}, fmt.Errorf("nothing is said in #%s", channel)
	case body[0] == '!':
		return Line{}, errors.New("a directive stands alone, without a channel; a name that begins with ! is written as a JSON string")
	case body[0] == '#':
		return Line{}, errors.New("a name that begins with # is written as a JSON string")
	}
	return parseSpoken(channel, body)
}

func parseDirective(body string) (Line, error) {
	word, rest := cutSpace(body)
	if word == "" {
		return Line{}, errors.New("a directive is a ! with a word right behind it")
	}
	return Line{Kind: Directive, Word: word, Text: rest}, nil
}

func parseSpoken(channel, body string) (Line, error) {
	l := Line{Kind: Spoken, Channel: channel, Text: body}
	switch body[0] {
	case '/', '[':
		return l, nil
	case '"':
		return parseQuoted(l)
	}
	name, text, found := cutName(body)
	if !found {
		return l, nil
	}
	if isBot(name) {
		return Line{Kind: Output, Channel: channel, Text: text}, nil
	}
	l.Name, l.Text = name, text
	return l, checkName(name)
}

// parseQuoted reads a line whose name is a JSON string.
func parseQuoted(l Line) (Line, error) {
	d := json.NewDecoder(strings.NewReader(l.Text))
	var name string
	if err := d.Decode(&name); err != nil {
		return Line{}, errors.New(`a line that begins with " has its name written as a JSON string, and this isn't one`)
	}
	rest := strings.TrimSpace(l.Text[d.InputOffset():])
	text, found := strings.CutPrefix(rest, ":")
	if !found || text != "" && !isSpace(text[0]) {
		return Line{}, errors.New(`a name written as a JSON string is followed by ": "`)
	}
	l.Name, l.Text = name, strings.TrimSpace(text)
	return l, checkName(name)
}

// cutName splits a line at the colon that ends its name.
func cutName(body string) (name, text string, found bool) {
	for i := range len(body) {
		if body[i] == ':' && (i+1 == len(body) || isSpace(body[i+1])) {
			return strings.TrimSpace(body[:i]), strings.TrimSpace(body[i+1:]), true
		}
	}
	return "", body, false
}

// cutSpace splits a line at its first white space.
func cutSpace(s string) (word, rest string) {
	i := strings.IndexFunc(s, unicode.IsSpace)
	if i < 0 {
		return s, ""
	}
	return s[:i], strings.TrimSpace(s[i:])
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' }

// isBot tells whether an unquoted name is how the bot's own lines begin.
func isBot(name string) bool {
	return name == "bot" || strings.HasPrefix(name, "bot (only ")
}

// readable refuses what no terminal types and no editor should save.
func readable(line string) error {
	if len(line) > MaxLine {
		return errTooLong
	}
	if !utf8.ValidString(line) {
		return errors.New("this isn't UTF-8")
	}
	for _, r := range line {
		if r != '\t' && unicode.IsControl(r) {
			return fmt.Errorf("there is a control character in it, U+%04X", r)
		}
	}
	return nil
}

var errTooLong = fmt.Errorf("it is longer than %d bytes", MaxLine)

func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("there is no name before the colon")
	case utf8.RuneCountInString(name) > MaxName:
		return fmt.Errorf("a name has at most %d characters", MaxName)
	}
	return nil
}

// checkChannel takes "garden" and "club/garden".
func checkChannel(name string) error {
	if utf8.RuneCountInString(name) > MaxChannel {
		return fmt.Errorf("a channel's name has at most %d characters", MaxChannel)
	}
	chat, place, threaded := strings.Cut(name, "/")
	if !isWord(chat) || threaded && !isWord(place) {
		return fmt.Errorf(`#%s is no channel: its name is letters, digits, "-", "_" and ".", as garden or club/garden; a comment has a space behind its #`, Clean(name))
	}
	return nil
}

// isWord tells whether s can name a chat or a place in it.
func isWord(s string) bool {
	for i, r := range s {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		if !letter && (i == 0 || !unicode.IsMark(r) && !strings.ContainsRune("-_.", r)) {
			return false
		}
	}
	return s != ""
}
