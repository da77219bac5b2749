package boards

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// List is the ladders or the snakes of a board, as far as they are told.
type List struct {
	Mark  rune   // as Grid marks their starts
	Jumps []Jump // at most 20, sorted by their start
	More  int    // how many there are besides
}

// mostListed is how many jumps a List tells.
const mostListed = 20

// Lists returns the board's ladders and snakes, for below its Grid.
func (b Board) Lists() (ladders, snakes List) {
	ladders.Mark, snakes.Mark = LadderMark, SnakeMark
	for _, j := range b.Jumps {
		list := &snakes
		if j.Ladder() {
			list = &ladders
		}
		if len(list.Jumps) == mostListed {
			list.More++
		} else {
			list.Jumps = append(list.Jumps, j)
		}
	}
	return ladders, snakes
}

// String returns the list as "# 4→14 9→31 and 480 more", in lines of at most
// GridWidth columns, or "" if there is nothing to tell.
func (l List) String() string {
	if len(l.Jumps) == 0 {
		return ""
	}
	words := make([]string, 0, len(l.Jumps)+1)
	for _, j := range l.Jumps {
		words = append(words, fmt.Sprintf("%d→%d", j.From, j.To))
	}
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
