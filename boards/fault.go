package boards

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Kind says what is wrong. The comment at each kind names the fields of Fault
// that are set besides Kind and Line.
type Kind uint8

// What can be wrong with the jumps of a board.
const (
	// OffBoard: square A is not on a board of Size squares; the jump is B → C.
	OffBoard Kind = iota + 1
	// LastStart: the jump A → B starts on the last square, Size.
	LastStart
	// Nowhere: the jump starts and ends on A.
	Nowhere
	// TwoStarts: a second jump, A → B, starts on A; the first is on line First.
	TwoStarts
	// Chain: A → B ends where B → C starts, which is on line First.
	Chain
	// LadderDown: a jump among the ladders, A → B, goes down.
	LadderDown
	// SnakeUp: a jump among the snakes, A → B, goes up.
	SnakeUp
	// NotSquare: Text stands where a square is needed; the board has Size
	// squares; Suggestion is what was probably meant, or empty.
	NotSquare
	// NotJump: Text stands where a jump is needed, in a CSV file or a chat line.
	NotJump
	// Unsorted: a board made by hand has its jumps out of order.
	Unsorted
)

// What can be wrong with the effects of a board's squares.
const (
	// EffectOff: square A, which has an effect, is not on a board of Size
	// squares.
	EffectOff Kind = iota + 16
	// EffectOnLast: the last square, A, has an effect; Size is the same.
	EffectOnLast
	// EffectOnStart: square A has an effect, and the jump A → B starts there; it
	// is on line First.
	EffectOnStart
	// TwoEffects: square A has a second effect; the first is on line First.
	TwoEffects
	// NotEffect: Text stands where the effect of square A is needed, or of some
	// square if A is 0; Suggestion is the nearest one, or empty.
	NotEffect
	// NotSpecial: Text stands where a square and its effect are needed;
	// Suggestion is how to write it.
	NotSpecial
	// EffectsUnsorted: a board made by hand has its effects out of order.
	EffectsUnsorted
)

// What can be wrong with the other values of a board.
const (
	// SizeRange: the board has Size squares.
	SizeRange Kind = iota + 32
	// ColumnsRange: the board has A columns.
	ColumnsRange
	// NotNumber: Key has the value Text, and needs a whole number.
	NotNumber
	// NotMap: Key has a value that is no map from starts to ends, or from squares
	// to effects.
	NotMap
	// NotText: Key has a value that is no line of text.
	NotText
	// NotChains: Key has the value Text, and takes refuse or once.
	NotChains
	// UnknownKey: Key is not known; Suggestion is the nearest one, or empty.
	UnknownKey
	// UnknownSetting: Key is none of the few that a CSV file or a line can set;
	// Suggestion is the nearest one, or empty.
	UnknownSetting
	// KeyTwice: Key was given before, on line First.
	KeyTwice
	// NoName: nothing says what the board is called.
	NoName
	// BadName: Text is no name.
	BadName
	// ReservedName: Text is the name of a rule set, or random.
	ReservedName
	// TooLong: Key has A characters, and may have B.
	TooLong
	// Unclean: Key has characters that Parse would have cleaned away.
	Unclean
)

// What can be wrong with a file as a whole.
const (
	// Empty: there is nothing in it.
	Empty Kind = iota + 64
	// NotBoard: it holds a list or a word, and no keys.
	NotBoard
	// Syntax: it cannot be read; Text is what the reader of the format says.
	Syntax
	// Anchor: it uses an anchor, an alias or a merge key.
	Anchor
	// Tag: it uses a tag, Text.
	Tag
	// Documents: a second document begins in it.
	Documents
	// TooLarge: it has more than MaxBytes bytes.
	TooLarge
	// NotUTF8: it is not text in UTF-8.
	NotUTF8
	// Control: it has a control character in it.
	Control
)

// Fault is one mistake in a board, as facts: its English is String, and words
// in any other language can be made from the fields, which Kind explains.
type Fault struct {
	Kind    Kind
	Line    int // where it is in the file, from 1; 0 if that means nothing
	First   int // the line of what it collides with; 0 if there is none
	A, B, C int // squares or counts, as Kind says
	Size    int // the last square of the board

	Key        string // the key of the file that it is about
	Text       string // what was found, cleaned and cut to 32 characters
	Suggestion string // what was probably meant
}

