package odds

import (
	"errors"
	"fmt"
	"slices"

	"hiss/engine/rules"
)

// MaxSquares is how many squares a board of a Chain may have.
const MaxSquares = 1000

// The errors of this package, besides *[rules.Endless].
var (
	// ErrLarge says that a board has more than MaxSquares squares.
	ErrLarge = fmt.Errorf("odds: a board of more than %d squares", MaxSquares)
	// ErrSquare says that no go can ever begin on a square: it isn't on the
	// board, a jump leads away from it, or no way leads to it.
	ErrSquare = errors.New("odds: no go can begin on that square")
	// ErrSeats says that there are too many seats, too few, or none of that number.
	ErrSeats = errors.New("odds: no such seats")
	// ErrLong says that goes are followed no further: the match takes so long
	// that its figures can't be had with the accuracy and the work promised.
	ErrLong = errors.New("odds: the match takes too long to be worked out")
	// ErrStopped says that whoever was told about the progress wanted no more.
	ErrStopped = errors.New("odds: stopped")
)

// Chain is the law of one go on a track: from every square that a go can begin
// on, how likely it ends where. It never changes after New, so it can be used
// from any goroutine.
type Chain struct {
	track   *rules.Track
	squares []int   // per state: its square, ascending; state 0 is square 0
	states  []int32 // per square: its state, or -1
	matrix
	lengths []Length // per state
}

// matrix holds the chances of the steps between states, row by row.
type matrix struct {
	rows   []int // per state, and one more: where its row begins
	to     []int32
	chance []float64
	home   []float64 // per state: the chance of the step to the last square
}

// New works out the law of one go, and the lengths from every square. The error
// is the *[rules.Endless] of a track on which a match might never end, or
// ErrLarge. A board of 100 squares takes some tenths of a millisecond, one of
// 1,000 with the largest dice around a second, and 140 MB in passing.
func New(t *rules.Track) (*Chain, error) {
	if t.Size() > MaxSquares {
		return nil, ErrLarge
	}
	if e := t.Endless(); e != nil {
		return nil, e
	}
	w := walkOf(t)
	c := &Chain{track: t, states: make([]int32, t.Size()+1)}
	for square := range c.states {
		c.states[square] = -1
		if square < t.Size() && w.begun[square] {
			c.states[square] = int32(len(c.squares))
			c.squares = append(c.squares, square)
		}
	}
	if w.throws.again == nil {
		c.matrix = c.plain(w, c.squares)
	} else {
		c.matrix = c.withBonus(w)
	}
	c.lengths = c.solve()
	return c, nil
}

// Track returns what the chain was made of.
func (c *Chain) Track() *rules.Track { return c.track }

// Chance is how likely something happens to a token: that it's on a square.
type Chance struct {
	Square int
	P      float64 // 0..1
}

// Go returns where a go that begins on square ends, with what chance: in the
// order of the squares, the last square included, each chance above 0, all
// together 1. The error is ErrSquare.
func (c *Chain) Go(square int) ([]Chance, error) {
	i, err := c.state(square)
	if err != nil {
		return nil, err
	}
	var all []Chance
	for k := c.rows[i]; k < c.rows[i+1]; k++ {
		all = append(all, Chance{c.squares[c.to[k]], c.chance[k]})
	}
	if c.home[i] > 0 {
		all = append(all, Chance{c.track.Size(), c.home[i]})
	}
	return all, nil
}

// state returns the state of a square, or ErrSquare.
func (c *Chain) state(square int) (int, error) {
	if square < 0 || square >= len(c.states) || c.states[square] < 0 {
		return 0, ErrSquare
	}
	return int(c.states[square]), nil
}

// newMatrix returns one with room for rows of some steps each.
func newMatrix(rows, steps int) matrix {
	steps *= rows
	return matrix{make([]int, 1, rows+1), make([]int32, 0, steps), make([]float64, 0, steps), make([]float64, 0, rows)}
}

// add writes a row of a matrix from chances per state, which are above 0 for some
// states at most, ascending. It clears them.
func (m *matrix) add(row []float64, touched []int32, home float64) {
	for _, to := range touched {
		if row[to] > 0 {
			m.to = append(m.to, to)
			m.chance = append(m.chance, row[to])
		}
		row[to] = 0
	}
	m.rows = append(m.rows, len(m.to))
	m.home = append(m.home, home)
}

// plain returns where rolls without a bonus lead from each of some squares.
func (c *Chain) plain(w *walk, from []int) matrix {
	m := newMatrix(len(from), len(w.throws.plain))
	row := make([]float64, len(c.squares))
	var touched []int32
	for _, square := range from {
		touched = touched[:0]
		home := 0.0
		for i, p := range w.throws.plain {
			if p <= 0 {
				continue
			}
			_, to := c.track.Move(square, w.throws.low+i)
			if to == c.track.Size() {
				home += p
				continue
			}
			s := c.states[to]
			if row[s] == 0 {
				touched = append(touched, s)
			}
			row[s] += p
		}
		slices.Sort(touched)
		m.add(row, touched, home)
	}
	return m
}

// withBonus sums the rolls of a go, the last one first. With P(q) the ends of a
// roll from q without a bonus, and b the chance of the bonus roll that leads
// from q to q', the ends of what is left of a go after j bonus rolls are
//
//	X(q, j) = P(q) + Σ b · X(q', j+1)
//
// where X of the last square is the last square itself. The bonus roll that
// voids the go has no part in it; what is missing then is the chance that the
// go ends where it began.
func (c *Chain) withBonus(w *walk) matrix {
	var stood []int
	index := make([]int, c.track.Size()+1)
	for square, yes := range w.stood[:c.track.Size()] {
		if yes {
			index[square] = len(stood) + 1
			stood = append(stood, square)
		}
	}
	p := c.plain(w, stood)
	width := len(c.squares) + 2 // the states, the last square, the void
	home, void := width-2, width-1
	ends, later := make([]float64, len(stood)*width), make([]float64, len(stood)*width)
	last := w.throws.levels() - 1
	for j := last; j >= 0; j-- {
		ends, later = later, ends
		for i, square := range stood {
			row := ends[i*width : (i+1)*width]
			clear(row)
			for k := p.rows[i]; k < p.rows[i+1]; k++ {
				row[p.to[k]] = p.chance[k]
			}
			row[home] = p.home[i]
			if w.throws.voids(j + 1) {
				row[void] = w.throws.mass
				continue
			}
			if j == last { // never void, and so unlikely that it doesn't matter
				continue
			}
			for _, roll := range w.throws.again {
				_, to := c.track.Move(square, w.throws.low+roll)
				b := w.throws.bonus[roll]
				if to == c.track.Size() {
					row[home] += b
				} else if at := index[to]; at > 0 {
					addScaled(row, b, later[(at-1)*width:at*width])
				}
			}
		}
	}
	return c.sparse(ends, index, width)
}

// sparse keeps the rows of the squares on which a go can begin.
func (c *Chain) sparse(ends []float64, index []int, width int) matrix {
	m := newMatrix(len(c.squares), 2*c.track.Rules().Sides)
	all := make([]int32, len(c.squares))
	for to := range all {
		all[to] = int32(to)
	}
	for i, square := range c.squares {
		at := index[square] - 1
		row := ends[at*width : (at+1)*width]
		row[i] += row[width-1]
		m.add(row[:width-2], all, row[width-2])
	}
	return m
}

// addScaled adds f times each of more to each of sum.
func addScaled(sum []float64, f float64, more []float64) {
	more = more[:len(sum)]
	for i := range sum {
		sum[i] += f * more[i]
	}
}
