package odds

import (
	"math"
	"slices"

	"hiss/engine/rules"
)

// Limits of a table: how far its chances may be off because the goes aren't
// followed for ever, and because of the cut; how many bytes may be worked with.
const (
	endError   = 2e-10
	cutError   = 3e-10
	tableBytes = 32 << 20
	tableFew   = 1e-10 // see race; it is shared out by the geometric series, so next to none of it is lost
)

// Table tells quickly how a match stands: the curves of all squares, cut where the
// rest is a geometric series closely enough. It never changes, so it can be
// used from any goroutine.
type Table struct {
	spots
	states
	skips   bool
	curves  []curve   // per state
	lengths []float64 // per state: goes to the last square, on average
}

// Table makes the table of a chain. The error is ErrLong where more than 32 MiB
// of curves would have to be followed to be right. For 100 squares it takes
// about half a millisecond, and is some 70 KB long.
func (c *Chain) Table() (*Table, error) {
	n := len(c.at)
	t := &Table{spots: c.spots, states: c.states, skips: c.skips, curves: make([]curve, n), lengths: make([]float64, n)}
	for i := range t.lengths {
		t.lengths[i] = c.lengths[i].Mean
	}
	left, err := c.follow()
	if err != nil {
		return nil, err
	}
	goes := cut(left, n)
	all := make([]float64, n*goes)
	for i := range t.curves {
		t.curves[i] = all[i*goes : (i+1)*goes]
		for k := range goes {
			t.curves[i][k] = factor(left[k*n+i], left[(k+1)*n+i])
		}
	}
	return t, nil
}

// factor returns by what a share shrinks.
func factor(before, after float64) float64 {
	if before == 0 {
		return 0
	}
	return after / before
}

// follow returns, go by go and state by state, the share that is still on the
// way, from 1 on, until the factors by which it shrinks in the last go may be
// taken for those of all later ones.
func (c *Chain) follow() (left []float64, err error) {
	n := len(c.at)
	left = make([]float64, n, 256*n)
	for i := range left {
		left[i] = 1
	}
	stay := make([]float64, n)
	for goes := 1; ; goes++ {
		if 8*len(left) >= tableBytes {
			return nil, ErrLong
		}
		left = slices.Grow(left, n)[:len(left)+n]
		before, after := left[len(left)-2*n:len(left)-n], left[len(left)-n:]
		for i := range after {
			to, chance := c.to[c.rows[i]:c.rows[i+1]], c.chance[c.rows[i]:c.rows[i+1]]
			chance = chance[:len(to)]
			sum := 0.0
			for k, j := range to {
				sum += chance[k] * before[j]
			}
			after[i] = sum
		}
		if goes%16 == 0 {
			for i, s := range before {
				stay[i] = factor(s, after[i])
			}
			if plainBound(stay, after) <= endError || c.bound(stay, after) <= endError {
				return left, nil
			}
		}
	}
}

// cut returns after how many goes of those followed the rest can be left to
// the geometric series. It can if no share that the series gives is off by
// more than d, where for the greatest share S at the cut 2·S·d is small enough: the
// chance that one of two players is first is Σ (P(n) − P(n+1))·Q(n), with P and
// Q their shares, so d in P, summed by parts, or in Q makes no more than d·S.
func cut(left []float64, n int) int {
	goes := len(left)/n - 1
	series, stay := make([]float64, n), make([]float64, n)
	for at := 8; at < goes; at += 4 {
		copy(series, left[at*n:])
		for i, s := range series {
			stay[i] = factor(left[(at-1)*n+i], s)
		}
		if fits(series, stay, left[(at+1)*n:], cutError/(2*slices.Max(series))) {
			return at
		}
	}
	return goes
}

// fits reports whether a series that shrinks by the factors from go to go is
// within most of what is left after each.
func fits(series, factors, left []float64, most float64) bool {
	for ; len(left) > 0; left = left[len(series):] {
		for i, s := range left[:len(series)] {
			series[i] *= factors[i]
			if math.Abs(series[i]-s) > most {
				return false
			}
		}
	}
	return true
}

// plainBound is bound where the factors have come close to each other, or next
// to nobody is on the way still.
func plainBound(stay, left []float64) float64 {
	least, most, share := 1.0, 0.0, 0.0
	for i, s := range left {
		least, most, share = min(least, stay[i]), max(most, stay[i]), max(share, s)
	}
	if share == 0 {
		return 0
	}
	if most >= 1 { // some can't come home in this go: only who is on the way still can be wrong
		return share * share
	}
	return share * share * (most - least) / (1 - least*most)
}

