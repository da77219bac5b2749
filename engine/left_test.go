package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"hiss/bot"
	"hiss/engine"
)

// TestWhoLeavesTheChatGivesUpTheirSeats lets people leave a chat, on turn and
// not, in a lobby and in two topics.
func TestWhoLeavesTheChatGivesUpTheirSeats(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	in := &inbox{}
	h.engine.Started(context.Background(), in)
	garden, attic := bot.Channel{Chat: "fake:club", Place: "garden"}, bot.Channel{Chat: "fake:club", Place: "attic"}
	start := h.say(garden, "asha: /newgame classic plain", "bilal: /join", "chen: /join")
	h.press(garden, "asha", start, "Roll to start")
	h.say(attic, "bilal: /newgame", "dina: /join")
	h.say(room("elsewhere"), "bilal: /newgame")
	left := func(who string) {
		t.Helper()
		u := bot.User{ID: bot.UserID("fake:" + who), Name: who}
		for range 2 { // platforms tell it twice
			if err := h.engine.Left(context.Background(), "fake:club", u); err != nil {
				t.Fatal(err)
			}
		}
	}
	left("bilal")
	sent := strings.Join(in.takes(), "\n")
	for _, want := range []string{
		"fake:club/garden: bilal leaves on 0. The others play on.", "chen is next",
		"fake:club/attic: bilal is no longer seated.", "Seats: 1 dina",
	} {
		if !strings.Contains(sent, want) {
			t.Errorf("%q isn't in:\n%s", want, sent)
		}
	}
	if strings.Count(sent, "fake:club") != 2 {
		t.Errorf("told more than once:\n%s", sent)
	}
	wants(t, h.say(garden, "bilal: /roll"), "You got up from this match.")
	wants(t, h.say(garden, "chen: /roll"), "chen rolls ")
	wants(t, h.say(room("elsewhere"), "bilal: /status"), "bilal")
	left("eve") // who never sat
	left("chen")
	if sent := strings.Join(in.takes(), "\n"); !strings.Contains(sent, "asha wins: everybody else has left.") {
		t.Errorf("no walkover:\n%s", sent)
	}
	left("dina")
	if sent := strings.Join(in.takes(), "\n"); !strings.Contains(sent, "Everybody left, so the match is closed.") {
		t.Errorf("the lobby stays:\n%s", sent)
	}
}

// TestLeavingThatCantBeWritten fails to read and to write.
func TestLeavingThatCantBeWritten(t *testing.T) {
	t.Parallel()
	broken := errors.New("no such file")
	m := &memory{}
	e := engine.New(engine.Config{Store: unseated{m, broken}})
	if err := e.Left(context.Background(), "fake:1", bot.User{ID: "fake:asha"}); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

type unseated struct {
	*memory
	err error
}

func (u unseated) Seated(context.Context, bot.ChatID, bot.UserID) ([]bot.Channel, error) {
	return nil, u.err
}

// TestWhoCantBeToldApart writes as the group, where nobody knows who it is.
func TestWhoCantBeToldApart(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	masked := func(line string, admin bool) bot.Answer {
		r := h.typed(room("1"), "The Club", line)
		r.User.Masked = true
		r.Admin = func(context.Context, bool) (bool, error) { return admin, nil }
		return h.handle(r)
	}
	for _, line := range []string{"newgame", "join", "roll", "leave", "autoroll on"} {
		wants(t, masked(line, true), "You write as the group, so I can't tell who you are.")
	}
	h.say(room("1"), "asha: /newgame")
	wants(t, masked("join", true), "You write as the group")
	wants(t, masked("status", false), "hasn't begun yet")
	wants(t, masked("cancel", false), "Only asha or an admin of this chat can do that.")
	wants(t, masked("cancel", true), "An admin ended the match. Nobody wins.")
}

// TestWhereNothingCanBeWritten says so to who presses, and does nothing.
func TestWhereNothingCanBeWritten(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	a := h.say(room("1"), "asha: /newgame tiny plain", "bilal: /join")
	r := h.pressed(room("1"), "asha", lineOf(t, a, "Roll to start"))
	r.Unable = "Send Messages"
	answer := h.handle(r)
	wants(t, answer, `I can't write in this channel. An admin can give me "Send Messages".`)
	if len(answer.Channel) > 0 || h.latest(room("1")).Entries != 2 {
		t.Error("something happened")
	}
	r.Unable = ""
	r.ID += "x"
	h.clock.wait(time.Second)
	wants(t, h.handle(r), "asha rolls ")
}

// TestWhoIsCalledIsMentioned looks for the mention in messages that call
// somebody, and in none that don't.
func TestWhoIsCalledIsMentioned(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	h.say(room("1"), "asha: /newgame classic plain seats=3", "bilal: /join")
	mentioned := func(a bot.Answer) (who bot.UserID) {
		for _, m := range a.Channel {
			for _, s := range bot.Lines(m.Before, m.Said, m.Now) {
				if s.Kind == bot.Mention {
					who += s.User
				}
			}
		}
		return who
	}
	h.clock.wait(time.Hour)
	full := h.say(room("1"), "chen: /join")
	if who := mentioned(full); who != "fake:asha" || full.Channel[0].Call.ID != "fake:asha" {
		t.Errorf("a full table calls %q", who)
	}
	a := h.press(room("1"), "asha", full, "Roll to start")
	if who := mentioned(a); who != "fake:bilal" {
		t.Errorf("the first go calls %q", who)
	}
	a = h.press(room("1"), "bilal", a, "Roll")
	if who := mentioned(a); who != "" {
		t.Errorf("%q is called, who is here", who)
	}
}

// TestABriefGo is what a toast says of a go: short, and all that happened.
func TestABriefGo(t *testing.T) {
	t.Parallel()
	h := newHall(t, nil)
	h.rig = &engine.Rig{}
	h.engine = h.another(h.disk)
	if err := h.rig.Direct(context.Background(), "dice", strings.Fields("6 4 2")); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("Anna", 10)
	a := h.say(room("1"), long+": /newgame tiny family", "bilal: /join")
	a = h.press(room("1"), long, a, "Roll to start")
	want := "AnnaAnnaAnnaAnn… rolls 6: 0 → 6 · again\nAnnaAnnaAnnaAnn… rolls 4: needs exactly 3, stays on 6\nbilal is next"
	if got := a.Brief.String(); got != want {
		t.Errorf("%q", got)
	}
	if a = h.say(room("1"), "bilal: /status"); a.Brief != nil {
		t.Errorf("brief: %q", a.Brief)
	}
}
