package boards

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes one line of what somebody wrote: white space of any kind and
// length becomes one space, the ends are trimmed, and control, direction and
// other characters that show nothing are dropped, except the two joiners that
// emoji and some scripts are spelled with.
//
// It keeps what Go calls printable, since that set only ever grows: a title
// that was clean once stays clean, and with it the board's hash.
func clean(s string) string {
	var out strings.Builder
	space := false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = true
			continue
		case r == '\u200c' || r == '\u200d': // zero-width non-joiner and joiner
		case !unicode.IsPrint(r):
			continue
		}
		if space && out.Len() > 0 {
			out.WriteByte(' ')
		}
		space = false
		out.WriteRune(r)
	}
	return out.String()
}

// excerpt cleans s and cuts it to at most n characters.
func excerpt(s string, n int) string {
	if len(s) > 16*n { // far more than can be kept; spares cleaning a whole file
		s = strings.ToValidUTF8(s[:16*n], "") + "…"
	}
	s = clean(s)
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// found is an excerpt for Fault.Text and Fault.Key.
func found(s string) string { return excerpt(s, 32) }

// number reads a whole number in plain decimal digits, at most nine of them.
// It takes nothing that different readers of YAML would read differently: no
// leading zero, sign (but a minus), point, exponent or separator.
func number(s string) (int, bool) {
	digits := strings.TrimPrefix(s, "-")
	if digits == "" || len(digits) > 9 || (digits[0] == '0' && s != "0") {
		return 0, false
	}
	n := 0
	for _, r := range digits {
		if r < '0' || r > '9' {
			return 0, false
		}
		n = 10*n + int(r-'0')
	}
	if digits != s {
		n = -n
	}
	return n, true
}

// nearest returns the key that s was probably meant to be, or "". It goes by
// the letters that s begins with: without its colon, "ladders {4" is a key too.
func nearest(s string, keys []string) string {
	s = strings.ToLower(s)
	if end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }); end > 0 {
		s = s[:end]
	}
	if len(s) > MaxName {
		return ""
	}
	best, least := "", 3
	for _, k := range keys {
		d := distance(s, k)
		if len(s) >= 3 && strings.HasPrefix(k, s) {
			d = min(d, 1)
		}
		if d < least && d < len(k)-1 {
			best, least = k, d
		}
	}
	return best
}

// distance is the number of letters to put in, take out or change on the way
// from a to b (Levenshtein), bytes being letters.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
