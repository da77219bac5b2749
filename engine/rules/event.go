package rules

import "hiss/boards"

// PlayerID names a player. Rules compare it and look no further.
type PlayerID string

// Event is one act that happened: one entry in a match's record. The kinds are
// Opened, Joined, Left, Ordered, Went, Unseated, Autoroll and Ended.
type Event interface{ event() }

// Opened opens a match; its host takes the first seat.
type Opened struct {
	Host PlayerID
	// Loaded says that the seed was given by somebody instead of drawn.
	Loaded bool
}

// Joined says that somebody took the next seat.
type Joined struct {
	Player   PlayerID // empty in an event that was read from a record
	Computer bool
}

// Left says that the player of a seat got up. Before the first roll the seats
// behind it move up by one.
type Left struct{ Seat int }

// Ordered says that the seats of a lobby were put into another order: Seats[i] is
// the number that the seat had which is number i from now on.
type Ordered struct{ Seats []int }

// Unseated says that a seat was taken from its player.
type Unseated struct{ Seat int }

// Autoroll says that the die rolls for a seat from now on, or no more. Either
// way its player is there: what they missed is forgotten.
type Autoroll struct {
	Seat int
	On   bool
}

// Went is a go: all that one seat threw before the next one.
type Went struct {
	Seat int
	How  How
	// Loaded says that at least one of the dice was not the seed's.
	Loaded bool
	Rolls  []Roll
}

// How says what made a go be thrown.
type How uint8

// The ways in which goes come about.
const (
	Pressed  How = iota // the player asked for it
	Auto                // the player has autoroll on
	Clock               // the deadline passed, or the player is away
	Computer            // a computer player
)

// Roll is one roll of a go.
type Roll struct {
	Faces []int // of each die, in the order thrown
	// From is where the token stood, Landed where the total led, and To where
	// it came to rest: the end of a jump, or Landed. All three are the same
	// for a token that stayed.
	From, Landed, To int
	// Held says that a shield held off the snake on Landed, and is used up.
	Held bool
	// Effect is what the square To did. Back leads on from there: see End.
	Effect boards.Effect
	// Void says that this roll voided the go: it didn't move the token from
	// From, and To, like Landed, is the square where the go began.
	Void bool
}

// Total returns the sum of the faces.
func (r Roll) Total() int {
	total := 0
	for _, f := range r.Faces {
		total += f
	}
	return total
}

// End returns the square on which the token stands after the roll.
func (r Roll) End() int {
	if r.Effect == boards.Back {
		return 0
	}
	return r.To
}

// Jumped reports whether a ladder (up) or a snake (down) was taken.
func (r Roll) Jumped() bool { return r.To != r.Landed }

// Stayed reports whether the token stayed where it was.
func (r Roll) Stayed() bool { return !r.Void && r.Landed == r.From }

// Ended says that the match was ended before it was decided.
type Ended struct {
	Why Why
	// Seat is whose player ended it, or -1 if that was nobody seated.
	Seat int
}

// Why says what a match that wasn't decided ended by.
type Why uint8

// The reasons.
const (
	Cancelled Why = iota // by somebody
	Closed               // by the clock: a lobby in which nothing happened
	Expired              // by the clock: a match to which nobody came back
)

func (Opened) event()   {}
func (Joined) event()   {}
func (Left) event()     {}
func (Ordered) event()  {}
func (Went) event()     {}
func (Unseated) event() {}
func (Autoroll) event() {}
func (Ended) event()    {}
