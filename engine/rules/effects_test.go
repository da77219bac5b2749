package rules_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hiss/boards"
	"hiss/engine/rules"
)

// special returns a line's board with effects: "12 skip 30 again".
func special(t testing.TB, line, effects string) boards.Board {
	t.Helper()
	b := lineBoard(t, line)
	words := strings.Fields(effects)
	for i := 0; i < len(words); i += 2 {
		var s boards.Special
		if _, err := fmt.Sscan(words[i], &s.Square); err != nil {
			t.Fatal(err)
		}
		for s.Effect.String() != words[i+1] {
			s.Effect++
		}
		b.Specials = append(b.Specials, s)
	}
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestEffects plays each effect, with what stands beside it in the rules.
func TestEffects(t *testing.T) {
	tests := []struct {
		name, board, effects, set string
		seats                     int
		faces                     []int
		want                      string
	}{
		{"skip", "size=30", "3 skip", "plain", 3, []int{3, 1, 2}, "a3/skip c1 a2"},
		{"skip before the last seat", "size=30", "3 skip", "plain", 3, []int{1, 3, 2, 4}, "a1 b3/skip a2/skip c4"},
		{"skip between two", "size=30", "3 skip 5 skip", "plain", 2, []int{3, 2, 1, 6}, "a3/skip a2/skip a1 b6"},
		{"skip alone", "size=30", "3 skip", "plain", 1, []int{3, 2}, "a3/skip a2"},
		{"two skips in a go are one", "size=30", "6 skip 8 skip", "family", 3, []int{6, 2, 1}, "a6/skip,2/skip c1"},
		{"skip behind a ladder", "size=30 3-9", "9 skip", "plain", 3, []int{3, 1}, "a3>9/skip c1"},
		{"skip counts when the go goes home", "size=8", "6 skip", "marathon bonus=max", 3, []int{6, 2, 1, 5}, "a6/skip,2 c1 b5"},
		{"no skip for one who stays", "size=8", "6 skip", "plain", 2, []int{5, 1, 1, 1, 3, 4}, "a5 b1 a1/skip a1 b3 a4="},
		{"shield", "size=30 9-2 10-1", "3 shield", "plain", 1, []int{3, 6, 1, 2}, "a3/shield a6/held a1>1 a2/shield"},
		{"shields don't add up", "size=30 9-2 10-1", "3 shield 5 shield", "plain", 1, []int{3, 2, 4, 1}, "a3/shield a2 a4/held a1>1"},
		{"no shield against ladders", "size=30 9-12 14-2", "3 shield", "plain", 1, []int{3, 6, 2}, "a3/shield a6>12 a2/held"},
		{"again", "size=30", "3 again", "plain", 2, []int{3, 4, 1}, "a3/again,4 b1"},
		{"again and again", "size=30", "3 again 5 again", "plain", 2, []int{3, 2, 4, 1}, "a3/again,2/again,4 b1"},
		{"never two", "size=30", "6 again", "family", 2, []int{6, 1, 2}, "a6/again,1 b2"},
		{"again breaks the row", "size=40", "12 again", "family", 2, []int{6, 6, 6, 6, 6}, "a6,6/again,6,6,6!"},
		{"again between sixes", "size=40", "8 again", "family", 2, []int{6, 2, 6, 6, 1, 3}, "a6,2/again,6,6,1 b3"},
		{"again that is home", "size=9 6-9", "3 again", "plain", 2, []int{3, 3}, "a3/again,3>9"},
		{"back", "size=30", "3 back", "plain", 2, []int{3, 4, 1}, "a3/back b4 a1"},
		{"back behind a snake", "size=30 5-3", "3 back", "plain", 1, []int{5, 2}, "a5>3/back a2"},
		{"back and a bonus", "size=30", "6 back", "family", 2, []int{6, 2, 1}, "a6/back,2 b1"},
		{"a void takes back", "size=40 13-2", "6 shield 12 skip", "family", 3, []int{6, 6, 6, 1, 1, 13, 1}, "a6/shield,6/skip,6! b1 c1"},
		{"a void takes back what held", "size=40 15-2 21-1", "3 shield", "family solo=yes", 1, []int{3, 6, 6, 6, 6, 6, 1}, "a3/shield a6,6/held,6! a6,6/held,1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			words := strings.Fields(test.set)
			r, _ := rules.Set(words[0])
			var given []rules.Given
			for _, w := range words[1:] {
				key, value, _ := strings.Cut(w, "=")
				given = append(given, rules.Given{Key: key, Value: value})
			}
			r, err := r.With(given)
			if err != nil {
				t.Fatal(err)
			}
			m := openOn(t, special(t, test.board, test.effects), r, test.seats, test.faces...)
			m.script(test.want)
			folded, err := rules.Fold(m.game.Track(), strings.Join(m.acts, " "))
			if err != nil {
				t.Fatal(err)
			}
			folded.Sit([]rules.PlayerID{"a", "b", "c"}[:test.seats])
			if picture(folded) != picture(m.game) {
				t.Errorf("folded %s, live %s", picture(folded), picture(m.game))
			}
		})
	}
}

