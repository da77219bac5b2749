package engine

import (
	"errors"
	"math"
	"strconv"

	"hiss/boards"
	"hiss/engine/odds"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// plan says what a random board is to have.
type plan struct {
	boards.Plan     // a size or a count that is below 0 is to be found
	goes        int // one player's, on average; 0 for any
}

// planKeys are the options of a random board.
func planKeys() []string { return []string{"size", "ladders", "snakes", "goes"} }

// mostGoes is how many goes can be wished for: those of great boards with few ladders.
const mostGoes = 1000

// parsePlan reads what a random board is to have.
func parsePlan(given map[string]string) (plan, error) {
	p := plan{Plan: boards.Plan{Size: -1, Ladders: -1, Snakes: -1}}
	for _, o := range []struct {
		key         string
		to          *int
		least, most int
	}{
		{"size", &p.Size, boards.MinSize, boards.MaxSize}, {"ladders", &p.Ladders, 0, boards.MaxSize / 2},
		{"snakes", &p.Snakes, 0, boards.MaxSize / 2}, {"goes", &p.goes, 2, mostGoes},
	} {
		value, ok := given[o.key]
		if !ok {
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < o.least || n > o.most {
			return p, badRange(o.key, o.least, o.most, value)
		}
		*o.to = n
	}
	if p.Size < 0 && p.goes == 0 {
		p.Size = boards.DefaultSize
		// Nine of each, as on the classic board.
		p.Ladders, p.Snakes = or(p.Ladders, 9), or(p.Snakes, 9)
	}
	return p, nil
}

func or(n, other int) int {
	if n < 0 {
		return other
	}
	return n
}

// of returns the plan for boards of a size. What isn't said is a jump of each
// kind for about every eleven squares, as on the classic board.
func (p plan) of(size int) boards.Plan {
	usual := min(size/11, boards.Room(size)/2)
	return boards.Plan{Size: size, Ladders: or(p.Ladders, usual), Snakes: or(p.Snakes, usual)}
}

// maxProof bounds the work of finding one random board, so that no request takes
// more than a second.
const maxProof = 20_000_000

// proof estimates the work of drawing a board of that many squares and proving
// that it ends, in units of some 25 ns: each square is drawn, then looked at
// for each bonus in a row and for each total.
func proof(size int, r rules.Rules) int {
	rows := 1
	if r.Bonus != rules.NoBonus {
		rows += r.Void
	}
	return size * (200 + 16*rows + r.Dice*r.Sides)
}

// measure estimates the work of telling how long a board takes, in the same units.
func measure(size int, r rules.Rules) int { return 10 * size * r.Dice * r.Sides }

// The search for a board of a wished length.
const (
	nearEnough = 0.1 // how far off its goes may be, as a share
	sizes      = 10  // how many sizes are tried where none is given
	ofASize    = 16  // and how many boards of each
	mostSweeps = 60  // over a board, to tell how long it takes
)

// search is the search for a random board that ends, and takes as long as wished.
type search struct {
	wish
	work    int
	tried   int
	track   *rules.Track // what was found
	seen    int          // boards whose length is known
	sum     float64      // of the lengths of the present size
	counted int          // boards of the present size
	nearest float64
}

// fits is asked about one board after the other until one does, or it is given up.
func (s *search) fits(b boards.Board) bool {
	s.work += proof(b.Size, s.rules)
	if s.goes() > 0 {
		s.work += measure(b.Size, s.rules)
	}
	if s.tried++; s.work > maxProof && s.tried > 1 {
		return true // no more tries
	}
	t, err := rules.Compile(b, s.rules)
	if err != nil || t.Endless() != nil {
		return false
	}
	if s.goes() == 0 {
		s.track = t
		return true
	}
	sweeps := 0
	mean, err := odds.Expected(t, func(float64) bool { sweeps++; return sweeps < mostSweeps })
	if err != nil {
		return false // it takes far longer than anybody wishes for
	}
	wished := float64(s.goes())
	s.seen, s.counted, s.sum = s.seen+1, s.counted+1, s.sum+mean
	if math.Abs(mean-wished) < math.Abs(s.nearest-wished) {
		s.nearest = mean
	}
	if math.Abs(mean-wished) <= nearEnough*wished {
		s.track = t
	}
	return s.track != nil || s.plan.Size < 0 && s.counted == ofASize
}

func (s *search) goes() int { return s.plan.goes }

// draw returns the random board that was wished for, if a match on it ends for
// certain. Where the size isn't given but how long it is to take, sizes are tried: the next
// one is as much larger as the boards of the last one were too short.
func (w wish) draw(seed rules.Seed) (*rules.Track, error) {
	draws, s := seed.BoardDraws(), &search{wish: w, nearest: math.Inf(1)}
	size, tries := w.plan.Size, 1
	if size < 0 {
		mean := float64(w.rules.Dice) * float64(w.rules.Sides+1) / 2
		size, tries = w.plan.ofLength(float64(w.plan.goes)*mean/1.4), sizes
	}
	for range tries {
		s.sum, s.counted = 0, 0
		_, err := boards.Random(w.plan.of(size), draws, s.fits)
		if done, err := w.drew(s, size, err); done {
			return s.track, err
		}
		if s.counted == 0 || s.work > maxProof {
			break
		}
		next := w.plan.ofLength(float64(size) * float64(w.plan.goes) * float64(s.counted) / s.sum)
		if next == size {
			next++
		}
		size = w.plan.ofLength(float64(next))
	}
	if s.seen == 0 {
		return nil, w.hopeless(size)
	}
	return nil, no(words.BadGoesFit, words.N("k", s.seen), words.N("n", w.plan.goes),
		words.S("x", strconv.FormatFloat(s.nearest, 'f', 1, 64)))
}

// ofLength returns a number of squares that a board can have, with room for the
// ladders and snakes that were asked for.
func (p plan) ofLength(squares float64) int {
	size := int(min(max(squares, boards.MinSize), boards.MaxSize))
	for jumps := max(p.Ladders, 0) + max(p.Snakes, 0); boards.Room(size) < jumps && size < boards.MaxSize; {
		size++
	}
	return size
}

// drew looks at what the boards of one size came to, and reports whether the
// search is over.
func (w wish) drew(s *search, size int, err error) (done bool, _ error) {
	var room *boards.RoomError
	var unfit *boards.UnfitError
	switch {
	case s.track != nil:
		return true, nil
	case errors.As(err, &room) && room.Room == 0:
		return true, no(words.BadRandomNone, words.N("N", size))
	case errors.As(err, &room):
		return true, no(words.BadRandomFit, words.N("N", size), words.N("n", room.Room))
	case err != nil && !errors.As(err, &unfit):
		return true, err
	case w.plan.goes == 0:
		return true, w.hopeless(size)
	}
	return false, nil
}

// hopeless says why no random board would do: the rules, if they don't even let
// everybody home on a board without jumps, or else the snakes.
func (w wish) hopeless(size int) error {
	b, err := boards.ParseLine("size=" + strconv.Itoa(size))
	if err != nil {
		return err
	}
	if _, err := compile(b, w.rules); err != nil {
		return err
	}
	return no(words.BadRandomEnd)
}

// track returns the board and rules that were wished for, if a match on them
// ends for certain. Named is the board of that name, if it isn't to be drawn.
func (w wish) track(seed rules.Seed, named boards.Board) (*rules.Track, error) {
	if w.board == randomBoard {
		return w.draw(seed)
	}
	return compile(named, w.rules)
}
