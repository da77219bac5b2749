package rules

import "slices"

// Open decides to open a match. The game must be a new one.
func (g *Game) Open(host PlayerID, loaded bool) Opened {
	return Opened{Host: host, Loaded: loaded}
}

// Join decides that a player sits down: in a lobby, or until everybody has
// thrown once. It is refused with Over, AlreadyIn, GotUp, WasUnseated, TooLate
// or Full.
func (g *Game) Join(p PlayerID) (Joined, error) {
	if g.phase == Finished {
		return Joined{}, refuse(Over, -1)
	}
	if seat := g.SeatOf(p); seat >= 0 {
		if err := g.gone(seat); err != nil {
			return Joined{}, err
		}
		return Joined{}, refuse(AlreadyIn, seat)
	}
	return g.admit(Joined{Player: p})
}

// JoinComputer decides that a computer player sits down. It is refused with
// Over, TooLate or Full.
func (g *Game) JoinComputer() (Joined, error) {
	if g.phase == Finished {
		return Joined{}, refuse(Over, -1)
	}
	return g.admit(Joined{Computer: true})
}

// admit lets somebody sit down if there's time and room.
func (g *Game) admit(j Joined) (Joined, error) {
	switch {
	case g.round > 1:
		return Joined{}, refuse(TooLate, -1)
	case len(g.seats) >= g.track.rules.Seats:
		return Joined{}, refuse(Full, -1)
	}
	return j, nil
}

// Leave decides that a player gets up. It is refused with Over, NotSeated,
// GotUp, WasUnseated or IsHome.
func (g *Game) Leave(p PlayerID) (Left, error) {
	seat, err := g.seated(p)
	if err != nil {
		return Left{}, err
	}
	if g.seats[seat].Place > 0 {
		return Left{}, refuse(IsHome, seat)
	}
	return Left{Seat: seat}, nil
}

// Unseat decides that a seat is taken from its player. Who may ask for that is
// not for the rules to say. It is refused with Over, NoSuchSeat or IsHome.
func (g *Game) Unseat(seat int) (Unseated, error) {
	switch {
	case g.phase == Finished:
		return Unseated{}, refuse(Over, -1)
	case seat < 0 || seat >= len(g.seats) || g.seats[seat].Gone:
		return Unseated{}, refuse(NoSuchSeat, seat)
	case g.seats[seat].Place > 0:
		return Unseated{}, refuse(IsHome, seat)
	}
	return Unseated{Seat: seat}, nil
}

// Autoroll decides that the die rolls for a player from now on, or no more.
// Either says that they are here, so off is also taken from somebody without it
// for whom the clock threw last. It is refused with Over, NotSeated, GotUp,
// WasUnseated, IsHome or NoChange.
func (g *Game) Autoroll(p PlayerID, on bool) (Autoroll, error) {
	seat, err := g.seated(p)
	if err != nil {
		return Autoroll{}, err
	}
	s := g.seats[seat]
	switch {
	case s.Place > 0:
		return Autoroll{}, refuse(IsHome, seat)
	case s.Auto == on && (on || s.Missed == 0):
		return Autoroll{}, refuse(NoChange, seat)
	}
	return Autoroll{Seat: seat, On: on}, nil
}

// Back decides that a player for whom the clock threw last is here again, as a
// press of theirs tells even where it throws nothing: they are waited for like
// anybody else. It is refused with Over, NotSeated, GotUp, WasUnseated, IsHome,
// or with NoChange for somebody who has missed nothing, as nobody with autoroll on
// has.
func (g *Game) Back(p PlayerID) (Autoroll, error) {
	seat, err := g.seated(p)
	if err != nil {
		return Autoroll{}, err
	}
	switch s := g.seats[seat]; {
	case s.Place > 0:
		return Autoroll{}, refuse(IsHome, seat)
	case s.Missed == 0:
		return Autoroll{}, refuse(NoChange, seat)
	}
	return Autoroll{Seat: seat}, nil
}

// Order decides to put the seats of a lobby into a drawn order. They line up as
// they are; draw number k, below how many still stand in line, says how many
// stand before the one that becomes seat number k and steps out. The last one has
// its draw too, below 1. Draw is called in that order; see Seed.OrderDraws. It is
// refused with Over, TooLate after the start, or TooFew with one seated.
func (g *Game) Order(draw func(n int) int) (Ordered, error) {
	switch {
	case g.phase == Finished:
		return Ordered{}, refuse(Over, -1)
	case g.phase == Running:
		return Ordered{}, refuse(TooLate, -1)
	case len(g.seats) < 2:
		return Ordered{}, refuse(TooFew, -1)
	}
	line := make([]int, len(g.seats))
	for i := range line {
		line[i] = i
	}
	var o Ordered
	for len(line) > 0 {
		i := draw(len(line))
		o.Seats = append(o.Seats, line[i])
		line = slices.Delete(line, i, i+1)
	}
	return o, nil
}

// End decides that the match ends undecided. By is the player who wants it, if
// that is somebody seated. Who may is not for the rules to say. It is refused
// with Over.
func (g *Game) End(by PlayerID, why Why) (Ended, error) {
	if g.phase == Finished {
		return Ended{}, refuse(Over, -1)
	}
	if why != Cancelled {
		return Ended{Why: why, Seat: -1}, nil // the clock sits nowhere
	}
	return Ended{Seat: g.SeatOf(by)}, nil
}

// seated returns the seat that a player holds, or why they can't act.
func (g *Game) seated(p PlayerID) (int, error) {
	seat := g.SeatOf(p)
	switch {
	case g.phase == Finished:
		return seat, refuse(Over, -1)
	case seat < 0:
		return seat, refuse(NotSeated, -1)
	}
	return seat, g.gone(seat)
}

// gone refuses what the player of a seat that was given up asks for.
func (g *Game) gone(seat int) error {
	switch s := g.seats[seat]; {
	case s.Unseated:
		return refuse(WasUnseated, seat)
	case s.Gone:
		return refuse(GotUp, seat)
	}
	return nil
}
