package odds

import (
	"hiss/engine/rules"
)

// Limits of Expected: how far the goes may be off, as a share of them, what is
// aimed at, and how many multiplications may be spent.
const (
	expectedError = 1e-9
	expectedAim   = 1e-10
	expectedWork  = 5_000_000_000
	// From there on the equations themselves are rounded by more than the digits promised.
	expectedMost = expectedError / 0x1p-52
)

// Expected returns how many goes one player needs on average from square 0, on a
// board of any size, to nine digits. New and Chain.Length give all digits of
// boards up to MaxSquares squares, and take about as long for 100 squares, ten times as long for 1,000.
//
// The equations are improved square by square from the last one down
// (Gauss and Seidel), and the sweeps accelerated by GMRES (Saad and Schultz, SIAM
// J. Sci. Stat. Comput. 7, 1986). It is done when no equation is off by more
// than 10⁻⁹ of what its first sweep gave: then no solution is off by more
// than that share, since the error that is left solves the same equations.
//
// progress, if it isn't nil, is called after every sweep, some hundred times a
// second, with the share of the digits that are there, 0..1, never less than
// before. It returns whether to go on.
//
// The error is the *[rules.Endless] of a track on which a match might never end,
// ErrStopped, or ErrLong where snakes hold tokens back so much that five
// billion multiplications, less than ten seconds, don't give nine digits (some
// tens of thousands of goes are no trouble), or where a board with effects and dice
// of very many totals leave too much to follow. The memory it takes is bounded: 4 MB for 10,000
// squares, 15 MB with the largest dice, and 100 MB at most for boards with effects.
func Expected(t *rules.Track, progress func(done float64) bool) (float64, error) {
	if e := t.Endless(); e != nil {
		return 0, e
	}
	if t.Effects() {
		return expectedOfGoes(walkOf(t), progress)
	}
	s := newSweeps(t)
	return newSystem(s.size, s.work, s.sweep).solve(progress)
}

// expectedOfGoes is Expected go by go, for boards with effects: squares that give
// another roll can lead round and round within one go.
func expectedOfGoes(w *walk, progress func(done float64) bool) (float64, error) {
	m, err := w.law(statesOf(w))
	if err != nil {
		return 0, err
	}
	return newSystem(len(m.home), len(m.to), m.sweep).solve(progress)
}

// sweep improves the goes from all states, from the last one down.
func (m *matrix) sweep(x []float64, one float64) {
	for i := len(x) - 1; i >= 0; i-- {
		sum, leave := one, m.home[i]
		for k := m.rows[i]; k < m.rows[i+1]; k++ {
			if to := int(m.to[k]); to != i {
				sum += m.chance[k] * x[to]
				leave += m.chance[k]
			}
		}
		if leave > 0 {
			x[i] = sum / leave
		}
	}
}

// sweeps are the equations of the expected goes, roll by roll, so that they
// stay few with bonus rolls too. Of a square q there are
//
//	E(q)     the goes from q on,
//	U(q, j)  the goes from q on with j bonus rolls thrown in this go, this one
//	         counted, ends by a void left out; for j = 1 up to the void.
//
// Where a go is never void there's no need to count: then E is all there is. With W(q, j) the
// chance that a go with j bonus rolls isn't void, p the rolls without a bonus and b those with one,
//
//	U(q, j) = Σ p · (1 + E(to)) + Σ b · U(to, j+1)
//	E(q)    = U(q, 0) + (1 − W(q, 0)) · (1 + E(q))
//
// where E of the last square is 0 and U is 1.
type sweeps struct {
	throws
	track  *rules.Track
	size   int
	rows   int       // per square: E, U(1), U(2) …
	goes   []float64 // U of square q and j bonus rolls, at j·size + q
	moves  []float64 // scratch per square: what rolls without a bonus come to
	begun  []bool    // per square: a go can begin there, so there's an E
	stood  []bool    // per square: it can be stood on, so there are U
	end    []int     // per square: where a token that lands there comes to rest
	starts [][]int   // per square: from where one comes to rest there
	near   int       // from here on a roll can lead past the last square
	ends   [][]int   // per square from near on and total: where it leads
	stays  []float64 // per square from near on: the chance to stay there by a roll without a bonus
	void   []float64 // per square: the chance that a go is void
	leave  []float64 // per square: the chance of any other go than those two
	land   []float64 // E of the square where a token that lands there comes to rest
	work   int       // multiplications of a sweep, about
}

