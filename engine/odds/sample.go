package odds

import (
	"math"
	"slices"
)

// raceOf makes matches of so many seats from the goes that players take alone.
// Who of them is first in the order is left open where it can be: of k seats of
// which m are home in the same round, before everybody else, the first seat is
// one with the chance m/k. That leaves a much smaller error than a match in one order.
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
