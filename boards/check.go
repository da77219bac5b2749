package boards

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// keys returns the keys of a board file, in the order in which File has them.
func keys() []string {
	return []string{"name", "title", "about", "size", "columns", "chains", "ladders", "snakes", "effects"}
}

// draft is a board as somebody stated it, with the places where they did and
// with what is already known to be wrong. Every reader fills one; check finds
// the rest, so that all readers refuse the same boards with the same words.
type draft struct {
	board    Board // its Jumps and Specials are not used, these are:
	jumps    []stated
	specials []statedSpecial
	lines    map[string]int  // where each key was given
	unread   map[string]bool // keys with a value that can't be read
	faults   []Fault
	more     int // faults that were not kept
}

// stated is a jump as somebody stated it.
type stated struct {
	Jump
	line  int
	claim claim
}

// claim is what a file calls a jump.
type claim uint8

const (
	unclaimed claim = iota // the direction says it
	claimedLadder
	claimedSnake
)

// newDraft returns a draft of a board about which nothing has been said.
func newDraft() *draft {
	return &draft{
		board:  Board{Size: DefaultSize, Columns: DefaultColumns},
		lines:  map[string]int{},
		unread: map[string]bool{},
	}
}

// add keeps a fault. Of a file with thousands, which nobody wrote in earnest,
// the rest are only counted.
func (d *draft) add(f Fault) {
	const most = 1_000
	if len(d.faults) == most {
		d.more++
		return
	}
	d.faults = append(d.faults, f)
}

// last is the last square as far as it is known, else the last there can be.
func (d *draft) last() int {
	if d.sized() {
		return d.board.Size
	}
	return MaxSize
}

// sized reports whether the draft has a size that a board can have.
func (d *draft) sized() bool {
	return !d.unread["size"] && d.board.Size >= MinSize && d.board.Size <= MaxSize
}

// unreadable notes that the value of a key can't be read, and why. Nothing
// more is said about that key.
func (d *draft) unreadable(f Fault) {
	d.unread[f.Key] = true
	d.add(f)
}

// claimKey notes that a key is given on a line. It is false, and a fault, if
// the key isn't known or was given before.
func (d *draft) claimKey(key string, line int) bool {
	if !slices.Contains(keys(), key) {
		d.add(Fault{Kind: UnknownKey, Line: line, Key: found(key), Suggestion: nearest(key, keys())})
		return false
	}
	if first, twice := d.lines[key]; twice {
		d.add(Fault{Kind: KeyTwice, Line: line, First: first, Key: key})
		return false
	}
	d.lines[key] = line
	return true
}

// set takes the value of a key other than ladders, snakes and effects.
func (d *draft) set(key, value string, line int) {
	value = strings.TrimSpace(value)
	switch key {
	case "name":
		d.board.Name = strings.ToLower(value)
	case "title":
		d.board.Title = clean(value)
	case "about":
		d.board.About = clean(value)
	case "size", "columns":
		n, ok := number(value)
		if !ok {
			d.unreadable(Fault{Kind: NotNumber, Line: line, Key: key, Text: found(value)})
		} else if key == "size" {
			d.board.Size = n
		} else {
			d.board.Columns = n
		}
	case "chains":
		switch strings.ToLower(value) {
		case "refuse":
			d.board.Chains = Refuse
		case "once":
			d.board.Chains = Once
		default:
			d.unreadable(Fault{Kind: NotChains, Line: line, Key: key, Text: found(value)})
		}
	}
}

// check finds all that is wrong with what has been stated.
func (d *draft) check() {
	if !d.unread["name"] {
		d.checkName()
	}
	d.checkText("title", d.board.Title, MaxTitle)
	d.checkText("about", d.board.About, MaxAbout)
	if !d.unread["size"] && !d.sized() {
		d.add(Fault{Kind: SizeRange, Line: d.lines["size"], Size: d.board.Size})
	}
	if n := d.board.Columns; n < 1 || n > MaxColumns {
		d.add(Fault{Kind: ColumnsRange, Line: d.lines["columns"], A: n})
	}
	d.checkSpecials(d.checkJumps())
	for i := range d.faults {
		if d.faults[i].Kind == NotSquare { // found before the size was known
			d.faults[i].Size = d.last()
		}
	}
}

