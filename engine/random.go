package engine

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// randomBoard draws a board that can be kept.
func (c *call) randomBoard(args []string) (bot.Answer, error) {
	given := make(map[string]string)
	for _, arg := range args {
		key, value, keyed := strings.Cut(arg, "=")
		key = strings.ToLower(key)
		switch _, twice := given[key]; {
		case !keyed || !slices.Contains(planKeys(), key):
			return bot.Answer{}, no(words.BadExtra, words.S("x", shorten(arg)), words.S("command", "boards random"),
				words.S("what", strings.Join(planKeys(), "=… ")+"=…"))
		case twice:
			return bot.Answer{}, no(words.BadTwice, words.S("key", key))
		}
		given[key] = value
	}
	p, err := parsePlan(given)
	if err != nil {
		return bot.Answer{}, err
	}
	seed, err := c.Seed()
	if err != nil {
		return bot.Answer{}, err
	}
	return c.errand(c.words.Words(words.ThatBoard), func(c *call) bot.Answer {
		return c.outcome(c.offered(seed, p))
	})
}

// offered returns the card of a board drawn from a seed, to be kept or not.
func (c *call) offered(seed rules.Seed, p plan) (bot.Answer, error) {
	b, err := fromSeed(seed, p)
	if err != nil {
		return bot.Answer{}, err
	}
	plain, _ := rules.Set("plain")
	card, err := c.card(b, plain)
	if err != nil {
		return bot.Answer{}, err
	}
	key := words.BoardsDrawnHere
	if p.goes > 0 {
		key = words.BoardsDrawn
	}
	from := c.words.Text(key, words.S("seed", seed.String()), words.N("n", p.goes))
	answer := private(nil)
	answer.Asker.Now = from
	c.carded(answer.Asker, b, card)
	keep := c.button(words.ButtonKeep, "boards keep %s %s", seed.Digits(), p.packed())
	keep.Style = bot.Primary
	answer.Asker.Buttons = [][]bot.Button{{keep, c.button(words.ButtonAnother, "boards random%s", p.typed())}}
	return answer, nil
}

// fromSeed returns the board that a plan draws from a seed, by plain rules, under
// a name of its own: it isn't the board of a match.
func fromSeed(seed rules.Seed, p plan) (boards.Board, error) {
	w := wish{board: randomBoard, plan: p}
	w.rules, _ = rules.Set("plain")
	track, err := w.draw(seed)
	if err != nil {
		return boards.Board{}, err
	}
	return keepable(track.Board(), seed)
}

// keepable returns a board that was drawn under a name by which it can be kept.
func keepable(b boards.Board, seed rules.Seed) (boards.Board, error) {
	b.Name = "drawn-" + strings.ToLower(seed.Digits()[12:])
	b.Title = "Drawn " + seed.Digits()[12:]
	return b, b.Check()
}

// drawnForMatch reports whether a board was drawn for the match that is played on it,
// and has no name that anybody could type.
func drawnForMatch(b boards.Board) bool { return strings.HasPrefix(b.Name, randomBoard+"-") }

// numbers returns the values of a plan, in the order of planKeys; what isn't
// said is below 1 for goes and below 0 for the others.
func (p plan) numbers() []int { return []int{p.Size, p.Ladders, p.Snakes, p.goes} }

// packed writes a plan in few characters, for a button.
func (p plan) packed() string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(p.numbers()), "[]"), "-1", "-")
}

// unpacked reads what packed wrote.
func unpacked(args []string) (plan, bool) {
	given := make(map[string]string)
	for i, key := range planKeys() {
		if i < len(args) && args[i] != "-" && args[i] != "0" || i < len(args) && key != "goes" && args[i] == "0" {
			given[key] = args[i]
		}
	}
	p, err := parsePlan(given)
	return p, err == nil && len(args) == len(planKeys())
}

// typed writes a plan as people type it, each option behind a blank.
func (p plan) typed() string {
	line := ""
	for i, n := range p.numbers() {
		if n > 0 || n == 0 && planKeys()[i] != "goes" {
			line += " " + planKeys()[i] + "=" + strconv.Itoa(n)
		}
	}
	return line
}

// keepBoard puts a board that was drawn into the library: from a seed by a plan, or for
// a match that is over.
func (c *call) keepBoard(args []string) (bot.Answer, error) {
	if err := c.byAdmin(); err != nil {
		return bot.Answer{}, err
	}
	b, err := c.drawnBoard(args)
	if err != nil {
		return bot.Answer{}, err
	}
	switch kept, err := c.Store.ChatBoard(c.ctx, c.Channel.Chat, b.Name); {
	case err == nil && kept.Hash == b.Hash(): // somebody was faster, or it was pressed once more
		return bot.Answer{}, no(words.CardKept, words.S("board", words.Title(b.Shown())), words.S("name", b.Name))
	case err != nil && !errors.Is(err, ErrNotFound):
		return bot.Answer{}, fmt.Errorf("looking up board %s of %s: %w", b.Name, c.Channel.Chat, err)
	}
	d := Draft{Name: b.Name, Hash: b.Hash(), File: b.File(), By: c.User.ID, Sent: c.now}
	if err := c.Store.PutDraft(c.ctx, c.Channel.Chat, &d); err != nil {
		return bot.Answer{}, fmt.Errorf("keeping a draft: %w", err)
	}
	return c.decide([]string{strconv.FormatInt(d.ID, 10)}, Decision{Verdict: Approved})
}

// drawnBoard returns the board that the arguments of keep mean.
func (c *call) drawnBoard(args []string) (boards.Board, error) {
	if len(args) == 0 {
		return boards.Board{}, no(words.NoSeed)
	}
	if strings.HasPrefix(args[0], "#") {
		rec, err := c.sought(args[0])
		if err != nil {
			return boards.Board{}, err
		}
		track, err := c.tracks.of(c.ctx, rec.Board, rec.Rules)
		if err != nil {
			return boards.Board{}, err
		}
		seed, _ := rules.ParseSeed(rec.Seed)
		if b := track.Board(); drawnForMatch(b) {
			return keepable(b, seed)
		}
		return boards.Board{}, no(words.NoSeed)
	}
	seed, sown := rules.ParseSeed(args[0])
	p, planned := unpacked(args[1:])
	if !sown || !planned {
		return boards.Board{}, no(words.NoSeed)
	}
	return fromSeed(seed, p)
}
