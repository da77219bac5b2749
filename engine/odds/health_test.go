package odds_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"hiss/boards"
	"hiss/engine/odds"
	"hiss/engine/rules"
)

// some is work enough for estimates within a percent or so on small boards.
const some = 10_000_000

// figures returns all figures of a card by their names.
func figures(h odds.Health) map[string]odds.Figure {
	return map[string]odds.Figure{
		"mean of one": h.One.Mean, "deviation of one": h.Deviation, "median of one": h.One.Median, "most of one": h.One.Most,
		"mean of two": h.Two.Mean, "median of two": h.Two.Median, "most of two": h.Two.Most, "first of two": h.Two.First,
		"mean of four": h.Four.Mean, "median of four": h.Four.Median, "most of four": h.Four.Most, "first of four": h.Four.First,
	}
}

// rising returns a progress that fails the test when it goes back.
func rising(t testing.TB) func(float64) bool {
	done := 0.0
	return func(d float64) bool {
		if d < done || d > 1 {
			t.Errorf("progress went from %g to %g", done, d)
		}
		done = d
		return true
	}
}

// TestHealth holds the figures of vectors.md, and that all of the card is exact.
func TestHealth(t *testing.T) {
	m48, m47, tiny := shipped(t, "classic"), shipped(t, "classic47"), shipped(t, "tiny")
	for _, c := range []struct {
		board    boards.Board
		settings string
		name     string
		want     float64
		decimals float64
	}{
		{m48, "", "mean of one", 39.598365640208197, 9}, {m48, "", "deviation of one", 25.602516165673, 9},
		{m48, "", "median of one", 33, 9}, {m48, "", "most of one", 90, 9},
		{m48, "", "first of two", 0.507802773461, 12}, {m48, "", "first of four", 0.259948070650, 12},
		{m48, "end=overshoot", "mean of one", 36.193070218974931, 9}, {m48, "end=bounce", "mean of one", 43.739643319677910, 9},
		{m48, "bonus=max", "mean of one", 33.765299331250034, 9}, {m48, "bonus=max", "deviation of one", 22.079154416922, 9},
		{m48, "bonus=max finish=all seats=1", "first of two", 0.509034091729, 12}, {m48, "bonus=max", "mean of two", 44.450828064, 9},
		{m48, "dice=2 end=overshoot", "mean of one", 16.920745624706200, 9},
		{m48, "dice=2 end=bounce bonus=doubles", "mean of one", 25.849051832145, 9},
		{m47, "", "mean of one", 39.225122308234960, 9}, {m47, "bonus=max void=0", "mean of one", 32.799361786, 9},
		{tiny, "", "mean of one", 8.6, 9}, {tiny, "", "deviation of one", 6.922427319951, 9},
		{tiny, "end=bounce", "mean of one", 9.677419354838710, 9}, {tiny, "bonus=max", "mean of one", 7.276978681122417, 9},
		{line(t, "size=100"), "end=overshoot", "first of two", 0.55390, 5},
	} {
		h, err := odds.Examine(compile(t, c.board, c.settings), rising(t))
		if err != nil {
			t.Fatal(err)
		}
		for name, f := range figures(h) {
			if f.Basis != odds.Exact || f.Error != 0 {
				t.Errorf("%s %s: the %s is %+v", c.board.Name, c.settings, name, f)
			}
		}
		if got := figures(h)[c.name].Value; !near(got, c.want, 0.5001*math.Pow(10, -c.decimals)) {
			t.Errorf("%s %s: the %s is %.12f, want %.12f", c.board.Name, c.settings, c.name, got, c.want)
		}
	}
}

