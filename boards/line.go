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
// carry no texts and say a jump's kind by its direction.
func lineKeys() []string { return []string{"name", "size", "columns", "chains"} }

// readLine fills the draft from a line of chat. What it finds has no lines.
func (d *draft) readLine(text []byte) {
	for word := range strings.FieldsFuncSeq(string(text), between) {
		if key, value, ok := strings.Cut(word, "="); ok {
			d.setting(strings.ToLower(key), value, 0)
			continue
		}
		from, to, ok := cutJump(word)
		if !ok {
			d.add(Fault{Kind: NotJump, Text: found(word)})
			continue
		}
		d.jump(from, to, 0)
	}
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
