package odds_test

import (
	"math/big"
	"slices"

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

// land walks a token, and returns where it stops.
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
	return at
}

// token is where a token is in the middle of a go, where the go began, and how many
// bonus rolls there were in a row.
type token struct {
	rules.Token
	begun rules.Token
	row   int
}

// start returns a token at the beginning of a go.
func start(at rules.Token) token { return token{at, at, 0} }

// roll returns what follows a roll, whether the go is over, and the square where the
// token comes to rest.
func (o *oracle) roll(t token, r roll) (after token, over bool, rest int) {
	if r.bonus {
		t.row++
	}
	if r.bonus && o.rules.Void > 0 && t.row >= o.rules.Void {
		return start(t.begun), true, t.begun.Square
	}
	on := r.bonus
	if landed := o.land(t.Square, r.total); landed != t.Square {
		t.Square = landed
		end, jumps := o.board.Jump(landed)
		switch {
		case jumps && end < landed && t.Shield:
			t.Shield = false
		case jumps:
			t.Square = end
		}
	} else if !on {
		return start(t.Token), true, t.Square
	} else {
		return o.counted(t), false, t.Square
	}
	rest = t.Square
	switch o.board.Effect(rest) {
	case boards.Shield:
		t.Shield = true
	case boards.Back:
		t.Square = 0
	case boards.Again:
		on, t.row = true, 0
	}
	switch {
	case rest == o.board.Size:
		return start(rules.Token{Square: rest}), true, rest
	case !on:
		return start(t.Token), true, rest
	}
	return o.counted(t), false, rest
}

// counted is a token whose row is counted only where it matters.
func (o *oracle) counted(t token) token {
	if o.rules.Void == 0 {
		t.row = 0
	}
	return t
}

// all visits everything that can follow from square 0. It returns the tokens
// with which a go can begin or, where it is as if it did, go on; the squares that can be
// stood on; and the fewest throws to the last square, or -1.
func (o *oracle) all() (begun map[rules.Token]bool, stood map[int]bool, fewest int) {
	begun, stood, fewest = map[rules.Token]bool{{}: true}, map[int]bool{}, -1
	seen := map[token]bool{{}: true}
	for now, throws := []token{{}}, 1; len(now) > 0; throws++ {
		var next []token
		for _, t := range now {
			for _, r := range o.rolls {
				to, over, rest := o.roll(t, r)
				if voided := r.bonus && over && rest != o.board.Size; !voided {
					stood[rest] = true
				}
				if rest == o.board.Size {
					if fewest < 0 {
						fewest = throws
					}
					continue
				}
				if over || to.row == 0 {
					begun[to.Token] = true
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

// law returns where a go ends that begins with a token: exactly up to a share of
// 10⁻²⁰, and no go has more than 100 rolls.
func (o *oracle) law(from rules.Token) map[rules.Token]*big.Rat {
	ends := make(map[rules.Token]*big.Rat)
	add := func(t token, p *big.Rat) {
		if ends[t.Token] == nil {
			ends[t.Token] = new(big.Rat)
		}
		ends[t.Token].Add(ends[t.Token], p)
	}
	now := map[token]*big.Rat{start(from): big.NewRat(1, 1)}
	for n := 1; len(now) > 0; n++ {
		next := make(map[token]*big.Rat)
		for t, p := range now {
			each := new(big.Rat).Mul(p, o.one())
			for _, r := range o.rolls {
				to, over, _ := o.roll(t, r)
				if over || n == 100 {
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
		left := 0.0
		for _, p := range now {
			left += float(p)
		}
		if left < 1e-20 {
			break
		}
	}
	return ends
}

// equations is a system x = right + chance·x, by tokens.
type equations struct {
	tokens []rules.Token
	chance map[[2]rules.Token]*big.Rat
	right  map[rules.Token]*big.Rat
}

// noEquations has none yet.
func noEquations(tokens []rules.Token) equations {
	return equations{tokens, make(map[[2]rules.Token]*big.Rat), make(map[rules.Token]*big.Rat)}
}

// lengths are the equations of the mean goes with some tokens. Where a go is never
// void, they are those of rolls, so that there's no go to follow for ever; but not where
// squares give another roll, so that one may have no room for more.
func (o *oracle) lengths(tokens []rules.Token) equations {
	e := noEquations(tokens)
	for _, from := range tokens {
		right := new(big.Rat)
		if o.rules.Bonus == rules.NoBonus || o.rules.Void > 0 || o.has(boards.Again) {
			right.SetInt64(1)
			for to, p := range o.law(from) {
				e.add(from, to, p)
			}
		} else {
			for _, r := range o.rolls {
				to, over, _ := o.roll(start(from), r)
				if over {
					right.Add(right, o.one())
				}
				e.add(from, to.Token, o.one())
			}
		}
		e.right[from] = right
	}
	return e
}

// has reports whether some square has an effect.
func (o *oracle) has(e boards.Effect) bool {
	return slices.ContainsFunc(o.board.Specials, func(s boards.Special) bool { return s.Effect == e })
}

func (e equations) add(from, to rules.Token, p *big.Rat) {
	at := [2]rules.Token{from, to}
	if e.chance[at] == nil {
		e.chance[at] = new(big.Rat)
	}
	e.chance[at].Add(e.chance[at], p)
}

// solve eliminates the tokens from the last to the lowest; squares are
// ascending. What isn't one of them has x = 0. The equations are used up.
func (e equations) solve() map[rules.Token]*big.Rat {
	for i := len(e.tokens) - 1; i >= 0; i-- {
		q := e.tokens[i]
		leave := big.NewRat(1, 1)
		if stays := e.chance[[2]rules.Token{q, q}]; stays != nil {
			leave.Sub(leave, stays)
		}
		e.right[q].Quo(e.right[q], leave)
		for _, to := range e.tokens[:i] {
			if p := e.chance[[2]rules.Token{q, to}]; p != nil {
				p.Quo(p, leave)
			}
		}
		for _, from := range e.tokens[:i] {
			p := e.chance[[2]rules.Token{from, q}]
			if p == nil {
				continue
			}
			e.right[from].Add(e.right[from], new(big.Rat).Mul(p, e.right[q]))
			for _, to := range e.tokens[:i] {
				if on := e.chance[[2]rules.Token{q, to}]; on != nil {
					e.add(from, to, new(big.Rat).Mul(p, on))
				}
			}
		}
	}
	x := make(map[rules.Token]*big.Rat)
	for i, q := range e.tokens {
		x[q] = e.right[q]
		for _, to := range e.tokens[:i] {
			if p := e.chance[[2]rules.Token{q, to}]; p != nil {
				x[q].Add(x[q], new(big.Rat).Mul(p, x[to]))
			}
		}
	}
	return x
}
