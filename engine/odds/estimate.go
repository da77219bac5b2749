package odds

import (
	"math"
	"slices"

	"hiss/engine/rules"
)

// Limits of an estimate. Work is counted in steps of about five nanoseconds: two for a
// roll, and one for each of its dice.
const (
	estimateWork  = 400_000_000
	estimateLives = 200_000 // of single players, which are enough for three digits
	pilotLives    = 64      // played first, to see how long they are
	leastLives    = 400     // below that, errors wouldn't mean much
	estimateSeed  = 1
)

// lives plays single players from square 0.
type lives struct {
	simulation *rules.Simulation
	source     rules.Source
	progress   func(float64) bool
	cost       float64 // of a go, in steps
	work       float64 // steps so far
}

// estimate plays for the figures of a health. The error is ErrLong or
// ErrStopped, and then there are none.
//
// Players don't touch each other, so each is played alone, and then four of
// them are a match of four or two of two. Who of them is first in the order is
// left open where it can be: of k seats of which m are home in the same
// round, before everybody else, the first seat is one with the chance m/k.
// That leaves a much smaller error than a match in one order.
func estimate(t *rules.Track, progress func(float64) bool) (Health, error) {
	law := throwsOf(t.Rules())
	p := &lives{
		simulation: rules.NewSimulation(t, 1), source: estimateSeed, progress: progress,
		cost: float64(2+t.Rules().Dice) / (1 - law.mass),
	}
	pilot, err := p.play(pilotLives, estimateWork/4)
	if err != nil {
		return Health{}, err
	}
	// How long they are is known to an eighth or so, so half of the work is left
	// to be safe. How many are played isn't up to how long they turn out to be.
	n := min(estimateLives, int(estimateWork/2/(averageOf(pilot).mean*p.cost)))
	if n < leastLives {
		return Health{}, ErrLong
	}
	goes, err := p.play(n/4*4, estimateWork)
	if err != nil {
		return Health{}, err
	}
	h := Health{Two: raceOf(goes, 2), Four: raceOf(goes, 4)}
	all := averageOf(goes)
	h.Deviation = all.deviation(goes)
	h.One.Mean = all.figure()
	h.One.Median, h.One.Most = quantiles(goes)
	return h, nil
}

// play plays lives and returns how many goes each took. The error is ErrStopped,
// or ErrLong where that takes more work.
func (p *lives) play(n int, most float64) ([]float64, error) {
	goes := make([]float64, n)
	told := p.work
	for i := range goes {
		limit := (most - p.work) / p.cost
		if limit < 1 || !p.simulation.Play(&p.source, 1, int(limit)) {
			return nil, ErrLong
		}
		goes[i] = float64(p.simulation.Total)
		p.work += goes[i] * p.cost
		if p.work > told+estimateWork/200 || i == n-1 {
			told = p.work
			if !p.progress(float64(i+1) / float64(n) * most / estimateWork) {
				return nil, ErrStopped
			}
		}
	}
	return goes, nil
}

// raceOf makes matches of so many seats from the goes that players take alone.
func raceOf(goes []float64, seats int) Race {
	var total, first average
	k := float64(seats)
	lengths := make([]float64, 0, len(goes)/seats)
	for match := range slices.Chunk(goes, seats) {
		least, winner, tied := match[0], 0, 0.0
		for i, g := range match {
			switch {
			case g < least:
				least, winner, tied = g, i, 1
			case g == least:
				tied++
			}
		}
		before := k * (least - 1)
		lengths = append(lengths, before+float64(winner+1))
		total.add(before + (k+1)/(tied+1)) // the first of the tied ones, in any order
		first.add(tied / k)
	}
	r := Race{Goes: Goes{Mean: total.figure()}, First: first.chance()}
	r.Median, r.Most = quantiles(lengths)
	return r
}

// average gathers numbers one by one (Welford, Technometrics 4, 1962).
type average struct{ n, mean, spread float64 }

func averageOf(all []float64) average {
	var a average
	for _, x := range all {
		a.add(x)
	}
	return a
}

func (a *average) add(x float64) {
	a.n++
	off := x - a.mean
	a.mean += off / a.n
	a.spread += off * (x - a.mean)
}

func (a *average) variance() float64 { return a.spread / max(a.n-1, 1) }

// figure returns the mean.
func (a *average) figure() Figure {
	return Figure{a.mean, math.Sqrt(a.variance() / a.n), Estimated}
}

// chance returns the mean of chances. What hasn't happened once may happen
// once in as many times.
func (a *average) chance() Figure {
	return Figure{a.mean, math.Sqrt(a.variance()/a.n + 1/(a.n*a.n)), Estimated}
}

// deviation returns the standard deviation of the numbers that the average is of.
func (a *average) deviation(all []float64) Figure {
	var fourth average
	for _, x := range all {
		fourth.add(math.Pow(x-a.mean, 4))
	}
	v := a.variance()
	if v == 0 {
		return Figure{Basis: Estimated}
	}
	off := (max(fourth.mean-v*v, 0) + 2*v*v/a.n) / a.n // of the variance, squared
	return Figure{math.Sqrt(v), math.Sqrt(off / (4 * v)), Estimated}
}

// quantiles returns the median and the 95 % quantile. It sorts what it gets a
// copy of.
func quantiles(all []float64) (median, most Figure) {
	all = slices.Sorted(slices.Values(all))
	n := float64(len(all))
	at := func(p float64) Figure {
		rank := func(r float64) float64 { return all[int(min(max(math.Ceil(r)-1, 0), n-1))] }
		one := math.Sqrt(n * p * (1 - p)) // how far the rank is off
		return Figure{rank(n * p), max(0.5, (rank(n*p+one)-rank(n*p-one))/2), Estimated}
	}
	return at(0.5), at(0.95)
}
