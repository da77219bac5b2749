package odds

import (
	"errors"
	"fmt"

	"hiss/engine/rules"
)

// MaxSquares is how many squares a board of a Chain may have.
const MaxSquares = 1000

// chainWork is how many steps times states a chain may have. Only boards with
// shields and squares that give another roll come to more.
const chainWork = 1_000_000_000

// The errors of this package, besides *[rules.Endless].
var (
	// ErrLarge says that a board has more than MaxSquares squares.
	ErrLarge = fmt.Errorf("odds: a board of more than %d squares", MaxSquares)
	// ErrSquare says that no go can ever begin with a token: its square isn't on the
	// board, a jump leads away from it, no way leads to it, or not with a shield.
	ErrSquare = errors.New("odds: no go can begin on that square")
	// ErrSkips says that some square passes over the next seat: what happens to one
	// token depends on the others then, so chances of several can only be estimated.
	ErrSkips = errors.New("odds: squares that pass over the next seat")
	// ErrSeats says that there are too many seats, too few, or none of that number.
	ErrSeats = errors.New("odds: no such seats")
	// ErrLong says that goes are followed no further: the match takes so long
	// that its figures can't be had with the accuracy and the work promised.
	ErrLong = errors.New("odds: the match takes too long to be worked out")
	// ErrStopped says that whoever was told about the progress wanted no more.
	ErrStopped = errors.New("odds: stopped")
)

// Chain is the law of one go on a track: from every token that a go can begin
// with, how likely it ends where. It never changes after New, so it can be used
// from any goroutine.
type Chain struct {
	spots
	states
	matrix
	skips   bool
	lengths []Length // per state
}

// states numbers the spots on which a go can begin; state 0 is square 0.
type states struct {
	at []int32 // per state: its spot, ascending
	of []int32 // per spot: its state, or -1
}

// matrix holds the chances of the steps between states, row by row.
type matrix struct {
	rows   []int // per state, and one more: where its row begins
	to     []int32
	chance []float64
	home   []float64 // per state: the chance of the step to the last square
}

// New works out the law of one go, and the lengths from every square. The error
// is the *[rules.Endless] of a track on which a match might never end,
// ErrLarge, or ErrLong where squares that give another roll make goes so long
// that it isn't worth it. A board of 100 squares takes some tenths of a millisecond, one of
// 1,000 ten milliseconds, with dice of very many totals around a second or, where many of
// them earn bonus rolls, some more.
func New(t *rules.Track) (*Chain, error) {
	if t.Size() > MaxSquares {
		return nil, ErrLarge
	}
	if e := t.Endless(); e != nil {
		return nil, e
	}
	w := walkOf(t)
	s := statesOf(w)
	m, err := w.law(s)
	if err == nil && len(m.to)*len(s.at) > chainWork {
		err = ErrLong
	}
	if err != nil {
		return nil, err
	}
	c := &Chain{spots: w.spots, states: s, matrix: m, skips: w.skips}
	c.lengths = c.solve()
	return c, nil
}

func statesOf(w *walk) states {
	s := states{of: make([]int32, w.count())}
	for spot, begun := range w.begun {
		s.of[spot] = -1
		if begun {
			s.of[spot] = int32(len(s.at))
			s.at = append(s.at, int32(spot))
		}
	}
	return s
}

// Track returns what the chain was made of.
func (c *Chain) Track() *rules.Track { return c.track }

// Chance is how likely something happens to a token: that it's on a square, with a
// shield or without.
type Chance struct {
	rules.Token
	P float64 // 0..1
}

// Go returns how a go of a token ends, with what chance: in the
// order of the squares, without a shield first, the last square included, where
// shields don't matter, each chance above 0, all together 1. The error is ErrSquare.
func (c *Chain) Go(token rules.Token) ([]Chance, error) {
	i, err := c.state(token)
	if err != nil {
		return nil, err
	}
	var all []Chance
	for k := c.rows[i]; k < c.rows[i+1]; k++ {
		all = append(all, Chance{c.token(int(c.at[c.to[k]])), c.chance[k]})
	}
	if c.home[i] > 0 {
		all = append(all, Chance{rules.Token{Square: c.track.Size()}, c.home[i]})
	}
	return all, nil
}

// state returns the state of a token, or ErrSquare.
func (c *Chain) state(token rules.Token) (int, error) {
	spot, ok := c.spots.of(token)
	if !ok || spot == home || c.states.of[spot] < 0 {
		return 0, ErrSquare
	}
	return int(c.states.of[spot]), nil
}

// newMatrix returns one with room for rows and steps.
func newMatrix(rows, steps int) matrix {
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
