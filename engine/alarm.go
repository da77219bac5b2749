package engine

import (
	"time"

	"hiss/engine/rules"
)

// How long what is no go is waited for.
const (
	usualLobby    = 15 * time.Minute   // a lobby in which nothing happens
	hostPatience  = 2 * time.Minute    // the host of a table that could start
	restPatience  = 7 * 24 * time.Hour // a match in which nothing happens
	votePatience  = 30 * time.Second   // an objection to the end
	matchPatience = 60 * time.Second   // those who are asked for a rematch
)

// alarm is what the clock has to do next in a match.
type alarm uint8

const (
	noAlarm    alarm = iota
	throwAlarm       // throw for the seat on turn
	remindAlarm
	hostAlarm   // let anybody start
	closeAlarm  // close a lobby
	expireAlarm // close a match to which nobody came back
	voteAlarm   // end the match, since nobody objected
	seatAlarm   // draw the order of a rematch
)

// next returns what the clock has to do next in a match, and when. Seen is when
// the host was last here.
func (c clockwork) next(g *rules.Game, acted, seen time.Time) (what alarm, at time.Time) {
	earliest := func(w alarm, t time.Time) {
		if what == noAlarm || t.Before(at) {
			what, at = w, t
		}
	}
	switch g.Phase() {
	case rules.Finished:
		return noAlarm, time.Time{}
	case rules.Lobby:
		if c.rematch > 0 { // behind which it waits like any lobby, for as long
			earliest(seatAlarm, c.since.Add(matchPatience))
			break
		}
		earliest(closeAlarm, c.since.Add(c.lobby))
		if c.reminded == 0 && g.Seats() > 1 {
			waits := c.since
			if seen.After(waits) {
				waits = seen
			}
			earliest(hostAlarm, waits.Add(hostPatience))
		}
	case rules.Running:
		if at, what = c.throws(g); what == noAlarm {
			if c.since.After(acted) { // the time in which Hiss was away was given back
				acted = c.since
			}
			earliest(expireAlarm, acted.Add(restPatience))
		}
	}
	if !c.asked.IsZero() {
		earliest(voteAlarm, c.asked.Add(votePatience))
	}
	return what, wholeSecond(at)
}

// wholeSecond returns the first whole second that isn't before a moment: records
// keep no parts of one.
func wholeSecond(t time.Time) time.Time {
	if whole := t.Truncate(time.Second); whole.Before(t) {
		return whole.Add(time.Second)
	}
	return t
}

// after returns the clockwork behind some acts: another go, or somebody else who has
// come or gone, begins another wait.
func (c clockwork) after(before, now *rules.Game, at time.Time) clockwork {
	if now.Phase() == rules.Finished {
		c.asked = time.Time{}
		if outcome, _ := now.Outcome(); outcome == rules.Abandoned && now.Goes() == 0 {
			return c // the others can still join a rematch whose opener got up
		}
		c.rematch = 0
	}
	if !c.asked.IsZero() && before != nil {
		c = c.votes(before, now)
	}
	if before != nil && before.Phase() == now.Phase() && before.Goes() == now.Goes() && before.Resting() == now.Resting() &&
		sameWait(before, now) && (before.Seats() == now.Seats() || now.Phase() == rules.Running) {
		return c
	}
	if now.Phase() != rules.Lobby || c.rematch == 0 { // a rematch waits for a minute in all
		c.since = at
	}
	c.reminded = 0
	return c
}

// sameWait reports whether the same player is waited for as before, as patiently.
func sameWait(before, now *rules.Game) bool {
	if now.Phase() == rules.Lobby {
		return true
	}
	was, is := before.Seat(before.Turn()), now.Seat(now.Turn())
	return before.Turn() == now.Turn() && was.Waits() == is.Waits() && was.Missed == is.Missed
}

// votes keeps the wish to end a match with whoever has it: others may sit elsewhere
// now, and it ends with its seat.
func (c clockwork) votes(before, now *rules.Game) clockwork {
	seat := -1
	if c.vote >= 0 && c.vote < before.Seats() {
		seat = now.SeatOf(before.Seat(c.vote).Player)
	}
	if seat < 0 || !now.Seat(seat).Playing() {
		c.vote, c.asked = 0, time.Time{}
		return c
	}
	c.vote = seat
	return c
}

// throws returns when the seat on turn is reminded, or thrown for.
func (c clockwork) throws(g *rules.Game) (time.Time, alarm) {
	seat := g.Seat(g.Turn())
	switch {
	case !g.Expires():
		return time.Time{}, noAlarm
	case !seat.Waits(): // those who wait were passed over
		return c.since, throwAlarm
	case c.pace.span == 0:
		return time.Time{}, noAlarm
	}
	if reminders := c.pace.reminders(seat.Missed); c.reminded < len(reminders) {
		return c.since.Add(reminders[c.reminded]), remindAlarm
	}
	return c.since.Add(c.pace.limit(seat.Missed)), throwAlarm
}

// deadline returns when Hiss throws for the seat on turn, zero if it doesn't.
func (c clockwork) deadline(g *rules.Game) time.Time {
	if _, what := c.throws(g); what == noAlarm || c.pace.span == 0 {
		return time.Time{}
	}
	return c.since.Add(c.pace.limit(g.Seat(g.Turn()).Missed))
}
