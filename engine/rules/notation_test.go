package rules_test

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"hiss/boards"
	"hiss/engine/rules"
)

// TestMalformed refuses entries that no event is written as, each by its
// number.
func TestMalformed(t *testing.T) {
	m := open(t, "tiny", "plain", nil, 2, 1)
	m.script("a1")
	for _, entry := range []string{
		"", " ", "b", "b0x", "b1x", "B1", "c1", "q1", "b01", "b1>", "b1^", "b1^1", "b1>1", "b=", "b1=x", "b1,,2", "b1,", "b*", "b%",
		"b~%1", "b+1", "b1+", "b999999", "b1!!", "b-1", "open:", "open!!", "join:", "join:b", "leave", "leave:", "leave:z", "leave:bb",
		"order", "order:", "order:a", "order:aB", "order:aq", "order:a b", "order:aé", "order:abcdefghijklmnopa", "auto:q", "hand", "end", "end:", "end:zz", "end:Closed", "win:a", "b１",
	} {
		if e, err := m.game.Read(entry); err == nil {
			t.Errorf("%q is read as %+v", entry, e)
		} else if !strings.Contains(err.Error(), "act 4") {
			t.Errorf("%q: %v doesn't name the act", entry, err)
		}
	}
}

// TestEntries reads the examples of the notation's description.
func TestEntries(t *testing.T) {
	m := open(t, "classic", "plain", nil, 2)
	for _, entry := range []string{
		"open", "open!", "join", "join:computer", "leave:b", "unseat:b", "order:cab", "auto:b", "hand:b", "end:b", "end:admin", "end:closed",
		"end:expired", "b4", "b*4", "b~4", "b#4", "b%4", "b%~4", "b6,6,2", "b5+4", "b4>14", "b6^98", "b6^98>78", "b6=", "b6!",
		"b4/skip", "b4>14/shield", "b4/again,4/again,1", "b4/back", "b4/held", "b4/back,6",
	} {
		if e, err := m.game.Read(entry); err != nil || rules.Write(e) != entry {
			t.Errorf("%q is %+v, %v", entry, e, err)
		}
	}
}

// TestExamplesOfTheComment reads every example that the description of the
// notation gives: what begins a line there, or stands behind a wide gap.
func TestExamplesOfTheComment(t *testing.T) {
	source, err := os.ReadFile("notation.go")
	if err != nil {
		t.Fatal(err)
	}
	m := open(t, "classic", "plain", nil, 2)
	examples := 0
	for line := range strings.Lines(string(source)) {
		table, ok := strings.CutPrefix(line, "//\t")
		if !ok || table[0] == ' ' { // goes on with the line before it
			continue
		}
		for i, entry := range regexp.MustCompile(" {2,}").Split(strings.TrimSpace(table), -1) {
			if i%2 == 1 {
				continue // what the one before it means
			}
			if entry[0] <= '9' {
				entry = "b" + entry
			}
			examples++
			if e, err := m.game.Read(entry); err != nil || rules.Write(e) != entry {
				t.Errorf("%q is %+v, %v", entry, e, err)
			}
		}
	}
	if examples != 23 {
		t.Errorf("%d examples", examples)
	}
}

// TestVerify finds one altered face, square or seat at its go.
func TestVerify(t *testing.T) {
	m := open(t, "twenty", "plain", nil, 2)
	m.dice.Faces = nil
	m.press("a")
	for _, entry := range []string{"b1", "b5>11", "b6>9", "b6=", "a6"} {
		e, err := m.game.Read(entry)
		if err != nil {
			t.Fatal(err)
		}
		if bad := m.game.Verify(e.(rules.Went), m.dice); bad == nil || bad.Go != 2 || rules.Write(bad.Gives) != "b6" {
			t.Errorf("%q: %+v", entry, bad)
		}
	}
	e, _ := m.game.Read("b~6")
	if bad := m.game.Verify(e.(rules.Went), m.dice); bad != nil {
		t.Errorf("the clock changes the dice: %+v", bad)
	}
}

