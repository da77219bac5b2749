package engine

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// rematch opens a match on the same board by the same rules for those who have just
// played one. They confirm by Join; who hasn't in a minute is left out.
func (c *call) rematch(t *table) (result, error) {
	if t.playing() {
		return result{}, c.running(t)
	}
	last, err := c.played(t)
	if err != nil {
		return result{}, err
	}
	if len(c.Args) > 0 {
		if id, err := strconv.ParseInt(c.Args[0], 10, 64); err == nil && id != last.rec.ID {
			return result{}, no(words.OldMatch)
		}
	}
	return c.repeat(t, last, c.now)
}

// repeat opens a match like another one. Its people are waited for from a moment on.
func (c *call) repeat(t *table, last *match, since time.Time) (result, error) {
	if err := c.allowed(); err != nil {
		return result{}, err
	}
	others, sat := c.invited(last)
	if !sat {
		return result{}, no(words.NotSeated)
	}
	seed, given, err := c.newSeed()
	if err != nil {
		return result{}, err
	}
	track := last.game.Track()
	events, err := c.opening(track, given, computers(last.game))
	if err != nil {
		return result{}, err
	}
	w, err := c.newClock()
	if err != nil {
		return result{}, err
	}
	w.since = since
	if w.rematch = last.rec.ID; len(others) == 0 {
		w.rematch = 0
		if events, err = withOrder(rules.NewGame(track), events, seed); err != nil {
			return result{}, err
		}
	}
	opens := &Record{Channel: c.Channel, Seed: seed.Digits(), Board: last.rec.Board, Rules: last.rec.Rules, Opened: c.now, Clock: w.String()}
	names := last.names(c.words)
	var all []bot.Text
	for i := range last.game.Seats() {
		if last.user(i) != nil && !last.game.Seat(i).Gone && len(others) > 0 {
			all = append(all, names.Short(i))
		}
	}
	return result{events: events, opens: opens, tell: func(*rules.Game) bot.Answer {
		if given {
			c.Rig.used()
		}
		return c.invites(t, all)
	}}, nil
}

// invites returns the message of a rematch that was just opened, which names those
// who are to confirm.
func (c *call) invites(t *table, all []bot.Text) bot.Answer {
	m := c.firstLobby(t)
	if len(all) > 0 {
		m.Said = bot.Lines(m.Said, c.words.Text(words.Rematch, words.T("names", words.Join(", ", all...)),
			words.S("span", c.words.Seconds(int(t.clock().until().Sub(c.now).Round(time.Second).Seconds())))))
	}
	return bot.Answer{Channel: []bot.Message{m}}
}

// invited returns the seats of the others who played a match and didn't leave it,
// and whether the asker is one of them.
func (c *call) invited(m *match) (others []int, sat bool) {
	for i := range m.game.Seats() {
		switch u := m.user(i); {
		case u == nil || m.game.Seat(i).Gone:
		case u.ID == c.User.ID:
			sat = true
		default:
			others = append(others, i)
		}
	}
	return others, sat
}

// computers counts the computer players that are still in a match.
func computers(g *rules.Game) int {
	n := 0
	for i := range g.Seats() {
		if s := g.Seat(i); s.Computer && !s.Gone {
			n++
		}
	}
	return n
}

// people counts those who played a match and didn't leave it, computers aside.
func people(g *rules.Game) int {
	n := 0
	for i := range g.Seats() {
		if s := g.Seat(i); !s.Computer && !s.Gone {
			n++
		}
	}
	return n
}

// opening returns the events that open a match by the asker, with computer players.
func (c *call) opening(track *rules.Track, given bool, bots int) ([]rules.Event, error) {
	g := rules.NewGame(track)
	opened := g.Open(c.player(), given)
	events, err := c.habitually(g, opened)
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		if err := g.Apply(e); err != nil {
			return nil, err
		}
	}
	for range bots {
		joined, err := g.JoinComputer()
		if err != nil {
			return nil, no(words.BotsRoom, words.N("n", track.Rules().Seats))
		}
		if err := g.Apply(joined); err != nil {
			return nil, err
		}
		events = append(events, joined)
	}
	return events, nil
}

// newSeed returns the seed of a match about to be opened, and whether somebody gave it.
func (c *call) newSeed() (seed rules.Seed, given bool, err error) {
	if seed, given = c.Rig.given(); !given {
		seed, err = c.Seed()
	}
	return seed, given, err
}

// newClock returns the clock of a match about to be opened. Where nobody else can be,
// nobody is waited for.
func (c *call) newClock() (clockwork, error) {
	s, err := c.settings()
	if err != nil {
		return clockwork{}, err
	}
	w := clockwork{pace: s.pace, lobby: s.lobby, since: c.now}
	if c.Alone {
		w.pace, _ = parsePace("none")
	}
	return w, nil
}