func newSweeps(t *rules.Track) *sweeps {
	w := walkOf(t)
	size, high := t.Size(), t.Rules().Dice*t.Rules().Sides
	s := &sweeps{
		throws: w.throws, track: t, size: size, rows: max(w.throws.rows, 1), begun: w.begun, stood: w.stood,
		end: make([]int, size+1), starts: make([][]int, size+1), near: max(0, size-high+1),
		stays: make([]float64, size), leave: make([]float64, size), land: make([]float64, size+1),
	}
	for square := range s.end {
		s.end[square] = square
	}
	for _, j := range t.Board().Jumps {
		s.end[j.From] = j.To
	}
	for square, end := range s.end {
		s.starts[end] = append(s.starts[end], square)
	}
	for square := s.near; square < size; square++ {
		ends := make([]int, len(s.plain))
		for i := range ends {
			_, ends[i] = t.Move(square, s.low+i)
		}
		s.ends = append(s.ends, ends)
	}
	s.goes, s.moves = make([]float64, size*s.rows), make([]float64, size)
	s.sumVoids()
	s.work = size*s.rows*(len(s.again)+1) + size*len(s.plain)
	if s.rows > 1 {
		s.work *= 2
	}
	return s
}

// to returns where total i leads from a square.
func (s *sweeps) to(square, i int) int {
	if square < s.near {
		return s.end[square+s.low+i]
	}
	return s.ends[square-s.near][i]
}

// sumVoids works out the chances of a void, the last bonus roll first, and with
// them how likely a go moves its token on.
func (s *sweeps) sumVoids() {
	later := make([]float64, s.size+1) // that a go is void with one more bonus roll thrown
	void := make([]float64, s.size+1)
	for j := s.throws.rows - 1; j >= 0; j-- {
		later, void = void, later
		for square := range s.size {
			void[square] = 0
			for _, i := range s.again {
				if s.throws.voids(j + 1) {
					void[square] += s.bonus[i]
				} else {
					void[square] += s.bonus[i] * later[s.to(square, i)]
				}
			}
		}
	}
	s.void = void
	for square := range s.size {
		for i, p := range s.plain {
			if square >= s.near && s.to(square, i) == square {
				s.stays[square] += p
			} else {
				s.leave[square] += p
			}
		}
		if s.throws.voids(1) {
			continue
		}
		for _, i := range s.again {
			s.leave[square] += s.bonus[i] * (1 - later[s.to(square, i)])
		}
	}
}

// sweep improves all E once, from the last square down. one is what a go
// counts: with 0 it is the linear part of the sweep. The U follow from the E,
// those of before at first.
func (s *sweeps) sweep(x []float64, one float64) {
	for square, end := range s.end[:s.size] {
		s.land[square] = 0
		if end < s.size {
			s.land[square] = x[end]
		}
	}
	s.follow(x, one)
	for square := s.size - 1; square >= 0; square-- {
		if !s.stood[square] {
			continue
		}
		plain := s.moved(x, square, one)
		if s.begun[square] {
			stays := s.stays[square] + s.void[square]
			x[square] = (plain + stays*one + s.bonuses(x, square, 0, one)) / s.leave[square]
			plain += s.stays[square] * (one + x[square])
			for _, start := range s.starts[square] {
				s.land[start] = x[square]
			}
		}
		for j := 1; j < s.rows; j++ {
			s.goes[j*s.size+square] = plain + s.bonuses(x, square, j, one)
		}
	}
}

// follow works out all U from E.
func (s *sweeps) follow(x []float64, one float64) {
	for j := s.rows - 1; j > 0; j-- {
		for square, stood := range s.stood[:s.size] {
			if !stood {
				continue
			}
			if j == s.rows-1 {
				s.moves[square] = s.moved(x, square, one) + s.stays[square]*(one+x[square])
			}
			s.goes[j*s.size+square] = s.moves[square] + s.bonuses(x, square, j, one)
		}
	}
}

// moved returns what rolls without a bonus that don't stay put come to.
func (s *sweeps) moved(x []float64, square int, one float64) float64 {
	sum := 0.0
	if square < s.near {
		land := s.land[square+s.low:]
		land = land[:len(s.plain)]
		for i, p := range s.plain {
			sum += p * (one + land[i])
		}
		return sum
	}
	ends := s.ends[square-s.near]
	for i, p := range s.plain {
		switch to := ends[i]; to {
		case square:
		case s.size:
			sum += p * one
		default:
			sum += p * (one + x[to])
		}
	}
	return sum
}

// bonuses returns what bonus rolls come to when j were thrown before.
func (s *sweeps) bonuses(x []float64, square, j int, one float64) float64 {
	if s.throws.voids(j + 1) {
		return 0
	}
	next := x
	if s.throws.rows > 0 {
		next = s.goes[(j+1)*s.size : (j+2)*s.size]
	}
	sum := 0.0
	for _, i := range s.again {
		if to := s.to(square, i); to == s.size {
			sum += s.bonus[i] * one
		} else {
			sum += s.bonus[i] * next[to]
		}
	}
	return sum
}
