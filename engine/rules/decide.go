package rules

import "hiss/boards"

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

// Autoroll decides that the die rolls for a player from now on, or no more,
// which also brings back one who is away. It is refused with Over, NotSeated,
// GotUp, WasUnseated, IsHome or NoChange.
func (g *Game) Autoroll(p PlayerID, on bool) (Autoroll, error) {
	seat, err := g.seated(p)
	if err != nil {
		return Autoroll{}, err
	}
	s := g.seats[seat]
	switch {
	case s.Place > 0:
		return Autoroll{}, refuse(IsHome, seat)
	case s.Auto == on && (on || !s.Away()):
		return Autoroll{}, refuse(NoChange, seat)
	}
	return Autoroll{Seat: seat, On: on}, nil
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

// Roll decides what a player's press throws: their own go, or where no seat
// waits for a press or the match rests, the go of the seat on turn. The host's
// first one starts the match, with a computer player's go if one has come to
// sit before them. A seat on turn that waits for no press (it has passed those
// over who do) can be thrown for by anybody seated. It is refused with Over, NotSeated, GotUp, WasUnseated,
// TooFew, WaitHost or NotYourGo.
func (g *Game) Roll(p PlayerID, d Dice) (Went, error) {
	seat, err := g.seated(p)
	switch {
	case err != nil:
		return Went{}, err
	case g.phase == Lobby && len(g.seats) < 2 && !g.track.rules.Solo:
		return Went{}, refuse(TooFew, seat)
	case seat == g.turn:
		return g.throw(seat, Pressed, d), nil
	case g.phase == Lobby && seat != g.Host():
		return Went{}, refuse(WaitHost, g.Host())
	case g.phase == Running && g.seats[g.turn].Waits() && !g.Resting():
		return Went{}, refuse(NotYourGo, g.turn)
	}
	return g.throw(g.turn, g.unasked(), d), nil
}

// Press decides all that a player's press throws: what Roll does, and the goes
// behind it that wait for no press, up to the next seat that does and one
// round in all. It is refused as Roll is.
func (g *Game) Press(p PlayerID, d Dice) ([]Event, error) {
	first, err := g.Roll(p, d)
	if err != nil {
		return nil, err
	}
	after := g.Clone()
	most := max(g.Playing(), 1) - 1
	if err := after.Apply(first); err != nil {
		return nil, err
	}
	return append([]Event{first}, after.follow(d, most)...), nil
}

// Follow decides the goes, one round at most, that wait for no press after an
// act that wasn't one. While nobody presses for themself there are none: the
// table waits for somebody who does.
func (g *Game) Follow(d Dice) []Event {
	if g.phase != Running || g.Waiting() == 0 {
		return nil
	}
	return g.Clone().follow(d, g.Playing())
}

// follow throws and applies the goes that wait for no press.
func (g *Game) follow(d Dice, most int) []Event {
	var events []Event
	for len(events) < most && g.phase == Running && !g.seats[g.turn].Waits() {
		went := g.throw(g.turn, g.unasked(), d)
		if g.Apply(went) != nil {
			break
		}
		events = append(events, went)
	}
	return events
}

// Timeout decides the go that the clock throws for the seat on turn. It is
// refused with Over, and in a lobby with WaitHost.
func (g *Game) Timeout(d Dice) (Went, error) {
	switch g.phase {
	case Finished:
		return Went{}, refuse(Over, -1)
	case Lobby:
		return Went{}, refuse(WaitHost, g.Host())
	}
	return g.throw(g.turn, g.unasked(), d), nil
}

// unasked returns how the seat on turn goes when nobody presses for it.
func (g *Game) unasked() How {
	switch s := g.seats[g.turn]; {
	case s.Computer:
		return Computer
	case s.Auto:
		return Auto
	}
	return Clock
}

// throw throws a seat's go: rolls until one earns no other. Row counts the bonus
// rolls in a row; a square that gives another roll breaks it.
func (g *Game) throw(seat int, how How, d Dice) Went {
	r := g.track.rules
	w := Went{Seat: seat, How: how}
	start, shield := g.seats[seat].Square, g.seats[seat].Shield
	square, row := start, 0
	for k := g.thrown; ; k += r.Dice {
		roll := Roll{Faces: make([]int, r.Dice), From: square}
		for i := range roll.Faces {
			roll.Faces[i] = d.Face(k + i)
			w.Loaded = w.Loaded || loaded(d, k+i)
		}
		total := roll.Total()
		again := r.earns(roll.Faces, total)
		if again {
			row++
		}
		if again && r.voids(row) {
			roll.Landed, roll.To, roll.Void = start, start, true
			again = false
		} else {
			s := g.track.Step(square, total, shield)
			roll.Landed, roll.To, roll.Held, roll.Effect = s.Landed, s.To, s.Held, s.Effect
			shield = roll.shield(shield)
			if s.Effect == boards.Again {
				again, row = true, 0
			}
		}
		w.Rolls = append(w.Rolls, roll)
		square = roll.End()
		if !again || square == g.track.size || len(w.Rolls) == MaxRolls {
			return w
		}
	}
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