// FuzzFold reads any text as acts: an error, or a match whose acts are written
// back as they were.
func FuzzFold(f *testing.F) {
	f.Add("open join a6,6,6! b5>11 auto:a a*1 b~6= end:b")
	f.Add("open! join:computer a%4 b#3 leave:a")
	f.Add("open join join leave:b a20 unseat:b")
	f.Add("open join join:computer order:cab order:bca a#4 b~1 hand:b")
	b, _ := boards.Find("twenty")
	family, _ := rules.Set("family")
	track, err := rules.Compile(b, family)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, acts string) {
		if _, err := rules.Fold(track, acts); err != nil {
			return
		}
		g := rules.NewGame(track)
		var again []string
		for entry := range strings.SplitSeq(acts, " ") {
			e, err := g.Read(entry)
			if err != nil {
				t.Fatal(err)
			}
			again = append(again, rules.Write(e))
			if err := g.Apply(e); err != nil {
				t.Fatal(err)
			}
		}
		if strings.Join(again, " ") != acts {
			t.Fatalf("%q is written back as %q", acts, again)
		}
	})
}

// recorded returns the record of a match thrown by its seed, in which much
// happens, and the dice.
func recorded(t *testing.T, seed uint64, settings ...string) (*rules.Track, rules.Dice, []string) {
	t.Helper()
	m := openOn(t, shipped(t, "sprint"), with(t, append(settings, "bonus=max", "finish=all")...), 3)
	m.dice = rules.Loaded{Then: rules.SeedNumber(seed).Dice(m.game.Rules().Sides)}
	m.auto("b", true)
	for n := 0; m.game.Phase() != rules.Finished; n++ {
		if n%5 == 4 {
			e, err := m.game.Timeout(m.dice)
			m.do(e, err)
		} else {
			m.press(string(m.game.Seat(m.game.Turn()).Player))
		}
	}
	return m.game.Track(), m.dice, m.acts
}

// wrong reads the next entry of a record as /fair does, and reports whether it
// can't be so; else it is applied.
func wrong(g *rules.Game, dice rules.Dice, entry string) bool {
	e, err := g.Read(entry)
	if err != nil {
		return true
	}
	if w, ok := e.(rules.Went); ok && g.Verify(w, dice) != nil {
		return true
	}
	return g.Apply(e) != nil
}

// TestForgeries alters one character of one go in every way that could tell
// another story, says a go twice, and leaves one out.
func TestForgeries(t *testing.T) {
	t.Parallel()
	forged := 0
	for seed, end := range []string{"end=exact", "end=bounce", "end=overshoot"} {
		track, dice, acts := recorded(t, uint64(seed), end)
		g := rules.NewGame(track)
		for i, entry := range acts {
			before := g.Clone()
			if wrong(g, dice, entry) {
				t.Fatalf("act %d of an honest record is wrong", i+1)
			}
			if !strings.ContainsAny(entry, "123456") {
				continue
			}
			for _, other := range forgeries(entry) {
				if forged++; !wrong(before, dice, other) {
					t.Fatalf("act %d: nobody sees that %q was %q", i+1, other, entry)
				}
			}
			if !wrong(g.Clone(), dice, entry) {
				t.Errorf("act %d may be said twice", i+1)
			}
			if i+1 < len(acts) && !wrong(before, dice, acts[i+1]) {
				t.Errorf("act %d may be left out", i+1)
			}
		}
	}
	if forged < 5000 {
		t.Errorf("%d forgeries", forged)
	}
}

// forgeries returns a go's entry with one character altered. The signs of how
// it came about stay: those are nobody's dice.
func forgeries(entry string) (all []string) {
	for at := range len(entry) {
		for _, c := range []byte("0123456789abc=!>^,+") {
			other := []byte(entry)
			if other[at] != c && strings.IndexByte("*~#%", other[at]) < 0 {
				other[at] = c
				all = append(all, string(other))
			}
		}
	}
	return all
}

