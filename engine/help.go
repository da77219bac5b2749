package engine

import (
	"strings"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine/words"
)

// rules tells how the game is played, here and in general.
func (c *call) rules(t *table) (result, error) {
	lines := []bot.Text{c.words.Text(words.HelpRules)}
	if t.playing() {
		lines = append(lines, c.words.Text(words.HelpRulesHere,
			words.T("rules", rulesLine(c.words, t.game.Rules(), t.game.Track().Board()))))
	} else {
		w, err := c.wish(nil)
		if err != nil {
			return result{}, err
		}
		b, _ := boards.Find("classic")
		if w.board != randomBoard {
			if b, err = c.pick(w.board); err != nil {
				return result{}, err
			}
		}
		lines = append(lines, c.words.Text(words.HelpRulesNew, words.T("rules", rulesLine(c.words, w.rules, b))))
	}
	return show(bot.Lines(append(lines, c.words.Text(words.HelpRulesSets), c.words.Text(words.HelpRulesKeys))...))
}

func helpTopics() []string { return []string{"rules", "boards", "fair", "admins", "all"} }

// help tells how Hiss works, or about one topic.
func (c *call) help(t *table) (result, error) {
	topic := ""
	if len(c.Args) > 0 {
		topic = strings.ToLower(c.Args[0])
	}
	switch topic {
	case "":
	case "rules":
		return c.rules(t)
	case "boards":
		answer, err := c.listBoards(nil)
		return result{answer: answer}, err
	case "fair":
		return show(c.words.Text(words.HelpFair))
	case "admins":
		return show(c.words.Text(words.HelpAdmins))
	case "all":
		lines := []bot.Text{c.words.Text(words.HelpAll)}
		for _, cmd := range c.listed {
			lines = append(lines, c.words.Text(words.HelpCommand, words.S("name", cmd.Name), words.S("summary", cmd.Summary)))
		}
		return show(bot.Lines(lines...))
	default:
		return result{}, no(words.HelpNoTopic, words.S("x", shorten(topic)))
	}
	answer := private(bot.Lines(c.words.Text(words.Help), c.words.Text(words.HelpBody)))
	answer.Asker.Buttons = c.topics()
	return result{answer: answer}, nil
}

// topics returns the buttons of the help topics.
func (c *call) topics() [][]bot.Button {
	return [][]bot.Button{{
		c.button(words.ButtonRules, "help rules"), c.button(words.ButtonBoards, "help boards"),
		c.button(words.ButtonFair, "help fair"), c.button(words.ButtonAdmins, "help admins"),
		c.button(words.ButtonAll, "help all"),
	}}
}

// start says hello: to one person in private, to everybody in a group. Where a
// match is on it brings its buttons down.
func (c *call) start(t *table) (result, error) {
	how := c.button(words.ButtonHow, "help")
	if c.Alone {
		add := c.button(words.ButtonAddMe, "")
		add.Opens = bot.AnotherChat
		answer := private(c.words.Text(words.Start, words.T("name", c.words.Name(c.User.Name))))
		answer.Asker.Buttons = [][]bot.Button{{c.button(words.ButtonPlayHere, "newgame"), how}, {add}}
		return result{answer: answer}, nil
	}
	m := bot.Message{
		Said:    c.words.Text(words.Added),
		Buttons: [][]bot.Button{{c.button(words.ButtonNewMatch, "newgame"), how}},
	}
	if t.playing() {
		m = c.live(t)
		m.Said = c.words.Text(words.AddedOn)
	}
	return result{answer: bot.Answer{Channel: []bot.Message{m}}}, nil
}
