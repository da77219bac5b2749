package engine

import (
	"hiss/boards"
	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// whatIf plays a match's seed, seats and rules on another board.
func (c *call) whatIf(v teller, rec Record, run rerunning, asked replayArgs) (m retelling, err error) {
	if !run.sound() {
		return c.doubtful(rec, run), nil
	}
	b, err := c.pick(asked.board)
	if err != nil {
		return m, err
	}
	track, err := compile(b, run.game.Rules())
	if err != nil {
		return m, err
	}
	seed, _ := rules.ParseSeed(rec.Seed)
	imagined, after := imagine(track, run, seed.Dice(track.Rules().Sides))
	if asked.goes > 0 {
		return c.whatIfAt(v, imagined, b, asked.goes)
	}
	other := imagined.game
	fills := []words.Fill{
		words.S("board", words.Title(b.Shown())), words.N("n", after), words.N("m", run.decided()),
	}
	wins, really := other.Winner(), run.game.Winner()
	key := words.ReplayIf
	switch {
	case wins < 0 && really < 0:
		key = words.ReplayIfNeither
	case wins < 0:
		key = words.ReplayIfNobody
	case really < 0:
		key = words.ReplayIfUnwon
	}
	if wins >= 0 {
		fills = append(fills, words.T("name", v.names.Of(wins)))
	}
	if really >= 0 {
		fills = append(fills, words.T("really", v.names.Of(really)))
	}
	m.brief = c.words.Text(key, fills...)
	m.Said = bot.Lines(m.brief, v.closing(other))
	if theme, ok := c.theme(atEnds); ok {
		m.Picture = c.film(v, imagined, b.Hash(), theme, m.Said.String())
	}
	v.standing(&m.Message, other)
	return m, nil
}

// whatIfAt tells one go of a match that was never played, and the position after it.
func (c *call) whatIfAt(v teller, imagined rerunning, b boards.Board, goes int) (m retelling, err error) {
	after, e, err := imagined.position(goes)
	if err != nil {
		return m, err
	}
	if went, ok := e.event.(rules.Went); ok && went.How == rules.Clock {
		went.How = rules.Pressed // nobody was away from what never was
		e.event = went
	}
	m.Said = bot.Lines(c.words.Text(words.ReplayIfAfter, words.S("board", words.Title(b.Shown())), words.N("n", goes), words.N("of", imagined.game.Goes())),
		v.said(e.before, e.event))
	c.stillAt(&m, v, after, b.Hash(), e)
	return m, nil
}

// imagine plays a match again on another track, with other dice or the same:
// the same people sit down and get up after the same goes, and all else is as
// the rules have it. Decided is after how many goes the first of them was home, or
// how many there were if none is.
func imagine(track *rules.Track, run rerunning, dice rules.Dice) (other rerunning, decided int) {
	g := rules.NewGame(track)
	other.game = g
	do := func(e rules.Event) {
		before := g.Clone()
		if g.Apply(e) != nil {
			return // it can't follow any more, since the match took another turn
		}
		other.events = append(other.events, retold{before, e})
		if decided == 0 && g.Winner() >= 0 {
			decided = g.Goes()
		}
	}
	throw := func(until int) {
		for g.Phase() != rules.Finished && (until < 0 || g.Goes() < until) {
			if g.Phase() == rules.Lobby {
				g.Sit([]rules.PlayerID{"host"})
				went, err := g.Roll("host", dice)
				if err != nil {
					return
				}
				do(went)
				continue
			}
			went, err := g.Timeout(dice)
			if err != nil {
				return
			}
			do(went)
		}
	}
	for _, e := range run.events {
		switch e.event.(type) {
		case rules.Opened, rules.Joined, rules.Ordered, rules.Left, rules.Unseated:
			throw(e.before.Goes())
			do(e.event)
		}
	}
	throw(-1)
	if decided == 0 {
		decided = g.Goes()
	}
	return other, decided
}
