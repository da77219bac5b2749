package engine

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"hiss/boards"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// randomBoard is the word for a board drawn from the match's seed.
const randomBoard = "random"

// wish is what somebody who opens a match asked for.
type wish struct {
	board string // a name, or randomBoard
	plan  plan
	rules rules.Rules
	bots  int // computer players
}

// wishWords are the words of a /newgame, sorted.
type wishWords struct {
	board, set string
	bots       string
	settings   []rules.Given
	plan       map[string]string // of a random board: size, ladders, snakes, goes
}

// wish reads the arguments of /newgame.
func (c *call) wish(args []string) (wish, error) {
	l, err := c.library()
	if err != nil {
		return wish{}, err
	}
	s, err := c.settings()
	if err != nil {
		return wish{}, err
	}
	return parseWish(args, c.Alone, l, s.rules)
}

// parseWish reads the arguments of /newgame: a board, then a set of rules, then
// key=value, each key once. Usual is what the chat usually plays by. Alone says that nobody else can be there.
func parseWish(args []string, alone bool, l library, usual string) (wish, error) {
	said, err := sortWish(args, l)
	if err != nil {
		return wish{}, err
	}
	w := wish{board: "classic"}
	set := "family"
	if alone {
		set = "plain"
		if len(args) == 0 {
			w.board, w.bots = "sprint", 1
		}
	}
	if l.usual != "" {
		w.board = l.usual
	}
	w.rules, _ = rules.Set(set)
	switch usually, err := parseRules(strings.Fields(usual), set); {
	case said.set != "":
		w.rules, _ = rules.Set(said.set)
	case usual != "" && err == nil:
		w.rules = usually
	}
	if said.bots != "" {
		n, err := strconv.Atoi(strings.TrimSpace(said.bots))
		if err != nil || n < 0 || n >= rules.MaxSeats {
			return wish{}, badRange("bots", 0, rules.MaxSeats-1, strings.TrimSpace(said.bots))
		}
		w.bots = n
	}
	if w.rules, err = w.rules.With(said.settings); err != nil {
		return wish{}, badOption(err, append(append(rules.Keys(), "board", "bots"), planKeys()...))
	}
	w.rules.Solo = w.rules.Solo || alone
	if said.board != "" {
		w.board = said.board
	}
	if w.board != randomBoard {
		for key := range said.plan {
			return wish{}, no(words.BadRandomKey, words.S("key", key))
		}
	}
	w.plan, err = parsePlan(said.plan)
	return w, err
}

// sortWish tells boards, sets and settings apart.
func sortWish(args []string, l library) (wishWords, error) {
	said := wishWords{plan: make(map[string]string)}
	for _, arg := range args {
		key, value, keyed := strings.Cut(arg, "=")
		key = strings.ToLower(key)
		switch {
		case !keyed:
			if err := said.bare(strings.ToLower(arg), l); err != nil {
				return said, err
			}
		case key == "board" || key == "rules":
			if key == "board" && said.board != "" || key == "rules" && said.set != "" {
				return said, no(words.BadTwice, words.S("key", key))
			}
			if key == "rules" {
				if _, ok := rules.Set(value); !ok {
					return said, no(words.BadValue, words.S("key", key), words.S("what", strings.Join(rules.Sets(), ", ")), words.S("value", shorten(value)))
				}
				said.set = strings.ToLower(value)
				continue
			}
			if !l.has(value) {
				return said, l.lacks(value, []string{randomBoard})
			}
			said.board = strings.ToLower(value)
		case key == "bots":
			if said.bots != "" {
				return said, no(words.BadTwice, words.S("key", key))
			}
			said.bots = value + " "
		case slices.Contains(planKeys(), key):
			if _, twice := said.plan[key]; twice {
				return said, no(words.BadTwice, words.S("key", key))
			}
			said.plan[key] = value
		default:
			said.settings = append(said.settings, rules.Given{Key: key, Value: value})
		}
	}
	return said, nil
}

