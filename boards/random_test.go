package boards_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"testing"

	"hiss/boards"
)

// draws returns the draws of a numbered seed: splitmix64, which costs little
// even under the race detector.
func draws(seed uint64) func(int) int {
	state := seed * 0xd1342543de82ef95
	return func(n int) int {
		state += 0x9e3779b97f4a7c15
		z := state
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return int((z ^ z>>31) % uint64(n))
	}
}

// wrong says what is wrong with a random board, or "". It knows the rules by
// itself, not through Check.
func wrong(b boards.Board, p boards.Plan) string {
	taken := make([]bool, p.Size+1)
	ladders, snakes := 0, 0
	for i, j := range b.Jumps {
		low, high := min(j.From, j.To), max(j.From, j.To)
		switch {
		case low < 1 || high >= p.Size:
			return fmt.Sprintf("%v is off the board or on its last square", j)
		case high-low < 10:
			return fmt.Sprintf("%v is too short", j)
		case taken[low] || taken[high]:
			return fmt.Sprintf("%v shares a square", j)
		case i > 0 && b.Jumps[i-1].From > j.From:
			return "not sorted"
		case j.Ladder() && j.From > p.Size-10:
			return fmt.Sprintf("ladder's foot on the last ten: %v", j)
		case !j.Ladder() && j.From <= 10:
			return fmt.Sprintf("snake's head on the first ten: %v", j)
		}
		taken[low], taken[high] = true, true
		if j.Ladder() {
			ladders++
		} else {
			snakes++
		}
	}
	if ladders != p.Ladders || snakes != p.Snakes || b.Size != p.Size {
		return fmt.Sprintf("%d ladders and %d snakes on %d squares", ladders, snakes, b.Size)
	}
	return ""
}

// 100,000 boards of as many seeds, of every size up to 120, from bare to packed.
func TestRandomBoardsAreValid(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100_000) {
		draw := draws(seed)
		size := 2 + int(seed%119)
		room := boards.Room(size)
		jumps := min(room, draw(7))
		if seed%24 == 0 { // packed, which takes longest
			jumps = room - min(room, draw(2))
		}
		ladders := draw(jumps + 1)
		p := boards.Plan{Size: size, Ladders: ladders, Snakes: jumps - ladders}
		b, err := boards.Random(p, draw, nil)
		if err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		if fault := wrong(b, p); fault != "" {
			t.Fatalf("%+v, seed %d: %s", p, seed, fault)
		}
		if err := b.Check(); err != nil {
			t.Fatalf("%+v, seed %d: %v", p, seed, err)
		}
	}
}

func TestRandomFillsWhatHasRoom(t *testing.T) {
	t.Parallel()
	plans := []boards.Plan{
		{Size: 12, Ladders: 1}, {Size: 20, Ladders: 4, Snakes: 5}, {Size: 21, Snakes: 10}, {Size: 21, Ladders: 10},
		{Size: boards.MaxSize, Ladders: 2500, Snakes: 2499}, {Size: boards.MaxSize, Snakes: 4999},
	}
	for ladders := range 50 {
		plans = append(plans, boards.Plan{Size: 100, Ladders: ladders, Snakes: 49 - ladders})
	}
	for _, p := range plans {
		b, err := boards.Random(p, draws(1), nil)
		if err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		if fault := wrong(b, p); fault != "" {
			t.Errorf("%+v: %s", p, fault)
		}
		if err := b.Check(); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
		if again, err := boards.Parse("", []byte(b.File())); err != nil || !same(again, b) {
			t.Errorf("%+v isn't read again: %v", p, err)
		}
	}
}

// Room is the most that fits, proved by search on small boards: pairs of
// squares ten or more apart, none shared, is all that the rules ask for.
func TestRoomIsTheMostThatFits(t *testing.T) {
	for size := 2; size <= 26; size++ {
		if got, want := boards.Room(size), mostPairs(size-1); got != want {
			t.Errorf("Room(%d) = %d, want %d", size, got, want)
		}
	}
	for size := 21; size <= boards.MaxSize; size++ {
		if got := boards.Room(size); got != (size-1)/2 {
			t.Fatalf("Room(%d) = %d", size, got)
		}
	}
}

