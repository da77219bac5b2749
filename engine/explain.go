package engine

import (
	"context"
	"errors"
	"strings"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// refusal is an ordinary answer: what was asked can't be done, for a reason
// that has a sentence of its own. It is told privately and never logged.
type refusal struct {
	key   words.Key
	fills []words.Fill
}

func (r *refusal) Error() string { return string(r.key) }

// no returns a refusal.
func no(key words.Key, fills ...words.Fill) error { return &refusal{key, fills} }

// refused tells the asker why not. A nil error is told by silence.
func (c *call) refused(err error) bot.Answer {
	var r *refusal
	if !errors.As(err, &r) {
		return bot.Answer{}
	}
	answer := private(c.words.Text(r.key, r.fills...))
	answer.Asker.Alert = r.key == words.Unseated || r.key == words.AdminOnly
	return answer
}

// private is an answer that only the asker reads.
func private(t bot.Text) bot.Answer {
	return bot.Answer{Asker: &bot.Message{Said: t}}
}

// failed logs an error that is ours, once, and tells the asker what that means
// for them: it didn't count, or nobody knows.
func (c *call) failed(err error) bot.Answer {
	var bad unreadable
	switch {
	case errors.As(err, &bad):
		return private(c.words.Text(words.FailRecord)) // logged where it was found
	case errors.Is(err, ErrNotWritten), errors.Is(err, ErrConflict):
		c.Log.Error("a request didn't count", "request", c.ID, "channel", c.Channel, "command", c.Command, "error", err)
		return private(c.words.Text(words.FailLost))
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		c.Log.Warn("a request took too long", "request", c.ID, "channel", c.Channel, "command", c.Command, "error", err)
	default:
		c.Log.Error("a request failed", "request", c.ID, "channel", c.Channel, "command", c.Command, "error", err)
	}
	return private(c.words.Text(words.FailUnsure))
}

// seen turns what the rules refuse into a refusal with words.
func (c *call) seen(t *table, err error) error {
	var r *rules.Refusal
	if !errors.As(err, &r) {
		return err
	}
	l, g, names := c.words, t.game, t.names(c.words)
	name := func(gap string, seat int) words.Fill { return words.T(gap, names.Of(seat)) }
	switch r.Reason {
	case rules.NotYourGo:
		if at := t.clock().deadline(g); at.After(c.now) {
			return no(words.NotYourGoIn, name("name", r.Seat), words.T("when", c.when(at)))
		}
		return no(words.NotYourGo, name("name", r.Seat))
	case rules.NotSeated:
		if g.Joinable() {
			return no(words.NotSeatedJoin)
		}
		return no(words.NotSeated)
	case rules.AlreadyIn:
		return no(words.AlreadyIn, words.N("n", r.Seat+1))
	case rules.Full:
		if g.Rules().Seats == 1 {
			return no(words.FullOne)
		}
		return no(words.Full, words.N("n", g.Rules().Seats))
	case rules.TooLate:
		return no(words.TooLate)
	case rules.TooFew:
		return no(words.TooFew)
	case rules.WaitHost:
		return no(words.WaitHostUntil, name("host", r.Seat), words.T("when", c.when(t.clock().hostUntil(t))))
	case rules.GotUp:
		return no(words.GotUp)
	case rules.WasUnseated:
		return no(words.Unseated)
	case rules.IsHome:
		if t.game.SeatOf(c.player()) == r.Seat {
			return no(words.IsHome, words.N("k", g.Seat(r.Seat).Place))
		}
		return no(words.IsHomeOther, name("name", r.Seat))
	case rules.NoSuchSeat:
		return no(words.NoSeatHow)
	case rules.Over:
		return c.over(t, l)
	}
	return err
}

// over returns the refusal of an act after the end.
func (c *call) over(t *table, l *words.Language) error {
	outcome, _ := t.game.Outcome()
	winner := t.game.Winner()
	switch {
	case winner >= 0:
		return no(words.Over, words.T("name", t.names(l).Of(winner)))
	case outcome == rules.Broken:
		return no(words.OverEnded)
	}
	return no(words.OverUnwon)
}

// unknown returns the refusal of a command that there's not.
func (c *call) unknown() error {
	typed := words.Cut(words.Clean(c.Command), 32, 64)
	names := make([]string, 0, len(c.listed))
	for _, cmd := range c.listed {
		names = append(names, cmd.Name)
	}
	if near, ok := nearest(c.Command, names); ok {
		return no(words.NoCommand, words.S("x", typed), words.S("y", near))
	}
	return no(words.NoCommandHelp, words.S("x", typed))
}

// badOption returns the refusal of a setting that the rules don't take. Keys are what
// could have been said there.
func badOption(err error, keys []string) error {
	var f *rules.OptionFault
	if !errors.As(err, &f) {
		return err
	}
	value := shorten(f.Value)
	switch {
	case f.Problem == rules.GivenTwice:
		return no(words.BadTwice, words.S("key", f.Key))
	case f.Problem == rules.NeedsBonus:
		return no(words.BadVoid)
	case f.Problem == rules.NeedsTwoDice:
		return no(words.BadDoubles)
	case f.Problem == rules.UnknownKey:
		return unknownKey(f.Key, keys)
	case f.Words != nil:
		return no(words.BadValue, words.S("key", f.Key), words.S("what", strings.Join(f.Words, ", ")), words.S("value", value))
	}
	return badRange(f.Key, f.Least, f.Most, value)
}

func badRange(key string, least, most int, value string) error {
	return no(words.BadRange, words.S("key", key), words.N("least", least), words.N("most", most), words.S("value", shorten(value)))
}

// unknownKey returns the refusal of an option that isn't among those that there are.
func unknownKey(key string, keys []string) error {
	if near, ok := nearest(key, keys); ok {
		return no(words.BadKey, words.S("key", shorten(key)), words.S("y", near))
	}
	return no(words.BadKeyLike, words.S("key", shorten(key)), words.S("keys", strings.Join(keys, ", ")))
}

// shorten makes text that somebody typed fit to be told back.
func shorten(s string) string { return words.Cut(words.Clean(s), 32, 64) }

// nearest returns the word among some that a mistyped one is most like, if one
// is like it at all: at most one letter in three is off.
func nearest(typed string, among []string) (string, bool) {
	typed = strings.ToLower(typed)
	best, least := "", len(typed)/3+1
	if len(typed) > 40 || len(typed) < 2 {
		return "", false
	}
	for _, word := range among {
		if d := distance(typed, word); d < least {
			best, least = word, d
		}
	}
	return best, best != ""
}

// distance counts the letters to add, drop, change or swap with a neighbour to
// get from one word to the other.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			change := 1
			if x[i-1] == y[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}
