package rules_test

import (
	"slices"
	"strings"
	"testing"

	"hiss/engine/rules"
)

// step lets somebody do one thing, and says what it brought and whom the match
// waits for then: a player, or nobody since it rests, since only rounds are left
// to be asked for, or since a seat that needs no press is on turn.
//
//	a        a presses Roll            start a   a starts without the host
//	clock    the deadline passes       back a    a presses something else
//	auto a   autoroll on, manual a off
//	leave a  computer sits down        unseat a  takes a seat by its letter
func (m *match) step(do string) string {
	m.t.Helper()
	var e rules.Event
	var events []rules.Event
	var err error
	what, who, _ := strings.Cut(do, " ")
	p := rules.PlayerID(who)
	switch g := m.game; what {
	case "clock":
		events, err = g.Expire(m.dice)
	case "start":
		events, err = g.Start(p, m.dice)
	case "back":
		e, err = g.Back(p)
	case "auto":
		e, err = g.Autoroll(p, true)
	case "manual":
		e, err = g.Autoroll(p, false)
	case "leave":
		e, err = g.Leave(p)
	case "unseat":
		e, err = g.Unseat(int(who[0] - 'a'))
	case "computer":
		e, err = g.JoinComputer()
	case "join":
		e, err = g.Join(p)
	default:
		events, err = g.Press(rules.PlayerID(do), m.dice)
	}
	if err != nil {
		return reason(err) + " | " + m.waitsFor()
	}
	first := len(m.acts)
	if e != nil {
		m.do(e, nil)
		events = m.game.Follow(m.dice)
	}
	for _, e := range events {
		m.do(e, nil)
	}
	return strings.ReplaceAll(strings.Join(m.acts[first:], " "), "%", "") + " | " + m.waitsFor()
}

// does are steps, each with what it brings.
type does [][2]string

func (m *match) steps(all does) {
	m.t.Helper()
	for i, step := range all {
		if got := m.step(step[0]); got != step[1] {
			m.t.Fatalf("step %d, %s: %q, not %q\n%s", i+1, step[0], got, step[1], strings.Join(m.acts, " "))
		}
	}
}

func (m *match) waitsFor() string {
	g := m.game
	switch {
	case g.Phase() == rules.Lobby:
		return "lobby"
	case g.Phase() == rules.Finished:
		return "over"
	case g.Resting():
		return "rest"
	case g.Waiting() == 0:
		return "round"
	case !g.Seat(g.Turn()).Waits():
		return "nobody"
	case !g.Expires():
		return "no deadline"
	}
	return string(g.Seat(g.Turn()).Player)
}

// played is a match that is played in steps, on a long board where all dice show
// a two.
type played struct {
	name, settings string
	seats          int
	steps          does
}

func playAll(t *testing.T, all []played) {
	t.Helper()
	for _, test := range all {
		t.Run(test.name, func(t *testing.T) {
			r := with(t, strings.Fields(test.settings)...)
			openOn(t, lineBoard(t, "size=200"), r, test.seats, slices.Repeat([]int{2}, 200)...).steps(test.steps)
		})
	}
}

