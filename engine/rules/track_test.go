package rules_test

import (
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"hiss/boards"
	"hiss/engine/rules"
)

func lineBoard(t testing.TB, line string) boards.Board {
	t.Helper()
	b, err := boards.ParseLine(line)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// pip is Move counted one square at a time, and with none of its formulas.
func pip(b boards.Board, end rules.End, square, total int) (landed, to int) {
	at, step := square, 1
	for range total {
		if at == b.Size {
			if end != rules.Bounce {
				step = 0 // stands at the end, with pips left over
				if end == rules.Exact {
					return square, square
				}
			} else {
				step = -1
			}
		} else if at == 1 {
			step = 1 // back from the end on a small board
		}
		at += step
	}
	if at == square {
		return square, square
	}
	for _, j := range b.Jumps {
		if j.From == at {
			return at, j.To
		}
	}
	return at, at
}

func TestBounceCountsBackAndUpAgain(t *testing.T) {
	track := compile(t, lineBoard(t, "size=5"), with(t, "sides=13", "end=bounce"))
	var got []int
	for total := 1; total <= 13; total++ {
		landed, to := track.Move(0, total)
		if landed != to {
			t.Errorf("%d leads to %d and jumps to %d", total, landed, to)
		}
		got = append(got, to)
	}
	if want := []int{1, 2, 3, 4, 5, 4, 3, 2, 1, 2, 3, 4, 5}; !slices.Equal(got, want) {
		t.Errorf("size 5 from 0: %v, not %v", got, want)
	}
	two := compile(t, lineBoard(t, "size=2"), with(t, "end=bounce"))
	for total := 1; total <= 6; total++ {
		if _, to := two.Move(0, total); to != 2-total%2 {
			t.Errorf("size 2 from 0: %d leads to %d", total, to)
		}
	}
}

// TestPastTheEnd: what each end rule makes of too high a total on M48.
func TestPastTheEnd(t *testing.T) {
	for _, c := range []struct {
		end                       string
		square, total, landed, to int
	}{
		{"bounce", 96, 6, 98, 78}, // counted back onto a snake
		{"bounce", 97, 6, 97, 97}, // back where it stood: not landed
		{"bounce", 98, 5, 97, 97},
		{"exact", 98, 5, 98, 98}, // stays on a snake's head unbitten
		{"overshoot", 98, 5, 100, 100},
		{"exact", 96, 6, 96, 96}, {"exact", 96, 4, 100, 100}, {"overshoot", 96, 4, 100, 100}, {"bounce", 96, 4, 100, 100},
		{"exact", 96, 2, 98, 78}, {"overshoot", 96, 2, 98, 78}, {"exact", 79, 1, 80, 100}, // a ladder home
		{"exact", 0, 1, 1, 38}, {"exact", 0, 2, 2, 2}, {"exact", 42, 6, 48, 26},
	} {
		track := compile(t, shipped(t, "classic"), with(t, "end="+c.end))
		if landed, to := track.Move(c.square, c.total); landed != c.landed || to != c.to {
			t.Errorf("%s, %d and a %d: landed on %d, to %d, not %d, %d", c.end, c.square, c.total, landed, to, c.landed, c.to)
		}
	}
}

// TestMoveFromEverySquare compares all moves with counting: of boards that
// have a table, and of those that are too large for one.
func TestMoveFromEverySquare(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"exact", "overshoot", "bounce"} {
		for _, c := range []struct {
			line string
			dice []string
		}{
			{"size=2", nil}, {"size=2", []string{"dice=10", "sides=7"}}, {"size=3 2-1 chains=once", []string{"dice=2"}},
			{"size=9 4-7 8-2", []string{"dice=3", "sides=20"}}, {"size=42 10-40 40-15 chains=once", nil},
			{"size=661 3-600 650-2", []string{"dice=1", "sides=100"}}, // 66,100 entries: just above the limit
			{"size=655 3-600 650-2", []string{"dice=1", "sides=100"}}, // 65,500: just below
		} {
			b := lineBoard(t, c.line)
			r := with(t, append(c.dice, "end="+end)...)
			track := compile(t, b, r)
			if track.Size() != b.Size || track.Rules() != r || !slices.Equal(track.Board().Jumps, b.Jumps) {
				t.Errorf("%s: compiled to %d squares, %+v", c.line, track.Size(), track.Rules())
			}
			for square := range b.Size {
				for total := r.Dice; total <= r.Dice*r.Sides; total++ {
					landed, to := track.Move(square, total)
					if l, end := pip(b, r.End, square, total); landed != l || to != end {
						t.Fatalf("%s %+v: %d and %d: %d, %d, not %d, %d", c.line, r, square, total, landed, to, l, end)
					}
				}
			}
		}
	}
}