// TestFoldNamesTheAct: what is wrong with a record is said with its number.
func TestFoldNamesTheAct(t *testing.T) {
	track := compile(t, shipped(t, "tiny"), with(t))
	for acts, want := range map[string]string{
		"":                             "act 1,",
		"join":                         "act 1:",
		"a4":                           "act 1,",
		"open open":                    "act 2:",
		"open  join":                   "act 2,",
		"open ":                        "act 2,",
		" open":                        "act 1,",
		"open a1":                      "act 2:",
		"open join b1":                 "act 3:",
		"open join a1 c1":              "act 4,",
		"open join leave:c":            "act 3:",
		"open join leave:B":            "act 3,",
		"open join a4>7 b1 a2 b1":      "act 6:",
		"open join a4>7 b1 a2 leave:b": "act 6:",
		"open leave:a join":            "act 3:",
		"open join a7":                 "act 3:",
		"open join a1 b1 join":         "act 5:",
		"open join a1+1":               "act 3:",
		"open join end:c":              "act 3:",
		"open join order:aa":           "act 3:",
		"open join order:ac":           "act 3:",
		"open join order:bac":          "act 3:",
		"open join join order:ba":      "act 4:",
		"open join a1 order:ba":        "act 4:",
		"open\njoin":                   "act 1,",
	} {
		if g, err := rules.Fold(track, acts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v", acts, g, err)
		}
	}
	g, err := rules.Fold(track, "open join a4>7 b1 a2")
	if err != nil || g.Winner() != 0 || g.Seat(0).Player != "" || g.Acts() != 5 {
		t.Fatal(err)
	}
	g.Sit([]rules.PlayerID{"x", "y", "z"})
	if g.SeatOf("y") != 1 || g.SeatOf("z") != -1 || g.SeatOf("") != -1 {
		t.Error(g.Seat(0), g.Seat(1))
	}
	if g.Sit([]rules.PlayerID{"x"}); g.Seat(1).Player != "" {
		t.Error(g.Seat(1))
	}
	// A go behind the end is no go to compare, whatever it says.
	if bad := g.Verify(rules.Went{Seat: 0}, rules.SeedNumber(0).Dice(6)); bad != nil {
		t.Error(bad)
	}
}

// TestVerifyComparesAllFacts alters each fact of a go by itself, also such as
// no entry could tell.
func TestVerifyComparesAllFacts(t *testing.T) {
	m := open(t, "classic47", "family", nil, 2, 4, 6, 5)
	m.press("a")
	honest, err := m.game.Roll("b", m.dice)
	if err != nil || rules.Write(honest) != "b%6,5" {
		t.Fatalf("%s, %v", rules.Write(honest), err)
	}
	if bad := m.game.Verify(honest, m.dice); bad != nil {
		t.Errorf("%+v", bad)
	}
	for name, alter := range map[string]func(*rules.Went){
		"seat":       func(w *rules.Went) { w.Seat = 0 },
		"face":       func(w *rules.Went) { w.Rolls[1].Faces[0] = 4 },
		"no face":    func(w *rules.Went) { w.Rolls[1].Faces = nil },
		"from":       func(w *rules.Went) { w.Rolls[1].From = 5 },
		"landed":     func(w *rules.Went) { w.Rolls[1].Landed = 10 },
		"to":         func(w *rules.Went) { w.Rolls[1].To = 12 },
		"void":       func(w *rules.Went) { w.Rolls[1].Void = true },
		"first roll": func(w *rules.Went) { w.Rolls[0].To = 7 },
		"one more":   func(w *rules.Went) { w.Rolls = append(w.Rolls, w.Rolls[1]) },
		"one less":   func(w *rules.Went) { w.Rolls = w.Rolls[:1] },
		"none":       func(w *rules.Went) { w.Rolls = nil },
	} {
		w, err := m.game.Roll("b", m.dice)
		if alter(&w); err != nil {
			t.Fatal(err)
		}
		bad := m.game.Verify(w, m.dice)
		if bad == nil || bad.Go != 2 || !reflect.DeepEqual(bad.Gives, honest) || !reflect.DeepEqual(bad.Says, w) {
			t.Errorf("%s: %+v", name, bad)
		}
	}
	// How it came about is not the dice's to say.
	honest.How, honest.Loaded = rules.Clock, false
	if bad := m.game.Verify(honest, m.dice); bad != nil {
		t.Errorf("%+v", bad)
	}
}