func (d *draft) checkName() {
	name, line := d.board.Name, d.lines["name"]
	switch {
	case validName(name):
		if reserved(name) {
			d.add(Fault{Kind: ReservedName, Line: line, Text: name})
		}
	case name == "" && line == 0:
		d.add(Fault{Kind: NoName})
	default:
		d.add(Fault{Kind: BadName, Line: line, Text: found(name)})
	}
}

func validName(name string) bool {
	if name == "" || len(name) > MaxName {
		return false
	}
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_' {
			return false
		}
	}
	return true
}

// reserved reports whether a name would hide a word of /newgame: one bare word
// there is a board if a board has that name, else a rule set, and board=random
// makes a board. This list has to grow with the rule sets.
func reserved(name string) bool {
	switch name {
	case "plain", "family", "doubles", "marathon", "random":
		return true
	}
	return false
}

func (d *draft) checkText(key, text string, most int) {
	line := d.lines[key]
	if n := utf8.RuneCountInString(text); n > most {
		d.add(Fault{Kind: TooLong, Line: line, Key: key, A: n, B: most})
		return
	}
	if text != clean(text) {
		d.add(Fault{Kind: Unclean, Line: line, Key: key})
	}
}

// checkJumps finds what is wrong with the jumps, and returns the first of each
// start.
func (d *draft) checkJumps() map[int]stated {
	first := make(map[int]stated, len(d.jumps))
	for _, j := range d.jumps {
		d.checkJump(j)
		if other, twice := first[j.From]; twice {
			d.add(Fault{Kind: TwoStarts, Line: j.line, First: other.line, A: j.From, B: j.To})
			continue
		}
		first[j.From] = j
	}
	if d.unread["chains"] || d.board.Chains == Once {
		return first
	}
	for _, j := range d.jumps {
		next, chained := first[j.To]
		// A jump to itself has been told already, as what it is.
		if chained && j.From != j.To && next.From != next.To {
			d.add(Fault{Kind: Chain, Line: j.line, First: next.line, A: j.From, B: j.To, C: next.To})
		}
	}
	return first
}

// checkJump finds what is wrong with one jump by itself.
func (d *draft) checkJump(j stated) {
	last := d.last()
	off := false
	for _, square := range [...]int{j.From, j.To} {
		if square >= 1 && square <= last {
			continue
		}
		if off && j.From == j.To {
			continue
		}
		off = true
		d.add(Fault{Kind: OffBoard, Line: j.line, A: square, B: j.From, C: j.To, Size: last})
	}
	if j.From == j.To {
		d.add(Fault{Kind: Nowhere, Line: j.line, A: j.From})
		return
	}
	if off { // which way it goes is judged when both ends are right
		return
	}
	if j.From == last && d.sized() {
		d.add(Fault{Kind: LastStart, Line: j.line, A: j.From, B: j.To, Size: last})
	}
	switch {
	case j.claim == claimedLadder && !j.Ladder():
		d.add(Fault{Kind: LadderDown, Line: j.line, A: j.From, B: j.To})
	case j.claim == claimedSnake && j.Ladder():
		d.add(Fault{Kind: SnakeUp, Line: j.line, A: j.From, B: j.To})
	}
}

// verdict returns all faults found as one error, or nil. A board whose own
// file would be too large to be read again is refused too.
func (d *draft) verdict(file string) error {
	const surely = MaxBytes / 20 // jumps and effects that fit, whatever else there is
	if len(d.faults) == 0 && len(d.jumps)+len(d.specials) > surely {
		// Jumps are shorter in JSON, and effects in YAML.
		if b := d.finished(); len(b.File()) > MaxBytes || len(b.json()) > MaxBytes {
			d.add(Fault{Kind: TooLarge})
		}
	}
	return gather(file, d.faults, d.more)
}

// finished is the board that the draft has become.
func (d *draft) finished() Board {
	b := d.board
	b.Jumps, b.Specials = nil, nil
	for _, j := range d.jumps {
		b.Jumps = append(b.Jumps, j.Jump)
	}
	for _, s := range d.specials {
		b.Specials = append(b.Specials, s.Special)
	}
	slices.SortStableFunc(b.Jumps, byStart)
	slices.SortStableFunc(b.Specials, bySquare)
	return b
}

// result returns the finished board, or all that is wrong with it.
func (d *draft) result(file string) (Board, error) {
	d.check()
	if err := d.verdict(file); err != nil {
		return Board{}, err
	}
	return d.finished(), nil
}
