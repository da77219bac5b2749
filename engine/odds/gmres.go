package odds

import (
	"math"
	"slices"
)

// krylov is how many sweeps GMRES combines before it begins anew.
const krylov = 30

// system is equations that are improved by sweeps.
type system struct {
	// sweep improves all x once. one is what a go counts: with 0 it is the linear
	// part of a sweep.
	sweep func(x []float64, one float64)
	scale []float64 // the unknowns after the first sweep
	work  int       // multiplications of a sweep, about
}

// newSystem does the first sweep, from 0, of so many unknowns.
func newSystem(unknowns, work int, sweep func(x []float64, one float64)) *system {
	s := &system{sweep, make([]float64, unknowns), work}
	sweep(s.scale, 1)
	return s
}

// off returns by how much a sweep changes the unknowns, as a share of what the
// first sweep gave.
func (s *system) off(change []float64) float64 {
	most := 0.0
	for i, d := range change {
		if s.scale[i] > 0 {
			most = max(most, math.Abs(d)/s.scale[i])
		}
	}
	return most
}

// solve improves x until it is right, and returns the first of it.
func (s *system) solve(progress func(float64) bool) (float64, error) {
	x := slices.Clone(s.scale)
	g := newGMRES(s, progress)
	for last := math.Inf(1); ; {
		off, err := g.improve(x)
		switch {
		case err != nil:
			return 0, err
		case x[0] < 0 || x[0] > expectedMost && off <= expectedError:
			return 0, ErrLong
		case off <= expectedAim || off <= expectedError && off > last/2:
			return x[0], nil
		case g.work > expectedWork:
			return 0, ErrLong
		}
		last = off
	}
}

// gmres solves x = sweep(x) as (I − G)·d = sweep(x) − x, where G is the
// linear part of a sweep and d what x lacks.
type gmres struct {
	system   *system
	progress func(float64) bool
	basis    [krylov + 1][]float64
	h        [krylov + 1][krylov]float64 // the upper triangle that the basis is turned to
	cos, sin [krylov]float64             // by these rotations
	rest     [krylov + 1]float64         // and so is what's left
	swept    []float64
	work     int // multiplications so far, about
	first    float64
	done     float64
}

func newGMRES(s *system, progress func(float64) bool) *gmres {
	g := &gmres{system: s, progress: progress, swept: make([]float64, len(s.scale))}
	for i := range g.basis {
		g.basis[i] = make([]float64, len(s.scale))
	}
	return g
}

// improve sweeps x, and adds what the next sweeps together would. It returns how
// far x was off between the two; where that is enough, nothing is added.
func (g *gmres) improve(x []float64) (off float64, err error) {
	for range 2 {
		if err := g.sweep(x, 1); err != nil {
			return 0, err
		}
	}
	r := g.basis[0]
	copy(g.swept, x)
	if err := g.sweep(g.swept, 1); err != nil {
		return 0, err
	}
	for i := range r {
		r[i] = g.swept[i] - x[i]
	}
	off = g.system.off(r)
	if off <= expectedAim {
		return off, nil
	}
	if g.first == 0 {
		g.first = off
	}
	size := norm(r)
	g.rest = [krylov + 1]float64{size}
	scaleBy(r, 1/size)
	n := 0
	for n < krylov && math.Abs(g.rest[n])/size*off > expectedAim/10 {
		more, err := g.extend(n)
		if err != nil {
			return 0, err
		}
		n++
		g.done = max(g.done, min(1, math.Log(g.first/off*size/math.Abs(g.rest[n]))/math.Log(g.first/expectedAim)))
		if !more {
			break
		}
	}
	g.add(x, n)
	return off, nil
}

// sweep does one, and tells how far it all is.
func (g *gmres) sweep(x []float64, one float64) error {
	g.system.sweep(x, one)
	g.work += g.system.work
	if g.progress != nil && !g.progress(g.done) {
		return ErrStopped
	}
	return nil
}

// extend adds one to the basis, and reports whether there's anything to add.
func (g *gmres) extend(n int) (more bool, err error) {
	v, next := g.basis[n], g.basis[n+1]
	copy(g.swept, v)
	if err := g.sweep(g.swept, 0); err != nil {
		return false, err
	}
	for i := range next {
		next[i] = v[i] - g.swept[i]
	}
	for i := range n + 1 {
		p := dot(next, g.basis[i])
		g.h[i][n] = p
		addScaled(next, -p, g.basis[i])
	}
	g.work += 2 * (n + 1) * len(v)
	length := norm(next)
	for i := range n {
		a, b := g.h[i][n], g.h[i+1][n]
		g.h[i][n], g.h[i+1][n] = g.cos[i]*a+g.sin[i]*b, g.cos[i]*b-g.sin[i]*a
	}
	r := math.Hypot(g.h[n][n], length)
	if r == 0 {
		g.h[n][n], g.rest[n], g.rest[n+1] = 1, 0, 0
		return false, nil
	}
	g.cos[n], g.sin[n] = g.h[n][n]/r, length/r
	g.h[n][n] = r
	g.rest[n], g.rest[n+1] = g.cos[n]*g.rest[n], -g.sin[n]*g.rest[n]
	if length <= 1e-14*r {
		return false, nil
	}
	scaleBy(next, 1/length)
	return true, nil
}

// add adds to x the combination of the first n of the basis that leaves least.
func (g *gmres) add(x []float64, n int) {
	var y [krylov]float64
	for i := n - 1; i >= 0; i-- {
		y[i] = g.rest[i]
		for k := i + 1; k < n; k++ {
			y[i] -= g.h[i][k] * y[k]
		}
		y[i] /= g.h[i][i]
	}
	for i := range n {
		addScaled(x, y[i], g.basis[i])
	}
}

func dot(a, b []float64) float64 {
	b = b[:len(a)]
	sum := 0.0
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

func norm(a []float64) float64 { return math.Sqrt(dot(a, a)) }

func scaleBy(a []float64, f float64) {
	for i := range a {
		a[i] *= f
	}
}

// addScaled adds f times each of more to each of sum.
func addScaled(sum []float64, f float64, more []float64) {
	more = more[:len(sum)]
	for i := range sum {
		sum[i] += f * more[i]
	}
}
