package talk

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote returns a name as it is written at the head of a line: as it stands if
// it is read back so, else as a JSON string in which all that a terminal would
// obey is escaped. Parse gives back the same name, if it is valid UTF-8.
func Quote(name string) string {
	if plain(name) {
		return name
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(name); err != nil {
		panic("talk: a string has no JSON: " + err.Error()) // it always has
	}
	return escape(strings.TrimSuffix(b.String(), "\n"))
}

// plain tells whether a name needs no quotes.
func plain(name string) bool {
	if name == "" || name != strings.TrimSpace(name) || strings.ContainsRune(`#!"/[`, rune(name[0])) || isBot(name) {
		return false
	}
	if !utf8.ValidString(name) || strings.ContainsFunc(name, obeyed) || strings.ContainsFunc(name, isolate) {
		return false
	}
	return !strings.Contains(name, ": ")
}

// escape writes what a terminal obeys by its number, inside a JSON string.
func escape(quoted string) string {
	var b strings.Builder
	for _, r := range quoted {
		if obeyed(r) || isolate(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// obeyed tells whether a character is an order to a terminal or to its reading
// direction rather than something to see: no text of a person is printed with
// it.
func obeyed(r rune) bool {
	switch {
	case unicode.IsControl(r), r == '\u2028', r == '\u2029', r == '\ufeff':
		return true
	}
	return r >= '\u202a' && r <= '\u202e' || r == '\u2066' || r == '\u2067'
}

// isolate tells whether a character opens or closes a stretch with a reading
// direction of its own. The bot puts a pair of them around a name.
func isolate(r rune) bool { return r == opens || r == closes }

const (
	opens  = '\u2068'
	closes = '\u2069'
)

// Clean returns s fit to be printed in one line: line breaks and tabs are
// spaces, all else that a terminal would obey is left out, and isolates come
// in pairs.
func Clean(s string) string {
	var c cleaner
	return c.clean(s) + c.close()
}

// cleaner cleans the parts of one line.
type cleaner struct {
	open int // isolates that wait for their end
}

func (c *cleaner) clean(part string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(part, "\ufffd") {
		switch {
		case r == '\n' || r == '\t' || r == '\u2028' || r == '\u2029':
			b.WriteByte(' ')
		case obeyed(r), r == closes && c.open == 0:
		default:
			b.WriteRune(r)
			if r == opens {
				c.open++
			} else if r == closes {
				c.open--
			}
		}
	}
	return b.String()
}

// close ends what is open at the end of a line.
func (c *cleaner) close() string {
	s := strings.Repeat(string(closes), c.open)
	c.open = 0
	return s
}
