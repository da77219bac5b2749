package engine

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// The limits of a page: how long it may have been quiet, how many goes it may
// hold when the round goes on and when one has ended, and how much text.
const (
	pageQuiet = 20 * time.Second
	pageGoes  = 8
	pageRound = 4
	pageText  = 700
)

// present is how long somebody who pressed or typed counts as being there.
const present = 2 * time.Minute

// page is the newest match message of a channel, to which the next go may be
// added by an edit.
type page struct {
	id      string
	said    bot.Text
	goes    int
	changed time.Time
	round   int // of the last go on it
}

func (c *call) teller(t *table) teller { return teller{c.words, t.names(c.words)} }

// takes reports whether a page has room for what happened, as far as the page
// is concerned: the goes of a round share one.
func (p page) takes(h happening, now time.Time) bool {
	return p.id != "" && (now.Sub(p.changed) < pageQuiet || p.said == nil) && p.goes+h.goes <= pageGoes &&
		(p.goes < pageRound || h.goes == 0 || h.first == p.round)
}

// lobby returns the message of a match that hasn't started, as its page's
// present state. The opening's words stay above.
func (c *call) lobby(t *table) (m bot.Message) {
	g, names := t.game, t.names(c.words)
	m = bot.Message{Page: lobbyPage(t.rec.ID)}
	if g.Acts() > 1 {
		m.Before = c.lobbyHead(t.match, false)
	}
	t.page = page{}
	host := words.T("host", names.Of(g.Host()))
	wait := c.words.Text(words.LobbyWaitHost, host)
	solo := g.Rules().Solo
	w := t.clock()
	switch full := g.Seats() == g.Rules().Seats && g.Seats() > 1; {
	case w.rematch > 0:
		wait = c.words.Text(words.RematchWaits, words.T("when", c.when(w.until())))
	case w.reminded > 0 && g.Seats() > 1:
		wait = c.words.Text(words.LobbyAnyone, host)
	case full:
		wait = c.full(t, &m)
	case g.Rules().Seats == 1:
		wait = c.words.Text(words.LobbyForOne, host)
	case g.Seats() == 1 && solo:
		wait = c.words.Text(words.LobbyWaitAlone, host)
	case g.Seats() == 1:
		wait = c.words.Text(words.LobbyWaitOne)
	}
	m.Now = bot.Lines(c.seats(t, 5), wait)
	row := []bot.Button{}
	if alone := c.Alone && g.Seats() == 1+computers(g) && (solo || g.Seats() > 1); alone {
		m.Next = t.user(g.Turn())
		m.Buttons = [][]bot.Button{{c.rollButton(t, words.ButtonRoll)}}
		return m
	}
	if g.Joinable() {
		row = append(row, c.button(words.ButtonJoin, "join %d", t.rec.ID))
	}
	if w.rematch > 0 {
		m.Buttons = [][]bot.Button{row}
		return m
	}
	if solo || g.Seats() > 1 {
		m.Next = t.user(g.Host())
	}
	if g.Joinable() && computers(g) == 0 {
		defer func() {
			m.Buttons = append(m.Buttons, []bot.Button{c.button(words.ButtonAddBot, "addbot %d", t.rec.ID)})
		}()
	}
	switch {
	case g.Seats() > 1:
		row = append(row, c.rollButton(t, words.ButtonRollStart))
	case solo:
		row = append(row, c.rollButton(t, words.ButtonRollAlone))
	}
	m.Buttons = [][]bot.Button{row}
	return m
}

// full returns the words of a lobby's message that the table is full. Its first such
// message sounds, and so does the one that calls the host, who is called once.
func (c *call) full(t *table, m *bot.Message) bot.Text {
	name := t.names(c.words).Of(t.game.Host())
	wait := c.words.Text(words.LobbyFull, words.T("host", name))
	if t.filled.match != t.rec.ID {
		t.filled, m.Sound = filled{match: t.rec.ID}, true
	}
	if m.Call = c.callOf(t, t.game.Host()); m.Call == nil || t.filled.called {
		m.Call = nil
		return wait
	}
	t.filled.called, m.Sound = true, true
	return called(wait, name, m.Call)
}

// filled is what was done about a lobby's being full.
type filled struct {
	match  int64
	called bool // its host was
}

func (c *call) rollButton(t *table, key words.Key) bot.Button {
	b := c.button(key, "roll %d %d", t.rec.ID, t.game.Goes())
	b.Style = bot.Primary
	return b
}

