package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// longGo is how many throws of one go are told one by one; of a longer one the
// first and the last four.
const longGo = 8

// teller tells the events of one match in words.
type teller struct {
	l     *words.Language
	names words.Names
}

// said returns the lines of an event that stay in the chat. The game is the
// one before it.
func (v teller) said(g *rules.Game, e rules.Event) bot.Text {
	switch e := e.(type) {
	case rules.Went:
		return bot.Lines(v.away(g, e), v.went(g, e), v.stays(g, e), v.home(g, e), v.passed(g, e))
	case rules.Joined:
		if g.Phase() != rules.Lobby {
			return v.l.Text(words.LobbyLate, words.T("name", v.names.Of(g.Seats())), words.N("n", g.Seats()+1))
		}
	case rules.Left:
		if g.Phase() != rules.Lobby {
			return v.gone(g, e, e.Seat, words.Leave, words.LeaveHost, words.LeaveLast)
		}
	case rules.Unseated:
		if g.Phase() != rules.Lobby {
			return v.gone(g, e, e.Seat, words.Unseat, words.UnseatHost, words.UnseatLast)
		}
	case rules.Ended:
		return v.ended(g, e)
	}
	return nil
}

// went returns a line for each throw of a go.
func (v teller) went(g *rules.Game, w rules.Went) bot.Text {
	var lines []bot.Text
	for i, r := range w.Rolls {
		if n := len(w.Rolls); n > longGo && i >= 4 && i < n-4 {
			if i == 4 {
				lines = append(lines, v.l.Text(words.GoLong, words.N("n", n-8)))
			}
			continue
		}
		if i == len(w.Rolls)-1 && r.Effect == boards.Again {
			r.Effect = boards.NoEffect // the go has no room for another throw
		}
		line := v.roll(g, w.Seat, r)
		if i < len(w.Rolls)-1 && r.Effect != boards.Again {
			line = append(line, v.l.Text(words.GoAgain)...)
		}
		switch w.How {
		case rules.Clock:
			line = append(line, v.l.Text(words.GoAway)...)
		case rules.Auto:
			line = append(line, v.l.Text(words.GoAuto)...)
		}
		lines = append(lines, line)
	}
	return bot.Lines(lines...)
}

// roll returns the line of one throw.
func (v teller) roll(g *rules.Game, seat int, r rules.Roll) bot.Text {
	size := g.Track().Size()
	fills := []words.Fill{
		words.T("name", v.names.Of(seat)), words.N("t", r.Total()), words.N("N", size),
		words.N("from", r.From), words.N("land", r.Landed), words.N("to", r.To), words.N("sq", r.To),
		words.N("k", size-r.From), words.N("v", g.Rules().Void), words.N("start", r.To),
	}
	past := r.From+r.Total() > size && g.Rules().End == rules.Bounce
	key := words.GoMove
	switch {
	case r.Void && g.Rules().Void == 1:
		key = words.GoVoidOne
	case r.Void:
		key = words.GoVoid
	case r.Stayed() && past:
		key = words.GoBounceStay
	case r.Stayed():
		key = words.GoStay
	case past && r.To > r.Landed:
		key = words.GoBounceLadder
	case past && r.To < r.Landed:
		key = words.GoBounceSnake
	case past:
		key = words.GoBounce
	case r.To > r.Landed:
		key = words.GoLadder
	case r.To < r.Landed:
		key = words.GoSnake
	}
	line := append(v.l.Text(key, fills...), v.effect(r)...)
	if len(r.Faces) > 1 {
		faces := make([]string, len(r.Faces))
		for i, f := range r.Faces {
			faces[i] = strconv.Itoa(f)
		}
		line = append(line, v.l.Text(words.GoFaces, words.S("faces", strings.Join(faces, "+")))...)
	}
	return line
}

// effect returns what a roll's line says of the square's effect.
func (v teller) effect(r rules.Roll) bot.Text {
	switch {
	case r.Held:
		return v.l.Text(words.GoHeld)
	case r.Effect == boards.Shield:
		return v.l.Text(words.GoShield)
	case r.Effect == boards.Again:
		return v.l.Text(words.GoThrowsAgain)
	case r.Effect == boards.Back:
		return v.l.Text(words.GoBack)
	}
	return nil
}

