package engine_test

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"hiss/bot"
	"hiss/engine"
	"hiss/engine/rules"
)

// forger is a store that alters what is read of past matches.
type forger struct {
	engine.Store
	alter func(*engine.Record)
}

func (f *forger) forged(r engine.Record, err error) (engine.Record, error) {
	if f.alter != nil && err == nil {
		f.alter(&r)
	}
	return r, err
}

func (f *forger) BySeed(ctx context.Context, seed string) (engine.Record, error) {
	return f.forged(f.Store.BySeed(ctx, seed))
}

func (f *forger) Match(ctx context.Context, id int64) (engine.Record, error) {
	return f.forged(f.Store.Match(ctx, id))
}

func (f *forger) Latest(ctx context.Context, c bot.Channel) (engine.Record, error) {
	return f.forged(f.Store.Latest(ctx, c))
}

// played plays a match to its end, and returns its record.
func (h *hall) played(room bot.Channel, newgame string) engine.Record {
	h.Helper()
	a := h.say(room, "asha: /"+newgame, "bilal: /join")
	for range 500 {
		line := findLine(a, "Roll to start") + findLine(a, "Roll")
		if line == "" {
			break
		}
		a = h.handle(h.pressed(room, a.Channel[0].Next.Name, line))
	}
	if a.Told != nil {
		a.Told()
	}
	rec := h.latest(room)
	if rec.Open {
		h.Fatalf("not over: %s", whole(a))
	}
	return rec
}

var isGo = regexp.MustCompile(`^[a-p]\d`)

// TestReplayFindsForgery alters one thing of one go, for every go of a match.
func TestReplayFindsForgery(t *testing.T) {
	t.Parallel()
	f := &forger{}
	h := newHall(t, func(s engine.Store) engine.Store { f.Store = s; return f })
	rec := h.played(room("1"), "newgame classic")
	wants(t, h.say(room("1"), "asha: /replay "+rec.Seed), "Checked: every die recomputed")
	entries := strings.Split(rec.Acts, " ")
	goes, tried := 0, 0
	for i, entry := range entries {
		if !isGo.MatchString(entry) {
			continue
		}
		goes++
		for _, forged := range forgeries(entry) {
			tried++
			f.alter = func(r *engine.Record) {
				all := slices.Clone(entries)
				all[i] = forged
				r.Acts = strings.Join(all, " ")
			}
			for n, way := range []string{rec.Seed, fmt.Sprintf("#%d", rec.ID), rec.Seed + fmt.Sprint(" ", goes)} {
				if n != tried%3 {
					continue
				}
				h.clock.wait(time.Minute) // the same isn't shown twice
				a := h.say(room("1"), "asha: /replay "+way)
				if !strings.Contains(whole(a), fmt.Sprintf("Go %d does not match", goes)) &&
					!strings.Contains(whole(a), fmt.Sprintf("Go %d can't be read", goes)) {
					t.Errorf("go %d, %s instead of %s, /replay %s:\n%s", goes, forged, entry, way, whole(a))
				}
				lacks(t, a, "Checked")
			}
		}
	}
	if goes < 20 || tried < 60 {
		t.Errorf("only %d forgeries of %d goes", tried, goes)
	}
}

// forgeries returns a go with one face, square or seat altered.
func forgeries(entry string) []string {
	other := map[byte]string{'a': "b", 'b': "a", 'c': "a"}[entry[0]]
	all := []string{other + entry[1:]}
	for i, c := range entry {
		if c >= '1' && c <= '9' { // a face, or a digit of a square
			d := '1' + (c-'1'+1)%9
			if !strings.ContainsAny(entry[:i], ">^") {
				d = '1' + (c-'1'+1)%6
			}
			all = append(all, entry[:i]+string(d)+entry[i+1:])
		}
	}
	if i := strings.IndexAny(entry, ">^=!"); i >= 0 { // it didn't happen
		all = append(all, entry[:i])
	}
	return all
}

