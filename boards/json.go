package boards

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// looksLikeJSON reports whether a file begins as a JSON object does: then
// JSON's own reader finds the place of a fault better than YAML's.
func looksLikeJSON(text []byte) bool {
	inner, ok := bytes.CutPrefix(bytes.TrimSpace(text), []byte("{"))
	return ok && bytes.HasPrefix(bytes.TrimSpace(inner), []byte(`"`))
}

// plainJSON rewrites the two escapes of valid JSON that YAML doesn't have: \/
// and pairs of surrogates, by which most programs write emoji. It moves no
// line.
func plainJSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		if text[0] != '\\' { // a backslash of valid JSON always begins an escape
			out = append(out, text[0])
			text = text[1:]
			continue
		}
		size := 2
		switch text[1] {
		case '/':
			out = append(out, '/')
		case 'u':
			var r rune
			r, size = jsonRune(text)
			if utf16.IsSurrogate(r) {
				r = utf8.RuneError
			}
			if size == 12 || r == utf8.RuneError {
				out = utf8.AppendRune(out, r)
			} else {
				out = append(out, text[:size]...)
			}
		default:
			out = append(out, text[:2]...)
		}
		text = text[size:]
	}
	return out
}

// jsonRune reads the escape \uXXXX at the start of valid JSON, or two that are
// a pair, and how many bytes it takes.
func jsonRune(text []byte) (rune, int) {
	var high, low rune
	fmt.Sscanf(string(text[2:6]), "%04x", &high)
	if !utf16.IsSurrogate(high) || len(text) < 12 || text[6] != '\\' || text[7] != 'u' {
		return high, 6
	}
	fmt.Sscanf(string(text[8:12]), "%04x", &low)
	if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
		return r, 12
	}
	return high, 6
}