// TestSquaresAfterEffects: where the tokens stand, and who has a shield.
func TestSquaresAfterEffects(t *testing.T) {
	m := openOn(t, special(t, "size=30 9-2", "3 shield 5 back"), with(t), 2, 3, 5, 6)
	m.script("a3/shield b5/back")
	if a, b := m.game.Seat(0), m.game.Seat(1); a.Square != 3 || !a.Shield || b.Square != 0 || b.Shield {
		t.Errorf("%+v, %+v", a, b)
	}
	m.script("a6/held")
	if a := m.game.Seat(0); a.Square != 9 || a.Shield {
		t.Errorf("%+v", a)
	}
}

// TestAGoHasRoomForAHundredRolls: on a board of nothing but squares that give
// another roll, a go ends, and the record of it can be read.
func TestAGoHasRoomForAHundredRolls(t *testing.T) {
	b := lineBoard(t, "size=1000")
	for square := 1; square < b.Size; square++ {
		b.Specials = append(b.Specials, boards.Special{Square: square, Effect: boards.Again})
	}
	m := openOn(t, b, with(t), 2, slices.Repeat([]int{1}, rules.MaxRolls+1)...)
	m.script("a" + strings.TrimSuffix(strings.Repeat("1/again,", rules.MaxRolls), ","))
	if m.game.Turn() != 1 || m.game.Seat(0).Square != rules.MaxRolls {
		t.Errorf("%+v, seat %d is next", m.game.Seat(0), m.game.Turn()+1)
	}
}

// TestEffectsThatCannotBe refuses facts that contradict each other.
func TestEffectsThatCannotBe(t *testing.T) {
	for _, entry := range []string{"b4/held", "b4=/skip", "b4!/skip", "b4/bite", "b4/", "b4/none", "b4/skip/skip", "b4>14/held", "b4^30/skip", "b4/held/again"} {
		m := openOn(t, special(t, "size=30 9-2", "3 shield"), with(t), 2, 1)
		m.script("a1")
		e, err := m.game.Read(entry)
		if err == nil {
			err = m.game.Apply(e)
		}
		if err == nil {
			t.Errorf("%q can follow", entry)
		}
	}
	m := openOn(t, special(t, "size=30 9-2", "3 shield"), with(t, "solo=yes"), 1, 3)
	m.script("a3/shield")
	if e, err := m.game.Read("a4/shield"); err == nil && m.game.Apply(e) == nil {
		t.Error("a second shield")
	}
}

// tokenState is all that the future of a token depends on: where its go began,
// and how far it has come.
type tokenState struct {
	start, square    int
	shielded, shield bool // when the go began, and now
	row              int
	between          bool // no go is on: start and shielded mean nothing
}

// brute searches every state of a token on a small board one by one, with none
// of what Endless knows about the graph.
type brute struct {
	board boards.Board
	rules rules.Rules
}