// bound returns how far a chance of two players may be off, from any two
// squares, if the shares that are still on the way, now, go on to shrink as they
// did in the last go, by the factors stay.
//
// The states that can't get to the one with the greatest factor, such as the square
// before the last one, are the top, and shrink faster. Their shares shrink by
// factors between the least and the greatest of theirs for ever (Collatz and
// Wielandt: what held for every state in one go holds for it in the next). Those
// of the others shrink by factors between a and b but for what they get from
// the top, which is f of their share at most and shrinks by the factor m of the
// top or less. Summed up that adds f/(b − m) to their shares at most.
func (c *Chain) bound(stay, now []float64) float64 {
	top := c.top(stay)
	var share, least, most, fed [2]float64 // of the others, of the top
	least = [2]float64{1, 1}
	for i, s := range now {
		if top[i] {
			share[1], least[1], most[1] = max(share[1], s), min(least[1], stay[i]), max(most[1], stay[i])
			continue
		}
		share[0] = max(share[0], s)
		if s == 0 {
			continue
		}
		f := 0.0
		for k := c.rows[i]; k < c.rows[i+1]; k++ {
			if to := c.to[k]; top[to] && stay[to] > 0 {
				f += c.chance[k] * now[to] / stay[to]
			}
		}
		f *= stay[i] / s // of the share before the last go
		fed[0] = max(fed[0], f)
		least[0], most[0] = min(least[0], stay[i]-f), max(most[0], stay[i]-f)
	}
	if share[0] == 0 {
		return share[1] * share[1]
	}
	if most[0] <= most[1] || most[0]+fed[0] >= 1 {
		return max(share[0], share[1]) * max(share[0], share[1])
	}
	more := fed[0] / (most[0] - most[1])
	most[0] += fed[0]
	between := func(i, j int) float64 { // two players, the first in i, the second in j
		return share[i] * share[j] * ((1-least[i])/(1-least[i]*most[j]) - (1-most[i])/(1-most[i]*least[j]) + 4*more)
	}
	return max(between(0, 0), between(0, 1), between(1, 0), between(1, 1))
}

// top marks the states from which there's no way to the one that shrinks least.
func (c *Chain) top(stay []float64) []bool {
	greatest := 0
	for i, r := range stay {
		if r > stay[greatest] {
			greatest = i
		}
	}
	top := make([]bool, len(stay))
	for i := range top {
		top[i] = i != greatest
	}
	for found := true; found; {
		found = false
		for i := len(top) - 1; i >= 0; i-- {
			for k := c.rows[i]; top[i] && k < c.rows[i+1]; k++ {
				if !top[c.to[k]] {
					top[i], found = false, true
				}
			}
		}
	}
	return top
}

// Bytes returns how much memory the curves take.
func (t *Table) Bytes() int { return 8 * len(t.curves) * len(t.curves[0]) }

// token returns the state of a token, or home for one that takes no part.
func (t *Table) token(token rules.Token) (state int, err error) {
	if token.Square == rules.Out {
		return home, nil
	}
	spot, ok := t.spots.of(token)
	switch {
	case !ok:
		return 0, ErrSquare
	case spot == home:
		return home, nil
	case t.states.of[spot] < 0:
		return 0, ErrSquare
	}
	return int(t.states.of[spot]), nil
}

// First works out who will be home first of those still on the way. tokens
// says where each seat's token stands, in the order of the seats: 0 is the
// start, the last square is home, and rules.Out is out of the match. The seats play in
// this order from turn on, which is the next seat that is on the way if the one
// named isn't.
//
// chances, as long as tokens, gets each seat's chance, right to 10⁻⁹: 0 for
// those that are home or out, 1 in all unless nobody is on the way. goes
// is how many goes will be thrown on average until then, right to about seven
// digits. Nothing is allocated.
//
// The error is ErrSeats where there are more than 16 seats or none, turn isn't
// one, or chances are of another number, ErrSquare where no go can begin
// with a token, such as one on the start of a jump, and ErrSkips where several are on
// the way on a board with squares that pass over the next one: see EstimateFirst.
func (t *Table) First(chances []float64, tokens []rules.Token, turn int) (goes float64, err error) {
	if len(tokens) == 0 || len(tokens) > rules.MaxSeats || len(chances) != len(tokens) || turn < 0 || turn >= len(tokens) {
		return 0, ErrSeats
	}
	var curves [rules.MaxSeats]curve
	var alone float64 // goes of the last one found, if it's the only one
	var seats [rules.MaxSeats]int
	var each [rules.MaxSeats]float64
	n := 0
	for i := range tokens {
		seat := turn + i
		if seat >= len(tokens) {
			seat -= len(tokens)
		}
		state, err := t.token(tokens[seat])
		if err != nil {
			return 0, err
		}
		if state == home {
			continue
		}
		curves[n], seats[n], alone = t.curves[state], seat, t.lengths[state]
		n++
	}
	clear(chances)
	switch {
	case n == 0:
		return 0, nil
	case n == 1:
		chances[seats[0]] = 1
		return alone, nil
	case t.skips:
		return 0, ErrSkips
	}
	goes = race(curves[:n], each[:n], tableFew)
	for i, p := range each[:n] {
		chances[seats[i]] = p
	}
	return goes, nil
}

// All returns how many goes will be thrown on average until everybody is home
// who is still on the way, exactly: also where some pass over others. The tokens and the errors are those of
// First but for ErrSkips. Whose turn it is doesn't matter. Nothing is allocated.
func (t *Table) All(tokens []rules.Token) (goes float64, err error) {
	if len(tokens) == 0 || len(tokens) > rules.MaxSeats {
		return 0, ErrSeats
	}
	for _, token := range tokens {
		state, err := t.token(token)
		if err != nil {
			return 0, err
		}
		if state != home {
			goes += t.lengths[state]
		}
	}
	return goes, nil
}
