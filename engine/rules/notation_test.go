package rules_test

import (
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
		"auto:q", "hand", "end", "end:", "end:zz", "end:Closed", "win:a", "b１",
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
		"open", "open!", "join", "join:computer", "leave:b", "unseat:b", "auto:b", "hand:b", "end:b", "end:admin", "end:closed",
		"end:expired", "b4", "b*4", "b~4", "b#4", "b%4", "b%~4", "b6,6,2", "b5+4", "b4>14", "b6^98", "b6^98>78", "b6=", "b6!",
	} {
		if e, err := m.game.Read(entry); err != nil || rules.Write(e) != entry {
			t.Errorf("%q is %+v, %v", entry, e, err)
		}
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