// passed returns the line of the seat that a go has passed over.
func (v teller) passed(g *rules.Game, w rules.Went) bot.Text {
	after := g.Clone()
	if after.Apply(w) != nil || after.Phase() == rules.Finished {
		return nil
	}
	if next := after.Next(w.Seat); next != after.Turn() {
		return v.l.Text(words.GoPassed, words.T("name", v.names.Of(next)))
	}
	return nil
}

// away returns the line before the first go that the clock throws for somebody.
func (v teller) away(g *rules.Game, w rules.Went) bot.Text {
	if w.How != rules.Clock || g.Seat(w.Seat).Missed > 0 {
		return nil
	}
	return v.l.Text(words.AwayFirst, words.T("name", v.names.Of(w.Seat)))
}

// stays returns the line behind the go by which somebody has missed so many that
// they aren't waited for any more.
func (v teller) stays(g *rules.Game, w rules.Went) bot.Text {
	after := g.Clone()
	if w.How != rules.Clock || g.Seat(w.Seat).Away() || after.Apply(w) != nil || !after.Seat(w.Seat).Away() || !after.Seat(w.Seat).Playing() {
		return nil
	}
	return v.l.Text(words.AwayOn, words.T("name", v.names.Of(w.Seat)))
}

// home returns the line of a seat that a go brought home.
func (v teller) home(g *rules.Game, w rules.Went) bot.Text {
	after := g.Clone()
	if after.Apply(w) != nil || !after.Seat(w.Seat).Home {
		return nil
	}
	name := words.T("name", v.names.Of(w.Seat))
	if place := after.Seat(w.Seat).Place; place > 1 {
		return v.l.Text(words.Home, name, words.N("k", place))
	}
	return v.l.Text(words.Win, name, words.N("n", after.Goes()))
}

// gone returns the line of a seat that was given up while the match ran.
func (v teller) gone(g *rules.Game, e rules.Event, seat int, key, withHost, last words.Key) bot.Text {
	after := g.Clone()
	if after.Apply(e) != nil {
		return nil
	}
	fills := []words.Fill{words.T("name", v.names.Of(seat)), words.N("sq", g.Seat(seat).Square)}
	switch {
	case after.Phase() == rules.Finished:
		key = last
	case g.Host() == seat:
		key = withHost
		fills = append(fills, words.T("host", v.names.Of(after.Host())))
	}
	return v.l.Text(key, fills...)
}

// ended returns the line of a match that was ended undecided.
func (v teller) ended(g *rules.Game, e rules.Ended) bot.Text {
	switch e.Why {
	case rules.Closed:
		return v.l.Text(words.Closed)
	case rules.Expired:
		span := words.S("span", v.l.Seconds(int(restPatience.Seconds())))
		if w := g.Winner(); w >= 0 {
			return v.l.Text(words.RestClosedWon, span, words.T("winner", v.names.Of(w)))
		}
		return v.l.Text(words.RestClosed, span)
	}
	by := v.l.Text(words.Somebody)
	if e.Seat >= 0 {
		by = v.names.Of(e.Seat)
	}
	if w := g.Winner(); w >= 0 {
		return v.l.Text(words.CancelWon, words.T("name", by), words.T("winner", v.names.Of(w)))
	}
	return v.l.Text(words.Cancel, words.T("name", by))
}

// rank orders seats: places first, then by square.
func rank(g *rules.Game, seat int) int {
	s := g.Seat(seat)
	if s.Place > 0 {
		return s.Place
	}
	return rules.MaxSeats + 1 + g.Track().Size() - s.Square
}

// next returns the line that says who is on turn. Last is the seat that has
// just gone, -1 if none has.
func (v teller) next(g *rules.Game, last int) bot.Text {
	name := words.T("name", v.names.Of(g.Turn()))
	switch {
	case g.Waiting() == 0:
		return v.l.Text(words.NextNobody)
	case people(g) == 1 && !g.Seat(g.Turn()).Computer && g.Playing() == 1+computers(g):
		return nil // nobody else presses
	case g.Turn() == last:
		return v.l.Text(words.NextAgain, name)
	}
	return v.l.Text(words.Next, name)
}

// closing returns the lines below the last event of a match that is over.
func (v teller) closing(g *rules.Game) bot.Text {
	outcome, _ := g.Outcome()
	winner := g.Winner()
	var head bot.Text
	switch outcome {
	case rules.Walkover:
		return v.l.Text(words.Walkover, words.T("name", v.names.Of(winner)))
	case rules.Abandoned:
		return v.l.Text(words.EndEmpty)
	case rules.Broken:
		if winner < 0 {
			return nil
		}
	case rules.OutOfRoom:
		head = v.l.Text(words.EndRoom, words.N("n", g.Goes()))
		if winner >= 0 {
			head = v.l.Text(words.EndRoomWon, words.N("n", g.Goes()))
		}
	case rules.Decided:
		if g.Rules().Finish != rules.First && g.Playing() > 0 {
			head = v.l.Text(words.EndStands)
		}
	}
	return bot.Lines(head, v.ranks(g))
}

