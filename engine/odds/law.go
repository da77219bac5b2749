package odds

import (
	"math"

	"hiss/engine/rules"
)

// Limits of a law: how many goes are followed one by one, how many steps of the
// chain that may take, and the share of tokens that is too few to follow.
const (
	lawGoes = 1 << 20
	lawWork = 2_000_000_000
	lawRest = 1e-16
)

// Law is the distribution of the goes that one player needs. Goes are followed
// one by one until fewer than one token in 10¹⁶ is still on the way or, sooner,
// until the same share comes home in every go, which goes on for ever then. It
// never changes, so it can be used from any goroutine.
type Law struct {
	home []float64 // per go, from the first: the chance to come home in it
	left []float64 // per go: the chance to be on the way still, after it
	stay curve     // per go: the chance not to come home in it if one is on the way
	gone float64   // the chance to come home in any go after the last one followed
}

// Law returns how long a player needs with a token; the zero value is the start. The
// error is ErrSquare, or ErrLong where more than a million goes would have to be
// followed before the same share comes home in every one.
func (c *Chain) Law(token rules.Token) (*Law, error) {
	start, err := c.state(token)
	if err != nil {
		return nil, err
	}
	return c.law(start, func(float64) bool { return true })
}

// law is Law from a state, and tells how far it is. The error is ErrLong, or
// ErrStopped.
func (c *Chain) law(start int, progress func(done float64) bool) (*Law, error) {
	l := new(Law)
	now, next := make([]float64, len(c.at)), make([]float64, len(c.at))
	now[start] = 1
	for left := 1.0; ; {
		home, after := c.step(now, next)
		l.home = append(l.home, home)
		l.left = append(l.left, after)
		l.stay = append(l.stay, after/left)
		l.gone = home / left
		settled := len(l.home)%16 == 0 && steady(now, next, after, l.gone)
		now, next, left = next, now, after
		if after < lawRest || settled {
			return l, nil
		}
		if len(l.home) == lawGoes || len(l.home) > lawWork/(len(c.to)+len(now)) {
			return nil, ErrLong
		}
		if len(l.home)%16 == 0 && !progress(math.Log(after)/math.Log(lawRest)) {
			return nil, ErrStopped
		}
	}
}

// step moves tokens on by one go, and returns how many came home and how many
// are on the way still.
func (c *Chain) step(now, next []float64) (home, left float64) {
	clear(next)
	for i, p := range now {
		if p == 0 {
			continue
		}
		home += p * c.home[i]
		to, chance := c.to[c.rows[i]:c.rows[i+1]], c.chance[c.rows[i]:c.rows[i+1]]
		for k, s := range to {
			next[s] += p * chance[k]
		}
	}
	for _, p := range next {
		left += p
	}
	return home, left
}

// steady reports whether tokens are spread over the squares after a go as they
// were before it, those aside that are too few. If all of them shrink by a
// factor between a and b in one go then they do in every later one (Collatz
// and Wielandt), so what is left after n more is between aⁿ and bⁿ.
func steady(now, next []float64, left, gone float64) bool {
	least, most := math.Inf(1), 0.0
	for i, p := range next {
		if p < 1e-18*left && now[i] < 1e-18*left {
			continue
		}
		least, most = min(least, p/now[i]), max(most, p/now[i])
	}
	return most-least <= 1e-12*gone+4e-15
}

// P returns the chance that the player comes home in go t exactly, for t from 1.
func (l *Law) P(t int) float64 {
	if t < 1 {
		return 0
	}
	if n := t - len(l.home); n > 0 {
		return l.Survival(t-1) * l.gone
	}
	return l.home[t-1]
}

// Survival returns the chance that the player is still on the way after t goes.
func (l *Law) Survival(t int) float64 {
	if t < 1 {
		return 1
	}
	if n := t - len(l.left); n > 0 {
		return l.left[len(l.left)-1] * math.Exp(float64(n)*math.Log1p(-l.gone))
	}
	return l.left[t-1]
}

// Quantile returns the least t such that the player is home after t goes with
// chance p at least, for p from 0 to below 1: Quantile(0.5) is the median. What
// misses p by less than 10⁻¹² counts as reaching it. For a p that isn't below 1
// it is taken to be one in 10¹⁵ below.
func (l *Law) Quantile(p float64) int { return quantile(p, l.Survival) }

// FirstHome is Quantile for a match of some seats, all of which need what one
// player needs: the least t such that one of them is home after t goes of all
// together.
func (l *Law) FirstHome(seats int, p float64) int {
	return quantile(p, func(t int) float64 {
		rounds, more := t/seats, t%seats // more of them have thrown once more
		return math.Pow(l.Survival(rounds), float64(seats-more)) * math.Pow(l.Survival(rounds+1), float64(more))
	})
}

// quantile returns the least t such that no more than 1 − p is left.
func quantile(p float64, left func(t int) float64) int {
	rest := 1 - min(p, 1-1e-15) + 1e-12*min(1, 1-min(p, 1-1e-15))
	low, high := 0, 1
	for left(high) > rest && high < math.MaxInt/4 {
		low, high = high, 2*high
	}
	if left(0) <= rest {
		return 0
	}
	for high-low > 1 {
		if middle := (low + high) / 2; left(middle) > rest {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
