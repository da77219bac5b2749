package boards

import (
	"cmp"
	"slices"
)

// Limits of a board. A file says nothing else about them.
const (
	MinSize        = 2
	MaxSize        = 10_000
	DefaultSize    = 100 // squares of a board whose file gives no size
	MaxColumns     = 100
	DefaultColumns = 10       // columns of a board whose file gives none
	MaxName        = 32       // characters of a name
	MaxTitle       = 64       // characters of a title
	MaxAbout       = 200      // characters of an about
	MaxBytes       = 64 << 10 // bytes of a board file
)

// Chains says what becomes of a jump that ends where another one starts.
type Chains uint8

const (
	// Refuse is the default: a board with such a jump is faulty.
	Refuse Chains = iota
	// Once allows it: exactly one jump is followed for each landing.
	Once
)

// String returns the word that files use: refuse or once.
func (c Chains) String() string {
	if c == Once {
		return "once"
	}
	return "refuse"
}

// Jump leads a token that lands on From to To. It is a ladder when it goes up
// and a snake when it goes down; that is derived, never stored.
type Jump struct{ From, To int }

// Ladder reports whether the jump goes up.
func (j Jump) Ladder() bool { return j.To > j.From }

// Effect is what a square does to a token that comes to rest there, in place of
// leading it on.
type Effect uint8

// The effects of squares. A board has none unless it says so.
const (
	NoEffect Effect = iota
	Skip            // the next player's go is passed over
	Shield          // the next snake doesn't bite
	Again           // one more roll
	Back            // back to the start
)

// effectWords are the words of the effects, in their order.
var effectWords = [...]string{"", "skip", "shield", "again", "back"}

// String returns the word that files use: skip, shield, again or back, and
// nothing for none and for what is no effect at all.
func (e Effect) String() string {
	if !e.known() {
		return ""
	}
	return effectWords[e]
}

// Special is a square with an effect.
type Special struct {
	Square int
	Effect Effect
}

// Board is squares 1 to Size and the jumps between them. A Board that came
// from this package without an error is valid; one made or changed by hand has
// to pass Check before anything else is done with it.
type Board struct {
	// Name is what people type: 1 to 32 characters of a–z 0–9 - _.
	Name string
	// Title and About are shown to people; both may be empty. They are data
	// from whoever wrote the board: one line each, without control or
	// direction characters, but never to be read as markup.
	Title, About string

	// Size is the last square, 2 to 10,000.
	Size int
	// Columns is how wide the board is shown, 1 to 100. It means nothing else.
	Columns int

	// Jumps are sorted by From, and no two have one From. Boards share neither
	// Jumps nor Specials with each other: whoever holds a Board may keep it.
	Jumps []Jump
	// Chains says whether a jump may end where another starts.
	Chains Chains
	// Specials are the squares with effects, sorted, each once. None is the
	// last square, and no jump starts on one.
	Specials []Special
}

// Shown returns the title if there is one, else the name.
func (b Board) Shown() string {
	if b.Title != "" {
		return b.Title
	}
	return b.Name
}

// Jump returns where a token that lands on square is led, and whether a jump
// starts there at all. It allocates nothing and takes logarithmic time.
func (b Board) Jump(square int) (to int, ok bool) {
	i, ok := slices.BinarySearchFunc(b.Jumps, square, func(j Jump, square int) int {
		return cmp.Compare(j.From, square)
	})
	if !ok {
		return 0, false
	}
	return b.Jumps[i].To, true
}

// Effect returns what a square does to a token that comes to rest there. It
// takes logarithmic time.
func (b Board) Effect(square int) Effect {
	i, ok := slices.BinarySearchFunc(b.Specials, square, func(s Special, square int) int {
		return cmp.Compare(s.Square, square)
	})
	if !ok {
		return NoEffect
	}
	return b.Specials[i].Effect
}

// Count returns how many ladders and how many snakes the board has.
func (b Board) Count() (ladders, snakes int) {
	for _, j := range b.Jumps {
		if j.Ladder() {
			ladders++
		}
	}
	return ladders, len(b.Jumps) - ladders
}

// Check returns nil if the board is valid, else a *Faults with everything that
// is wrong with it. What Parse gives is valid; this is for boards made by hand.
func (b Board) Check() error {
	d := draft{board: b}
	for _, j := range b.Jumps {
		d.jumps = append(d.jumps, stated{Jump: j})
	}
	for _, s := range b.Specials {
		d.specials = append(d.specials, statedSpecial{Special: s})
	}
	d.check()
	if !slices.IsSortedFunc(b.Jumps, byStart) {
		d.add(Fault{Kind: Unsorted})
	}
	if !slices.IsSortedFunc(b.Specials, bySquare) {
		d.add(Fault{Kind: EffectsUnsorted})
	}
	return d.verdict("")
}

// byStart orders jumps by their start.
func byStart(a, b Jump) int { return cmp.Compare(a.From, b.From) }
