package rules_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hiss/boards"
	"hiss/engine/rules"
)

// anyBoard draws a small board, often with many jumps and chains.
func anyBoard() *rapid.Generator[boards.Board] {
	return rapid.Custom(func(t *rapid.T) boards.Board {
		b := boards.Board{Name: "any", Size: rapid.IntRange(2, 30).Draw(t, "size"), Columns: 10, Chains: boards.Once}
		for from := 1; from < b.Size; from++ {
			to := rapid.IntRange(1, b.Size*3).Draw(t, fmt.Sprint("jump from ", from))
			if to <= b.Size && to != from {
				b.Jumps = append(b.Jumps, boards.Jump{From: from, To: to})
			} else if e := rapid.IntRange(0, 8).Draw(t, fmt.Sprint("effect of ", from)); e >= 1 && e <= 4 {
				b.Specials = append(b.Specials, boards.Special{Square: from, Effect: boards.Effect(e)})
			}
		}
		return b
	})
}

// live is a match in a property test, with its record.
type live struct {
	*rapid.T
	game *rules.Game
	acts []string
}

// do applies what was decided, and checks all that must hold after each act.
func (l *live) do(events ...rules.Event) {
	for _, e := range events {
		entry := rules.Write(e)
		if err := readsBack(l.game, entry, e); err != nil {
			l.Fatal(err)
		}
		if err := l.game.Apply(e); err != nil {
			l.Fatalf("%q was decided but can't follow: %v", entry, err)
		}
		l.acts = append(l.acts, entry)
		sound(l.T, l.game, l.game.Track())
		l.counted()
	}
}

// counted fails unless what a match tells of itself adds up.
func (l *live) counted() {
	g := l.game
	goes, places := 0, 0
	for i := range g.Seats() {
		s := g.Seat(i)
		goes += s.Goes
		if s.Place > 0 {
			places++
		}
		if s.Gone && s.Place > 0 || s.Unseated && !s.Gone {
			l.Fatalf("%v: seat %d is %+v", l.acts, i+1, s)
		}
	}
	outcome, _ := g.Outcome()
	if goes != g.Goes() || g.Acts() != len(l.acts) || (places > 0) != (g.Winner() >= 0) ||
		(g.Phase() == rules.Finished) != (outcome != rules.Undecided) || (g.Phase() == rules.Lobby && goes > 0) {
		l.Fatalf("%v: %s", l.acts, picture(g))
	}
	if outcome == rules.Decided {
		l.listed()
	}
}

// listed fails unless a match that was decided gave as many places as its finish
// rule has it. Computer seats that everybody left behind have none.
func (l *live) listed() {
	g := l.game
	placed, people, computers := 0, 0, 0
	for i := range g.Seats() {
		switch s := g.Seat(i); {
		case s.Place > 0:
			placed++
			if !s.Home && (s.Place <= placedHome(g) || g.Rules().Finish != rules.Last) {
				l.Fatalf("%v: seat %d has place %d without being home", l.acts, i+1, s.Place)
			}
		case s.Gone:
		case s.Computer:
			computers++
		default:
			people++
		}
	}
	ok := people == 0
	switch g.Rules().Finish {
	case rules.First:
		ok = placed == 1
	case rules.Last:
		ok = ok && computers != 1
	}
	if !ok {
		l.Fatalf("%v: %d people and %d computer players have no place: %s", l.acts, people, computers, picture(g))
	}
}

// placedHome returns how many seats are home.
func placedHome(g *rules.Game) int {
	n := 0
	for i := range g.Seats() {
		if g.Seat(i).Home {
			n++
		}
	}
	return n
}

// act decides what somebody or the clock does, with the goes that follow because
// they wait for no press.
func (l *live) act(p rules.PlayerID, d rules.Dice) ([]rules.Event, error) {
	var e rules.Event
	var err error
	switch g := l.game; rapid.IntRange(0, 23).Draw(l.T, "act") {
	case 0, 1:
		e, err = g.Join(p)
	case 2:
		e, err = g.JoinComputer()
	case 3:
		e, err = g.Leave(p)
	case 4:
		e, err = g.Unseat(rapid.IntRange(-1, 4).Draw(l.T, "seat"))
	case 5, 6, 7:
		e, err = g.Autoroll(p, rapid.Bool().Draw(l.T, "on"))
	case 8:
		e, err = g.Back(p)
	case 9:
		e, err = g.Order(func(n int) int { return rapid.IntRange(0, n-1).Draw(l.T, "draw") })
	case 10, 11, 12, 13, 14:
		return g.Expire(d)
	case 15:
		return g.Start(p, d)
	default:
		if g.Phase() == rules.Running && rapid.Bool().Draw(l.T, "in turn") {
			p = g.Seat(g.Turn()).Player
		}
		return g.Press(p, d)
	}
	after := l.game.Clone()
	if err == nil {
		err = after.Apply(e)
	}
	if err != nil {
		return nil, err
	}
	return append([]rules.Event{e}, after.Follow(d)...), nil
}

