package boards

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// dashes are what may stand between the squares of a jump in a line of chat.
const dashes = "-–—→>"

// between reports whether r stands between the words of a line.
func between(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' }

// lineKeys are the settings that can be made in a line or a CSV file, which
// carry no texts, say a jump's kind by its direction and have effects as words.
func lineKeys() []string { return []string{"name", "size", "columns", "chains"} }

// readLine fills the draft from a line of chat. What it finds has no lines.
func (d *draft) readLine(text []byte) {
	words := strings.FieldsFunc(string(text), between)
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		key, value, isSetting := strings.Cut(word, "=")
		from, to, isJump := cutJump(word)
		switch {
		case isSetting && startsWithNumber(key) && startsWithNumber(value):
			d.add(Fault{Kind: NotJump, Text: found(word), Suggestion: found(key + "-" + value)})
		case isSetting && startsWithNumber(key):
			words = afterBack(value, words)
			d.special(key, value, 0)
		case d.misput(word, "=", 0):
			// Told.
		case isSetting:
			d.setting(strings.ToLower(key), value, 0)
		case isJump:
			d.jump(from, to, 0)
		default:
			d.add(Fault{Kind: NotJump, Text: found(word)})
		}
	}
}

// afterBack returns the words that follow an effect: of back to start, which
// people write as three words, two more belong to it.
func afterBack(effect string, words []string) []string {
	if len(words) >= 2 && strings.EqualFold(effect+" "+words[0]+" "+words[1], "back to start") {
		return words[2:]
	}
	return words
}

// startsWithNumber reports whether s is meant for a number.
func startsWithNumber(s string) bool {
	return strings.IndexFunc(s, unicode.IsDigit) == 0 || strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+")
}

// setting takes a key and a value from a line or a CSV file.
func (d *draft) setting(key, value string, line int) {
	for _, k := range lineKeys() {
		if k == key {
			if d.claimKey(key, line) {
				d.set(key, value, line)
			}
			return
		}
	}
	d.add(Fault{Kind: UnknownSetting, Line: line, Key: found(key), Suggestion: nearest(key, lineKeys())})
}

// jump takes the two squares of a jump from a line or a CSV file.
func (d *draft) jump(from, to string, line int) {
	j := stated{line: line}
	var ok [2]bool
	for i, s := range [...]string{from, to} {
		n, isNumber := number(s)
		ok[i] = isNumber
		if !isNumber {
			d.notSquare(s, line)
		}
		if i == 0 {
			j.From = n
		} else {
			j.To = n
		}
	}
	if ok[0] && ok[1] {
		d.jumps = append(d.jumps, j)
	}
}

// notSquare notes that something stands where a square is needed.
func (d *draft) notSquare(text string, line int) {
	f := Fault{Kind: NotSquare, Line: line, Text: found(cmp.Or(text, "nothing"))}
	if plain := strings.TrimLeft(text, "0+"); plain != text {
		if _, ok := number(plain); ok {
			f.Suggestion = plain
		}
	}
	d.add(f)
}

// cutJump cuts a word at the dash between two squares. A dash that begins the
// word, or comes after another, is a minus: 4--3 is 4 and -3.
func cutJump(word string) (from, to string, ok bool) {
	_, first := utf8.DecodeRuneInString(word)
	at := strings.IndexAny(word[min(first, len(word)):], dashes)
	if word == "" || at < 0 {
		return "", "", false
	}
	at += first
	_, dash := utf8.DecodeRuneInString(word[at:])
	from, to = word[:at], word[at+dash:]
	// An arrow is often typed with two characters.
	return from, strings.TrimPrefix(to, ">"), true
}
