package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// show is a result that only the asker reads.
func show(t bot.Text) (result, error) { return result{answer: private(t)}, nil }

// status tells the asker whose turn it is and who stands where.
func (c *call) status(t *table) (result, error) {
	if t.game == nil {
		return result{}, no(words.NoMatch)
	}
	g, v := t.game, c.teller(t)
	board := words.S("board", words.Title(g.Track().Board().Shown()))
	var head bot.Text
	switch winner := g.Winner(); {
	case g.Phase() == rules.Lobby:
		head = c.words.Text(words.StatusLobby, board, words.S("rules", v.rulesName(g.Rules())), words.T("host", v.names.Of(g.Host())))
	case g.Phase() == rules.Running:
		head = c.words.Text(words.StatusGo, words.N("r", g.Round()), words.T("name", v.names.Of(g.Turn())))
		if at := t.clock().deadline(g); at.After(c.now) {
			head = append(head, c.words.Text(words.StatusWhen, words.T("when", c.when(at)))...)
		}
	case winner >= 0:
		head = c.words.Text(words.StatusWon, words.T("name", v.names.Of(winner)), words.N("n", g.Goes()))
	default:
		head = c.words.Text(words.StatusOver)
	}
	lines := []bot.Text{head}
	if g.Phase() == rules.Lobby {
		lines = append(lines, c.seats(t, rules.MaxSeats))
	} else {
		for i := range g.Seats() {
			lines = append(lines, v.seat(g, i))
		}
	}
	answer := private(bot.Lines(lines...))
	if g.Phase() == rules.Running && g.SeatOf(c.player()) == g.Turn() {
		answer.Asker.Buttons = [][]bot.Button{{c.rollButton(t, words.ButtonRoll)}}
	}
	return result{answer: answer}, nil
}

// seat returns a seat's line in /status.
func (v teller) seat(g *rules.Game, i int) bot.Text {
	s := g.Seat(i)
	key := words.StatusOn
	switch {
	case s.Gone:
		key = words.StatusLeft
	case s.Home:
		key = words.StatusHome
	case s.Place > 0:
		key = words.StatusLast
	}
	line := v.l.Text(key, words.N("seat", i+1), words.T("name", v.names.Short(i)), words.N("sq", s.Square), words.N("n", s.Goes), words.N("k", s.Place))
	switch {
	case !s.Playing():
	case s.Auto:
		line = append(line, v.l.Text(words.StatusAuto)...)
	case s.Away():
		line = append(line, v.l.Text(words.StatusAway)...)
	}
	if s.Playing() && s.Shield {
		line = append(line, v.l.Text(words.StatusShield)...)
	}
	return line
}

// board posts the live message with the board anew, at the bottom.
func (c *call) board(t *table) (result, error) {
	if t.game == nil {
		return result{}, no(words.NoMatch)
	}
	v := c.teller(t)
	track := t.game.Track()
	m := c.live(t)
	if t.game.Phase() == rules.Running {
		m.Now = v.next(t.game, -1) // the legend says who stands where
	}
	m.Said = c.words.Text(words.BoardHead, words.S("board", words.Title(track.Board().Shown())), words.N("N", track.Size()))
	v.standing(&m, t.game)
	return result{answer: bot.Answer{Channel: []bot.Message{m}}}, nil
}

// live returns how the match stands, with its buttons, to be posted anew.
func (c *call) live(t *table) (m bot.Message) {
	switch t.game.Phase() {
	case rules.Lobby:
		m = c.lobby(t)
		m.Page, m.Before, m.Call, m.Sound, m.Gentle = "", nil, nil, false, false
	case rules.Running:
		m = c.stands(t, -1)
	}
	m.Picture = c.view(t, atEnds, nil)
	t.page = page{}
	return m
}

// history tells all squares that each player has been on.
func (c *call) history(t *table) (result, error) {
	rec := t.rec
	if len(c.Args) > 0 {
		var err error
		if rec, err = c.archived(c.Args[0]); err != nil {
			return result{}, err
		}
	}
	if rec.ID == 0 || rec.Aside {
		return result{}, no(words.NoMatch)
	}
	v := c.archivist(rec, false)
	var ways []string
	err := c.story(rec, func(g *rules.Game, e rules.Event) {
		went, ok := e.(rules.Went)
		if !ok {
			return
		}
		for len(ways) < g.Seats() {
			ways = append(ways, "0")
		}
		for _, r := range went.Rolls {
			ways[went.Seat] += step(r)
		}
	})
	if err != nil {
		return result{}, c.illegible(rec, err)
	}
	if len(ways) == 0 {
		return result{}, no(words.HistoryNone)
	}
	var lines []bot.Text
	for i := range ways {
		lines = append(lines, c.words.Text(words.HistoryLine, words.T("name", v.names.Of(i)), words.S("squares", ways[i])))
	}
	return show(bot.Lines(lines...))
}

// step shows what one throw adds to the squares that a token was on.
func step(r rules.Roll) string {
	switch {
	case r.Void:
		return fmt.Sprintf(" ↩ %d", r.To)
	case r.Stayed():
		return ""
	}
	way := fmt.Sprintf(" · %d", r.Landed)
	if r.Jumped() {
		way += fmt.Sprintf(" → %d", r.To)
	}
	if r.End() != r.To {
		way += fmt.Sprintf(" → %d", r.End())
	}
	return way
}

