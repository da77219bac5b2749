package odds_test

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"hiss/boards"
	"hiss/engine/odds"
	"hiss/engine/rules"
)

// TestFraction holds the fraction of one player's goes, all digits of it. (The notes
// that it is from have three digits too many in it, 273 after 225837582538.)
func TestFraction(t *testing.T) {
	b := shipped(t, "classic47")
	want, _ := new(big.Rat).SetString("225837582538403273407117496273279920181931269186581786048583/" +
		"5757472998140039232950575874628786131130999406013041613400")
	c := chain(t, compile(t, b, ""))
	var tokens []rules.Token
	for square := range b.Size {
		if _, err := c.Go(on(square)); err == nil {
			tokens = append(tokens, on(square))
		}
	}
	if got := newOracle(b, rules.Default()).lengths(tokens).solve()[on(0)]; got.Cmp(want) != 0 {
		t.Errorf("%v goes, want %v", got, want)
	}
	length, err := c.Length(rules.Token{})
	if f, _ := want.Float64(); err != nil || !near(length.Mean, f, 1e-12) {
		t.Errorf("%.15f goes (%v), want %.15f", length.Mean, err, f)
	}
}

// TestMatches holds the chances of vectors.md, and the goes of a match.
func TestMatches(t *testing.T) {
	m48, m47 := shipped(t, "classic"), shipped(t, "classic47")
	for _, c := range []struct {
		board    boards.Board
		settings string
		chances  []float64
		goes     float64 // 0 where it isn't given
		decimals float64
	}{
		{m48, "", []float64{0.507802773461, 0.492197226539}, 0, 9},
		{m48, "", []float64{0.259948070650, 0.253184706937, 0.246619875128, 0.240247347285}, 0, 9},
		{m48, "bonus=max", []float64{0.509034091729, 0.490965908271}, 44.450828064, 9},
		{m48, "bonus=max", []float64{0.344360097604, 0.333199157904, 0.322440744492}, 54.329115980, 9},
		{m47, "bonus=max", []float64{0.344493840574, 0.333195699387, 0.322310460039}, 54.015444893, 9},
		{m47, "bonus=max dice=2 end=bounce", []float64{}, 45.608809201, 9},
		{line(t, "size=100"), "end=overshoot", []float64{0.55390, 0.44610}, 0, 5},
	} {
		seats, within := max(len(c.chances), 2), 0.5001*math.Pow(10, -c.decimals)
		if len(c.chances) == 0 {
			seats = 3
		}
		ch := chain(t, compile(t, c.board, c.settings))
		m, err := ch.Match(seats)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.chances {
			if !near(m.Chances[i], want, within) {
				t.Errorf("%s %s, seat %d of %d: %.12f, want %.12f", c.board.Name, c.settings, i+1, seats, m.Chances[i], want)
			}
		}
		if c.goes > 0 && !near(m.First, c.goes, within) {
			t.Errorf("%s %s: %.12f goes a match of %d, want %.9f", c.board.Name, c.settings, m.First, seats, c.goes)
		}
		if one, _ := ch.Length(rules.Token{}); m.All != float64(seats)*one.Mean || m.FirstSeat() != m.Chances[0]-1/float64(seats) {
			t.Errorf("%s %s: %g goes until all are home, first seat %g", c.board.Name, c.settings, m.All, m.FirstSeat())
		}
	}
}

// untouched returns the boards that ship on which no seat passes another over.
func untouched() []boards.Board {
	return slices.DeleteFunc(boards.Shipped(), func(b boards.Board) bool {
		return slices.ContainsFunc(b.Specials, func(s boards.Special) bool { return s.Effect == boards.Skip })
	})
}

