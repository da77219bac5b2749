package rules

import "hiss/boards"

// Out is the square of a token that takes no part in a match: its player has left.
const Out = -1

// Token is where a player stands between two goes.
type Token struct {
	Square int // 0 is the start, off the board
	Shield bool
}

// PlayFrom plays on from where a match stands, die by die, like Play. Seats whose token is
// home or Out take no part, and places are given among the others. Turn is the
// seat whose go it is; if it takes no part, the next one that does.
func (s *Simulation) PlayFrom(src *Source, tokens []Token, turn, limit int) bool {
	s.reset(len(tokens))
	for i, token := range tokens {
		s.Squares[i], s.Shields[i] = token.Square, token.Shield
		s.out[i] = token.Square == Out || token.Square == s.track.size
	}
	s.turn = turn
	if s.playing() == 0 {
		return true
	}
	return s.Continue(src, limit)
}

// Continue plays on, die by die, a match that isn't over, until it is or all
// its goes are limit.
func (s *Simulation) Continue(src *Source, limit int) bool {
	sides := uint64(s.track.rules.Sides)
	die := func() int { return int(src.below(sides)) + 1 }
	if s.out[s.turn] || s.Places[s.turn] > 0 {
		s.pass()
	}
	for s.Total < limit {
		i, skips := s.turn, false
		if s.track.effects == nil {
			s.Squares[i] = s.walk(s.Squares[i], die)
		} else {
			skips = s.walkEffects(i, die)
		}
		s.Goes[i]++
		s.Total++
		if s.Squares[i] == s.track.size && s.arrive(i) {
			return true
		}
		s.pass()
		if skips && s.playing() > 1 {
			s.pass()
		}
	}
	return false
}

// playing returns how many seats still throw.
func (s *Simulation) playing() int {
	n := -s.placed
	for _, out := range s.out[:s.seats] {
		if !out {
			n++
		}
	}
	return n
}

// pass hands the turn to the next seat that still throws.
func (s *Simulation) pass() {
	for range s.seats {
		s.turn++
		if s.turn == s.seats {
			s.turn = 0
		}
		if s.Places[s.turn] == 0 && !s.out[s.turn] {
			return
		}
	}
}

// arrive gives seat i the next place, and reports whether the match is over.
func (s *Simulation) arrive(i int) bool {
	s.placed++
	s.Places[i] = s.placed
	switch s.track.rules.Finish {
	case First:
		return true
	case Last:
		if s.playing() > 1 {
			return false
		}
		for j := range s.seats {
			if s.Places[j] == 0 && !s.out[j] {
				s.placed++
				s.Places[j] = s.placed
			}
		}
		return true
	}
	return s.playing() == 0
}

// roll throws all dice, and reports whether that earns another roll.
func (s *Simulation) roll(die func() int) (total int, again bool) {
	s.Rolls++
	for i := range s.faces {
		s.faces[i] = die()
		total += s.faces[i]
	}
	return total, s.track.rules.earns(s.faces, total)
}

// walk throws one go from a square, where there are no effects, and returns
// where it ends.
func (s *Simulation) walk(start int, die func() int) int {
	square := start
	for row := 1; ; row++ {
		total, again := s.roll(die)
		if again && s.track.rules.voids(row) {
			return start
		}
		_, square = s.track.Move(square, total)
		if !again || square == s.track.size || row == MaxRolls {
			return square
		}
	}
}

// walkEffects throws one go of a seat, and reports whether it passes the next
// one over.
func (s *Simulation) walkEffects(i int, die func() int) (skips bool) {
	square, shield, row := s.Squares[i], s.Shields[i], 0
	for range MaxRolls {
		total, again := s.roll(die)
		if again {
			row++
		}
		if again && s.track.rules.voids(row) {
			return false
		}
		step := s.track.Step(square, total, shield)
		square, shield = step.To, shield && !step.Held
		switch step.Effect {
		case boards.Skip:
			skips = true
		case boards.Shield:
			shield = true
		case boards.Again:
			again, row = true, 0
		case boards.Back:
			square = 0
		}
		if !again || square == s.track.size {
			break
		}
	}
	s.Squares[i], s.Shields[i] = square, shield
	return skips
}
