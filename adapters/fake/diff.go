package fake

import (
	"fmt"
	"strings"
)

// context is how many lines stand around a difference.
const around = 2

// diff returns the lines of old that are not in new, and the other way round,
// each run of them with a few lines around it. Numbers are those of old.
func diff(old, new string) string {
	a, b := lines(old), lines(new)
	var d differ
	same := common(a, b)
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			d.keep(i+1, a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && same[i+1][j] >= same[i][j+1]:
			d.change('-', i+1, a[i])
			i++
		default:
			d.change('+', i+1, b[j])
			j++
		}
	}
	return d.out.String()
}

// common returns, for every i and j, how many lines a[i:] and b[j:] have in
// common in the same order. Scripts are short enough for the whole table.
func common(a, b []string) [][]int {
	same := make([][]int, len(a)+1)
	for i := range same {
		same[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				same[i][j] = same[i+1][j+1] + 1
			} else {
				same[i][j] = max(same[i+1][j], same[i][j+1])
			}
		}
	}
	return same
}

// differ writes differences with the lines around them.
type differ struct {
	out    strings.Builder
	before []string // kept lines that stand before the next difference
	after  int      // how many more kept lines belong to the last one
	gap    bool     // kept lines were left out
}

func (d *differ) keep(number int, line string) {
	text := fmt.Sprintf("%5d   %s\n", number, line)
	if d.after > 0 {
		d.after--
		d.out.WriteString(text)
		return
	}
	d.before = append(d.before, text)
	if len(d.before) > around {
		d.before = d.before[1:]
		d.gap = true
	}
}

func (d *differ) change(sign byte, number int, line string) {
	if d.gap && d.out.Len() > 0 {
		d.out.WriteString("  ...\n")
	}
	for _, text := range d.before {
		d.out.WriteString(text)
	}
	fmt.Fprintf(&d.out, "%5d %c %s\n", number, sign, line)
	d.before, d.gap, d.after = nil, false, around
}

func lines(s string) []string {
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}
