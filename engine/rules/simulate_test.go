package rules_test

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hiss/boards"
	"hiss/engine/rules"
)

// sample gathers numbers and tells their mean and standard deviation.
type sample struct{ n, sum, squares, cubes, fourths float64 }

func (s *sample) add(x float64) {
	s.n++
	s.sum += x
	s.squares += x * x
	s.cubes += x * x * x
	s.fourths += x * x * x * x
}

func (s *sample) mean() float64 { return s.sum / s.n }

func (s *sample) deviation() float64 {
	return math.Sqrt(s.squares/s.n - s.mean()*s.mean())
}

// deviationError is the standard error of the deviation.
func (s *sample) deviationError() float64 {
	m := s.mean()
	fourth := s.fourths/s.n - 4*m*s.cubes/s.n + 6*m*m*s.squares/s.n - 3*m*m*m*m
	variance := s.deviation() * s.deviation()
	return math.Sqrt((fourth-variance*variance)/s.n) / (2 * s.deviation())
}

// wantMean fails unless the mean is within 3 standard errors of what is exact.
func (s *sample) wantMean(t *testing.T, what string, exact float64) {
	t.Helper()
	if e := s.deviation() / math.Sqrt(s.n); math.Abs(s.mean()-exact) > 3*e {
		t.Errorf("%s: mean %.5f ± %.5f, want %.5f", what, s.mean(), e, exact)
	}
}

func (s *sample) wantDeviation(t *testing.T, what string, exact float64) {
	t.Helper()
	if e := s.deviationError(); math.Abs(s.deviation()-exact) > 3*e {
		t.Errorf("%s: standard deviation %.5f ± %.5f, want %.5f", what, s.deviation(), e, exact)
	}
}

// play plays matches on a simulation and calls each after every one. One that
// reaches its limit fails.
func play(t *testing.T, track *rules.Track, seats, matches int, seed rules.Source, each func(*rules.Simulation)) {
	t.Helper()
	s := rules.NewSimulation(track, seats)
	for range matches {
		if !s.Play(&seed, seats, rules.MaxGoes) {
			t.Fatalf("a match isn't over after %d goes", s.Total)
		}
		each(s)
	}
}

// ladders returns a board without snakes whose squares 1 to 6 lead to 99.
func ladders() boards.Board {
	b := boards.Board{Name: "ladders", Size: 100, Columns: 10}
	for from := 1; from <= 6; from++ {
		b.Jumps = append(b.Jumps, boards.Jump{From: from, To: 99})
	}
	return b
}

func TestGoesOfOnePlayer(t *testing.T) {
	m48, m47 := shipped(t, "classic"), shipped(t, "classic47")
	ten := boards.Board{Name: "ten", Size: 10, Columns: 10, Jumps: []boards.Jump{{From: 4, To: 7}, {From: 9, To: 2}}}
	for i, c := range []struct {
		board           boards.Board
		settings        string
		mean, deviation float64
	}{
		{m48, "end=exact", 39.598365640208197, 25.602516165673},
		{m48, "end=overshoot", 36.193070218974931, 23.732952538245},
		{m48, "end=bounce", 43.739643319677910, 30.659976800784},
		{m48, "bonus=max", 33.765299331250034, 22.079154416922},
		{m48, "end=bounce bonus=max", 37.185284258736188, 26.184535010319},
		{m48, "dice=2 end=overshoot", 16.920745624706200, 7.986782423326},
		{m48, "dice=2 end=bounce bonus=max", 29.674475243587304, 20.678008207005},
		{m48, "dice=2 end=bounce bonus=doubles", 25.849051832145, 17.968413021},
		{m47, "end=exact", 39.225122308234960, 25.224957112845},
		{m47, "bonus=max void=0", 32.799361786, 21.2997},
		{tiny(), "end=exact", 8.6, 6.922427319951},
		{tiny(), "end=bounce", 9.677419354838710, 8.151275252463},
		{tiny(), "bonus=max", 7.276978681122417, 5.779292962198},
		{wall(2), "end=overshoot", 7.0 / 6, math.Sqrt(5) / 6},
		{wall(100), "end=exact", 33.3333333333, 6.0422},
		{wall(100), "end=bounce", 33.3333333333, 6.0422},
		{ten, "end=exact", 53.0 / 6, 6.9334},
		{ladders(), "end=exact", 1 + 6, math.Sqrt(30)}, // one go to 99, then 6
	} {
		name := c.board.Name + " " + c.settings
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var goes sample
			track := compile(t, c.board, with(t, strings.Fields(c.settings)...))
			play(t, track, 1, 200_000, rules.Source(i+1), func(s *rules.Simulation) {
				goes.add(float64(s.Total))
				if s.Goes[0] != s.Total || s.Squares[0] != c.board.Size || s.Places[0] != 1 {
					t.Fatalf("%d goes, square %d, place %d of %d goes", s.Goes[0], s.Squares[0], s.Places[0], s.Total)
				}
			})
			goes.wantMean(t, name, c.mean)
			goes.wantDeviation(t, name, c.deviation)
		})
	}
}