// TestHealthAtALook holds what is seen of a board without a throw.
func TestHealthAtALook(t *testing.T) {
	h, err := odds.Examine(compile(t, shipped(t, "classic"), ""), nil)
	if err != nil || h.Ladders != (odds.Jumps{Count: 9, Longest: boards.Jump{From: 28, To: 84}}) ||
		h.Snakes != (odds.Jumps{Count: 10, Longest: boards.Jump{From: 87, To: 24}}) || h.Reach.Throws != 7 || h.Reach.Share != 0.81 {
		t.Errorf("classic: %+v (%v)", h, err)
	}
	h, err = odds.Examine(compile(t, line(t, "size=20 2-5 7-10"), ""), nil)
	if err != nil || h.Ladders != (odds.Jumps{Count: 2, Longest: boards.Jump{From: 2, To: 5}}) || h.Snakes != (odds.Jumps{}) {
		t.Errorf("two ladders: %+v (%v)", h, err)
	}
}

// TestHealthOfEndless: a board on which a match might never end has a card too.
func TestHealthOfEndless(t *testing.T) {
	track := compile(t, line(t, "size=20 4-9 18-14 17-13 16-12"), "dice=2")
	for name, examine := range map[string]func(*rules.Track, func(float64) bool) (odds.Health, error){
		"Examine":  odds.Examine,
		"Estimate": func(t *rules.Track, p func(float64) bool) (odds.Health, error) { return odds.Estimate(t, some, p) },
	} {
		h, err := examine(track, nil)
		if e := new(rules.Endless); !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
		if h.Ladders.Count != 1 || h.Snakes.Count != 3 || h.Reach.Throws < 2 {
			t.Errorf("%s: %+v", name, h)
		}
		for what, f := range figures(h) {
			if f != (odds.Figure{}) {
				t.Errorf("%s: the %s is %+v", name, what, f)
			}
		}
	}
}

// sameFigures fails unless estimated figures are within five errors of those that
// are exact.
func sameFigures(t *testing.T, what string, got, want odds.Health) {
	t.Helper()
	exact := figures(want)
	for name, f := range figures(got) {
		if f.Basis != odds.Estimated || exact[name].Basis != odds.Exact {
			t.Errorf("%s: the %s is %+v and %+v", what, name, f, exact[name])
		}
		if !near(f.Value, exact[name].Value, 5*f.Error+1e-9) {
			t.Errorf("%s: the %s is %g ± %g, want %g", what, name, f.Value, f.Error, exact[name].Value)
		}
	}
}