// TestDuelIdentity: P(first wins) = 1/2 + 1/2 · Σ P(one player needs exactly n)².
func TestDuelIdentity(t *testing.T) {
	for _, b := range untouched() {
		c := chain(t, compile(t, b, "bonus=max"))
		law, err := c.Law(rules.Token{})
		if err != nil {
			t.Fatal(err)
		}
		squares := 0.0
		for n := 1; law.Survival(n-1) > 1e-15; n++ {
			squares += law.P(n) * law.P(n)
		}
		m, err := c.Match(2)
		if err != nil || !near(m.Chances[0], 0.5+0.5*squares, 1e-12) {
			t.Errorf("%s: %.15f (%v), want %.15f", b.Name, m.Chances[0], err, 0.5+0.5*squares)
		}
	}
}

// TestTimes holds medians, and quantiles where they are known: from 99 it takes
// a six-sided die's single face, the first 4 throws find it with 1 − (5/6)⁴.
func TestTimes(t *testing.T) {
	c := chain(t, compile(t, shipped(t, "classic"), ""))
	law, err := c.Law(on(99))
	if err != nil {
		t.Fatal(err)
	}
	for n := range 500 {
		want := math.Pow(5.0/6, float64(n))
		if !near(law.Survival(n)/want, 1, 1e-12) || n > 0 && !near(law.P(n)/(want/5), 1, 1e-12) {
			t.Fatalf("after %d goes from 99: %g, and %g in the last, want %g", n, law.Survival(n), law.P(n), want)
		}
	}
	for p, want := range map[float64]int{0: 0, 1.0 / 6: 1, 0.5: 4, 0.95: 17} {
		if got := law.Quantile(p); got != want {
			t.Errorf("the %g quantile from 99 is %d, want %d", p, got, want)
		}
	}
	law, _ = c.Law(rules.Token{})
	if law.P(0) != 0 || law.P(6) != 0 || !near(law.Survival(6), 1, 1e-15) || !near(law.P(7), 438/math.Pow(6, 7), 1e-16) {
		t.Errorf("home in 6 goes %g, in 7 %g", law.P(6), law.P(7))
	}
	if law.Quantile(0.5) != 33 || law.Quantile(0.95) != 90 || law.Quantile(1) < 500 {
		t.Errorf("classic: half are home after %d, 95%% after %d, all after %d", law.Quantile(0.5), law.Quantile(0.95), law.Quantile(1))
	}
}

// TestShortGames holds the ways to win quickly, and what a token can come to.
func TestShortGames(t *testing.T) {
	m48, m47 := shipped(t, "classic"), shipped(t, "classic47")
	for _, c := range []struct {
		board        boards.Board
		settings     string
		seven, eight int64
	}{{m48, "", 438, 7380}, {m48, "end=overshoot", 552, 10371}, {m47, "", 423, 7272}} {
		track := compile(t, c.board, c.settings)
		for n, ways := range odds.Wins(track, 8) {
			if want := map[int]int64{7: c.seven, 8: c.eight}[n]; ways.Int64() != want {
				t.Errorf("%s %s: %v ways to win with %d throws, want %d", c.board.Name, c.settings, ways, n, want)
			}
		}
		// Of 100 squares 19 are starts of jumps.
		if r := odds.ReachOf(track); r.Throws != 7 || r.Share != 0.81 || r.Unused != nil {
			t.Errorf("%s %s: %+v", c.board.Name, c.settings, r)
		}
	}
	r := odds.ReachOf(compile(t, line(t, "size=20 1-5 9-3"), "dice=2 end=bounce"))
	if len(r.Unused) != 1 || r.Unused[0] != (boards.Jump{From: 1, To: 5}) {
		t.Errorf("nobody lands on 1 with two dice: %+v", r)
	}
	if r := odds.ReachOf(compile(t, line(t, "size=9 2-1 3-1 4-1 5-1 6-1 7-1"), "")); r.Throws != -1 {
		t.Errorf("a wall of snakes: %+v", r)
	}
}

