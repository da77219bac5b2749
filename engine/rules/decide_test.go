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
	if got := m.press("b"); got != "not your go" {
		t.Error(got)
	}
	auto("c", true)
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
	t.Parallel()
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

func (m *match) auto(p string, on bool) {
	m.t.Helper()
	e, err := m.game.Autoroll(rules.PlayerID(p), on)
	m.do(e, err)
}

// follow applies what follows an act that wasn't a press.
func (m *match) follow() string {
	m.t.Helper()
	first := len(m.acts)
	for _, e := range m.game.Follow(m.dice) {
		m.do(e, nil)
	}
	return strings.ReplaceAll(strings.Join(m.acts[first:], " "), "%", "")
}

// TestChains: which goes stand behind a press, and where they stop.
func TestChains(t *testing.T) {
	twos := slices.Repeat([]int{2}, 40)
	// Seats that wait for no press behind the presser, up to the one that does.
	m := open(t, "summit", "plain", nil, 5, twos...)
	m.auto("b", true)
	m.auto("c", true)
	m.auto("e", true)
	if got := m.press("a"); got != "a2 b*2 c*2" || m.game.Turn() != 3 {
		t.Errorf("%q, turn %d", got, m.game.Turn())
	}
	if got := m.press("d"); got != "d2 e*2" {
		t.Error(got)
	}
	// Nobody waits: whoever presses throws one round, of which no go is theirs
	// by a press; but on their own turn it is.
	m.auto("a", true)
	m.auto("d", true)
	if got := m.press("d"); got != "a*2 b*2 c*2 d*2 e*2" || m.game.Turn() != 0 {
		t.Error(got)
	}
	if got := m.press("a"); got != "a2 b*2 c*2 d*2 e*2" || m.game.Round() != 4 {
		t.Errorf("%q, round %d", got, m.game.Round())
	}
	if _, err := m.game.Press("z", m.dice); reason(err) != "not seated" {
		t.Error("a stranger throws the next round", err)
	}
	// Somebody waits again: what is before them follows at once, and stops.
	m.auto("d", false)
	if got := m.follow(); got != "a*2 b*2 c*2" || m.game.Turn() != 3 || m.follow() != "" {
		t.Errorf("%q, turn %d", got, m.game.Turn())
	}
	if got := m.press("e"); got != "not your go" {
		t.Error(got)
	}
	m.leave("d") // nobody waits once more
	if got := m.follow(); got != "" {
		t.Errorf("%q follows though nobody waits", got)
	}
}

// TestChainsEndWithTheMatch: nothing is thrown behind the go that decides it.
func TestChainsEndWithTheMatch(t *testing.T) {
	m := open(t, "tiny", "plain", nil, 3, 4, 4, 4, 2, 2)
	m.auto("b", true)
	m.auto("c", true)
	if got := m.press("a"); got != "a4>7 b*4>7 c*4>7" {
		t.Error(got)
	}
	if got := m.press("a"); got != "a2" || m.game.Phase() != rules.Finished || m.follow() != "" {
		t.Error(got)
	}
	m = open(t, "tiny", "plain", nil, 3, 4, 4, 4, 1, 2, 2)
	m.auto("b", true)
	m.auto("c", true)
	m.press("a")
	if got := m.press("a"); got != "a1>2 b*2" || m.game.Winner() != 1 {
		t.Error(got)
	}
}

// TestDecidingOnALobby: before the start nothing follows and no clock throws.
func TestDecidingOnALobby(t *testing.T) {
	m := open(t, "classic", "plain", nil, 2, 2, 2, 2)
	m.auto("a", true)
	m.auto("b", true)
	if m.follow() != "" || m.game.Phase() != rules.Lobby || m.game.Resting() {
		t.Error("a lobby plays by itself")
	}
	if got := m.press("b"); got != "wait for the host" {
		t.Error(got)
	}
	if got := m.press("a"); got != "a2 b*2" {
		t.Error(got)
	}
	alone := open(t, "classic", "family", nil, 1)
	if got := alone.press("a"); got != "too few" {
		t.Error(got)
	}
}

func TestAutorollIsRefused(t *testing.T) {
	m := open(t, "tiny", "plain", []rules.Given{{"finish", "all"}}, 3, 4, 1, 1, 2)
	refused := func(p string, on bool, want string) {
		t.Helper()
		was := picture(m.game)
		if _, err := m.game.Autoroll(rules.PlayerID(p), on); reason(err) != want || picture(m.game) != was {
			t.Errorf("%s %v: %v, not %s", p, on, err, want)
		}
	}
	refused("z", true, "not seated")
	refused("", true, "not seated")
	refused("a", false, "no change")
	m.script("a4>7 b1 c1 a2")
	refused("a", true, "is home")
	m.auto("b", true)
	refused("b", true, "no change")
	m.unseat(2)
	refused("c", true, "was unseated")
	m.leave("b")
	refused("a", true, "over")
}

// TestHostAfterTheStart: whoever sat longest of those still there hosts, at
// home too, and no computer player does.
func TestHostAfterTheStart(t *testing.T) {
	m := open(t, "tiny", "plain", []rules.Given{{"finish", "all"}}, 3, 4, 1, 1, 1, 2)
	m.computer()
	m.script("a4>7 b1")
	m.press("c")
	m.press("a")
	if m.game.Seat(0).Place != 1 || m.game.Host() != 0 {
		t.Error(m.acts, m.game.Host())
	}
	m = open(t, "classic", "plain", nil, 1, 2, 2, 2)
	m.computer()
	m.join("c")
	m.join("d")
	e, err := m.game.Roll("a", m.dice)
	m.do(e, err)
	m.leave("a")
	if m.game.Host() != 2 || m.game.Turn() != 1 {
		t.Error(m.game.Host(), m.game.Turn())
	}
	if got := m.follow(); got != "b#2" || m.game.Turn() != 2 {
		t.Errorf("%q, turn %d", got, m.game.Turn())
	}
	m.unseat(2)
	if m.game.Host() != 3 {
		t.Error(m.game.Host())
	}
}