// step lets somebody do something, and checks what must hold of a decision and
// of where it leaves the match.
func (l *live) step(d rules.Dice) {
	before, was := l.game.Clone(), picture(l.game)
	events, err := l.act(rules.PlayerID(rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(l.T, "who")), d)
	if picture(l.game) != was {
		l.Fatal("deciding changed the match")
	}
	if err != nil {
		if r := new(rules.Refusal); !errors.As(err, &r) {
			l.Fatalf("refused without a reason: %v", err)
		}
		return
	}
	l.do(events...)
	if picture(before) != was {
		l.Fatal("a clone changed with its match")
	}
	g := l.game
	most := max(before.Playing(), 1)
	if before.Phase() == rules.Lobby {
		most += before.Host() // computer players sit before whoever is away
	}
	if goes := g.Goes() - before.Goes(); goes > most {
		l.Fatalf("%v: %d goes at once in a round of %d", l.acts, goes, before.Playing())
	}
	if g.Phase() == rules.Running && g.Waiting() > 0 && !g.Seat(g.Turn()).Waits() && !passed(events) {
		l.Fatalf("%v: seat %d is on turn, and wasn't thrown for", l.acts, g.Turn()+1)
	}
	l.pressable(d)
	l.rests(d)
}

// rests fails unless the match comes to rest when nobody presses any more, after
// each seat that is waited for has missed twice at most, and any player's press
// is one of somebody who is there.
func (l *live) rests(d rules.Dice) {
	g := l.game.Clone()
	left := 2*g.Waiting() + 1
	for ; g.Expires(); left-- {
		events, err := g.Expire(d)
		if err != nil || len(events) == 0 {
			l.Fatalf("%v: the deadline brings %v, %v", l.acts, events, err)
		}
		for _, e := range events {
			if err := g.Apply(e); err != nil {
				l.Fatal(err)
			}
		}
		if passed(events) { // seats that are passed over miss nothing
			left++
		}
		if left == 0 {
			l.Fatalf("%v: the clock plays on and on: %s", l.acts, picture(g))
		}
	}
	if _, err := g.Expire(d); err == nil {
		l.Fatalf("%v: a deadline comes that doesn't run", l.acts)
	}
	for i := range g.Seats() {
		after := g.Clone()
		events, err := after.Press(g.Seat(i).Player, d)
		for _, e := range events {
			if err := after.Apply(e); err != nil {
				l.Fatal(err)
			}
		}
		s := after.Seat(i)
		here := s.Missed == 0 && (after.Expires() || s.Auto)
		if err == nil && s.Playing() && after.Phase() == rules.Running && !here {
			l.Fatalf("%v: seat %d pressed, and isn't waited for: %s", l.acts, i+1, picture(after))
		}
	}
}

// passed reports whether a seat was passed over by some goes. They end after a
// round, and may then end with the turn of a seat that waits for no press.
func passed(events []rules.Event) bool {
	return slices.ContainsFunc(events, func(e rules.Event) bool { return strings.Contains(rules.Write(e), "/skip") })
}

// pressable fails if a match that goes on has nobody whose press moves it, or
// one that rests somebody whose press doesn't.
func (l *live) pressable(d rules.Dice) {
	g := l.game
	if g.Phase() != rules.Running {
		return
	}
	able := 0
	for i := range g.Seats() {
		s := g.Seat(i)
		if s.Gone || s.Player == "" {
			continue
		}
		_, err := g.Press(s.Player, d)
		if err == nil {
			able++
		}
		if err != nil && (g.Resting() || g.Waiting() == 0) {
			l.Fatalf("%v: nobody is awaited, but seat %d: %v", l.acts, i+1, err)
		}
	}
	if able == 0 || g.Seat(g.Turn()).Waits() && !g.Resting() && able != 1 {
		l.Fatalf("%v: %d seats may press", l.acts, able)
	}
}

// TestAnyPresses: whatever people, presses, chains behind them and the clock
// do, a match stays sound and pressable, and its record folds to the same one.
func TestAnyPresses(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r := validRules().Draw(t, "rules")
		track, err := rules.Compile(anyBoard().Draw(t, "board"), r)
		if err != nil {
			t.Fatal(err)
		}
		dice := rules.SeedNumber(rapid.Uint64().Draw(t, "seed")).Dice(r.Sides)
		l := &live{T: t, game: rules.NewGame(track)}
		l.do(l.game.Open("a", rapid.Bool().Draw(t, "given")))
		for range rapid.IntRange(0, 60).Draw(t, "steps") {
			l.step(dice)
		}
		folded, err := rules.Fold(track, strings.Join(l.acts, " "))
		if err != nil {
			t.Fatal(err)
		}
		players := make([]rules.PlayerID, l.game.Seats())
		for i := range players {
			players[i] = l.game.Seat(i).Player
		}
		folded.Sit(players)
		if picture(folded) != picture(l.game) {
			t.Fatalf("folded:\n%s\nlive:\n%s", picture(folded), picture(l.game))
		}
	})
}
