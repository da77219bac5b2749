package rules_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hiss/boards"
	"hiss/engine/rules"
)

// match is a game in a test: players are named a, b, c … by their seats.
type match struct {
	t    testing.TB
	game *rules.Game
	dice rules.Loaded
	acts []string
}

func open(t testing.TB, board, set string, given []rules.Given, seats int, faces ...int) *match {
	t.Helper()
	b, ok := boards.Find(board)
	r, isSet := rules.Set(set)
	r, err := r.With(given)
	if !ok || !isSet || err != nil {
		t.Fatal(board, set, err)
	}
	return openOn(t, b, r, seats, faces...)
}

func openOn(t testing.TB, b boards.Board, r rules.Rules, seats int, faces ...int) *match {
	t.Helper()
	track, err := rules.Compile(b, r)
	if err != nil {
		t.Fatal(err)
	}
	m := &match{t: t, game: rules.NewGame(track), dice: rules.Loaded{Faces: faces, Then: rules.SeedNumber(0).Dice(r.Sides)}}
	m.do(m.game.Open("a", false), nil)
	for i := 1; i < seats; i++ {
		m.join(string('a' + rune(i)))
	}
	return m
}

// do applies what was decided.
func (m *match) do(e rules.Event, err error) {
	m.t.Helper()
	if err == nil {
		err = m.game.Apply(e)
	}
	if err != nil {
		m.t.Fatal(err)
	}
	m.acts = append(m.acts, rules.Write(e))
}

func (m *match) join(p string) {
	m.t.Helper()
	e, err := m.game.Join(rules.PlayerID(p))
	m.do(e, err)
}

// press lets somebody press and returns the entries that this makes.
func (m *match) press(p string) string {
	m.t.Helper()
	events, err := m.game.Press(rules.PlayerID(p), m.dice)
	if err != nil {
		return err.Error()
	}
	first := len(m.acts)
	for _, e := range events {
		m.do(e, nil)
	}
	return strings.ReplaceAll(strings.Join(m.acts[first:], " "), "%", "")
}

// script lets whoever is on turn press, and compares all entries.
func (m *match) script(want string) {
	m.t.Helper()
	var got []string
	for range strings.Fields(want) {
		got = append(got, m.press(string(m.game.Seat(m.game.Turn()).Player)))
	}
	if strings.Join(got, " ") != want {
		m.t.Errorf("thrown %q, not %q", strings.Join(got, " "), want)
	}
}

func (m *match) leave(p string) {
	m.t.Helper()
	e, err := m.game.Leave(rules.PlayerID(p))
	m.do(e, err)
}

func reason(err error) string {
	var r *rules.Refusal
	if errors.As(err, &r) {
		return r.Error()
	}
	return fmt.Sprint(err)
}

