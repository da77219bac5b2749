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

// search is Endless by brute force and in other words: a state is where the go
// began, where the token is, and how many bonus rolls there were in a row, and
// all faces are thrown from each state that can be reached.
type search struct {
	board boards.Board
	rules rules.Rules
	rolls []throw
	lands [9][]int // per square and roll, where it comes to rest

	seen  [searchStates]bool
	home  [searchStates]bool
	queue []int
	edges [][2]int
}

// searchStates is how many states there are: 9 squares twice, and 11 streaks.
const searchStates = 9 * 9 * 11

// throw is what one way for the dice to fall comes to.
type throw struct {
	total int
	bonus bool
}

const searchHome = -1

func searchState(start, square, streak int) int { return (start*9+square)*11 + streak }

// throws appends all ways for the dice to fall, face by face, those that come
// to the same once.
func throws(r rules.Rules, all []throw) []throw {
	var dice [rules.MaxDice]int
	faces := dice[:r.Dice]
	for n := 0; ; n++ {
		left, total, equal, highest := n, 0, true, true
		for i := range faces {
			faces[i] = left%r.Sides + 1
			left /= r.Sides
			total += faces[i]
			equal = equal && faces[i] == faces[0]
			highest = highest && faces[i] == r.Sides
		}
		if left > 0 {
			return all
		}
		one := throw{total, r.Bonus == rules.Max && highest || r.Bonus == rules.Doubles && equal}
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
}

// stepTo walks a token step by step and takes the jump where it comes to rest.
func stepTo(b boards.Board, end rules.End, square, total int) int {
	at, ahead := square, 1
	for step := range total {
		if at == b.Size && end == rules.Overshoot {
			break
		}
		if at == b.Size && end == rules.Exact && step < total {
			return square
		}
		if at == b.Size {
			ahead = -1
		} else if at <= 1 {
			ahead = 1
		}
		at += ahead
	}
	if at == square {
		return square
	}
	for _, j := range b.Jumps {
		if j.From == at {
			return j.To
		}
	}
	return at
}

// newSearch reaches all states and finds those with a way home.
func newSearch(b boards.Board, r rules.Rules) *search {
	s := new(search)
	s.run(b, r)
	return s
}

// run is newSearch once more in the same memory.
func (s *search) run(b boards.Board, r rules.Rules) {
	for _, state := range s.queue {
		s.seen[state], s.home[state] = false, false
	}
	before := s.rules
	before.Void = r.Void
	if before != r || s.board.Size != b.Size || !slices.Equal(s.board.Jumps, b.Jumps) {
		s.rolls = throws(r, s.rolls[:0])
		for square := range b.Size {
			s.lands[square] = s.lands[square][:0]
			for _, roll := range s.rolls {
				s.lands[square] = append(s.lands[square], stepTo(b, r.End, square, roll.total))
			}
		}
	}
	s.board, s.rules, s.queue, s.edges = b, r, s.queue[:0], s.edges[:0]
	s.seen[0] = true
	s.queue = append(s.queue, searchState(0, 0, 0))
	for i := 0; i < len(s.queue); i++ {
		for roll := range s.rolls {
			next := s.after(s.queue[i], roll)
			s.edges = append(s.edges, [2]int{s.queue[i], next})
			if next != searchHome && !s.seen[next] {
				s.seen[next] = true
				s.queue = append(s.queue, next)
			}
		}
	}
	for grown := true; grown; {
		grown = false
		for i := len(s.edges) - 1; i >= 0; i-- {
			from, to := s.edges[i][0], s.edges[i][1]
			if !s.home[from] && (to == searchHome || s.home[to]) {
				s.home[from], grown = true, true
			}
		}
	}
}

// after returns the state that a roll leads to.
func (s *search) after(state, roll int) int {
	start, square, streak := state/99, state/11%9, state%11
	if s.rolls[roll].bonus && s.rules.Void > 0 && streak+1 == s.rules.Void {
		return searchState(start, start, 0)
	}
	to := s.lands[square][roll]
	switch {
	case to == s.board.Size:
		return searchHome
	case !s.rolls[roll].bonus:
		return searchState(to, to, 0)
	case s.rules.Void == 0:
		return searchState(start, to, 0)
	}
	return searchState(start, to, streak+1)
}

// trapped reports whether some state that can be reached has no way home, and
// the highest square that has none of those on which a go can begin or, where
// it is never void, go on.
func (s *search) trapped() (square int, trapped bool) {
	square = -1
	for _, state := range s.queue {
		if s.home[state] {
			continue
		}
		trapped = true
		if at := state / 11 % 9; state == searchState(at, at, 0) || s.rules.Void == 0 {
			square = max(square, at)
		}
	}
	return square, trapped
}

// smallBoards calls visit with every valid board of a size and up to two
// jumps.
func smallBoards(size int, visit func(boards.Board)) {
	all := []boards.Jump{{}} // the first is none
	for from := 1; from < size; from++ {
		for to := 1; to <= size; to++ {
			if to != from {
				all = append(all, boards.Jump{From: from, To: to})
			}
		}
	}
	for i, one := range all {
		for _, two := range all[i:] {
			b := boards.Board{Name: "small", Size: size, Columns: 10}
			if one.From != 0 {
				b.Jumps = append(b.Jumps, one)
			}
			if two.From > one.From {
				b.Jumps = append(b.Jumps, two)
			} else if two.From != 0 {
				continue
			}
			if len(b.Jumps) == 2 && (one.To == two.From || two.To == one.From) {
				b.Chains = boards.Once
			}
			visit(b)
		}
	}
}

// allRules calls visit with every end, bonus and void rule for some dice.
func allRules(dice, sides int, voids []int, visit func(rules.Rules)) {
	for end := rules.Exact; end <= rules.Bounce; end++ {
		for bonus := rules.NoBonus; bonus <= rules.Doubles; bonus++ {
			if bonus == rules.Doubles && dice == 1 {
				continue
			}
			for _, void := range voids {
				r := rules.Default()
				r.Dice, r.Sides, r.End, r.Bonus, r.Void = dice, sides, end, bonus, void
				visit(r)
				if bonus == rules.NoBonus {
					break
				}
			}
		}
	}
}

func compile(t testing.TB, b boards.Board, r rules.Rules) *rules.Track {
	t.Helper()
	track, err := rules.Compile(b, r)
	if err != nil {
		t.Fatal(err)
	}
	return track
}

// someVoids are the void rules, all of them on the smallest boards.
func someVoids(size int) []int {
	if size <= 5 {
		return []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	}
	return []int{0, 1, 3}
}

func TestEndlessAgreesWithASearchOfAllSmallBoards(t *testing.T) {
	for _, dice := range [][2]int{{1, 2}, {1, 3}, {1, 6}, {2, 2}, {2, 3}, {2, 6}} {
		t.Run(fmt.Sprintf("%dx%d", dice[0], dice[1]), func(t *testing.T) {
			t.Parallel()
			checked, endless, s := 0, 0, new(search)
			check := func(b boards.Board) {
				allRules(dice[0], dice[1], someVoids(b.Size), func(r rules.Rules) {
					checked++
					if checkEndless(t, s, b, r, endless%16 == 0) {
						endless++
					}
				})
			}
			most := 8
			if dice == [2]int{2, 6} {
				most = 6 // 21 ways to fall take a while to search
			}
			for size := 2; size <= most; size++ {
				smallBoards(size, check)
			}
			random := rand.New(rand.NewPCG(uint64(dice[0]), uint64(dice[1])))
			for range 100 {
				check(crowdedBoard(random))
			}
			if (endless == 0) != (dice == [2]int{1, 6}) || endless == checked { // six sides leap over all but walls of six
				t.Errorf("%d of %d are endless: this compares nothing", endless, checked)
			}
			t.Logf("%d boards and rules, %d endless", checked, endless)
		})
	}
}

// crowdedBoard returns a board of 8 squares with jumps, mostly snakes, from
// most of them.
func crowdedBoard(random *rand.Rand) boards.Board {
	b := boards.Board{Name: "crowded", Size: 8, Columns: 10, Chains: boards.Once}
	for from := 1; from < b.Size; from++ {
		if to := 1 + random.IntN(from+1); to != from {
			b.Jumps = append(b.Jumps, boards.Jump{From: from, To: to})
		}
	}
	return b
}

// checkEndless compares Endless with the search, and reports what it says.
func checkEndless(t *testing.T, s *search, b boards.Board, r rules.Rules, mend bool) bool {
	t.Helper()
	e := compile(t, b, r).Endless()
	s.run(b, r)
	square, trapped := s.trapped()
	switch {
	case (e != nil) != trapped:
		t.Fatalf("%s under %s: Endless says %v, the search %v", b.Format(boards.Line), r.Notation(), e, trapped)
	case e != nil && e.Square != square:
		t.Fatalf("%s under %s: Endless names %d, the search %d", b.Format(boards.Line), r.Notation(), e.Square, square)
	case e != nil && e.Mend != nil && mend:
		if at, trapped := newSearch(b, mended(t, r, e)).trapped(); trapped {
			t.Fatalf("%s under %s: the mend %v leaves a trap on %d", b.Format(boards.Line), r.Notation(), *e.Mend, at)
		}
	}
	return e != nil
}

// mended returns rules changed by what Endless says would help.
func mended(t *testing.T, r rules.Rules, e *rules.Endless) rules.Rules {
	t.Helper()
	mended, err := r.With([]rules.Given{*e.Mend})
	if err != nil {
		t.Fatalf("the mend %v of %s: %v", *e.Mend, r.Notation(), err)
	}
	return mended
}

// wall returns a board of size squares with a snake from each square of first
// to last down to 1.
func wall(size int, walls ...[2]int) boards.Board {
	b := boards.Board{Name: "walled", Size: size, Columns: 10}
	for _, w := range walls {
		for from := w[0]; from <= w[1]; from++ {
			b.Jumps = append(b.Jumps, boards.Jump{From: from, To: 1})
		}
	}
	return b
}

func shipped(t testing.TB, name string) boards.Board {
	t.Helper()
	b, ok := boards.Find(name)
	if !ok {
		t.Fatalf("no board %s", name)
	}
	return b
}

func with(t testing.TB, settings ...string) rules.Rules {
	t.Helper()
	var given []rules.Given
	for _, s := range settings {
		key, value, _ := strings.Cut(s, "=")
		given = append(given, rules.Given{Key: key, Value: value})
	}
	r, err := rules.Default().With(given)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEndlessNamesTheSquareAndWhatHelps(t *testing.T) {
	classic := shipped(t, "classic")
	for _, c := range []struct {
		about    string
		board    boards.Board
		settings []string
		square   int // -1 where the match ends
		mend     string
	}{
		{"one die", classic, nil, -1, ""},
		{"two dice can't make one step", classic, []string{"dice=2"}, 99, "end=overshoot"},
		{"but any step is enough", classic, []string{"dice=2", "end=overshoot"}, -1, ""},
		{"or a way back is", classic, []string{"dice=2", "end=bounce"}, -1, ""},
		{"nobody stops on the square before the last", tiny(), []string{"dice=2"}, -1, ""},
		{"five snakes can be leapt over", wall(20, [2]int{10, 14}), nil, -1, ""},
		{"six can't, and one die has no other way", wall(20, [2]int{10, 15}), nil, 9, ""},
		{"two dice leap over six", wall(20, [2]int{10, 15}), []string{"dice=2", "end=bounce"}, -1, ""},
		{"of two walls the first one is reached", wall(40, [2]int{10, 15}, [2]int{20, 25}), nil, 9, ""},
		{"of two walls the second one is reached", wall(40, [2]int{10, 14}, [2]int{20, 25}), nil, 19, ""},
		{"two walls of five", wall(40, [2]int{10, 14}, [2]int{20, 24}), nil, -1, ""},
		{"a bounce off the end doesn't pass a wall behind it", wall(20, [2]int{10, 15}), []string{"end=bounce"}, 9, ""},
		{"four sides and a wall of four", wall(20, [2]int{10, 13}), []string{"sides=4"}, 9, "sides=6"},
		{"the first bonus roll is void, so six is never moved", wall(20, [2]int{10, 14}), []string{"bonus=max", "void=1"}, 9, "void=3"},
		{"only doubles move two dice by 12", wall(30, [2]int{10, 20}), []string{"dice=2", "end=bounce", "bonus=doubles", "void=1"}, 9, "void=3"},
	} {
		t.Run(c.about, func(t *testing.T) {
			e := compile(t, c.board, with(t, c.settings...)).Endless()
			if c.square < 0 {
				if e != nil {
					t.Fatalf("got %v, want no end of ends", e)
				}
				return
			}
			if e == nil || e.Square != c.square {
				t.Fatalf("got %v, want square %d", e, c.square)
			}
			mend := ""
			if e.Mend != nil {
				mend = e.Mend.Key + "=" + e.Mend.Value
				if again := compile(t, c.board, mended(t, with(t, c.settings...), e)).Endless(); again != nil {
					t.Errorf("the mend %s doesn't: %v", mend, again)
				}
			}
			if mend != c.mend {
				t.Errorf("the mend is %q, want %q", mend, c.mend)
			}
			if said := e.Error(); !strings.Contains(said, fmt.Sprintf("from %d ", c.square)) || !strings.Contains(said, mend) {
				t.Errorf("Error says %q", said)
			}
		})
	}
}

// Measured by BenchmarkEndless at 10,000 squares.
func TestEndlessOfGreatBoards(t *testing.T) {
	t.Parallel()
	for _, c := range greatBoards(1400) {
		t.Run(c.about, func(t *testing.T) {
			e := compile(t, c.board, with(t, c.settings...)).Endless()
			if (e != nil) != (c.square >= 0) || e != nil && e.Square != c.square {
				t.Errorf("got %v, want square %d", e, c.square)
			}
		})
	}
}

type greatBoard struct {
	about    string
	board    boards.Board
	settings []string
	square   int // -1 where the match ends
}

// greatBoards returns boards and rules that are the most work to prove.
func greatBoards(size int) []greatBoard {
	most := []string{"dice=10", "sides=100", "bonus=doubles", "void=10"}
	bounce := append(most, "end=bounce")
	return []greatBoard{
		{"no trap", wall(size), bounce, -1},
		{"steps too small at the end", wall(size), most, size - 1},
		{"a wall of a thousand", wall(size, [2]int{size / 4, size/4 + 999}), bounce, size/4 - 1},
		{"a way home down all the stairs", stairs(size), []string{"sides=2", "bonus=max", "void=10"}, -1},
	}
}

func tiny() boards.Board {
	return boards.Board{
		Name: "tiny", Size: 9, Columns: 10,
		Jumps: []boards.Jump{{From: 4, To: 7}, {From: 8, To: 2}},
	}
}

// stairs returns a board on which the only ladder home is at the bottom, and
// each stretch of six squares leads up to the next one or down to the one
// before it: the way home from the top has as many snakes as there are stretches.
func stairs(size int) boards.Board {
	b := boards.Board{Name: "stairs", Size: size, Columns: 10, Jumps: []boards.Jump{
		{From: 2, To: 7}, {From: 3, To: size}, {From: 4, To: 1}, {From: 5, To: 1},
	}}
	at := 7
	for ; at+10 < size; at += 6 {
		b.Jumps = append(b.Jumps, boards.Jump{From: at + 1, To: at + 6},
			boards.Jump{From: at + 3, To: at - 6}, boards.Jump{From: at + 4, To: at - 6})
	}
	b.Jumps = append(b.Jumps, boards.Jump{From: at + 1, To: at - 6}, boards.Jump{From: at + 2, To: at - 6})
	return b
}
