package rules_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"hiss/engine/rules"
)

// timeout lets the clock throw.
func (m *match) timeout() {
	m.t.Helper()
	e, err := m.game.Timeout(m.dice)
	m.do(e, err)
}

func (m *match) computer() {
	m.t.Helper()
	e, err := m.game.JoinComputer()
	m.do(e, err)
}

func (m *match) unseat(seat int) {
	m.t.Helper()
	e, err := m.game.Unseat(seat)
	m.do(e, err)
}

// ended fails unless the match is over in a way, with these places.
func (m *match) ended(want rules.Outcome, places ...int) {
	m.t.Helper()
	got, _ := m.game.Outcome()
	var have []int
	for i := range m.game.Seats() {
		have = append(have, m.game.Seat(i).Place)
	}
	if m.game.Phase() != rules.Finished || got != want || !slices.Equal(have, places) {
		m.t.Errorf("%s: phase %d, outcome %d, places %v, want outcome %d, places %v",
			strings.Join(m.acts, " "), m.game.Phase(), got, have, want, places)
	}
}

// TestRestGoesOnAtAnyPress: once the clock threw last for everybody, it isn't
// awaited any more, so nobody may be either.
func TestRestGoesOnAtAnyPress(t *testing.T) {
	m := open(t, "classic", "plain", nil, 2, slices.Repeat([]int{2}, 20)...)
	m.script("a2 b2")
	m.timeout()
	if m.game.Resting() || m.press("a") != "not your go" {
		t.Error("b hasn't missed anything")
	}
	m.timeout()
	if !m.game.Resting() || m.game.Turn() != 0 {
		t.Fatal(m.acts)
	}
	if got := m.press("b"); got != "a~2>6 hand:b" || m.game.Turn() != 1 || m.game.Resting() {
		t.Errorf("a resting match answers %q", got)
	}
	if got := m.press("b"); got != "b2>6 a~2" || m.game.Resting() {
		t.Errorf("b is back, a is away: %q", got)
	}
}

// TestHostBehindComputer: a computer player hosts nothing and presses nothing,
// so whoever hosts starts the match even from behind one.
func TestHostBehindComputer(t *testing.T) {
	m := open(t, "classic", "plain", nil, 1, 2, 2, 2, 3)
	m.computer()
	m.join("b")
	m.join("c")
	m.leave("a")
	if m.game.Host() != 1 {
		t.Fatal(m.game.Host())
	}
	var r *rules.Refusal
	if _, err := m.game.Roll("c", m.dice); !errors.As(err, &r) || r.Reason != rules.WaitHost || r.Seat != 1 {
		t.Errorf("c: %+v", r)
	}
	if _, err := m.game.Timeout(m.dice); !errors.As(err, &r) || r.Reason != rules.WaitHost || r.Seat != 1 {
		t.Errorf("the clock: %+v", r)
	}
	if got := m.press("b"); got != "a#2" || m.game.Turn() != 1 {
		t.Errorf("b starts with %q", got)
	}
	m.script("b2")
	if got := m.press("c"); got != "c2 a#3" || m.game.Round() != 2 {
		t.Errorf("%q in round %d", got, m.game.Round())
	}
}

func TestHostOfALobby(t *testing.T) {
	m := open(t, "classic", "family", nil, 3)
	m.unseat(0)
	if m.game.Host() != 0 || m.game.Seat(0).Player != "b" || m.game.Turn() != 0 || m.game.Seats() != 2 {
		t.Error("b doesn't host")
	}
	m.join("a") // the match hasn't begun: back, and last
	if m.game.SeatOf("a") != 2 || m.press("a") != "wait for the host" {
		t.Error(m.game.SeatOf("a"))
	}
	m.leave("b")
	m.leave("c")
	if got := m.press("a"); got != "too few" {
		t.Error(got)
	}
	m.computer()
	m.leave("a") // a computer player stays behind
	m.ended(rules.Abandoned, 0)
}

func TestLastInOrderLeaves(t *testing.T) {
	for _, unseated := range []bool{false, true} {
		m := open(t, "classic", "plain", nil, 3, 2, 2, 3, 3)
		m.script("a2 b2")
		if unseated {
			m.unseat(2)
		} else {
			m.leave("c")
		}
		// Everybody who is left has thrown once, so round 1 is over.
		if m.game.Turn() != 0 || m.game.Round() != 2 || m.game.Joinable() || m.game.Thrown() != 2 {
			t.Error(m.game.Turn(), m.game.Round())
		}
		want := "got up"
		if unseated {
			want = "was unseated"
		}
		_, err := m.game.Join("c")
		_, rolled := m.game.Roll("c", m.dice)
		_, left := m.game.Leave("c")
		_, auto := m.game.Autoroll("c", true)
		for _, err := range []error{err, rolled, left, auto} {
			if reason(err) != want {
				t.Errorf("%v, not %s", err, want)
			}
		}
		if _, err := m.game.Unseat(2); reason(err) != "no such seat" {
			t.Error(err)
		}
		m.script("a3 b3")
		if m.game.Round() != 3 {
			t.Error(m.game.Round())
		}
	}
}

