package talk

import "strings"

// Colours of a terminal. They only underline what the signs say.
const (
	green  = "\x1b[32m"
	red    = "\x1b[31m"
	yellow = "\x1b[33m"
	usual  = "\x1b[39m"
)

const digits = "0123456789"

// tinted returns a line of code as a terminal shows it: a board has edges, its
// ladders rungs, and both its jumps and its tokens colours. A board in text is rows of
// squares between their numbers, and below them lists of what is on them, behind the
// mark of its kind.
func tinted(line string) string {
	if len(line) > 2 && strings.ContainsRune("#~+-!0", rune(line[0])) && line[1] == ' ' && strings.ContainsRune(digits, rune(line[2])) {
		return squares(line[:1]) + line[1:]
	}
	middle := strings.TrimLeft(strings.TrimLeft(line, " "), digits)
	left := line[:len(line)-len(middle)]
	middle = strings.TrimRight(middle, digits)
	right := line[len(left)+len(middle):]
	row := strings.TrimSuffix(middle, " ")
	if strings.TrimSpace(left) == "" || right == "" || !strings.HasPrefix(row, " ") ||
		strings.Trim(row, " .#~+!-0*?ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return line
	}
	return left + " │" + squares(row) + " │ " + right
}

// squares returns the squares of a row, each with its colour.
func squares(row string) string {
	var b strings.Builder
	for _, r := range row {
		switch {
		case r == ' ':
			b.WriteRune(r)
		case r == '.':
			b.WriteString(dimmed + "·" + normal)
		case r == '#':
			b.WriteString(green + "╫" + usual)
		case r == '~':
			b.WriteString(red + "~" + usual)
		case strings.ContainsRune("+!0-", r):
			b.WriteString(yellow + string(r) + usual)
		default:
			b.WriteString(bold + string(r) + normal)
		}
	}
	return b.String()
}
