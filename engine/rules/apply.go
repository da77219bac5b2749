package rules

import (
	"errors"
	"fmt"
	"slices"

	"hiss/boards"
)

// ErrCannotFollow says that an event can't follow on the state of a match. It
// is wrapped with the reason.
var ErrCannotFollow = errors.New("the event can't follow")

// Apply changes the match by an event. One that can't follow is refused with
// ErrCannotFollow, and nothing is changed. Facts are taken as they are: Apply
// doesn't ask whether the dice and the board would have it so.
func (g *Game) Apply(e Event) error {
	if err := g.follows(e); err != nil {
		return fmt.Errorf("%w: act %d: %w", ErrCannotFollow, g.acts+1, err)
	}
	g.acts++
	switch e := e.(type) {
	case Opened:
		g.seats = append(g.seats, Seat{Player: e.Host})
		g.loaded = e.Loaded
	case Joined:
		g.seats = append(g.seats, Seat{Player: e.Player, Computer: e.Computer})
	case Left:
		g.vacate(e.Seat, false)
	case Unseated:
		g.vacate(e.Seat, true)
	case Ordered:
		was := slices.Clone(g.seats)
		for i, seat := range e.Seats {
			g.seats[i] = was[seat]
		}
	case Autoroll:
		g.seats[e.Seat].Auto, g.seats[e.Seat].Missed = e.On, 0
	case Ended:
		g.finish(Broken)
		g.ending = e
	case Went:
		g.went(e)
	}
	return nil
}

// follows returns why an event can't follow, or nil.
func (g *Game) follows(e Event) error {
	if _, opening := e.(Opened); opening != (g.acts == 0) {
		return errors.New("a match is opened once, before all else")
	}
	if g.phase == Finished {
		return errors.New("the match is over")
	}
	switch e := e.(type) {
	case Opened:
		return nil
	case Ended:
		switch {
		case e.Seat < -1 || e.Seat >= len(g.seats):
			return fmt.Errorf("there's no seat %d", e.Seat+1)
		case e.Why > Expired || e.Why != Cancelled && e.Seat >= 0:
			return errors.New("only a player who cancels has a seat")
		}
		return nil
	case Joined:
		switch {
		case !g.Joinable():
			return errors.New("nobody can sit down now")
		case g.SeatOf(e.Player) >= 0:
			return errors.New("the player has a seat")
		}
		return nil
	case Left:
		return g.holds(e.Seat)
	case Unseated:
		return g.holds(e.Seat)
	case Ordered:
		return g.canOrder(e)
	case Autoroll:
		return g.holds(e.Seat)
	case Went:
		return g.canGo(e)
	}
	return fmt.Errorf("unknown event %T", e)
}

// holds returns an error unless a seat exists and still plays.
func (g *Game) holds(seat int) error {
	if seat < 0 || seat >= len(g.seats) || !g.seats[seat].Playing() {
		return fmt.Errorf("seat %d doesn't play", seat+1)
	}
	return nil
}

// canOrder returns an error unless the seats are those of a lobby, each once.
func (g *Game) canOrder(o Ordered) error {
	switch {
	case g.phase != Lobby:
		return errors.New("the match has begun")
	case len(o.Seats) != len(g.seats) || len(o.Seats) < 2:
		return fmt.Errorf("an order of %d seats, but there are %d", len(o.Seats), len(g.seats))
	}
	for i := range g.seats {
		if !slices.Contains(o.Seats, i) {
			return fmt.Errorf("seat %d has no place in the order", i+1)
		}
	}
	return nil
}

// canGo returns an error unless a go can be the next one.
func (g *Game) canGo(w Went) error {
	if err := g.holds(w.Seat); err != nil {
		return err
	}
	switch {
	case w.How > Computer:
		return fmt.Errorf("a go of no known kind (%d)", w.How)
	case w.Seat != g.turn:
		return fmt.Errorf("seat %d goes, but seat %d is on turn", w.Seat+1, g.turn+1)
	case g.phase == Lobby && len(g.seats) < 2 && !g.track.rules.Solo:
		return errors.New("one seat alone can't start")
	case len(w.Rolls) == 0:
		return errors.New("a go without a roll")
	}
	if len(w.Rolls) > MaxRolls {
		return fmt.Errorf("a go of %d rolls", len(w.Rolls))
	}
	start, shield := g.seats[w.Seat].Square, g.seats[w.Seat].Shield
	from := start
	for i, roll := range w.Rolls {
		err := g.canRoll(roll, start, from)
		if err == nil && (roll.Held || roll.Effect != boards.NoEffect) {
			err = g.canEffect(roll, shield)
		}
		if err != nil {
			return fmt.Errorf("roll %d: %w", i+1, err)
		}
		from, shield = roll.End(), roll.shield(shield)
		if last := i == len(w.Rolls)-1; !last && (roll.Void || from == g.track.size) {
			return fmt.Errorf("roll %d ends the go, but another follows", i+1)
		}
	}
	return nil
}

