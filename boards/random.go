package boards

import (
	"fmt"
	"slices"
)

// Plan says what a random board is to have.
type Plan struct {
	Size    int // 2 to 10,000
	Ladders int
	Snakes  int
}

// minLength is the least squares that a jump of a random board leads over. With
// it no snake's head is on the first ten squares and no ladder's foot on the
// last ten.
const minLength = 10

// Room returns how many jumps, ladders and snakes together, a random board of
// size squares has room for.
//
// All ends lie on the squares 1 to size-1, and no two on one. From 21 squares
// on, half of those squares can be joined with the other half. Below, each
// lower end needs a square ten above it, of which there are size-11.
func Room(size int) int {
	usable := size - 1
	return max(0, min(usable/2, usable-minLength))
}

// RoomError is Random's answer to a plan of more jumps than the board has room
// for.
type RoomError struct {
	Plan Plan
	Room int // the most ladders and snakes, taken together
}

// Error says how many jumps fit.
func (e *RoomError) Error() string {
	if e.Room == 0 {
		return fmt.Sprintf("%d squares have no room for ladders and snakes; 12 is the least that has", e.Plan.Size)
	}
	return fmt.Sprintf("%d squares have room for %d ladders and snakes together, not for %d and %d; ask for fewer, or more squares",
		e.Plan.Size, e.Room, e.Plan.Ladders, e.Plan.Snakes)
}

// UnfitError is Random's answer when none of the boards it made would do.
type UnfitError struct {
	Plan  Plan
	Tries int // how many boards were made
}

// Error advises fewer snakes.
func (e *UnfitError) Error() string {
	return fmt.Sprintf("none of %d boards of %d squares with %d ladders and %d snakes can be won; ask for fewer snakes",
		e.Tries, e.Plan.Size, e.Plan.Ladders, e.Plan.Snakes)
}

const (
	maxTries = 1_000
	// maxDraws bounds the work for boards with very many jumps: these are
	// given up after fewer tries. It is well below a second of hashing.
	maxDraws = 1_000_000
	// firstRounds and nextRounds are how often every end is moved before the
	// first board, and before another one after that.
	firstRounds = 10
	nextRounds  = 3
)

// Random makes a board by a plan: every jump leads over at least ten squares,
// all starts and ends are different, and none is on the last square. Any plan
// with room for its jumps succeeds; a plan that has none is a *RoomError, one
// that no board can have is a *Faults.
//
// Draw returns a number from 0 to n-1. The same draws give the same board on
// every version of Hiss, for ever. Fits is asked whether a board will do, such
// as whether it can be won; nil takes any. If it doesn't, another one is made,
// at most 1,000 times (fewer from 143 jumps on, so that no plan takes longer
// than a million draws or so); then the answer is an *UnfitError.
func Random(p Plan, draw func(n int) int, fits func(Board) bool) (Board, error) {
	b := Board{
		Name:    fmt.Sprintf("random-%d-%d-%d", p.Size, p.Ladders, p.Snakes),
		Title:   "Random board",
		Size:    p.Size,
		Columns: DefaultColumns,
	}
	if err := p.check(); err != nil {
		return Board{}, err
	}
	s := newShuffle(p, draw)
	tries := p.tries()
	for try := range tries {
		rounds := nextRounds
		if try == 0 {
			rounds = firstRounds
		}
		s.stir(rounds)
		b.Jumps = s.jumps(p.Ladders)
		if fits == nil || fits(b) {
			return b, nil
		}
	}
	return Board{}, &UnfitError{Plan: p, Tries: tries}
}

// tries returns how many boards are made at most.
func (p Plan) tries() int {
	jumps := p.Ladders + p.Snakes
	if jumps == 0 {
		return 1 // there is only one such board
	}
	return min(maxTries, maxDraws/((2*nextRounds+1)*jumps))
}

// check finds what no board can have.
func (p Plan) check() error {
	var faults []Fault
	if p.Size < MinSize || p.Size > MaxSize {
		faults = append(faults, Fault{Kind: SizeRange, Size: p.Size})
	}
	if p.Ladders < 0 {
		faults = append(faults, Fault{Kind: NotNumber, Key: "ladders", Text: fmt.Sprint(p.Ladders)})
	}
	if p.Snakes < 0 {
		faults = append(faults, Fault{Kind: NotNumber, Key: "snakes", Text: fmt.Sprint(p.Snakes)})
	}
	if len(faults) > 0 {
		return gather("", faults, 0)
	}
	// Not by their sum, since that of huge numbers overflows.
	if room := Room(p.Size); p.Ladders > room || p.Snakes > room-p.Ladders {
		return &RoomError{Plan: p, Room: room}
	}
	return nil
}

// shuffle holds all squares but the last in some order: the first two are the
// ends of the first jump, the next two of the second, and so on; behind the
// jumps are the squares that are free.
//
// It starts with an order in which every jump is long enough and moves on by
// exchanges that keep it so. To draw squares until all jumps are long enough
// looks simpler, but never ends where the board is nearly full; this always
// has a board, and costs the same for any plan. Since every exchange is as
// likely as the one that takes it back, all boards of the plan become equally
// likely in the end (a Markov chain with symmetric steps). Jumps are ladders
// or snakes by lot, because a pair of squares can be either.
type shuffle struct {
	squares []int
	pairs   int
	draw    func(n int) int
}

func newShuffle(p Plan, draw func(n int) int) *shuffle {
	usable, k := p.Size-1, p.Ladders+p.Snakes
	s := &shuffle{squares: make([]int, 0, usable), pairs: k, draw: draw}
	// The lowest k squares with the highest k: usable-k squares apart, which
	// is minLength or more because k is at most Room.
	for i := 1; i <= k; i++ {
		s.squares = append(s.squares, i, usable-k+i)
	}
	for square := k + 1; square <= usable-k; square++ {
		s.squares = append(s.squares, square)
	}
	return s
}

// stir proposes for every end of every jump, so many times, to change places
// with any other square, free or an end itself, and does so if all jumps stay
// long enough.
func (s *shuffle) stir(rounds int) {
	for range rounds {
		for at := range 2 * s.pairs {
			with := s.draw(len(s.squares))
			if at/2 == with/2 {
				continue // the jump's own ends
			}
			here, there := s.squares[at], s.squares[with]
			if s.reaches(at, there) && s.reaches(with, here) {
				s.squares[at], s.squares[with] = there, here
			}
		}
	}
}

// reaches reports whether a jump stays long enough with the end in place at on
// another square. A free place belongs to no jump.
func (s *shuffle) reaches(at, square int) bool {
	if at >= 2*s.pairs {
		return true
	}
	length := square - s.squares[at^1] // the other end of the pair
	return length >= minLength || length <= -minLength
}

func (s *shuffle) ends(pair int) (low, high int) {
	a, b := s.squares[2*pair], s.squares[2*pair+1]
	return min(a, b), max(a, b)
}

// jumps makes ladders of as many pairs, drawn by lot, and snakes of the others.
func (s *shuffle) jumps(ladders int) []Jump {
	order := make([]int, s.pairs)
	for i := range order {
		order[i] = i
	}
	var jumps []Jump
	for i := range s.pairs {
		if i < ladders && ladders < s.pairs {
			j := i + s.draw(s.pairs-i)
			order[i], order[j] = order[j], order[i]
		}
		low, high := s.ends(order[i])
		if i < ladders {
			jumps = append(jumps, Jump{From: low, To: high})
		} else {
			jumps = append(jumps, Jump{From: high, To: low})
		}
	}
	slices.SortFunc(jumps, byStart)
	return jumps
}