// lobbyHead returns the words of an opening.
func (c *call) lobbyHead(m *match, alone bool) bot.Text {
	v := teller{c.words, m.names(c.words)}
	track := m.game.Track()
	key := words.LobbyHead
	if alone {
		key = words.PrivateOpen
		if computers(m.game) > 0 {
			key = words.PrivateAgainst
		}
	}
	seed, _ := rules.ParseSeed(m.rec.Seed)
	sealed := c.words.Text(words.LobbySealed, words.S("seal", seed.Commitment()[:32]))
	if m.game.Loaded() {
		sealed = bot.Lines(sealed, c.words.Text(words.LobbyLoaded))
	}
	return bot.Lines(
		c.words.Text(key, words.S("board", words.Title(track.Board().Shown())), words.N("N", track.Size()),
			words.S("rules", v.rulesName(track.Rules()))),
		rulesLine(c.words, track.Rules(), track.Board()),
		sealed)
}

// seats returns who sits down: so many by name, the others by number.
func (c *call) seats(t *table, named int) bot.Text {
	names, n := t.names(c.words), t.game.Seats()
	var all []bot.Text
	for i := range n {
		if i == named && n > named+1 {
			all = append(all, c.words.Text(words.LobbyMore, words.N("n", n-i)))
			break
		}
		all = append(all, c.words.Text(words.LobbySeat, words.N("n", i+1), words.T("name", names.Short(i))))
	}
	seats := words.T("seats", words.Join(" · ", all...))
	if most := t.game.Rules().Seats; most != rules.MaxSeats || n > 5 {
		return c.words.Text(words.LobbySeatsOf, words.N("k", n), words.N("max", most), seats)
	}
	return c.words.Text(words.LobbySeats, seats)
}

// happened returns the messages that tell events of a match that has begun.
func (c *call) happened(t *table, before *rules.Game, events []rules.Event) []bot.Message {
	v := c.teller(t)
	g := before.Clone()
	var lines []bot.Text
	h := happening{last: -1}
	for _, e := range events {
		lines = append(lines, v.said(g, e))
		if went, ok := e.(rules.Went); ok {
			h.goes, h.last, h.round = h.goes+1, went.Seat, g.Round()
			if h.goes == 1 {
				h.first = g.Round()
			}
		}
		if g.Apply(e) != nil {
			break
		}
	}
	var last *rules.Went
	h.said = bot.Lines(lines...)
	h.went, last = drawnGo(before, events)
	if g.Phase() == rules.Finished {
		return []bot.Message{c.end(t, h.said, last)}
	}
	h.turned = h.goes > 0 || g.Turn() != before.Turn()
	return c.tell(t, h)
}

// happening is what is told of a running match at once.
type happening struct {
	said         bot.Text
	goes         int
	first, round int  // of the first and the last go
	last         int  // the seat of the last go, -1 if there's none
	turned       bool // somebody's go begins with it
	// The go that a picture shows the path of, nil if there's none: the last one that
	// somebody was waited for, or else the last one.
	went *rules.Went
}

// tell puts what happened on the newest page or on a new one, and how things
// stand below it. The first go of a match finds no page, since a lobby is none.
//
// A passing message, such as a reminder, is overwritten by what it waited for. If
// somebody has to be called then, which takes a new message, that one is passing too.
func (c *call) tell(t *table, h happening) []bot.Message {
	m := c.stands(t, h.last)
	m.Said = h.said
	if h.goes <= pageGoes {
		m.Picture = c.view(t, atGoes, h.went)
	}
	if h.turned && t.game.Seat(t.game.Turn()).Waits() && !t.game.Resting() {
		if u := c.callOf(t, t.game.Turn()); u != nil {
			m.Call, m.Sound, m.Gentle = u, true, true
			m.Now = called(m.Now, t.names(c.words).Of(t.game.Turn()), u)
		}
	}
	p := &t.page
	if passing := p.id != "" && p.said == nil; passing && m.Call != nil {
		old := bot.Message{Page: p.id, Said: m.Said, Picture: m.Picture}
		m.Said, m.Picture = nil, nil
		*p = page{id: fmt.Sprintf("%d.%d", t.rec.ID, t.rec.Entries), round: h.round, changed: c.now}
		m.Page = p.id
		return []bot.Message{old, m}
	}
	text := utf8.RuneCountInString(bot.Lines(p.said, m.Said, m.Now).String())
	if m.Call == nil && p.takes(h, c.now) && text < pageText {
		m.Before = p.said
	} else {
		// No message of the channel had this name before.
		*p = page{id: fmt.Sprintf("%d.%d", t.rec.ID, t.rec.Entries), round: t.game.Round()}
	}
	if h.goes > 0 {
		p.goes, p.round = p.goes+h.goes, h.round
	}
	p.changed = c.now
	p.said = bot.Lines(m.Before, h.said)
	m.Page = p.id
	return []bot.Message{m}
}

