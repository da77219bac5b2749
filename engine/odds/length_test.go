package odds_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"hiss/boards"
	"hiss/engine/odds"
	"hiss/engine/rules"
)

func shipped(t testing.TB, name string) boards.Board {
	t.Helper()
	b, ok := boards.Find(name)
	if !ok {
		t.Fatalf("no board %s", name)
	}
	return b
}

// line reads a board from a line of chat.
func line(t testing.TB, text string) boards.Board {
	t.Helper()
	b, err := boards.ParseLine(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// compile joins a board and settings such as "end=bounce dice=2".
func compile(t testing.TB, b boards.Board, settings string) *rules.Track {
	t.Helper()
	var given []rules.Given
	for s := range strings.FieldsSeq(settings) {
		key, value, _ := strings.Cut(s, "=")
		given = append(given, rules.Given{Key: key, Value: value})
	}
	r, err := rules.Default().With(given)
	if err != nil {
		t.Fatal(err)
	}
	track, err := rules.Compile(b, r)
	if err != nil {
		t.Fatal(err)
	}
	return track
}

func chain(t testing.TB, track *rules.Track) *odds.Chain {
	t.Helper()
	c, err := odds.New(track)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// on returns a token without a shield.
func on(square int) rules.Token { return rules.Token{Square: square} }

// allOn returns tokens without shields.
func allOn(squares ...int) []rules.Token {
	tokens := make([]rules.Token, len(squares))
	for i, square := range squares {
		tokens[i].Square = square
	}
	return tokens
}

func near(got, want, within float64) bool { return math.Abs(got-want) <= within }

// TestLengths holds the figures of vectors.md, each to as many decimals as it
// has there, and to 9 at most.
func TestLengths(t *testing.T) {
	m48, m47, tiny := shipped(t, "classic"), shipped(t, "classic47"), shipped(t, "tiny")
	for _, c := range []struct {
		board           boards.Board
		settings        string
		from            int
		mean, deviation float64
		decimals        [2]int
	}{
		{m48, "end=exact", 0, 39.598365640208197, 25.602516165673, [2]int{9, 9}},
		{m48, "end=overshoot", 0, 36.193070218974931, 23.732952538245, [2]int{9, 9}},
		{m48, "end=bounce", 0, 43.739643319677910, 30.659976800784, [2]int{9, 9}},
		{m48, "bonus=max", 0, 33.765299331250034, 22.079154416922, [2]int{9, 9}},
		{m48, "end=overshoot bonus=max", 0, 31.033869681, 0, [2]int{9, -9}},
		{m48, "end=bounce bonus=max", 0, 37.185284258736188, 26.184535010319, [2]int{9, 9}},
		{m48, "dice=2 end=overshoot", 0, 16.920745624706200, 7.986782423326, [2]int{9, 9}},
		{m48, "dice=2 end=bounce", 0, 30.501290241, 0, [2]int{9, -9}},
		{m48, "dice=2 end=overshoot bonus=max", 0, 16.503875420, 0, [2]int{9, -9}},
		{m48, "dice=2 end=bounce bonus=max", 0, 29.674475243587304, 20.678008207005, [2]int{9, 9}},
		{m48, "dice=2 end=bounce bonus=doubles", 0, 25.849051832145, 17.968413021, [2]int{9, 9}},
		{m47, "end=exact", 0, 39.225122308234960, 25.224957112845, [2]int{9, 9}},
		{m47, "end=overshoot", 0, 35.834938414, 0, [2]int{9, -9}},
		{m47, "end=bounce", 0, 43.324597442, 0, [2]int{9, -9}},
		{m47, "bonus=max", 0, 33.443997478, 0, [2]int{9, -9}},
		{m47, "end=overshoot bonus=max", 0, 30.726399091, 0, [2]int{9, -9}},
		{m47, "end=bounce bonus=max", 0, 36.827308962, 0, [2]int{9, -9}},
		{m47, "bonus=max void=0", 0, 32.799361786, 21.2997, [2]int{9, 4}},
		{tiny, "end=exact", 0, 8.6, 6.922427319951, [2]int{9, 9}},
		{tiny, "end=overshoot", 0, 3.372047628, 0, [2]int{9, -9}},
		{tiny, "end=bounce", 0, 9.677419354838710, 8.151275252463, [2]int{9, 9}},
		{tiny, "bonus=max", 0, 7.276978681122417, 5.779292962198, [2]int{9, 9}},
		{tiny, "end=overshoot bonus=max", 0, 3.086113520, 0, [2]int{9, -9}},
		{tiny, "end=bounce bonus=max", 0, 8.208028881, 0, [2]int{9, -9}},
		{line(t, "size=2"), "end=overshoot", 0, 7.0 / 6, math.Sqrt(5) / 6, [2]int{9, 9}},
		{line(t, "size=100"), "end=exact", 0, 33.3333333333, 6.0422, [2]int{9, 4}},
		{line(t, "size=100"), "end=bounce", 0, 33.3333333333, 6.0422, [2]int{9, 4}},
		{line(t, "size=10 4-7 9-2"), "end=exact", 0, 53.0 / 6, 6.9334, [2]int{9, 4}},
		{line(t, "size=100"), "end=exact", 99, 6, math.Sqrt(30), [2]int{9, 9}},
		{m48, "end=exact", 99, 6, math.Sqrt(30), [2]int{9, 9}},
	} {
		got, err := chain(t, compile(t, c.board, c.settings)).Length(on(c.from))
		if err != nil {
			t.Fatal(err)
		}
		for i, pair := range [][2]float64{{got.Mean, c.mean}, {got.Deviation, c.deviation}} {
			if !near(pair[0], pair[1], 0.5001*math.Pow10(-c.decimals[i])) {
				t.Errorf("%s %s from %d: %.12f, want %.12f", c.board.Name, c.settings, c.from, pair[0], pair[1])
			}
		}
	}
}

// TestRefused holds what is an error instead of a number.
func TestRefused(t *testing.T) {
	m48 := shipped(t, "classic")
	var endless *rules.Endless
	if _, err := odds.New(compile(t, m48, "dice=2")); !errors.As(err, &endless) || endless.Square != 99 {
		t.Errorf("two dice with exact landing: %v", err)
	}
	if _, err := odds.New(compile(t, line(t, "size=1001"), "")); !errors.Is(err, odds.ErrLarge) {
		t.Errorf("1,001 squares: %v", err)
	}
	c := chain(t, compile(t, m48, ""))
	for _, square := range []int{-1, 4, 98, 100, 101} {
		if _, err := c.Length(on(square)); !errors.Is(err, odds.ErrSquare) {
			t.Errorf("from %d: %v", square, err)
		}
		if _, err := c.Go(on(square)); !errors.Is(err, odds.ErrSquare) {
			t.Errorf("a go from %d: %v", square, err)
		}
	}
}
