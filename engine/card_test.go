package engine_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine"
	"hiss/engine/rules"
)

// TestCards holds the figures that are published, or known exactly.
func TestCards(t *testing.T) {
	for _, test := range []struct {
		board, rules string
		want         []string
	}{
		{"classic", "", []string{"One player 39.598 goes", "Ends with every rule set.", "first of four 26.0 %", "Fewest throws 7 "}},
		{"classic47", "", []string{"One player 39.225 goes"}},
		{"tiny", "", []string{"One player 8.600 goes"}},
		{"classic", "end=overshoot", []string{"One player 36.193 goes", "With plain end=overshoot rules:"}},
		{"classic", "family", []string{"One player 33.765 goes", "With family rules:"}},
		{"classic", "dice=2", []string{"Never ends with plain dice=2: from 99 there's no way home with 2 dice and exact landing; end=overshoot would do.", "Nobody ever takes 1 → 38."}},
		{"tiny", "dice=2", []string{"Ends with every rule set."}},
	} {
		card, err := engine.Card(t.Context(), test.board, nil, strings.Fields(test.rules), nil)
		if err != nil {
			t.Error(err)
		}
		for _, want := range test.want {
			if !strings.Contains(card, want) {
				t.Errorf("%s %s: no %q in\n%s", test.board, test.rules, want, card)
			}
		}
	}
}

// TestCardOfAGreatBoard: with ten thousand squares one player's goes are exact, the
// rest is estimated and says so, and whoever waits sees how far it is.
func TestCardOfAGreatBoard(t *testing.T) {
	b := boards.Board{Name: "great", Size: greatSize, Columns: 10}
	for from := 7; from < b.Size-20; from += 11 {
		b.Jumps = append(b.Jumps, boards.Jump{From: from, To: from + 13})
	}
	b.Chains = boards.Once
	told := []float64{}
	card, err := engine.Card(t.Context(), "great.yaml", []byte(b.File()), nil, func(done float64) { told = append(told, done) })
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{fmt.Sprintf("great: %d squares, %d ladders, 0 snakes", greatSize, len(b.Jumps)), "Very long", "What has a ± is estimated", " ± "} {
		if !strings.Contains(card, want) {
			t.Errorf("no %q in\n%s", want, card)
		}
	}
	one, _, _ := strings.Cut(card[strings.Index(card, "One player"):], " goes")
	if strings.Contains(one, "±") || len(told) < 3 || !slices.IsSorted(told) {
		t.Errorf("%q, told %v", one, told)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if card, err := engine.Card(ctx, "great.yaml", []byte(b.File()), nil, nil); err == nil {
		t.Errorf("nobody waits for it any more, but it came:\n%s", card)
	}
}

// TestCardRefused: what can't be shown is told with what to do.
func TestCardRefused(t *testing.T) {
	bad, err := os.ReadFile("testdata/files/bad.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		file  []byte
		rules string
		want  string
	}{
		{"clasic", nil, "", `no board "clasic" comes with Hiss; there are classic, sprint`},
		{"bad.yaml", bad, "", `line 2: "sise" is not known, did you mean "size"?`},
		{"tiny", nil, "dice=11", `dice takes a number from 1 to 10, not "11".`},
		{"tiny", nil, "wild", `I don't know what "wild" is for.`},
	} {
		card, err := engine.Card(t.Context(), test.name, test.file, strings.Fields(test.rules), nil)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %s: %v, %q", test.name, test.rules, err, card)
		}
	}
}

// TestDrawnBoardsFit: whatever length is wished for, the board that is drawn for
// it takes that long, to a tenth; the same seed draws the same board.
func TestDrawnBoardsFit(t *testing.T) {
	h := newHall(t, nil)
	for i, goes := range []int{15, 20, 30, 45, 60, 90, 150} {
		for j, set := range []string{"plain", "family", "doubles"} {
			here := room(fmt.Sprint("drawn", i, j))
			wants(t, h.handle(h.typed(here, "Asha", fmt.Sprintf("newgame board=random goes=%d %s", goes, set))), "New match on Random board")
			rec := h.latest(here)
			file, err := h.disk.Board(t.Context(), rec.Board)
			if err != nil {
				t.Fatal(err)
			}
			card, err := engine.Card(t.Context(), "b.yaml", []byte(file), []string{set}, nil)
			if err != nil {
				t.Fatal(err)
			}
			var mean float64
			if _, err := fmt.Sscanf(card[strings.Index(card, "One player"):], "One player %f goes", &mean); err != nil {
				t.Fatal(err)
			}
			if mean < 0.9*float64(goes)-0.001 || mean > 1.1*float64(goes)+0.001 {
				t.Errorf("%d goes of %s are %v", goes, set, mean)
			}
			if seed, ok := rules.ParseSeed(rec.Seed); !ok || seed.Digits() == "" {
				t.Error(rec.Seed)
			}
		}
	}
}

// TestCardsFitACaption: a card and its board's picture are one message, whatever the board,
// the rules and its name; what was left out stands where there's no picture.
func TestCardsFitACaption(t *testing.T) {
	t.Parallel()
	h, here := newHall(t, nil), room("cards")
	h.engine.Wordless = time.Minute
	long := boards.Board{Name: "long", Title: strings.Repeat("🐍", boards.MaxTitle), About: strings.Repeat("so it goes ", 18), Size: 200, Columns: 10, Chains: boards.Once}
	for from := 20; from < 150; from += 6 {
		long.Jumps = append(long.Jumps, boards.Jump{From: from, To: from - 15}, boards.Jump{From: from + 1, To: from + 30})
	}
	for i := range 24 {
		long.Specials = append(long.Specials, boards.Special{Square: 170 + i, Effect: boards.Effect(1 + i%4)})
	}
	short := fit(t, h.handle(h.admin(here, "boards upload", "long.yaml", []byte(long.File()))))
	wants(t, h.handle(h.admin(here, "boards approve 1", "", nil)), "is in the library")
	if left := "What has a ±"; !strings.Contains(short.Picture.Instead.String(), left) || strings.Contains(short.Said.String(), left) {
		t.Errorf("%s\n\nand without its picture\n%s", short.Said, short.Picture.Instead)
	}
	for _, b := range append(boards.Shipped(), long) {
		for _, r := range []string{"", "marathon dice=3 sides=20 end=bounce bonus=doubles void=4 seats=7"} {
			fit(t, h.handle(h.admin(here, "boards show "+b.Name+" "+r, "", nil)))
		}
	}
}

// fit returns the message of an answer that has a picture, whose words have to fit.
func fit(t *testing.T, a bot.Answer) (m bot.Message) {
	t.Helper()
	if m = pictured(t, bot.Answer{Channel: append(a.Channel, asked(a)...)}); len(utf16.Encode([]rune(dressed(m.Text())))) > 1024 {
		t.Errorf("too long for a caption:\n%s", m.Text())
	}
	return m
}

// dressed returns a text with its signs.
func dressed(t bot.Text) (all string) {
	for _, s := range t {
		all += s.Text
	}
	return all
}
