package odds

import (
	"math"

	"hiss/engine/rules"
)

// throws is how one roll can fall: per total, counted from the least, how likely
// it falls without a bonus and with one.
type throws struct {
	low   int // the least total
	plain []float64
	bonus []float64
	again []int   // the indices of the totals that a bonus can come with
	mass  float64 // how likely a bonus is
	rows  int     // how many bonus rolls void a go, 0 for never
}

// throwsOf counts the ways to every total, die by die. A bonus comes with
// exactly one way: the highest total has no other, and one face on all dice is
// one way of the total that it makes.
func throwsOf(r rules.Rules) throws {
	ways := []float64{1}
	for range r.Dice {
		next := make([]float64, len(ways)+r.Sides-1)
		for i, n := range ways {
			for face := range r.Sides {
				next[i+face] += n
			}
		}
		ways = next
	}
	all := math.Pow(float64(r.Sides), float64(r.Dice))
	t := throws{low: r.Dice, plain: ways, bonus: make([]float64, len(ways))}
	for i := range ways {
		if r.Bonus == rules.Max && i == len(ways)-1 || r.Bonus == rules.Doubles && (r.Dice+i)%r.Dice == 0 {
			ways[i]--
			t.bonus[i] = 1 / all
			t.mass += 1 / all
			t.again = append(t.again, i)
		}
		ways[i] /= all
	}
	if r.Bonus != rules.NoBonus {
		t.rows = r.Void
	}
	return t
}

// voids reports whether the n-th bonus roll in a row voids the go.
func (t *throws) voids(n int) bool { return t.rows > 0 && n >= t.rows }
