package engine

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// replay runs a match that is over again, checks it, and shows it.
func (c *call) replay(t *table) (result, error) {
	asked, err := c.parseReplay()
	if err != nil {
		return result{}, err
	}
	if asked.match == "" {
		return c.replayList()
	}
	rec, err := c.sought(asked.match)
	if err != nil {
		return result{}, err
	}
	track, err := c.tracks.of(c.ctx, rec.Board, rec.Rules)
	if err != nil {
		return result{}, c.illegible(rec, err)
	}
	v := c.archivist(rec, !t.playing())
	run := rerun(track, rec)
	if bad := rec.agrees(run.game); bad != nil && (run.sound() || run.game.Seats() > len(rec.Seats)) {
		return result{}, c.illegible(rec, bad)
	}
	if run.sound() && run.game.Goes() == 0 {
		return result{}, no(words.ReplayEmpty)
	}
	var text bot.Text
	switch {
	case asked.board != "":
		text, err = c.whatIf(v, rec, run, asked.board)
	case asked.goes > 0:
		text, err = c.replayAt(v, rec, run, asked.goes)
	default:
		text = c.replayWhole(v, rec, run)
	}
	if err != nil {
		return result{}, err
	}
	if t.playing() {
		// The match that is on keeps the bottom of the chat.
		return show(text)
	}
	t.page = page{}
	return result{answer: bot.Answer{Channel: []bot.Message{{Said: text}}}}, nil
}

// replayArgs are the arguments of /replay, sorted.
type replayArgs struct {
	match string // a seed, "#" and a match's number, or its number in the list
	goes  int
	board string
}

// listNumber reports whether what was typed so far is a number of the list.
func listNumber(typed []string) bool {
	if len(typed) != 1 || len(typed[0]) > 2 {
		return false
	}
	_, err := strconv.Atoi(typed[0])
	return err == nil
}

func (c *call) parseReplay() (replayArgs, error) {
	var a replayArgs
	var seed []string
	for _, arg := range c.Args {
		key, value, keyed := strings.Cut(arg, "=")
		n, err := strconv.Atoi(arg)
		whole := len(strings.ReplaceAll(strings.Join(seed, ""), "-", "")) >= 16 || a.match != "" || listNumber(seed)
		switch {
		case keyed && strings.EqualFold(key, "board"):
			if a.board != "" {
				return a, no(words.BadTwice, words.S("key", "board"))
			}
			if a.board = strings.ToLower(value); a.board == "" || a.board == randomBoard {
				return a, library{}.lacks(value, nil)
			}
		case keyed:
			return a, no(words.BadExtra, words.S("x", shorten(arg)), words.S("command", "replay"), words.S("what", "[seed] [go] [board=…]"))
		case strings.HasPrefix(arg, "#"):
			a.match = arg
		case whole && err == nil && a.goes == 0:
			if n < 1 {
				return a, badRange("go", 1, rules.MaxGoes, arg)
			}
			a.goes = n
		case whole:
			return a, no(words.BadExtra, words.S("x", shorten(arg)), words.S("command", "replay"), words.S("what", "[seed] [go] [board=…]"))
		default:
			seed = append(seed, arg)
		}
	}
	if len(seed) > 0 {
		a.match = strings.Join(seed, "")
	}
	if a.match == "" && a.board != "" {
		a.match = "1" // the last one
	}
	if a.goes > 0 && a.board != "" {
		return a, no(words.BadExtra, words.S("x", strconv.Itoa(a.goes)), words.S("command", "replay"), words.S("what", "[seed] [board=…]"))
	}
	return a, nil
}

// retold is one event of a match that was run again, and the game before it.
type retold struct {
	before *rules.Game
	event  rules.Event
}

// rerunning is what running a match again came to.
type rerunning struct {
	events []retold
	game   *rules.Game // after the last event that could follow
	bad    *rules.Mismatch
	broken string // the entry that can't be read or can't follow, if any
	isGo   bool   // that entry is a go
}

// decided returns after how many goes the first seat was home, or how many there
// were if none is.
func (r rerunning) decided() int {
	for _, e := range r.events {
		if e.before.Winner() >= 0 {
			return e.before.Goes()
		}
	}
	return r.game.Goes()
}

// sound reports whether nothing was found.
func (r rerunning) sound() bool { return r.bad == nil && r.broken == "" }

// rerun folds a record's acts and recomputes every die from its seed. It stops
// at the first act that is off.
func rerun(track *rules.Track, rec Record) rerunning {
	run := rerunning{game: rules.NewGame(track)}
	seed, _ := rules.ParseSeed(rec.Seed)
	dice := seed.Dice(track.Rules().Sides)
	for entry := range strings.SplitSeq(rec.Acts, " ") {
		event, err := run.game.Read(entry)
		went, isGo := event.(rules.Went)
		if isGo && run.game.Phase() != rules.Finished {
			from := dice
			if went.Loaded || run.game.Loaded() {
				from = recorded(run.game, went, dice)
			}
			if run.bad = run.game.Verify(went, from); run.bad != nil {
				return run
			}
		}
		before := run.game.Clone()
		if err == nil {
			err = run.game.Apply(event)
		}
		if ordered, ok := event.(rules.Ordered); ok && err == nil && !run.game.Loaded() {
			if drawn, _ := before.Order(seed.OrderDraws()); !slices.Equal(drawn.Seats, ordered.Seats) {
				err = errors.New("not the order that the seed draws")
			}
		}
		if err != nil {
			run.broken, run.isGo = entry, isGo || looksLikeGo(entry)
			return run
		}
		run.events = append(run.events, retold{before, event})
	}
	if run.game.Phase() != rules.Finished {
		run.broken, run.isGo = "…", true
	}
	return run
}

