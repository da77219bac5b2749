package rules

import (
	"fmt"
	"slices"

	"hiss/boards"
)

// Endless says that a match on a track might never end: a square can be
// reached from which the last one can't.
type Endless struct {
	// Square is the one nearest to the last square from which there's no way
	// home; 0 is the start.
	Square int
	// Mend is the first of some simple changes of the rules that would make the
	// match end for certain, or nil if none of them would on this board.
	Mend *Given
}

// Error says it in English, for logs.
func (e *Endless) Error() string {
	s := fmt.Sprintf("the match might never end: from %d there's no way home", e.Square)
	if e.Mend != nil {
		s += fmt.Sprintf("; %s=%s would do", e.Mend.Key, e.Mend.Value)
	}
	return s
}

// Endless returns nil if a match on this track ends for certain sooner or
// later (with probability one), else the square that it can't be finished
// from. It decides exactly, from the graph of what can follow what: the worst
// case of 10,000 squares takes a moment, an ordinary board microseconds.
func (t *Track) Endless() *Endless {
	square, ok := newProof(t).trap()
	if !ok {
		return nil
	}
	e := &Endless{Square: square}
	for _, mend := range []Given{
		{"end", "overshoot"}, {"end", "bounce"}, {"dice", "1"},
		{"void", "3"}, {"void", "0"}, {"bonus", "none"}, {"sides", "6"},
	} {
		changed := t.rules
		if changed.set(mend.Key, mend.Value) != nil || changed == t.rules || changed.Check() != nil {
			continue
		}
		if changed.Bonus == NoBonus && mend.Key == "void" {
			continue
		}
		other, err := Compile(t.board, changed)
		if err != nil {
			continue
		}
		if _, trapped := newProof(other).trap(); !trapped {
			e.Mend = &mend
			break
		}
	}
	return e
}

// proof searches the graph whose nodes are a square, whether the token has a
// shield, and the number of bonus rolls so far in the go (the row). A roll
// without a bonus ends the go, so it leads to row 0; one with a bonus leads on
// in the row; a square that gives another roll breaks it, and leads to row 0
// too, since what can follow is what follows at the beginning of a go. A roll that
// voids the go leads back to where the go began, which was reached already and
// from which everything is as it was, so it has no edge.
//
// Rolls without a bonus lead to the same nodes from every row of a square. So
// they have a node of their own per square, to which all its rows lead: the
// one behind the last row.
//
// Every go can end on a node of row 0: there's always a total or a pair of faces
// that earns no bonus, and on squares that give another roll it has no room for
// more than MaxRolls. So a match can go on for ever exactly if some node of row
// 0 can be reached from which the last square can't. That seats pass each other
// over changes nothing: somebody throws, and whoever does comes home.
type proof struct {
	track    *Track
	shields  int   // 2 where there are shields to be had, else 1
	rows     int   // per square and shield
	nodes    int   // the rows, and the node of rolls without a bonus
	plain    []int // totals that some faces make without earning a bonus
	bonus    []int // totals that some faces make and earn one
	reached  []bool
	homeward []bool
}

func newProof(t *Track) *proof {
	p := &proof{track: t, rows: 1, shields: 1}
	if t.rules.Bonus != NoBonus && t.rules.Void > 0 {
		p.rows = t.rules.Void
	}
	if slices.Contains(t.effects, boards.Shield) {
		p.shields = 2
	}
	p.nodes = p.rows + 1
	for total := t.rules.low(); total <= t.rules.high(); total++ {
		plain, bonus := t.rules.kinds(total)
		if plain {
			p.plain = append(p.plain, total)
		}
		if bonus {
			p.bonus = append(p.bonus, total)
		}
	}
	p.reached = make([]bool, t.size*p.shields*p.nodes)
	p.homeward = make([]bool, len(p.reached))
	return p
}

// kinds reports whether a total can fall without a bonus, and with one.
func (r Rules) kinds(total int) (plain, bonus bool) {
	switch r.Bonus {
	case Max:
		bonus = total == r.high()
		return !bonus, bonus
	case Doubles:
		bonus = total%r.Dice == 0
		// Faces that all equal one another are the only way to make the least
		// and the highest total; every other one has mixed faces too.
		return total != r.low() && total != r.high(), bonus
	}
	return true, false
}

// follow calls visit with every node that this one leads to until visit says
// stop. The last square is told as node -1.
func (p *proof) follow(node int, visit func(node int) (stop bool)) {
	spot, row := node/p.nodes, node%p.nodes
	if row == p.rows {
		for _, total := range p.plain {
			if visit(p.at(spot, total, 0)) {
				return
			}
		}
		return
	}
	if visit(spot*p.nodes+p.rows) || p.track.rules.voids(row+1) {
		return
	}
	next := row + 1
	if p.rows == 1 { // never void: the row doesn't matter
		next = 0
	}
	for _, total := range p.bonus {
		if visit(p.at(spot, total, next)) {
			return
		}
	}
}

// at returns the node that a total leads to from a spot, which is a square with
// or without a shield.
func (p *proof) at(spot, total, row int) int {
	if p.track.effects == nil {
		_, to := p.track.Move(spot, total)
		if to == p.track.size {
			return -1
		}
		return to*p.nodes + row
	}
	shield := spot%p.shields > 0
	step := p.track.Step(spot/p.shields, total, shield)
	switch {
	case step.To == p.track.size:
		return -1
	case step.Effect == boards.Again:
		row = 0
	}
	roll := Roll{To: step.To, Held: step.Held, Effect: step.Effect}
	spot = roll.End() * p.shields
	if roll.shield(shield) {
		spot++
	}
	return spot*p.nodes + row
}

// trap returns the highest square that a go can begin on, or go on from as if it
// began, and from which the last square can't be reached; false if there's none.
func (p *proof) trap() (square int, found bool) {
	nodes := p.reach()
	p.goHome(nodes)
	square = -1
	for _, node := range nodes {
		if node%p.nodes == 0 && !p.homeward[node] {
			square = max(square, node/(p.nodes*p.shields))
		}
	}
	return square, square >= 0
}

// reach returns all nodes that can be reached, the first node first.
func (p *proof) reach() []int {
	p.reached[0] = true
	nodes := []int{0}
	for i := 0; i < len(nodes); i++ {
		p.follow(nodes[i], func(next int) bool {
			if next >= 0 && !p.reached[next] {
				p.reached[next] = true
				nodes = append(nodes, next)
			}
			return false
		})
	}
	return nodes
}

// goHome marks the nodes from which the last square can be reached: those with
// a roll that leads there or to a marked one, until no more are found. Nodes
// are tried in the reverse of the order in which they were reached, roughly
// from home to start, so a few rounds do.
func (p *proof) goHome(nodes []int) {
	for grown := true; grown; {
		grown = false
		for i := len(nodes) - 1; i >= 0; i-- {
			if p.homeward[nodes[i]] {
				continue
			}
			p.follow(nodes[i], func(next int) bool {
				if next < 0 || p.homeward[next] {
					p.homeward[nodes[i]] = true
					grown = true
				}
				return p.homeward[nodes[i]]
			})
		}
	}
}
