package rules_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hiss/boards"
	"hiss/engine/rules"
)

// seating is all that a match is made of: what is left is who presses when.
type seating struct {
	name  string
	board boards.Board
	rules rules.Rules
	seats string // p is a person, c a computer player
	drawn bool   // the seats are in the order that the seed draws
	seed  rules.Seed
	dice  rules.Dice
}

// remembered are dice that are thrown once, however often they are asked for.
type remembered struct {
	dice  rules.Dice
	faces map[int]int
}

func (r remembered) Face(k int) int {
	if r.faces[k] == 0 {
		r.faces[k] = r.dice.Face(k)
	}
	return r.faces[k]
}

// sit opens the match. People are called by the seats they took: a, b, c ….
func (s seating) sit(t *testing.T) *match {
	t.Helper()
	m := openOn(t, s.board, s.rules, 1)
	m.dice.Then = s.dice
	for i, kind := range s.seats[1:] {
		if kind == 'c' {
			m.computer()
		} else {
			m.join(string('b' + rune(i)))
		}
	}
	if s.drawn {
		o, err := m.game.Order(s.seed.OrderDraws())
		m.do(o, err)
	}
	return m
}

// told returns the goes of a match, without how they came about, and where they
// led.
func (m *match) told() string {
	m.t.Helper()
	g := rules.NewGame(m.game.Track())
	var goes []string
	for _, entry := range m.acts {
		e, err := g.Read(entry)
		if err != nil {
			m.t.Fatal(err)
		}
		if went, ok := e.(rules.Went); ok {
			if bad := g.Verify(went, m.dice); bad != nil {
				m.t.Fatalf("go %d: %s, not %s", bad.Go, entry, rules.Write(bad.Gives))
			}
			went.How, went.Loaded = rules.Pressed, false
			goes = append(goes, rules.Write(went))
		}
		if err := g.Apply(e); err != nil {
			m.t.Fatal(err)
		}
	}
	outcome, _ := g.Outcome()
	goes = append(goes, fmt.Sprint("outcome ", outcome))
	for i := range g.Seats() {
		goes = append(goes, fmt.Sprint(g.Seat(i).Square, " ", g.Seat(i).Place))
	}
	return strings.Join(goes, " ")
}

// seatings returns a match for each rule set and finish rule, on boards with and
// without effects, with and without computer players among the people.
func seatings(t *testing.T) []seating {
	t.Helper()
	effects := special(t, "size=30 4-14 9-21 17-7 26-11", "3 skip 6 again 8 shield 12 skip 16 shield 19 skip 22 again 24 back 27 skip")
	onto := []boards.Board{effects, shipped(t, "sprint"), effects, shipped(t, "tiny")}
	random := rand.New(rand.NewPCG(3, 4))
	var all []seating
	for i, set := range rules.Sets() {
		for j, finish := range []string{"first", "last", "all"} {
			r, _ := rules.Set(set)
			r, err := r.With([]rules.Given{{"finish", finish}})
			if err != nil {
				t.Fatal(err)
			}
			board, seats := onto[(i+j)%4], []string{"ppp", "pcpp", "pp", "pcc", "ppcpc", "pppp"}[len(all)%6]
			seed := rules.SeedNumber(random.Uint64())
			all = append(all, seating{
				fmt.Sprintf("%s %s %s %s %v", board.Name, set, finish, seats, seed), board, r, seats, random.IntN(2) == 0,
				seed, remembered{seed.Dice(r.Sides), map[int]int{}},
			})
		}
	}
	return all
}

// mix plays a match to its end by presses, the clock and what people say of
// themselves, each as often as the mix likes.
func (m *match) mix(random *rand.Rand) {
	m.t.Helper()
	press, clock, auto := 1+random.IntN(20), random.IntN(20), random.IntN(10)
	for m.game.Phase() != rules.Finished {
		p := m.game.Seat(random.IntN(m.game.Seats())).Player
		var events []rules.Event
		var err error
		switch n := random.IntN(press + clock + auto); {
		case m.game.Phase() == rules.Lobby && n >= press:
			events, err = m.game.Start(p, m.dice)
		case n < press:
			events, err = m.game.Press(p, m.dice)
		case n < press+clock:
			events, err = m.game.Expire(m.dice)
		default:
			var e rules.Event
			if e, err = m.game.Autoroll(p, random.IntN(2) == 0); random.IntN(3) == 0 {
				e, err = m.game.Back(p)
			}
			events = []rules.Event{e}
		}
		if err != nil {
			continue
		}
		for _, e := range events {
			m.do(e, nil)
		}
		for _, e := range m.game.Follow(m.dice) {
			m.do(e, nil)
		}
	}
}

// TestNobodyChangesTheDice: for one seed and one seating, every mix of presses,
// deadlines, absence, autorolls and next rounds throws the same goes; how they
// came about is all that differs. Each of twelve matches is played in 500 mixes.
func TestNobodyChangesTheDice(t *testing.T) {
	t.Parallel()
	hows := map[string]int{}
	for _, s := range seatings(t) {
		var records []string
		var want string
		for mix := range 500 {
			m := s.sit(t)
			m.mix(rand.New(rand.NewPCG(9, uint64(mix))))
			got := m.told()
			if want == "" {
				want = got
			}
			if got != want {
				t.Fatalf("%s, mix %d:\n%s\nnot\n%s\n%s", s.name, mix, got, want, strings.Join(m.acts, " "))
			}
			record := strings.Join(m.acts, " ")
			records = append(records, record)
			for _, sign := range []string{"~", "*", "#", "/skip", "/again", "/held", "/back", "!", "hand", "auto"} {
				hows[sign] += strings.Count(record, sign)
			}
		}
		slices.Sort(records)
		if n := len(slices.Compact(records)); n < 5 {
			t.Errorf("%s: the 500 mixes have %d records", s.name, n)
		}
	}
	for sign, n := range hows {
		if n < 500 {
			t.Errorf("%q stands in the records %d times", sign, n)
		}
	}
}
