package engine

import (
	"fmt"
	"strings"
	"time"

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
	round   int // of the game when it was last added to
}

func (c *call) teller(t *table) teller { return teller{c.words, t.names(c.words)} }

// newPage begins a page that no message of the channel had before: pages are
// named by the match and the number of acts so far.
func (c *call) newPage(t *table, goes int) {
	t.page = page{id: fmt.Sprintf("%d.%d", t.rec.ID, t.rec.Entries), changed: c.now, goes: goes, round: t.game.Round()}
}

// lobby returns the message of a match that hasn't started, as its page's
// present state. The opening's words stay above.
func (c *call) lobby(t *table) bot.Message {
	g, names := t.game, t.names(c.words)
	m := bot.Message{Page: fmt.Sprintf("%d.lobby", t.rec.ID)}
	if g.Acts() > 1 {
		m.Before = c.lobbyHead(t.match, false)
	}
	t.page = page{}
	host := words.T("host", names.Of(g.Host()))
	wait := c.words.Text(words.LobbyWaitHost, host)
	solo := g.Rules().Solo
	switch full := g.Seats() == g.Rules().Seats && g.Seats() > 1; {
	case full:
		wait = c.words.Text(words.LobbyFull, host)
		m.Call, m.Sound = t.user(g.Host()), true
	case g.Seats() == 1 && solo:
		wait = c.words.Text(words.LobbyWaitAlone, host)
	case g.Seats() == 1:
		wait = c.words.Text(words.LobbyWaitOne)
	}
	m.Now = bot.Lines(c.seats(t), wait)
	row := []bot.Button{}
	if alone := c.Alone && g.Seats() == 1 && solo; alone {
		m.Next = t.user(g.Turn())
		m.Buttons = [][]bot.Button{{c.rollButton(t, words.ButtonRoll)}}
		return m
	}
	if g.Joinable() {
		row = append(row, c.button(words.ButtonJoin, "join %d", t.rec.ID))
	}
	if solo || g.Seats() > 1 {
		m.Next = t.user(g.Turn())
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
	}
	seed, _ := rules.ParseSeed(m.rec.Seed)
	sealed := c.words.Text(words.LobbySealed, words.S("seal", seed.Commitment()[:32]))
	if m.game.Loaded() {
		sealed = bot.Lines(sealed, c.words.Text(words.LobbyLoaded))
	}
	return bot.Lines(
		c.words.Text(key, words.S("board", words.Title(track.Board().Shown())), words.N("N", track.Size()),
			words.S("rules", v.rulesName(track.Rules()))),
		rulesLine(c.words, track.Rules(), track.Size()),
		sealed)
}

// seats returns who sits down: five by name, the others by number.
func (c *call) seats(t *table) bot.Text {
	names, n := t.names(c.words), t.game.Seats()
	var all []bot.Text
	for i := range n {
		if i == 5 && n > 6 {
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

// happened returns the message that tells events of a match that has begun.
func (c *call) happened(t *table, before *rules.Game, events []rules.Event) bot.Message {
	v := c.teller(t)
	g := before.Clone()
	var lines []bot.Text
	goes, last := 0, -1
	for _, e := range events {
		lines = append(lines, v.said(g, e))
		if went, ok := e.(rules.Went); ok {
			goes, last = goes+1, went.Seat
		}
		if g.Apply(e) != nil {
			break
		}
	}
	said := bot.Lines(lines...)
	if g.Phase() == rules.Finished {
		return c.end(t, said)
	}
	return c.tell(t, said, goes, last, before.Phase() == rules.Lobby)
}

// table returns a message that tells something of a running match.
func (c *call) table(t *table, said bot.Text) bot.Message { return c.tell(t, said, 0, -1, false) }

// tell puts what was said on the newest page or on a new one, and how things
// stand below it.
func (c *call) tell(t *table, said bot.Text, goes, before int, first bool) bot.Message {
	v := c.teller(t)
	m := c.stands(t, before)
	m.Said = said
	if u := t.user(t.game.Turn()); u != nil && t.game.Waiting() > 0 && c.now.Sub(t.seen[u.ID]) > present {
		m.Call = u
	}
	p := &t.page
	fits := len(p.said.String())+len(said.String())+len(v.standings(t.game).String()) < pageText
	roundOver := p.round != t.game.Round()
	if first || p.id == "" || m.Call != nil || !c.Pressed || !fits || c.now.Sub(p.changed) >= pageQuiet ||
		p.goes+goes > pageGoes || roundOver && p.goes >= pageRound {
		c.newPage(t, goes)
	} else {
		m.Before = p.said
		p.goes += goes
		p.changed = c.now
	}
	t.page.said = bot.Lines(m.Before, said)
	m.Page = t.page.id
	return m
}

// stands returns the message that says how a running match stands, without
// anything said.
func (c *call) stands(t *table, before int) bot.Message {
	v, g := c.teller(t), t.game
	row := []bot.Button{c.rollButton(t, words.ButtonRoll)}
	if g.Waiting() == 0 {
		row[0] = c.rollButton(t, words.ButtonNextRound)
	}
	if g.Joinable() && g.Seats() > 1 {
		row = append(row, c.button(words.ButtonJoinLate, "join %d", t.rec.ID))
	}
	return bot.Message{
		Now:     bot.Lines(v.standings(g), v.next(g, before)),
		Buttons: [][]bot.Button{row},
		Next:    t.user(g.Turn()),
	}
}

// end returns the message of a match that is over: always a new one.
func (c *call) end(t *table, said bot.Text) bot.Message {
	v, g := c.teller(t), t.game
	t.page = page{}
	m := bot.Message{Said: bot.Lines(said, v.closing(g))}
	again := "newgame " + g.Track().Board().Name
	if set := g.Rules().SetName(); set != "" {
		again += " " + set
	}
	if !isBoard(g.Track().Board().Name) {
		again = "newgame"
	}
	row := []bot.Button{c.button(words.ButtonNewMatch, "%s", again)}
	if g.Goes() > 0 {
		seed, _ := rules.ParseSeed(t.rec.Seed)
		m.Said = bot.Lines(m.Said, boardText(v, g), c.words.Text(words.Opened, words.S("seed", seed.String())))
		row = append(row, c.button(words.ButtonWatch, "replay #%d", t.rec.ID), c.button(words.ButtonSquares, "history #%d", t.rec.ID))
	}
	m.Buttons = [][]bot.Button{row}
	return m
}

// boardText returns the board as text, with the tokens of those who play and
// their letters.
func boardText(v teller, g *rules.Game) bot.Text {
	var tokens []boards.Token
	var legend []bot.Text
	for i := range g.Seats() {
		s := g.Seat(i)
		if s.Gone {
			continue
		}
		letter := 'A' + rune(i)
		if s.Square > 0 {
			tokens = append(tokens, boards.Token{Square: s.Square, Letter: letter})
		}
		legend = append(legend, v.l.Text(words.BoardToken, words.S("token", string(letter)),
			words.T("name", v.names.Short(i)), words.N("sq", s.Square)))
	}
	board := g.Track().Board()
	ladders, snakes := board.Lists()
	grid := strings.TrimRight(board.Grid(tokens), "\n")
	list := strings.TrimSpace(strings.TrimRight(ladders.String(), "\n") + "\n" + strings.TrimRight(snakes.String(), "\n"))
	if list != "" {
		grid += "\n" + list
	}
	return bot.Lines(bot.Text{{Kind: bot.Code, Text: grid}}, words.Join(" · ", legend...))
}
