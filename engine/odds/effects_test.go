package odds_test

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"hiss/boards"
	"hiss/engine/odds"
	"hiss/engine/rules"
)

// special puts effects on squares of a board.
func special(t testing.TB, b boards.Board, effects map[int]boards.Effect) boards.Board {
	t.Helper()
	for square := range b.Size {
		if e := effects[square]; e != boards.NoEffect {
			b.Specials = append(b.Specials, boards.Special{Square: square, Effect: e})
		}
	}
	if err := b.Check(); err != nil || len(b.Specials) != len(effects) {
		t.Fatalf("%v with effects %v: %v", b.Jumps, effects, err)
	}
	return b
}

// strewn puts effects of some kinds on one square in so many, where no jump starts.
func strewn(t testing.TB, b boards.Board, every int, kinds ...boards.Effect) boards.Board {
	t.Helper()
	effects := make(map[int]boards.Effect)
	for square := every; square < b.Size; square += every {
		if _, taken := b.Jump(square); !taken {
			effects[square] = kinds[len(effects)%len(kinds)]
		}
	}
	return special(t, b, effects)
}

// TestEffects holds figures that follow by hand, with dice of two sides and any big
// enough total home. Of the shield: the first go always ends on 1, by the snake or not, and
// with a shield. From there one half of the tokens goes to 3 and the other is held on 2: that
// is 1 + (1 + 1.5)/2 goes more.
func TestEffects(t *testing.T) {
	for _, c := range []struct {
		board    string
		effects  map[int]boards.Effect
		settings string
		want     float64
	}{
		{"size=3", nil, "", 2.25},
		{"size=3", map[int]boards.Effect{1: boards.Skip, 2: boards.Skip}, "", 2.25},
		{"size=3", map[int]boards.Effect{1: boards.Again}, "", 1 + 0.5*0.5 + 0.5},
		{"size=3", map[int]boards.Effect{1: boards.Again, 2: boards.Again}, "", 1},
		{"size=3", map[int]boards.Effect{2: boards.Back}, "", 6},
		{"size=4 2-1", nil, "", 4},
		{"size=4 2-1", map[int]boards.Effect{1: boards.Shield}, "", 1 + 2.25},
		{"size=4 2-1", map[int]boards.Effect{3: boards.Shield}, "", 4},
		// One go in four is void, and one ends on 2: m = 1 + m/4 + 1/4.
		{"size=3", map[int]boards.Effect{1: boards.Again}, "bonus=max void=2", 5.0 / 3},
	} {
		track := compile(t, special(t, line(t, c.board), c.effects), "sides=2 end=overshoot "+c.settings)
		h, err := odds.Examine(track, nil)
		if err != nil || !near(h.One.Mean.Value, c.want, 1e-14) || h.One.Mean.Basis != odds.Exact {
			t.Errorf("%s with %v: %+v goes (%v), want %g", c.board, c.effects, h.One.Mean, err, c.want)
		}
		if mean, err := odds.Expected(track, nil); err != nil || !near(mean/c.want, 1, 1e-9) {
			t.Errorf("%s with %v: %g goes (%v), want %g", c.board, c.effects, mean, err, c.want)
		}
	}
}

// TestNoRoomForMore: where goes go round on squares that give another roll, their room
// matters.
func TestNoRoomForMore(t *testing.T) {
	effects := make(map[int]boards.Effect)
	for square := 1; square < 31; square++ {
		effects[square] = boards.Again
	}
	for _, from := range []int{29, 28, 27, 26, 25, 24} { // one face in six leads over them
		delete(effects, from)
	}
	b := line(t, "size=31 29-1 28-1 27-1 26-1 25-1")
	track := compile(t, special(t, b, effects), "end=bounce")
	h, err := odds.Examine(track, nil)
	if err != nil || h.Two.Mean.Basis != odds.Exact {
		t.Fatal(err)
	}
	ends, err := chain(t, track).Go(on(0))
	if err != nil || len(ends) < 20 || ends[1].P < 1e-6 {
		t.Errorf("a go ends on %v (%v)", ends, err)
	}
	played, err := odds.Estimate(track, some, nil)
	if err != nil {
		t.Fatal(err)
	}
	sameFigures(t, "round and round", played, h)
}