// TestMovesOfAnyTrack compares drawn moves of drawn tracks, those walked
// without a table included.
func TestMovesOfAnyTrack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := validRules().Draw(t, "rules")
		b := drawnBoard(t, rapid.SampledFrom([]int{2, 3, 7, 40, 1000, 10_000}).Draw(t, "size"))
		track, err := rules.Compile(b, r)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			square := rapid.IntRange(0, b.Size-1).Draw(t, "square")
			total := rapid.IntRange(r.Dice, r.Dice*r.Sides).Draw(t, "total")
			landed, to := track.Move(square, total)
			if l, end := pip(b, r.End, square, total); landed != l || to != end {
				t.Fatalf("%d and %d: %d, %d, not %d, %d", square, total, landed, to, l, end)
			}
		}
	})
}

// drawnBoard draws a valid board.
func drawnBoard(t *rapid.T, size int) boards.Board {
	b := boards.Board{Name: "drawn", Size: size, Columns: 10, Chains: boards.Once}
	for range rapid.IntRange(0, 6).Draw(t, "jumps") {
		j := boards.Jump{From: rapid.IntRange(1, size-1).Draw(t, "from"), To: rapid.IntRange(1, size).Draw(t, "to")}
		taken := slices.ContainsFunc(b.Jumps, func(o boards.Jump) bool { return o.From == j.From })
		if j.From != j.To && !taken {
			b.Jumps = append(b.Jumps, j)
		}
	}
	slices.SortFunc(b.Jumps, func(x, y boards.Jump) int { return x.From - y.From })
	return b
}

func TestCompileRefuses(t *testing.T) {
	good := lineBoard(t, "size=9")
	for name, b := range map[string]boards.Board{
		"size 1":        {Name: "x", Size: 1, Columns: 10},
		"a start twice": {Name: "x", Size: 9, Columns: 10, Jumps: []boards.Jump{{From: 2, To: 5}, {From: 2, To: 7}}},
		"from the end":  {Name: "x", Size: 9, Columns: 10, Jumps: []boards.Jump{{From: 9, To: 5}}},
		"beyond":        {Name: "x", Size: 9, Columns: 10, Jumps: []boards.Jump{{From: 3, To: 10}}},
		"a chain":       {Name: "x", Size: 9, Columns: 10, Jumps: []boards.Jump{{From: 2, To: 5}, {From: 5, To: 7}}},
	} {
		if _, err := rules.Compile(b, rules.Default()); err == nil {
			t.Errorf("%s: compiled", name)
		}
	}
	for name, r := range map[string]rules.Rules{
		"nothing": {}, "one side": {Dice: 1, Sides: 1, Seats: 2}, "doubles of one": {Dice: 1, Sides: 6, Bonus: rules.Doubles, Seats: 2},
		"unknown end": {Dice: 1, Sides: 6, End: 3, Seats: 2}, "void 11": {Dice: 1, Sides: 6, Void: 11, Seats: 2},
	} {
		if _, err := rules.Compile(good, r); err == nil {
			t.Errorf("%s: compiled", name)
		}
	}
}

// TestTrackIsShared moves on one track from several goroutines.
func TestTrackIsShared(t *testing.T) {
	track := compile(t, shipped(t, "classic"), with(t, "end=bounce"))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for square := range 100 {
				track.Move(square, 6)
			}
		})
	}
	all.Wait()
}