// after returns the states that can follow, and whether home can.
func (s brute) after(at tokenState) (next []tokenState, home bool) {
	if at.between {
		at.start, at.shielded, at.between, at.row = at.square, at.shield, false, 0
	}
	for _, th := range throws(s.rules, nil) {
		to, gone := s.roll(at, th)
		home = home || gone
		if !gone {
			next = append(next, to...)
		}
	}
	return next, home
}

func (s brute) roll(at tokenState, th throw) (to []tokenState, home bool) {
	row := at.row
	if th.bonus {
		if row++; s.rules.Void > 0 && row >= s.rules.Void {
			return []tokenState{{square: at.start, shield: at.shielded, between: true}}, false
		}
		if s.rules.Void == 0 {
			row = 0
		}
	}
	landed := stepTo(boards.Board{Size: s.board.Size}, s.rules.End, at.square, th.total)
	now := at
	now.row = row
	again := th.bonus
	if landed != at.square {
		now.square = landed
		if end, jumps := s.board.Jump(landed); jumps && !(end < landed && at.shield) {
			now.square = end
		} else if jumps {
			now.shield = false
		}
		switch s.board.Effect(now.square) {
		case boards.Shield:
			now.shield = true
		case boards.Back:
			now.square = 0
		case boards.Again:
			again, now.row = true, 0
		}
	}
	if now.square == s.board.Size {
		return nil, true
	}
	ended := tokenState{square: now.square, shield: now.shield, between: true}
	switch {
	case !again:
		return []tokenState{ended}, false
	case now.row == 0 && !th.bonus || s.board.Effect(now.square) == boards.Again:
		return []tokenState{now, ended}, false // the go may have no room for more
	}
	return []tokenState{now}, false
}

// trapped reports whether some state can be reached from which home can't.
func (s brute) trapped() bool {
	first := tokenState{between: true}
	seen, order := map[tokenState]bool{first: true}, []tokenState{first}
	before := map[tokenState][]tokenState{}
	var good []tokenState
	for i := 0; i < len(order); i++ {
		next, home := s.after(order[i])
		if home {
			good = append(good, order[i])
		}
		for _, n := range next {
			before[n] = append(before[n], order[i])
			if !seen[n] {
				seen[n] = true
				order = append(order, n)
			}
		}
	}
	homeward := map[tokenState]bool{}
	for len(good) > 0 {
		at := good[len(good)-1]
		good = good[:len(good)-1]
		if !homeward[at] {
			homeward[at] = true
			good = append(good, before[at]...)
		}
	}
	return len(homeward) < len(order)
}

// TestEndlessWithEffects compares the proof with a search of everything, on
// boards that are crowded with snakes and effects.
func TestEndlessWithEffects(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	endless, ends := 0, 0
	for range 3000 {
		b := crowdedBoard(random)
		b.Jumps = slices.DeleteFunc(b.Jumps, func(boards.Jump) bool { return random.IntN(3) == 0 })
		for square := 1; square < b.Size; square++ {
			if _, jumps := b.Jump(square); !jumps && random.IntN(2) == 0 {
				b.Specials = append(b.Specials, boards.Special{Square: square, Effect: boards.Effect(1 + random.IntN(4))})
			}
		}
		if err := b.Check(); err != nil {
			t.Fatal(err)
		}
		r := rules.Default()
		r.Sides = 2 + random.IntN(3)
		r.Dice = 1 + random.IntN(2)
		r.End = rules.End(random.IntN(3))
		r.Bonus = rules.Bonus(random.IntN(1 + r.Dice))
		r.Void = random.IntN(4)
		e := compile(t, b, r).Endless()
		if trapped := (brute{b, r}).trapped(); (e != nil) != trapped {
			t.Fatalf("%+v under %s: Endless says %v, the search %v", b, r.Notation(), e, trapped)
		}
		if e != nil {
			endless++
		} else {
			ends++
		}
	}
	if endless < 300 || ends < 300 {
		t.Errorf("%d endless, %d end", endless, ends)
	}
}
