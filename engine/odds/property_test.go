package odds_test

import (
	"cmp"
	"errors"
	"maps"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"hiss/boards"
	"hiss/engine/odds"
	"hiss/engine/rules"
)

// smallTrack draws a board of up to 12 squares, any rules with few ways for
// the dice to fall, and both joined.
func smallTrack(t *rapid.T) (*oracle, *rules.Track) {
	b := boards.Board{Name: "small", Size: rapid.IntRange(2, 12).Draw(t, "size"), Columns: 10, Chains: boards.Once}
	jumps := rapid.MapOfN(rapid.IntRange(1, b.Size-1), rapid.IntRange(1, b.Size), 0, 5).Draw(t, "jumps")
	for _, from := range slices.Sorted(maps.Keys(jumps)) {
		if jumps[from] != from {
			b.Jumps = append(b.Jumps, boards.Jump{From: from, To: jumps[from]})
		}
	}
	effects := rapid.MapOfN(rapid.IntRange(1, b.Size-1), rapid.IntRange(1, 4), 0, rapid.SampledFrom([]int{0, 0, 2, 4}).Draw(t, "effects")).Draw(t, "specials")
	for _, square := range slices.Sorted(maps.Keys(effects)) {
		if _, taken := b.Jump(square); !taken {
			b.Specials = append(b.Specials, boards.Special{Square: square, Effect: boards.Effect(effects[square])})
		}
	}
	r := rules.Default()
	r.Dice = rapid.IntRange(1, 3).Draw(t, "dice")
	r.Sides = rapid.IntRange(2, 7-2*r.Dice+1).Draw(t, "sides")
	r.End = rules.End(rapid.IntRange(0, 2).Draw(t, "end"))
	r.Bonus = rules.Bonus(rapid.IntRange(0, min(r.Dice, 2)).Draw(t, "bonus"))
	r.Void = rapid.IntRange(0, 3).Draw(t, "void")
	track, err := rules.Compile(b, r)
	if err != nil {
		t.Fatal(err)
	}
	return newOracle(b, r), track
}

func float(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}

// TestAnyTrack: on any small track, everything is what the oracle says.
func TestAnyTrack(t *testing.T) { rapid.Check(t, anyTrack) }