// fair tells how the dice are sealed, or how to recompute them.
func (c *call) fair(t *table) (result, error) {
	rec, game := t.rec, t.game
	if len(c.Args) > 0 {
		var err error
		if rec, err = c.sought(strings.Join(c.Args, "")); err != nil {
			return result{}, err
		}
		if game, _, err = c.fold(c.ctx, rec); err != nil {
			return result{}, c.illegible(rec, err)
		}
	}
	if game == nil {
		return result{}, no(words.NoMatch)
	}
	seed, _ := rules.ParseSeed(rec.Seed)
	seal := words.S("seal", seed.Commitment())
	var lines []bot.Text
	switch {
	case game.Loaded():
		lines = append(lines, c.words.Text(words.FairLoaded))
	case game.Phase() != rules.Finished:
		lines = append(lines, c.words.Text(words.FairOn, seal), c.words.Text(words.FairOnly))
	default:
		lines = append(lines, c.words.Text(words.FairDone, words.S("seed", seed.String()), seal),
			c.words.Text(words.FairRecipe, words.S("digits", seed.Digits()), words.N("sides", game.Rules().Sides)))
		if drawnForMatch(game.Track().Board()) {
			lines = append(lines, c.words.Text(words.FairRandom))
		}
		if strings.Contains(rec.Acts, " order:") {
			lines = append(lines, c.words.Text(words.FairOrder))
		}
		lines = append(lines, c.words.Text(words.FairOnly))
	}
	faces, err := c.faces(rec, game)
	if err != nil {
		return result{}, err
	}
	return show(bot.Lines(append(lines, faces)...))
}

// manyFaces is from how many sides on only the faces that fell are told.
const manyFaces = 20

// faces counts how often each face fell in a match.
func (c *call) faces(rec Record, game *rules.Game) (bot.Text, error) {
	if game.Thrown() == 0 {
		return nil, nil
	}
	count := make([]int, game.Rules().Sides+1)
	err := c.story(rec, func(_ *rules.Game, e rules.Event) {
		if went, ok := e.(rules.Went); ok {
			for _, r := range went.Rolls {
				for _, f := range r.Faces {
					count[f]++
				}
			}
		}
	})
	if err != nil {
		return nil, err
	}
	var all []bot.Text
	for face, n := range count[1:] {
		if n == 0 && len(count) > manyFaces {
			continue
		}
		all = append(all, c.words.Text(words.FairFace, words.N("face", face+1), words.N("n", n)))
	}
	expected := float64(game.Thrown()) / float64(game.Rules().Sides)
	return c.words.Text(words.FairFaces, words.T("faces", words.Join(" · ", all...)),
		words.S("x", strconv.FormatFloat(expected, 'f', 1, 64))), nil
}

// story folds a record anew and calls tell with every event and the game
// before it. It returns an unreadable error for a record that can't be.
func (c *call) story(rec Record, tell func(before *rules.Game, e rules.Event)) error {
	track, err := c.tracks.of(c.ctx, rec.Board, rec.Rules)
	if err != nil {
		return err
	}
	g := rules.NewGame(track)
	for entry := range strings.SplitSeq(rec.Acts, " ") {
		event, err := g.Read(entry)
		if err == nil {
			tell(g, event)
			err = g.Apply(event)
		}
		if err != nil {
			return unreadable{err}
		}
	}
	return nil
}

// sought returns the record of a match that is over, by its seed or by "#" and
// its number in this chat.
func (c *call) sought(arg string) (Record, error) {
	if strings.HasPrefix(arg, "#") {
		return c.archived(arg)
	}
	if n, err := strconv.Atoi(arg); err == nil && len(arg) < 3 {
		return c.numbered(n)
	}
	seed, ok := rules.ParseSeed(arg)
	if !ok {
		return Record{}, no(words.NoSeed)
	}
	rec, err := c.Store.BySeed(c.ctx, seed.Digits())
	return c.openable(rec, err)
}

// archived returns the record of one of this chat's matches, by "#" and its
// number.
func (c *call) archived(arg string) (Record, error) {
	id, err := strconv.ParseInt(strings.TrimPrefix(arg, "#"), 10, 64)
	if err != nil {
		return Record{}, no(words.NoRecord)
	}
	rec, err := c.Store.Match(c.ctx, id)
	if err == nil && rec.Channel.Chat != c.Channel.Chat {
		return Record{}, no(words.NoRecord)
	}
	return c.openable(rec, err)
}

// openable lets records pass that are over: only their seeds are open.
func (c *call) openable(rec Record, err error) (Record, error) {
	switch {
	case errors.Is(err, ErrNotFound):
		return rec, no(words.NoRecord)
	case err != nil:
		return rec, fmt.Errorf("looking up a match: %w", err)
	case rec.Open:
		return rec, no(words.Sealed)
	}
	return rec, nil
}

// illegible turns the error of a past match's record that can't be read into a
// refusal, and logs it.
func (c *call) illegible(rec Record, err error) error {
	var bad unreadable
	if !errors.As(err, &bad) {
		return err
	}
	c.Log.Error("a past match can't be read", "channel", rec.Channel, "match", rec.ID, "error", err)
	return no(words.FailArchive)
}

// archivist returns the teller of a record. In another chat than its own, and
// to whoever didn't sit there, its seats are A, B, C. Open says that everybody
// in the channel will read it.
func (c *call) archivist(rec Record, open bool) teller {
	known := rec.Channel.Chat == c.Channel.Chat
	for _, s := range rec.Seats {
		known = known || s.User == c.User.ID && (!open || c.Alone)
	}
	typed := make([]string, len(rec.Seats))
	for i, s := range rec.Seats {
		if typed[i] = s.Name; !known {
			typed[i] = string('A' + rune(i))
		}
	}
	return teller{c.words, c.words.NewNames(typed)}
}
