package odds

import (
	"errors"

	"hiss/boards"
	"hiss/engine/rules"
)

// Basis says what a figure rests on.
type Basis uint8

// The bases of figures.
const (
	Unknown   Basis = iota // it couldn't be had
	Exact                  // worked out
	Estimated              // by playing, so it has an error
)

// mostGoes is from how many goes of one player on nothing but their number is told.
// Nobody will ever see the rest, whose digits get lost one by one from there on.
const mostGoes = 1e7

// Figure is a number of a board's health. The zero value is an unknown one.
type Figure struct {
	Value float64
	// Error is the standard error of an estimated figure: two times out of three
	// the truth is no further away. For a median and the like, which is a whole
	// number of goes, it is half a go at least.
	Error float64
	Basis Basis
}

// exact returns a figure that was worked out.
func exact(value float64) Figure { return Figure{Value: value, Basis: Exact} }

// or returns the figure, or another one where it is unknown.
func (f Figure) or(other Figure) Figure {
	if f.Basis == Unknown {
		return other
	}
	return f
}

// Jumps are the ladders of a board, or its snakes.
type Jumps struct {
	Count   int
	Longest boards.Jump // the first of the longest; zero where there's none
}

// Goes is how many goes something takes.
type Goes struct {
	Mean   Figure
	Median Figure // half of them take no more
	Most   Figure // 95 % of them take no more
}

// Race is a match of some seats until the first is home.
type Race struct {
	Goes         // of all seats together
	First Figure // the chance of the first seat to win
}

// Health is what a board is like under rules. All but Reach and the jumps is
// figures of matches that begin on square 0, whatever the rules say about their finish
// and the most who can sit.
type Health struct {
	Ladders, Snakes Jumps
	Reach           Reach
	One             Goes   // of one player to the last square
	Deviation       Figure // the standard deviation of one player's goes
	Two, Four       Race   // matches of two seats and of four
}

// Examine tells what a board is like under rules. Everything is exact up to
// MaxSquares squares, unless goes would have to be followed too long, and so are
// one player's goes on average on boards up to any size. All other
// figures are estimated, and so are those of matches on boards with squares that
// pass over the next seat: by some hundred million rolls of the dice at most,
// which takes two seconds or less. They are always the same for one track.
//
// progress, if it isn't nil, is called now and then with how much is done,
// 0..1, never less than before. It returns whether to go on.
//
// The error is the *[rules.Endless] of a track on which a match might never end,
// ErrLong where matches take so long that they can't even be played often
// enough, or ErrStopped. With all of them come the figures that could be had;
// jumps and Reach always are.
func Examine(t *rules.Track, progress func(done float64) bool) (Health, error) {
	h := look(t)
	p := newPart(progress)
	c, err := New(t)
	switch {
	case err == nil:
		err = h.workOut(c, p)
	case errors.Is(err, ErrLarge) || errors.Is(err, ErrLong):
		var mean float64
		if mean, err = Expected(t, p.share(0, 0.5)); err == nil {
			h.One.Mean = exact(mean)
			err = ErrLong // nothing else can be had by following goes
		}
	}
	if !errors.Is(err, ErrLong) && !errors.Is(err, ErrSkips) {
		return h, err
	}
	played, err := estimate(t, h.One.Median.Basis == Unknown, h.Reach.Skips, Work, newPart(p.share(0.5, 1)))
	h.fill(played)
	return h, err
}

// Estimate is Examine without the maths: it plays, on boards of any size, with
// so much work. Tests hold the two against each other.
func Estimate(t *rules.Track, work float64, progress func(done float64) bool) (Health, error) {
	h := look(t)
	if e := t.Endless(); e != nil {
		return h, e
	}
	played, err := estimate(t, true, h.Reach.Skips, work, newPart(progress))
	h.fill(played)
	return h, err
}

// look returns what is seen without a throw.
func look(t *rules.Track) Health {
	h := Health{Reach: ReachOf(t)}
	for _, j := range t.Board().Jumps {
		kind, length := &h.Snakes, j.From-j.To
		if j.Ladder() {
			kind, length = &h.Ladders, j.To-j.From
		}
		kind.Count++
		if longest := kind.Longest; length > max(longest.From-longest.To, longest.To-longest.From) {
			kind.Longest = j
		}
	}
	return h
}

// workOut fills in the exact figures. The error is ErrStopped, ErrLong where
// there's none but the lengths, or ErrSkips where there's none of matches.
func (h *Health) workOut(c *Chain, p *part) error {
	length := c.lengths[0]
	h.One.Mean, h.Deviation = exact(length.Mean), exact(length.Deviation)
	if length.Mean > mostGoes {
		return ErrLong
	}
	l, err := c.law(0, p.share(0.2, 1))
	if err != nil {
		return err
	}
	h.One.Median, h.One.Most = exact(float64(l.Quantile(0.5))), exact(float64(l.Quantile(0.95)))
	if c.skips {
		return ErrSkips
	}
	for seats, r := range map[int]*Race{2: &h.Two, 4: &h.Four} {
		m := c.match(l, seats)
		r.Mean, r.First = exact(m.First), exact(m.Chances[0])
		r.Median, r.Most = exact(float64(l.FirstHome(seats, 0.5))), exact(float64(l.FirstHome(seats, 0.95)))
	}
	return nil
}

// fill takes the figures of another health where there are none.
func (h *Health) fill(from Health) {
	h.One.fill(from.One)
	h.Deviation = h.Deviation.or(from.Deviation)
	h.Two.fill(from.Two.Goes)
	h.Four.fill(from.Four.Goes)
	h.Two.First, h.Four.First = h.Two.First.or(from.Two.First), h.Four.First.or(from.Four.First)
}

func (g *Goes) fill(from Goes) {
	g.Mean, g.Median, g.Most = g.Mean.or(from.Mean), g.Median.or(from.Median), g.Most.or(from.Most)
}

// part tells how much of a whole is done by how much of its parts is.
type part struct {
	whole func(float64) bool
	done  float64
}

// newPart returns one whose whole may be nil.
func newPart(whole func(float64) bool) *part {
	if whole == nil {
		whole = func(float64) bool { return true }
	}
	return &part{whole: whole}
}

// share returns what a part is told by that goes from begin to end of the whole.
func (p *part) share(begin, end float64) func(float64) bool {
	return func(done float64) bool {
		p.done = max(p.done, begin+(end-begin)*min(max(done, 0), 1))
		return p.whole(p.done)
	}
}
