package engine

import (
	"strings"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// suggest returns what the asker could type for the option that they are typing:
// boards, and the seeds of this chat's finished matches.
func (c *call) suggest() []bot.Suggestion {
	typed, word := "", ""
	if n := len(c.Args); n > 0 {
		word, typed = c.Args[0], strings.ToLower(c.Args[n-1])
	}
	var all []bot.Suggestion
	switch c.Completing {
	case "board":
		l, err := c.library()
		if err != nil {
			c.Log.Warn("looking for boards to suggest", "channel", c.Channel, "error", err)
		}
		names := l.names()
		switch {
		case c.Command == "boards" && word == "remove":
			names = l.own
		case c.Command == "newgame" || c.Command == "boards" && word == "default":
			names = append(names, randomBoard)
		}
		for _, name := range names {
			all = append(all, bot.Suggestion{Label: name, Value: name})
		}
	case "seed":
		all = c.seeds()
	}
	var fit []bot.Suggestion
	for _, s := range all {
		if strings.Contains(strings.ToLower(s.Label+" "+s.Value), typed) {
			fit = append(fit, s)
		}
	}
	return fit
}

// seeds returns this chat's finished matches by their seeds. Where they can't be
// read there's nothing to suggest.
func (c *call) seeds() (all []bot.Suggestion) {
	found, err := c.finished()
	if err != nil {
		c.Log.Warn("looking for seeds to suggest", "channel", c.Channel, "error", err)
		return nil
	}
	for i, f := range found {
		seed, _ := rules.ParseSeed(f.rec.Seed)
		all = append(all, bot.Suggestion{Label: c.finishedRow(i, f).String(), Value: seed.String()})
	}
	return all
}

// finishedRow returns the line of a finished match in a list.
func (c *call) finishedRow(i int, f finished) bot.Text {
	fills := []words.Fill{
		words.N("k", i+1), words.S("date", f.rec.Opened.UTC().Format("2006-01-02")),
		words.S("board", words.Title(f.game.Track().Board().Shown())), words.N("n", f.game.Goes()),
	}
	key := words.ReplayRowOver
	if w := f.game.Winner(); w >= 0 {
		key = words.ReplayRow
		fills = append(fills, words.T("name", c.archivist(f.rec, false).names.Short(w)))
	}
	return c.words.Text(key, fills...)
}