// TestClock plays what deadlines, presses and absence do to a match of people.
func TestClock(t *testing.T) {
	playAll(t, []played{
		{"nobody presses", "", 2, does{
			{"a", "a2 | b"}, {"clock", "b~2 | a"}, {"clock", "a~2 | rest"}, {"clock", "no change | rest"},
			{"b", "b2 | a"}, {"clock", "a~2 | b"}, {"clock", "b~2 a~2 | rest"},
		}},
		{"a press by another seat goes on", "", 3, does{
			{"a", "a2 | b"}, {"clock", "b~2 | c"}, {"clock", "c~2 | a"}, {"clock", "a~2 | rest"},
			{"a", "b~2 hand:a | c"}, {"clock", "c~2 | a"}, {"a", "a2 b~2 c~2 | a"},
		}},
		{"one away, one playing", "", 2, does{
			{"a", "a2 | b"}, {"clock", "b~2 | a"}, {"a", "a2 | b"}, {"b", "b2 | a"}, // in time: patience is whole again
			{"a", "a2 | b"}, {"clock", "b~2 | a"}, {"a", "a2 | b"}, {"clock", "b~2 | a"}, {"a", "a2 b~2 | a"},
			{"b", "not your go | a"}, {"back b", "hand:b | a"}, {"back b", "no change | a"}, {"a", "a2 | b"}, {"clock", "b~2 | a"},
			{"a", "a2 | b"}, // missed one since
		}},
		{"one miss is forgiven", "", 2, does{
			{"a", "a2 | b"}, {"clock", "b~2 | a"}, {"back b", "hand:b | a"}, {"a", "a2 | b"}, {"clock", "b~2 | a"}, {"manual b", "hand:b | a"},
			{"a", "a2 | b"}, {"manual b", "no change | b"}, {"clock", "b~2 | a"}, {"a", "a2 | b"}, {"manual a", "no change | b"},
		}},
		{"the last to stay goes too", "", 3, does{
			{"a", "a2 | b"}, {"clock", "b~2 | c"}, {"c", "c2 | a"}, {"clock", "a~2 | b"}, {"clock", "b~2 | c"}, {"c", "c2 | a"},
			{"clock", "a~2 b~2 | c"}, {"c", "c2 a~2 b~2 | c"}, {"clock", "c~2 a~2 b~2 | rest"}, {"clock", "no change | rest"},
			{"c", "c2 a~2 b~2 | c"}, {"clock", "c~2 a~2 b~2 | rest"}, {"b", "c~2 hand:b a~2 | b"}, {"clock", "b~2 c~2 a~2 | rest"},
		}},
		{"who comes late is waited for", "", 2, does{
			{"a", "a2 | b"}, {"join c", "join | b"}, {"clock", "b~2 | c"}, {"clock", "c~2 | a"}, {"clock", "a~2 | rest"}, {"leave a", "leave:a | rest"},
			{"c", "b~2 hand:c | c"}, {"c", "c2 b~2 | c"}, {"leave c", "leave:c | over"},
		}},
		{"whoever is on turn leaves", "", 3, does{
			{"a", "a2 | b"}, {"clock", "b~2 | c"}, {"c", "c2 | a"}, {"a", "a2 | b"}, {"clock", "b~2 | c"}, {"c", "c2 | a"},
			{"leave a", "leave:a b~2 | c"}, {"clock", "c~2 b~2 | rest"}, {"unseat b", "unseat:b | over"},
		}},
	})
}

// TestClockBesideComputersAndAutoroll plays what they do where others need no
// press.
func TestClockBesideComputersAndAutoroll(t *testing.T) {
	playAll(t, []played{
		{"against computer players", "", 1, does{
			{"computer", "join:computer | lobby"}, {"computer", "join:computer | lobby"}, {"clock", "wait for the host | lobby"},
			{"a", "a2 b#2 c#2 | a"}, {"clock", "a~2 b#2 c#2 | rest"}, {"clock", "no change | rest"}, {"a", "a2 b#2 c#2 | a"},
		}},
		{"autoroll is no absence", "", 3, does{
			{"auto b", "auto:b | lobby"}, {"a", "a2 b*2 | c"}, {"c", "c2 | a"}, {"clock", "a~2 b*2 | c"}, {"clock", "c~2 | a"},
			{"clock", "a~2 b*2 | c"}, {"clock", "c~2 a~2 b*2 | round"}, {"clock", "no change | round"},
			{"b", "c~2 a~2 b*2 | round"}, {"b", "c~2 a~2 b*2 | round"}, {"a", "c~2 hand:a | a"}, {"a", "a2 b*2 c~2 | a"},
		}},
		{"whoever wants autoroll is there", "", 2, does{
			{"a", "a2 | b"}, {"clock", "b~2 | a"}, {"clock", "a~2 | rest"}, {"auto b", "auto:b b*2 | a"}, {"back b", "no change | a"},
			{"a", "a2 b*2 | a"}, {"clock", "a~2 b*2 | a"}, {"clock", "a~2 b*2 | round"}, {"auto a", "auto:a | round"}, {"manual a", "hand:a | a"},
			{"clock", "a~2 b*2 | a"}, {"clock", "a~2 b*2 | round"}, {"manual b", "hand:b a~2 | b"},
		}},
		{"autoroll seats and computer players", "", 2, does{
			{"computer", "join:computer | lobby"}, {"auto a", "auto:a | lobby"}, {"auto b", "auto:b | lobby"}, {"clock", "wait for the host | lobby"},
			{"b", "wait for the host | lobby"}, {"a", "a2 b*2 c#2 | round"}, {"clock", "no change | round"}, {"b", "a*2 b*2 c#2 | round"},
			{"a", "a2 b*2 c#2 | round"}, {"leave a", "leave:a | round"}, {"b", "b2 c#2 | round"}, {"leave b", "leave:b | over"}, {"clock", "over | over"},
		}},
	})
}

