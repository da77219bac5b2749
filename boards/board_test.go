package boards_test

import (
	"strings"
	"testing"

	"hiss/boards"
)

// sample is a small valid board.
func sample() boards.Board {
	return boards.Board{
		Name: "sample", Size: 36, Columns: 6,
		Jumps: []boards.Jump{{From: 4, To: 14}, {From: 9, To: 31}, {From: 17, To: 7}},
	}
}

func TestJump(t *testing.T) {
	b := sample()
	led := map[int]int{4: 14, 9: 31, 17: 7}
	for square := -1; square <= b.Size+1; square++ {
		to, ok := b.Jump(square)
		want, wantOK := led[square]
		if to != want || ok != wantOK {
			t.Errorf("Jump(%d) = %d, %t, want %d, %t", square, to, ok, want, wantOK)
		}
	}
	if to, ok := (boards.Board{Size: 2}).Jump(1); ok {
		t.Errorf("a board without jumps leads 1 to %d", to)
	}
}

func TestKindIsDerived(t *testing.T) {
	if !(boards.Jump{From: 4, To: 14}).Ladder() || (boards.Jump{From: 17, To: 7}).Ladder() {
		t.Error("ladders go up, and snakes don't")
	}
	if ladders, snakes := sample().Count(); ladders != 2 || snakes != 1 {
		t.Errorf("Count() = %d, %d, want 2, 1", ladders, snakes)
	}
}

func TestShown(t *testing.T) {
	b := sample()
	if b.Shown() != "sample" {
		t.Errorf("shown as %q without a title", b.Shown())
	}
	b.Title = "A Sample"
	if b.Shown() != "A Sample" {
		t.Errorf("shown as %q with a title", b.Shown())
	}
}

func TestCheck(t *testing.T) {
	if err := sample().Check(); err != nil {
		t.Fatalf("a valid board: %v", err)
	}
	tests := []struct {
		name   string
		change func(*boards.Board)
		want   string
	}{
		{"no name", func(b *boards.Board) { b.Name = "" }, "the board has no name; add a line such as name: jungle"},
		{"name in capitals", func(b *boards.Board) { b.Name = "Sample" }, `"Sample" is no board name; use 1 to 32 of a–z 0–9 - _`},
		{"title of two lines", func(b *boards.Board) { b.Title = "a\nb" }, `"title" has characters that can't be shown in one line; leave them out`},
		{"about that turns around", func(b *boards.Board) { b.About = "a\u202eb" }, `"about" has characters that can't be shown in one line; leave them out`},
		{"no size", func(b *boards.Board) { b.Size = 0 }, "size 0 is out of range; a board has 2 to 10000 squares"},
		{"no columns", func(b *boards.Board) { b.Columns = 0 }, "0 columns can't be shown; a board has 1 to 100"},
		{"order", func(b *boards.Board) { b.Jumps[0], b.Jumps[1] = b.Jumps[1], b.Jumps[0] }, "the jumps are not in order; sort them by their start"},
		{"one start", func(b *boards.Board) { b.Jumps[1].From = 4 }, "two jumps start on 4; keep one"},
		{"chain", func(b *boards.Board) { b.Jumps[0].To = 9 }, "4 → 9 ends where 9 → 31 starts; move one, or write chains: once"},
		{"nowhere", func(b *boards.Board) { b.Jumps[2].To = 17 }, "17 → 17 goes nowhere; give it another end"},
		{"off the board", func(b *boards.Board) { b.Jumps[2].To = 37 }, "37 is off the board; squares are 1 to 36"},
		{"from the last", func(b *boards.Board) { b.Jumps[2].From = 36 }, "a jump starts on 36, the last square; start it lower"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := sample()
			test.change(&b)
			faults := faultsOf(t, b.Check())
			if faults.Total() != 1 || faults.List[0].Error() != test.want {
				t.Errorf("told as %v, want %s", faults, test.want)
			}
		})
	}
}

func TestChainsOnce(t *testing.T) {
	b := sample()
	b.Chains = boards.Once
	b.Jumps[0].To, b.Jumps[2].To = 9, 4
	if err := b.Check(); err != nil {
		t.Errorf("chains: once refuses chains: %v", err)
	}
}

// A valid board's own file can always be read again, so one that would be too
// large for that is not valid.
func TestCheckRefusesBoardsTooLargeToRead(t *testing.T) {
	b := boards.Board{Name: "full", Size: boards.MaxSize, Columns: 10}
	for from := 2; from < b.Size; from++ {
		b.Jumps = append(b.Jumps, boards.Jump{From: from, To: 1})
	}
	if faults := faultsOf(t, b.Check()); faults.List[0].Kind != boards.TooLarge {
		t.Errorf("told as %v", faults)
	}
	b.Jumps = b.Jumps[:5000]
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	for f := boards.YAML; f <= boards.Line; f++ {
		if _, err := boards.Parse("full."+f.String(), []byte(b.Format(f))); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
}

func TestChainsWords(t *testing.T) {
	if boards.Refuse.String() != "refuse" || boards.Once.String() != "once" {
		t.Error("chains are written as other words than files use")
	}
	if !strings.Contains(sample().File(), "chains: refuse\n") {
		t.Error("the file doesn't say what becomes of chains")
	}
}