// short returns how many of all sequences of n throws end on the last square
// with the last one.
func short(track *rules.Track, square, n int) int {
	count := 0
	for face := 1; face <= 6; face++ {
		switch _, to := track.Move(square, face); {
		case to == track.Size() && n == 1:
			count++
		case to != track.Size() && n > 1:
			count += short(track, to, n-1)
		}
	}
	return count
}

func TestShortGamesCounted(t *testing.T) {
	for _, c := range []struct {
		board, end   string
		seven, eight int
	}{
		{"classic", "exact", 438, 7380},
		{"classic", "overshoot", 552, 10371},
		{"classic47", "exact", 423, 7272},
	} {
		track := compile(t, shipped(t, c.board), with(t, "end="+c.end))
		for n, want := range []int{6: 0, 7: c.seven, 8: c.eight} {
			if n == 0 {
				continue
			}
			if got := short(track, 0, n); got != want {
				t.Errorf("%s %s: %d games of %d throws, want %d", c.board, c.end, got, n, want)
			}
		}
		var visits []int
		square := 0
		for _, face := range []int{1, 1, 6, 6, 1, 6, 6} {
			_, square = track.Move(square, face)
			visits = append(visits, square)
		}
		if want := []int{38, 39, 45, 67, 68, 74, 100}; !slices.Equal(visits, want) {
			t.Errorf("%s %s: 1 1 6 6 1 6 6 visits %v, want %v", c.board, c.end, visits, want)
		}
	}
}

func TestChancesInTurnOrder(t *testing.T) {
	m48, m47 := shipped(t, "classic"), shipped(t, "classic47")
	for i, c := range []struct {
		board    boards.Board
		settings string
		chances  []float64 // none where only the goes are known
		goes     float64   // 0 where not known
		matches  int
	}{
		{m48, "end=exact", []float64{0.507802773461, 0.492197226539}, 0, 200_000},
		{m48, "end=exact", []float64{0.259948070650, 0.253184706937, 0.246619875128, 0.240247347285}, 0, 200_000},
		{m48, "bonus=max", []float64{0.509034091729, 0.490965908271}, 44.450828064, 200_000},
		{m48, "bonus=max", []float64{0.344360097604, 0.333199157904, 0.322440744492}, 54.329115980, 200_000},
		{m47, "bonus=max", []float64{0.344493840574, 0.333195699387, 0.322310460039}, 54.015444893, 200_000},
		{m47, "dice=2 end=bounce bonus=max", []float64{0, 0, 0}, 45.608809201, 20_000}, // without a table
		{wall(100), "end=overshoot", []float64{0.55390, 0.44610}, 0, 200_000},
	} {
		seats := len(c.chances)
		name := fmt.Sprintf("%s %s %d", c.board.Name, c.settings, seats)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var goes sample
			var wins [rules.MaxSeats]int
			track := compile(t, c.board, with(t, strings.Fields(c.settings)...))
			play(t, track, seats, c.matches, rules.Source(100+i), func(s *rules.Simulation) {
				goes.add(float64(s.Total))
				wins[slices.Index(s.Places[:], 1)]++
			})
			if c.goes > 0 {
				goes.wantMean(t, name, c.goes)
			}
			for seat, p := range c.chances {
				got := float64(wins[seat]) / float64(c.matches)
				e := math.Sqrt(p * (1 - p) / float64(c.matches))
				if p > 0 && math.Abs(got-p) > 3*e {
					t.Errorf("seat %d wins %.5f ± %.5f, want %.5f", seat+1, got, e, p)
				}
			}
		})
	}
}