// TestLateSeats: who sits down in round 1 throws last in that round, whatever
// was thrown or left before.
func TestLateSeats(t *testing.T) {
	m := open(t, "classic", "plain", nil, 2, slices.Repeat([]int{2}, 20)...)
	m.script("a2")
	m.join("c")
	m.leave("b") // on turn
	m.join("d")
	m.script("c2")
	m.join("e")
	m.computer()
	if m.game.Round() != 1 || !m.game.Joinable() {
		t.Error("round 1 is over before d, e and the computer have thrown")
	}
	m.script("d2")
	if got := m.press("e"); got != "e2 f#2" || m.game.Round() != 2 {
		t.Errorf("%q in round %d", got, m.game.Round())
	}
	for _, err := range []error{errOf(m.game.Join("g")), errOf(m.game.JoinComputer())} {
		if reason(err) != "too late" {
			t.Error(err)
		}
	}
	m = open(t, "classic", "plain", nil, 1, 2, 2)
	m.script("a2") // alone: everybody has thrown once
	if _, err := m.game.Join("b"); reason(err) != "too late" {
		t.Error(err)
	}
}

func errOf[E any](_ E, err error) error { return err }

// TestSomebodyHomeAndOthersLeave plays tiny: a is home with 4 and 2.
func TestSomebodyHomeAndOthersLeave(t *testing.T) {
	begin := func(finish string, computers int) *match {
		m := open(t, "tiny", "plain", []rules.Given{{Key: "finish", Value: finish}}, 3)
		m.dice.Faces = slices.Concat([]int{4}, slices.Repeat([]int{1}, 2+computers), []int{2})
		for range computers {
			m.computer()
		}
		m.script("a4>7 b1")
		m.press("c")
		m.script("a2")
		return m
	}
	m := begin("last", 0)
	m.leave("c") // off turn
	m.ended(rules.Decided, 1, 2, 0)
	m = begin("all", 0)
	m.leave("b") // on turn
	if m.game.Turn() != 2 || m.game.Phase() != rules.Running {
		t.Error(m.acts)
	}
	for m.game.Phase() != rules.Finished {
		m.press("c")
	}
	m.ended(rules.Decided, 1, 0, 2)
	// Computer seats alone are nobody, whatever finish says.
	for _, finish := range []string{"last", "all"} {
		m = begin(finish, 2)
		m.leave("b")
		m.leave("c")
		m.ended(rules.Decided, 1, 0, 0, 0, 0)
	}
	// At home one can still ask for the next round when only computers play.
	m = begin("all", 1)
	m.leave("b")
	m.dice.Faces = append(m.dice.Faces, 3, 1, 2, 1, 1, 2)
	for _, press := range [][2]string{{"c", "c3>7 d#1"}, {"c", "c2 d#1"}, {"a", "d#1>7"}, {"c", "d#2"}} {
		if _, err := m.game.Unseat(0); reason(err) != "is home" {
			t.Error(err)
		}
		if got := m.press(press[0]); got != press[1] || m.game.Resting() {
			t.Errorf("%q, not %q; resting %v", got, press[1], m.game.Resting())
		}
	}
	m.ended(rules.Decided, 1, 0, 2, 3)
}

func TestWalkovers(t *testing.T) {
	for _, finish := range []string{"first", "last", "all"} {
		given := []rules.Given{{Key: "finish", Value: finish}}
		m := open(t, "classic", "plain", given, 2, 2)
		m.script("a2")
		m.leave("b")
		m.ended(rules.Walkover, 1, 0)
		m = open(t, "classic", "plain", given, 3, 2)
		m.script("a2")
		m.unseat(0)
		m.unseat(2)
		m.ended(rules.Walkover, 0, 1, 0)
		m = open(t, "classic", "plain", given, 1, 2)
		m.script("a2")
		m.leave("a")
		m.ended(rules.Abandoned, 0)
		m = open(t, "classic", "plain", given, 2, 2, 2) // a person against two computers
		m.computer()
		m.script("a2")
		m.leave("b")
		if m.game.Phase() != rules.Running {
			t.Error("a still plays against the computer")
		}
		m.leave("a")
		m.ended(rules.Abandoned, 0, 0, 0)
	}
}

