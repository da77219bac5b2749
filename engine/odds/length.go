package odds

import (
	"math"

	"hiss/engine/rules"
)

// Length is how many goes one player needs to the last square.
type Length struct {
	Mean      float64 // goes, on average
	Deviation float64 // the standard deviation, in goes
}

// Length returns how many goes one player needs with a token: the zero value is
// the start. The error is ErrSquare.
//
// With D the law of one go, the mean solves m = 1 + D·m, and the variance v =
// D·v + the variance of the mean over the first go (the law of total variance).
// Both systems are solved by elimination without any subtraction (Grassmann,
// Taksar and Heyman, Operations Research 33, 1985), so that every digit but
// the last few holds even for boards that take for ever.
func (c *Chain) Length(token rules.Token) (Length, error) {
	i, err := c.state(token)
	if err != nil {
		return Length{}, err
	}
	return c.lengths[i], nil
}

// solve returns the lengths from all states.
func (c *Chain) solve() []Length {
	e := c.eliminate()
	ones := make([]float64, len(c.at))
	for i := range ones {
		ones[i] = 1
	}
	mean := e.solve(ones)
	spread := make([]float64, len(mean))
	for i, m := range mean {
		v := c.home[i] * (m - 1) * (m - 1)
		for k := c.rows[i]; k < c.rows[i+1]; k++ {
			d := mean[c.to[k]] - (m - 1)
			v += c.chance[k] * d * d
		}
		spread[i] = v
	}
	variance := e.solve(spread)
	lengths := make([]Length, len(mean))
	for i := range lengths {
		lengths[i] = Length{mean[i], math.Sqrt(variance[i])}
	}
	return lengths
}

// entry is a number of a sparse row or column.
type entry struct {
	state int
	value float64
}

// elimination is a chain from which one state after the other was taken out, the
// highest first, each by sending those that stepped to it on to where it leads.
// Tokens go up except by snakes, so few steps lead down from what is left.
type elimination struct {
	below []entry   // row by row: the chances to lower states, when it was taken out
	from  []entry   // row by row: lower states, and how often they're sent through it
	ends  [][2]int  // per state: where its part of the two ends; the highest comes first
	leave []float64 // per state: the chance of any step but to itself
}

func (c *Chain) eliminate() elimination {
	n := len(c.at)
	full := make([]float64, n*n)
	for i := range n {
		for k := c.rows[i]; k < c.rows[i+1]; k++ {
			full[i*n+int(c.to[k])] = c.chance[k]
		}
	}
	home := make([]float64, n)
	copy(home, c.home)
	e := elimination{make([]entry, 0, 16*n), make([]entry, 0, 16*n), make([][2]int, n+1), make([]float64, n)}
	for q := n - 1; q >= 0; q-- {
		e.leave[q] = home[q]
		for to, p := range full[q*n : q*n+q] {
			if p > 0 {
				e.below = append(e.below, entry{to, p})
				e.leave[q] += p
			}
		}
		below := e.below[e.ends[q+1][0]:]
		for i := range q {
			p := full[i*n+q]
			if p == 0 {
				continue
			}
			times := p / e.leave[q]
			e.from = append(e.from, entry{i, times})
			row := full[i*n : i*n+n]
			for _, b := range below {
				row[b.state] += times * b.value
			}
			home[i] += times * home[q]
		}
		e.ends[q] = [2]int{len(e.below), len(e.from)}
	}
	return e
}

// solve returns x of x = r + D·x. It changes r.
func (e elimination) solve(r []float64) []float64 {
	for q := len(r) - 1; q >= 0; q-- {
		for _, f := range e.from[e.ends[q+1][1]:e.ends[q][1]] {
			r[f.state] += f.value * r[q]
		}
	}
	x := make([]float64, len(r))
	for q := range x {
		sum := r[q]
		for _, b := range e.below[e.ends[q+1][0]:e.ends[q][0]] {
			sum += b.value * x[b.state]
		}
		x[q] = sum / e.leave[q]
	}
	return x
}
