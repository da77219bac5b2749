package rules

import (
	"fmt"

	"hiss/boards"
)

// tableEntries is how many entries (squares times totals) the table of a track
// may have. Boards and dice that need more are walked without one.
const tableEntries = 64 << 10

// Track is a board under rules: where every total leads from every square. It
// never changes after Compile, so any number of matches and simulations share
// one, from any goroutine.
type Track struct {
	board boards.Board
	rules Rules
	size  int // the last square
	low   int // the least total
	width int // how many totals there are

	jumps []uint16 // per square: where a jump that starts there ends, or 0
	// effects has what each square does to a token that comes to rest there; nil
	// if none does anything.
	effects []boards.Effect
	table   []step // per square and total, or nil where it'd be too large
}

// step is where a total leads: the square that is landed on, and the one at
// the end of the jump there, the same where none starts.
type step struct{ landed, to uint16 }

// Compile joins a board and rules. It returns an error if either is not valid
// by itself. Whether a match could go on for ever is asked of Endless.
func Compile(b boards.Board, r Rules) (*Track, error) {
	if err := b.Check(); err != nil {
		return nil, fmt.Errorf("board %s: %w", b.Name, err)
	}
	if err := r.Check(); err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	t := &Track{
		board: b, rules: r,
		size: b.Size, low: r.low(), width: r.high() - r.low() + 1,
		jumps: make([]uint16, b.Size+1),
	}
	for _, j := range b.Jumps {
		t.jumps[j.From] = uint16(j.To)
	}
	if len(b.Specials) > 0 {
		t.effects = make([]boards.Effect, b.Size+1)
		for _, s := range b.Specials {
			t.effects[s.Square] = s.Effect
		}
	}
	if t.size*t.width <= tableEntries {
		t.table = make([]step, t.size*t.width)
		for square := range t.size {
			for i := range t.width {
				t.table[square*t.width+i] = t.walk(square, t.low+i)
			}
		}
	}
	return t, nil
}

// Board returns the board. Its jumps must not be changed.
func (t *Track) Board() boards.Board { return t.board }

// Rules returns the rules.
func (t *Track) Rules() Rules { return t.rules }

// Size returns the last square.
func (t *Track) Size() int { return t.size }

// Move returns where a total leads from a square that isn't the last: the
// square that is landed on, and the one where a jump from there ends (the same
// if none starts there). A token that stays where it is hasn't landed, so no
// jump is taken: then both are square.
func (t *Track) Move(square, total int) (landed, to int) {
	if t.table != nil {
		s := t.table[square*t.width+total-t.low]
		return int(s.landed), int(s.to)
	}
	s := t.walk(square, total)
	return int(s.landed), int(s.to)
}

// Step is what a roll that isn't void does to a token.
type Step struct {
	Landed, To int  // as Track.Move has them, but for a snake that was held off
	Held       bool // a shield held it off, and is used up
	Effect     boards.Effect
}

// Step returns what a total does to a token on a square that isn't the last, with
// or without a shield. Effects are those of the square on which a token that
// moved comes to rest; a second shield is none.
func (t *Track) Step(square, total int, shield bool) Step {
	var s Step
	s.Landed, s.To = t.Move(square, total)
	if t.effects == nil || s.Landed == square {
		return s
	}
	if s.Held = shield && s.To < s.Landed; s.Held {
		s.To = s.Landed
	}
	if s.Effect = t.effects[s.To]; s.Effect == boards.Shield && shield {
		s.Effect = boards.NoEffect
	}
	return s
}

// Effects reports whether any square has an effect.
func (t *Track) Effects() bool { return t.effects != nil }

// walk is Move worked out.
func (t *Track) walk(square, total int) step {
	landed := t.rules.End.land(square, total, t.size)
	if landed == square {
		return step{uint16(square), uint16(square)}
	}
	to := uint16(landed)
	if end := t.jumps[landed]; end != 0 {
		to = end
	}
	return step{uint16(landed), to}
}

// land returns the square that a total leads to on a board without jumps.
func (e End) land(square, total, size int) int {
	reached := square + total
	switch {
	case reached <= size:
		return reached
	case e == Overshoot:
		return size
	case e == Exact:
		return square
	}
	// Bounce: the squares 1 … size … 2 are a ring of 2·(size − 1), walked to
	// the end and back, on a small board more than once.
	t := (reached - 1) % (2 * (size - 1))
	if t < size {
		return t + 1
	}
	return 2*size - 1 - t
}