// TestEstimate holds what is played against what is worked out, and that errors
// aren't so large that anything would pass.
func TestEstimate(t *testing.T) {
	large := randomBoard(t, 1000, 150, 30, 3)
	for _, c := range []struct {
		board    boards.Board
		settings string
	}{
		{shipped(t, "classic"), ""}, {shipped(t, "classic"), "bonus=max"}, {shipped(t, "tiny"), "end=overshoot"},
		{shipped(t, "pit"), "dice=2 end=bounce bonus=doubles finish=all"}, {shipped(t, "sprint"), "bonus=max void=0 seats=1"},
		{strewn(t, shipped(t, "classic"), 3, boards.Shield, boards.Again, boards.Back), "bonus=max"},
		{strewn(t, shipped(t, "pit"), 5, boards.Again, boards.Shield), "bonus=max void=0 end=bounce"},
		{large, "bonus=max"}, {line(t, "size=2"), "sides=2 end=overshoot"},
	} {
		track := compile(t, c.board, c.settings)
		want, err := odds.Examine(track, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := odds.Estimate(track, some, rising(t))
		if err != nil {
			t.Fatal(err)
		}
		sameFigures(t, c.board.Name+" "+c.settings, got, want)
		if mean := got.Four.Mean; mean.Error > 0.03*mean.Value || got.Four.First.Error > 0.005 {
			t.Errorf("%s %s: %+v", c.board.Name, c.settings, got.Four)
		}
	}
}

// TestHealthOfLargeBoards: above MaxSquares squares one player's goes are exact and
// all else is estimated, the same every time.
func TestHealthOfLargeBoards(t *testing.T) {
	track := compile(t, randomBoard(t, 1_200, 60, 30, 3), "dice=10 sides=100 end=overshoot")
	h, err := odds.Examine(track, rising(t))
	if err != nil {
		t.Fatal(err)
	}
	mean, err := odds.Expected(track, nil)
	if err != nil || h.One.Mean != (odds.Figure{Value: mean, Basis: odds.Exact}) {
		t.Errorf("%+v goes, want %g (%v)", h.One.Mean, mean, err)
	}
	for name, f := range figures(h) {
		if f.Basis != odds.Estimated && name != "mean of one" {
			t.Errorf("the %s is %+v", name, f)
		}
	}
	again, err := odds.Estimate(track, odds.Work, nil)
	if !near(again.One.Mean.Value, mean, 5*again.One.Mean.Error) || err != nil {
		t.Errorf("%+v goes, want %g (%v)", again.One.Mean, mean, err)
	}
	again.One.Mean = h.One.Mean
	if fmt.Sprint(h) != fmt.Sprint(again) {
		t.Errorf("two cards of one board:\n%+v\n%+v", h, again)
	}
}

// walls returns a board with so many walls of five snakes, which one face of
// six leads over and only from one square.
func walls(t testing.TB, size, n int) boards.Board {
	var text strings.Builder
	fmt.Fprintf(&text, "size=%d", size)
	for head := 10; head < 10+10*n; head += 10 {
		for i := range 5 {
			fmt.Fprintf(&text, " %d-1", head+i)
		}
	}
	return line(t, text.String())
}

// TestHealthThatNobodyLivesToSee: a board on which a token is sent back from everywhere
// is told as such at once, instead of its times being looked for without an end.
func TestHealthThatNobodyLivesToSee(t *testing.T) {
	b := boards.Board{Name: "slow", Size: 1000, Columns: 10, Chains: boards.Once}
	for from := 600; from < 900; from += 2 {
		b.Jumps = append(b.Jumps, boards.Jump{From: from, To: from - 300})
	}
	h, err := odds.Examine(compile(t, b, ""), nil)
	if !errors.Is(err, odds.ErrLong) || h.One.Mean.Basis != odds.Exact || h.One.Mean.Value < 1e20 || h.One.Median.Basis != odds.Unknown {
		t.Errorf("%+v (%v)", h.One, err)
	}
}

// TestHealthOfTheLongest: matches of some hundred thousand goes are worked out on boards
// that a chain takes, and given up on others, as are all that nobody will see the end of.
func TestHealthOfTheLongest(t *testing.T) {
	for _, c := range []struct {
		size, walls int
		mean, whole bool // what is told
	}{{110, 4, true, true}, {1_010, 4, true, false}, {110, 7, true, false}, {1_010, 7, false, false}} {
		track := compile(t, walls(t, c.size, c.walls), "")
		h, err := odds.Examine(track, rising(t))
		mean, half := h.One.Mean, h.One.Median.Value
		switch {
		case errors.Is(err, odds.ErrLong) == c.whole || err != nil && c.whole:
			t.Errorf("%+v: %v", c, err)
		case c.mean != (mean.Basis == odds.Exact && mean.Value > 8e5):
			t.Errorf("%+v: %+v goes", c, mean)
		case c.whole && (!near(half/mean.Value, math.Ln2, 1e-4) || !near(h.Two.Mean.Value/mean.Value, 1, 1e-4)):
			t.Errorf("%+v: %+v", c, h)
		case !c.whole && (half != 0 || h.Two != (odds.Race{})):
			t.Errorf("%+v: %+v", c, h)
		}
		if h.Reach.Throws < 18 {
			t.Errorf("%+v: home in %d throws", c, h.Reach.Throws)
		}
		if _, err = odds.Estimate(track, some, rising(t)); !errors.Is(err, odds.ErrLong) {
			t.Error(err)
		}
	}
}