// TestScripted plays the scripted matches of the vectors.
func TestScripted(t *testing.T) {
	open(t, "twenty", "plain", nil, 2, 3, 5, 6, 6, 6, 6, 6, 2, 6, 5, 4).script("a3>11 b5 a6>4 b6 a6 b6>4 a6 b2 a6= b5 a4")
	m := open(t, "classic47", "family", nil, 2, 4, 6, 6, 6, 2, 1, 3, 6, 5, 5, 2, 6, 1, 4, 4, 3, 5, 1, 6, 4)
	if got := m.press("b"); got != "wait for the host" {
		t.Error(got)
	}
	m.script("a4>14 b6,6,6! a2>6 b1>38 a3>31 b6,5>11 a5>44 b2 a6,1>67 b4 a4>91 b3 a5 b1>42 a6=,4")
	if got := m.press("b"); got != "over" || m.game.Winner() != 0 || m.game.Goes() != 15 {
		t.Error(got, m.game.Winner(), m.game.Goes())
	}
	line := func(s string) boards.Board {
		b, err := boards.ParseLine(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	family, _ := rules.Set("family")
	openOn(t, line("size=18"), family, 2, 6, 6, 6).script("a6,6,6!")
	openOn(t, line("size=20 18-20"), family, 2, 6, 6, 6).script("a6,6,6!")
	openOn(t, line("size=12"), family, 2, 6, 6).script("a6,6")
	plain, _ := rules.Set("plain")
	openOn(t, line("size=42 chains=once 10-40 40-15"), plain, 1, 6, 2, 2, 5, 2).script("a6 a2 a2>40 a5= a2")
	open(t, "classic", "family", nil, 2, 6, 6, 1, 1, 6, 6, 1).script("a6,6,1 b1>38 a6,6,1")
	void := func(n string) []rules.Given { return []rules.Given{{"void", n}} }
	open(t, "classic", "family", void("1"), 2, 6).script("a6!")
	open(t, "classic", "family", void("0"), 2, 6, 6, 6, 6, 1).script("a6,6,6,6,1")
	bounce := []rules.Given{{"end", "bounce"}}
	m = open(t, "classic", "plain", bounce, 1, slices.Repeat([]int{1}, 3)...)
	if landed, to := m.game.Track().Move(96, 6); landed != 98 || to != 78 {
		t.Error(landed, to)
	}
	if landed, to := m.game.Track().Move(97, 6); landed != 97 || to != 97 {
		t.Error(landed, to)
	}
}

func TestSeating(t *testing.T) {
	m := open(t, "classic", "plain", nil, 2, 1, 2, 3, 4)
	m.script("a1>38")
	m.join("c")
	m.script("b2 c3 a4")
	if _, err := m.game.Join("d"); reason(err) != "too late" {
		t.Error(err)
	}
	m = open(t, "classic", "plain", []rules.Given{{"seats", "2"}}, 2)
	if _, err := m.game.Join("c"); reason(err) != "full" {
		t.Error(err)
	}
	if _, err := m.game.Join("b"); reason(err) != "already in" {
		t.Error(err)
	}
	m.leave("a") // the host: b moves up
	if m.game.SeatOf("b") != 0 || m.game.Host() != 0 || m.game.Turn() != 0 {
		t.Error("b isn't the host")
	}
	m.leave("b")
	if outcome, _ := m.game.Outcome(); outcome != rules.Abandoned {
		t.Error(outcome)
	}
}

func TestLeaving(t *testing.T) {
	for _, finish := range []string{"first", "last", "all"} {
		m := open(t, "classic", "plain", []rules.Given{{"finish", finish}}, 3, 1, 2)
		m.script("a1>38")
		m.leave("b") // on turn: c is next, still in round 1
		if m.game.Turn() != 2 || m.game.Round() != 1 {
			t.Error(finish, m.game.Turn(), m.game.Round())
		}
		if _, err := m.game.Join("b"); reason(err) != "got up" {
			t.Error(err)
		}
		m.leave("a") // the host, off turn: one is left
		if outcome, _ := m.game.Outcome(); outcome != rules.Walkover || m.game.Winner() != 2 {
			t.Error(finish, outcome, m.game.Winner())
		}
	}
	// Somebody is home: last gives the one who is left the next place, all
	// plays on.
	for finish, over := range map[string]bool{"last": true, "all": false} {
		m := open(t, "tiny", "plain", []rules.Given{{"finish", finish}}, 3, 4, 1, 1, 2)
		m.script("a4>7 b1 c1 a2")
		if _, err := m.game.Leave("a"); reason(err) != "is home" {
			t.Error(err)
		}
		m.leave("b")
		if (m.game.Phase() == rules.Finished) != over || over && m.game.Seat(2).Place != 2 {
			t.Error(finish, m.game.Phase(), m.game.Seat(2))
		}
		if !over {
			m.leave("c")
			if outcome, _ := m.game.Outcome(); outcome != rules.Decided || m.game.Winner() != 0 {
				t.Error(outcome, m.game.Winner())
			}
		}
	}
	m := open(t, "classic", "plain", nil, 1, 3)
	e, err := m.game.JoinComputer()
	m.do(e, err)
	m.press("a")
	m.leave("a") // computer seats alone
	if outcome, _ := m.game.Outcome(); outcome != rules.Abandoned || m.game.Winner() >= 0 {
		t.Error(outcome, m.game.Winner())
	}
}

// TestUnasked: goes that wait for no press stand behind the press before them,
// and never more than one round of them.
func TestUnasked(t *testing.T) {
	m := open(t, "classic", "plain", nil, 3, slices.Repeat([]int{2}, 40)...)
	auto := func(p string, on bool) {
		e, err := m.game.Autoroll(rules.PlayerID(p), on)
		m.do(e, err)
	}
	auto("b", true)
	if got := m.press("a"); got != "a2 b*2" {
		t.Error(got)
	}
	auto("c", true)
	if got := m.press("b"); got != "not your go" {
		t.Error(got)
	}
	auto("a", true)
	if m.game.Waiting() != 0 || m.game.Follow(m.dice) != nil {
		t.Error("an empty table plays on by itself")
	}
	if got := m.press("b"); len(strings.Fields(got)) != 3 {
		t.Errorf("a round of three is %q", got)
	}
	auto("a", false)
	if _, err := m.game.Autoroll("a", false); reason(err) != "no change" {
		t.Error(err)
	}
}

func TestAway(t *testing.T) {
	m := open(t, "classic", "plain", nil, 2, slices.Repeat([]int{2}, 40)...)
	if _, err := m.game.Timeout(m.dice); reason(err) != "wait for the host" {
		t.Error(err)
	}
	m.press("a")
	for range 2 { // b misses twice, a presses between
		e, err := m.game.Timeout(m.dice)
		m.do(e, err)
		if m.game.Turn() == 0 && !m.game.Seat(1).Away() {
			m.press("a")
		}
	}
	if !m.game.Seat(1).Away() || m.game.Resting() {
		t.Error(m.game.Seat(1))
	}
	if got := m.press("a"); got != "a2>6 b~2>6" {
		t.Error(got)
	}
	e, err := m.game.Timeout(m.dice)
	m.do(e, err)
	if !m.game.Resting() {
		t.Error("everybody is away, and the match doesn't rest")
	}
	back, err := m.game.Autoroll("b", false)
	m.do(back, err)
	if m.game.Seat(1).Away() {
		t.Error("b is back")
	}
}

func TestOutOfRoom(t *testing.T) {
	b, err := boards.ParseLine("size=10000")
	if err != nil {
		t.Fatal(err)
	}
	plain, _ := rules.Set("plain")
	m := openOn(t, b, plain, 8, slices.Repeat([]int{1}, rules.MaxGoes)...)
	for range rules.MaxGoes {
		e, err := m.game.Roll(m.game.Seat(m.game.Turn()).Player, m.dice)
		if err == nil {
			err = m.game.Apply(e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if outcome, _ := m.game.Outcome(); outcome != rules.OutOfRoom || m.press("a") != "over" {
		t.Error(outcome)
	}
}