// recorded returns the faces that a record says fell, as dice: of a loaded
// match nothing but its squares can be checked.
func recorded(g *rules.Game, w rules.Went, then rules.Dice) rules.Dice {
	var faces []int
	for _, r := range w.Rolls {
		faces = append(faces, r.Faces...)
	}
	return rules.Loaded{From: g.Thrown(), Faces: faces, Then: then}
}

// looksLikeGo tells entries of goes from those of other acts.
func looksLikeGo(entry string) bool {
	return strings.ContainsAny(entry, "0123456789") && !strings.ContainsAny(entry, ":")
}

// replayHead says which match it is.
func (c *call) replayHead(v teller, rec Record, g *rules.Game) bot.Text {
	fills := []words.Fill{
		words.S("board", words.Title(g.Track().Board().Shown())), words.S("rules", v.rulesName(g.Rules())),
		words.S("date", rec.Opened.UTC().Format("2006-01-02")), words.N("n", g.Goes()),
	}
	if w := g.Winner(); w >= 0 {
		return c.words.Text(words.ReplayHead, append(fills, words.T("name", v.names.Of(w)))...)
	}
	return c.words.Text(words.ReplayHeadOver, fills...)
}

// verdict says what checking came to.
func (c *call) verdict(rec Record, run rerunning) bot.Text {
	seed, _ := rules.ParseSeed(rec.Seed)
	n := words.N("n", run.game.Goes())
	switch {
	case run.bad != nil && (run.game.Loaded() || run.bad.Says.Loaded):
		return c.words.Text(words.ReplayBadLoaded, words.N("n", run.bad.Go),
			words.S("x", rules.Write(run.bad.Gives)), words.S("y", rules.Write(run.bad.Says)))
	case run.bad != nil:
		return c.words.Text(words.ReplayBad, words.N("n", run.bad.Go),
			words.S("x", rules.Write(run.bad.Gives)), words.S("y", rules.Write(run.bad.Says)))
	case run.broken != "" && run.isGo:
		return c.words.Text(words.ReplayBroken, words.N("n", run.game.Goes()+1), words.S("y", shorten(run.broken)))
	case run.broken != "":
		return c.words.Text(words.ReplayBrokenAct, words.N("n", run.game.Acts()+1), words.S("y", shorten(run.broken)))
	case run.game.Loaded():
		return c.words.Text(words.ReplayLoaded, words.S("seed", seed.String()))
	case run.game.Goes() == 1:
		return c.words.Text(words.ReplayOne, words.S("seed", seed.String()))
	}
	return c.words.Text(words.ReplayChecked, words.S("seed", seed.String()), n)
}

// replayWhole tells the whole match in the words that it was told in.
func (c *call) replayWhole(v teller, rec Record, run rerunning) bot.Text {
	var lines []bot.Text
	if run.sound() {
		lines = append(lines, c.replayHead(v, rec, run.game))
	}
	lines = append(lines, c.verdict(rec, run))
	for _, e := range run.events {
		lines = append(lines, v.said(e.before, e.event))
	}
	if run.sound() {
		lines = append(lines, v.closing(run.game))
	}
	return bot.Lines(lines...)
}

// replayAt tells one go and the position after it.
func (c *call) replayAt(v teller, rec Record, run rerunning, goes int) (bot.Text, error) {
	if !run.sound() && goes > run.game.Goes() {
		return c.verdict(rec, run), nil
	}
	if goes > run.game.Goes() {
		return nil, no(words.NoSuchGo, words.N("n", run.game.Goes()))
	}
	for _, e := range run.events {
		if _, went := e.event.(rules.Went); !went || e.before.Goes() != goes-1 {
			continue
		}
		after := e.before.Clone()
		if err := after.Apply(e.event); err != nil {
			return nil, err
		}
		return bot.Lines(c.verdict(rec, run),
			c.words.Text(words.ReplayAfter, words.N("n", goes), words.N("of", run.game.Goes())),
			v.said(e.before, e.event), boardText(v, after)), nil
	}
	return nil, errors.New("a go is missing from a match that was run again")
}

// whatIf plays a match's seed, seats and rules on another board.
func (c *call) whatIf(v teller, rec Record, run rerunning, board string) (bot.Text, error) {
	if !run.sound() {
		return c.verdict(rec, run), nil
	}
	b, err := c.pick(board)
	if err != nil {
		return nil, err
	}
	track, err := compile(b, run.game.Rules())
	if err != nil {
		return nil, err
	}
	seed, _ := rules.ParseSeed(rec.Seed)
	other, after := imagine(track, run, seed.Dice(track.Rules().Sides))
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
	return bot.Lines(c.words.Text(key, fills...), v.closing(other), boardText(v, other)), nil
}

// imagine plays a match again on another track, with other dice or the same:
// the same people sit down and get up after the same goes, and all else is as
// the rules have it. Decided is after how many goes the first of them was home, or
// how many there were if none is.
func imagine(track *rules.Track, run rerunning, dice rules.Dice) (g *rules.Game, decided int) {
	g = rules.NewGame(track)
	do := func(e rules.Event) {
		// What can't follow any more, since the match took another turn, is
		// left out.
		_ = g.Apply(e)
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
	return g, decided
}
