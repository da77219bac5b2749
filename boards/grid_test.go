package boards_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"hiss/boards"
)

// shipped returns a board that ships.
func shipped(t *testing.T, name string) boards.Board {
	t.Helper()
	b, ok := boards.Find(name)
	if !ok {
		t.Fatalf("no board %s", name)
	}
	return b
}

// place puts tokens on squares: "A34 B34 C0".
func place(t *testing.T, words string) []boards.Token {
	t.Helper()
	var tokens []boards.Token
	for _, word := range strings.Fields(words) {
		letter, size := utf8.DecodeRuneInString(word)
		square := 0
		if _, err := fmt.Sscan(word[size:], &square); err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, boards.Token{Square: square, Letter: letter})
	}
	return tokens
}

func TestGrid(t *testing.T) {
	tests := []struct{ board, tokens, want string }{
		{"classic", "A31 B31 C2 D0 E98", `
100  . . E . . ~ . ~ . .  91
 81  . . . . . . ~ . . .  90
 80  # . . . . . . . . #  71
 61  . ~ . ~ . . . . . .  70
 60  . . . . ~ . . . . #  51
 41  . . . . . . . ~ ~ .  50
 40  . . . . # . . . .AB  31
 21  # . . . . . . # . .  30
 20  . . . . ~ . . . . .  11
  1  # C . # . . . . # .  10
  0: D`},
		{"sprint", "A1 B1 C1 D36 E37 F-1 蛇5", `
36  D . ~ . . . 31
25  . . . . . . 30
24  ~ . . . # . 19
13  . . . . ~ . 18
12  # . . . . #  7
 1 ** # . . ? .  6
 1: ABC`},
		{"tiny", "", `
7  . ~ . 9
6  . . # 4
1  . . . 3`},
		{"summit", "A144 B13", `
144< A . ~ . . ~ . . . . ~ .
121> . . . . . . ~ . . . . .
120< # . ~ . . . . . . . . .
 97> ~ . . . . # . . . ~ . .
 96< . . . . . . . . # . . .
 73> . . . . . . ~ . . . . .
 72< . . # . . ~ . . . . . .
 49> . . . . . . . . . # . .
 48< . . # . ~ . . . . . . #
 25> . . . . . . ~ . . . . .
 24< . . # . . . . . . . . B
  1> . . . . # . . . . . # .`},
	}
	for _, test := range tests {
		got := shipped(t, test.board).Grid(place(t, test.tokens))
		if want := strings.TrimPrefix(test.want, "\n"); got != want {
			t.Errorf("%s with %s:\n%s\nwant\n%s", test.board, test.tokens, got, want)
		}
	}
}

// The last row may be short; its squares stay above those they follow.
func TestGridOfAShortLastRow(t *testing.T) {
	b := boards.Board{Name: "b", Size: 13, Columns: 5}
	for size, want := range map[int]string{
		13: "11  . . .     13\n10  . . . . .  6\n 1  . . . . .  5",
		8:  "8      . . . 6\n1  . . . . . 5",
	} {
		b.Size = size
		if got := b.Grid(nil); got != want {
			t.Errorf("%d squares:\n%s\nwant\n%s", size, got, want)
		}
	}
}