// canRoll returns an error unless a roll is one that these dice can make from
// a square of this board.
func (g *Game) canRoll(r Roll, start, from int) error {
	rules := g.track.rules
	if len(r.Faces) != rules.Dice {
		return fmt.Errorf("%d dice", len(r.Faces))
	}
	for _, f := range r.Faces {
		if f < 1 || f > rules.Sides {
			return fmt.Errorf("a face of %d", f)
		}
	}
	switch {
	case r.From != from:
		return fmt.Errorf("begins on %d, but the token is on %d", r.From, from)
	case r.Void && (r.Landed != start || r.To != start):
		return errors.New("a void leads back to where the go began")
	case r.Void || r.Landed == from && r.To == from: // which may be 0
		return nil
	case r.Landed < 1 || r.Landed > g.track.size:
		return fmt.Errorf("lands on %d", r.Landed)
	case r.To < 1 || r.To > g.track.size:
		return fmt.Errorf("leads to %d", r.To)
	}
	return nil
}

// canEffect returns an error unless a roll can have its effect on a token with
// or without a shield.
func (g *Game) canEffect(r Roll, shield bool) error {
	switch {
	case r.Void || r.Stayed():
		return errors.New("a token that doesn't move meets with no effect")
	case r.Held && (!shield || r.Jumped() || r.Effect != boards.NoEffect):
		return errors.New("no shield, or nothing to be held off by it")
	case r.Effect > boards.Back || r.Effect == boards.Shield && shield:
		return fmt.Errorf("an effect that can't be (%d)", r.Effect)
	case r.To == g.track.size:
		return errors.New("the last square has no effect")
	}
	return nil
}

// shield returns whether a token has a shield after a roll that isn't void, if
// it had one before.
func (r *Roll) shield(before bool) bool {
	return (before || r.Effect == boards.Shield) && !r.Held
}

// outcome returns whether a seat has a shield after a go, and whether the go
// passes the next seat over. A void takes back both.
func (w Went) outcome(shield bool) (after, skips bool) {
	after = shield
	for i := range w.Rolls {
		r := &w.Rolls[i]
		if r.Void {
			return shield, false
		}
		after = r.shield(after)
		skips = skips || r.Effect == boards.Skip
	}
	return after, skips
}

// went moves a token by a go.
func (g *Game) went(w Went) {
	g.phase = Running
	g.goes++
	g.thrown += len(w.Rolls) * g.track.rules.Dice
	g.loaded = g.loaded || w.Loaded
	s := &g.seats[w.Seat]
	s.Goes++
	s.Square = w.Rolls[len(w.Rolls)-1].End()
	var skips bool
	s.Shield, skips = w.outcome(s.Shield)
	if w.How == Clock {
		s.Missed++
	} else {
		s.Missed = 0
	}
	if s.Square == g.track.size {
		s.Home = true
		g.place(w.Seat)
		g.settleHome()
	}
	switch {
	case g.phase == Finished:
	case g.goes == MaxGoes:
		g.finish(OutOfRoom)
	default:
		g.pass()
		if skips && g.Playing() > 1 {
			g.pass()
		}
	}
}

// settleHome ends the match if the finish rule says so, now that one more seat
// is home.
func (g *Game) settleHome() {
	playing := g.Playing()
	switch {
	case g.track.rules.Finish == First || playing == 0:
		g.finish(Decided)
	case g.track.rules.Finish == Last && playing == 1:
		g.place(slices.IndexFunc(g.seats, Seat.Playing))
		g.finish(Decided)
	}
}

// vacate takes a seat from its player, and settles what that means.
func (g *Game) vacate(seat int, unseated bool) {
	if g.phase == Lobby {
		g.seats = slices.Delete(g.seats, seat, seat+1)
		if g.Host() < 0 {
			g.finish(Abandoned)
		}
		return
	}
	g.seats[seat].Gone, g.seats[seat].Unseated = true, unseated
	people := g.count(func(s Seat) bool { return s.Playing() && !s.Computer })
	last := slices.IndexFunc(g.seats, Seat.Playing)
	switch alone := g.Playing() == 1; {
	case alone && g.placed > 0 && g.track.rules.Finish == Last:
		g.place(last)
		g.finish(Decided)
	case people == 0 && g.placed > 0:
		g.finish(Decided)
	case people == 0:
		g.finish(Abandoned)
	case alone && g.placed == 0:
		g.place(last)
		g.finish(Walkover)
	case seat == g.turn:
		g.pass()
	}
}

// place gives a seat the next place.
func (g *Game) place(seat int) {
	g.placed++
	g.seats[seat].Place = g.placed
}

// pass hands the turn to the next seat.
func (g *Game) pass() {
	next, wrapped := g.next(g.turn)
	g.turn = next
	if wrapped {
		g.round++
	}
}

func (g *Game) finish(o Outcome) {
	g.phase, g.outcome = Finished, o
}
