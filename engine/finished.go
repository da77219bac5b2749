package engine

import (
	"fmt"
	"strconv"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// listedMatches is how many finished matches /replay lists, and readMatches how
// many it reads for that: of some there's nothing to watch.
const listedMatches, readMatches = 5, 20

// finished is a match that can be watched again.
type finished struct {
	rec  Record
	game *rules.Game
}

// finished returns this chat's last matches, newest first, as /replay numbers
// them. One that can't be read stops nobody from seeing the others.
func (c *call) finished() ([]finished, error) {
	recs, err := c.Store.Finished(c.ctx, c.Channel.Chat, readMatches)
	if err != nil {
		return nil, fmt.Errorf("listing matches: %w", err)
	}
	var all []finished
	for _, rec := range recs {
		game, _, err := c.fold(c.ctx, rec)
		if err != nil || game.Goes() == 0 {
			continue
		}
		if all = append(all, finished{rec, game}); len(all) == listedMatches {
			break
		}
	}
	return all, nil
}

// replayList lists this chat's last matches to choose from.
func (c *call) replayList() (result, error) {
	all, err := c.finished()
	if err != nil {
		return result{}, err
	}
	if len(all) == 0 {
		return result{}, no(words.ReplayNone)
	}
	lines := []bot.Text{c.words.Text(words.ReplayList)}
	var row []bot.Button
	for i, f := range all {
		lines = append(lines, c.finishedRow(i, f))
		row = append(row, bot.Button{Label: strconv.Itoa(i + 1), Line: fmt.Sprintf("replay #%d", f.rec.ID)})
	}
	answer := private(bot.Lines(lines...))
	answer.Asker.Buttons = [][]bot.Button{row}
	return result{answer: answer}, nil
}

// numbered returns the record that stands in the list under a number, which
// people type as they read it.
func (c *call) numbered(n int) (Record, error) {
	all, err := c.finished()
	switch {
	case err != nil:
		return Record{}, err
	case len(all) == 0:
		return Record{}, no(words.ReplayNone)
	case n < 1 || n > len(all):
		return Record{}, no(words.NoSuchRow, words.N("n", len(all)))
	}
	return all[n-1].rec, nil
}