// TestTable: on the boards that ship, a table says from the start what the
// finishing times say, for 1 to 16 seats, and whatever the seats' order, its
// chances add up to 1.
func TestTable(t *testing.T) {
	for _, b := range untouched() {
		for _, settings := range []string{"", "bonus=max", "end=bounce dice=2 bonus=doubles"} {
			c := chain(t, compile(t, b, settings))
			table, err := c.Table()
			if err != nil {
				t.Fatal(err)
			}
			if b.Size <= 100 && table.Bytes() > 100_000 {
				t.Errorf("%s %s: %d bytes", b.Name, settings, table.Bytes())
			}
			for seats := 1; seats <= rules.MaxSeats; seats++ {
				chances, squares := make([]float64, seats), make([]rules.Token, seats)
				goes, err := table.First(chances, squares, 0)
				m, _ := c.Match(seats)
				all, _ := table.All(squares)
				if err != nil || !near(goes/m.First, 1, 1e-8) || !near(all/m.All, 1, 1e-14) {
					t.Errorf("%s %s: %.9f goes (%v), want %.9f; %g until all, want %g", b.Name, settings, goes, err, m.First, all, m.All)
				}
				sum := 0.0
				for i, p := range chances {
					sum += p
					if !near(p, m.Chances[i], 1e-9) {
						t.Errorf("%s %s, seat %d of %d: %.12f, want %.12f", b.Name, settings, i+1, seats, p, m.Chances[i])
					}
				}
				if !near(sum, 1, 1e-12) {
					t.Errorf("%s %s: %d chances add up to %.15f", b.Name, settings, seats, sum)
				}
			}
		}
	}
}

// TestTableFromAnywhere: two tokens on any squares of a board that ships have the chances
// that their finishing times give.
func TestTableFromAnywhere(t *testing.T) {
	var source rules.Source = 3
	for _, b := range untouched() {
		c := chain(t, compile(t, b, "bonus=max"))
		table, err := c.Table()
		if err != nil {
			t.Fatal(err)
		}
		for tries := 0; tries < 20; {
			one, two := int(source.Next()%uint64(b.Size)), int(source.Next()%uint64(b.Size))
			first, err := c.Law(on(one))
			second, err2 := c.Law(on(two))
			if err != nil || err2 != nil { // the start of a jump
				continue
			}
			tries++
			want := 0.0
			for n := 0; first.Survival(n)*second.Survival(n) > 1e-14; n++ {
				want += first.P(n+1) * second.Survival(n)
			}
			var got [2]float64
			if _, err := table.First(got[:], allOn(two, one), 1); err != nil || !near(got[1], want, 1e-9) {
				t.Errorf("%s, %d on turn against %d: %.12f (%v), want %.12f", b.Name, one, two, got[1], err, want)
			}
		}
	}
}

// TestLongMatches: figures hold where matches take so long that nobody would play
// them, and where boards are as large as a chain takes.
func TestLongMatches(t *testing.T) {
	for _, b := range []boards.Board{
		line(t, "size=30 24-1 25-1 26-1 27-1 28-1 18-2 19-2 20-2 21-2 22-2 12-3 13-3 14-3 15-3 16-3 6-4 7-4 8-4 9-4 10-4"),
		randomBoard(t, 1000, 20, 40, 3),
	} {
		c := chain(t, compile(t, b, ""))
		length, _ := c.Length(rules.Token{})
		law, err := c.Law(rules.Token{})
		if err != nil || length.Mean < 500 {
			t.Fatalf("%d squares, %g goes: %v", b.Size, length.Mean, err)
		}
		median := float64(law.Quantile(0.5))
		if rest := law.Survival(int(median)); rest > 0.5 || !near(rest, 0.5, 0.01) || median > length.Mean {
			t.Errorf("%d squares, %g goes: %g are on the way after %g", b.Size, length.Mean, rest, median)
		}
		m, err := c.Match(2)
		if err != nil || !near(m.Chances[0]+m.Chances[1], 1, 1e-12) || m.Chances[0] < 0.5 {
			t.Errorf("%d squares: %v (%v)", b.Size, m.Chances, err)
		}
		table, err := c.Table()
		if err != nil {
			t.Fatal(err)
		}
		var got [2]float64
		if goes, err := table.First(got[:], allOn(0, 0), 0); err != nil || !near(got[0], m.Chances[0], 1e-9) || !near(goes/m.First, 1, 1e-7) {
			t.Errorf("%d squares: %.12f and %g goes (%v), want %.12f and %g", b.Size, got[0], goes, err, m.Chances[0], m.First)
		}
		t.Logf("%d squares: %.9f goes, table %d bytes, median %g, %v", b.Size, length.Mean, table.Bytes(), median, m)
	}
}

