package boards

import (
	"strings"
	"unicode"
)

// separators are what may stand between the fields of a CSV file: spreadsheets
// write another one in each country.
const separators = ",;\t"

// readCSV fills the draft from a CSV file. It needs none of CSV's quoting, since
// squares and names hold no separators, and reads line by line, so that every
// fault has its line.
func (d *draft) readCSV(text []byte) {
	n, begun := 0, false
	for line := range strings.Lines(string(text)) {
		n++
		line, _, _ = strings.Cut(line, "#")
		fields := csvFields(line)
		if len(fields) == 0 {
			continue
		}
		if !begun && header(fields) {
			begun = true
			continue
		}
		begun = true
		switch {
		case len(fields) != 2:
			if d.misput(line, ",", n) {
				continue
			}
			d.add(Fault{Kind: NotJump, Line: n, Text: found(line), Suggestion: "two squares, such as 4,14"})
		case startsWithLetter(fields[0]):
			if !d.misput(line, ",", n) {
				d.setting(strings.ToLower(fields[0]), fields[1], n)
			}
		case startsWithLetter(fields[1]):
			d.special(fields[0], fields[1], n)
		default:
			d.jump(fields[0], fields[1], n)
		}
	}
	if !begun {
		d.add(Fault{Kind: Empty})
	}
}

// csvFields cuts a line into fields, without quotes, blanks around them and
// empty fields at the end.
func csvFields(line string) []string {
	var fields []string
	isSeparator := func(r rune) bool { return strings.ContainsRune(separators, r) }
	for line != "" {
		field, rest := line, ""
		if at := strings.IndexFunc(line, isSeparator); at >= 0 {
			field, rest = line[:at], line[at+1:]
		}
		line = rest
		field = strings.TrimSpace(field)
		if len(field) >= 2 && field[0] == '"' && field[len(field)-1] == '"' {
			field = strings.TrimSpace(field[1 : len(field)-1])
		}
		fields = append(fields, field)
	}
	for len(fields) > 0 && fields[len(fields)-1] == "" {
		fields = fields[:len(fields)-1]
	}
	return fields
}

// header reports whether the first line that says something only names the
// columns: words in all fields, and no setting among them.
func header(fields []string) bool {
	for _, f := range fields {
		if strings.ContainsFunc(f, unicode.IsDigit) {
			return false
		}
	}
	for _, k := range lineKeys() {
		if strings.EqualFold(fields[0], k) {
			return false
		}
	}
	return len(fields) >= 2
}

func startsWithLetter(s string) bool {
	for _, r := range s {
		return unicode.IsLetter(r)
	}
	return false
}