// mostPairs tries every way to pair the squares 1 to usable.
func mostPairs(usable int) int {
	known := map[uint64]int{}
	var most func(free uint64) int
	most = func(free uint64) int {
		if free == 0 {
			return 0
		}
		if n, ok := known[free]; ok {
			return n
		}
		low := 0
		for free&(1<<low) == 0 {
			low++
		}
		free &^= 1 << low
		best := most(free) // low stays alone
		for high := low + 10; high < usable; high++ {
			if free&(1<<high) != 0 {
				best = max(best, 1+most(free&^(1<<high)))
			}
		}
		known[free|1<<low] = best
		return best
	}
	return most(1<<usable - 1)
}

func TestRandomRefusals(t *testing.T) {
	for _, test := range []struct {
		plan boards.Plan
		room int
		want string
	}{
		{boards.Plan{Size: 100, Ladders: 25, Snakes: 25}, 49, "100 squares have room for 49 ladders and snakes together, not for 25 and 25; ask for fewer, or more squares"},
		{boards.Plan{Size: 20, Ladders: 10}, 9, "20 squares have room for 9 ladders and snakes together, not for 10 and 0; ask for fewer, or more squares"},
		{boards.Plan{Size: 11, Snakes: 1}, 0, "11 squares have no room for ladders and snakes; 12 is the least that has"},
		{boards.Plan{Size: 100, Ladders: 1 << 62, Snakes: 1 << 62}, 49, ""},
		{boards.Plan{Size: 100, Ladders: 5, Snakes: math.MaxInt}, 49, ""},
	} {
		_, err := boards.Random(test.plan, draws(1), nil)
		refused, ok := errors.AsType[*boards.RoomError](err)
		if !ok || refused.Room != test.room || refused.Plan != test.plan || (test.want != "" && err.Error() != test.want) {
			t.Errorf("%+v: %v, want %s", test.plan, err, test.want)
		}
	}
	for _, p := range []boards.Plan{{Size: 1}, {Size: 10_001}, {Size: 100, Ladders: -1}, {Size: 100, Ladders: 5, Snakes: -5}} {
		_, err := boards.Random(p, draws(1), nil)
		if faults := faultsOf(t, err); faults.Total() != 1 {
			t.Errorf("%+v: %v", p, err)
		}
	}
}

// Boards that don't fit are drawn again, 1,000 times at most, and the work is
// bounded however large the plan is.
func TestRandomGivesUp(t *testing.T) {
	t.Parallel()
	for _, p := range []boards.Plan{
		{Size: 100, Ladders: 5, Snakes: 5}, {Size: 100, Snakes: 49}, {Size: boards.MaxSize, Snakes: 4999}, {Size: 5},
	} {
		drawn, tries, draw := 0, 0, draws(1)
		seen := map[string]bool{}
		_, err := boards.Random(p, func(n int) int {
			drawn++
			return draw(n)
		}, func(b boards.Board) bool {
			tries++
			if fault := wrong(b, p); fault != "" {
				t.Fatalf("try %d: %s", tries, fault)
			}
			seen[fmt.Sprint(b.Jumps[:min(20, len(b.Jumps))])] = true
			return false
		})
		unfit, ok := errors.AsType[*boards.UnfitError](err)
		if !ok || unfit.Tries != tries || tries > 1000 || drawn > 1_100_000 {
			t.Errorf("%+v: %v after %d tries and %d draws", p, err, tries, drawn)
		}
		want := fmt.Sprintf("none of %d boards of %d squares with %d ladders and %d snakes can be won; ask for fewer snakes", tries, p.Size, p.Ladders, p.Snakes)
		if err == nil || err.Error() != want {
			t.Errorf("told as %v, want %s", err, want)
		}
		if p.Ladders+p.Snakes > 0 && len(seen) < tries {
			t.Errorf("%+v: %d tries, only %d boards", p, tries, len(seen))
		}
		if p.Size == 100 && tries != 1000 || p.Size == 5 && tries != 1 {
			t.Errorf("%+v: given up after %d tries", p, tries)
		}
	}
	third := 0
	b, err := boards.Random(boards.Plan{Size: 50, Ladders: 3, Snakes: 3}, draws(1), func(boards.Board) bool { third++; return third == 3 })
	if err != nil || third != 3 || b.Check() != nil {
		t.Errorf("the third board isn't taken: %v", err)
	}
}