// order returns the seats that nobody left, as they came in.
func (teller) order(g *rules.Game) (seats []int) {
	for i := range g.Seats() {
		if !g.Seat(i).Gone {
			seats = append(seats, i)
		}
	}
	slices.SortStableFunc(seats, func(a, b int) int { return rank(g, a) - rank(g, b) })
	return seats
}

// ranks returns who came in where.
func (v teller) ranks(g *rules.Game) bot.Text {
	var left []int
	for i := range g.Seats() {
		if g.Seat(i).Gone {
			left = append(left, i)
		}
	}
	var all []bot.Text
	for i, seat := range v.order(g) {
		s := g.Seat(seat)
		key := words.RankOn
		if s.Home {
			key = words.Rank
		}
		rank := v.l.Text(key, words.N("k", i+1), words.T("name", v.names.Short(seat)), words.N("n", s.Goes), words.N("sq", s.Square))
		if medals := [...]words.Key{words.Medal1, words.Medal2, words.Medal3}; g.Rules().Finish != rules.First && i < len(medals) && s.Place > 0 && !s.Computer {
			rank = v.l.Text(medals[i], words.T("rank", rank))
		}
		all = append(all, rank)
	}
	if len(left) > 0 {
		names := make([]bot.Text, len(left))
		for i, seat := range left {
			names[i] = v.names.Short(seat)
		}
		all = append(all, v.l.Text(words.RankLeft, words.T("names", words.Join(", ", names...))))
	}
	if g.Rules().Finish != rules.First {
		return bot.Lines(all...) // the places are what such a match is played for
	}
	return words.Join(" · ", all...)
}

// rulesName returns what a lobby calls its rules: a set's name, or that they
// are nobody's but the host's.
func (v teller) rulesName(r rules.Rules) string {
	// How many may sit, and whether one may play alone, the lobby shows besides.
	for _, name := range rules.Sets() {
		set, _ := rules.Set(name)
		if set.Seats, set.Solo = r.Seats, r.Solo; set == r {
			return name
		}
	}
	return v.l.Words(words.RulesCustom)
}

// rulesLine returns what the rules are, in sentences, and what the squares of
// the board do.
func rulesLine(l *words.Language, r rules.Rules, b boards.Board) bot.Text {
	dice := words.RulesOneDie
	switch {
	case r.Dice > 1 && r.Sides != 6:
		dice = words.RulesDiceOf
	case r.Dice > 1:
		dice = words.RulesDice
	case r.Sides != 6:
		dice = words.RulesOneDieOf
	}
	parts := []words.Key{dice}
	bonus := map[rules.Bonus][3]words.Key{
		rules.Max:     {words.RulesMax, words.RulesMaxVoidOne, words.RulesMaxVoid},
		rules.Doubles: {words.RulesDoubles, words.RulesDoublesVoidOne, words.RulesDoublesVoid},
	}
	if keys, ok := bonus[r.Bonus]; ok {
		parts = append(parts, keys[min(r.Void, 2)])
	}
	parts = append(parts, map[rules.End]words.Key{
		rules.Exact: words.RulesExact, rules.Overshoot: words.RulesOvershoot, rules.Bounce: words.RulesBounce,
	}[r.End])
	switch r.Finish {
	case rules.Last:
		parts = append(parts, words.RulesLast)
	case rules.All:
		parts = append(parts, words.RulesAll)
	}
	texts := make([]bot.Text, len(parts))
	for i, key := range parts {
		texts[i] = l.Text(key, words.N("n", r.Dice), words.N("s", r.Sides), words.N("max", r.Dice*r.Sides),
			words.N("v", r.Void), words.N("N", b.Size))
	}
	return bot.Lines(words.Join(" ", texts...), effectsLine(l, b))
}

// button returns a button that says words and stands for a line.
func (e *Engine) button(key words.Key, line string, args ...any) bot.Button {
	sign, label := e.words.Label(key)
	return bot.Button{Sign: sign, Label: label, Line: fmt.Sprintf(line, args...)}
}
