package boards_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"hiss/boards"
)

// faultsOf returns the faults of a board that must have some.
func faultsOf(t *testing.T, err error) *boards.Faults {
	t.Helper()
	faults, ok := errors.AsType[*boards.Faults](err)
	if !ok {
		t.Fatalf("error is %T %v, want *Faults", err, err)
	}
	if len(faults.List) == 0 || len(faults.List) > 20 {
		t.Fatalf("%d faults listed", len(faults.List))
	}
	return faults
}

// mistake is one mistake in an otherwise good file. It's told by its kind and
// by the words that people read: line, squares, mend.
type mistake struct {
	name string
	file string
	kind boards.Kind
	want string
}

// tell holds that each mistake is told, and nothing else with it.
func tell(t *testing.T, mistakes []mistake) {
	t.Helper()
	for _, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			_, err := boards.Parse("good.yaml", []byte(m.file))
			faults := faultsOf(t, err)
			if faults.Total() != 1 || faults.List[0].Kind != m.kind {
				t.Fatalf("faults are %+v, want one of kind %d", faults.List, m.kind)
			}
			if got := faults.List[0].Error(); got != m.want {
				t.Errorf("told as\n%s\nwant\n%s", got, m.want)
			}
		})
	}
}

func TestFaultsOfJumps(t *testing.T) {
	tell(t, []mistake{
		{"ladder goes down", "ladders:\n  14: 4", boards.LadderDown, "line 2: the ladder 14 → 4 goes down; swap the two"},
		{"snake goes up", "size: 100\nsnakes:\n  4: 14", boards.SnakeUp, "line 3: the snake 4 → 14 goes up; swap the two"},
		{"end off the board", "size: 36\nladders: {4: 37}", boards.OffBoard, "line 2: 37 is off the board; squares are 1 to 36"},
		{"start off the board", "size: 36\nsnakes: {40: 3}", boards.OffBoard, "line 2: 40 is off the board; squares are 1 to 36"},
		{"starts before the board", "ladders: {0: 14}", boards.OffBoard, "line 1: 0 is off the board; squares are 1 to 100"},
		{"ends before the board", "snakes: {17: -3}", boards.OffBoard, "line 1: -3 is off the board; squares are 1 to 100"},
		{"starts on the last", "size: 36\nsnakes: {36: 3}", boards.LastStart, "line 2: a jump starts on 36, the last square; start it lower"},
		{"goes nowhere", "ladders: {5: 5}", boards.Nowhere, "line 1: 5 → 5 goes nowhere; give it another end"},
		{"leads to one that goes nowhere", "ladders:\n  4: 5\n  5: 5", boards.Nowhere, "line 3: 5 → 5 goes nowhere; give it another end"},
		{"start given twice", "ladders:\n  4: 14\n  9: 31\n  4: 15", boards.TwoStarts, "line 4: two jumps start on 4 (the first on line 2); keep one"},
		{"start given twice on a line", "ladders: {4: 14, 4: 14}", boards.TwoStarts, "line 1: two jumps start on 4; keep one"},
		{"ladder and snake on one start", "ladders: {9: 31}\nsnakes: {9: 2}", boards.TwoStarts, "line 2: two jumps start on 9 (the first on line 1); keep one"},
		{"quoted and plain are one start", `ladders: {4: 14, "4": 15}`, boards.TwoStarts, "line 1: two jumps start on 4; keep one"},
		{"chain", "ladders:\n  4: 14\n  14: 31", boards.Chain, "line 2: 4 → 14 ends where 14 → 31 starts; move one, or write chains: once"},
		{"chain of both kinds", "snakes: {31: 4}\nladders: {4: 14}", boards.Chain, "line 1: 31 → 4 ends where 4 → 14 starts; move one, or write chains: once"},
	})
}

