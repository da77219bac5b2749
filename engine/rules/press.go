package rules

import "hiss/boards"

// Roll decides what a player's press throws: their own go, or where no seat
// waits for a press or the match rests, the go of the seat on turn. The host's
// first one starts the match, with a computer player's go if one has come to
// sit before them. A seat on turn that waits for no press (it has passed those
// over who do) can be thrown for by anybody seated. It is refused with Over,
// NotSeated, GotUp, WasUnseated, TooFew, WaitHost or NotYourGo.
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

// Press decides all that a player's press brings: what Roll does; that the
// player is back, if the clock threw for them last and that go wasn't theirs;
// and the goes behind it that wait for no press, up to the next seat that does
// and one round in all. It is refused as Roll is.
func (g *Game) Press(p PlayerID, d Dice) ([]Event, error) {
	first, err := g.Roll(p, d)
	if err != nil {
		return nil, err
	}
	after := g.Clone()
	if err := after.Apply(first); err != nil {
		return nil, err
	}
	events := []Event{first}
	if back, err := after.Back(p); err == nil {
		if err := after.Apply(back); err != nil {
			return nil, err
		}
		events = append(events, back)
	}
	return append(events, after.follow(d, g.Playing()-1, -1)...), nil
}

// Start decides what any seated player's press brings in a lobby whose host is
// away: the match starts, and the host's first go is thrown for them, behind
// those of computer players who sit before them, and with the goes behind it
// that wait for no press, up to the next seat that does and one round from the
// host on. For the host it is a press. Whether the host is away is not for the
// rules to say. It is refused with Over, NotSeated, TooFew, or once the match runs
// with GotUp, WasUnseated or NotYourGo.
func (g *Game) Start(p PlayerID, d Dice) ([]Event, error) {
	seat, err := g.seated(p)
	switch {
	case err != nil:
		return nil, err
	case g.phase == Running:
		return nil, refuse(NotYourGo, g.turn)
	case seat == g.Host():
		return g.Press(p, d)
	}
	return g.Clone().follow(d, g.Host()+g.Playing(), g.Host()), nil
}

// Follow decides the goes, one round at most, that wait for no press after an
// act that wasn't one. While nobody presses for themself there are none: the
// table waits for somebody who does.
func (g *Game) Follow(d Dice) []Event {
	if g.phase != Running || g.Waiting() == 0 {
		return nil
	}
	return g.Clone().follow(d, g.Playing(), -1)
}

// Timeout decides the go of the seat on turn that nobody presses for, and no
// more. It is refused with Over, and in a lobby with WaitHost.
func (g *Game) Timeout(d Dice) (Went, error) {
	switch g.phase {
	case Finished:
		return Went{}, refuse(Over, -1)
	case Lobby:
		return Went{}, refuse(WaitHost, g.Host())
	}
	return g.throw(g.turn, g.unasked(), d), nil
}

// Expire decides all that a deadline brings: the go of the seat on turn, and
// the goes behind it that wait for no press, up to the next seat that does and
// one round in all. It is refused as Timeout is, and with NoChange where no
// deadline runs; see Expires.
func (g *Game) Expire(d Dice) ([]Event, error) {
	switch {
	case g.phase != Running:
		_, err := g.Timeout(d)
		return nil, err
	case !g.Expires():
		return nil, refuse(NoChange, -1)
	}
	return g.Clone().follow(d, g.Playing(), g.turn), nil
}

// follow throws and applies the goes that wait for no press, and once that of
// the absent seat, whether it waits for one or not; -1 is no seat.
func (g *Game) follow(d Dice, most, absent int) []Event {
	var events []Event
	for len(events) < most && g.phase != Finished {
		if g.seats[g.turn].Waits() {
			if g.turn != absent {
				break
			}
			absent = -1
		}
		went := g.throw(g.turn, g.unasked(), d)
		if g.Apply(went) != nil {
			break
		}
		events = append(events, went)
	}
	return events
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
