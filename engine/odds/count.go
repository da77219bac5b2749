package odds

import (
	"math/big"

	"hiss/engine/rules"
)

// Wins returns, for n = 1 … throws, in how many ways n rolls can fall one after
// the other such that one player, who begins on square 0, comes home with the
// last of them and not before: faces told apart, die by die, bonus rolls counted as
// rolls. Element 0 is 0. It is meant for short games (no go has more than
// rules.MaxRolls rolls in it, which is left aside); work and memory grow with throws and, on boards
// with a void, with the squares a go can get to.
func Wins(t *rules.Track, throws int) []*big.Int {
	ways := waysOf(t.Rules())
	law, spots := throwsOf(t.Rules()), spotsOf(t)
	wins := make([]*big.Int, max(throws, 0)+1)
	for i := range wins {
		wins[i] = new(big.Int)
	}
	now := map[place]*big.Int{{}: big.NewInt(1)}
	for n := 1; n <= throws; n++ {
		next := make(map[place]*big.Int)
		for at, count := range now {
			for i := range ways {
				for bonus, one := range ways[i] {
					if one.Sign() == 0 {
						continue
					}
					to := at.after(&spots, &law, i, bonus == 1)
					sum := next[to]
					if to.spot == home {
						sum = wins[n]
					} else if sum == nil {
						sum = new(big.Int)
						next[to] = sum
					}
					sum.Add(sum, new(big.Int).Mul(count, one))
				}
			}
		}
		now = next
	}
	return wins
}

// place is where a token stands in the middle of a go, what a void would lead
// back to, and how many bonus rolls there were in a row. Where no void can come, begun and
// row stay 0.
type place struct{ spot, begun, row int }

// after returns where a roll leads: the total of that index, with a bonus or
// without.
func (p place) after(spots *spots, law *throws, i int, bonus bool) place {
	if bonus && law.voids(p.row+1) {
		return place{spot: p.begun, begun: p.begun}
	}
	to, again := spots.lead(p.spot, law.low+i)
	switch {
	case to == home || law.rows == 0:
		return place{spot: to}
	case again:
		return place{spot: to, begun: p.begun}
	case bonus:
		return place{to, p.begun, p.row + 1}
	}
	return place{spot: to, begun: to}
}

// waysOf returns in how many ways a roll makes each total, without a bonus and with
// one.
func waysOf(r rules.Rules) [][2]*big.Int {
	ways := []*big.Int{big.NewInt(1)}
	for range r.Dice {
		next := make([]*big.Int, len(ways)+r.Sides-1)
		for i := range next {
			next[i] = new(big.Int)
			for face := max(0, i-len(ways)+1); face < r.Sides && face <= i; face++ {
				next[i].Add(next[i], ways[i-face])
			}
		}
		ways = next
	}
	law := throwsOf(r)
	kinds := make([][2]*big.Int, len(ways))
	for i, n := range ways {
		kinds[i] = [2]*big.Int{n, new(big.Int)}
		if law.bonus[i] > 0 {
			kinds[i] = [2]*big.Int{n.Sub(n, big.NewInt(1)), big.NewInt(1)}
		}
	}
	return kinds
}