func TestFaultsOfSquares(t *testing.T) {
	tell(t, []mistake{
		{"square in words", "size: 36\nladders: {4: top}", boards.NotSquare, `line 2: "top" is no square; squares are 1 to 36`},
		{"square before the size is known", "ladders: {4: top}\nsize: 36", boards.NotSquare, `line 1: "top" is no square; squares are 1 to 36`},
		{"square in octal", "ladders: {4: 014}", boards.NotSquare, `line 1: "014" is no square; write 14`},
		{"square in hex", "ladders: {4: 0x14}", boards.NotSquare, `line 1: "0x14" is no square; squares are 1 to 100`},
		{"square with a point", "ladders: {4: 14.0}", boards.NotSquare, `line 1: "14.0" is no square; squares are 1 to 100`},
		{"square with an exponent", "ladders: {4: 1e1}", boards.NotSquare, `line 1: "1e1" is no square; squares are 1 to 100`},
		{"square huge", "ladders: {4: 18446744073709551630}", boards.NotSquare, `line 1: "18446744073709551630" is no square; squares are 1 to 100`},
		{"square missing", "ladders:\n  4:", boards.NotSquare, `line 2: "nothing" is no square; squares are 1 to 100`},
		{"no space after the colon", "ladders: {4:14}", boards.NotJump, `line 1: "4:14" is no jump; write 4: 14`},
		{"dash for the colon", "ladders: {4-14}", boards.NotJump, `line 1: "4-14" is no jump; write 4: 14`},
	})
}

func TestFaultsOfValues(t *testing.T) {
	tell(t, []mistake{
		{"size too small", "size: 1", boards.SizeRange, "line 1: size 1 is out of range; a board has 2 to 10000 squares"},
		{"size too large", "size: 10001", boards.SizeRange, "line 1: size 10001 is out of range; a board has 2 to 10000 squares"},
		{"size negative", "size: -5", boards.SizeRange, "line 1: size -5 is out of range; a board has 2 to 10000 squares"},
		{"columns", "columns: 0", boards.ColumnsRange, "line 1: 0 columns can't be shown; a board has 1 to 100"},
		{"size in words", "size: many", boards.NotNumber, `line 1: "size" takes a whole number, not "many"; write digits only`},
		{"size left empty", "size:", boards.NotNumber, `line 1: "size" takes a whole number, not "nothing"; write digits only`},
		{"size with a point", "size: 36.0", boards.NotNumber, `line 1: "size" takes a whole number, not "36.0"; write digits only`},
		{"size with a separator", "size: 1_000", boards.NotNumber, `line 1: "size" takes a whole number, not "1_000"; write digits only`},
		{"size in octal", "size: 0100", boards.NotNumber, `line 1: "size" takes a whole number, not "0100"; write digits only`},
		{"size huge", "size: 99999999999999999999", boards.NotNumber, `line 1: "size" takes a whole number, not "99999999999999999999"; write digits only`},
		{"size as a list", "size: [1]", boards.NotNumber, `line 1: "size" takes a whole number, not "a list"; write digits only`},
		{"ladders as a list", "ladders: [4, 14]", boards.NotMap, `line 1: "ladders" takes starts and ends; write them as {4: 14, 9: 31}`},
		{"title as a map", "title: {a: b}", boards.NotText, `line 1: "title" takes one line of text; write it after the colon`},
		{"title too long", "title: " + strings.Repeat("é", 65), boards.TooLong, `line 1: "title" has 65 characters; 64 are the most`},
		{"about too long", "about: " + strings.Repeat("é", 201), boards.TooLong, `line 1: "about" has 201 characters; 200 are the most`},
		{"chains", "chains: twice", boards.NotChains, `line 1: "chains" takes refuse or once, not "twice"; choose one of them`},
		{"chains as a list", "chains: [once]", boards.NotChains, `line 1: "chains" takes refuse or once, not "a list"; choose one of them`},
		{"unknown key", "size: 36\nladder: {4: 14}", boards.UnknownKey, `line 2: "ladder" is not known, did you mean "ladders"?`},
		{"key without its colon", "ladders {4: 14}", boards.UnknownKey, `line 1: "ladders {4" is not known, did you mean "ladders"?`},
		{"key in capitals", "Size: 36", boards.UnknownKey, `line 1: "Size" is not known, did you mean "size"?`},
		{"beginning of a key", "col: 6", boards.UnknownKey, `line 1: "col" is not known, did you mean "columns"?`},
		{"key like no other", "wormholes: 6", boards.UnknownKey, `line 1: "wormholes" is not known; keys are name, title, about, size, columns, chains, ladders, snakes, effects`},
		{"key given twice", "size: 36\nabout: x\nsize: 49", boards.KeyTwice, `line 3: "size" is given twice (first on line 1); keep one`},
		{"ladders given twice", "ladders: {4: 14}\nladders: {9: 31}", boards.KeyTwice, `line 2: "ladders" is given twice (first on line 1); keep one`},
		{"name", "name: My Board!", boards.BadName, `line 1: "my board!" is no board name; use 1 to 32 of a–z 0–9 - _`},
		{"name too long", "name: " + strings.Repeat("a", 33), boards.BadName, `line 1: "` + strings.Repeat("a", 31) + `…" is no board name; use 1 to 32 of a–z 0–9 - _`},
		{"name left empty", "name: ''", boards.BadName, `line 1: "" is no board name; use 1 to 32 of a–z 0–9 - _`},
		{"name as a list", "name: [a]", boards.NotText, `line 1: "name" takes one line of text; write it after the colon`},
		{"name of a rule set", "name: Family", boards.ReservedName, `line 1: "family" is a word of the rules; choose another name`},
		{"name of random boards", "name: random", boards.ReservedName, `line 1: "random" is a word of the rules; choose another name`},
	})
}