func TestGridOfALongBoardShowsWhatMatters(t *testing.T) {
	b := boards.Board{Name: "long", Size: boards.MaxSize, Columns: 10}
	for from := 5; from < b.Size; from += 7 {
		b.Jumps = append(b.Jumps, boards.Jump{From: from, To: 1 + (from*37)%b.Size})
	}
	want := strings.TrimPrefix(`
10000< . . . . . . ~ . . .
      :
 9021> ~ . . . . . . ~ . .
 9020< . . . . . . ~ . . .
 9001> . . . . . . D . . .
 9000< ~ . . . . . . ~ . .
      :
 4820< . . . . . . # . . .
 4801> . . . . . . # . . .
 4800< C . . . . . . # . .
      :
 4520< # . . . . . . # . .
 4501> . . . . . # . . . .
 4500< B # . . . . . . # .
      :
  140< . . # . . . . . . #
  121> . . . # . . . . . .
  120< A . . # . . . . . .
      :
    1> . . . . # . . . . .`, "\n")
	if got := b.Grid(place(t, "A120 B4500 C4800 D9007")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Whatever the board and the tokens: the grid fits a phone, is plain ASCII, and
// every token on the board is in it.
func TestGridAlwaysFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := boards.Board{
			Size:    rapid.OneOf(rapid.IntRange(2, 200), rapid.IntRange(2, boards.MaxSize)).Draw(t, "size"),
			Columns: rapid.IntRange(1, boards.MaxColumns).Draw(t, "columns"),
		}
		for from := 3; from < b.Size; from += 4 {
			b.Jumps = append(b.Jumps, boards.Jump{From: from, To: 1 + (from*7)%b.Size})
		}
		var tokens []boards.Token
		squares := rapid.OneOf(rapid.IntRange(0, b.Size), rapid.IntRange(0, min(b.Size, 3)))
		for i := range rapid.IntRange(0, 16).Draw(t, "tokens") {
			tokens = append(tokens, boards.Token{Square: squares.Draw(t, "square"), Letter: rune('A' + i)})
		}
		grid := b.Grid(tokens)
		if len(grid) > 1500 {
			t.Fatalf("%d characters", len(grid))
		}
		for line := range strings.SplitSeq(grid, "\n") {
			if len(line) > boards.GridWidth || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
				t.Fatalf("line %q in\n%s", line, grid)
			}
		}
		for _, token := range tokens {
			if strings.Count(grid, string(token.Letter)) != 1 {
				t.Fatalf("token %+v isn't there once in\n%s", token, grid)
			}
		}
	})
}

// Far more tokens than any match has change nothing about the size.
func TestGridOfACrowd(t *testing.T) {
	for _, b := range []boards.Board{{Size: boards.MaxSize, Columns: 13}, {Size: 9, Columns: 1}, {}} {
		var tokens []boards.Token
		for i := range 5000 {
			tokens = append(tokens, boards.Token{Square: i / 3 * 7 % (b.Size + 1), Letter: 'X'}, boards.Token{Square: i % 2, Letter: 'Y'})
		}
		if grid := b.Grid(tokens); len(grid) > 1500 {
			t.Errorf("%d squares: %d characters", b.Size, len(grid))
		}
	}
}

func TestLists(t *testing.T) {
	lists := shipped(t, "classic").Lists()
	if len(lists) != 2 {
		t.Fatalf("%d lists, want ladders and snakes", len(lists))
	}
	if got, want := lists[0].String(), "# 1→38 4→14 9→31 21→42 28→84\n  36→44 51→67 71→91 80→100"; got != want {
		t.Errorf("ladders are\n%s\nwant\n%s", got, want)
	}
	if got, want := lists[1].String(), "~ 16→6 48→26 49→11 56→53 62→19\n  64→60 87→24 93→73 95→75\n  98→78"; got != want {
		t.Errorf("snakes are\n%s\nwant\n%s", got, want)
	}
	if none := (boards.Board{Size: 9}).Lists(); len(none) != 0 {
		t.Errorf("a board of nothing has lists: %v", none)
	}
	b := boards.Board{Size: boards.MaxSize}
	for from := 5001; from <= 9980; from++ {
		b.Jumps = append(b.Jumps, boards.Jump{From: from, To: 1})
	}
	many := b.Lists()[0]
	text := many.String()
	if many.Mark != boards.SnakeMark || len(many.Items) != 20 || many.More != 4960 || !strings.HasSuffix(text, "and 4960 more") {
		t.Errorf("many are told as\n%s", text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		if utf8.RuneCountInString(line) > boards.GridWidth {
			t.Errorf("too wide: %q", line)
		}
	}
}