// TestPeriodic: where a token comes home in every second go only, its chances
// never shrink evenly, and hold all the same.
func TestPeriodic(t *testing.T) {
	b := boards.Board{Name: "periodic", Size: 8, Columns: 10, Chains: boards.Once}
	b.Jumps = []boards.Jump{{From: 1, To: 2}, {From: 2, To: 5}, {From: 3, To: 4}, {From: 6, To: 1}, {From: 7, To: 1}}
	c := chain(t, compile(t, b, "dice=2 sides=2 end=overshoot"))
	table, err := c.Table()
	if err != nil {
		t.Fatal(err)
	}
	m, err := c.Match(3)
	var got [3]float64
	goes, _ := table.First(got[:], make([]rules.Token, 3), 0)
	if err != nil || !near(goes, m.First, 1e-8) || !near(got[0], m.Chances[0], 1e-9) || !near(got[2], m.Chances[2], 1e-9) {
		t.Errorf("%v and %.12f goes, want %v and %.12f (%v)", got, goes, m.Chances, m.First, err)
	}
}

// TestSeats: who is home or out takes no part, and whoever is next after one of
// them is on turn.
func TestSeats(t *testing.T) {
	table, err := chain(t, compile(t, shipped(t, "classic"), "")).Table()
	if err != nil {
		t.Fatal(err)
	}
	three, all := make([]float64, 3), make([]float64, 6)
	goes, _ := table.First(three, allOn(20, 0, 91), 0)
	same, err := table.First(all, allOn(0, rules.Out, 91, 100, 100, 20), 3)
	if err != nil || same != goes || all[5] != three[0] || all[0] != three[1] || all[2] != three[2] || all[1]+all[3]+all[4] != 0 {
		t.Errorf("%v and %v of %v: %v", all, same, three, err)
	}
	if goes, err := table.First(all, allOn(100, -1, -1, 100, -1, -1), 2); err != nil || goes != 0 || all[0]+all[1]+all[2]+all[3]+all[4]+all[5] != 0 {
		t.Errorf("nobody: %v %v %v", all, goes, err)
	}
	one, _ := table.All(allOn(99, 100, rules.Out))
	if goes, err := table.First(three, allOn(99, 100, rules.Out), 1); err != nil || three[0] != 1 || !near(goes, 6, 1e-12) || one != goes {
		t.Errorf("alone on 99: %v %v %v %v", three, goes, one, err)
	}
	for _, c := range []struct {
		squares []int
		turn    int
		chances int
		want    error
	}{
		{nil, 0, 0, odds.ErrSeats}, {make([]int, 17), 0, 17, odds.ErrSeats}, {[]int{0}, 1, 1, odds.ErrSeats}, {[]int{0}, -1, 1, odds.ErrSeats},
		{[]int{0}, 0, 2, odds.ErrSeats}, {[]int{4}, 0, 1, odds.ErrSquare}, {[]int{101}, 0, 1, odds.ErrSquare}, {[]int{-2}, 0, 1, odds.ErrSquare},
	} {
		if _, err := table.First(make([]float64, c.chances), allOn(c.squares...), c.turn); !errors.Is(err, c.want) {
			t.Errorf("%v, turn %d: %v, want %v", c.squares, c.turn, err, c.want)
		}
	}
}

