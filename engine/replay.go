package engine

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// captioned is how many characters stand below a film.
const captioned = 900

// replay runs a match that is over again, checks it, and shows it.
func (c *call) replay(t *table) (result, error) {
	asked, err := c.parseReplay()
	if err != nil {
		return result{}, err
	}
	if asked.match == "" {
		return c.replayList()
	}
	rec, run, err := c.past(asked.match)
	if err != nil {
		return result{}, err
	}
	asked.match = rec.Seed // known everywhere
	v := c.archivist(rec, !t.playing())
	var m retelling
	switch {
	case asked.board != "":
		m, err = c.whatIf(v, rec, run, asked)
	case asked.goes > 0:
		m, err = c.replayAt(v, rec, run, asked.goes)
	case asked.words:
		return result{answer: bot.Answer{Asker: c.replayInWords(c.replayWords(v, rec, run), asked)}}, nil
	default:
		m = c.replayWhole(v, rec, run)
	}
	if err != nil {
		return result{}, err
	}
	if t.playing() {
		return result{answer: bot.Answer{Asker: c.aside(m, asked)}}, nil
	}
	if t.again(m, c.now) {
		return show(c.words.Text(words.ReplayJust))
	}
	t.page, m.Apart = page{}, true
	return result{answer: bot.Answer{Channel: []bot.Message{m.Message}}}, nil
}

// past returns a match that is over, found as by sought, and what running it again
// came to. Of a record that can't be read, or of which nothing can be told, there's
// only a refusal.
func (c *call) past(match string) (Record, rerunning, error) {
	rec, err := c.sought(match)
	if err != nil {
		return rec, rerunning{}, err
	}
	track, err := c.tracks.of(c.ctx, rec.Board, rec.Rules)
	if err != nil {
		return rec, rerunning{}, c.illegible(rec, err)
	}
	run := rerun(track, rec)
	if bad := rec.agrees(run.game); bad != nil && (run.sound() || run.game.Seats() > len(rec.Seats)) {
		return rec, run, c.illegible(rec, bad)
	}
	if run.sound() && run.game.Goes() == 0 {
		return rec, run, no(words.ReplayEmpty)
	}
	return rec, run, nil
}

// replayArgs are the arguments of /replay, sorted.
type replayArgs struct {
	match string // a seed, "#" and a match's number, or its number in the list
	goes  int
	board string
	words bool // instead of a film
}

// typed returns the arguments as they're typed.
func (a replayArgs) typed() string {
	typed := a.match
	if a.goes > 0 {
		typed += " " + strconv.Itoa(a.goes)
	}
	if a.board != "" {
		typed += " board=" + a.board
	}
	if a.words {
		typed += " words"
	}
	return typed
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
		case whole && strings.EqualFold(arg, "words"):
			a.words = true
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

// replayWords tells the whole match in the words that it was told in.
func (c *call) replayWords(v teller, rec Record, run rerunning) bot.Text {
	head, lines, closing := c.replayParts(v, rec, run)
	return bot.Lines(head, lines, closing)
}

func (c *call) replayParts(v teller, rec Record, run rerunning) (head, lines, closing bot.Text) {
	if run.sound() {
		head, closing = c.replayHead(v, rec, run.game), v.closing(run.game)
	}
	var all []bot.Text
	for _, e := range run.events {
		all = append(all, v.said(e.before, e.event))
	}
	return bot.Lines(head, c.verdict(rec, run)), bot.Lines(all...), closing
}

// replayWhole shows a match as a film, or tells it where there's none. The words
// of a short one stand below, those of a longer one behind a button.
func (c *call) replayWhole(v teller, rec Record, run rerunning) retelling {
	head, lines, closing := c.replayParts(v, rec, run)
	theme, wanted := c.theme(atEnds)
	whole := bot.Lines(head, lines, closing)
	m := retelling{bot.Message{Said: whole}, head}
	if !wanted || !run.sound() {
		return m
	}
	m.Picture = c.film(v, run, rec.Board, theme, bot.Lines(c.replayHead(v, rec, run.game), closing).String())
	if utf8.RuneCountInString(whole.String()) > captioned {
		m.Said, m.Now, m.Picture.Instead = head, closing, lines
		inWords := c.button(words.ButtonInWords, "replay %s words", rec.Seed)
		inWords.Pictured = true
		m.Buttons = [][]bot.Button{{inWords}}
	}
	return m
}

// replayAt tells one go and the position after it.
func (c *call) replayAt(v teller, rec Record, run rerunning, goes int) (m retelling, err error) {
	if !run.sound() && goes > run.game.Goes() {
		return c.doubtful(rec, run), nil
	}
	after, e, err := run.position(goes)
	if err != nil {
		return m, err
	}
	m.Said = bot.Lines(c.verdict(rec, run),
		c.words.Text(words.ReplayAfter, words.N("n", goes), words.N("of", run.game.Goes())),
		v.said(e.before, e.event))
	c.stillAt(&m, v, after, rec.Board, e)
	return m, nil
}

// stillAt shows the position after a go of a match that was run again.
func (c *call) stillAt(m *retelling, v teller, after *rules.Game, hash string, e retold) {
	m.brief = m.Said
	if theme, ok := c.theme(atEnds); ok {
		went, _ := e.event.(rules.Went)
		m.Picture = c.still(v, after, hash, theme, &went)
	}
	v.standing(&m.Message, after)
}

// position returns the position after a go, and that go.
func (r rerunning) position(goes int) (after *rules.Game, e retold, err error) {
	if goes > r.game.Goes() {
		return nil, e, no(words.NoSuchGo, words.N("n", r.game.Goes()))
	}
	for _, e := range r.events {
		if _, ok := e.event.(rules.Went); ok && e.before.Goes() == goes-1 {
			after := e.before.Clone()
			return after, e, after.Apply(e.event)
		}
	}
	return nil, e, errors.New("a go is missing from a match that was run again")
}
