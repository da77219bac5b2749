package words

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/rivo/uniseg"

	"hiss/bot"
)

// How long names are shown, in cells (wide letters and emoji count two) and in
// UTF-16 units, as the platforms count.
const (
	nameCells, nameUnits = 32, 64
	listCells, listUnits = 16, 32
)

// clusterRunes is how many code points one visible character may be made of.
// Flags, families and Indic syllables stay below; towers of marks don't.
const clusterRunes = 12

// Clean returns text from people as it may be shown: on one line, without
// control and direction characters, without towers of marks, blanks folded.
func Clean(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\u200d' || r == '\u200c': // joiners: emoji and some scripts need them
			return r
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	var b strings.Builder
	for rest, state := s, -1; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		for i, r := range []rune(cluster) {
			if i < clusterRunes {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// Cut shortens a text to that many cells and UTF-16 units, "…" included, and
// never inside a visible character.
func Cut(s string, cells, units int) string {
	if uniseg.StringWidth(s) <= cells && unitsOf(s) <= units {
		return s
	}
	width, length, end := 1, 1, 0
	for rest, state := s, -1; rest != ""; {
		var cluster string
		var w int
		cluster, rest, w, state = uniseg.FirstGraphemeClusterInString(rest, state)
		width += w
		length += unitsOf(cluster)
		if width > cells || length > units {
			break
		}
		end += len(cluster)
	}
	return strings.TrimRight(s[:end], " ") + "…"
}

func unitsOf(s string) int {
	n := 0
	for _, r := range s {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// Title shows the name of a thing that people made, such as a board.
func Title(s string) string { return isolate(Cut(Clean(s), nameCells, nameUnits)) }

// Names are the players of a match as they are shown: equal ones told apart,
// strong, so that a name which imitates a sentence is seen to be a name.
type Names struct {
	long, short []string
}

// NewNames returns the names of seats, in order. Players without a name that
// can be seen are called by their seat.
func (l *Language) NewNames(typed []string) Names {
	n := Names{l.shown(typed, nameCells, nameUnits), l.shown(typed, listCells, listUnits)}
	return n
}

func (l *Language) shown(typed []string, cells, units int) []string {
	names := make([]string, len(typed))
	for i, s := range typed {
		names[i] = Cut(Clean(s), cells, units)
		if !visible(names[i]) {
			names[i] = l.Words(Player, N("n", i+1))
		}
	}
	// Once more for somebody who is called what another is told apart by.
	numbered := make([]bool, len(names))
	for range 2 {
		count := make(map[string]int)
		for _, name := range names {
			count[looks(name)]++
		}
		for i, name := range names {
			if count[looks(name)] > 1 && !numbered[i] {
				seat := " (" + strconv.Itoa(i+1) + ")"
				names[i], numbered[i] = Cut(name, cells-len(seat), units-len(seat))+seat, true
			}
		}
	}
	for i, name := range names {
		names[i] = isolate(name)
	}
	return names
}

// looks returns what is seen of a name: joiners aren't.
func looks(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "\u200d", ""), "\u200c", "")
}

// Of returns a seat's name for a sentence.
func (n Names) Of(seat int) bot.Text { return bot.Text{{Kind: bot.Strong, Text: n.long[seat]}} }

// Short returns a seat's name for a list or a toast.
func (n Names) Short(seat int) bot.Text { return bot.Text{{Kind: bot.Strong, Text: n.short[seat]}} }

// Brief returns names that are short in sentences too, for a toast.
func (n Names) Brief() Names { return Names{n.short, n.short} }

// Name returns the name of somebody who isn't seated, for a sentence.
func (l *Language) Name(typed string) bot.Text {
	return l.NewNames([]string{typed}).Of(0)
}

// visible reports whether anything of a name can be seen.
func visible(s string) bool {
	for _, r := range s {
		switch r {
		case '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800', '…': // blanks that count as letters or symbols
			continue
		}
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsSymbol(r) || unicode.IsPunct(r) {
			return true
		}
	}
	return false
}

// isolate keeps a name with right-to-left letters from turning what stands
// around it.
func isolate(s string) string {
	for _, r := range s {
		if unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam) {
			return "\u2068" + s + "\u2069"
		}
	}
	return s
}
