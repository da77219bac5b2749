package rules

import "slices"

// awayAfter is how many goes in a row the clock has to throw for a seat until
// its player counts as away and isn't waited for any more.
const awayAfter = 2

// Seat is a player's place in the order.
type Seat struct {
	Player   PlayerID
	Computer bool
	Square   int // 0 is the start, off the board
	Goes     int
	Place    int  // 1 for the first home, 0 for nobody home yet
	Home     bool // on the last square; a last place is given without it
	Gone     bool // left or unseated after the start
	Unseated bool // gone because the seat was taken away
	Auto     bool // autoroll is on
	Missed   int  // goes in a row that the clock threw, up to now
	Shield   bool // the next snake doesn't bite
}

// Playing reports whether the seat still throws.
func (s Seat) Playing() bool { return !s.Gone && s.Place == 0 }

// Away reports whether the player hasn't been there for several goes.
func (s Seat) Away() bool { return s.Missed >= awayAfter }

// Waits reports whether the seat's go waits for a press.
func (s Seat) Waits() bool { return s.Playing() && !s.Auto && !s.Computer && !s.Away() }

// Phase is where a match stands.
type Phase uint8

// The phases. Whether a running match rests is told by Game.Resting.
const (
	Lobby Phase = iota
	Running
	Finished
)

// Outcome says how a match that is over came to its end.
type Outcome uint8

// The outcomes.
const (
	Undecided Outcome = iota // it isn't over
	Decided                  // as its finish rule has it
	Walkover                 // everybody else left
	Abandoned                // nobody is left to play it
	OutOfRoom                // MaxGoes goes were thrown
	Broken                   // ended by somebody or by the clock; see Ending
)

// Game is one match as it stands: the fold of its events. It is changed by
// Apply alone and isn't safe for concurrent use.
type Game struct {
	track   *Track
	seats   []Seat
	phase   Phase
	turn    int // the seat on turn; the first in a lobby
	round   int // counts from 1
	goes    int // of all seats
	thrown  int // dice
	placed  int // how many places were given
	acts    int
	loaded  bool
	outcome Outcome
	ending  Ended
}

// NewGame returns a match that nobody has opened yet. Its first event must be
// Opened.
func NewGame(t *Track) *Game { return &Game{track: t, round: 1} }

// Clone returns a copy that shares nothing that changes.
func (g *Game) Clone() *Game {
	c := *g
	c.seats = slices.Clone(g.seats)
	return &c
}

// Track returns the board and rules of the match.
func (g *Game) Track() *Track { return g.track }

// Rules returns the rules of the match.
func (g *Game) Rules() Rules { return g.track.rules }

// Phase returns where the match stands.
func (g *Game) Phase() Phase { return g.phase }

// Outcome returns how the match came to its end, and for one that was Broken
// the event that ended it.
func (g *Game) Outcome() (Outcome, Ended) { return g.outcome, g.ending }

// Turn returns the number of the seat on turn, from 0: in a lobby the first
// one, which is the host's unless a computer player has come to sit before
// them. It means nothing when the match is over.
func (g *Game) Turn() int { return g.turn }

// Round returns the number of the round, from 1.
func (g *Game) Round() int { return g.round }

// Goes returns how many goes were thrown, by all seats.
func (g *Game) Goes() int { return g.goes }

// Thrown returns how many dice were thrown: the number of the next one.
func (g *Game) Thrown() int { return g.thrown }

// Acts returns how many events the match has.
func (g *Game) Acts() int { return g.acts }

// Loaded reports whether the seed was given or a die was loaded, so that the
// seal proves nothing.
func (g *Game) Loaded() bool { return g.loaded }

// Seats returns how many seats there are, those that are gone included.
func (g *Game) Seats() int { return len(g.seats) }

// Seat returns a seat by its number, from 0.
func (g *Game) Seat(n int) Seat { return g.seats[n] }

// SeatOf returns the number of a player's seat, or -1.
func (g *Game) SeatOf(p PlayerID) int {
	if p == "" {
		return -1
	}
	return slices.IndexFunc(g.seats, func(s Seat) bool { return s.Player == p })
}

// Sit names the players of the seats, in order. A match that was folded from
// its record doesn't know them, since acts name seats by number.
func (g *Game) Sit(players []PlayerID) {
	for i := range g.seats {
		g.seats[i].Player = ""
		if i < len(players) {
			g.seats[i].Player = players[i]
		}
	}
}

// Host returns the seat that opened the match or took that role over: the
// longest seated of those that are not gone. It is -1 if nobody is.
func (g *Game) Host() int {
	return slices.IndexFunc(g.seats, func(s Seat) bool { return !s.Gone && !s.Computer })
}

// Playing returns how many seats still throw.
func (g *Game) Playing() int { return g.count(Seat.Playing) }

// Waiting returns how many seats throw only when their players press.
func (g *Game) Waiting() int { return g.count(Seat.Waits) }

func (g *Game) count(is func(Seat) bool) int {
	n := 0
	for _, s := range g.seats {
		if is(s) {
			n++
		}
	}
	return n
}

// Joinable reports whether somebody could still sit down.
func (g *Game) Joinable() bool {
	return g.phase != Finished && g.round == 1 && len(g.seats) < g.track.rules.Seats
}

// Resting reports whether every person still playing was last thrown for by
// the clock. One with autoroll on never is, since that is a wish of theirs: where
// only such seats, computer seats and those who are away play on, a match that
// doesn't rest waits for nobody either, and Waiting is 0.
func (g *Game) Resting() bool {
	people := g.count(func(s Seat) bool { return s.Playing() && !s.Computer })
	missing := g.count(func(s Seat) bool { return s.Playing() && !s.Computer && s.Missed > 0 })
	return g.phase == Running && people > 0 && people == missing
}

// Expires reports whether a deadline runs: somebody is waited for, and not all
// were thrown for by the clock last. While none does, any seated player's press
// moves the match, and nothing else.
func (g *Game) Expires() bool { return g.phase == Running && g.Waiting() > 0 && !g.Resting() }

// Winner returns the seat in the first place, or -1.
func (g *Game) Winner() int {
	return slices.IndexFunc(g.seats, func(s Seat) bool { return s.Place == 1 })
}

// next returns the first seat behind seat i, round the table, that still
// plays, and whether the table's end was passed on the way to it. Alone, a
// seat is followed by itself.
func (g *Game) next(i int) (seat int, wrapped bool) {
	for n := 1; n <= len(g.seats); n++ {
		seat = (i + n) % len(g.seats)
		if g.seats[seat].Playing() {
			return seat, i+n >= len(g.seats)
		}
	}
	return i, false
}

// Next returns the seat that follows seat i, round the table.
func (g *Game) Next(i int) int {
	seat, _ := g.next(i)
	return seat
}
