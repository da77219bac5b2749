package boards

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// GridWidth is the most columns that Grid and List.String write: a phone
// wraps monospace text at about 34.
const GridWidth = 30

// What Grid marks squares with. They are ASCII, since that alone is certain to
// be one column wide in the monospace font of every phone.
const (
	LadderMark = '#' // a ladder's foot
	SnakeMark  = '~' // a snake's head
	SkipMark   = '-' // an effect: the next player is passed over
	ShieldMark = '+' // an effect: a shield
	AgainMark  = '!' // an effect: one more roll
	BackMark   = '0' // an effect: back to the start, square 0
	EmptyMark  = '.'
	CrowdMark  = '*' // twice, where more than two tokens stand; they are named below
)

const (
	cellWidth  = 2
	usualRows  = 15 // a board of more rows shows only those that matter
	mostRows   = 24 // of them, however many tokens there are
	mostCrowds = 6  // squares whose tokens are named below
)

// Token is a player's token on a square of the board, 0 before the first throw.
type Token struct {
	Square int
	Letter rune // printable ASCII; anything else is shown as ?
}

// Grid draws the board in text, for a monospace block: at most GridWidth
// columns and under 1,500 characters, whatever the board and the tokens.
//
// Rows run to and fro as on the real thing, the last one on top, with the
// squares at their two ends beside them; where there's room for the left end
// only, an arrow says which way the row runs. A square shows its token or two,
// else its mark. Below follow the tokens that haven't begun, on 0, and those of
// every square with more than two. Tokens on no square of the board are left
// out. There are no words in it; the marks are explained by Lists.
//
// A board of more than 15 rows shows its first and last, those with tokens, and
// as many of the rows around them as there's room for.
func (b Board) Grid(tokens []Token) string {
	g := newGrid(b, tokens)
	var lines []string
	above := -1
	for _, row := range g.shown() {
		if above >= 0 && row != above-1 {
			lines = append(lines, strings.Repeat(" ", g.digits)+" :")
		}
		lines = append(lines, g.line(row))
		above = row
	}
	lines = append(lines, g.footnotes()...)
	return strings.Join(lines, "\n")
}

// grid is a board being drawn.
type grid struct {
	board   Board
	columns int
	rows    int
	digits  int            // of the last square
	both    bool           // is there room for both edges?
	tokens  map[int]string // letters by square
}

func newGrid(b Board, tokens []Token) *grid {
	b.Size = max(b.Size, 1)
	g := &grid{board: b, columns: b.Columns, digits: len(strconv.Itoa(b.Size)), tokens: map[int]string{}}
	fit := (GridWidth - g.digits - 1) / cellWidth
	if g.columns < 1 || g.columns > fit {
		g.columns = DefaultColumns
	}
	g.both = 2*(g.digits+1)+cellWidth*g.columns <= GridWidth
	g.rows = (b.Size + g.columns - 1) / g.columns
	for _, t := range tokens {
		if t.Square < 0 || t.Square > b.Size {
			continue
		}
		letter := t.Letter
		if letter <= ' ' || letter > '~' {
			letter = '?'
		}
		g.tokens[t.Square] += string(letter)
	}
	return g
}

// row returns the row of a square, the first being 0.
func (g *grid) row(square int) int { return (square - 1) / g.columns }

// shown returns the rows to show, from the top down.
func (g *grid) shown() []int {
	keep := map[int]bool{}
	add := func(row, most int) {
		if row >= 0 && row < g.rows && len(keep) < most {
			keep[row] = true
		}
	}
	if g.rows <= usualRows {
		for row := range g.rows {
			add(row, usualRows)
		}
	} else {
		add(g.rows-1, mostRows)
		add(0, mostRows)
		places := g.places()
		for _, square := range places {
			if square > 0 {
				add(g.row(square), mostRows)
			}
		}
		// What lies ahead of the tokens tells more than what lies behind.
		for _, step := range [...]int{1, 2, -1, 3, -2} {
			for _, square := range places {
				add(g.row(max(square, 1))+step, usualRows)
			}
		}
	}
	rows := make([]int, 0, len(keep))
	for row := range keep {
		rows = append(rows, row)
	}
	slices.Sort(rows)
	slices.Reverse(rows)
	return rows
}

// places returns the squares with tokens, the foremost first.
func (g *grid) places() []int {
	squares := make([]int, 0, len(g.tokens))
	for square := range g.tokens {
		squares = append(squares, square)
	}
	slices.Sort(squares)
	slices.Reverse(squares)
	return squares
}

// line draws one row with its edges.
func (g *grid) line(row int) string {
	first := row*g.columns + 1
	last := min(first+g.columns-1, g.board.Size)
	left, right, arrow := first, last, ">"
	if row%2 == 1 {
		left, right, arrow = last, first, "<"
	}
	if g.both {
		arrow = " "
	}
	var s strings.Builder
	fmt.Fprintf(&s, "%*d%s", g.digits, left, arrow)
	for i := range g.columns {
		square := first + i
		if row%2 == 1 {
			square = first + g.columns - 1 - i
		}
		s.WriteString(g.cell(square))
	}
	if g.both {
		fmt.Fprintf(&s, " %*d", g.digits, right)
	}
	return strings.TrimRight(s.String(), " ")
}

// cell draws one square, or nothing where the last row has none.
func (g *grid) cell(square int) string {
	if square > g.board.Size {
		return "  "
	}
	switch here := g.tokens[square]; len(here) {
	case 0:
		return " " + string(g.mark(square))
	case 1:
		return " " + here
	case 2:
		return here
	default:
		return strings.Repeat(string(CrowdMark), cellWidth)
	}
}

func (g *grid) mark(square int) rune {
	if to, ok := g.board.Jump(square); ok {
		if to > square {
			return LadderMark
		}
		return SnakeMark
	}
	return effectMark(g.board.Effect(square))
}

// effectMark returns what marks squares with an effect.
func effectMark(e Effect) rune {
	switch e {
	case Skip:
		return SkipMark
	case Shield:
		return ShieldMark
	case Again:
		return AgainMark
	case Back:
		return BackMark
	default:
		return EmptyMark
	}
}

// footnotes names the tokens that the rows can't show.
func (g *grid) footnotes() []string {
	var lines []string
	for _, square := range g.places() {
		here := g.tokens[square]
		if square > 0 && len(here) <= cellWidth {
			continue
		}
		if len(lines) == mostCrowds && square > 0 {
			continue
		}
		prefix := fmt.Sprintf("%*d: ", g.digits, square)
		if room := GridWidth - len(prefix); len(here) > room {
			here = here[:room-1] + "+"
		}
		lines = append(lines, prefix+here)
	}
	return lines
}