func TestReplayFindsAnotherSeed(t *testing.T) {
	t.Parallel()
	f := &forger{}
	h := newHall(t, func(s engine.Store) engine.Store { f.Store = s; return f })
	rec := h.played(room("1"), "newgame sprint")
	seed, _ := rules.ParseSeed(rec.Seed)
	for n := range uint64(12) {
		other := rules.SeedNumber(1000 + n)
		f.alter = func(r *engine.Record) { r.Seed = other.Digits() }
		h.clock.wait(time.Minute) // the same isn't shown twice
		a := h.say(room("1"), "asha: /replay "+rec.Seed)
		lacks(t, a, "Checked")
		wants(t, a, " does not match: the seed gives")
		if seed.Dice(6).Face(0) != other.Dice(6).Face(0) {
			wants(t, a, "Go 1 does not match")
		}
	}
}

// forge changes the file behind the store's back.
func (h *hall) forge(statement string, args ...any) {
	h.Helper()
	db, err := sql.Open("sqlite", h.path)
	if err != nil {
		h.Fatal(err)
	}
	defer db.Close()
	res, err := db.Exec(statement, args...)
	if err != nil {
		h.Fatal(statement, err)
	}
	if n, _ := res.RowsAffected(); n != 1 {
		h.Fatal(statement, "changed rows: ", n)
	}
}

const setAside = "I can't read this channel's match, so I set it aside. /newgame works."

// TestUnreadable breaks one channel's record in many ways.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{
		"acts":     "UPDATE matches SET acts = acts || ' z9' WHERE id = ?",
		"no acts":  "UPDATE matches SET acts = '' WHERE id = ?",
		"entries":  "UPDATE matches SET entries = entries + 1 WHERE id = ?",
		"seed":     "UPDATE matches SET seed = 'not a seed' WHERE id = ?",
		"rules":    "UPDATE matches SET rules = 'whatever' WHERE id = ?",
		"no seats": "DELETE FROM seats WHERE match = ? AND seat = 1",
		"board":    "UPDATE boards SET file = 'size: -1' WHERE id = (SELECT board FROM matches WHERE id = ?)",
		"no board": "UPDATE boards SET file = NULL WHERE id = (SELECT board FROM matches WHERE id = ?)",
	} {
		for _, over := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " over=", over), func(t *testing.T) {
				t.Parallel()
				h := newHall(t, nil)
				h.say(room("2"), "asha: /newgame classic", "bilal: /join", "asha: /roll")
				if over {
					h.played(room("1"), "newgame sprint")
				} else {
					h.say(room("1"), "asha: /newgame sprint", "bilal: /join", "asha: /roll")
				}
				rec := h.latest(room("1"))
				if err := h.engine.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
				h.kill()
				h.forge(statement, rec.ID)
				h.unreadable(rec)
			})
		}
	}
}

func (h *hall) unreadable(rec engine.Record) {
	h.Helper()
	h.engine.Started(h.Context(), &inbox{})
	wants(h, h.say(room("1"), "asha: /status"), setAside)
	wants(h, h.say(room("1"), "asha: /status"), "No match here.")
	if n := strings.Count(h.log.String(), "level=ERROR"); n != 1 {
		h.Errorf("logged %d times:\n%s", n, h.log)
	}
	for _, line := range []string{"/replay", "/history", "/fair"} {
		if a := h.say(room("1"), "asha: "+line); len(a.Channel) > 0 || a.Asker == nil {
			h.Errorf("%s: %s", line, whole(a))
		}
	}
	for _, line := range []string{"/replay #1", "/replay #1 1", "/history #1", "/fair #1", "/replay " + rec.Seed} {
		a := h.say(room("1"), "asha: "+strings.Replace(line, "#1", fmt.Sprint("#", rec.ID), 1))
		lacks(h, a, "Checked", setAside, unsure)
		if whole(a) == "" {
			h.Errorf("%s: silence", line)
		}
	}
	wants(h, h.say(room("1"), "asha: /newgame sprint"), "New match on")
	wants(h, h.say(room("1"), "bilal: /join", "asha: /roll"), "asha rolls")
	wants(h, h.say(room("2"), "bilal: /roll"), "bilal rolls")
	h.folded(h.latest(room("2")))
}

