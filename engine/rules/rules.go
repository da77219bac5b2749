package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// Version numbers the meaning of the rules. It is written into every record;
// rules that would play the same record differently get a new number.
const Version = 1

// Limits of the settings, both ends included.
const (
	MaxDice  = 10
	MinSides = 2
	MaxSides = 100
	MaxVoid  = 10
	MaxSeats = 16
	// MaxGoes is how many goes a match has room for. When they are used up it
	// is over as it stands.
	MaxGoes = 10_000
	// MaxRolls is how many rolls a go has room for. The last of them ends it,
	// whatever it earned: on a board that is full of squares which give another
	// roll, a go would else be a match of its own.
	MaxRolls = 100
)

// Rules are the settings of a match. The zero value is not valid; start from
// Default or a named set.
type Rules struct {
	Dice, Sides int // 1..10 dice of 2..100 sides; their total moves the token
	End         End
	Bonus       Bonus
	// Void is how many bonus rolls in a row void a go, 0..10; 0 is never. It
	// means nothing without a bonus.
	Void   int
	Finish Finish
	Seats  int  // the most who can sit, 1..16
	Solo   bool // the first roll may come with one seated
}

// End says what happens to a total that leads past the last square.
type End uint8

// The end rules.
const (
	Exact     End = iota // the token stays put
	Overshoot            // any big enough total wins
	Bounce               // the token counts back from the last square
)

// Bonus says which roll earns another one in the same go.
type Bonus uint8

// The bonus rules.
const (
	NoBonus Bonus = iota
	Max           // the highest total
	Doubles       // all dice equal; takes two dice or more
)

// Finish says when a match is over.
type Finish uint8

// The finish rules.
const (
	First Finish = iota // with the first home
	Last                // when one is left, who takes the last place
	All                 // when everybody is home
)

// The words of the settings, in the order of their values.
var (
	endWords    = [...]string{"exact", "overshoot", "bounce"}
	bonusWords  = [...]string{"none", "max", "doubles"}
	finishWords = [...]string{"first", "last", "all"}
)

// String returns the word that the setting is given by: exact, overshoot or bounce.
func (e End) String() string { return endWords[e] }

// String returns the word that the setting is given by: none, max or doubles.
func (b Bonus) String() string { return bonusWords[b] }

// String returns the word that the setting is given by: first, last or all.
func (f Finish) String() string { return finishWords[f] }

// Default returns the first value of every setting: one die of six sides,
// exact landing, no bonus, first home wins, up to 16 seats.
func Default() Rules {
	return Rules{Dice: 1, Sides: 6, Void: 3, Seats: MaxSeats}
}

// Sets returns the names of the named sets.
func Sets() []string { return []string{"plain", "family", "doubles", "marathon"} }

// Set returns a named set: plain, family, doubles or marathon.
func Set(name string) (Rules, bool) {
	r := Default()
	switch name {
	case "plain":
		r.Solo = true
	case "family":
		r.Bonus = Max
	case "doubles":
		r.Dice, r.End, r.Bonus = 2, Bounce, Doubles
	case "marathon":
		r.Finish = All
	default:
		return Rules{}, false
	}
	return r, true
}

// SetName returns the name of the set that these rules are, or "" if they are
// none.
func (r Rules) SetName() string {
	for _, name := range Sets() {
		if set, _ := Set(name); set == r {
			return name
		}
	}
	return ""
}

// low and high are the least and the highest total of one roll.
func (r Rules) low() int  { return r.Dice }
func (r Rules) high() int { return r.Dice * r.Sides }

// earns reports whether a roll of these faces earns another one.
func (r Rules) earns(faces []int, total int) bool {
	switch r.Bonus {
	case Max:
		return total == r.high()
	case Doubles:
		for _, f := range faces {
			if f != faces[0] {
				return false
			}
		}
		return true
	}
	return false
}

// voids reports whether the n-th bonus roll in a row voids the go.
func (r Rules) voids(n int) bool { return r.Void > 0 && n >= r.Void }

// Notation writes all values, and the number of the rules, in one short line
// that ParseNotation reads: "1 1x6 exact max/3 first 16", with " solo" behind
// where one may play alone.
func (r Rules) Notation() string {
	s := fmt.Sprintf("%d %dx%d %s %s/%d %s %d", Version, r.Dice, r.Sides, r.End, r.Bonus, r.Void, r.Finish, r.Seats)
	if r.Solo {
		s += " solo"
	}
	return s
}

// ParseNotation reads what Notation wrote. Rules of another number than
// Version are refused.
func ParseNotation(s string) (Rules, error) {
	fail := func(what string) (Rules, error) {
		return Rules{}, fmt.Errorf("rules %q: %s", s, what)
	}
	words := strings.Split(s, " ")
	if len(words) < 6 || len(words) > 7 || len(words) == 7 && words[6] != "solo" {
		return fail("not six or seven words")
	}
	if words[0] != strconv.Itoa(Version) {
		return fail("played by other rules than number " + strconv.Itoa(Version))
	}
	dice, sides, _ := strings.Cut(words[1], "x")
	bonus, void, _ := strings.Cut(words[3], "/")
	r := Rules{Solo: len(words) == 7}
	for _, given := range [...]struct{ key, value string }{
		{"dice", dice}, {"sides", sides}, {"end", words[2]}, {"bonus", bonus},
		{"void", void}, {"finish", words[4]}, {"seats", words[5]},
	} {
		if err := r.set(given.key, given.value); err != nil {
			return fail(err.Error())
		}
	}
	if err := r.Check(); err != nil {
		return fail(err.Error())
	}
	if r.Notation() != s {
		return fail("not written as it would be")
	}
	return r, nil
}