// TestExpectedWithEffects holds that the sweeps come to the elimination's figures.
func TestExpectedWithEffects(t *testing.T) {
	b := strewn(t, randomBoard(t, 100, 7, 6, 3), 7, boards.Skip, boards.Shield, boards.Again, boards.Back)
	for _, settings := range ruleLines() {
		track := compile(t, b, settings)
		want, err := chain(t, track).Length(rules.Token{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := odds.Expected(track, rising(t))
		if err != nil || !near(got/want.Mean, 1, 1e-9) {
			t.Errorf("%s: %.12f (%v), want %.12f", settings, got, err, want.Mean)
		}
	}
}

// duel is the match of two tokens on a board where one die decides each go: what it
// comes to from every pair of them, with who is on turn first.
type duel struct{ first, goes map[[2]rules.Token]float64 }

// newDuel improves all pairs until they're right.
func newDuel(o *oracle, tokens []rules.Token) duel {
	d := duel{make(map[[2]rules.Token]float64), make(map[[2]rules.Token]float64)}
	for change := 1.0; change > 1e-9; {
		change = 0
		for _, a := range tokens {
			for _, b := range tokens {
				wins, goes := 0.0, 1.0
				for _, r := range o.rolls {
					to, _, rest := o.roll(start(a), r)
					p := 1 / float64(len(o.rolls))
					switch {
					case rest == o.board.Size:
						wins += p
					case rest != a.Square && o.board.Effect(rest) == boards.Skip:
						wins += p * d.first[[2]rules.Token{to.Token, b}]
						goes += p * d.goes[[2]rules.Token{to.Token, b}]
					default:
						wins += p * (1 - d.first[[2]rules.Token{b, to.Token}])
						goes += p * d.goes[[2]rules.Token{b, to.Token}]
					}
				}
				change = max(change, math.Abs(d.goes[[2]rules.Token{a, b}]-goes))
				d.first[[2]rules.Token{a, b}], d.goes[[2]rules.Token{a, b}] = wins, goes
			}
		}
	}
	return d
}

// TestSkips: where seats pass each other over, matches are estimated, from the start
// and from anywhere, and one player's figures are exact.
func TestSkips(t *testing.T) {
	b := special(t, shipped(t, "twenty"), map[int]boards.Effect{2: boards.Shield, 5: boards.Skip, 8: boards.Skip, 12: boards.Back, 15: boards.Skip, 16: boards.Skip})
	track := compile(t, b, "finish=all")
	o := newOracle(b, track.Rules())
	begun, _, _ := o.all()
	tokens := slices.SortedFunc(maps.Keys(begun), bySpot)
	d := newDuel(o, tokens)
	h, err := odds.Examine(track, rising(t))
	if err != nil || !h.Reach.Skips {
		t.Fatal(err)
	}
	for name, f := range figures(h) {
		if alone := strings.Contains(name, "one"); (f.Basis == odds.Exact) != alone || f.Basis == odds.Unknown {
			t.Errorf("the %s is %+v", name, f)
		}
	}
	if want := d.first[[2]rules.Token{}]; !near(h.Two.First.Value, want, 5*h.Two.First.Error) || h.Two.First.Error > 0.003 || near(want, 0.5, 0.01) {
		t.Errorf("first of two wins %+v, want %.6f", h.Two.First, want)
	}
	if want := d.goes[[2]rules.Token{}]; !near(h.Two.Mean.Value, want, 5*h.Two.Mean.Error) {
		t.Errorf("two throw %+v goes, want %.6f", h.Two.Mean, want)
	}
	played, err := odds.Estimate(track, some, rising(t))
	if err != nil || !near(played.One.Mean.Value, h.One.Mean.Value, 5*played.One.Mean.Error) ||
		!near(played.Four.First.Value, h.Four.First.Value, 5*math.Hypot(played.Four.First.Error, h.Four.First.Error)) {
		t.Errorf("played %+v (%v), want %+v", played, err, h)
	}
	for i := 0; i < len(tokens); i += 5 {
		a, b := tokens[i], tokens[(i+7)%len(tokens)]
		s, err := odds.EstimateFirst(track, []rules.Token{b, on(rules.Out), on(20), a}, 2)
		pair := [2]rules.Token{a, b}
		if err != nil || !near(s.Chances[3].Value, d.first[pair], 5*s.Chances[3].Error) || !near(s.Chances[0].Value, 1-d.first[pair], 5*s.Chances[0].Error) ||
			!near(s.Goes.Value, d.goes[pair], 5*s.Goes.Error) || s.Chances[0].Error > 0.005 {
			t.Errorf("%v on turn against %v: %+v (%v), want %.6f and %.6f goes", a, b, s, err, d.first[pair], d.goes[pair])
		}
		if s.Chances[1] != (odds.Figure{Basis: odds.Exact}) || s.Chances[2] != s.Chances[1] {
			t.Errorf("who takes no part wins %+v", s.Chances)
		}
	}
}

// TestEstimateFirst holds it against tables where nobody is passed over, and what
// it refuses.
func TestEstimateFirst(t *testing.T) {
	for _, c := range []struct {
		board    boards.Board
		settings string
	}{
		{shipped(t, "classic"), "bonus=max"}, {shipped(t, "pit"), "finish=last"},
		{strewn(t, shipped(t, "classic"), 4, boards.Again, boards.Shield, boards.Back), "dice=2 end=bounce bonus=doubles"},
	} {
		track := compile(t, c.board, c.settings)
		table, err := chain(t, track).Table()
		if err != nil {
			t.Fatal(err)
		}
		tokens, want := allOn(0, 41, 7, 100), make([]float64, 4)
		goes, err := table.First(want, tokens, 1)
		if err != nil {
			t.Fatal(err)
		}
		s, err := odds.EstimateFirst(track, tokens, 1)
		if err != nil || !near(s.Goes.Value, goes, 5*s.Goes.Error) {
			t.Errorf("%s %s: %+v goes (%v), want %g", c.board.Name, c.settings, s.Goes, err, goes)
		}
		for i, p := range want {
			if !near(s.Chances[i].Value, p, 5*s.Chances[i].Error) {
				t.Errorf("%s %s: seat %d wins %+v, want %g", c.board.Name, c.settings, i+1, s.Chances[i], p)
			}
		}
	}
	track := compile(t, walls(t, 110, 7), "")
	for _, c := range []struct {
		tokens []rules.Token
		turn   int
		want   error
	}{
		{nil, 0, odds.ErrSeats}, {make([]rules.Token, 17), 0, odds.ErrSeats}, {allOn(0), 1, odds.ErrSeats}, {allOn(0), -1, odds.ErrSeats},
		{allOn(111), 0, odds.ErrSquare}, {allOn(-2), 0, odds.ErrSquare}, {allOn(0, 1), 0, odds.ErrLong},
	} {
		if _, err := odds.EstimateFirst(track, c.tokens, c.turn); !errors.Is(err, c.want) {
			t.Errorf("%v, turn %d: %v, want %v", c.tokens, c.turn, err, c.want)
		}
	}
}

// TestTokens holds which tokens there can be.
func TestTokens(t *testing.T) {
	b := special(t, shipped(t, "tiny"), map[int]boards.Effect{3: boards.Shield})
	c := chain(t, compile(t, b, ""))
	for _, token := range []rules.Token{{Square: 3, Shield: true}, {Square: 8}} { // held on the snake's head
		if _, err := c.Length(token); err != nil {
			t.Errorf("%v: %v", token, err)
		}
	}
	for _, token := range []rules.Token{{Square: 0, Shield: true}, {Square: 3}, {Square: 8, Shield: true}, {Square: -1, Shield: true}} {
		if _, err := c.Length(token); !errors.Is(err, odds.ErrSquare) {
			t.Errorf("%v: %v", token, err)
		}
	}
	if _, err := chain(t, compile(t, shipped(t, "tiny"), "")).Length(rules.Token{Shield: true}); !errors.Is(err, odds.ErrSquare) {
		t.Errorf("a shield on a board that has none: %v", err)
	}
}