// TestStart: in a lobby whose host is away any seated player starts, and nobody
// but the host is thrown for who would press.
func TestStart(t *testing.T) {
	playAll(t, []played{
		{"the host's go is the clock's", "", 3, does{
			{"start z", "not seated | lobby"}, {"start c", "a~2 | b"}, {"start c", "not your go | b"}, {"start b", "not your go | b"},
			{"b", "b2 | c"}, {"clock", "c~2 | a"}, {"a", "a2 | b"},
		}},
		{"the host is there after all", "", 2, does{{"start a", "a2 | b"}, {"b", "b2 | a"}}},
		{"alone", "", 1, does{{"start a", "too few | lobby"}, {"start b", "not seated | lobby"}}},
		{"alone where one may", "solo=yes", 1, does{{"start a", "a2 | a"}}},
		{"nobody stays", "", 2, does{{"start b", "a~2 | b"}, {"clock", "b~2 | rest"}, {"start b", "not your go | rest"}}},
		{"autoroll", "", 2, does{{"auto a", "auto:a | lobby"}, {"start b", "a*2 | b"}}},
		{"all on autoroll", "", 2, does{
			{"auto a", "auto:a | lobby"}, {"auto b", "auto:b | lobby"}, {"start b", "a*2 b*2 | round"},
		}},
		{"up to the next who presses", "", 1, does{
			{"computer", "join:computer | lobby"}, {"join c", "join | lobby"}, {"join d", "join | lobby"}, {"auto c", "auto:c | lobby"},
			{"start d", "a~2 b#2 c*2 | d"}, {"leave d", "leave:d | a"}, {"start d", "got up | a"}, {"unseat c", "unseat:c | rest"},
			{"start c", "was unseated | rest"},
		}},
		{"behind a computer player", "", 1, does{
			{"computer", "join:computer | lobby"}, {"join b", "join | lobby"}, {"join c", "join | lobby"}, {"leave a", "leave:a | lobby"},
			{"start c", "a#2 b~2 | c"},
		}},
		{"behind a computer player, before autoroll", "", 1, does{
			{"computer", "join:computer | lobby"}, {"join b", "join | lobby"}, {"join c", "join | lobby"}, {"leave a", "leave:a | lobby"},
			{"auto c", "auto:c | lobby"}, {"start c", "a#2 b~2 c*2 a#2 | b"},
		}},
		{"over", "", 1, does{{"leave a", "leave:a | over"}, {"start a", "over | over"}}},
	})
}

// TestStartWhereTheHostIsPassedOver: a computer player's square may take the
// host's first go away; then nobody throws it for them.
func TestStartWhereTheHostIsPassedOver(t *testing.T) {
	m := openOn(t, special(t, "size=30", "2 skip"), with(t), 1, 2, 3, 4)
	m.steps(does{
		{"computer", "join:computer | lobby"}, {"join b", "join | lobby"}, {"join c", "join | lobby"}, {"leave a", "leave:a | lobby"},
		{"start c", "a#2/skip | c"}, {"c", "c3 a#4 | b"},
	})
}

// TestADeadlineBringsOneGo: a seat that a square gives the next go too has a new
// deadline for it.
func TestADeadlineBringsOneGo(t *testing.T) {
	m := openOn(t, special(t, "size=30", "2 skip 4 skip"), with(t), 2, 1, 1, 1, 2, 1, 1, 1)
	m.steps(does{
		{"a", "a1 | b"}, {"b", "b1 | a"}, {"clock", "a~1/skip | a"}, {"clock", "a~2/skip a~1 | b"}, {"b", "b1/skip | b"},
	})
}

// TestRestAtHome: who is home can wake a match that rests, and is neither
// waited for nor brought back.
func TestRestAtHome(t *testing.T) {
	m := openOn(t, lineBoard(t, "size=9"), with(t, "finish=all"), 3, 6, 1, 1, 3, 1, 1, 1, 1, 1, 1)
	m.steps(does{
		{"a", "a6 | b"}, {"b", "b1 | c"}, {"c", "c1 | a"}, {"a", "a3 | b"}, {"back a", "is home | b"}, {"clock", "b~1 | c"}, {"clock", "c~1 | rest"},
		{"clock", "no change | rest"}, {"a", "b~1 | rest"}, {"a", "c~1 b~1 | rest"}, {"b", "c~1 hand:b | b"},
	})
}
