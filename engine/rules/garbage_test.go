package rules_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"hiss/boards"
	"hiss/engine/rules"
)

// anyEvent draws events that nobody decided, but near enough to what can
// follow that many do.
func anyEvent(t *rapid.T, g *rules.Game) rules.Event {
	if g.Seats() == 0 {
		first := []rules.Event{rules.Joined{}, rules.Left{}, rules.Went{}, rules.Ended{Seat: -1}, nil}
		return rapid.SampledFrom(first).Draw(t, "first")
	}
	seat := rapid.IntRange(-2, 4).Draw(t, "seat")
	switch rapid.IntRange(0, 12).Draw(t, "kind") {
	case 0:
		return rules.Opened{Host: "z", Loaded: rapid.Bool().Draw(t, "loaded")}
	case 1:
		return rules.Joined{Player: rules.PlayerID(rapid.SampledFrom([]string{"", "a", "b", "z"}).Draw(t, "player"))}
	case 2:
		return rules.Joined{Computer: true}
	case 3:
		return rules.Left{Seat: seat}
	case 4:
		return rules.Unseated{Seat: seat}
	case 5:
		return rules.Autoroll{Seat: seat, On: rapid.Bool().Draw(t, "on")}
	case 6:
		return rules.Ended{Seat: seat, Why: rules.Why(rapid.IntRange(0, 3).Draw(t, "why"))}
	case 7:
		return anyOrder(t, g)
	}
	if rapid.IntRange(0, 3).Draw(t, "out of turn") > 0 {
		seat = g.Turn()
	}
	return anyGo(t, g, seat)
}

// anyOrder draws an order of the seats, or now and then none.
func anyOrder(t *rapid.T, g *rules.Game) rules.Ordered {
	var o rules.Ordered
	for i := range g.Seats() {
		o.Seats = append(o.Seats, i)
	}
	o.Seats = rapid.Permutation(o.Seats).Draw(t, "order")
	if rapid.IntRange(0, 3).Draw(t, "order is odd") == 0 {
		o.Seats[0] = rapid.IntRange(-1, g.Seats()).Draw(t, "first")
	}
	return o
}

// anyGo draws a go of numbers that are mostly possible ones.
func anyGo(t *rapid.T, g *rules.Game, seat int) rules.Went {
	w := rules.Went{Seat: seat, How: rules.How(rapid.IntRange(0, 4).Draw(t, "how")), Loaded: rapid.Bool().Draw(t, "loaded")}
	r, size, start := g.Rules(), g.Track().Size(), 0
	if seat >= 0 && seat < g.Seats() {
		start = g.Seat(seat).Square
	}
	number := func(name string, usual, least, most int) int {
		if rapid.IntRange(0, 9).Draw(t, name+" is odd") > 0 {
			return usual
		}
		return rapid.IntRange(least, most).Draw(t, name)
	}
	from := start
	for range number("rolls", 1, 0, 3) {
		var roll rules.Roll
		for range number("dice", r.Dice, 0, 3) {
			roll.Faces = append(roll.Faces, number("face", (r.Sides+1)/2, -1, r.Sides+1))
		}
		roll.From = number("from", from, -1, size)
		roll.Landed = number("landed", min(from+roll.Total(), size), -1, size+1)
		roll.To = number("to", roll.Landed, -1, size+1)
		if roll.Void = rapid.IntRange(0, 5).Draw(t, "void") == 0; roll.Void {
			roll.Landed, roll.To = number("landed", start, -1, size), number("to", start, -1, size)
		}
		if rapid.IntRange(0, 4).Draw(t, "effects") == 0 {
			roll.Effect, roll.Held = boards.Effect(number("effect", 0, 0, 4)), number("held", 0, 0, 1) == 1
		}
		w.Rolls = append(w.Rolls, roll)
		from = roll.End()
	}
	return w
}

// TestAnyEvents: an event that can't follow is refused as such and changes
// nothing; one that does leaves a sound match, and its entry reads back as the
// same event, so that the match is what its record says.
func TestAnyEvents(t *testing.T) {
	t.Parallel()
	follow, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := validRules().Draw(t, "rules")
		track, err := rules.Compile(anyBoard().Draw(t, "board"), r)
		if err != nil {
			t.Fatal(err)
		}
		l := &live{T: t, game: rules.NewGame(track)}
		if rapid.IntRange(0, 9).Draw(t, "unopened") > 0 {
			l.do(l.game.Open("a", false))
		}
		for range rapid.IntRange(1, 40).Draw(t, "events") {
			e, was, other := anyEvent(t, l.game), picture(l.game), l.game.Clone()
			if err := other.Apply(e); err == nil {
				follow++
				l.do(e)
			} else if refused++; !errors.Is(err, rules.ErrCannotFollow) || picture(other) != was {
				t.Fatalf("%+v: %v", e, err)
			}
		}
	})
	if follow < refused/9 {
		t.Errorf("%d events follow and %d don't", follow, refused)
	}
}
