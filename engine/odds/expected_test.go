package odds_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"hiss/boards"
	"hiss/engine/odds"
	"hiss/engine/rules"
)

// ruleLines are settings that differ in how a go is followed.
func ruleLines() []string {
	return []string{
		"", "end=overshoot", "bonus=max", "bonus=max void=0", "bonus=max void=1", "end=bounce bonus=max",
		"dice=2 end=bounce bonus=doubles", "dice=2 end=bounce bonus=doubles void=0", "dice=2 end=overshoot bonus=max",
		"dice=3 end=bounce", "sides=2 bonus=max void=10", "dice=10 sides=100 end=overshoot bonus=doubles void=10",
	}
}

// TestExpected holds that the sweeps come to the elimination's figures.
func TestExpected(t *testing.T) {
	for _, name := range []string{"classic", "tiny", "pit"} {
		for _, settings := range ruleLines() {
			track := compile(t, shipped(t, name), settings)
			want, err := chain(t, track).Length(rules.Token{})
			if err != nil {
				t.Fatal(err)
			}
			done, calls := 0.0, 0
			got, err := odds.Expected(track, func(d float64) bool {
				if d < done || d > 1 {
					t.Errorf("progress went from %g to %g", done, d)
				}
				done, calls = d, calls+1
				return true
			})
			if err != nil || !near(got/want.Mean, 1, 1e-9) || calls == 0 {
				t.Errorf("%s %s: %.12f after %d sweeps (%v), want %.12f", name, settings, got, calls, err, want.Mean)
			}
		}
	}
}

// randomBoard draws a board, fast and the same on every run.
func randomBoard(t testing.TB, size, ladders, snakes int, seed rules.Source) boards.Board {
	t.Helper()
	draw := func(n int) int { return int(seed.Next() % uint64(n)) }
	b, err := boards.Random(boards.Plan{Size: size, Ladders: ladders, Snakes: snakes}, draw, func(boards.Board) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestExpectedOnLargeBoards: the largest boards, which have no chain to compare
// with. Without jumps and exact landing the goes follow from those behind, square by
// square; with jumps plain sweeps without bonus or end rule come to the same.
func TestExpectedOnLargeBoards(t *testing.T) {
	empty := make([]float64, 10_007) // from the last square back, behind it 0
	for i := 7; i < len(empty); i++ {
		for face := 1; face <= 6; face++ {
			empty[i] += empty[i-face] / 6
		}
		empty[i]++
	}
	got, err := odds.Expected(compile(t, line(t, "size=10000"), "end=overshoot"), nil)
	if want := empty[10_006]; err != nil || !near(got/want, 1, 1e-9) {
		t.Errorf("10,000 squares: %.9f (%v), want %.9f", got, err, want)
	}
	large := compile(t, randomBoard(t, 10_000, 20, 5, 5), "")
	if got, err = odds.Expected(large, nil); err != nil {
		t.Fatal(err)
	}
	if sweeps := plainSweeps(large, got, 1e-9); sweeps == mostSweeps {
		t.Errorf("10,000 squares with jumps: plain sweeps don't come to %.9f", got)
	}
}

// TestExpectedGivesUp holds what else it answers than a number.
func TestExpectedGivesUp(t *testing.T) {
	b := randomBoard(t, 2_000, 0, 100, 7)
	calls := 0
	_, err := odds.Expected(compile(t, b, ""), func(float64) bool { calls++; return calls < 5 })
	if !errors.Is(err, odds.ErrStopped) || calls != 5 {
		t.Errorf("stopped after %d sweeps: %v", calls, err)
	}
	var endless *rules.Endless
	if _, err := odds.Expected(compile(t, shipped(t, "classic"), "dice=2"), nil); !errors.As(err, &endless) {
		t.Errorf("a trap: %v", err)
	}
}

// BenchmarkExpected measures it beside plain sweeps without acceleration, as
// the ratio of their times, on a board of 2,000 squares.
func BenchmarkExpected(b *testing.B) {
	board := randomBoard(b, 2_000, 30, 60, 3)
	track := compile(b, board, "")
	var ratio, sweeps float64
	for b.Loop() {
		begin := time.Now()
		calls := 0
		mean, err := odds.Expected(track, func(float64) bool { calls++; return true })
		if err != nil {
			b.Fatal(err)
		}
		took := time.Since(begin)
		begin = time.Now()
		plainSweeps(track, mean, 1e-10)
		ratio, sweeps = float64(time.Since(begin))/float64(took), float64(calls)
	}
	b.ReportMetric(ratio, "x-sweeps")
	b.ReportMetric(sweeps, "sweeps")
}

// mostSweeps are the sweeps that plainSweeps does at most.
const mostSweeps = 20_000

// plainSweeps improves the goes from all squares, by one die and exact landing,
// from the last one down until the start's are as near to the mean as wanted.
// It returns how many sweeps that took.
func plainSweeps(t *rules.Track, mean, within float64) int {
	x := make([]float64, t.Size()+1)
	for sweeps := range mostSweeps {
		if math.Abs(x[0]/mean-1) <= within {
			return sweeps
		}
		for q := t.Size() - 1; q >= 0; q-- {
			sum, stays := 6.0, 0.0
			for face := 1; face <= 6; face++ {
				if _, to := t.Move(q, face); to == q {
					stays++
				} else {
					sum += x[to]
				}
			}
			if stays < 6 {
				x[q] = sum / (6 - stays)
			}
		}
	}
	return mostSweeps
}

func ExampleExpected() {
	b, _ := boards.ParseLine("size=10000 9990-12 5000-7")
	track, _ := rules.Compile(b, rules.Default())
	mean, err := odds.Expected(track, nil)
	fmt.Printf("%.6f goes, %v\n", mean, err)
	// Output: 4801.140053 goes, <nil>
}
