package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine/odds"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// From how many goes of one player on, or up to how many, a board is worth a
// warning. A match of four on the classic board takes some 80 goes.
const (
	longGoes  = 150
	shortGoes = 7
)

// Card returns the health card of a board, with the board as text: of one that
// comes with Hiss, or of a board file, whose name must be given. Args are a set of
// rules and options behind it; plain ones if there are none. Progress is told how much
// is done, 0..1, where that takes a while, and may be nil. The error is one that people
// can read, in one line or a few.
func Card(ctx context.Context, name string, file []byte, args []string, progress func(float64)) (string, error) {
	l := words.English()
	b, err := named(name, file)
	if err != nil {
		return "", err
	}
	r, err := parseRules(args, "plain")
	if err != nil {
		return "", inWords(l, err)
	}
	card, err := card(l, b, r, func(done float64) bool {
		if progress != nil {
			progress(done)
		}
		return ctx.Err() == nil
	})
	if err != nil {
		return "", err
	}
	return bot.Lines(card.whole(), drawn(b, nil)).String(), nil
}

// card returns the health card of a board under rules.
func (c *call) card(b boards.Board, r rules.Rules) (boardCard, error) {
	end, err := c.errands.think(c.ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	return card(c.words, b, r, func(float64) bool { return c.ctx.Err() == nil })
}

// cardHead returns the first line of a board's card.
func cardHead(l *words.Language, b boards.Board) bot.Text {
	ladders, snakes := b.Count()
	return l.Text(words.CardHead, words.S("board", words.Title(b.Shown())), words.N("N", b.Size),
		words.N("l", ladders), words.N("s", snakes))
}

// card returns the lines of a board's health: what it is, whether matches end on
// it, how long they take, and what to think of before it is played.
func card(l *words.Language, b boards.Board, r rules.Rules, progress func(float64) bool) (boardCard, error) {
	ends, err := ending(l, b, r)
	if err != nil {
		return nil, err
	}
	track, err := rules.Compile(b, r)
	if err != nil {
		return nil, err
	}
	h, err := odds.Examine(track, progress)
	var endless *rules.Endless
	switch {
	case errors.Is(err, odds.ErrStopped):
		return nil, context.Canceled
	case err != nil && !errors.As(err, &endless) && !errors.Is(err, odds.ErrLong):
		return nil, fmt.Errorf("examining board %s: %w", b.Name, err)
	}
	w := cardWriter{l, h, r}
	lines := boardCard{
		{cardHead(l, b), 0}, {bot.Said(words.Clean(b.About)), spareAbout}, {w.longest(), spareLongest},
		{effectsLine(l, b), spareEffects}, {ends, 0},
	}
	if name := rulesWords(r); name != "plain" {
		lines = append(lines, cardLine{l.Text(words.CardRules, words.S("rules", name)), 0})
	}
	lines = append(lines, w.lengths()...)
	if errors.Is(err, odds.ErrLong) {
		lines = append(lines, cardLine{l.Text(words.CardTooLong), 0})
	}
	return append(append(lines, cardLine{w.reach(endless != nil), spareFewest}), w.warnings()...), nil
}

// ending says whether matches end for certain, under each of the named sets and
// under the rules that are asked for, and if not, from which square they don't
// and what would help.
func ending(l *words.Language, b boards.Board, asked rules.Rules) (bot.Text, error) {
	names := rules.Sets()
	if name := rulesWords(asked); !slices.Contains(names, name) {
		names = append(names, name)
	}
	var verdicts []bot.Text
	var sets [][]string // of each verdict
	same := make(map[string]int)
	for _, name := range names {
		r, known := rules.Set(name)
		if !known {
			r = asked
		}
		track, err := rules.Compile(b, r)
		if err != nil {
			return nil, err
		}
		e := track.Endless()
		if e == nil {
			continue
		}
		key, fills := endlessWords(l, r, b, e)
		said := l.Words(key, fills...)
		at, told := same[said]
		if !told {
			at = len(sets)
			same[said] = at
			sets, verdicts = append(sets, nil), append(verdicts, nil)
		}
		sets[at] = append(sets[at], name)
		cardKey := map[words.Key]words.Key{
			words.Endless: words.CardEndless, words.EndlessBoard: words.CardEndlessBoard, words.EndlessBackToZero: words.CardEndlessBack,
		}[key]
		verdicts[at] = l.Text(cardKey, append(fills, words.S("rules", strings.Join(sets[at], ", ")))...)
	}
	if len(verdicts) == 0 {
		return l.Text(words.CardEnds), nil
	}
	return bot.Lines(verdicts...), nil
}

// cardWriter writes the lines of a board's health.
type cardWriter struct {
	*words.Language
	odds.Health
	rules rules.Rules
}

func (w cardWriter) longest() bot.Text {
	var all []bot.Text
	for _, kind := range []struct {
		odds.Jumps
		key words.Key
	}{{w.Ladders, words.CardLadder}, {w.Snakes, words.CardSnake}} {
		if kind.Count > 0 {
			all = append(all, w.Text(kind.key, words.N("a", kind.Longest.From), words.N("b", kind.Longest.To)))
		}
	}
	return words.Join(" · ", all...)
}

// lengths tells how long it takes, as far as it could be had.
func (w cardWriter) lengths() (lines boardCard) {
	for _, of := range []struct {
		odds.Goes
		key      words.Key
		decimals int
		spare    int
	}{{w.One, words.CardOne, 3, 0}, {w.Two.Goes, words.CardTwo, 1, spareTwo}, {w.Four.Goes, words.CardFour, 1, spareFour}} {
		if of.Mean.Basis == odds.Unknown {
			continue
		}
		span := bot.Text(nil)
		if of.Median.Basis != odds.Unknown && of.Most.Basis != odds.Unknown {
			span = w.Text(words.CardSpan, words.S("median", w.figure(of.Median, 0)), words.S("most", w.figure(of.Most, 0)))
		}
		until := bot.Text(nil)
		if w.rules.Finish != rules.First && of.key != words.CardOne {
			until = w.Text(words.CardUntilFirst)
		}
		lines = append(lines, cardLine{w.Text(of.key, words.S("mean", w.figure(of.Mean, of.decimals)), words.T("until", until), words.T("span", span)), of.spare})
	}
	if w.rules.Finish == rules.All && w.One.Mean.Basis != odds.Unknown {
		// Each seat throws until it is home, and no longer.
		lines = append(lines, cardLine{w.Text(words.CardAll, words.S("n2", w.figure(times(2, w.One.Mean), 1)), words.S("n4", w.figure(times(4, w.One.Mean), 1))), spareTwo})
	}
	if w.Two.First.Basis != odds.Unknown && w.Four.First.Basis != odds.Unknown {
		lines = append(lines, cardLine{w.Text(words.CardFirst, words.S("two", w.figure(percent(w.Two.First), 1)), words.S("four", w.figure(percent(w.Four.First), 1))), spareFirst})
	}
	return lines
}

func percent(f odds.Figure) odds.Figure { return times(100, f) }

// times returns so many times a figure.
func times(n float64, f odds.Figure) odds.Figure {
	f.Value, f.Error = n*f.Value, n*f.Error
	return f
}

// figure writes a figure with so many decimals: an estimated one with its error,
// rounded up, and no decimals that mean nothing. Of what nobody will ever see, three digits do.
func (w cardWriter) figure(f odds.Figure, decimals int) string {
	switch {
	case f.Value >= 1e12:
		return strconv.FormatFloat(f.Value, 'g', 3, 64)
	case f.Value >= 1e5:
		decimals = 0
	}
	if f.Basis != odds.Estimated {
		return strconv.FormatFloat(f.Value, 'f', decimals, 64)
	}
	decimals = min(decimals, max(0, int(math.Ceil(-math.Log10(max(f.Error, 1e-9))))))
	step := math.Pow10(decimals)
	return w.Words(words.CardEstimate, words.S("x", strconv.FormatFloat(f.Value, 'f', decimals, 64)),
		words.S("error", strconv.FormatFloat(math.Ceil(f.Error*step)/step, 'f', decimals, 64)))
}

// reach tells the shortest way and how much of the board is ever seen.
func (w cardWriter) reach(endless bool) bot.Text {
	if endless && w.Reach.Throws < 0 {
		return nil
	}
	share := strconv.FormatFloat(100*w.Reach.Share, 'f', 0, 64)
	return w.Text(words.CardFewest, words.N("n", w.Reach.Throws), words.S("share", share))
}

// warnings tells what whoever made the board may not have meant.
func (w cardWriter) warnings() (lines boardCard) {
	switch mean := w.One.Mean; {
	case mean.Basis == odds.Unknown:
	case mean.Value >= longGoes:
		lines = append(lines, cardLine{w.Text(words.CardLong), spareWarnings})
	case mean.Value < shortGoes:
		lines = append(lines, cardLine{w.Text(words.CardShort), spareWarnings})
	}
	var unused []string
	for i, j := range w.Reach.Unused {
		if i == namedSquares {
			break
		}
		unused = append(unused, fmt.Sprintf("%d → %d", j.From, j.To))
	}
	jumps := words.S("jumps", strings.Join(unused, ", "))
	switch more := len(w.Reach.Unused) - namedSquares; {
	case more > 0:
		lines = append(lines, cardLine{w.Text(words.CardUnusedMany, jumps, words.N("n", more)), spareWarnings})
	case len(unused) > 0:
		lines = append(lines, cardLine{w.Text(words.CardUnused, jumps), spareWarnings})
	}
	for _, f := range []odds.Figure{w.One.Mean, w.One.Median, w.Two.Mean, w.Four.Mean} {
		if f.Basis == odds.Estimated {
			lines = append(lines, cardLine{w.Text(words.CardEstimated), mostSpare})
			break
		}
	}
	return lines
}
