package rules

import "slices"

// Mismatch is a recorded go that isn't what the seed and the rules give.
type Mismatch struct {
	Go          int  // counted from 1 over all seats
	Gives, Says Went // what it would have been, and what the record has
}

// Verify compares the go that comes next with what the dice and the rules give
// for the seat on turn, and returns nil if every face and square is the same.
// How the go came about is not compared: it throws nothing of its own. When
// the match is over there's no next go to compare with, and Apply refuses it.
func (g *Game) Verify(says Went, d Dice) *Mismatch {
	if g.phase == Finished || len(g.seats) == 0 {
		return nil
	}
	gives := g.throw(g.turn, says.How, d)
	if says.Seat == gives.Seat && slices.EqualFunc(says.Rolls, gives.Rolls, Roll.same) {
		return nil
	}
	return &Mismatch{Go: g.goes + 1, Gives: gives, Says: says}
}

func (r Roll) same(other Roll) bool {
	return r.From == other.From && r.Landed == other.Landed && r.To == other.To &&
		r.Held == other.Held && r.Effect == other.Effect && r.Void == other.Void && slices.Equal(r.Faces, other.Faces)
}
