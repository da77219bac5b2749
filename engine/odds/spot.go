package odds

import (
	"slices"

	"hiss/boards"
	"hiss/engine/rules"
)

// home stands for the last square where others have a spot.
const home = -1

// spots numbers what a token can be: on a square with a shield or without one,
// in the order of the squares, where there are shields to be had.
type spots struct {
	track   *rules.Track
	shields int // spots per square
	effects bool
}

func spotsOf(t *rules.Track) spots {
	s := spots{track: t, shields: 1, effects: t.Effects()}
	if slices.ContainsFunc(t.Board().Specials, func(s boards.Special) bool { return s.Effect == boards.Shield }) {
		s.shields = 2
	}
	return s
}

// count returns how many spots there are before the last square.
func (s *spots) count() int { return s.track.Size() * s.shields }

// of returns the spot of a token, or home; false if there can be no such token.
func (s *spots) of(token rules.Token) (spot int, ok bool) {
	if token.Square == s.track.Size() {
		return home, true
	}
	spot = token.Square * s.shields
	if token.Shield {
		spot++
	}
	return spot, token.Square >= 0 && token.Square < s.track.Size() && (!token.Shield || s.shields == 2)
}

// token returns who stands on a spot.
func (s *spots) token(spot int) rules.Token {
	return rules.Token{Square: spot / s.shields, Shield: spot%s.shields > 0}
}

// lead returns where a total leads from a spot, and whether the square there gives
// another roll.
func (s *spots) lead(spot, total int) (to int, again bool) {
	if !s.effects {
		if _, to = s.track.Move(spot, total); to == s.track.Size() {
			return home, false
		}
		return to, false
	}
	token := s.token(spot)
	return s.after(token, s.track.Step(token.Square, total, token.Shield))
}

// after is lead with the step that was taken.
func (s *spots) after(token rules.Token, step rules.Step) (to int, again bool) {
	if step.To == s.track.Size() {
		return home, false
	}
	token = rules.Token{Square: step.To, Shield: token.Shield && !step.Held || step.Effect == boards.Shield}
	if step.Effect == boards.Back {
		token.Square = 0
	}
	to, _ = s.of(token)
	return to, step.Effect == boards.Again
}
