package engine

import (
	"errors"
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
	plan  boards.Plan
	rules rules.Rules
	bare  bool // nothing was said
}

// wishWords are the words of a /newgame, sorted.
type wishWords struct {
	board, set string
	settings   []rules.Given
	plan       map[string]string // of a random board: size, ladders, snakes
}

// parseWish reads the arguments of /newgame: a board, then a set of rules, then
// key=value, each key once. Alone says that nobody else can be there.
func parseWish(args []string, alone bool) (wish, error) {
	said, err := sortWish(args)
	if err != nil {
		return wish{}, err
	}
	w := wish{board: "classic", bare: len(args) == 0}
	set := "family"
	if alone {
		set = "plain"
		if w.bare {
			w.board = "sprint"
		}
	}
	if said.set != "" {
		set = said.set
	}
	w.rules, _ = rules.Set(set)
	if w.rules, err = w.rules.With(said.settings); err != nil {
		return wish{}, badOption(err)
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
func sortWish(args []string) (wishWords, error) {
	said := wishWords{plan: make(map[string]string)}
	for _, arg := range args {
		key, value, keyed := strings.Cut(arg, "=")
		key = strings.ToLower(key)
		switch {
		case !keyed:
			if err := said.bare(strings.ToLower(arg)); err != nil {
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
			if !isBoard(value) {
				return said, noBoard(value, []string{randomBoard})
			}
			said.board = strings.ToLower(value)
		case key == "size" || key == "ladders" || key == "snakes":
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
func (s *wishWords) bare(word string) error {
	_, isSet := rules.Set(word)
	switch {
	case s.board == "" && s.set == "" && isBoard(word):
		s.board = word
	case s.set == "" && isSet:
		s.set = word
	case s.board == "" && s.set == "":
		return noBoard(word, append(rules.Sets(), randomBoard))
	default:
		if near, ok := nearest(word, rules.Sets()); ok && s.set == "" {
			return no(words.NoRules, words.S("x", shorten(word)), words.S("y", near))
		}
		return no(words.BadWord, words.S("x", shorten(word)))
	}
	return nil
}

func isBoard(name string) bool {
	return strings.EqualFold(name, randomBoard) || slices.Contains(shippedNames(), strings.ToLower(name))
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

// noBoard returns the refusal of a board that there's not. Others are the words
// that would do as well.
func noBoard(name string, others []string) error {
	x := words.S("x", shorten(name))
	if near, ok := nearest(name, append(shippedNames(), others...)); ok {
		return no(words.NoBoard, x, words.S("y", near))
	}
	if len(others) > 1 {
		return no(words.NoBoardLike, x, words.S("sets", strings.Join(rules.Sets(), ", ")))
	}
	return no(words.NoBoardNone, x)
}

// parsePlan reads what a random board is to have.
func parsePlan(given map[string]string) (boards.Plan, error) {
	plan := boards.Plan{Size: boards.DefaultSize, Ladders: 9, Snakes: 9}
	if _, sized := given["size"]; sized {
		plan.Ladders, plan.Snakes = -1, -1 // as many as suit it, below
	}
	for key, to := range map[string]*int{"size": &plan.Size, "ladders": &plan.Ladders, "snakes": &plan.Snakes} {
		value, ok := given[key]
		if !ok {
			continue
		}
		least, most := 0, boards.MaxSize/2
		if key == "size" {
			least, most = boards.MinSize, boards.MaxSize
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return plan, badRange(key, least, most, value)
		}
		*to = n
	}
	// A jump for about every eleven squares, as on the classic board.
	usual := min(plan.Size/11, boards.Room(plan.Size)/2)
	if plan.Ladders < 0 {
		plan.Ladders = usual
	}
	if plan.Snakes < 0 {
		plan.Snakes = usual
	}
	return plan, nil
}

// maxProof bounds the work of finding one random board that ends, so that no
// request takes more than a second.
const maxProof = 20_000_000

// proof estimates the work of drawing a board of that many squares and proving
// that it ends, in units of some 25 ns: each square is drawn, then looked at
// for each bonus in a row and for each total.
func proof(size int, r rules.Rules) int {
	rows := 1
	if r.Bonus != rules.NoBonus {
		rows += r.Void
	}
	return size * (200 + 16*rows + r.Dice*r.Sides)
}

// track returns the board and rules that were wished for, if a match on them
// ends for certain.
func (w wish) track(seed rules.Seed) (*rules.Track, error) {
	if w.board != randomBoard {
		b, _ := boards.Find(w.board)
		return compile(b, w.rules)
	}
	var track *rules.Track
	work := 0
	_, err := boards.Random(w.plan, seed.BoardDraws(), func(b boards.Board) bool {
		if work += proof(b.Size, w.rules); work > maxProof {
			track = nil
			return true // no more tries
		}
		t, err := rules.Compile(b, w.rules)
		if err != nil || t.Endless() != nil {
			return false
		}
		track = t
		return true
	})
	var room *boards.RoomError
	var unfit *boards.UnfitError
	switch {
	case errors.As(err, &room) && room.Room == 0:
		return nil, no(words.BadRandomNone, words.N("N", w.plan.Size))
	case errors.As(err, &room):
		return nil, no(words.BadRandomFit, words.N("N", w.plan.Size), words.N("n", room.Room))
	case errors.As(err, &unfit), err == nil && track == nil:
		return nil, w.hopeless()
	}
	return track, err
}

// longestLine is how many bytes a button's line may have.
const longestLine = 64

// again returns the command line that opens another match like one: on a board
// with a name, by the set of rules that differs least and what differs.
func again(t *rules.Track) string {
	line := "newgame"
	if isBoard(t.Board().Name) {
		line += " " + t.Board().Name
	}
	best, least := "", -1
	for _, name := range rules.Sets() {
		if differs := changes(name, t.Rules()); least < 0 || len(differs) < least {
			best, least = " "+name+differs, len(differs)
		}
	}
	if len(line+best) > longestLine {
		return line
	}
	return line + best
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

// hopeless says why no random board would do: the rules, if they don't even let
// everybody home on a board without jumps, or else the snakes.
func (w wish) hopeless() error {
	b, err := boards.ParseLine("size=" + strconv.Itoa(w.plan.Size))
	if err != nil {
		return err
	}
	if _, err := compile(b, w.rules); err != nil {
		return err
	}
	return no(words.BadRandomEnd)
}

// compile joins board and rules, or refuses a match that might never end.
func compile(b boards.Board, r rules.Rules) (*rules.Track, error) {
	track, err := rules.Compile(b, r)
	if err != nil {
		return nil, err
	}
	if endless := track.Endless(); endless != nil {
		return nil, mightNotEnd(r, endless)
	}
	return track, nil
}

func mightNotEnd(r rules.Rules, e *rules.Endless) error {
	l := words.English()
	dice := l.Words(words.DiceOne)
	if r.Dice > 1 {
		dice = l.Words(words.DiceMany, words.N("n", r.Dice))
	}
	fills := []words.Fill{
		words.N("sq", e.Square), words.S("dice", dice), words.S("end", l.Words(words.Key("end."+r.End.String()))),
	}
	if e.Mend == nil {
		return no(words.EndlessBoard, fills...)
	}
	return no(words.Endless, append(fills, words.S("mend", e.Mend.Key+"="+e.Mend.Value))...)
}
