package engine

import (
	"strconv"
	"strings"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine/words"
)

// namedSquares is how many squares of one effect are named before their number
// has to do.
const namedSquares = 6

// effectsLine says which squares of a board do what, in sentences. It is nil
// where none does anything.
func effectsLine(l *words.Language, b boards.Board) bot.Text {
	squares := make(map[boards.Effect][]string)
	for _, s := range b.Specials {
		squares[s.Effect] = append(squares[s.Effect], strconv.Itoa(s.Square))
	}
	var all []bot.Text
	for _, kind := range []struct {
		effect boards.Effect
		key    words.Key
	}{
		{boards.Skip, words.RulesSkip}, {boards.Shield, words.RulesShield},
		{boards.Again, words.RulesAgain}, {boards.Back, words.RulesBack},
	} {
		list := squares[kind.effect]
		n := words.N("n", len(list))
		which := l.Text(words.RulesSquares, n, words.S("squares", strings.Join(list, ", ")))
		if len(list) > namedSquares {
			which = l.Text(words.RulesMany, n)
		}
		if len(list) > 0 {
			all = append(all, l.Text(kind.key, n, words.T("squares", which)))
		}
	}
	return words.Join(" ", all...)
}
