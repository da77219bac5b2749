package boards

import (
	"bytes"
	"path"
	"strings"
	"unicode/utf8"
)

// Parse reads a board file. The name of the file decides how: .yaml, .yml and
// .json as YAML, .csv as CSV, .line as a line of chat, and anything else by
// what it looks like. A board whose file gives it no name is called as the
// file is, without its folders and extension, in lower case, and with what no
// name can have made into dashes: "My board (2).yaml" is my-board-2.
//
// Titles and abouts are cleaned: white space of any kind becomes single
// spaces, and control, direction and other invisible characters are dropped.
// A byte order mark and Windows line ends are accepted.
//
// The error is always a *Faults, with every fault of the file that can be told
// from there. Parse takes files of any content, and refuses what is longer than
// MaxBytes: the worst of them cost it some 30 milliseconds and 20 megabytes,
// most of which the YAML library takes and gives back at once.
func Parse(file string, data []byte) (Board, error) {
	d := newDraft()
	d.board.Name = nameOf(file)
	text, ok := d.readable(data)
	if !ok {
		return Board{}, gather(file, d.faults, 0)
	}
	d.reader(file, text)(text)
	return d.result(file)
}

// ParseLine reads a board from one line of chat: jumps such as 4-14, whose
// direction says their kind, effects such as 12=skip, and settings such as
// size=36, in any order. Between the squares of a jump may stand - or one of the
// characters that phones make of it, – — → >. Settings are size (100 when not
// given), columns, chains and name; a board without a name is called custom.
//
// The error is always a *Faults; its faults have no lines.
func ParseLine(line string) (Board, error) {
	d := newDraft()
	d.board.Name = "custom"
	text, ok := d.readable([]byte(line))
	if !ok {
		d.faults[0].Line = 0
		return Board{}, gather("", d.faults, 0)
	}
	d.readLine(text)
	return d.result("")
}

// nameOf makes a board's name of a file's name; it may be empty.
func nameOf(file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	base = strings.ToLower(strings.TrimSuffix(base, path.Ext(base)))
	var name strings.Builder
	for _, r := range base {
		if name.Len() >= MaxName {
			break
		}
		if validName(string(r)) {
			name.WriteRune(r)
		} else if s := name.String(); s != "" && !strings.HasSuffix(s, "-") {
			name.WriteByte('-')
		}
	}
	return strings.TrimRight(name.String(), "-")
}

// lineEnds makes one kind of line end out of what YAML takes for one, so that
// all readers, and whoever reads a fault, count the same lines. The three that
// no editor shows as one become spaces.
func lineEnds() *strings.Replacer {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", " ", "\u2028", " ", "\u2029", " ")
}

// readable returns the text of a file without its byte order mark, its lines
// ended by \n. It is false, and a fault, if there is no text that any reader
// could take.
func (d *draft) readable(data []byte) ([]byte, bool) {
	if len(data) > MaxBytes {
		d.add(Fault{Kind: TooLarge})
		return nil, false
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if at := badUTF8(data); at >= 0 {
		d.add(Fault{Kind: NotUTF8, Line: lineAt([]byte(lineEnds().Replace(string(data[:at]))), at)})
		return nil, false
	}
	text := lineEnds().Replace(string(unseen(data)))
	if at := strings.IndexFunc(text, control); at >= 0 {
		d.add(Fault{Kind: Control, Line: lineAt([]byte(text), at)})
		return nil, false
	}
	if strings.TrimSpace(text) == "" {
		d.add(Fault{Kind: Empty})
		return nil, false
	}
	return []byte(text), true
}

// unseen takes out what pasting brings along and nobody sees: blanks of no width,
// and marks of direction.
func unseen(data []byte) []byte {
	if !bytes.ContainsAny(data, "\u200b\u200e\u200f\u2060\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") {
		return data
	}
	return bytes.Map(func(r rune) rune {
		switch {
		case r == '\u200b', r == '\u200e', r == '\u200f', r == '\u2060', '\u202a' <= r && r <= '\u202e', '\u2066' <= r && r <= '\u2069':
			return -1
		}
		return r
	}, data)
}

// badUTF8 returns the offset of the first byte that is no UTF-8, or -1.
func badUTF8(data []byte) int {
	for at := 0; at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// lineAt returns the line of the byte at an offset, from 1.
func lineAt(text []byte, offset int) int {
	offset = max(0, min(offset, len(text)))
	return 1 + bytes.Count(text[:offset], []byte("\n"))
}

// control reports whether no text file has any business with r.
func control(r rune) bool {
	if r == '\t' || r == '\n' {
		return false
	}
	return r < ' ' || (r >= 0x7f && r < 0xa0) || r == 0xfffe || r == 0xffff || r == 0xfeff
}

// reader chooses how to read a file.
func (d *draft) reader(file string, text []byte) func([]byte) {
	switch strings.ToLower(path.Ext(file)) {
	case ".yaml", ".yml", ".json":
		return d.readYAML
	case ".csv":
		return d.readCSV
	case ".line":
		return d.readLine
	}
	// By its first line that says something. A colon or a bracket is YAML; the
	// rest is told apart by what stands between two squares.
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		switch {
		case strings.ContainsAny(line, ":{["):
			return d.readYAML
		case looksLikeLine(line):
			return d.readLine
		case strings.ContainsAny(line, separators):
			return d.readCSV
		}
		return d.readYAML
	}
	return d.readYAML
}

// looksLikeLine reports whether a line begins as a line of chat does: with a
// setting or a jump.
func looksLikeLine(line string) bool {
	word := strings.FieldsFunc(line, between)
	if len(word) == 0 {
		return false
	}
	if strings.Contains(word[0], "=") {
		return true
	}
	from, to, ok := cutJump(word[0])
	_, isNumber := number(from)
	return ok && isNumber && to != ""
}