func TestFaultsOfFiles(t *testing.T) {
	tell(t, []mistake{
		{"only a comment", "# nothing", boards.Empty, "there is nothing in it; write at least a size or a jump"},
		{"null", "~", boards.Empty, "there is nothing in it; write at least a size or a jump"},
		{"a list", "- 4\n- 14", boards.NotBoard, "line 1: this is no board; write lines such as size: 100 and ladders: {4: 14}"},
		{"anchor", "ladders: &a {4: 14}", boards.Anchor, "line 1: anchors and aliases (& * <<) are not taken; write the squares out"},
		{"alias without an anchor", "size: 36\nladders: *a", boards.Anchor, "line 2: anchors and aliases (& * <<) are not taken; write the squares out"},
		{"merge", "size: 36\n<<: {size: 49}", boards.Anchor, "line 2: anchors and aliases (& * <<) are not taken; write the squares out"},
		{"merge among jumps", "ladders:\n  <<: {4: 14}", boards.Anchor, "line 2: anchors and aliases (& * <<) are not taken; write the squares out"},
		{"tag", "size: !!int 36", boards.Tag, `line 1: the tag "!!int" is not taken; leave it out`},
		{"own tag", "ladders: !board {4: 14}", boards.Tag, `line 1: the tag "!board" is not taken; leave it out`},
		{"two documents", "size: 36\n---\nsize: 49", boards.Documents, "line 2: a second board begins here; send each in a file of its own"},
		{"too large", "# " + strings.Repeat("x", 64<<10), boards.TooLarge, "it has more than 64 KiB; leave something out"},
		{"not UTF-8", "size: 36\ntitle: caf\xe9", boards.NotUTF8, "line 2: this is not plain text; save it as UTF-8"},
		{"UTF-16", "\xff\xfes\x00i\x00", boards.NotUTF8, "line 1: this is not plain text; save it as UTF-8"},
		{"NUL", "size: 36\ntitle: a\x00b", boards.Control, "line 2: a control character stands here; save it as plain text"},
		{"escape", "title: \x1b[31mred", boards.Control, "line 1: a control character stands here; save it as plain text"},
	})
}