// TestLastPlace: last ends when one is left, who takes the last place; alone
// it ends at home.
func TestLastPlace(t *testing.T) {
	for seats, want := range map[int][]int{1: {1}, 2: {1, 2}, 3: {2, 3, 1}} {
		faces := map[int][]int{1: {4, 2}, 2: {4, 1, 2}, 3: {1, 1, 4, 3, 1, 2, 2}}[seats]
		m := open(t, "tiny", "plain", []rules.Given{{Key: "finish", Value: "last"}}, seats, faces...)
		for m.game.Phase() != rules.Finished {
			m.press(string(m.game.Seat(m.game.Turn()).Player))
		}
		m.ended(rules.Decided, want...)
		for i := range seats {
			if s := m.game.Seat(i); s.Home != (s.Place < seats || seats == 1) {
				t.Errorf("%d seats: %+v", seats, s)
			}
		}
	}
}

// TestBonusOfARollThatStays earns another roll on the spot.
func TestBonusOfARollThatStays(t *testing.T) {
	m := open(t, "classic", "family", nil, 1, 1, 6, 6, 4)
	m.computer()
	events := []rules.Event{rules.Went{Rolls: []rules.Roll{{Faces: []int{1}, Landed: 96, To: 96}}},
		rules.Went{Seat: 1, How: rules.Computer, Rolls: []rules.Roll{{Faces: []int{1}, Landed: 1, To: 1}}}}
	for _, e := range events {
		m.do(e, nil)
	}
	m.dice = rules.Loaded{From: 2, Faces: []int{6, 6, 4}, Then: m.dice}
	if got := m.press("a"); got != "a6=,6=,4" {
		t.Error(got)
	}
	m.ended(rules.Decided, 1, 0)
}

func TestEnding(t *testing.T) {
	for _, c := range []struct {
		by   rules.PlayerID
		why  rules.Why
		want string
	}{
		{"b", rules.Cancelled, "end:b"}, {"x", rules.Cancelled, "end:admin"}, {"", rules.Cancelled, "end:admin"},
		{"b", rules.Closed, "end:closed"}, {"", rules.Expired, "end:expired"},
	} {
		m := open(t, "classic", "plain", nil, 2)
		e, err := m.game.End(c.by, c.why)
		m.do(e, err)
		m.ended(rules.Broken, 0, 0)
		if got := m.acts[len(m.acts)-1]; got != c.want {
			t.Errorf("%s, not %s", got, c.want)
		}
		_, unseated := m.game.Unseat(0)
		_, timeout := m.game.Timeout(m.dice)
		for _, err := range []error{
			errOf(m.game.Join("z")), errOf(m.game.JoinComputer()), errOf(m.game.Leave("a")), unseated, timeout,
			errOf(m.game.Autoroll("a", true)), errOf(m.game.End("a", rules.Cancelled)), errOf(m.game.Press("a", m.dice)),
		} {
			if reason(err) != "over" {
				t.Errorf("after the end: %v", err)
			}
		}
	}
}

// TestLoadedOverLoaded: a die that was loaded under other loaded dice marks
// its go as well.
func TestLoadedOverLoaded(t *testing.T) {
	m := open(t, "classic", "plain", nil, 2)
	m.dice = rules.Loaded{From: 7, Faces: []int{1}, Then: rules.Loaded{From: 1, Faces: []int{5}, Then: rules.SeedNumber(0).Dice(6)}}
	for i, want := range []bool{false, true, false} {
		e, err := m.game.Roll(m.game.Seat(m.game.Turn()).Player, m.dice)
		m.do(e, err)
		if e.Loaded != want {
			t.Errorf("go %d: %s", i+1, m.acts[len(m.acts)-1])
		}
	}
	if !m.game.Loaded() {
		t.Error("the match isn't marked")
	}
}

// TestNotWorthWriting: an event that its entry couldn't tell is refused, since
// the match that is loaded would be another one than the live one.
func TestNotWorthWriting(t *testing.T) {
	m := open(t, "tiny", "plain", nil, 2, 3)
	went := func(how rules.How, landed, to int) rules.Went {
		return rules.Went{How: how, Rolls: []rules.Roll{{Faces: []int{2}, Landed: landed, To: to}}}
	}
	was := picture(m.game)
	for _, e := range []rules.Event{
		rules.Joined{Player: "a"}, rules.Joined{Player: "b"},
		rules.Ended{Seat: -2}, rules.Ended{Seat: 2}, rules.Ended{Why: rules.Closed, Seat: 1}, rules.Ended{Why: rules.Expired},
		rules.Ended{Why: rules.Expired + 1, Seat: -1}, went(rules.Computer+1, 2, 2), went(rules.Pressed, 2, 0),
		went(rules.Pressed, 0, 4), went(rules.Pressed, -1, -1), nil,
	} {
		if err := m.game.Apply(e); !errors.Is(err, rules.ErrCannotFollow) || picture(m.game) != was {
			t.Errorf("%+v: %v", e, err)
		}
	}
	m.do(went(rules.Pressed, 0, 0), nil) // stays off the board: a fact like any other
	if got := m.acts[len(m.acts)-1]; got != "a2=" {
		t.Error(got)
	}
}
