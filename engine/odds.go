package engine

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"hiss/bot"
	"hiss/engine/odds"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// What is told and remembered of chances.
const (
	longestMatch = 1e6     // goes; of longer ones nobody needs to know how long
	maxTable     = 1 << 20 // bytes of a table of chances that is remembered
	maxTables    = 32      // are remembered
)

// odds tells everybody's chance to be home first, as the match stands.
func (c *call) odds(*table) (result, error) {
	game, v, err := c.snapshot()
	switch {
	case err != nil:
		return result{}, err
	case game == nil:
		return result{}, no(words.NoMatch)
	case game.Phase() == rules.Finished:
		return result{}, no(words.OddsOver)
	}
	answer, err := c.errand(c.words.Words(words.OddsWhat), func(c *call) bot.Answer {
		text, err := c.chances(game, v)
		return c.outcome(private(text), err)
	})
	return result{answer: answer}, err
}

// snapshot returns the channel's match as it stands, nil if there's none.
func (c *call) snapshot() (*rules.Game, teller, error) {
	t := c.at(c.Channel)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := c.load(t); err != nil || t.game == nil {
		return nil, teller{}, err
	}
	game, v := t.game.Clone(), c.teller(t)
	if t.rec.Channel != t.channel {
		t.drop() // a former id of the chat: the match has its table under the present one
	}
	return game, v, nil
}

// chances returns the lines of everybody's chances.
func (c *call) chances(g *rules.Game, v teller) (bot.Text, error) {
	tokens := make([]rules.Token, g.Seats())
	home := false
	for i := range tokens {
		s := g.Seat(i)
		tokens[i] = rules.Token{Square: s.Square, Shield: s.Shield}
		if home = home || s.Home; !s.Playing() {
			tokens[i] = rules.Token{Square: rules.Out}
		}
	}
	end, err := c.errands.think(c.ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	chances, goes, off, err := c.standing(g.Track(), tokens, g.Turn())
	if errors.Is(err, odds.ErrLong) {
		return nil, no(words.OddsNone)
	}
	if err != nil {
		return nil, err
	}
	var all []bot.Text
	for i, x := range tenths(chances) {
		if g.Seat(i).Playing() {
			all = append(all, c.words.Text(words.OddsRow, words.T("name", v.names.Short(i)), words.S("x", x)))
		}
	}
	key := words.OddsLine
	if home {
		key = words.OddsNext
	}
	lines := c.words.Text(key, words.T("chances", words.Join(" · ", all...)))
	if goes < longestMatch {
		lines = bot.Lines(lines, c.words.Text(words.OddsGoes, words.S("x", strconv.FormatFloat(goes, 'f', 0, 64))))
	}
	if off > 0 {
		lines = bot.Lines(lines, c.words.Text(words.OddsEstimated, words.S("x", strconv.FormatFloat(100*off, 'f', 1, 64))))
	}
	return lines, nil
}

// standing works out the chances and how many goes are left, or estimates them:
// then off is the greatest error of a chance.
func (c *call) standing(track *rules.Track, tokens []rules.Token, turn int) (chances []float64, goes, off float64, err error) {
	chances = make([]float64, len(tokens))
	t, err := c.tracks.table(track)
	if err == nil {
		if goes, err = t.First(chances, tokens, turn); err == nil {
			return chances, goes, 0, nil
		}
	}
	// A board that is too large, goes on for too long, or lets seats pass each other over.
	played, err := odds.EstimateFirst(track, tokens, turn)
	if err != nil {
		return nil, 0, 0, err
	}
	for i, f := range played.Chances {
		chances[i], off = f.Value, max(off, f.Error)
	}
	return chances, played.Goes.Value, off, nil
}

// table returns the table of a track's chances. Small ones are remembered.
func (t *tracks) table(track *rules.Track) (*odds.Table, error) {
	key := trackKey{track.Board().Hash(), track.Rules().Notation()}
	t.mu.Lock()
	known := t.tables[key]
	t.mu.Unlock()
	if known != nil {
		return known, nil
	}
	chain, err := odds.New(track)
	if err != nil {
		return nil, err
	}
	table, err := chain.Table()
	if err == nil && table.Bytes() <= maxTable {
		t.mu.Lock()
		if t.tables == nil || len(t.tables) >= maxTables {
			t.tables = make(map[trackKey]*odds.Table)
		}
		t.tables[key] = table
		t.mu.Unlock()
	}
	return table, err
}

// tenths writes chances in per cent with one decimal, so that they add up to 100.0:
// those that lost most by being cut get a tenth more.
func tenths(chances []float64) []string {
	whole, order, left := make([]int, len(chances)), make([]int, len(chances)), 1000
	for i, p := range chances {
		whole[i], order[i] = int(1000*p), i
		left -= whole[i]
	}
	lost := func(i int) float64 { return 1000*chances[i] - float64(whole[i]) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(lost(b), lost(a)) })
	for _, i := range order[:max(0, min(left, len(order)))] {
		whole[i]++
	}
	all := make([]string, len(chances))
	for i, n := range whole {
		all[i] = strconv.FormatFloat(float64(n)/10, 'f', 1, 64)
	}
	return all
}
