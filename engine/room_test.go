package engine_test

import (
	"strings"
	"testing"

	"hiss/engine/rules"
)

// TestOutOfRoom: a match that has had all the goes there's room for ends as it stands,
// whether somebody is home or nobody.
func TestOutOfRoom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules string
		first []int // the faces of the first go, if not the seed's
		wants []string
		lacks string
	}{
		{"plain", nil, []string{"After 10000 goes the match is over as it stands. Nobody wins.\n1. ", "asha, 5000 goes (0)"}, "home"},
		{"marathon", []int{1, 1, 1, 1, 1, 1, 1, 1, 1}, []string{"After 10000 goes the match is over as it stands.\n1. asha, 1 go\n2. bilal, 9999 goes (0)"}, "Nobody wins"},
	} {
		t.Run(c.rules, func(t *testing.T) {
			t.Parallel()
			h, here := newHall(t, nil), room("long")
			// Nine dice of a hundred sides are never nine in all.
			h.say(here, "asha: /newgame tiny dice=9 sides=100 "+c.rules, "bilal: /join")
			rec := h.latest(here)
			g := h.folded(rec)
			dice := rules.Dice(rules.SeedNumber(1).Dice(100))
			if c.first != nil {
				dice = rules.Loaded{Faces: c.first, Then: dice}
			}
			acts := strings.Split(rec.Acts, " ")
			g.Sit([]rules.PlayerID{"asha", "bilal"})
			for g.Goes() < rules.MaxGoes-1 {
				went, err := g.Timeout(dice)
				if g.Goes() == 0 {
					went, err = g.Roll("asha", dice)
				}
				if err != nil {
					t.Fatal(err)
				}
				went.Loaded = went.Loaded || g.Goes() == 0 && c.first != nil
				acts = append(acts, rules.Write(went))
				if err := g.Apply(went); err != nil {
					t.Fatal(err)
				}
			}
			h.kill()
			h.forge("UPDATE matches SET acts = ?, entries = ?, told = ? WHERE id = ?", strings.Join(acts, " "), len(acts), len(acts), rec.ID)
			a := h.say(here, "bilal: /roll")
			wants(t, a, c.wants...)
			lacks(t, a, c.lacks)
		})
	}
}
