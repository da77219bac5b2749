package odds_test

import (
	"math/big"

	"hiss/boards"
	"hiss/engine/rules"
)

// oracle is the game once more, in other words than Track and this package have
// for it: tokens walk step by step, dice fall face by face, and chances are
// exact fractions.
type oracle struct {
	board boards.Board
	rules rules.Rules
	rolls []roll
}

// roll is one way for the dice to fall.
type roll struct {
	total int
	bonus bool
}

func newOracle(b boards.Board, r rules.Rules) *oracle {
	o := &oracle{board: b, rules: r}
	faces := make([]int, r.Dice)
	for n := 0; ; n++ {
		left, total, equal, highest := n, 0, true, true
		for i := range faces {
			faces[i] = left%r.Sides + 1
			left /= r.Sides
			total += faces[i]
			equal = equal && faces[i] == faces[0]
			highest = highest && faces[i] == r.Sides
		}
		if left > 0 {
			return o
		}
		o.rolls = append(o.rolls, roll{total, r.Bonus == rules.Max && highest || r.Bonus == rules.Doubles && equal})
	}
}

// land walks a token and takes the jump where it comes to rest.
func (o *oracle) land(square, total int) int {
	at, ahead := square, 1
	for step := range total {
		switch {
		case at == o.board.Size && o.rules.End == rules.Overshoot:
			return at
		case at == o.board.Size && o.rules.End == rules.Exact && step < total:
			return square
		case at == o.board.Size:
			ahead = -1
		case at <= 1:
			ahead = 1
		}
		at += ahead
	}
	if at == square {
		return square
	}
	if to, ok := o.board.Jump(at); ok {
		return to
	}
	return at
}

// token is where a token is in the middle of a go, where the go began, and how many
// bonus rolls there were.
type token struct{ square, begun, row int }

// roll returns what follows a roll, and whether the go is over.
func (o *oracle) roll(t token, r roll) (token, bool) {
	if r.bonus && o.rules.Void > 0 && t.row+1 >= o.rules.Void {
		return token{t.begun, t.begun, 0}, true
	}
	to := o.land(t.square, r.total)
	if !r.bonus || to == o.board.Size {
		return token{to, to, 0}, true
	}
	if o.rules.Void == 0 {
		return token{to, t.begun, 0}, false // the row doesn't matter
	}
	return token{to, t.begun, t.row + 1}, false
}

// all visits everything that can follow from square 0. It returns the squares
// on which a go can begin or, where it is never void, go on; those that can be
// stood on; and the fewest throws to the last square, or -1.
func (o *oracle) all() (begun, stood map[int]bool, fewest int) {
	begun, stood, fewest = map[int]bool{0: true}, map[int]bool{}, -1
	seen := map[token]bool{{}: true}
	for now, throws := []token{{}}, 1; len(now) > 0; throws++ {
		var next []token
		for _, t := range now {
			for _, r := range o.rolls {
				to, over := o.roll(t, r)
				if voided := r.bonus && over && to.square != o.board.Size; !voided {
					stood[to.square] = true
				}
				if to.square == o.board.Size {
					if fewest < 0 {
						fewest = throws
					}
					continue
				}
				if over || o.rules.Void == 0 {
					begun[to.square] = true
				}
				if !seen[to] {
					seen[to] = true
					next = append(next, to)
				}
			}
		}
		now = next
	}
	return begun, stood, fewest
}

// one is how likely each way for the dice to fall is.
func (o *oracle) one() *big.Rat { return big.NewRat(1, int64(len(o.rolls))) }

// law returns where a go ends that begins on a square: exactly, or where it is
// never void up to a share of 2⁻⁷⁰.
func (o *oracle) law(square int) map[int]*big.Rat {
	ends := make(map[int]*big.Rat)
	add := func(t token, p *big.Rat) {
		if ends[t.square] == nil {
			ends[t.square] = new(big.Rat)
		}
		ends[t.square].Add(ends[t.square], p)
	}
	now := map[token]*big.Rat{{square, square, 0}: big.NewRat(1, 1)}
	for n := 0; len(now) > 0 && n < 70; n++ {
		next := make(map[token]*big.Rat)
		for t, p := range now {
			each := new(big.Rat).Mul(p, o.one())
			for _, r := range o.rolls {
				to, over := o.roll(t, r)
				if over {
					add(to, each)
					continue
				}
				if next[to] == nil {
					next[to] = new(big.Rat)
				}
				next[to].Add(next[to], each)
			}
		}
		now = next
	}
	return ends
}

// equations is a system x = right + chance·x, by squares.
type equations struct {
	squares []int
	chance  map[[2]int]*big.Rat
	right   map[int]*big.Rat
}

// lengths are the equations of the mean goes from some squares. Where a go is never
// void, they are those of rolls, so that there's no go to follow for ever.
func (o *oracle) lengths(squares []int) equations {
	e := equations{squares, make(map[[2]int]*big.Rat), make(map[int]*big.Rat)}
	for _, from := range squares {
		right := new(big.Rat)
		if o.rules.Bonus == rules.NoBonus || o.rules.Void > 0 {
			right.SetInt64(1)
			for to, p := range o.law(from) {
				e.add(from, to, p)
			}
		} else {
			for _, r := range o.rolls {
				to, over := o.roll(token{from, from, 0}, r)
				if over {
					right.Add(right, o.one())
				}
				e.add(from, to.square, o.one())
			}
		}
		e.right[from] = right
	}
	return e
}

func (e equations) add(from, to int, p *big.Rat) {
	at := [2]int{from, to}
	if e.chance[at] == nil {
		e.chance[at] = new(big.Rat)
	}
	e.chance[at].Add(e.chance[at], p)
}

// solve eliminates the squares from the highest to the lowest; squares are
// ascending. What isn't one of them has x = 0. The equations are used up.
func (e equations) solve() map[int]*big.Rat {
	for i := len(e.squares) - 1; i >= 0; i-- {
		q := e.squares[i]
		leave := big.NewRat(1, 1)
		if stays := e.chance[[2]int{q, q}]; stays != nil {
			leave.Sub(leave, stays)
		}
		e.right[q].Quo(e.right[q], leave)
		for _, to := range e.squares[:i] {
			if p := e.chance[[2]int{q, to}]; p != nil {
				p.Quo(p, leave)
			}
		}
		for _, from := range e.squares[:i] {
			p := e.chance[[2]int{from, q}]
			if p == nil {
				continue
			}
			e.right[from].Add(e.right[from], new(big.Rat).Mul(p, e.right[q]))
			for _, to := range e.squares[:i] {
				if on := e.chance[[2]int{q, to}]; on != nil {
					e.add(from, to, new(big.Rat).Mul(p, on))
				}
			}
		}
	}
	x := make(map[int]*big.Rat)
	for i, q := range e.squares {
		x[q] = e.right[q]
		for _, to := range e.squares[:i] {
			if p := e.chance[[2]int{q, to}]; p != nil {
				x[q].Add(x[q], new(big.Rat).Mul(p, x[to]))
			}
		}
	}
	return x
}
