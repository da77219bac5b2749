package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// boardsCommand is a word behind /boards.
type boardsCommand func(c *call, args []string) (bot.Answer, error)

// boardsCommands returns what can be done with the boards of a chat. The words
// for decisions are on buttons alone.
func boardsCommands() map[string]boardsCommand {
	return map[string]boardsCommand{
		"list": (*call).listBoards, "show": (*call).showBoard, "export": (*call).exportBoard,
		"upload": (*call).uploadBoard, "remove": (*call).removeBoard, "default": (*call).defaultBoard,
		"random": (*call).randomBoard, "keep": (*call).keepBoard,
		"approve": (*call).approveBoard, "replace": (*call).replaceBoard, "discard": (*call).discardBoard,
	}
}

// boards does what is asked about the chat's boards. A board's name alone shows
// it.
func (c *call) boards(*table) (result, error) {
	if len(c.Args) == 0 {
		answer, err := c.listBoards(nil)
		return result{answer: answer}, err
	}
	word, rest := strings.ToLower(c.Args[0]), c.Args[1:]
	does, known := boardsCommands()[word]
	if !known {
		l, err := c.library()
		switch {
		case err != nil:
			return result{}, err
		case len(rest) > 0 && !l.has(word):
			return result{}, no(words.BoardsWord, words.S("x", shorten(c.Args[0])))
		}
		does, rest = (*call).showBoard, c.Args
	}
	answer, err := does(c, rest)
	return result{answer: answer}, err
}

// listBoards lists the chat's boards, then those that come with Hiss.
func (c *call) listBoards([]string) (bot.Answer, error) {
	l, err := c.library()
	if err != nil {
		return bot.Answer{}, err
	}
	row := func(b boards.Board) bot.Text {
		key := words.BoardsRow
		if strings.EqualFold(b.Name, l.usual) {
			key = words.BoardsRowUsual
		}
		about := b.About
		if about == "" {
			about = b.Title
		}
		return c.words.Text(key, words.S("name", b.Name), words.N("N", b.Size), words.S("about", about))
	}
	lines := []bot.Text{c.words.Text(words.BoardsOwn)}
	for _, name := range l.own {
		b, err := c.pick(name)
		if err != nil {
			return bot.Answer{}, err
		}
		lines = append(lines, row(b))
	}
	if len(l.own) == 0 {
		lines[0] = c.words.Text(words.BoardsNone)
	}
	lines = append(lines, c.words.Text(words.HelpBoards))
	for _, b := range boards.Shipped() {
		lines = append(lines, row(b))
	}
	return private(bot.Lines(append(lines, c.words.Text(words.HelpRandom))...)), nil
}

// showBoard shows a board and its health under rules: plain ones, unless others
// are given behind its name.
func (c *call) showBoard(args []string) (bot.Answer, error) {
	if len(args) == 0 {
		return bot.Answer{}, no(words.BoardsWhich, words.S("what", "show"))
	}
	if strings.EqualFold(args[0], randomBoard) {
		return private(c.words.Text(words.HelpRandom)), nil
	}
	b, err := c.pick(args[0])
	if err != nil {
		return bot.Answer{}, err
	}
	r, err := parseRules(args[1:], "plain")
	if err != nil {
		return bot.Answer{}, err
	}
	return c.errand(words.Title(b.Shown()), func(c *call) bot.Answer {
		card, err := c.card(b, r)
		answer := private(nil)
		if err == nil {
			c.carded(answer.Asker, b, card)
		}
		return c.outcome(answer, err)
	})
}

// parseRules reads a set of rules and key=value behind it. What isn't said is as in the
// usual set.
func parseRules(args []string, usual string) (rules.Rules, error) {
	set := ""
	var settings []rules.Given
	for _, arg := range args {
		key, value, keyed := strings.Cut(arg, "=")
		switch key = strings.ToLower(key); {
		case key == "board" || key == "bots" || slices.Contains(planKeys(), key):
			return rules.Rules{}, no(words.BadRulesWord, words.S("x", shorten(arg)))
		case keyed && key != "rules":
			settings = append(settings, rules.Given{Key: key, Value: value})
			continue
		}
		if !keyed {
			value = arg
		}
		if set != "" {
			return rules.Rules{}, no(words.BadRulesWord, words.S("x", shorten(arg)))
		}
		if _, known := rules.Set(value); !known {
			return rules.Rules{}, noRules(value)
		}
		set = value
	}
	if set == "" {
		set = usual
	}
	r, _ := rules.Set(set)
	r, err := r.With(settings)
	if err != nil {
		return r, badOption(err, rules.Keys())
	}
	return r, nil
}

