package rules_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"hiss/engine/rules"
)

// standing lists the places: "a1 b3 c2", with "-" for a seat that has none and
// "x" for one that is gone, and "?" behind a place that was given without a home.
func (m *match) standing() string {
	var all []string
	for i := range m.game.Seats() {
		s := m.game.Seat(i)
		at := fmt.Sprint(s.Place)
		switch {
		case s.Gone:
			at = "x"
		case s.Place == 0:
			at = "-"
		case !s.Home:
			at += "?"
		}
		all = append(all, string('a'+rune(i))+at)
	}
	return strings.Join(all, " ")
}

// numbers reads numbers with blanks between.
func numbers(t *testing.T, s string) (all []int) {
	t.Helper()
	for word := range strings.FieldsSeq(s) {
		n, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	return all
}

// finished is a match that is played to its end on six squares. Who sits there is
// named as lobby has it: a digit is a computer player.
type finished struct {
	name, finish, sits, faces string
	steps                     does
	outcome                   rules.Outcome
	places                    string
}

func finishAll(t *testing.T, all []finished) {
	t.Helper()
	for _, test := range all {
		t.Run(test.name, func(t *testing.T) {
			m := lobbyOn(t, lineBoard(t, "size=6"), with(t, "finish="+test.finish, "solo=yes"), test.sits, numbers(t, test.faces)...)
			m.steps(test.steps)
			if outcome, _ := m.game.Outcome(); m.standing() != test.places || outcome != test.outcome {
				t.Errorf("%s, outcome %d, not %s, %d", m.standing(), outcome, test.places, test.outcome)
			}
		})
	}
}

// TestPlaces plays finish rules to the end, with people who leave and come late.
func TestPlaces(t *testing.T) {
	finishAll(t, []finished{
		{"the last one is listed", "last", "abc", "6 1 6", does{
			{"a", "a6 | b"}, {"b", "b1 | c"}, {"c", "c6 | over"},
		}, rules.Decided, "a1 b3? c2"},
		{"all come home", "all", "abc", "6 1 6 5", does{
			{"a", "a6 | b"}, {"b", "b1 | c"}, {"c", "c6 | b"}, {"b", "b5 | over"},
		}, rules.Decided, "a1 b3 c2"},
		{"leavers have no place", "last", "abcde", "6 1 1 6", does{
			{"a", "a6 | b"}, {"leave b", "leave:b | c"}, {"c", "c1 | d"}, {"d", "d1 | e"}, {"e", "e6 | c"}, {"leave c", "leave:c | over"},
		}, rules.Decided, "a1 bx cx d3? e2"},
		{"leavers have no place when all come home", "all", "abcde", "6 1 1 6 5", does{
			{"a", "a6 | b"}, {"leave b", "leave:b | c"}, {"c", "c1 | d"}, {"d", "d1 | e"}, {"e", "e6 | c"}, {"leave c", "leave:c | d"}, {"d", "d5 | over"},
		}, rules.Decided, "a1 bx cx d3 e2"},
		{"unseated, off turn and on turn", "last", "abcd", "6 1", does{
			{"a", "a6 | b"}, {"unseat c", "unseat:c | b"}, {"b", "b1 | d"}, {"unseat d", "unseat:d | over"},
		}, rules.Decided, "a1 b2? cx dx"},
		{"unseated, and the other comes home", "all", "abc", "6 1 5", does{
			{"a", "a6 | b"}, {"unseat c", "unseat:c | b"}, {"b", "b1 | b"}, {"b", "b5 | over"},
		}, rules.Decided, "a1 b2 cx"},
		{"before anybody is home", "last", "abcd", "1 1 6 6", does{
			{"a", "a1 | b"}, {"leave d", "leave:d | b"}, {"b", "b1 | c"}, {"c", "c6 | a"}, {"a", "a6= | b"}, {"leave a", "leave:a | over"},
		}, rules.Decided, "ax b2? c1 dx"},
		{"all but one leave", "all", "abc", "1", does{
			{"a", "a1 | b"}, {"leave b", "leave:b | c"}, {"leave a", "leave:a | over"},
		}, rules.Walkover, "ax bx c1?"},
		{"who comes late is placed", "last", "abc", "6 1 1 6 6 5", does{
			{"a", "a6 | b"}, {"join d", "join | b"}, {"b", "b1 | c"}, {"c", "c1 | d"}, {"d", "d6 | b"}, {"b", "b6= | c"}, {"c", "c5 | over"},
		}, rules.Decided, "a1 b4? c3 d2"},
		{"who comes late finds somebody home", "all", "ab", "6 1 1 5 5", does{
			{"a", "a6 | b"}, {"join c", "join | b"}, {"b", "b1 | c"}, {"c", "c1 | b"}, {"join d", "too late | b"}, {"b", "b5 | c"}, {"c", "c5 | over"},
		}, rules.Decided, "a1 b2 c3"},
		{"two are enough to be last", "last", "ab", "6", does{{"a", "a6 | over"}}, rules.Decided, "a1 b2?"},
		{"alone from the start", "last", "a", "1 5", does{{"a", "a1 | a"}, {"a", "a5 | over"}}, rules.Decided, "a1"},
		{"away to the end", "all", "abc", "6 1 1 1 1 1 1 3 3", does{
			{"a", "a6 | b"}, {"clock", "b~1 | c"}, {"clock", "c~1 | rest"}, {"a", "b~1 | rest"}, {"a", "c~1 b~1 | rest"}, {"a", "c~1 b~3 | rest"}, {"a", "c~3 | over"},
		}, rules.Decided, "a1 b2 c3"},
	})
}

// TestPlacesOfComputers: they are placed like anybody, as long as somebody plays
// with them.
func TestPlacesOfComputers(t *testing.T) {
	finishAll(t, []finished{
		{"computers are placed like anybody", "last", "a1c2", "1 6 6 1 5", does{
			{"a", "a1 b#6 | c"}, {"c", "c6 d#1 | a"}, {"a", "a5 | over"},
		}, rules.Decided, "a3 b1 c2 d4?"},
		{"computers come home", "all", "a1c2", "1 6 6 1 5 5", does{
			{"a", "a1 b#6 | c"}, {"c", "c6 d#1 | a"}, {"a", "a5 d#5 | over"},
		}, rules.Decided, "a3 b1 c2 d4"},
		{"computers play on when asked", "all", "a12", "6 1 1 1 1 4 4", does{
			{"a", "a6 b#1 c#1 | round"}, {"clock", "no change | round"}, {"a", "b#1 c#1 | round"}, {"a", "b#4 c#4 | over"},
		}, rules.Decided, "a1 b2 c3"},
		{"computers play for the last place", "last", "a12", "6 1 1 1 1 4", does{
			{"a", "a6 b#1 c#1 | round"}, {"a", "b#1 c#1 | round"}, {"a", "b#4 | over"},
		}, rules.Decided, "a1 b2 c3?"},
		{"a computer alone is last", "last", "ab1", "6 1 1", does{
			{"a", "a6 | b"}, {"b", "b1 c#1 | b"}, {"leave b", "leave:b | over"},
		}, rules.Decided, "a1 bx c2?"},
		{"a computer alone comes home no more", "all", "ab1", "6 1 1", does{
			{"a", "a6 | b"}, {"b", "b1 c#1 | b"}, {"leave b", "leave:b | over"},
		}, rules.Decided, "a1 bx c-"},
		{"computers alone have no place", "last", "ab12", "6 1 1 1", does{
			{"a", "a6 | b"}, {"b", "b1 c#1 d#1 | b"}, {"leave b", "leave:b | over"},
		}, rules.Decided, "a1 bx c- d-"},
		{"computers alone, nobody home", "last", "a1", "1 1", does{
			{"a", "a1 b#1 | a"}, {"leave a", "leave:a | over"},
		}, rules.Abandoned, "ax b-"},
		{"a computer is taken out", "last", "ab1", "6 1 1", does{
			{"a", "a6 | b"}, {"unseat c", "unseat:c | over"},
		}, rules.Decided, "a1 b2? cx"},
	})
}

// TestPlacesBehindSquaresThatSkip: who is passed over is only late, and at home
// nobody is passed over any more.
func TestPlacesBehindSquaresThatSkip(t *testing.T) {
	for _, test := range []struct {
		name, finish, effects, faces string
		steps                        does
		places                       string
	}{
		{"passed over at the end of the round", "last", "3 skip", "6 3 1 1 3 2 3", does{
			{"a", "a6 | b"}, {"b", "b3/skip | b"}, {"b", "b1 | c"}, {"c", "c1 | b"}, {"b", "b3= | c"}, {"c", "c2/skip | c"}, {"c", "c3 | over"},
		}, "a1 b3? c2"},
		{"the next who plays is passed over", "all", "3 skip", "1 6 3 3 2 1 3 2", does{
			{"a", "a1 | b"}, {"b", "b6 | c"}, {"c", "c3/skip | c"}, {"c", "c3 | a"}, {"a", "a2/skip | a"}, {"a", "a1 | a"}, {"a", "a3= | a"}, {"a", "a2 | over"},
		}, "a3 b1 c2"},
		{"nobody is left to be passed over", "last", "3 skip", "3 6 3 3", does{
			{"a", "a3/skip | c"}, {"c", "c6 | a"}, {"a", "a3 | over"},
		}, "a2 b3? c1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := lobbyOn(t, special(t, "size=6", test.effects), with(t, "finish="+test.finish), "abc", numbers(t, test.faces)...)
			m.steps(test.steps)
			if m.standing() != test.places {
				t.Errorf("%s, not %s", m.standing(), test.places)
			}
		})
	}
}
