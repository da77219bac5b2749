package engine

import (
	"fmt"
	"time"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// rings decides what the clock has to do in a channel now. What it finds early,
// because somebody was quicker or Hiss itself was away, it only sets anew.
func (c *call) rings(t *table) (result, error) {
	if !t.playing() {
		return result{}, nil
	}
	w := t.clock()
	if back, upTo := c.keeper.owed(c.Channel.Chat.Adapter(), w); back > 0 {
		if !w.asked.IsZero() {
			vote, _ := c.keeper.owed(c.Channel.Chat.Adapter(), clockwork{since: w.asked, paid: w.paid})
			w.asked = w.asked.Add(vote)
		}
		w.since, w.paid = w.since.Add(back), upTo
		return result{clock: &w}, nil
	}
	what, at := w.next(t.game, t.rec.Acted, t.lastSeen(t.user(t.game.Host())))
	if at.After(c.now) {
		return result{clock: &w}, nil
	}
	switch what {
	case throwAlarm:
		return c.throwFor(t)
	case remindAlarm:
		w.reminded++
		return result{clock: &w, tell: func(*rules.Game) bot.Answer { return c.reminder(t) }}, nil
	case hostAlarm:
		w.reminded++
		return result{clock: &w, tell: func(*rules.Game) bot.Answer {
			return bot.Answer{Channel: []bot.Message{c.lobby(t)}}
		}}, nil
	case seatAlarm:
		return c.settle(t, nil)
	case voteAlarm:
		if w.vote >= t.game.Seats() { // nobody's
			w.vote, w.asked = 0, time.Time{}
			return result{clock: &w}, nil
		}
		return c.endAs(t, t.game.Seat(w.vote).Player, rules.Cancelled)
	case closeAlarm:
		return c.endAs(t, "", rules.Closed)
	case expireAlarm:
		return c.endAs(t, "", rules.Expired)
	}
	return result{}, nil
}

// clock returns what the match's clock knows.
func (m *match) clock() clockwork { return parseClock(m.rec.Clock) }

// lastSeen returns when somebody was last here, as far as is remembered.
func (t *table) lastSeen(u *bot.User) time.Time {
	if u == nil || t.company == nil {
		return time.Time{}
	}
	return t.seen[u.ID]
}

// throwFor throws for the seat on turn, and the goes behind it that wait for no
// press.
func (c *call) throwFor(t *table) (result, error) {
	events, err := t.game.Expire(c.rigged(t))
	if err != nil {
		return result{}, err
	}
	return result{events: events, tell: func(before *rules.Game) bot.Answer {
		return bot.Answer{Channel: c.happened(t, before, events)}
	}}, nil
}

// endAs ends the match for a reason, by a player if that is one.
func (c *call) endAs(t *table, by rules.PlayerID, why rules.Why) (result, error) {
	ended, err := t.game.End(by, why)
	if err != nil {
		return result{}, err
	}
	events := []rules.Event{ended}
	return result{events: events, tell: func(before *rules.Game) bot.Answer {
		if why == rules.Closed {
			return bot.Answer{Channel: []bot.Message{c.closed(t)}}
		}
		return bot.Answer{Channel: c.happened(t, before, events)}
	}}, nil
}

// closed returns the message of a lobby that nobody started. Those who joined are
// named in a new one; an opener alone finds it where the lobby was.
func (c *call) closed(t *table) bot.Message {
	m := bot.Message{
		Page: lobbyPage(t.rec.ID), Before: c.lobbyHead(t.match, false), Said: c.words.Text(words.Closed),
		Buttons: [][]bot.Button{{c.button(words.ButtonNewMatch, "%s", again(t.game))}},
		Picture: c.view(t, atEnds, nil), // the lobby's own, which can't be taken out everywhere
	}
	if n := len(t.rec.Seats); n > 1 {
		names := t.names(c.words)
		var all []bot.Text
		for i := range n {
			if t.user(i) != nil {
				all = append(all, names.Short(i))
			}
		}
		m.Page, m.Before, m.Picture = "", nil, nil
		m.Said = c.words.Text(words.ClosedNames, words.T("names", words.Join(", ", all...)))
	}
	t.page = page{}
	return m
}

func lobbyPage(match int64) string { return fmt.Sprintf("%d.lobby", match) }

// reminder returns the message that reminds the seat on turn. It says nothing that
// stays: the go that it asks for takes its place.
func (c *call) reminder(t *table) bot.Answer {
	left := t.clock().deadline(t.game)
	return c.asks(t, words.Remind, false, words.T("when", c.when(left)))
}

// asks returns a passing message that calls the seat on turn: gently, for them
// alone, or not.
func (c *call) asks(t *table, key words.Key, gentle bool, fills ...words.Fill) bot.Answer {
	seat := t.game.Turn()
	name := t.names(c.words).Of(seat)
	m := bot.Message{
		Page:    fmt.Sprintf("%d.%d.%d", t.rec.ID, t.rec.Entries, t.rec.Version),
		Now:     c.words.Text(key, append(fills, words.T("name", name))...),
		Buttons: [][]bot.Button{{c.rollButton(t, words.ButtonRoll)}},
		Next:    t.user(seat),
	}
	if u := t.user(seat); u != nil && c.callable(u.ID) {
		m.Call, m.Sound, m.Gentle = u, true, gentle // who isn't called isn't rung for either
		m.Now = called(m.Now, name, u)
	}
	t.page = page{id: m.Page, round: t.game.Round(), changed: c.now}
	return bot.Answer{Channel: []bot.Message{m}}
}

// when says how long it is until a moment.
func (c *call) when(at time.Time) bot.Text {
	in := c.words.Words(words.In, words.S("span", c.words.Seconds(int(at.Sub(c.now).Round(time.Second).Seconds()))))
	return bot.Text{{Kind: bot.Moment, Text: in, At: at}}
}

// playerOf returns who sits on a seat, "" if nobody does.
func (m *match) playerOf(seat int) rules.PlayerID {
	if u := m.user(seat); u != nil {
		return rules.PlayerID(u.ID)
	}
	return ""
}
