package rules_test

import (
	"slices"
	"strings"
	"testing"

	"hiss/boards"
	"hiss/engine/rules"
)

// lobby opens a match with a seat for each name, on a long board where all dice
// show a two. A digit is a computer player's.
func lobby(t *testing.T, names string) *match {
	t.Helper()
	return lobbyOn(t, lineBoard(t, "size=200"), with(t), names, slices.Repeat([]int{2}, 100)...)
}

func lobbyOn(t *testing.T, b boards.Board, r rules.Rules, names string, faces ...int) *match {
	t.Helper()
	m := openOn(t, b, r, 1, faces...)
	for _, name := range names[1:] {
		if name <= '9' {
			m.computer()
		} else {
			m.join(string(name))
		}
	}
	return m
}

// sits returns the names of the seats, in order; a computer player has none.
func (m *match) sits() string {
	var names []string
	for i := range m.game.Seats() {
		if s := m.game.Seat(i); s.Computer {
			names = append(names, "#")
		} else {
			names = append(names, string(s.Player))
		}
	}
	return strings.Join(names, "")
}

// TestOrder compares orders with those that Python draws:
//
//	draw = lambda k, n: int.from_bytes(hmac.new(seed, b'order/%d' % k, 'sha256').digest()[:8], 'big') % n
//	line = list('abcde'); [line.pop(draw(k, len(line))) for k in range(5)]
func TestOrder(t *testing.T) {
	for _, test := range []struct{ seed, sits, order string }{
		{"0000000000000000", "ab", "ba"},
		{"0000000000000000", "abc", "bac"},
		{"0000000000000000", "abcde", "cadbe"},
		{"0000000000000000", "abcdefghijklmnop", "fmjbdkcnaiegoplh"},
		{"K7Q29XMD4TRA8BZC", "ab", "ab"}, // an order like any other
		{"K7Q29XMD4TRA8BZC", "abcde", "cdbea"},
		{"K7Q29XMD4TRA8BZC", "abcdefgh", "ceghdafb"},
		{"K7Q29XMD4TRA8BZC", "abcdefghijklmnop", "cpalefjmnohbdgik"},
	} {
		m := lobby(t, test.sits)
		was := picture(m.game)
		o, err := m.game.Order(seedOf(t, test.seed).OrderDraws())
		if picture(m.game) != was {
			t.Error("deciding changed the match")
		}
		m.do(o, err)
		if got := m.acts[len(m.acts)-1]; got != "order:"+test.order || m.sits() != test.order {
			t.Errorf("%s puts %s in the order %s, %q, not %s", test.seed, test.sits, m.sits(), got, test.order)
		}
	}
	seed := seedOf(t, "K7Q29XMD4TRA8BZC")
	draw, first := seed.OrderDraws(), []int{}
	for range 12 {
		first = append(first, draw(97))
	}
	if want := []int{2, 77, 94, 5, 94, 17, 13, 6, 0, 26, 21, 4}; !slices.Equal(first, want) {
		t.Errorf("draws %v, not %v", first, want)
	}
}

// TestOrdersAreFair draws the order of four seats from 24,000 seeds: chi-square
// of 23 degrees of freedom, 0.1 % band.
func TestOrdersAreFair(t *testing.T) {
	t.Parallel()
	m := lobby(t, "abcd")
	count := map[string]float64{}
	for n := range 24_000 {
		o, err := m.game.Order(rules.SeedNumber(uint64(n) * 1_000_003).OrderDraws())
		if err != nil {
			t.Fatal(err)
		}
		count[rules.Write(o)]++
	}
	chi := 0.0
	for _, n := range count {
		chi += (n - 1000) * (n - 1000) / 1000
	}
	if len(count) != 24 || chi > 49.73 || chi < 7.53 {
		t.Errorf("%d orders, chi-square %.2f", len(count), chi)
	}
}

