package engine_test

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"hiss/bot"
)

// FuzzCommand asks whatever there is to ask, in a lobby, at a running table
// and at an empty one.
func FuzzCommand(f *testing.F) {
	for _, line := range []string{
		"newgame classic family dice=2 end=bounce", "newgame board=random size=30 ladders=2 snakes=2", "newgame board=random size=10000 ladders=5000",
		"newgame dice=99999999999999999999", "join 1", "roll 1 0", "roll 1 -1", "roll 99999999999999999999 1", "leave", "autoroll on", "unseat 2", "unseat @asha",
		"replay 0000-0000-0000-0001", "replay #1 5 board=sprint", "replay #-1", "history #1", "fair #9", "boards show classic", "help rules", "help {x}",
		"cancel", "kick", "nwegame", "\u202eegap", "start\x00", "roll 1 1 1 1", "replay board=random", "newgame seats=1 solo=no", "newgame = = =",
	} {
		command, _, args := bot.ParseLine(line)
		f.Add(command, strings.Join(args, " "), uint8(len(line)))
	}
	f.Fuzz(func(t *testing.T, command, args string, way uint8) {
		h := &hall{TB: t, clock: &clock{}, log: &journal{}}
		h.engine = h.another(&memory{})
		switch way % 4 {
		case 0:
			h.say(room("1"), "asha: /newgame sprint", "bilal: /join")
		case 1:
			h.say(room("1"), "asha: /newgame sprint", "bilal: /join", "asha: /roll", "bilal: /roll")
		case 2:
			h.say(room("1"), "asha: /newgame sprint", "bilal: /join", "asha: /roll", "bilal: /leave")
		}
		r := h.typed(room("1"), "asha", "x")
		r.Command, r.Args = strings.ToLower(command), strings.Fields(args)
		r.Pressed, r.Alone = way&4 > 0, way&8 > 0
		r.User.Name = args
		began := time.Now()
		a := h.handle(r)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("took %s", took)
		}
		readable(t, a)
		if log := h.log.String(); log != "" {
			t.Errorf("logged: %s", log)
		}
		lacks(t, a, unsure, lost, setAside)
	})
}

// readable fails unless an answer says something that every platform can show.
func readable(t *testing.T, a bot.Answer) {
	t.Helper()
	if whole(a) == "" {
		t.Error("silence")
	}
	all := a.Channel
	if a.Asker != nil {
		all = append(all, *a.Asker)
	}
	for _, m := range all {
		text := m.Text().String()
		if text == "" || !utf8.ValidString(text) || len(utf16.Encode([]rune(text))) > 20_000 {
			t.Errorf("%d bytes: %.200q", len(text), text)
		}
		for _, r := range text {
			if unicode.Is(unicode.Cc, r) && r != '\n' || r >= '\u202a' && r <= '\u202e' {
				t.Errorf("%U in %.200q", r, text)
			}
		}
		for _, row := range m.Buttons {
			for _, b := range row {
				if len(b.Line) > 64 || b.Line == "" || utf8.RuneCountInString(b.Label) > 80 || b.Label == "" {
					t.Errorf("button %q stands for %q", b.Label, b.Line)
				}
			}
		}
	}
}