// bare takes a word without a key: a board if there's one of that name, else a
// set of rules.
func (s *wishWords) bare(word string, l library) error {
	_, isSet := rules.Set(word)
	switch {
	case s.board == "" && s.set == "" && l.has(word):
		s.board = word
	case s.set == "" && isSet:
		s.set = word
	case s.board == "" && s.set == "":
		return l.lacks(word, append(rules.Sets(), randomBoard))
	default:
		if near, ok := nearest(word, rules.Sets()); ok && s.set == "" {
			return no(words.NoRules, words.S("x", shorten(word)), words.S("y", near))
		}
		return no(words.BadWord, words.S("x", shorten(word)))
	}
	return nil
}

// shippedNames returns the names of the boards that come with Hiss, which are
// read once.
var shippedNames = sync.OnceValue(func() []string {
	var names []string
	for _, b := range boards.Shipped() {
		names = append(names, b.Name)
	}
	return slices.Clip(names)
})

// longestLine is how many bytes a button's line may have.
const longestLine = 64

// again returns the command line that opens another match like one: on a board
// with a name, by the set of rules that differs least and what differs, with as
// many computer players.
func again(g *rules.Game) string {
	line := "newgame"
	if b := g.Track().Board(); !drawnForMatch(b) {
		line += " " + b.Name
	}
	by := " " + rulesWords(g.Rules())
	if n := computers(g); n > 0 {
		by += " bots=" + strconv.Itoa(n)
	}
	if len(line+by) <= longestLine {
		return line + by
	}
	return line
}

// rulesWords returns what people would type for rules: the set that differs least,
// and what differs.
func rulesWords(r rules.Rules) string {
	best, least := "", -1
	for _, name := range rules.Sets() {
		if differs := changes(name, r); least < 0 || len(differs) < least {
			best, least = name+differs, len(differs)
		}
	}
	return best
}

// changes returns the options, each behind a blank, that make a set of rules
// into others.
func changes(set string, to rules.Rules) string {
	from, _ := rules.Set(set)
	solo := map[bool]string{true: "yes", false: "no"}
	var b strings.Builder
	for _, o := range [...]struct{ key, from, to string }{
		{"dice", strconv.Itoa(from.Dice), strconv.Itoa(to.Dice)},
		{"sides", strconv.Itoa(from.Sides), strconv.Itoa(to.Sides)},
		{"end", from.End.String(), to.End.String()},
		{"bonus", from.Bonus.String(), to.Bonus.String()},
		{"void", strconv.Itoa(from.Void), strconv.Itoa(to.Void)},
		{"finish", from.Finish.String(), to.Finish.String()},
		{"seats", strconv.Itoa(from.Seats), strconv.Itoa(to.Seats)},
		{"solo", solo[from.Solo], solo[to.Solo]},
	} {
		if o.from != o.to && !(o.key == "void" && to.Bonus == rules.NoBonus) {
			b.WriteString(" " + o.key + "=" + o.to)
		}
	}
	return b.String()
}

// compile joins board and rules, or refuses a match that might never end.
func compile(b boards.Board, r rules.Rules) (*rules.Track, error) {
	track, err := rules.Compile(b, r)
	if err != nil {
		return nil, err
	}
	if endless := track.Endless(); endless != nil {
		key, fills := endlessWords(words.English(), r, b, endless)
		return nil, no(key, fills...)
	}
	return track, nil
}

// endlessWords returns the sentence that says why a match might never end, and
// what would help.
func endlessWords(l *words.Language, r rules.Rules, b boards.Board, e *rules.Endless) (words.Key, []words.Fill) {
	dice := l.Words(words.DiceOne)
	if r.Dice > 1 {
		dice = l.Words(words.DiceMany, words.N("n", r.Dice))
	}
	fills := []words.Fill{
		words.N("sq", e.Square), words.S("dice", dice), words.S("end", l.Words(words.Key("end."+r.End.String()))),
	}
	switch {
	case e.Mend != nil:
		return words.Endless, append(fills, words.S("mend", e.Mend.Key+"="+e.Mend.Value))
	case slices.ContainsFunc(b.Specials, func(s boards.Special) bool { return s.Effect == boards.Back }):
		return words.EndlessBackToZero, fills
	}
	return words.EndlessBoard, fills
}
