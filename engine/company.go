package engine

import (
	"errors"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// addBot seats a computer player, at the wish of somebody seated.
func (c *call) addBot(t *table) (result, error) {
	if err := c.here(t); err != nil {
		return result{}, err
	}
	if seat := t.game.SeatOf(c.player()); seat < 0 || t.game.Seat(seat).Gone {
		return result{}, no(words.NotSeatedJoin)
	}
	joined, err := t.game.JoinComputer()
	if err != nil {
		return result{}, c.seen(t, err)
	}
	if w := t.clock(); w.rematch > 0 {
		_, missing, err := c.awaited(t, w)
		if err != nil {
			return result{}, err
		}
		if t.game.Seats()+missing >= t.game.Rules().Seats {
			return result{}, no(words.RematchRoom, words.T("when", c.when(w.until())))
		}
	}
	events, err := c.behind(t, joined)
	if err != nil {
		return result{}, err
	}
	return result{events: events, tell: func(before *rules.Game) bot.Answer {
		if before.Phase() == rules.Lobby {
			return bot.Answer{Channel: []bot.Message{c.lobby(t)}}
		}
		return bot.Answer{Channel: c.happened(t, before, events)}
	}}, nil
}

// nudge calls the player on turn at the wish of somebody seated, once a go.
func (c *call) nudge(t *table) (result, error) {
	if err := c.here(t); err != nil {
		return result{}, err
	}
	if seat := t.game.SeatOf(c.player()); seat < 0 || t.game.Seat(seat).Gone {
		if seat < 0 && t.game.Joinable() {
			return result{}, no(words.NotSeatedJoin)
		}
		return result{}, no(words.NotSeated)
	}
	if t.game.Phase() == rules.Lobby {
		return result{}, c.nudgeHost(t)
	}
	turn := t.game.Turn()
	name := words.T("name", t.names(c.words).Of(turn))
	this := nudged{t.rec.ID, t.game.Goes(), turn}
	switch u := t.user(turn); {
	case u == nil || t.game.Resting() || !t.game.Seat(turn).Waits():
		return result{}, no(words.NudgeNobody)
	case u.ID == c.User.ID:
		return result{}, no(words.NudgeSelf)
	case !c.callable(u.ID):
		return result{}, no(words.NudgeOff, name)
	case t.nudged == this:
		return result{}, no(words.NudgeTwice, name)
	}
	t.nudged = this
	answer := c.asks(t, words.Nudge, true, words.T("who", c.words.Name(c.User.Name)))
	c.hush(answer.Channel)
	return result{answer: answer}, nil
}

// nudgeHost says who may start a match. Nobody is called for that.
func (c *call) nudgeHost(t *table) error {
	host := words.T("host", t.names(c.words).Of(t.game.Host()))
	switch {
	case t.game.Seats() < 2 && !t.game.Rules().Solo:
		return no(words.TooFew)
	case t.game.SeatOf(c.player()) == t.game.Host():
		return no(words.NudgeHost)
	case t.clock().reminded > 0:
		return no(words.LobbyAnyone, host)
	}
	return no(words.WaitHost, host)
}

// nudged is the go for which somebody was called at another's wish.
type nudged struct {
	match      int64
	goes, seat int
}

// comesBack lets somebody who missed goes press for themself again, when it's not
// their go now. It is nil for anybody else.
func (c *call) comesBack(t *table) (rules.Event, error) {
	if t.game.Phase() != rules.Running || t.game.Resting() || t.game.SeatOf(c.player()) == t.game.Turn() {
		return nil, nil
	}
	back, err := t.game.Back(c.player())
	var r *rules.Refusal
	if errors.As(err, &r) {
		return nil, nil
	}
	return back, err
}

// welcomeBack finishes the press of somebody who comes back.
func (c *call) welcomeBack(t *table, back rules.Event) (result, error) {
	events, err := c.behind(t, back)
	if err != nil {
		return result{}, err
	}
	return result{events: events, tell: func(before *rules.Game) bot.Answer {
		answer := private(c.words.Text(words.AwayBack))
		if len(events) > 1 || before.Waiting() == 0 {
			answer.Channel = c.happened(t, before, events)
		}
		return answer
	}}, nil
}

// returning returns a function that adds to what a command decided that the asker is
// here again, if they were away: whatever they press or type says so. Acts that say
// so by themselves, such as a go, stay as they are.
func (c *call) returning(t *table) func(result, error) (result, error) {
	return func(r result, err error) (result, error) {
		var refused *refusal
		if len(r.events) > 0 || err != nil && !errors.As(err, &refused) || !t.playing() {
			return r, err
		}
		back, none := t.game.Back(c.player())
		if none != nil || !t.game.Seat(back.Seat).Away() {
			return r, err
		}
		events, failed := c.behind(t, back)
		if failed != nil {
			return result{}, failed
		}
		if err != nil {
			r.answer = c.refused(err)
		}
		return result{events: events, clock: r.clock, tell: func(before *rules.Game) bot.Answer {
			answer := r.answer
			if r.tell != nil {
				answer = r.tell(before)
			}
			own := bot.Message{}
			if answer.Asker != nil {
				own = *answer.Asker
			}
			own.Said = bot.Lines(c.words.Text(words.AwayBack), own.Said)
			answer.Asker = &own
			if len(events) > 1 || before.Waiting() == 0 || before.Resting() {
				answer.Channel = append(answer.Channel, c.happened(t, before, events)...)
			}
			return answer
		}}, nil
	}
}

// arrives adds to the answer of what concerns no match that the asker is here again, if
// they were away.
func (c *call) arrives(answer bot.Answer) bot.Answer {
	t := c.at(c.Channel)
	t.mu.Lock()
	away := false
	if t.match != nil && t.playing() {
		seat := t.game.SeatOf(c.player())
		away = seat >= 0 && t.game.Seat(seat).Away() && t.game.Seat(seat).Playing()
	}
	t.mu.Unlock()
	if !away {
		return answer
	}
	own := *c
	own.Pressed = false // it isn't a double tap of the press that was just answered
	back := own.run(&command{run: func(*call, *table) (result, error) { return result{}, nil }})
	if answer.Asker != nil && back.Asker != nil {
		asker := *answer.Asker
		asker.Said = bot.Lines(back.Asker.Said, asker.Said)
		back.Asker = &asker
	} else if answer.Asker != nil {
		back.Asker = answer.Asker
	}
	told := answer.Told
	back.Brief = answer.Brief
	back.Channel = append(answer.Channel, back.Channel...)
	if then := back.Told; told != nil && then != nil {
		back.Told = func() { told(); then() }
	} else if told != nil {
		back.Told = told
	}
	return back
}

// callOf returns whom a message calls for a go: the person on a seat, unless they
// are here, or don't want to be called.
func (c *call) callOf(t *table, seat int) *bot.User {
	u := t.user(seat)
	if u == nil || t.present(c, u.ID) || !c.callable(u.ID) {
		return nil
	}
	return u
}

// slower gives every go of this match a day, at the wish of somebody seated. It is
// offered while the match rests. Everybody who was away is waited for again, whose go
// it is from now on for a full day.
func (c *call) slower(t *table) (result, error) {
	if err := c.here(t); err != nil {
		return result{}, err
	}
	if seat := t.game.SeatOf(c.player()); seat < 0 || t.game.Seat(seat).Gone {
		return result{}, no(words.NotSeated)
	}
	if err := c.current(t); err != nil {
		return result{}, err
	}
	if !t.game.Resting() {
		return result{}, no(words.OldButton)
	}
	var backs []rules.Event
	for seat := range t.game.Seats() {
		if back, err := t.game.Back(t.playerOf(seat)); err == nil {
			backs = append(backs, back)
		}
	}
	events, err := c.behind(t, backs...)
	if err != nil {
		return result{}, err
	}
	w := t.clock()
	w.pace, _ = parsePace("day")
	return result{events: events, clock: &w, tell: func(before *rules.Game) bot.Answer {
		t.page = page{}
		told := c.happened(t, before, events)
		told[0].Said = bot.Lines(c.words.Text(words.PaceDay), told[0].Said)
		if t.page.id != "" {
			t.page.said = told[0].Said
		}
		return bot.Answer{Channel: told}
	}}, nil
}