// Error returns String with the line before it.
func (f Fault) Error() string {
	if f.Line > 0 {
		return fmt.Sprintf("line %d: %s", f.Line, f.String())
	}
	return f.String()
}

// String returns what is wrong and how to mend it, in English, without the
// line: "two jumps start on 4; keep one".
func (f Fault) String() string {
	switch {
	case f.Kind >= Empty:
		return f.fileText()
	case f.Kind >= SizeRange:
		return f.valueText()
	case f.Kind >= EffectOff:
		return f.effectText()
	default:
		return f.jumpText()
	}
}

func (f Fault) jumpText() string {
	switch f.Kind {
	case OffBoard:
		return fmt.Sprintf("%d is off the board; squares are 1 to %d", f.A, f.Size)
	case LastStart:
		return fmt.Sprintf("a jump starts on %d, the last square; start it lower", f.Size)
	case Nowhere:
		return fmt.Sprintf("%d → %d goes nowhere; give it another end", f.A, f.A)
	case TwoStarts:
		if f.First > 0 && f.First != f.Line {
			return fmt.Sprintf("two jumps start on %d (the first on line %d); keep one", f.A, f.First)
		}
		return fmt.Sprintf("two jumps start on %d; keep one", f.A)
	case Chain:
		return fmt.Sprintf("%d → %d ends where %d → %d starts; move one, or write chains: once", f.A, f.B, f.B, f.C)
	case LadderDown:
		return fmt.Sprintf("the ladder %d → %d goes down; swap the two", f.A, f.B)
	case SnakeUp:
		return fmt.Sprintf("the snake %d → %d goes up; swap the two", f.A, f.B)
	case NotSquare:
		if f.Suggestion != "" {
			return fmt.Sprintf("%q is no square; write %s", f.Text, f.Suggestion)
		}
		return fmt.Sprintf("%q is no square; squares are 1 to %d", f.Text, f.Size)
	case NotJump:
		if f.Suggestion != "" {
			return fmt.Sprintf("%q is no jump; write %s", f.Text, f.Suggestion)
		}
		return fmt.Sprintf("%q is no jump; write two squares, such as 4-14", f.Text)
	case Unsorted:
		return "the jumps are not in order; sort them by their start"
	default:
		return fmt.Sprintf("fault %d", f.Kind)
	}
}

func (f Fault) effectText() string {
	switch f.Kind {
	case EffectOff:
		return fmt.Sprintf("the effect on %d is off the board; squares are 1 to %d", f.A, f.Size)
	case EffectOnLast:
		return fmt.Sprintf("an effect is on %d, the last square; put it lower", f.A)
	case EffectOnStart:
		if f.First > 0 && f.First != f.Line {
			return fmt.Sprintf("%d has an effect, and %d → %d starts there (on line %d); move one of the two", f.A, f.A, f.B, f.First)
		}
		return fmt.Sprintf("%d has an effect, and %d → %d starts there; move one of the two", f.A, f.A, f.B)
	case TwoEffects:
		if f.First > 0 && f.First != f.Line {
			return fmt.Sprintf("%d has two effects (the first on line %d); keep one", f.A, f.First)
		}
		return fmt.Sprintf("%d has two effects; keep one", f.A)
	case NotEffect:
		where := ""
		if f.A != 0 {
			where = fmt.Sprintf(" on %d", f.A)
		}
		if f.Suggestion != "" {
			return fmt.Sprintf("%q%s is no effect, did you mean %q?", f.Text, where, f.Suggestion)
		}
		return fmt.Sprintf("%q%s is no effect; choose one of %s", f.Text, where, strings.Join(effectWords[1:], ", "))
	case NotSpecial:
		return fmt.Sprintf("%q is no square with an effect; write %s", f.Text, f.Suggestion)
	case EffectsUnsorted:
		return "the effects are not in order; sort them by their square"
	default:
		return fmt.Sprintf("fault %d", f.Kind)
	}
}