func TestAllHomeTakesAsManyGoesAsAllAlone(t *testing.T) {
	const m48, family, doubles = 39.598365640208197, 33.765299331250034, 25.849051832145
	for i, c := range []struct {
		settings string
		seats    int
		alone    float64
		matches  int
	}{
		{"finish=all", 2, m48, 50_000},
		{"finish=all", 5, m48, 20_000},
		{"finish=all bonus=max", 3, family, 50_000},
		{"finish=all dice=2 end=bounce bonus=doubles", 3, doubles, 20_000},
	} {
		t.Run(fmt.Sprintf("%s %d", c.settings, c.seats), func(t *testing.T) {
			t.Parallel()
			var goes sample
			track := compile(t, shipped(t, "classic"), with(t, strings.Fields(c.settings)...))
			play(t, track, c.seats, c.matches, rules.Source(200+i), func(s *rules.Simulation) {
				goes.add(float64(s.Total))
				for seat := range c.seats {
					if s.Places[seat] == 0 || s.Squares[seat] != 100 {
						t.Fatalf("places %v on %v", s.Places, s.Squares)
					}
				}
			})
			goes.wantMean(t, "goes", float64(c.seats)*c.alone)
		})
	}
}

// sourceDice throws in a match what a simulation throws with the same source.
type sourceDice struct {
	simulation *rules.Simulation
	source     rules.Source
	from       int // the number of the first of the faces
	faces      []int
}

func (d *sourceDice) Face(k int) int {
	for k-d.from >= len(d.faces) {
		d.faces = append(d.faces, d.simulation.Faces(d.source.Next())...)
	}
	return d.faces[k-d.from]
}

// moment is a match after a go.
type moment struct {
	squares, goes, places [rules.MaxSeats]int
	shields               [rules.MaxSeats]bool
	over                  bool
}