// A match's random board is made anew from its seed when somebody checks it, so
// one sequence of draws is one board for ever. If this fails, the code has to
// be mended, not the test.
func TestRandomBoardsAreForEver(t *testing.T) {
	// The draws are a plain recipe, so that nothing but Random is pinned here.
	recipe := func(seed string) func(int) int {
		k := 0
		return func(n int) int {
			sum := sha256.Sum256(fmt.Appendf(nil, "%s/%d", seed, k))
			k++
			return (int(sum[0])<<16 | int(sum[1])<<8 | int(sum[2])) % n
		}
	}
	for _, test := range []struct {
		plan boards.Plan
		want string
	}{
		{boards.Plan{Size: 100, Ladders: 5, Snakes: 5}, "name=random-100-5-5 size=100 3-21 19-75 31-69 36-64 45-18 58-8 63-22 70-1 74-87 84-42"},
		{boards.Plan{Size: 36, Ladders: 3, Snakes: 4}, "name=random-36-3-4 size=36 5-19 7-26 20-1 21-31 25-9 30-14 35-11"},
		{boards.Plan{Size: 21, Ladders: 2, Snakes: 8}, "name=random-21-2-8 size=21 1-11 6-16 12-2 13-3 14-4 15-5 17-7 18-8 19-9 20-10"},
	} {
		b, err := boards.Random(test.plan, recipe("golden"), nil)
		if got := b.Format(boards.Line); err != nil || got != test.want {
			t.Errorf("%+v is\n%s, %v\nwant\n%s", test.plan, got, err, test.want)
		}
	}
}

// All boards of a plan are about equally likely. Compared with drawing pairs of
// squares until all of them are long enough and apart, which is exact.
func TestRandomBoardsAreEvenlySpread(t *testing.T) {
	const boardsMade, size, jumps = 3000, 100, 10
	var length, low, ladderLength [2]float64
	exact := draws(99)
	for seed := range uint64(boardsMade) {
		b, err := boards.Random(boards.Plan{Size: size, Ladders: jumps / 2, Snakes: jumps / 2}, draws(seed), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range b.Jumps {
			length[0] += float64(max(j.To, j.From) - min(j.To, j.From))
			low[0] += float64(min(j.To, j.From))
			if j.Ladder() {
				ladderLength[0] += float64(j.To - j.From)
			}
		}
		for i, pair := range rejected(exact, size-1, jumps) {
			length[1] += float64(pair[1] - pair[0])
			low[1] += float64(pair[0])
			if i < jumps/2 {
				ladderLength[1] += float64(pair[1] - pair[0])
			}
		}
	}
	for name, sums := range map[string][2]float64{"length": length, "lower end": low, "ladders' length": ladderLength} {
		// The spread of either mean is about 20/√(3000 × 5) = 0.16 squares.
		if off := (sums[0] - sums[1]) / (boardsMade * jumps); off < -0.8 || off > 0.8 {
			t.Errorf("the mean %s is %.2f squares off", name, off)
		}
	}
}

// rejected draws pairs with no square in common, each ten or more apart.
func rejected(draw func(int) int, usable, pairs int) [][2]int {
	for {
		taken := map[int]bool{}
		var all [][2]int
		for range pairs {
			a, b := 1+draw(usable), 1+draw(usable)
			a, b = min(a, b), max(a, b)
			if b-a < 10 || taken[a] || taken[b] {
				break
			}
			taken[a], taken[b] = true, true
			all = append(all, [2]int{a, b})
		}
		if len(all) == pairs {
			return all
		}
	}
}

// Packed boards differ too.
func TestPackedBoardsDiffer(t *testing.T) {
	for _, p := range []boards.Plan{{Size: 100, Ladders: 24, Snakes: 25}, {Size: 30, Ladders: 7, Snakes: 7}, {Size: 16, Ladders: 1, Snakes: 1}} {
		seen := map[string]bool{}
		for seed := range uint64(50) {
			b, err := boards.Random(p, draws(seed), nil)
			if err != nil {
				t.Fatal(err)
			}
			seen[b.Hash()] = true
		}
		if len(seen) < 20 {
			t.Errorf("%+v: %d different boards of 50", p, len(seen))
		}
	}
}