// TestUnreadableAtStart breaks the record of a channel that is owed something:
// it is told at once that its match is set aside, and not again.
func TestUnreadableAtStart(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	h.handle(h.typed(room("1"), "asha", "/newgame"))
	h.handle(h.typed(room("2"), "asha", "/newgame"))
	h.kill()
	h.forge("UPDATE matches SET acts = 'nonsense' WHERE id = ?", h.latest(room("1")).ID)
	for start := range 2 {
		p := &inbox{}
		h.engine.Started(t.Context(), p)
		if start == 0 && (len(p.sent) != 2 || !strings.Contains(p.sent[0].String(), setAside)) || start == 1 && len(p.sent) > 0 {
			t.Errorf("start %d: %s", start, p.sent)
		}
		if err := h.engine.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		h.kill()
	}
	wants(t, h.say(room("1"), "asha: /newgame"), "New match on")
}

// TestInWords: the words of a match stand below its film, or behind a button where
// they're more than 900 characters. Where there's no film they all are said.
func TestInWords(t *testing.T) {
	t.Parallel()
	h, seen := newHall(t, nil), make(map[bool]int)
	for i := range 10 {
		here := room(fmt.Sprint("words", i))
		h.played(here, "newgame sprint plain"+[]string{"", " finish=all"}[i%2])
		m := pictured(t, h.say(here, "chen: /replay 1"))
		told := h.say(here, "chen: /replay 1 words").Asker.Text().String()
		bare := m.WithoutPicture()
		if bare.Text().String() != told || len(bare.Buttons) > 0 {
			t.Errorf("without a film: %v below\n%s\nwant none and\n%s", bare.Buttons, bare.Text(), told)
		}
		shown, line, long := m.Text().String(), findLine(bot.Answer{Channel: []bot.Message{m}}, "In words"), utf8.RuneCountInString(told) > 900
		seen[long]++
		switch {
		case !long && (line != "" || shown != told):
			t.Errorf("%d characters: [%s] below\n%s", utf8.RuneCountInString(told), line, shown)
		case long && (line == "" || strings.Contains(shown, "rolls") || !strings.Contains(shown, "Checked: ") || !strings.Contains(shown, "1. ")):
			t.Errorf("%d characters: [%s] below\n%s", utf8.RuneCountInString(told), line, shown)
		case long:
			if a := h.handle(h.pressed(here, "chen", line)); len(a.Channel) > 0 || a.Asker.Text().String() != told {
				t.Errorf("[In words] says\n%s\nwant\n%s", whole(a), told)
			}
		}
	}
	if seen[true] < 3 || seen[false] < 3 {
		t.Errorf("long or not: %v", seen)
	}
}

// TestReplaySaysWhatIsWrong forges a finished match in each of the ways that have words
// of their own.
func TestReplaySaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	f := &forger{}
	h := newHall(t, func(s engine.Store) engine.Store { f.Store = s; return f })
	fair := h.played(room("1"), "newgame sprint")
	h.rig = &engine.Rig{}
	h.kill() // and on with the rig
	if err := h.rig.Direct(t.Context(), "dice", []string{"3", "4"}); err != nil {
		t.Fatal(err)
	}
	loaded := h.played(room("1"), "newgame sprint")
	acts := func(of engine.Record, change func([]string) []string) func(*engine.Record) {
		return func(r *engine.Record) { r.Acts = strings.Join(change(strings.Split(of.Acts, " ")), " ") }
	}
	for _, c := range []struct {
		name  string
		of    engine.Record
		alter func(*engine.Record)
		want  string
	}{
		{"another seed", fair, func(r *engine.Record) { r.Seed = rules.SeedNumber(77).Digits() }, " does not match: the seed gives "},
		{"a loaded go elsewhere", loaded, func(r *engine.Record) { r.Acts = strings.Replace(r.Acts, "a1>26", "a1>25", 1) }, " does not match: these dice give "},
		{"a go of a seat without a name", fair, acts(fair, func(all []string) []string { return append(all[:len(all)-1], "z9") }), " can't be read: the record says z9. All before it match."},
		{"an act that there isn't", fair, acts(fair, func(all []string) []string { return append(all[:len(all)-1], "nonsense") }), " of the record can't be read: it says nonsense. All before it match."},
		{"rules that nobody knows", fair, func(r *engine.Record) { r.Rules = "whatever" }, "I can't read that match's record, so there's nothing to show."},
	} {
		f.alter = c.alter
		a := h.say(room("1"), "asha: /replay "+c.of.Seed)
		if wants(t, a, c.want); t.Failed() {
			t.Fatalf("%s: %s", c.name, c.of.Acts)
		}
	}
}