// pressed plays a match by presses and returns it after every go, the opening
// first, until it's over or has had most goes.
func pressed(t *testing.T, track *rules.Track, seats int, d *sourceDice, most int) []moment {
	t.Helper()
	g := rules.NewGame(track)
	apply := func(e rules.Event, err error) {
		if err == nil {
			err = g.Apply(e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	name := func(seat int) rules.PlayerID { return rules.PlayerID(rune('A' + seat)) }
	apply(g.Open(name(0), false), nil)
	for seat := 1; seat < seats; seat++ {
		apply(g.Join(name(seat)))
	}
	moments := []moment{{}}
	for g.Phase() != rules.Finished && g.Goes() < most {
		if track.Rules().Bonus != rules.NoBonus { // a go that ends early leaves faces
			d.from, d.faces = g.Thrown(), nil
		}
		events, err := g.Press(name(g.Turn()), d)
		if err != nil || len(events) != 1 {
			t.Fatalf("a press gives %v, %v", events, err)
		}
		apply(events[0], nil)
		m := moment{over: g.Phase() == rules.Finished}
		for seat := range seats {
			s := g.Seat(seat)
			m.squares[seat], m.goes[seat], m.places[seat], m.shields[seat] = s.Square, s.Goes, s.Place, s.Shield
		}
		moments = append(moments, m)
	}
	return moments
}

func TestFacesFallEquallyOften(t *testing.T) {
	for _, c := range []struct {
		settings             string
		sides, seats, atOnce int
	}{
		{"sides=2", 2, 1, 3}, {"sides=6", 6, 1, 3}, {"sides=8", 8, 2, 1}, {"sides=10", 10, 1, 3},
		{"bonus=max sides=3 void=4", 3, 3, 4}, {"bonus=max sides=20 void=2", 20, 2, 2},
		{"sides=100", 100, 1, 1}, {"bonus=max void=10", 6, 1, 1}, {"dice=3", 6, 1, 1},
	} {
		s := rules.NewSimulation(compile(t, tiny(), with(t, strings.Fields(c.settings)...)), c.seats)
		outcomes := uint64(1)
		for range c.atOnce {
			outcomes *= uint64(c.sides)
		}
		seen := make(map[string]bool)
		for i := range outcomes {
			// The middle of the numbers that stand for outcome i.
			number, _ := bits.Div64(i, 1<<63, outcomes)
			faces := s.Faces(number)
			if len(faces) != c.atOnce || slices.Min(faces) < 1 || slices.Max(faces) > c.sides {
				t.Fatalf("%s: faces %v", c.settings, faces)
			}
			seen[fmt.Sprint(faces)] = true
		}
		if len(seen) != int(outcomes) {
			t.Errorf("%s: %d of %d outcomes", c.settings, len(seen), outcomes)
		}
	}
}

// anyRules returns rules at random, half of them with one die.
func anyRules(random *rand.Rand) rules.Rules {
	r := rules.Default()
	r.Dice = 1 + random.IntN(2)*random.IntN(4)
	r.Sides = []int{2, 3, 4, 4, 5, 6, 6, 20}[random.IntN(8)]
	r.End = rules.End(random.IntN(3))
	r.Bonus = rules.Bonus(random.IntN(2 + min(r.Dice-1, 1)))
	r.Void = []int{0, 1, 2, 3, 3, 4, 10}[random.IntN(7)]
	r.Finish = rules.Finish(random.IntN(3))
	r.Solo = true
	return r
}

func TestSimulationPlaysTheGame(t *testing.T) {
	for part := range uint64(4) {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			const matches = 2_500
			random := rand.New(rand.NewPCG(3, part))
			over, ways := 0, make(map[string]int)
			for range matches {
				s, finished := compareMatch(t, random)
				if finished {
					over++
				}
				ways[fmt.Sprint(len(s.Faces(0)), " at once")]++
			}
			if over < matches*8/10 {
				t.Errorf("only %d of %d matches came to their end", over, matches)
			}
			if ways["1 at once"] > matches*9/10 || ways["3 at once"] < matches/20 {
				t.Errorf("the ways to simulate are %v", ways)
			}
		})
	}
}

// compareMatch plays a match on a random board by random rules in both ways,
// and reports whether it came to its end.
func compareMatch(t *testing.T, random *rand.Rand) (s *rules.Simulation, over bool) {
	const watched, most = 12, 150
	size := 12 + random.IntN(18)
	jumps := random.IntN(min(boards.Room(size), 8) + 1)
	plan := boards.Plan{Size: size, Ladders: jumps / 2, Snakes: jumps - jumps/2}
	board, err := boards.Random(plan, random.IntN, nil)
	if err != nil {
		t.Fatal(err)
	}
	if random.IntN(3) == 0 {
		board.Specials = anySpecials(board, random)
	}
	track := compile(t, board, anyRules(random))
	seats := 1 + random.IntN(4)
	s = rules.NewSimulation(track, seats)
	seed := rules.Source(random.Uint64())
	moments := pressed(t, track, seats, &sourceDice{simulation: s, source: seed}, most+2)
	for limit := 1; limit <= watched; limit++ {
		comparePlay(t, s, seed, seats, limit, moments)
	}
	comparePlay(t, s, seed, seats, most, moments)
	if t.Failed() {
		t.Fatalf("%s under %s with %d seats from %d", board.Format(boards.Line), track.Rules().Notation(), seats, seed)
	}
	return s, moments[len(moments)-1].over
}

// anySpecials puts effects on some of the squares that no jump starts on.
func anySpecials(b boards.Board, random *rand.Rand) []boards.Special {
	var all []boards.Special
	for square := 1; square < b.Size; square++ {
		if _, taken := b.Jump(square); !taken && random.IntN(3) == 0 {
			all = append(all, boards.Special{Square: square, Effect: boards.Effect(1 + random.IntN(4))})
		}
	}
	return all
}

// comparePlay plays up to a limit and compares where the match stands then.
func comparePlay(t *testing.T, s *rules.Simulation, seed rules.Source, seats, limit int, moments []moment) {
	over := s.Play(&seed, seats, limit)
	end := len(moments) - 1
	slack := 0
	if seats == 1 {
		slack = 2
	}
	if s.Total < min(limit, end) || s.Total > min(limit+slack, end) {
		t.Errorf("limit %d: %d goes of %d", limit, s.Total, end)
		return
	}
	got := moment{s.Squares, s.Goes, s.Places, s.Shields, over}
	if want := moments[s.Total]; got != want {
		t.Errorf("limit %d, after %d goes: simulated %v, pressed %v", limit, s.Total, got, want)
	}
}

// TestSimulationPlaysOn: a match that is continued, or begun from where another
// stands, is the one that was played at once.
func TestSimulationPlaysOn(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 0))
	for range 2_000 {
		board, err := boards.Random(boards.Plan{Size: 25, Ladders: 2, Snakes: 3}, random.IntN, nil)
		if err != nil {
			t.Fatal(err)
		}
		board.Specials = anySpecials(board, random)
		track := compile(t, board, anyRules(random))
		seats, limit, source := 1+random.IntN(4), 1+random.IntN(20), rules.Source(random.Uint64())
		whole, parts, from := rules.NewSimulation(track, seats), rules.NewSimulation(track, seats), rules.NewSimulation(track, seats)
		same, tail := source, source
		over := whole.Play(&source, seats, 500)
		if parts.Play(&same, seats, limit) {
			continue
		}
		before, goes, tokens := parts.Total, parts.Goes, make([]rules.Token, seats)
		from.Play(&tail, seats, limit)
		for i := range tokens {
			tokens[i] = rules.Token{Square: parts.Squares[i], Shield: parts.Shields[i]}
		}
		done := parts.Continue(&same, 500)
		got, want := moment{parts.Squares, parts.Goes, parts.Places, parts.Shields, done}, moment{whole.Squares, whole.Goes, whole.Places, whole.Shields, over}
		if got != want || parts.Total != whole.Total || same != source || parts.Rolls != whole.Rolls {
			t.Fatalf("%s under %s:\ncontinued %v\nat once   %v", board.Format(boards.Line), track.Rules().Notation(), got, want)
		}
		if slices.Max(goes[:seats]) > slices.Min(goes[:seats]) || slices.ContainsFunc(board.Specials, func(s boards.Special) bool { return s.Effect == boards.Skip }) {
			continue // whose go it was can't be told from outside
		}
		done = from.PlayFrom(&tail, tokens, 0, 500-before)
		if from.Squares != whole.Squares || from.Shields != whole.Shields || done != over || from.Total+before != whole.Total {
			t.Fatalf("%s under %s:\nbegun from %v, at once %v", board.Format(boards.Line), track.Rules().Notation(), from.Squares, whole.Squares)
		}
	}
}

