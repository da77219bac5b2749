package boards

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// List is the ladders of a board, its snakes, or its squares of one effect, as
// far as they are told.
type List struct {
	Mark   rune     // as Grid marks them
	Effect Effect   // what the squares do; NoEffect for ladders and snakes
	Items  []string // at most 20, in order: "4→14" for a jump, "12" for a square
	More   int      // how many there are besides
}

// mostListed is how many items a List tells.
const mostListed = 20

// Lists returns what the marks of the board's Grid stand for, to be shown below
// it: ladders, snakes, then the effects. What the board hasn't got has no list.
func (b Board) Lists() []List {
	ladders, snakes := List{Mark: LadderMark}, List{Mark: SnakeMark}
	for _, j := range b.Jumps {
		list := &snakes
		if j.Ladder() {
			list = &ladders
		}
		list.add("%d→%d", j.From, j.To)
	}
	all := []List{ladders, snakes}
	for e := Skip; e <= Back; e++ {
		list := List{Mark: effectMark(e), Effect: e}
		for _, s := range b.Specials {
			if s.Effect == e {
				list.add("%d", s.Square)
			}
		}
		all = append(all, list)
	}
	return slices.DeleteFunc(all, func(l List) bool { return len(l.Items) == 0 })
}

// add takes one more item, or only counts it.
func (l *List) add(format string, squares ...any) {
	if len(l.Items) == mostListed {
		l.More++
		return
	}
	l.Items = append(l.Items, fmt.Sprintf(format, squares...))
}

// String returns the list as "# 4→14 9→31 and 480 more" or "- skip 12 55", in
// lines of at most GridWidth columns.
func (l List) String() string {
	var words []string
	if l.Effect != NoEffect {
		words = append(words, l.Effect.String())
	}
	words = append(words, l.Items...)
	if l.More > 0 {
		words = append(words, fmt.Sprintf("and %d more", l.More))
	}
	var s strings.Builder
	s.WriteRune(l.Mark)
	column := 1
	for _, word := range words {
		width := utf8.RuneCountInString(word)
		if column+1+width > GridWidth {
			s.WriteString("\n ")
			column = 1
		}
		s.WriteString(" " + word)
		column += 1 + width
	}
	return s.String()
}