// TestSimulated: what is played is what is worked out, within four standard
// errors.
func TestSimulated(t *testing.T) {
	const matches = 20_000
	for _, c := range []struct {
		board, settings string
		seats           int
	}{{"classic", "bonus=max", 3}, {"tiny", "end=bounce", 4}, {"sprint", "dice=2 end=bounce bonus=doubles finish=all", 3}, {"twenty", "dice=2 end=overshoot bonus=max void=0", 2}} {
		track := compile(t, shipped(t, c.board), c.settings)
		m, err := chain(t, track).Match(c.seats)
		if err != nil {
			t.Fatal(err)
		}
		var source rules.Source = 11
		s := rules.NewSimulation(track, c.seats)
		wins, goes, squared := make([]float64, c.seats), 0.0, 0.0
		for range matches {
			if !s.Play(&source, c.seats, rules.MaxGoes) {
				t.Fatal("a match that doesn't end")
			}
			for i := range c.seats {
				if s.Places[i] == 1 {
					wins[i]++
				}
			}
			goes += float64(s.Total)
			squared += float64(s.Total * s.Total)
		}
		for i, p := range m.Chances {
			if e := math.Sqrt(p * (1 - p) / matches); !near(wins[i]/matches, p, 4*e) {
				t.Errorf("%s %s, seat %d: wins %.5f ± %.5f, want %.5f", c.board, c.settings, i+1, wins[i]/matches, e, p)
			}
		}
		want := m.First
		if track.Rules().Finish == rules.All {
			want = m.All
		}
		mean := goes / matches
		if e := math.Sqrt((squared/matches - mean*mean) / matches); !near(mean, want, 4*e) {
			t.Errorf("%s %s: %.4f ± %.4f goes, want %.4f", c.board, c.settings, mean, e, want)
		}
	}
}

// TestNoAllocation: live odds leave nothing to collect.
func TestNoAllocation(t *testing.T) {
	table, err := chain(t, compile(t, shipped(t, "classic"), "")).Table()
	if err != nil {
		t.Fatal(err)
	}
	chances, squares := make([]float64, 16), make([]rules.Token, 16)
	if n := testing.AllocsPerRun(100, func() { _, _ = table.First(chances, squares, 3); _, _ = table.All(squares) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// BenchmarkOdds measures a new board's chain, its table, and the odds of 2 and of
// 16 seats, beside 1,000 dependent multiplications and additions in the same run: the
// medians of the ratios. Limits are for a table 335 and for 16 seats 0.67, which is
// a millisecond and two microseconds where the baseline takes three.
func BenchmarkOdds(b *testing.B) {
	for _, settings := range []string{"", "bonus=max"} {
		b.Run("classic "+settings, func(b *testing.B) {
			track := compile(b, shipped(b, "classic"), settings)
			chances, squares, x := make([]float64, 16), make([]rules.Token, 16), 1.0
			ratios := make(map[string][]float64)
			measure := func(what string, times int, base float64, f func()) float64 {
				begin := time.Now()
				for range times {
					f()
				}
				took := float64(time.Since(begin)) / float64(times)
				ratios[what] = append(ratios[what], took/base)
				return took
			}
			var c *odds.Chain
			var table *odds.Table
			for b.Loop() {
				base := measure("ns/base", 300, 1, func() { x = multiplyAdds(x) })
				measure("chain-x-base", 3, base, func() { c, _ = odds.New(track) })
				measure("table-x-base", 3, base, func() { table, _ = c.Table() })
				measure("two-x-base", 300, base, func() { _, _ = table.First(chances[:2], squares[:2], 0) })
				measure("sixteen-x-base", 300, base, func() { _, _ = table.First(chances, squares, 0) })
			}
			if x < 0 { // x is used, so it has to be worked out
				b.Fatal(x)
			}
			for what, all := range ratios {
				slices.Sort(all)
				median := all[len(all)/2]
				b.ReportMetric(median, what)
				if limit := map[string]float64{"table-x-base": 335, "sixteen-x-base": 0.67}[what]; limit > 0 && median > limit {
					b.Errorf("%s is %.2f, above %.2f", what, median, limit)
				}
			}
			b.ReportMetric(float64(table.Bytes()), "bytes")
		})
	}
}

// multiplyAdds does 1,000 of them, each with the result of the one before.
func multiplyAdds(x float64) float64 {
	for range 1000 {
		x = x*0.999 + 0.5
	}
	return x
}
