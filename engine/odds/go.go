package odds

import (
	"slices"

	"hiss/engine/rules"
)

// Limits of the law of one go: how many steps may be followed on boards with
// effects, how many may be kept, and the share of goes that is too few to follow.
const (
	goWork = 300_000_000
	goLegs = 3_000_000
	goRest = 1e-18
)

// leg is where a roll leads from a spot.
type leg struct {
	to    int32 // a spot, or home
	again bool  // the square there gives another roll
	p     float64
}

// legs are the rolls from every spot that a token can be on.
type legs struct {
	*walk
	all  []leg
	ends [][3]int // per spot: where its rolls begin that end a go, that go on, and those with a bonus
	stop []int    // per spot: where those with a bonus end
}

// legsOf follows every roll from every spot once. The error is ErrLong where
// there are too many.
func legsOf(w *walk) (*legs, error) {
	l := &legs{walk: w, ends: make([][3]int, w.count()), stop: make([]int, w.count())}
	for spot, met := range w.met {
		if !met {
			continue
		}
		var on []leg
		l.ends[spot][0] = len(l.all)
		for i, p := range w.throws.plain {
			if p <= 0 {
				continue
			}
			to, again := w.lead(spot, w.throws.low+i)
			if again {
				on = append(on, leg{int32(to), true, p})
			} else {
				l.all = append(l.all, leg{int32(to), false, p})
			}
		}
		l.ends[spot][1] = len(l.all)
		l.all = append(l.all, on...)
		l.ends[spot][2] = len(l.all)
		for _, i := range w.throws.again {
			to, again := w.lead(spot, w.throws.low+i)
			l.all = append(l.all, leg{int32(to), again, w.throws.bonus[i]})
		}
		l.stop[spot] = len(l.all)
		if len(l.all) > goLegs {
			return nil, ErrLong
		}
	}
	return l, nil
}

// law works out how goes end that begin in each of some states. The error is ErrLong.
func (w *walk) law(s states) (matrix, error) {
	l, err := legsOf(w)
	if err != nil {
		return matrix{}, err
	}
	g := &goLaw{
		legs: l, states: s, thrown: make([]float64, w.count()),
		ends: make([]float64, len(s.at)), now: newMasses(w.count() * w.rows), next: newMasses(w.count() * w.rows),
	}
	m := newMatrix(len(s.at), len(l.all))
	for _, spot := range s.at {
		home, err := g.follow(int(spot))
		if err != nil {
			return matrix{}, err
		}
		m.add(g.ends, g.sorted(), home)
		g.touched = g.touched[:0]
		if len(m.to) > goLegs {
			return matrix{}, ErrLong
		}
	}
	return m, nil
}

// goLaw follows goes, roll by roll, by the chance to get to each node.
type goLaw struct {
	*legs
	states
	now, next masses    // per node: the chance that the next roll is thrown there
	thrown    []float64 // per spot: how many rolls are thrown there, on average
	from      []int     // the spots for which that isn't 0
	ends      []float64 // per state: the chance that the go ends there
	touched   []int32   // the states for which that isn't 0
	work      int
}

// follow works out the ends of a go from a spot, and returns the chance of home.
// Rolls without a bonus that end a go lead to the same whenever they're thrown, so
// they are followed at the end, all together.
func (g *goLaw) follow(start int) (home float64, err error) {
	void := 0.0
	g.now.add(start*g.rows, 1)
	for roll := 1; g.now.sum >= goRest; roll++ {
		for _, node := range g.now.touched {
			mass := g.now.chance[node]
			spot, row := node/g.rows, node%g.rows
			if g.thrown[spot] == 0 {
				g.from = append(g.from, spot)
			}
			g.thrown[spot] += mass
			if g.throws.voids(row + 1) {
				void += mass * g.throws.mass
			}
			home += g.goOn(spot, row, mass)
		}
		g.now.clear()
		g.now, g.next = g.next, g.now
		if g.effects && g.work > goWork {
			return 0, ErrLong
		}
		if roll == rules.MaxRolls {
			break
		}
	}
	if err := g.cut(); err != nil {
		return 0, err
	}
	for _, spot := range g.from {
		rolls := g.all[g.legs.ends[spot][0]:g.legs.ends[spot][1]]
		for _, r := range rolls {
			if r.to < 0 {
				home += g.thrown[spot] * r.p
			} else {
				g.end(int(r.to), g.thrown[spot]*r.p)
			}
		}
		g.work += len(rolls)
		g.thrown[spot] = 0
	}
	g.from = g.from[:0]
	if void > 0 {
		g.end(start, void)
	}
	return home, nil
}

// cut ends the goes that have no room for another roll, if they aren't too few to
// matter. The error is ErrLong where one ends on a spot on which no other can.
func (g *goLaw) cut() error {
	defer g.now.clear()
	if g.now.sum < goRest {
		return nil
	}
	for _, node := range g.now.touched {
		spot := node / g.rows
		switch {
		case g.of[spot] >= 0:
			g.end(spot, g.now.chance[node])
		case g.now.chance[node] > goRest:
			return ErrLong
		}
	}
	return nil
}

// goOn follows the rolls that don't end a go at once, and returns the chance of those
// that are home.
func (g *goLaw) goOn(spot, row int, mass float64) (home float64) {
	begin, stop := g.legs.ends[spot][1], g.stop[spot]
	if g.throws.voids(row + 1) {
		stop = g.legs.ends[spot][2]
	}
	g.work += stop - begin + 1
	next := 0
	if g.throws.rows > 0 {
		next = row + 1
	}
	for _, r := range g.all[begin:stop] {
		switch {
		case r.to < 0:
			home += mass * r.p
		case r.again:
			g.next.add(int(r.to)*g.rows, mass*r.p)
		default:
			g.next.add(int(r.to)*g.rows+next, mass*r.p)
		}
	}
	return home
}

// end adds to the chance that the go ends on a spot.
func (g *goLaw) end(spot int, p float64) {
	state := g.of[spot]
	if g.ends[state] == 0 {
		g.touched = append(g.touched, state)
	}
	g.ends[state] += p
}

// sorted returns the touched states in order.
func (g *goLaw) sorted() []int32 {
	if 8*len(g.touched) < len(g.ends) {
		slices.Sort(g.touched)
		return g.touched
	}
	g.touched = g.touched[:0]
	for state := range g.ends {
		g.touched = append(g.touched, int32(state))
	}
	return g.touched
}

// masses are chances per node, most of them 0.
type masses struct {
	chance  []float64
	touched []int
	sum     float64
}

func newMasses(nodes int) masses { return masses{chance: make([]float64, nodes)} }

func (m *masses) add(node int, p float64) {
	if m.chance[node] == 0 {
		m.touched = append(m.touched, node)
	}
	m.chance[node] += p
	m.sum += p
}

func (m *masses) clear() {
	for _, node := range m.touched {
		m.chance[node] = 0
	}
	m.touched, m.sum = m.touched[:0], 0
}