// TestSimulationOfSomeSeats: seats that are home or out throw nothing.
func TestSimulationOfSomeSeats(t *testing.T) {
	track := compile(t, shipped(t, "classic"), with(t, "finish=last"))
	two, four := rules.NewSimulation(track, 2), rules.NewSimulation(track, 4)
	for seed := range rules.Source(200) {
		one, other := seed, seed
		two.PlayFrom(&one, []rules.Token{{Square: 7}, {Square: 20}}, 0, rules.MaxGoes)
		over := four.PlayFrom(&other, []rules.Token{{Square: 20}, {Square: 100}, {Square: 7}, {Square: rules.Out}}, 1, rules.MaxGoes)
		if !over || four.Places != [rules.MaxSeats]int{two.Places[1], 0, two.Places[0], 0} || four.Total != two.Total || four.Goes[1]+four.Goes[3] != 0 {
			t.Fatalf("four %v after %d goes, two %v after %d", four.Places, four.Total, two.Places, two.Total)
		}
	}
	var source rules.Source
	if !four.PlayFrom(&source, []rules.Token{{Square: 100}, {Square: rules.Out}}, 0, 10) || four.Total != 0 || source != 0 {
		t.Errorf("nobody throws, %d goes", four.Total)
	}
}

func TestPlayAllocatesNothing(t *testing.T) {
	for _, c := range []struct {
		settings string
		seats    int
	}{
		{"end=exact", 1}, {"bonus=max", 1}, {"bonus=max", 3}, {"finish=last", 4}, {"finish=all", 16},
		{"bonus=max void=0", 2}, {"dice=10 end=overshoot bonus=doubles", 3}, {"bonus=max effects", 3},
	} {
		board := shipped(t, "classic")
		settings, effects := strings.CutSuffix(c.settings, " effects")
		if effects {
			board.Specials = anySpecials(board, rand.New(rand.NewPCG(5, 0)))
		}
		track := compile(t, board, with(t, strings.Fields(settings)...))
		s := rules.NewSimulation(track, c.seats)
		var source rules.Source
		if n := testing.AllocsPerRun(100, func() { s.Play(&source, c.seats, rules.MaxGoes) }); n != 0 {
			t.Errorf("%s with %d seats: %v allocations a match", c.settings, c.seats, n)
		}
	}
}
