package engine

import (
	"strings"
	"unicode/utf16"

	"hiss/boards"
	"hiss/bot"
)

// captionUnits is how many UTF-16 units of a card stand with a picture: a little fewer
// than the 1,024 that platforms have room for.
const captionUnits = 1000

// cardLine is a line of a board's card, or a few. The more it can be spared, the sooner
// it's left out where there's little room; one of spare 0 never is.
type cardLine struct {
	text  bot.Text
	spare int
}

// The lines of a card, by how much they can be spared.
const (
	spareFour = iota + 1
	spareFirst
	spareEffects
	spareWarnings
	spareLongest
	spareAbout
	spareTwo
	spareFewest
	mostSpare
)

// boardCard is a board's card.
type boardCard []cardLine

// whole returns all of a card.
func (k boardCard) whole() bot.Text {
	all, _ := k.without(mostSpare + 1)
	return all
}

// without returns the lines that can be spared less than that, and the others.
func (k boardCard) without(spare int) (kept, left bot.Text) {
	for _, line := range k {
		if line.spare < spare {
			kept = bot.Lines(kept, line.text)
		} else {
			left = bot.Lines(left, line.text)
		}
	}
	return kept, left
}

// within returns the lines that have so much room together, and the others.
func (k boardCard) within(room int) (kept, left bot.Text) {
	for spare := mostSpare + 1; spare > 0; spare-- {
		if kept, left = k.without(spare); units(kept) <= room {
			break
		}
	}
	return kept, left
}

// units counts UTF-16 code units, as platforms do, those of the dressing included.
func units(t bot.Text) (n int) {
	for _, s := range t {
		n += len(utf16.Encode([]rune(s.Text)))
	}
	return n
}

// carded puts a board's card and picture on a message. Where there's a picture the card
// is as short as its caption has to be; all of it stands where none is shown.
func (c *call) carded(m *bot.Message, b boards.Board, card boardCard) {
	m.Said = card.whole()
	if c.bare(m, b); m.Picture == nil {
		return
	}
	room := captionUnits - units(m.Now)
	jumps := bot.Text{{Kind: bot.Code, Text: strings.Join(listed(b), "\n")}}
	if len(jumps[0].Text) > 0 && units(bot.Lines(m.Said, jumps)) < room {
		m.Now, m.Picture.Instead = bot.Lines(jumps, m.Now), bot.Text{{Kind: bot.Code, Text: b.Grid(nil)}}
		return
	}
	kept, left := card.within(room)
	m.Said, m.Picture.Instead = kept, bot.Lines(left, m.Picture.Instead)
}
