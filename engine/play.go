package engine

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// roll throws the asker's go, and the goes behind it that wait for no press.
func (c *call) roll(t *table) (result, error) {
	if err := c.here(t); err != nil {
		return result{}, err
	}
	if err := c.current(t); err != nil {
		return result{}, err
	}
	if s := t.game.SeatOf(c.player()); s < 0 && c.User.Automaton {
		return result{}, no(words.AsBot)
	}
	if back, err := c.comesBack(t); back != nil || err != nil {
		if err != nil {
			return result{}, err
		}
		return c.welcomeBack(t, back)
	}
	press := t.game.Press
	if t.game.Phase() == rules.Lobby {
		w := t.clock()
		if w.rematch > 0 {
			return result{}, no(words.RematchWait, words.T("when", c.when(w.until())))
		}
		if w.reminded > 0 || c.hostAway(t, w) { // what the lobby has said holds
			press = t.game.Start
		}
	}
	events, err := press(c.player(), c.rigged(t))
	if err != nil {
		return result{}, c.seen(t, err)
	}
	return result{events: events, tell: func(before *rules.Game) bot.Answer {
		return bot.Answer{Channel: c.happened(t, before, events), Brief: c.brief(t, before, events)}
	}}, nil
}

// hostAway reports whether the host of a lobby has kept it waiting for so long that
// anybody seated may start.
func (c *call) hostAway(t *table, w clockwork) bool { return !c.now.Before(w.hostUntil(t)) }

// hostUntil returns up to when the host alone may start.
func (c clockwork) hostUntil(t *table) time.Time {
	waits := c.since
	if seen := t.lastSeen(t.user(t.game.Host())); seen.After(waits) {
		waits = seen
	}
	return waits.Add(hostPatience)
}

// brief tells the asker's own go, which is the first of some events, and who is
// next.
func (c *call) brief(t *table, before *rules.Game, events []rules.Event) bot.Text {
	went, ok := events[0].(rules.Went)
	if !ok {
		return nil
	}
	v := teller{c.words, t.names(c.words).Brief()}
	lines := bot.Lines(v.went(before, went), v.home(before, went))
	if t.game.Phase() != rules.Finished {
		lines = bot.Lines(lines, v.next(t.game, went.Seat))
	}
	return lines
}

// current returns an error if the asker means an earlier go: a button carries
// the number of goes thrown when it was made.
func (c *call) current(t *table) error {
	if !c.Pressed || len(c.Args) < 2 {
		return nil
	}
	if goes, err := strconv.Atoi(c.Args[1]); err == nil && goes == t.game.Goes() {
		return nil
	}
	if t.game.SeatOf(c.player()) == t.game.Turn() {
		return no(words.OldButton)
	}
	return no(words.OldGo, words.T("name", t.names(c.words).Of(t.game.Turn())))
}

// autoroll lets the die roll for the asker, or no more: in this match, or in all.
func (c *call) autoroll(t *table) (result, error) {
	word := strings.ToLower(strings.Join(c.Args, " "))
	on, key := word == "on" || word == "always", words.AutoOff
	switch word {
	case "on":
		key = words.AutoOn
	case "off":
	case "always", "never":
		return c.autoHabit(t, on)
	default:
		return result{}, no(words.AutoHow)
	}
	if err := c.here(t); err != nil {
		return result{}, err
	}
	return c.setAuto(t, on, key)
}

// autoHabit lets the die roll for the asker in all matches, or in none, and in this
// one from now on.
func (c *call) autoHabit(t *table, on bool) (result, error) {
	key, value := words.AutoNever, ""
	if on {
		key, value = words.AutoAlways, "on"
	}
	if err := c.setHabit(autoHabit, value); err != nil {
		return result{}, err
	}
	if c.here(t) == nil {
		r, err := c.setAuto(t, on, key)
		var refused *refusal
		if !errors.As(err, &refused) {
			return r, err
		}
	}
	return show(c.words.Text(key))
}

// setAuto lets the die roll for the asker in this match, or no more.
func (c *call) setAuto(t *table, on bool, key words.Key) (result, error) {
	auto, err := t.game.Autoroll(c.player(), on)
	var r *rules.Refusal
	if errors.As(err, &r) && r.Reason == rules.NoChange {
		if on {
			return result{}, no(words.AutoIs)
		}
		return result{}, no(words.AutoIsNot)
	}
	if err != nil {
		return result{}, c.seen(t, err)
	}
	events, err := c.behind(t, auto)
	if err != nil {
		return result{}, err
	}
	return result{events: events, tell: func(before *rules.Game) bot.Answer {
		answer := private(c.words.Text(key))
		restless := before.Waiting() == 0 || t.game.Waiting() == 0
		if len(events) > 1 || before.Phase() == rules.Running && before.Waiting() != t.game.Waiting() && restless {
			answer.Channel = c.happened(t, before, events)
		}
		return answer
	}}, nil
}