// withOrder adds the order that a seed draws for the seats that some events fill.
func withOrder(g *rules.Game, events []rules.Event, seed rules.Seed) ([]rules.Event, error) {
	after := g.Clone()
	for _, e := range events {
		if err := after.Apply(e); err != nil {
			return nil, err
		}
	}
	if after.Seats() < 2 {
		return events, nil
	}
	ordered, err := after.Order(seed.OrderDraws())
	if err != nil {
		return nil, err
	}
	return append(events, ordered), nil
}

// settle draws the order of those who came for a rematch, after what some events
// still bring. From then on it is a lobby like any other.
func (c *call) settle(t *table, events []rules.Event) (result, error) {
	seed, ok := rules.ParseSeed(t.rec.Seed)
	if !ok {
		return result{}, errors.New("the seed is none")
	}
	events, err := withOrder(t.game, events, seed)
	if err != nil {
		return result{}, err
	}
	w := t.clock()
	w.rematch, w.since = 0, c.now
	return result{events: events, clock: &w, tell: func(*rules.Game) bot.Answer {
		m := c.lobby(t)
		if t.game.Seats() < 2 {
			return bot.Answer{Channel: []bot.Message{m}}
		}
		names := t.names(c.words)
		m.Picture = c.view(t, atEnds, nil)
		m.Said = c.words.Text(words.Ordered, words.T("seats", c.teller(t).seated(t.game)))
		if host := t.game.Host(); m.Call == nil {
			if m.Call = c.callOf(t, host); m.Call != nil {
				m.Now, m.Sound, m.Gentle = called(m.Now, names.Of(host), m.Call), true, true
			}
		}
		return bot.Answer{Channel: []bot.Message{m}}
	}}, nil
}

// joinRematch lets somebody confirm a seat while those of the last match are waited
// for. Nobody else is let in before; the last of them has the order drawn.
func (c *call) joinRematch(t *table, events []rules.Event) (result, bool, error) {
	w := t.clock()
	if w.rematch == 0 {
		return result{}, false, nil
	}
	invited, missing, err := c.awaited(t, w)
	switch {
	case err != nil:
		return result{}, true, err
	case !invited:
		return result{}, true, no(words.RematchKept, words.T("when", c.when(w.since.Add(matchPatience))))
	case missing > 1: // who is about to sit down is one of them
		return result{}, false, nil
	}
	r, err := c.settle(t, events)
	if err != nil {
		return r, true, err
	}
	tell := r.tell
	r.tell = func(before *rules.Game) bot.Answer {
		answer := tell(before)
		answer.Asker = &bot.Message{Said: c.words.Text(words.LobbyInAll)}
		return answer
	}
	return r, true, nil
}

// awaited returns whether the asker is one of those for whom the seats of a rematch are
// kept, and how many of them haven't sat down.
func (c *call) awaited(t *table, w clockwork) (invited bool, missing int, err error) {
	last, err := c.before(w)
	if err != nil {
		return false, 0, err
	}
	for seat := range last.game.Seats() {
		if u := last.user(seat); u != nil && !last.game.Seat(seat).Gone && t.game.SeatOf(rules.PlayerID(u.ID)) < 0 {
			missing++
		}
	}
	_, invited = c.invited(last)
	return invited, missing, nil
}

// before returns the match that a rematch repeats.
func (c *call) before(w clockwork) (*match, error) {
	rec, err := c.Store.Match(c.ctx, w.rematch)
	if err != nil {
		return nil, fmt.Errorf("looking up the match before: %w", err)
	}
	game, dice, err := c.fold(c.ctx, rec)
	return &match{rec: rec, game: game, dice: dice}, err
}

// played returns the channel's last match in which somebody has thrown: that a lobby
// behind it came to nothing takes the rematch from nobody.
func (c *call) played(t *table) (*match, error) {
	switch {
	case t.game == nil:
		return nil, no(words.NoRematch)
	case t.game.Goes() > 0:
		return t.match, nil
	}
	recs, err := c.Store.Finished(c.ctx, t.channel.Chat, readMatches)
	if err != nil {
		return nil, fmt.Errorf("listing matches: %w", err)
	}
	for _, rec := range recs {
		if rec.Channel != t.channel {
			continue
		}
		game, dice, err := c.fold(c.ctx, rec)
		if err == nil && game.Goes() > 0 {
			return &match{rec: rec, game: game, dice: dice}, nil
		}
	}
	return nil, no(words.NoRematch)
}

// reopened reports whether the asker's Join means a rematch whose opener has got up
// before anybody else sat down. The others were promised a minute.
func (c *call) reopened(t *table) bool {
	if t.game == nil || t.game.Phase() != rules.Finished || t.clock().rematch == 0 || !c.now.Before(t.clock().until()) {
		return false
	}
	return !c.Pressed || len(c.Args) == 0 || c.Args[0] == strconv.FormatInt(t.rec.ID, 10)
}

// reopen begins such a rematch anew. It ends when the minute does.
func (c *call) reopen(t *table) (result, error) {
	last, err := c.before(t.clock())
	if err != nil {
		return result{}, err
	}
	return c.repeat(t, last, t.clock().since)
}

// until says how long a rematch still waits.
func (c clockwork) until() time.Time { return c.since.Add(matchPatience) }