// What the library finds wrong has no type of its own and a line that has to be
// worked out, so each way of being wrong is held here.
func TestSyntaxFaultsNameTheirLine(t *testing.T) {
	tests := []struct {
		name, file string
		line       int
	}{
		{"no colon", "about: x\nsize 36\nsnakes: {16: 6}\n", 2},
		{"tab for an indent", "size: 36\nladders:\n\t4: 14\n", 3},
		{"indent that fits nothing", "about: x\nladders:\n  4: 14\n 5: 15\n  6: 16\nsize: 36\n", 4},
		{"bracket not closed", "about: x\nladders: {4: 14, 5: 15\nsize: 36\nchains: once\n", 2},
		{"quote not closed", "about: x\ntitle: \"abc\nsize: 36\nchains: once\n", 2},
		{"word after a quote", "about: x\ntitle: \"abc\"d\nsize: 36\n", 2},
		{"two colons", "about: x\ntitle: a: b\nsize: 36\n", 2},
		{"first line", "title: @b\nsize: 36\n", 1},
		{"closed twice", "size: 36\n}\nabout: x\n", 2},
		{"nothing but brackets", "[[[[", 1},
		{"later document", "size: 36\n---\ntitle: @b\n", 3},
		{"JSON without a colon", "{\n \"size\": 36,\n \"ladders\": {\"4\": 14,\n \"5\" 15}\n}\n", 4},
		{"JSON without a comma", "{\n \"size\": 36,\n \"ladders\": {\"4\": 14\n \"5\": 15}\n}\n", 4},
		{"JSON cut off", "{\n \"size\": 36,\n \"ladders\": {\"4\": 14", 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := boards.Parse("good.yaml", []byte(test.file))
			for _, fault := range faultsOf(t, err).List {
				if fault.Kind == boards.Syntax {
					if fault.Line != test.line || fault.Text == "" {
						t.Errorf("told as %q, want line %d and a reason", fault.Error(), test.line)
					}
					return
				}
			}
			t.Errorf("%v, want a syntax fault", err)
		})
	}
}

func TestAllFaultsAreToldTogetherByLine(t *testing.T) {
	file := `snakes: {4: 20}
sizes: 4
ladders:
  9: 3
  7: 7
  30: 99
  4: 12
  2: 0x10
columns: 1000
name: family
size: 36
ladders:
  13: 6
`
	_, err := boards.Parse("my jungle.yaml", []byte(file))
	want := `my jungle.yaml has 11 mistakes:
• line 1: the snake 4 → 20 goes up; swap the two
• line 2: "sizes" is not known, did you mean "size"?
• line 4: the ladder 9 → 3 goes down; swap the two
• line 5: 7 → 7 goes nowhere; give it another end
• line 6: 99 is off the board; squares are 1 to 36
• line 7: two jumps start on 4 (the first on line 1); keep one
• line 8: "0x10" is no square; squares are 1 to 36
• line 9: 1000 columns can't be shown; a board has 1 to 100
• line 10: "family" is a word of the rules; choose another name
• line 12: "ladders" is given twice (first on line 3); keep one
• line 13: the ladder 13 → 6 goes down; swap the two`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestFaultsAreFactsForOtherLanguages(t *testing.T) {
	_, err := boards.Parse("b.yaml", []byte("size: 36\nladders:\n  4: 14\n  14: 50\n"))
	want := []boards.Fault{
		{Kind: boards.Chain, Line: 3, First: 4, A: 4, B: 14, C: 50},
		{Kind: boards.OffBoard, Line: 4, A: 50, B: 14, C: 50, Size: 36},
	}
	got := faultsOf(t, err).List
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestManyFaultsAreCut(t *testing.T) {
	var file strings.Builder
	file.WriteString("ladders:\n")
	for i := range 1000 {
		fmt.Fprintf(&file, "  %d: 0\n", i+200)
	}
	_, err := boards.Parse("b.yaml", []byte(file.String()))
	faults := faultsOf(t, err)
	if len(faults.List) != 20 || faults.Total() != 2000 {
		t.Errorf("%d listed of %d, want 20 of 2000", len(faults.List), faults.Total())
	}
	if faults.List[0].Line != 2 || !strings.HasSuffix(err.Error(), "\n… and 1980 more") {
		t.Errorf("told as %s", err)
	}
}

// A fault is told in a chat: whatever the file holds, its text is short, in
// one line, and clean.
func TestFaultTextIsShortAndClean(t *testing.T) {
	long := strings.Repeat("W\u202e\u2066x", 5000)
	files := []string{
		"name: \"" + long + "\"", "\"" + long + "\": 1", "size: \"" + long + "\"", "chains: \"" + long + "\"",
		"ladders: {\"" + long + "\": 4}", "size: !<" + strings.Repeat("t", 5000) + "> 9", "*" + strings.Repeat("a", 9000),
	}
	for _, file := range files {
		_, err := boards.Parse(long, []byte(file))
		text := faultsOf(t, err).Error()
		if len([]rune(text)) > 350 || strings.ContainsAny(text, "\u202e\u2066") || strings.Count(text, "\n") != 1 {
			t.Errorf("%.40q is told as %.400q", file, text)
		}
	}
}
