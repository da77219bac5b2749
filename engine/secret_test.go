package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hiss/bot"
	"hiss/engine"
	"hiss/engine/rules"
)

// TestSeedsStaySealed plays matches and asks for all that can be asked for: no
// answer, button or log line has the seed or any part of it until the end.
func TestSeedsStaySealed(t *testing.T) {
	t.Parallel()
	h, gate := gated(t)
	h.seeds.Store(0x1234_5678_9ABC_DEF0)
	h.say(room("1"), "asha: /newgame summit doubles", "bilal: /join")
	seed, ok := rules.ParseSeed(h.latest(room("1")).Seed)
	if !ok || strings.HasPrefix(seed.Digits(), "00000000") {
		t.Fatalf("seed %q", seed.Digits())
	}
	sealed := func(what string, a bot.Answer) {
		t.Helper()
		if leak := leaks(seed, everything(a)); leak != "" {
			t.Errorf("%s shows %s: %s", what, leak, everything(a))
		}
	}
	asks := []string{
		"roll", "join", "status", "board", "history", "fair", "replay", "replay #1", "replay " + seed.Digits(), "history #1",
		"fair " + seed.Digits(), "fair #1", "rules", "help all", "boards", "start", "newgame", "newgame dice=x", "unseat zoe",
		"autoroll on", "autoroll off", "nonsense", "replay #1 1 board=tiny",
	}
	for round := range 3 {
		for _, who := range []string{"asha", "bilal", "zoe"} {
			for _, ask := range asks {
				if strings.Contains(ask, seed.Digits()) {
					// What somebody typed is no secret to them.
					wants(t, h.say(room("1"), who+": /"+ask), "That match is still on; its seed is opened at the end.")
					continue
				}
				sealed(fmt.Sprint(round, " ", who, ": ", ask), h.say(room("1"), who+": /"+ask))
			}
		}
		h.kill()
	}
	for i, fail := range []func(context.Context, *engine.Record) error{
		func(context.Context, *engine.Record) error { return fmt.Errorf("%w: full", engine.ErrNotWritten) },
		func(context.Context, *engine.Record) error { return errStrange },
		func(_ context.Context, r *engine.Record) error { panic("at match " + fmt.Sprint(r.ID)) },
	} {
		gate.on(fail)
		a := h.handle(h.typed(room("1"), "asha", "leave"))
		sealed(fmt.Sprint("failure ", i), a)
		gate.put.Store(nil)
	}
	if leak := leaks(seed, h.log.String()); leak != "" || h.log.String() == "" {
		t.Errorf("the log shows %q: %s", leak, h.log)
	}
	wants(t, h.say(room("1"), "asha: /cancel"), "Seed "+seed.String()+" opens the sealed dice")
}

// everything returns all that an answer carries, buttons included.
func everything(a bot.Answer) string {
	text := whole(a)
	all := slices.Clone(a.Channel)
	if a.Asker != nil {
		all = append(all, *a.Asker)
	}
	for _, m := range all {
		text += fmt.Sprintf("\n%v %q", m.Buttons, m.Page)
	}
	return text
}

// leaks returns eight characters of a seed that stand in a text, with or
// without dashes, in whatever case.
func leaks(seed rules.Seed, text string) string {
	text = strings.ToUpper(strings.ReplaceAll(text, "-", ""))
	digits := seed.Digits()
	for i := range len(digits) - 7 {
		if strings.Contains(text, digits[i:i+8]) {
			return digits[i : i+8]
		}
	}
	return ""
}

// TestNoDieToComeIsShown compares what two matches say that have the same past
// and another future: whoever reads along can't tell them apart.
func TestNoDieToComeIsShown(t *testing.T) {
	t.Parallel()
	var said [2]string
	for i := range said {
		h := newHall(t, nil)
		h.rig = &engine.Rig{}
		h.engine = h.another(h.disk)
		h.seeds.Store(uint64(i) * 1000)
		for _, line := range []string{"asha: /newgame classic plain", "bilal: /join", "!", "asha: /roll", "!", "bilal: /roll",
			"asha: /status", "asha: /history", "asha: /board", "zoe: /rules", "chen: /autoroll on"} {
			if line == "!" {
				if err := h.rig.Direct(t.Context(), "dice", []string{"3"}); err != nil {
					t.Fatal(err)
				}
				continue
			}
			said[i] += unsealed(everything(h.say(room("1"), line))) + "\n"
			h.clock.wait(time.Second)
		}
	}
	if said[0] != said[1] {
		t.Errorf("%s\n\nis not\n\n%s", said[0], said[1])
	}
}

// unsealed returns a text without its seals.
func unsealed(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "Dice sealed: ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}
