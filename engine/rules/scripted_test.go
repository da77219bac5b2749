package rules_test

import (
	"errors"
	"reflect"
	"testing"

	"hiss/boards"
	"hiss/engine/rules"
)

// oneDie is a roll of one die that moved: from, face, landed, to.
func oneDie(from, face, landed, to int) rules.Roll {
	return rules.Roll{Faces: []int{face}, From: from, Landed: landed, To: to}
}

func voided(from, face, start int) rules.Roll {
	return rules.Roll{Faces: []int{face}, From: from, Landed: start, To: start, Void: true}
}

// facts lets whoever is on turn press, go by go, and compares all that the
// events state. The players are called as the vectors call them.
func facts(t *testing.T, b boards.Board, r rules.Rules, players []rules.PlayerID, goes [][]rules.Roll) *rules.Game {
	t.Helper()
	g := rules.NewGame(compile(t, b, r))
	dice := rules.Loaded{Then: rules.SeedNumber(0).Dice(r.Sides)}
	for _, rolls := range goes {
		for _, roll := range rolls {
			dice.Faces = append(dice.Faces, roll.Faces...)
		}
	}
	for i, p := range players {
		var e rules.Event = g.Open(p, false)
		if i > 0 {
			joined, err := g.Join(p)
			if err != nil {
				t.Fatal(err)
			}
			e = joined
		}
		if err := g.Apply(e); err != nil {
			t.Fatal(err)
		}
	}
	for n, rolls := range goes {
		seat := g.Turn()
		square := g.Seat(seat).Square
		events, err := g.Press(players[seat], dice)
		want := []rules.Event{rules.Went{Seat: n % len(players), How: rules.Pressed, Loaded: true, Rolls: rolls}}
		if err != nil || !reflect.DeepEqual(events, want) {
			t.Fatalf("go %d: %+v (%v), not %+v", n+1, events, err, want)
		}
		if g.Seat(seat).Square != square || g.Goes() != n {
			t.Fatalf("go %d: a decision moved a token", n+1)
		}
		if err := g.Apply(events[0]); err != nil {
			t.Fatal(err)
		}
		if last := rolls[len(rolls)-1]; g.Seat(seat).Square != last.To || g.Thrown() > len(dice.Faces) {
			t.Fatalf("go %d leaves the token on %d", n+1, g.Seat(seat).Square)
		}
	}
	return g
}

func wantWinner(t *testing.T, g *rules.Game, winner, goes int) {
	t.Helper()
	outcome, _ := g.Outcome()
	if g.Phase() != rules.Finished || outcome != rules.Decided || g.Winner() != winner || g.Goes() != goes || !g.Seat(winner).Home {
		t.Errorf("phase %d, outcome %d, seat %d after %d goes", g.Phase(), outcome, g.Winner(), g.Goes())
	}
}

func TestScriptOfAnnAndBen(t *testing.T) {
	g := facts(t, shipped(t, "twenty"), with(t), []rules.PlayerID{"Ann", "Ben"}, [][]rules.Roll{
		{oneDie(0, 3, 3, 11)}, {oneDie(0, 5, 5, 5)}, {oneDie(11, 6, 17, 4)}, {oneDie(5, 6, 11, 11)}, {oneDie(4, 6, 10, 10)}, {oneDie(11, 6, 17, 4)},
		{oneDie(10, 6, 16, 16)}, {oneDie(4, 2, 6, 6)}, {oneDie(16, 6, 16, 16)}, {oneDie(6, 5, 11, 11)}, {oneDie(16, 4, 20, 20)},
	})
	wantWinner(t, g, 0, 11)
}

func TestScriptOfAshaAndBilal(t *testing.T) {
	g := facts(t, shipped(t, "classic47"), with(t, "bonus=max", "void=3"), []rules.PlayerID{"Asha", "Bilal"}, [][]rules.Roll{
		{oneDie(0, 4, 4, 14)}, {oneDie(0, 6, 6, 6), oneDie(6, 6, 12, 12), voided(12, 6, 0)},
		{oneDie(14, 2, 16, 6)}, {oneDie(0, 1, 1, 38)},
		{oneDie(6, 3, 9, 31)}, {oneDie(38, 6, 44, 44), oneDie(44, 5, 49, 11)},
		{oneDie(31, 5, 36, 44)}, {oneDie(11, 2, 13, 13)},
		{oneDie(44, 6, 50, 50), oneDie(50, 1, 51, 67)}, {oneDie(13, 4, 17, 17)},
		{oneDie(67, 4, 71, 91)}, {oneDie(17, 3, 20, 20)},
		{oneDie(91, 5, 96, 96)}, {oneDie(20, 1, 21, 42)},
		{oneDie(96, 6, 96, 96), oneDie(96, 4, 100, 100)},
	})
	wantWinner(t, g, 0, 15)
	if g.Thrown() != 20 || !g.Loaded() {
		t.Errorf("%d dice, loaded %v", g.Thrown(), g.Loaded())
	}
	for _, p := range []rules.PlayerID{"Asha", "Bilal"} {
		if _, err := g.Press(p, rules.SeedNumber(0).Dice(6)); reason(err) != "over" {
			t.Errorf("%s throws after the end: %v", p, err)
		}
	}
}