// called returns a text in which the last mention of a name notifies whom it
// names.
func called(t, name bot.Text, u *bot.User) bot.Text {
	t = slices.Clone(t)
	for i, s := range slices.Backward(t) {
		if s == name[0] {
			t[i] = bot.Span{Kind: bot.Mention, Text: s.Text, User: u.ID}
			break
		}
	}
	return t
}

// stands returns the message that says how a running match stands, without
// anything said.
func (c *call) stands(t *table, before int) bot.Message {
	v, g := c.teller(t), t.game
	row := []bot.Button{c.rollButton(t, words.ButtonRoll)}
	if !g.Seat(g.Turn()).Waits() && !g.Resting() {
		row[0] = c.rollButton(t, words.ButtonNextRound)
	}
	if g.Joinable() && g.Seats() > 1 {
		row = append(row, c.button(words.ButtonJoinLate, "join %d", t.rec.ID))
	}
	next := v.next(g, before)
	if g.Resting() {
		next = c.words.Text(words.Rest)
		if g.Winner() >= 0 { // who may well be here
			next = c.words.Text(words.RestOthers)
		}
		if w := t.clock(); w.pace.span > 0 && w.pace.span < dayPace {
			row = append(row, c.button(words.ButtonDay, "pace %d %d", t.rec.ID, g.Goes()))
		}
	}
	return bot.Message{
		Now:     bot.Lines(v.standings(g), next),
		Buttons: [][]bot.Button{row},
		Next:    t.user(g.Turn()),
	}
}

// end returns the message of a match that is over: always a new one.
func (c *call) end(t *table, said bot.Text, last *rules.Went) bot.Message {
	v, g := c.teller(t), t.game
	t.page = page{}
	m := bot.Message{Said: bot.Lines(said, v.closing(g))}
	row := []bot.Button{c.button(words.ButtonNewMatch, "%s", again(g))}
	if g.Goes() > 0 && people(g) > 1 {
		row[0] = c.button(words.ButtonRematch, "rematch %d", t.rec.ID)
	}
	if g.Goes() > 0 {
		seed, _ := rules.ParseSeed(t.rec.Seed)
		opened := words.Opened
		if g.Loaded() {
			opened = words.OpenedLoaded
		}
		great := c.great(t)
		m.Said, m.Picture = bot.Lines(m.Said, v.poster(great)), c.posterOf(t, last, great)
		m.Now = c.words.Text(opened, words.S("seed", seed.String()))
		v.standing(&m, g)
		row = append(row, c.button(words.ButtonWatch, "replay #%d", t.rec.ID), c.button(words.ButtonSquares, "history #%d", t.rec.ID))
	}
	m.Buttons = [][]bot.Button{row}
	if drawnForMatch(g.Track().Board()) {
		m.Buttons = append(m.Buttons, []bot.Button{c.button(words.ButtonKeepBoard, "boards keep #%d", t.rec.ID)})
	}
	return m
}

// tokens returns where the tokens of those who play are, and what each is told as.
func (v teller) tokens(g *rules.Game) (tokens []boards.Token, legend []bot.Text) {
	for i := range g.Seats() {
		s := g.Seat(i)
		if s.Gone {
			continue
		}
		letter := 'A' + rune(i)
		if s.Square > 0 {
			tokens = append(tokens, boards.Token{Square: s.Square, Letter: letter})
		}
		key := words.BoardToken
		switch unnamed := v.names.Short(i).String() == string(letter); { // called by the letter
		case unnamed && s.Shield:
			key = words.StandingShield
		case unnamed:
			key = words.Standing
		case s.Shield:
			key = words.BoardTokenShield
		}
		legend = append(legend, v.l.Text(key, words.S("token", string(letter)),
			words.T("name", v.names.Short(i)), words.N("sq", s.Square)))
	}
	return tokens, legend
}