func anyTrack(t *rapid.T) {
	o, track := smallTrack(t)
	begun, stood, fewest := o.all()
	sameReach(t, o, track, stood, fewest)
	sameWins(t, o, track)
	c, err := odds.New(track)
	if track.Endless() != nil {
		if e := new(rules.Endless); !errors.As(err, &e) {
			t.Fatalf("endless, but %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	tokens := slices.SortedFunc(maps.Keys(begun), bySpot)
	chances := sameLaw(t, o, c, tokens)
	sameLengths(t, o, c, tokens, chances)
	sameTimes(t, c, tokens)
	if odds.ReachOf(track).Skips {
		onlySkips(t, c, o)
		return
	}
	sameDuel(t, c, tokens, chances, o.board.Size)
	sameRace(t, track, c, tokens, chances)
}

// bySpot orders tokens as Chain.Go does.
func bySpot(a, b rules.Token) int {
	shields := 0
	if a.Shield {
		shields++
	}
	if b.Shield {
		shields--
	}
	return cmp.Or(cmp.Compare(a.Square, b.Square), shields)
}

// onlySkips holds that what several tokens do isn't worked out as if they didn't
// touch each other.
func onlySkips(t *rapid.T, c *odds.Chain, o *oracle) {
	if !o.has(boards.Skip) {
		t.Error("skips without a square that does")
	}
	if _, err := c.Match(2); !errors.Is(err, odds.ErrSkips) {
		t.Errorf("a match: %v", err)
	}
	table, err := c.Table()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.First(make([]float64, 2), make([]rules.Token, 2), 0); !errors.Is(err, odds.ErrSkips) {
		t.Errorf("two tokens: %v", err)
	}
	one, _ := c.Length(rules.Token{})
	if all, err := table.All(make([]rules.Token, 2)); err != nil || !near(all/one.Mean, 2, 1e-12) {
		t.Errorf("until both are home: %g (%v), want twice %g", all, err, one.Mean)
	}
}

func sameReach(t *rapid.T, o *oracle, track *rules.Track, stood map[int]bool, fewest int) {
	delete(stood, 0)
	r := odds.ReachOf(track)
	if want := float64(len(stood)) / float64(o.board.Size); r.Share != want || r.Throws != fewest {
		t.Errorf("a token stands on %g of the squares, home after %d throws: want %g and %d", r.Share, r.Throws, want, fewest)
	}
}

// sameWins throws all faces that can fall in a few throws.
func sameWins(t *rapid.T, o *oracle, track *rules.Track) {
	n := int(math.Log(2000) / math.Log(float64(len(o.rolls))))
	want := make([]int64, n+1)
	var throw func(token, int)
	throw = func(at token, thrown int) {
		for _, r := range o.rolls {
			to, _, rest := o.roll(at, r)
			if rest == o.board.Size {
				want[thrown+1]++
			} else if thrown+1 < n {
				throw(to, thrown+1)
			}
		}
	}
	throw(token{}, 0)
	for i, got := range odds.Wins(track, n) {
		if got.Cmp(big.NewInt(want[i])) != 0 {
			t.Errorf("%v ways to win with %d throws, want %d", got, i, want[i])
		}
	}
}

// sameLaw compares the law of one go from every square and returns it. Its
// chances add up to 1.
func sameLaw(t *rapid.T, o *oracle, c *odds.Chain, tokens []rules.Token) map[[2]rules.Token]float64 {
	chances := make(map[[2]rules.Token]float64)
	for _, from := range tokens {
		law := o.law(from)
		ends, err := c.Go(from)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, e := range ends {
			sum += e.P
			chances[[2]rules.Token{from, e.Token}] = e.P
			if law[e.Token] == nil || !near(e.P, float(law[e.Token]), 1e-14) || i > 0 && bySpot(ends[i-1].Token, e.Token) >= 0 {
				t.Errorf("from %v to %v: %g, want %v", from, e.Token, e.P, law[e.Token])
			}
		}
		if len(ends) > len(law) || !near(sum, 1, 1e-14) {
			t.Errorf("from %v: %d ends that add up to %g, want %d", from, len(ends), sum, len(law))
		}
	}
	return chances
}

// sameLengths compares means to all digits, and deviations by the second moments that
// follow from the law.
func sameLengths(t *rapid.T, o *oracle, c *odds.Chain, tokens []rules.Token, chances map[[2]rules.Token]float64) {
	mean := o.lengths(tokens).solve()
	second := noEquations(tokens)
	for at, p := range chances {
		if at[1].Square != o.board.Size {
			second.add(at[0], at[1], new(big.Rat).SetFloat64(p))
		}
	}
	for _, q := range tokens {
		twice := new(big.Rat).Mul(big.NewRat(2, 1), mean[q])
		second.right[q] = twice.Sub(twice, big.NewRat(1, 1)) // E[T²] = 2·E[T] − 1 + D·E[T²]
	}
	squared := second.solve()
	for _, q := range tokens {
		got, err := c.Length(q)
		variance := float(squared[q].Sub(squared[q], new(big.Rat).Mul(mean[q], mean[q])))
		if err != nil || !near(got.Mean/float(mean[q]), 1, 1e-13) {
			t.Errorf("from %v: %.15f goes (%v), want %.15f", q, got.Mean, err, float(mean[q]))
		}
		if !near(got.Deviation*got.Deviation, variance, 1e-10*float(mean[q])*float(mean[q])) {
			t.Errorf("from %v: a variance of %.12f, want %.12f", q, got.Deviation*got.Deviation, variance)
		}
	}
}

// sameTimes holds that finishing times add up to 1 and to the mean, and that
// quantiles are where they are said to be.
func sameTimes(t *rapid.T, c *odds.Chain, tokens []rules.Token) {
	from := rapid.SampledFrom(tokens).Draw(t, "from")
	length, _ := c.Length(from)
	law, err := c.Law(from)
	if err != nil {
		t.Fatal(err)
	}
	home, goes, n := 0.0, 0.0, 0
	for ; law.Survival(n) > 1e-13 && n < 5000; n++ {
		goes += law.Survival(n)
		home += law.P(n + 1)
	}
	if left := law.Survival(n); left > 1e-13 {
		goes += left * left / law.P(n+1)
		home += left
	}
	if !near(home, 1, 1e-12) || !near(goes/length.Mean, 1, 1e-9) {
		t.Errorf("from %v: chances of %.15f, %.12f goes, want %.12f", from, home, goes, length.Mean)
	}
	p := rapid.Float64Range(0.01, 0.99).Draw(t, "p")
	if q := law.Quantile(p); 1-law.Survival(q) < p-1e-11 || 1-law.Survival(q-1) > p {
		t.Errorf("from %v: the %g quantile is %d, but %g are home then", from, p, q, 1-law.Survival(q))
	}
}

// sameDuel solves the chain of two tokens, w(i, j) = chance that the one on i
// wins, who is on turn, and compares.
func sameDuel(t *rapid.T, c *odds.Chain, tokens []rules.Token, chances map[[2]rules.Token]float64, size int) {
	table, err := c.Table()
	if err != nil {
		t.Fatal(err)
	}
	n := len(tokens)
	a := make([][]float64, n*n)
	for i, from := range tokens {
		for j := range tokens {
			row := make([]float64, n*n+1)
			row[i*n+j] = 1
			row[n*n] = 1 // h + Σ D(i, k) · (1 − w(j, k)), and h + Σ D = 1
			for k, to := range tokens {
				row[j*n+k] += chances[[2]rules.Token{from, to}]
			}
			a[i*n+j] = row
		}
	}
	w := gauss(a)
	i, j := rapid.IntRange(0, n-1).Draw(t, "i"), rapid.IntRange(0, n-1).Draw(t, "j")
	got := make([]float64, 4)
	_, err = table.First(got, []rules.Token{tokens[j], on(rules.Out), on(size), tokens[i]}, 3)
	if err != nil || !near(got[3], w[i*n+j], 1e-9) || !near(got[0], 1-w[i*n+j], 1e-9) || got[1] != 0 || got[2] != 0 {
		t.Errorf("%v on turn against %v: %v (%v), want %.12f", tokens[i], tokens[j], got, err, w[i*n+j])
	}
}

// sameRace plays the match of two tokens on all pairs of squares at once, go by
// go, and compares its length and its first seat's chance.
func sameRace(t *rapid.T, track *rules.Track, c *odds.Chain, tokens []rules.Token, chances map[[2]rules.Token]float64) {
	h, err := odds.Examine(track, nil)
	if err != nil {
		t.Fatal(err)
	}
	law, _ := c.Law(rules.Token{})
	n := len(tokens)
	now := make([]float64, n*n) // per square of who is on turn, and of the other
	now[0] = 1
	left, wins, goes, quantiles := 1.0, 0.0, 0.0, map[float64]int{0.5: 0, 0.95: 0, 0.99: 0}
	for turn := 1; left > 1e-11 && turn < 5_000; turn++ {
		next, before := make([]float64, n*n), left
		left = 0
		for i, from := range tokens {
			for k, to := range tokens {
				p := chances[[2]rules.Token{from, to}]
				for j := range tokens {
					next[j*n+k] += p * now[i*n+j]
					left += p * now[i*n+j]
				}
			}
		}
		goes += before
		wins += float64(turn%2) * (before - left)
		for p, at := range quantiles {
			if at == 0 && left <= 1-p+1e-13 {
				quantiles[p] = turn
			}
		}
		now = next
	}
	if left > 1e-11 {
		return // it takes too long
	}
	if !near(h.Two.First.Value, wins, 1e-9) || !near(h.Two.Mean.Value/goes, 1, 1e-8) {
		t.Errorf("two players: first %.12f, %.9f goes, want %.12f and %.9f", h.Two.First.Value, h.Two.Mean.Value, wins, goes)
	}
	for p, want := range quantiles {
		if got := law.FirstHome(2, p); got != want {
			t.Errorf("two players: %g are over after %d goes, want %d", p, got, want)
		}
	}
	if h.Two.Median.Value != float64(law.FirstHome(2, 0.5)) || h.Two.Most.Value != float64(law.FirstHome(2, 0.95)) {
		t.Errorf("two players: %+v", h.Two)
	}
}

// gauss solves a system of equations whose right side is the last column.
func gauss(a [][]float64) []float64 {
	n := len(a)
	for c := range n {
		best := c
		for r := c; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[best][c]) {
				best = r
			}
		}
		a[c], a[best] = a[best], a[c]
		for r := range n {
			if f := a[r][c] / a[c][c]; r != c && f != 0 {
				for k := c; k <= n; k++ {
					a[r][k] -= f * a[c][k]
				}
			}
		}
	}
	x := make([]float64, n)
	for c := range x {
		x[c] = a[c][n] / a[c][c]
	}
	return x
}