// TestPressesOutOfTurn: Bilal can't press first, and two presses of Asha's
// that were decided on the same state move once.
func TestPressesOutOfTurn(t *testing.T) {
	m := open(t, "classic47", "family", nil, 2, 4, 4)
	var r *rules.Refusal
	if _, err := m.game.Press("b", m.dice); !errors.As(err, &r) || r.Reason != rules.WaitHost || r.Seat != 0 {
		t.Errorf("before the start: %v", err)
	}
	first, err := m.game.Press("a", m.dice)
	again, err2 := m.game.Press("a", m.dice)
	if err != nil || err2 != nil || !reflect.DeepEqual(first, again) {
		t.Fatalf("decided twice: %v and %v (%v, %v)", first, again, err, err2)
	}
	m.do(first[0], nil)
	was := picture(m.game)
	if err := m.game.Apply(again[0]); !errors.Is(err, rules.ErrCannotFollow) || picture(m.game) != was {
		t.Errorf("the second press: %v", err)
	}
	if _, err := m.game.Press("a", m.dice); !errors.As(err, &r) || r.Reason != rules.NotYourGo || r.Seat != 1 {
		t.Errorf("on Bilal's turn: %v", err)
	}
	if _, err := m.game.Press("z", m.dice); !errors.As(err, &r) || r.Reason != rules.NotSeated {
		t.Errorf("a stranger: %v", err)
	}
}

func TestScriptsOfVoids(t *testing.T) {
	both := []rules.PlayerID{"Asha", "Bilal"}
	family := with(t, "bonus=max", "void=3")
	for _, line := range []string{"size=18", "size=20 18-20"} { // would win, by itself or by the ladder
		g := facts(t, lineBoard(t, line), family, both, [][]rules.Roll{{oneDie(0, 6, 6, 6), oneDie(6, 6, 12, 12), voided(12, 6, 0)}})
		if g.Phase() != rules.Running || g.Turn() != 1 || g.Seat(0).Square != 0 || g.Winner() != -1 {
			t.Errorf("%s: %s", line, picture(g))
		}
	}
	g := facts(t, lineBoard(t, "size=12"), family, both, [][]rules.Roll{{oneDie(0, 6, 6, 6), oneDie(6, 6, 12, 12)}})
	wantWinner(t, g, 0, 1)
	// In a row means in one go.
	facts(t, shipped(t, "classic"), family, both, [][]rules.Roll{
		{oneDie(0, 6, 6, 6), oneDie(6, 6, 12, 12), oneDie(12, 1, 13, 13)}, {oneDie(0, 1, 1, 38)},
		{oneDie(13, 6, 19, 19), oneDie(19, 6, 25, 25), oneDie(25, 1, 26, 26)},
	})
	facts(t, shipped(t, "classic"), with(t, "bonus=max", "void=1"), both, [][]rules.Roll{
		{voided(0, 6, 0)}, {oneDie(0, 5, 5, 5)}, {oneDie(0, 2, 2, 2)}, {voided(5, 6, 5)},
	})
	facts(t, shipped(t, "classic"), with(t, "bonus=max", "void=0"), both, [][]rules.Roll{
		{oneDie(0, 6, 6, 6), oneDie(6, 6, 12, 12), oneDie(12, 6, 18, 18), oneDie(18, 6, 24, 24), oneDie(24, 1, 25, 25)},
	})
}

// TestScriptOfDoubles: two dice count as one roll, and a bonus needs a pair.
func TestScriptOfDoubles(t *testing.T) {
	two := func(from, a, b, landed, to int) rules.Roll {
		return rules.Roll{Faces: []int{a, b}, From: from, Landed: landed, To: to}
	}
	r := with(t, "dice=2", "end=bounce", "bonus=doubles")
	g := facts(t, lineBoard(t, "size=20 4-14 19-2"), r, []rules.PlayerID{"Asha", "Bilal"}, [][]rules.Roll{
		{two(0, 2, 2, 4, 14), two(14, 3, 4, 19, 2)}, // 21 counted back onto the snake
		{two(0, 1, 1, 2, 2), two(2, 5, 5, 12, 12), {Faces: []int{6, 6}, From: 12, Void: true}},
		{two(2, 6, 6, 14, 14), two(14, 3, 3, 20, 20)}, // home on a pair: no third roll
	})
	wantWinner(t, g, 0, 3)
	if g.Thrown() != 14 {
		t.Errorf("%d dice", g.Thrown())
	}
}

func TestScriptOfStaying(t *testing.T) {
	g := facts(t, lineBoard(t, "size=42 chains=once 10-40 40-15"), with(t, "solo=yes"), []rules.PlayerID{"Asha"}, [][]rules.Roll{
		{oneDie(0, 6, 6, 6)}, {oneDie(6, 2, 8, 8)}, {oneDie(8, 2, 10, 40)}, {oneDie(40, 5, 40, 40)}, {oneDie(40, 2, 42, 42)},
	})
	wantWinner(t, g, 0, 5)
}