func (f Fault) valueText() string {
	switch f.Kind {
	case SizeRange:
		return fmt.Sprintf("size %d is out of range; a board has %d to %d squares", f.Size, MinSize, MaxSize)
	case ColumnsRange:
		return fmt.Sprintf("%d columns can't be shown; a board has 1 to %d", f.A, MaxColumns)
	case NotNumber:
		return fmt.Sprintf("%q takes a whole number, not %q; write digits only", f.Key, f.Text)
	case NotMap:
		if f.Key == "effects" {
			return fmt.Sprintf("%q takes squares and words; write them as {12: skip, 30: shield}", f.Key)
		}
		return fmt.Sprintf("%q takes starts and ends; write them as {4: 14, 9: 31}", f.Key)
	case NotText:
		return fmt.Sprintf("%q takes one line of text; write it after the colon", f.Key)
	case NotChains:
		return fmt.Sprintf("%q takes refuse or once, not %q; choose one of them", f.Key, f.Text)
	case UnknownKey, UnknownSetting:
		return f.unknownText()
	case KeyTwice:
		if f.First > 0 && f.First != f.Line {
			return fmt.Sprintf("%q is given twice (first on line %d); keep one", f.Key, f.First)
		}
		return fmt.Sprintf("%q is given twice; keep one", f.Key)
	case NoName:
		return "the board has no name; add a line such as name: jungle"
	case BadName:
		return fmt.Sprintf("%q is no board name; use 1 to %d of a–z 0–9 - _", f.Text, MaxName)
	case ReservedName:
		return fmt.Sprintf("%q is a word of the rules; choose another name", f.Text)
	case TooLong:
		return fmt.Sprintf("%q has %d characters; %d are the most", f.Key, f.A, f.B)
	case Unclean:
		return fmt.Sprintf("%q has characters that can't be shown in one line; leave them out", f.Key)
	default:
		return fmt.Sprintf("fault %d", f.Kind)
	}
}

func (f Fault) unknownText() string {
	switch {
	case f.Suggestion != "":
		return fmt.Sprintf("%q is not known, did you mean %q?", f.Key, f.Suggestion)
	case f.Kind == UnknownKey:
		return fmt.Sprintf("%q is not known; keys are %s", f.Key, strings.Join(keys(), ", "))
	default:
		return fmt.Sprintf("%q is not known; a line or a table takes %s", f.Key, strings.Join(lineKeys(), ", "))
	}
}

func (f Fault) fileText() string {
	switch f.Kind {
	case Empty:
		return "there is nothing in it; write at least a size or a jump"
	case NotBoard:
		return "this is no board; write lines such as size: 100 and ladders: {4: 14}"
	case Syntax:
		return fmt.Sprintf("this can't be read (%s); look at colons, quotes, brackets and indents", f.Text)
	case Anchor:
		return "anchors and aliases (& * <<) are not taken; write the squares out"
	case Tag:
		return fmt.Sprintf("the tag %q is not taken; leave it out", f.Text)
	case Documents:
		return "a second board begins here; send each in a file of its own"
	case TooLarge:
		return fmt.Sprintf("it has more than %d KiB; leave something out", MaxBytes>>10)
	case NotUTF8:
		return "this is not plain text; save it as UTF-8"
	case Control:
		return "a control character stands here; save it as plain text"
	default:
		return fmt.Sprintf("fault %d", f.Kind)
	}
}

// maxFaults is how many faults of one board are told; a file can have
// thousands of them, and nobody reads on after twenty.
const maxFaults = 20

// Faults is everything that is wrong with one board, sorted by line. It is the
// error of Parse, ParseLine and Check.
type Faults struct {
	File string // the file's name as it was given, cleaned; empty if there is none
	List []Fault
	More int // how many there are besides List, which is cut at 20
}

// Total returns how many faults there are, those left out of List included.
func (f *Faults) Total() int { return len(f.List) + f.More }

// Error returns all of List in English, a line each.
func (f *Faults) Error() string {
	var s strings.Builder
	s.WriteString(cmp.Or(f.File, "the board"))
	if f.Total() == 1 {
		s.WriteString(" has 1 mistake:")
	} else {
		fmt.Fprintf(&s, " has %d mistakes:", f.Total())
	}
	for _, one := range f.List {
		s.WriteString("\n• " + one.Error())
	}
	if f.More > 0 {
		fmt.Fprintf(&s, "\n… and %d more", f.More)
	}
	return s.String()
}

// gather makes one error of many faults, or nil of none. More is how many there
// are besides. It takes the faults over.
func gather(file string, all []Fault, more int) error {
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	kept := all[:min(len(all), maxFaults)]
	return &Faults{File: excerpt(file, MaxTitle), List: slices.Clone(kept), More: len(all) - len(kept) + more}
}
