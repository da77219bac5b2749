package rules_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hiss/boards"
	"hiss/engine/rules"
)

// picture is all that can be seen of a game.
func picture(g *rules.Game) string {
	outcome, ending := g.Outcome()
	s := fmt.Sprint(g.Phase(), g.Turn(), g.Round(), g.Goes(), g.Thrown(), g.Acts(), g.Loaded(), g.Host(), g.Joinable(),
		g.Resting(), g.Winner(), outcome, ending)
	for i := range g.Seats() {
		s += fmt.Sprintf(" %+v", g.Seat(i))
	}
	return s
}

// anyAct decides one act of a player, which may well be refused.
func anyAct(t *rapid.T, g *rules.Game, d rules.Dice) (rules.Event, error) {
	p := rules.PlayerID(rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "who"))
	switch rapid.IntRange(0, 21).Draw(t, "act") {
	case 0, 1, 2:
		return g.Join(p)
	case 3:
		return g.Leave(p)
	case 4:
		return g.Unseat(rapid.IntRange(-1, 4).Draw(t, "seat"))
	case 5, 6:
		return g.Autoroll(p, rapid.Bool().Draw(t, "on"))
	case 7:
		return g.JoinComputer()
	case 8, 9, 10:
		return g.Timeout(d)
	case 11:
		return g.Order(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "draw") })
	case 12:
		return g.Back(p)
	case 13:
		if rapid.IntRange(0, 9).Draw(t, "end") == 0 {
			return g.End(p, rules.Why(rapid.IntRange(0, 2).Draw(t, "why")))
		}
	}
	return g.Roll(p, d)
}

// readsBack returns an error unless an entry is read as the event that it was
// written for. Entries name no players.
func readsBack(g *rules.Game, entry string, e rules.Event) error {
	read, err := g.Read(entry)
	switch full := e.(type) {
	case rules.Opened:
		full.Host = ""
		e = full
	case rules.Joined:
		full.Player = ""
		e = full
	}
	if err == nil && !reflect.DeepEqual(read, e) {
		err = fmt.Errorf("%q reads back as %+v, not %+v", entry, read, e)
	}
	return err
}

// TestAnyActs: whatever sequence of acts is decided, a match stays sound, and
// its record folds to the same match.
func TestAnyActs(t *testing.T) {
	names := []string{"tiny", "twenty", "sprint"}
	rapid.Check(t, func(t *rapid.T) {
		b, _ := boards.Find(rapid.SampledFrom(names).Draw(t, "board"))
		r := validRules().Draw(t, "rules")
		track, err := rules.Compile(b, r)
		if err != nil {
			t.Fatal(err)
		}
		dice := rules.SeedNumber(rapid.Uint64().Draw(t, "seed")).Dice(r.Sides)
		g := rules.NewGame(track)
		var acts []string
		apply := func(e rules.Event) {
			entry := rules.Write(e)
			if err := readsBack(g, entry, e); err != nil {
				t.Fatal(err)
			}
			if err := g.Apply(e); err != nil {
				t.Fatalf("%q was decided but can't follow: %v", entry, err)
			}
			acts = append(acts, entry)
		}
		apply(g.Open("a", false))
		for range rapid.IntRange(0, 60).Draw(t, "acts") {
			before := picture(g)
			e, err := anyAct(t, g, dice)
			if picture(g) != before {
				t.Fatal("deciding changed the match")
			}
			if err != nil {
				if r := new(rules.Refusal); !errors.As(err, &r) {
					t.Fatalf("refused without a reason: %v", err)
				}
				continue
			}
			other := g.Clone()
			apply(e)
			if picture(other) != before {
				t.Fatal("a clone changed with its match")
			}
			sound(t, g, track)
		}
		folded, err := rules.Fold(track, strings.Join(acts, " "))
		if err != nil {
			t.Fatal(err)
		}
		players := make([]rules.PlayerID, g.Seats())
		for i := range players {
			players[i] = g.Seat(i).Player
		}
		folded.Sit(players)
		if picture(folded) != picture(g) {
			t.Fatalf("folded:\n%s\nlive:\n%s", picture(folded), picture(g))
		}
	})
}

// sound fails unless the invariants of a match hold.
func sound(t *rapid.T, g *rules.Game, track *rules.Track) {
	var places []int
	for i := range g.Seats() {
		s := g.Seat(i)
		if s.Square < 0 || s.Square > track.Size() || s.Home != (s.Square == track.Size()) {
			t.Fatalf("seat %d stands on %d", i, s.Square)
		}
		if s.Place > 0 {
			places = append(places, s.Place)
		}
	}
	slices.Sort(places)
	for i, p := range places {
		if p != i+1 {
			t.Fatalf("places %v", places)
		}
	}
	if g.Phase() == rules.Running && !g.Seat(g.Turn()).Playing() {
		t.Fatal("the seat on turn doesn't play")
	}
	if g.Phase() == rules.Finished && g.Apply(rules.Left{}) == nil {
		t.Fatal("the match goes on after its end")
	}
}

// TestCannotFollow refuses events out of place and changes nothing.
func TestCannotFollow(t *testing.T) {
	m := open(t, "tiny", "plain", nil, 2, 1, 2)
	m.script("a1 b2")
	before := picture(m.game)
	roll := func(r ...rules.Roll) rules.Went { return rules.Went{Rolls: r} }
	good := rules.Roll{Faces: []int{2}, From: 1, Landed: 3, To: 3}
	for _, e := range []rules.Event{
		rules.Opened{}, rules.Joined{Player: "c"}, rules.Left{Seat: 2}, rules.Left{Seat: -1}, rules.Unseated{Seat: 9},
		rules.Autoroll{Seat: 5}, rules.Ordered{Seats: []int{1, 0}}, rules.Ended{Seat: 7}, roll(), rules.Went{Seat: 1, Rolls: []rules.Roll{good}},
		roll(rules.Roll{Faces: []int{7}, From: 1, Landed: 8, To: 8}), roll(rules.Roll{Faces: []int{0}, From: 1, Landed: 1, To: 1}),
		roll(rules.Roll{Faces: []int{1, 1}, From: 1, Landed: 3, To: 3}), roll(rules.Roll{Faces: []int{2}, From: 2, Landed: 4, To: 4}),
		roll(rules.Roll{Faces: []int{2}, From: 1, Landed: 10, To: 10}), roll(rules.Roll{Faces: []int{2}, From: 1, Landed: 3, To: 0}),
		roll(rules.Roll{Faces: []int{2}, From: 1, Landed: 9, To: 9}, rules.Roll{Faces: []int{1}, From: 9, Landed: 9, To: 9}),
		roll(rules.Roll{Faces: []int{2}, From: 1, Landed: 0, To: 0, Void: true}),
	} {
		if err := m.game.Apply(e); !errors.Is(err, rules.ErrCannotFollow) || picture(m.game) != before {
			t.Errorf("%+v: %v", e, err)
		}
	}
	if err := m.game.Apply(roll(good)); err != nil {
		t.Error(err)
	}
}
