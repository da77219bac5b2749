package engine

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// mayRule returns an error unless the asker is the host or an admin.
func (c *call) mayRule(t *table) error {
	host := t.game.Host()
	switch {
	case host >= 0 && t.game.SeatOf(c.player()) == host:
		return nil
	case c.admin == nil:
		return &needsAdmin{}
	case *c.admin:
		return nil
	case host < 0:
		return errors.New("a match that nobody hosts is still on")
	}
	return no(words.HostOnly, words.T("host", t.names(c.words).Of(host)))
}

// lasting is how long a question stays the asker's own open one, which /cancel
// closes before it ends a match.
const lasting = 15 * time.Minute

// closeQuestion closes the asker's own open question: a board that they were asked
// for, or one that waits for a decision. It reports whether there was one.
func (c *call) closeQuestion(t *table) (result, bool, error) {
	if at, asked := t.asked[c.User.ID]; asked {
		delete(t.asked, c.User.ID)
		if c.now.Sub(at) <= lasting {
			r, err := show(c.words.Text(words.UpClosed))
			return r, true, err
		}
	}
	d, err := c.Store.OpenDraft(c.ctx, c.Channel.Chat, c.User.ID)
	switch {
	case errors.Is(err, ErrNotFound) || err == nil && c.now.Sub(d.Sent) > lasting:
		return result{}, false, nil
	case err != nil:
		return result{}, true, err
	}
	judge := c.words.Name(c.User.Name).String()
	_, err = c.Store.Decide(c.ctx, c.Channel.Chat, d.ID, Decision{Verdict: Discarded, Judge: judge, Now: c.now})
	if errors.Is(err, ErrDecided) {
		return result{}, false, nil
	}
	t.page = page{}
	return result{answer: c.decided(d, Discarded)}, true, err
}

// cancel closes the asker's own open question, or else ends the match undecided. The
// host and admins end it at once; anybody else who plays asks the table.
func (c *call) cancel(t *table) (result, error) {
	if r, closed, err := c.closeQuestion(t); closed || err != nil {
		return r, err
	}
	if err := c.here(t); err != nil {
		return result{}, err
	}
	err := c.mayRule(t)
	var refused *refusal
	if seat := t.game.SeatOf(c.player()); errors.As(err, &refused) && seat >= 0 && t.game.Seat(seat).Playing() {
		return c.askToEnd(t, seat)
	}
	if err != nil {
		return result{}, err
	}
	return c.endAs(t, c.player(), rules.Cancelled)
}

// askToEnd asks the table whether the match may be ended. That others want it too ends it
// no sooner: somebody else may object.
func (c *call) askToEnd(t *table, seat int) (result, error) {
	w := t.clock()
	if !w.asked.IsZero() {
		when := words.T("when", c.when(w.asked.Add(votePatience)))
		if w.vote == seat {
			return result{}, no(words.CancelAsked, when)
		}
		return result{}, no(words.CancelAskedBy, words.T("name", t.names(c.words).Of(w.vote)), when)
	}
	if at := t.refusedEnd(c); at.After(c.now) {
		return result{}, no(words.CancelAgain, words.T("when", c.when(at)))
	}
	w.vote, w.asked = seat, c.now
	return result{clock: &w, tell: func(*rules.Game) bot.Answer {
		return bot.Answer{Channel: []bot.Message{{
			Page: votePage(t, t.clock().asked), Apart: true,
			Said:    c.words.Text(words.CancelAsk, words.T("name", t.names(c.words).Of(seat)), words.S("span", c.words.Seconds(int(votePatience.Seconds())))),
			Buttons: [][]bot.Button{{c.button(words.ButtonPlayOn, "playon %d", t.rec.ID)}},
		}}}
	}}, nil
}

// votePage names the message that asks whether a match may be ended. Each time it's
// another one, at the bottom of the chat.
func votePage(t *table, asked time.Time) string {
	return fmt.Sprintf("%s.vote.%d", lobbyPage(t.rec.ID), asked.Unix())
}

// voteRest is how long somebody whose wish to end a match came to nothing waits until
// they can ask again.
const voteRest = 5 * time.Minute

// vote is a wish to end a match that came to nothing.
type vote struct {
	match int64
	asker rules.PlayerID
	at    time.Time
}

// noteVote remembers a vote in place of the asker's last one, and forgets other
// matches'.
func (t *table) noteVote(v vote) {
	t.votes = slices.DeleteFunc(t.votes, func(old vote) bool { return old.match != v.match || old.asker == v.asker })
	t.votes = append(t.votes, v)
}

// refusedEnd returns from when on the asker can ask again to end the match, the zero
// time if they haven't.
func (t *table) refusedEnd(c *call) time.Time {
	for _, v := range t.votes {
		if v.match == t.rec.ID && v.asker == c.player() {
			return v.at.Add(voteRest)
		}
	}
	return time.Time{}
}

// playOn objects to the end of the match. Who asks for it takes that back.
func (c *call) playOn(t *table) (result, error) {
	if err := c.here(t); err != nil {
		return result{}, err
	}
	w := t.clock()
	seat := t.game.SeatOf(c.player())
	switch {
	case w.asked.IsZero():
		return result{}, no(words.NoVote)
	case seat < 0 || t.game.Seat(seat).Gone:
		return result{}, no(words.NotSeated)
	}
	key, asker := words.CancelObjected, t.playerOf(w.vote)
	if seat == w.vote {
		key = words.CancelBack
	}
	asked := w.asked
	w.vote, w.asked = 0, time.Time{}
	return result{clock: &w, tell: func(*rules.Game) bot.Answer {
		t.noteVote(vote{t.rec.ID, asker, asked})
		return bot.Answer{Channel: []bot.Message{{
			Page: votePage(t, asked), Apart: true, Said: c.words.Text(key, words.T("name", t.names(c.words).Of(seat))),
		}}}
	}}, nil
}