// TestOrderedSeats: with its place in the order a seat keeps all else; the first
// person among the seats is host, and the first seat throws first.
func TestOrderedSeats(t *testing.T) {
	m := lobby(t, "ab3d")
	m.auto("d", true)
	m.do(rules.Ordered{Seats: []int{2, 3, 0, 1}}, nil)
	if m.sits() != "#dab" || m.game.Host() != 1 || m.game.Turn() != 0 || !m.game.Seat(1).Auto || m.game.Seat(3).Auto {
		t.Fatal(m.sits(), picture(m.game))
	}
	m.steps(does{
		{"a", "wait for the host | lobby"}, {"join e", "join | lobby"}, {"d", "a#2 b*2 | a"}, {"a", "c2 | b"}, {"b", "d2 | e"}, {"e", "e2 a#2 b*2 | a"},
	})
	folded, err := rules.Fold(m.game.Track(), strings.Join(m.acts, " "))
	if err != nil {
		t.Fatal(err)
	}
	folded.Sit([]rules.PlayerID{"", "d", "a", "b", "e"})
	if picture(folded) != picture(m.game) {
		t.Errorf("folded %s, live %s", picture(folded), picture(m.game))
	}
}

// TestNoOrder refuses to draw an order where there's none to draw, or it's late.
func TestNoOrder(t *testing.T) {
	draw := rules.SeedNumber(0).OrderDraws
	refused := func(m *match, want string) {
		t.Helper()
		was := picture(m.game)
		if _, err := m.game.Order(draw()); reason(err) != want || picture(m.game) != was {
			t.Errorf("%v, not %s", err, want)
		}
	}
	m := lobby(t, "a")
	refused(m, "too few")
	m.leave("a")
	refused(m, "over")
	m = lobby(t, "ab")
	m.press("a")
	refused(m, "too late")
	// Draws are made in the order of the places, each below those still in line.
	var below []int
	o, err := lobby(t, "abcd").game.Order(func(n int) int { below = append(below, n); return n - 1 })
	if err != nil || !slices.Equal(below, []int{4, 3, 2, 1}) || rules.Write(o) != "order:dcba" {
		t.Error(below, o, err)
	}
}

// TestComputersInALobby: they come when there's room, can be taken out, and are
// nobody who could keep a table.
func TestComputersInALobby(t *testing.T) {
	for name, test := range map[string]struct {
		sits  string
		steps does
		after string
	}{
		"come along":           {"a1", does{{"a", "a2 b#2 | a"}}, "a#"},
		"at once behind":       {"a12d", does{{"a", "a2 b#2 c#2 | d"}, {"computer", "join:computer | d"}, {"d", "d2 e#2 | a"}}, "a##d#"},
		"taken out":            {"a12d", does{{"unseat b", "unseat:b | lobby"}, {"a", "a2 b#2 | d"}}, "a#d"},
		"taken out to the end": {"a1", does{{"unseat b", "unseat:b | lobby"}, {"a", "too few | lobby"}, {"join b", "join | lobby"}, {"a", "a2 | b"}}, "ab"},
		"taken out later":      {"a1c", does{{"a", "a2 b#2 | c"}, {"unseat b", "unseat:b | c"}, {"c", "c2 | a"}}, "a#c"},
		"the last to play with": {"a1", does{
			{"a", "a2 b#2 | a"}, {"unseat b", "unseat:b | over"}, {"a", "over | over"},
		}, "a#"},
		"left behind":              {"a12", does{{"leave a", "leave:a | over"}, {"join b", "over | over"}}, "##"},
		"left behind by two":       {"a1c", does{{"leave a", "leave:a | lobby"}, {"leave c", "leave:b | over"}}, "#"},
		"left behind by force":     {"a12", does{{"unseat a", "unseat:a | over"}}, "##"},
		"before the host":          {"a1c", does{{"leave a", "leave:a | lobby"}, {"c", "a#2 | c"}, {"c", "b2 a#2 | c"}}, "#c"},
		"the host comes back last": {"a1c", does{{"leave a", "leave:a | lobby"}, {"join a", "join | lobby"}, {"a", "wait for the host | lobby"}}, "#ca"},
	} {
		t.Run(name, func(t *testing.T) {
			m := lobby(t, test.sits)
			m.steps(test.steps)
			if m.sits() != test.after {
				t.Errorf("%s sit there, not %s", m.sits(), test.after)
			}
		})
	}
	m := openOn(t, lineBoard(t, "size=200"), with(t, "seats=2"), 1)
	m.steps(does{{"computer", "join:computer | lobby"}, {"computer", "full | lobby"}, {"join b", "full | lobby"}})
	m = openOn(t, boards.Board{Name: "x", Size: 200, Columns: 10}, with(t, "seats=1"), 1)
	m.steps(does{{"computer", "full | lobby"}})
}
