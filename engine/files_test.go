package engine_test

import (
	"strings"
	"testing"

	"hiss/engine"
	"hiss/engine/rules"
)

// TestRetell: who owns the store reads a match in the words of /replay, and learns
// what is wrong with its record, without a word of a chat's commands.
func TestRetell(t *testing.T) {
	t.Parallel()
	f := &forger{}
	h := newHall(t, func(s engine.Store) engine.Store { f.Store = s; return f })
	rec := h.played(room("1"), "newgame tiny plain")
	want := h.say(room("1"), "asha: /replay "+rec.Seed+" words").Asker.Said.String()
	if got, err := h.engine.Retell(t.Context(), rec.Seed); err != nil || got != want || !strings.Contains(got, "Checked: ") || !strings.Contains(got, "bilal rolls") {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	open := func() string {
		h.say(room("2"), "asha: /newgame")
		return h.latest(room("2")).Seed
	}()
	h.say(room("3"), "asha: /newgame", "asha: /cancel")
	empty := h.latest(room("3")).Seed
	entries := strings.Split(rec.Acts, " ")
	for name, c := range map[string]struct {
		alter      func(*engine.Record)
		seed, want string
		told       bool // as far as it matches
	}{
		"another go":    {func(r *engine.Record) { r.Acts = strings.Replace(r.Acts, firstGo(entries), "a7>1", 1) }, rec.Seed, "Go 1 ", true},
		"too few seats": {func(r *engine.Record) { r.Seats = r.Seats[:1] }, rec.Seed, "I can't read that match's record", false},
		"no rules":      {func(r *engine.Record) { r.Rules = "whatever" }, rec.Seed, "I can't read that match's record", false},
		"no seed":       {nil, "nonsense", "That's no seed", false},
		"a number":      {nil, "1", "That's no seed", false},
		"a match":       {nil, "#1", "That's no seed", false},
		"none":          {nil, rules.SeedNumber(9999).Digits(), "No finished match in this database", false},
		"still on":      {nil, open, "still on", false},
		"of no go":      {nil, empty, "That match was over before anybody threw", false},
	} {
		f.alter = c.alter
		told, err := h.engine.Retell(t.Context(), c.seed)
		_, filmed := h.engine.Film(t.Context(), c.seed)
		for _, err := range []error{err, filmed} {
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "/") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if (told != "") != c.told {
			t.Errorf("%s: told %q", name, told)
		}
	}
}

// firstGo returns the first go of a record's entries.
func firstGo(entries []string) string {
	for _, e := range entries {
		if isGo.MatchString(e) {
			return e
		}
	}
	return ""
}

// TestRulesAtTheLine: rules that are mistyped at the command line are told without a
// word of a chat's commands.
func TestRulesAtTheLine(t *testing.T) {
	for line, want := range map[string]string{
		"wild":          `what "wild" is for`,
		"famly":         "Did you mean family?",
		"family plain":  `what "plain" is for`,
		"family jungle": `what "jungle" is for`,
		"random":        `what "random" is for`,
		"ladders=5":     `what "ladders=5" is for`,
		"frob=2":        "The options are dice, sides, end, bonus, void, finish, seats, solo.",
		"dise=2":        "Did you mean dice?",
		"dice=x":        "dice takes a number",
	} {
		_, err := engine.Card(t.Context(), "tiny", nil, strings.Fields(line), nil)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "/") {
			t.Errorf("%s: %v", line, err)
		}
	}
}
