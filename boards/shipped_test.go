package boards_test

import (
	"maps"
	"os"
	"strings"
	"testing"

	"hiss/boards"
)

// common is what the two published boards of 100 squares share (vectors.md).
const common = "1-38 4-14 9-31 21-42 28-84 36-44 51-67 71-91 80-100 16-6 49-11 56-53 62-19 64-60 87-24 93-73 95-75 98-78"

// The boards that figures are published for, jump for jump.
func TestShippedBoardsOfTheVectors(t *testing.T) {
	for name, line := range map[string]string{
		"classic":   common + " 48-26",
		"classic47": common + " 47-26",
		"tiny":      "size=9 4-7 8-2",
		"twenty":    "size=20 3-11 17-4",
	} {
		want, err := boards.ParseLine(line)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := boards.Find(name)
		if !ok || got.Size != want.Size || got.Chains != boards.Refuse || !same(boards.Board{Jumps: got.Jumps}, boards.Board{Jumps: want.Jumps}) {
			t.Errorf("%s is %+v, want %+v", name, got, want)
		}
	}
}

func TestShipped(t *testing.T) {
	all := boards.Shipped()
	if len(all) < 8 || all[0].Name != "classic" {
		t.Fatalf("%d boards ship, %s first", len(all), all[0].Name)
	}
	seen := map[string]bool{}
	effects := map[boards.Effect]bool{}
	for _, b := range all {
		for _, s := range b.Specials {
			effects[s.Effect] = true
		}
		if err := b.Check(); err != nil {
			t.Errorf("%s: %v", b.Name, err)
		}
		if b.Title == "" || b.About == "" {
			t.Errorf("%s says nothing of itself", b.Name)
		}
		if seen[b.Name] || seen[b.Title] {
			t.Errorf("%s is there twice", b.Name)
		}
		seen[b.Name], seen[b.Title] = true, true
		if found, ok := boards.Find(strings.ToUpper(b.Name)); !ok || !same(found, b) {
			t.Errorf("%s isn't found in capitals", b.Name)
		}
		for _, end := range []string{"exact", "overshoot", "bounce"} {
			if square := stuck(b, end); square >= 0 {
				t.Errorf("%s: from %d there's no way home with %s", b.Name, square, end)
			}
		}
	}
	if len(effects) != 4 {
		t.Errorf("boards ship with the effects %v only", effects)
	}
	if b, ok := boards.Find("atlantis"); ok {
		t.Errorf("found %+v", b)
	}
	if sprint, _ := boards.Find("sprint"); sprint.Size != 36 || sprint.Columns != 6 {
		t.Errorf("sprint has %d squares in %d columns", sprint.Size, sprint.Columns)
	}
	files, err := os.ReadDir("shipped")
	if err != nil || len(files) != len(all) {
		t.Errorf("%d files for %d boards, %v", len(files), len(all), err)
	}
}

// Every copy is the caller's.
func TestShippedAreCopies(t *testing.T) {
	boards.Shipped()[0].Jumps[0].To = 2
	effects, _ := boards.Find("castle")
	effects.Specials[0].Effect = boards.Back
	if again, _ := boards.Find("castle"); again.Specials[0].Effect != boards.Again {
		t.Errorf("somebody else's effects show: %v", again.Specials)
	}
	first, _ := boards.Find("classic")
	first.Jumps[1].To = 2
	if again, _ := boards.Find("classic"); again.Jumps[0].To != 38 || again.Jumps[1].To != 14 {
		t.Errorf("somebody else's changes show: %v", again.Jumps[:2])
	}
}

// stuck returns a square from which one die never leads home, or -1.
func stuck(b boards.Board, end string) int {
	next := func(square, face int) int {
		to := square + face
		if to > b.Size {
			switch end {
			case "exact":
				return square
			case "overshoot":
				return b.Size
			}
			to = 2*b.Size - to
		}
		if led, ok := b.Jump(to); ok && to != square {
			to = led
		}
		if b.Effect(to) == boards.Back && to != square {
			return 0
		}
		return to
	}
	from := map[int][]int{}
	reached := map[int]bool{0: true}
	for todo := []int{0}; len(todo) > 0; todo = todo[1:] {
		if todo[0] == b.Size {
			continue
		}
		for face := 1; face <= 6; face++ {
			to := next(todo[0], face)
			from[to] = append(from[to], todo[0])
			if !reached[to] {
				reached[to] = true
				todo = append(todo, to)
			}
		}
	}
	home := map[int]bool{b.Size: true}
	for todo := []int{b.Size}; len(todo) > 0; todo = todo[1:] {
		for _, square := range from[todo[0]] {
			if !home[square] {
				home[square] = true
				todo = append(todo, square)
			}
		}
	}
	for square := range maps.Keys(reached) {
		if !home[square] {
			return square
		}
	}
	return -1
}