// noRules refuses a set of rules that there's not.
func noRules(typed string) error {
	if near, ok := nearest(typed, rules.Sets()); ok {
		return no(words.NoRules, words.S("x", shorten(typed)), words.S("y", near))
	}
	return no(words.BadRulesWord, words.S("x", shorten(typed)))
}

// exportBoard sends a board as a file.
func (c *call) exportBoard(args []string) (bot.Answer, error) {
	if len(args) == 0 {
		return bot.Answer{}, no(words.BoardsWhich, words.S("what", "export"))
	}
	b, err := c.pick(args[0])
	if err != nil {
		return bot.Answer{}, err
	}
	format, found := boards.YAML, len(args) < 2
	var formats []string
	for f := boards.YAML; f <= boards.Line; f++ {
		formats = append(formats, f.String())
		if len(args) > 1 && strings.EqualFold(strings.TrimPrefix(args[1], "format="), f.String()) {
			format, found = f, true
		}
	}
	if !found {
		return bot.Answer{}, no(words.BoardsFormat, words.S("formats", strings.Join(formats, ", ")), words.S("x", shorten(args[1])))
	}
	answer := private(c.words.Text(words.BoardsExport, words.S("board", words.Title(b.Shown()))))
	answer.Asker.Document = &bot.Document{Name: b.Name + "." + format.String(), Data: []byte(b.Format(format))}
	return answer, nil
}

// removeBoard takes a board out of the library.
func (c *call) removeBoard(args []string) (bot.Answer, error) {
	if err := c.byAdmin(); err != nil {
		return bot.Answer{}, err
	}
	if len(args) == 0 {
		return bot.Answer{}, no(words.BoardsWhich, words.S("what", "remove"))
	}
	l, err := c.library()
	if err != nil {
		return bot.Answer{}, err
	}
	err = c.Store.RemoveChatBoard(c.ctx, c.Channel.Chat, args[0])
	switch _, ships := boards.Find(args[0]); {
	case errors.Is(err, ErrNotFound) && ships:
		return bot.Answer{}, no(words.BoardsStays, words.S("name", strings.ToLower(args[0])))
	case errors.Is(err, ErrNotFound):
		if near, ok := nearest(args[0], l.own); ok {
			return bot.Answer{}, no(words.BoardsNotOwnNear, words.S("x", shorten(args[0])), words.S("y", near))
		}
		return bot.Answer{}, no(words.BoardsNotOwn, words.S("x", shorten(args[0])))
	case err != nil:
		return bot.Answer{}, fmt.Errorf("removing board %s: %w", args[0], err)
	}
	key := words.BoardsRemoved
	if strings.EqualFold(args[0], l.usual) {
		key = words.BoardsRemovedUsual
		// Another one of that name wouldn't be meant by what was set for this one.
		if err := c.keep(usualBoard, ""); err != nil {
			return bot.Answer{}, err
		}
	}
	return private(c.words.Text(key, words.S("name", strings.ToLower(args[0])))), nil
}

// defaultBoard says which board a match is opened on if nothing else is said.
func (c *call) defaultBoard(args []string) (bot.Answer, error) {
	if len(args) == 0 {
		w, err := c.wish(nil)
		if err != nil {
			return bot.Answer{}, err
		}
		return private(c.words.Text(words.BoardsUsualIs, words.S("name", w.board))), nil
	}
	if err := c.byAdmin(); err != nil {
		return bot.Answer{}, err
	}
	board, err := settingOf(usualBoard)
	if err != nil {
		return bot.Answer{}, err
	}
	name, err := c.set(board, args[0])
	if err != nil {
		return bot.Answer{}, err
	}
	c.bottom()
	return bot.Answer{Channel: []bot.Message{{Said: c.words.Text(words.BoardsUsual, words.S("name", name))}}}, nil
}

// drawn returns a board as text, with tokens on it, and the lists of what is on it.
func drawn(b boards.Board, tokens []boards.Token) bot.Text {
	return bot.Text{{Kind: bot.Code, Text: strings.Join(append([]string{b.Grid(tokens)}, listed(b)...), "\n")}}
}

// listed returns the lists of what is on a board.
func listed(b boards.Board) (all []string) {
	for _, list := range b.Lists() {
		all = append(all, list.String())
	}
	return all
}
