package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hiss/boards"
	"hiss/engine/rules"
)

// TestRecords reads the matches of every release so far: they fold, every die
// is the seed's, and they end as they did.
func TestRecords(t *testing.T) {
	files, err := filepath.Glob("testdata/records*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no records", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, matches, _ := strings.Cut(string(data), "\n\n")
		for match := range strings.SplitSeq(strings.TrimSpace(matches), "\n\n") {
			lines := strings.Split(match, "\n")
			if end := ending(t, lines[0], lines[1], lines[2], lines[3]); end != lines[4] {
				t.Errorf("%s: the match of seed %s is %s, but was %s", file, lines[0], end, lines[4])
			}
		}
	}
}

// ending folds a record, verifies every go, and says how it ended.
func ending(t *testing.T, seed, board, notation, acts string) string {
	t.Helper()
	b, ok := boards.Find(board)
	r, err := rules.ParseNotation(notation)
	s, parsed := rules.ParseSeed(seed)
	if !ok || err != nil || !parsed {
		t.Fatal(board, err, seed)
	}
	track, err := rules.Compile(b, r)
	if err != nil {
		t.Fatal(err)
	}
	g, dice := rules.NewGame(track), s.Dice(r.Sides)
	for entry := range strings.SplitSeq(acts, " ") {
		event, err := g.Read(entry)
		if err != nil {
			t.Fatal(err)
		}
		if went, ok := event.(rules.Went); ok {
			if bad := g.Verify(went, dice); bad != nil {
				t.Fatalf("go %d: the seed gives %s, the record says %s", bad.Go, rules.Write(bad.Gives), entry)
			}
		}
		if err := g.Apply(event); err != nil {
			t.Fatal(err)
		}
	}
	if g.Phase() != rules.Finished {
		t.Errorf("the match of seed %s isn't over", seed)
	}
	return fmt.Sprintf("won by %d after %d goes", g.Winner()+1, g.Goes())
}
