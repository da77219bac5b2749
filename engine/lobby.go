package engine

import (
	"slices"
	"strconv"
	"strings"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

func (c *call) player() rules.PlayerID { return rules.PlayerID(c.User.ID) }

// here returns an error unless there's a match that isn't over, and it is the
// one that a pressed button means.
func (c *call) here(t *table) error {
	if len(c.Args) > 0 && c.Pressed {
		if id, err := strconv.ParseInt(c.Args[0], 10, 64); err == nil && id != t.rec.ID {
			if t.playing() {
				return no(words.OldMatchOn)
			}
			return no(words.OldMatch)
		}
	}
	switch {
	case t.game == nil:
		return no(words.NoMatch)
	case t.game.Phase() == rules.Finished:
		return c.over(t, c.words)
	}
	return nil
}

// newgame opens a match.
func (c *call) newgame(t *table) (result, error) {
	if t.playing() {
		return result{}, c.running(t)
	}
	if c.User.Automaton {
		return result{}, no(words.AsBot)
	}
	if err := c.allowed(); err != nil {
		return result{}, err
	}
	wish, err := c.wish(c.Args)
	if err != nil {
		return result{}, err
	}
	var named boards.Board
	if wish.board != randomBoard {
		if named, err = c.pick(wish.board); err != nil {
			return result{}, err
		}
	}
	seed, given, err := c.newSeed()
	if err != nil {
		return result{}, err
	}
	track, err := wish.track(seed, named)
	if err != nil {
		return result{}, err
	}
	hash, err := c.tracks.keep(c.ctx, track)
	if err != nil {
		return result{}, err
	}
	events, err := c.opening(track, given, wish.bots)
	if err != nil {
		return result{}, err
	}
	w, err := c.newClock()
	if err != nil {
		return result{}, err
	}
	return result{
		events: events,
		opens: &Record{
			Channel: c.Channel, Seed: seed.Digits(), Board: hash, Rules: track.Rules().Notation(),
			Opened: c.now, Clock: w.String(),
		},
		tell: func(*rules.Game) bot.Answer { return c.opened(t, given) },
	}, nil
}

// opened returns the message of a match that was just opened.
func (c *call) opened(t *table, given bool) bot.Answer {
	if given {
		c.Rig.used()
	}
	m := c.firstLobby(t)
	if c.Alone {
		m.Now = c.words.Text(words.PrivateGo)
	}
	return bot.Answer{Channel: []bot.Message{m}}
}

// firstLobby returns the message of a lobby as it's told first.
func (c *call) firstLobby(t *table) bot.Message {
	m := c.lobby(t)
	m.Before, m.Sound = nil, true
	m.Said, m.Picture = c.lobbyHead(t.match, c.Alone), c.view(t, atEnds, nil)
	return m
}

// running says that a match is on, and what the asker may do about it.
func (c *call) running(t *table) error {
	seat, names := t.game.SeatOf(c.player()), t.names(c.words)
	switch {
	case t.game.Phase() == rules.Lobby && !t.game.Joinable():
		return no(words.RunningFull, words.T("host", names.Of(t.game.Host())))
	case t.game.Phase() == rules.Lobby && seat >= 0:
		return no(words.RunningIn, words.N("n", seat+1), words.T("host", names.Of(t.game.Host())))
	case t.game.Phase() == rules.Lobby:
		return no(words.RunningLobby)
	}
	key := words.RunningOther
	switch {
	case seat == t.game.Host():
		key = words.RunningMine
	case seat >= 0 && t.game.Seat(seat).Playing():
		key = words.RunningSeated
	}
	return no(key, words.N("r", t.game.Round()), words.T("name", names.Of(t.game.Turn())),
		words.S("span", c.words.Seconds(int(c.now.Sub(t.rec.Opened).Seconds()))),
		words.T("host", names.Of(t.game.Host())))
}

// join seats the asker.
func (c *call) join(t *table) (result, error) {
	again := c.reopened(t)
	if err := c.here(t); err != nil && !again {
		return result{}, err
	}
	if c.User.Automaton {
		return result{}, no(words.AsBot)
	}
	if slices.ContainsFunc(t.rec.Barred, func(s Sitter) bool { return s.User == c.User.ID }) {
		return result{}, no(words.Unseated)
	}
	if again {
		return c.reopen(t)
	}
	joined, err := t.game.Join(c.player())
	if err != nil {
		return result{}, c.seen(t, err)
	}
	events, err := c.habitually(t.game, joined)
	if err != nil {
		return result{}, err
	}
	if r, done, err := c.joinRematch(t, events); done || err != nil {
		return r, err
	}
	// Somebody who waits for a press has come: who doesn't, throws at once.
	events, err = c.behind(t, events...)
	if err != nil {
		return result{}, err
	}
	clock, err := c.noLongerAlone(t)
	if err != nil {
		return result{}, err
	}
	return result{events: events, clock: clock, tell: func(before *rules.Game) bot.Answer {
		seat := t.game.Seats() - 1
		names := t.names(c.words)
		if before.Phase() == rules.Lobby {
			in := c.words.Text(words.LobbyIn, words.N("n", seat+1), words.T("host", names.Of(t.game.Host())))
			if w := t.clock(); w.rematch > 0 {
				in = c.words.Text(words.RematchIn, words.T("when", c.when(w.until())))
			}
			return bot.Answer{Asker: &bot.Message{Said: in}, Channel: []bot.Message{c.lobby(t)}}
		}
		in := c.words.Text(words.LobbyInLate, words.N("n", seat+1))
		return bot.Answer{Asker: &bot.Message{Said: in}, Channel: c.happened(t, before, events)}
	}}, nil
}

// noLongerAlone returns the clock of a match that one person opened by themselves,
// which had no pace, for when a second one sits down; nil if nothing changes.
func (c *call) noLongerAlone(t *table) (*clockwork, error) {
	w := t.clock()
	if people(t.game) != 1 || w.pace.span > 0 {
		return nil, nil
	}
	s, err := c.settings()
	w.pace, w.since = s.pace, c.now
	return &w, err
}

// leave takes the asker's seat away from them.
func (c *call) leave(t *table) (result, error) {
	if err := c.here(t); err != nil {
		return result{}, err
	}
	left, err := t.game.Leave(c.player())
	if err != nil {
		return result{}, c.seen(t, err)
	}
	return c.vacate(t, left, left.Seat, false)
}

// vacate finishes what /leave and /unseat have in common.
func (c *call) vacate(t *table, e rules.Event, seat int, unseated bool) (result, error) {
	names := t.names(c.words) // before the seats behind move up
	events, err := c.behind(t, e)
	if err != nil {
		return result{}, err
	}
	return result{events: events, tell: func(before *rules.Game) bot.Answer {
		if before.Phase() != rules.Lobby {
			answer := bot.Answer{Channel: c.happened(t, before, events)}
			if !unseated {
				answer.Asker = &bot.Message{Said: c.words.Text(words.YouLeft)}
			}
			return answer
		}
		out := &bot.Message{Said: c.words.Text(words.LobbyOut)}
		var said bot.Text
		if unseated {
			out = nil
			said = c.words.Text(words.LobbyUnseated, words.T("name", names.Of(seat)))
		}
		if t.game.Phase() == rules.Finished {
			t.page = page{}
			left, button := c.words.Text(words.LobbyLeft), c.button(words.ButtonNewMatch, "newgame")
			if w := t.clock(); w.rematch > 0 && w.until().After(c.now) {
				left = c.words.Text(words.RematchLeft, words.T("name", names.Of(seat)), words.S("span", c.words.Seconds(int(w.until().Sub(c.now).Seconds()))))
				button = c.button(words.ButtonJoin, "join %d", t.rec.ID)
			}
			return bot.Answer{Channel: []bot.Message{{Said: bot.Lines(said, left), Buttons: [][]bot.Button{{button}}}}}
		}
		m := c.lobby(t)
		m.Said = said
		return bot.Answer{Asker: out, Channel: []bot.Message{m}}
	}}, nil
}

// behind adds the goes that follow on acts because they wait for no press.
func (c *call) behind(t *table, acts ...rules.Event) ([]rules.Event, error) {
	after := t.game.Clone()
	for _, e := range acts {
		if err := after.Apply(e); err != nil {
			return nil, err
		}
	}
	dice := c.Rig.load(t.dice, after.Thrown(), after.Rules().Sides)
	return append(slices.Clip(acts), after.Follow(dice)...), nil
}

// unseat takes somebody out of the match.
func (c *call) unseat(t *table) (result, error) {
	if err := c.here(t); err != nil {
		return result{}, err
	}
	if err := c.mayRule(t); err != nil {
		return result{}, err
	}
	seat, err := c.meant(t)
	if err != nil {
		return result{}, err
	}
	unseated, err := t.game.Unseat(seat)
	if err != nil {
		return result{}, c.seen(t, err)
	}
	return c.vacate(t, unseated, seat, true)
}

// meant returns the seat that the arguments name: by a mention, a number or a
// name.
func (c *call) meant(t *table) (int, error) {
	if len(c.Mentions) > 0 {
		if seat := t.game.SeatOf(rules.PlayerID(c.Mentions[0].ID)); seat >= 0 && !t.game.Seat(seat).Gone {
			return seat, nil
		}
	}
	typed := strings.Join(c.Args, " ")
	if typed == "" {
		return 0, no(words.NoSeatHow)
	}
	if n, err := strconv.Atoi(typed); err == nil && n >= 1 && n <= t.game.Seats() && !t.game.Seat(n-1).Gone {
		return n - 1, nil
	}
	found := c.called(t, typed)
	if bare, at := strings.CutPrefix(typed, "@"); at && len(found) == 0 {
		found = c.called(t, bare)
	}
	switch len(found) {
	case 0:
		return 0, no(words.NoSeat, words.S("x", shorten(typed)))
	case 1:
		return found[0], nil
	}
	return 0, no(words.NoSeatMany, words.S("x", shorten(typed)))
}

// called returns the seats of that name, in whatever case. A name exactly as it
// is shown, such as "Max (2)", is but one of them.
func (c *call) called(t *table, typed string) []int {
	var found []int
	names := t.names(c.words)
	typed = words.Clean(typed)
	for i, s := range t.rec.Seats {
		shown := words.Clean(names.Of(i).String())
		switch {
		case t.game.Seat(i).Gone:
		case shown == typed:
			return []int{i}
		case strings.EqualFold(shown, typed), strings.EqualFold(words.Clean(s.Name), typed):
			found = append(found, i)
		}
	}
	return found
}

// sat is who has sat in a lobby, whether they still do or not.
type sat struct {
	match int64
	users []bot.UserID
}

// noteSitters remembers who sits in the lobby.
func (t *table) noteSitters() {
	switch {
	case t.game.Phase() != rules.Lobby:
		t.sat = sat{}
		return
	case t.sat.match != t.rec.ID:
		t.sat = sat{match: t.rec.ID}
	}
	for _, s := range t.rec.Seats {
		if s.User != "" && !slices.Contains(t.sat.users, s.User) {
			t.sat.users = append(t.sat.users, s.User)
		}
	}
}

// lobbied returns the clockwork of a lobby behind some events, of what it was before
// and what it would be behind others. It waits anew for who comes, once for each, but
// not for coming and going; what it has said of its host holds.
func (c *call) lobbied(t *table, before, after clockwork, events []rules.Event) clockwork {
	was := t.sat.match == t.rec.ID && slices.Contains(t.sat.users, c.User.ID)
	for _, e := range events {
		switch e := e.(type) {
		case rules.Joined:
			if !e.Computer && !was {
				return after
			}
		case rules.Left:
			if e.Seat == t.game.Host() {
				before.reminded = 0
			}
		case rules.Unseated:
			if e.Seat == t.game.Host() {
				before.reminded = 0
			}
		}
	}
	after.since, after.reminded = before.since, before.reminded
	return after
}
