package engine

import (
	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// command is a row of the command table: what platforms need to know of it,
// and what it does.
type command struct {
	bot.Command
	aliases []string
	acts    bool // it may change a match, so that a repeated delivery must be recognised
	apart   bool // it concerns no match, so it's run without the channel's lock
	long    bool // it may carry a board
	sits    bool // it is for somebody who has a seat or takes one
	run     func(*call, *table) (result, error)
}

// commandTable returns all commands, by their names and aliases, and in the
// order in which they are listed.
func commandTable(l *words.Language) (map[string]*command, []bot.Command) {
	rows := []command{
		{Command: bot.Command{Name: "newgame", Menus: bot.InGroups | bot.InPrivate, Options: newgameOptions()}, aliases: []string{"new"}, acts: true, sits: true, run: (*call).newgame},
		{Command: bot.Command{Name: "join", Menus: bot.InGroups}, acts: true, sits: true, run: (*call).join},
		{Command: bot.Command{Name: "leave", Menus: bot.InGroups}, acts: true, sits: true, run: (*call).leave},
		{Command: bot.Command{Name: "roll", Menus: bot.InGroups | bot.InPrivate}, acts: true, sits: true, run: (*call).roll},
		{Command: bot.Command{Name: "board", Menus: bot.InGroups}, run: (*call).board},
		{Command: bot.Command{Name: "status", Menus: bot.InGroups}, run: (*call).status},
		{Command: bot.Command{Name: "replay", Menus: bot.InGroups | bot.InPrivate, Options: []bot.Option{
			{Name: "seed", Suggests: true}, {Name: "go", Kind: bot.Number, Least: 1, Most: 10_000},
			{Name: "board", Keyed: true, Choices: shippedNames(), Suggests: true},
		}}, run: (*call).replay},
		{Command: bot.Command{Name: "odds", Menus: bot.InGroups}, apart: true, run: (*call).odds},
		{Command: bot.Command{Name: "history"}, run: (*call).history},
		{Command: bot.Command{Name: "fair", Options: []bot.Option{{Name: "seed", Suggests: true}}}, run: (*call).fair},
		{Command: bot.Command{Name: "autoroll", Options: []bot.Option{{Name: "switch", Choices: []string{"on", "off", "always", "never"}}}}, acts: true, sits: true, run: (*call).autoroll},
		{Command: bot.Command{Name: "boards", Menus: bot.InPrivate | bot.ForAdmins, Subs: boardsSubs()}, apart: true, long: true, run: (*call).boards},
		{Command: bot.Command{Name: "addbot"}, acts: true, run: (*call).addBot},
		{Command: bot.Command{Name: "nudge"}, run: (*call).nudge},
		{Command: bot.Command{Name: "calls", Options: []bot.Option{{Name: "calls", Choices: []string{"on", "off"}}}}, apart: true, run: (*call).calls},
		{Command: bot.Command{Name: "settings", Menus: bot.InPrivate | bot.ForAdmins, Admins: true, Options: settingsOptions()}, apart: true, run: (*call).changeSettings},
		{Command: bot.Command{Name: "cancel", Menus: bot.ForAdmins}, aliases: []string{"endgame"}, acts: true, run: (*call).cancel},
		{Command: bot.Command{Name: "unseat", Menus: bot.ForAdmins, Options: []bot.Option{{Name: "player", Kind: bot.Person}}}, acts: true, run: (*call).unseat},
		{Command: bot.Command{Name: "rules", Shared: true}, run: (*call).rules},
		{Command: bot.Command{Name: "help", Menus: bot.InGroups | bot.InPrivate, Options: []bot.Option{{Name: "topic", Choices: helpTopics()}}}, run: (*call).help},
		{Command: bot.Command{Name: "start"}, run: (*call).start},
	}
	byName := make(map[string]*command)
	listed := make([]bot.Command, 0, len(rows))
	for _, row := range rows {
		describe(l, &row.Command, row.Name)
		byName[row.Name] = &row
		for _, a := range row.aliases {
			byName[a] = &row
		}
		listed = append(listed, row.Command)
	}
	// These are only on buttons.
	for name, run := range map[string]func(*call, *table) (result, error){
		"rematch": (*call).rematch, "playon": (*call).playOn, "pace": (*call).slower,
	} {
		byName[name] = &command{Command: bot.Command{Name: name}, acts: true, sits: true, run: run}
	}
	// Other bots own this word too, so it is ours only where we are named.
	kick := *byName["unseat"]
	kick.Shared = true
	byName["kick"] = &kick
	return byName, listed
}

// describe says of a command what it and its options are for.
func describe(l *words.Language, c *bot.Command, name string) {
	c.Summary = l.Words(words.Key("command." + name))
	for i := range c.Options {
		c.Options[i].Summary = l.Words(words.Key("option." + c.Options[i].Name))
	}
	for i := range c.Subs {
		describe(l, &c.Subs[i], name+"."+c.Subs[i].Name)
	}
}

// boardsSubs returns what can be done with the boards of a chat.
func boardsSubs() []bot.Command {
	anyBoard := bot.Option{Name: "board", Choices: shippedNames(), Suggests: true}
	board := anyBoard
	board.Needed = true
	return []bot.Command{
		{Name: "list"},
		{Name: "show", Options: append([]bot.Option{board}, rulesOptions()...)},
		{Name: "upload", Options: []bot.Option{
			{Name: "file", Kind: bot.File}, {Name: "replace", Choices: []string{"replace"}}, {Name: "line", Kind: bot.Line},
		}},
		{Name: "remove", Options: []bot.Option{board}},
		{Name: "export", Options: []bot.Option{board, {Name: "format", Choices: []string{"yaml", "json", "csv", "line"}}}},
		{Name: "random", Options: planOptions()},
		{Name: "default", Options: []bot.Option{anyBoard}},
	}
}

func settingsOptions() []bot.Option {
	var keys []string
	for _, s := range chatSettings() {
		keys = append(keys, s.key)
	}
	return []bot.Option{{Name: "setting", Choices: keys}, {Name: "value", Kind: bot.Line}}
}

func newgameOptions() []bot.Option {
	board := bot.Option{Name: "board", Choices: append(shippedNames(), randomBoard), Suggests: true}
	bots := bot.Option{Name: "bots", Kind: bot.Number, Keyed: true, Least: 0, Most: rules.MaxSeats - 1}
	return append(append([]bot.Option{board}, append(rulesOptions(), bots)...), planOptions()...)
}

func rulesOptions() []bot.Option {
	return []bot.Option{
		{Name: "rules", Choices: rules.Sets()},
		{Name: "dice", Kind: bot.Number, Keyed: true, Least: 1, Most: 10},
		{Name: "sides", Kind: bot.Number, Keyed: true, Least: 2, Most: 100},
		{Name: "end", Keyed: true, Choices: []string{"exact", "overshoot", "bounce"}},
		{Name: "bonus", Keyed: true, Choices: []string{"none", "max", "doubles"}},
		{Name: "void", Kind: bot.Number, Keyed: true, Least: 0, Most: 10},
		{Name: "finish", Keyed: true, Choices: []string{"first", "last", "all"}},
		{Name: "seats", Kind: bot.Number, Keyed: true, Least: 1, Most: 16},
		{Name: "solo", Keyed: true, Choices: []string{"no", "yes"}},
	}
}

func planOptions() []bot.Option {
	return []bot.Option{
		{Name: "size", Kind: bot.Number, Keyed: true, Least: 2, Most: 10000},
		{Name: "ladders", Kind: bot.Number, Keyed: true, Least: 0, Most: 5000},
		{Name: "snakes", Kind: bot.Number, Keyed: true, Least: 0, Most: 5000},
		{Name: "goes", Kind: bot.Number, Keyed: true, Least: 2, Most: mostGoes},
	}
}
