package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// missedPage is how many matches are looked at together at start.
const missedPage = 200

// Started sends an adapter's channels what they may have missed while nobody
// was running.
func (e *Engine) Started(ctx context.Context, a bot.Adapter) {
	e.mu.Lock()
	e.adapters[a.Name()] = a
	e.mu.Unlock()
	if err := e.tellMissed(ctx, a); err != nil && ctx.Err() == nil {
		e.Log.Error("telling what was missed", "adapter", a.Name(), "error", err)
	}
	// What was told at a start is not told again at the next one, however soon that is.
	if err := e.told.flush(ctx, e.Now().Add(time.Second)); err != nil && ctx.Err() == nil {
		e.Log.Error("noting what was told", "adapter", a.Name(), "error", err)
	}
}

// Back sends a chat's channels what they weren't told while the bot couldn't
// write there. Channels that nobody has used since the start have been told.
func (e *Engine) Back(ctx context.Context, chat bot.ChatID) error {
	e.mu.Lock()
	a := e.adapters[chat.Adapter()]
	var channels []bot.Channel
	for c := range e.tables {
		if c.Chat == chat {
			channels = append(channels, c)
		}
	}
	e.mu.Unlock()
	if a == nil {
		return nil
	}
	var errs []error
	for _, c := range channels {
		t := e.at(c)
		t.mu.Lock()
		t.drop()
		t.handed = handed{}
		t.mu.Unlock()
		rec, err := e.Store.Latest(ctx, c)
		switch {
		case errors.Is(err, ErrNotFound):
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", c, err))
		case max(rec.Told, e.told.upTo(rec.ID)) < rec.Entries:
			errs = append(errs, e.tellMissedIn(ctx, a, rec))
		}
	}
	return errors.Join(errs...)
}

// Run does what nobody asks for, until ctx ends: it keeps the time of matches, notes
// what channels have been told and when platforms were reached, and lets idle
// matches go from memory. Then it stops the errands, and returns when they and
// all drawings have ended and all notes are on disk. It is called once.
func (e *Engine) Run(ctx context.Context) error {
	if err := e.keeper.begin(); err != nil {
		e.Log.Error("beginning to keep time", "error", err)
	}
	asks, rings := e.newInquiries(context.WithoutCancel(ctx)), newRings()
	defer asks.close()
	tick := time.NewTicker(quiet)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := e.keeper.slept(e.names(), e.Now(), e.Rig.turned()); err != nil {
				e.Log.Error("noting a sleep", "error", err)
			}
			if err := e.keepTime(ctx, rings, asks); err != nil && ctx.Err() == nil {
				e.Log.Error("keeping the time of matches", "error", err)
			}
			if err := e.told.flush(ctx, e.Now().Add(-quiet)); err != nil && ctx.Err() == nil {
				e.Log.Error("noting what was told", "error", err)
			}
			e.sweep(e.Now().Add(-idleAfter))
		case <-ctx.Done():
			e.errands.close()
			e.gallery.close()
			rings.wait()
			asks.close()
			if err := e.keeper.alive(e.names(), e.Now(), true); err != nil {
				e.Log.Error("ending", "error", err)
			}
			return e.Flush(context.WithoutCancel(ctx))
		}
	}
}

// Flush writes all notes of what channels have been told. Whoever stops an
// engine that isn't run calls it.
func (e *Engine) Flush(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return e.told.flush(ctx, e.Now().Add(time.Hour))
}

// sweep lets matches go from memory that nobody has asked for since a time. A
// table in use is left for the next time.
func (e *Engine) sweep(before time.Time) {
	e.mu.Lock()
	warm := make([]*table, 0, len(e.warm))
	for t := range e.warm {
		warm = append(warm, t)
	}
	e.mu.Unlock()
	for _, t := range warm {
		if !t.mu.TryLock() {
			continue
		}
		idle := t.company == nil || t.last.Before(before)
		if idle {
			t.match, t.company = nil, nil
			e.mu.Lock()
			delete(e.warm, t)
			e.mu.Unlock()
		}
		t.mu.Unlock()
	}
}

// tellMissed sends every channel of an adapter that wasn't told of all acts
// what it missed.
func (e *Engine) tellMissed(ctx context.Context, a bot.Adapter) error {
	var errs []error
	for after := int64(0); ; {
		recs, err := e.Store.Untold(ctx, after, missedPage)
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		for _, rec := range recs {
			after = rec.ID
			if a.Name() == rec.Channel.Chat.Adapter() {
				errs = append(errs, e.tellMissedIn(ctx, a, rec))
			}
		}
		if len(recs) < missedPage {
			return errors.Join(errs...)
		}
	}
}

// tellMissedIn tells one channel, unless a request there has already. Whatever
// goes wrong is this channel's alone.
func (e *Engine) tellMissedIn(ctx context.Context, a bot.Adapter, rec Record) (err error) {
	channel := rec.Channel
	c := &call{Engine: e, ctx: ctx, Request: bot.Request{Channel: channel}, now: e.Now()}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: panic: %v\n%s", channel, p, debug.Stack())
		}
	}()
	t := e.at(channel)
	answer, err := c.missedIn(t, rec)
	if err != nil {
		return fmt.Errorf("%s: %w", channel, err)
	}
	if len(answer.Channel) == 0 {
		if answer.Told != nil {
			answer.Told()
		}
		return nil
	}
	if err := a.Send(ctx, channel, answer); err != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.drop() // the next request there finds it untold
		t.handed = handed{}
		return fmt.Errorf("telling %s what it missed: %w", channel, err)
	}
	return nil
}

// missedIn returns what a channel missed of a match, as an answer to nobody.
func (c *call) missedIn(t *table, rec Record) (answer bot.Answer, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch err = c.load(t); {
	case err != nil:
	case t.rec.ID == rec.ID:
		answer = t.withMissed(c, t.missedBefore(c), answer)
	case !rec.Aside && c.told.upTo(rec.ID) < rec.Entries:
		answer, err = c.overtaken(t, rec)
	}
	var bad unreadable
	if errors.As(err, &bad) { // logged where it was found
		return bot.Answer{Channel: []bot.Message{{Said: c.words.Text(words.FailRecord)}}}, nil
	}
	return answer, err
}

// overtaken returns what the channel wasn't told of a match that isn't its
// latest one any more.
func (c *call) overtaken(t *table, rec Record) (bot.Answer, error) {
	g, _, err := c.fold(c.ctx, rec)
	if err != nil {
		return bot.Answer{}, c.setAside(t, rec, err)
	}
	said, err := c.untold(rec, rec.Told)
	if err != nil {
		return bot.Answer{}, err
	}
	m := bot.Message{Said: bot.Lines(said, c.archivist(rec, false).closing(g))}
	t.page = page{}
	return bot.Answer{
		Channel: []bot.Message{m},
		Told:    func() { c.told.mark(rec.ID, rec.Entries, c.Now()) },
	}, nil
}

// missing is what a channel missed during a restart.
type missing struct {
	messages []bot.Message
	match    int64
	acts     int // how many it has been told of by that
}

// missedBefore returns what the channel missed during a restart, or nil, as it
// is before the present request. It is told once it stands in an answer.
func (t *table) missedBefore(c *call) *missing {
	if !t.missed {
		return nil
	}
	messages, err := c.whatWasMissed(t)
	if err != nil {
		c.Log.Error("telling what was missed", "channel", t.channel, "match", t.rec.ID, "error", err)
		return nil
	}
	return &missing{messages, t.rec.ID, t.rec.Entries}
}

// withMissed puts what the channel missed before an answer.
func (t *table) withMissed(c *call, missed *missing, answer bot.Answer) bot.Answer {
	t.missed = false
	if missed == nil {
		return answer
	}
	answer.Channel = append(missed.messages, answer.Channel...)
	t.handed = handed{t.rec.ID, t.rec.Entries}
	then := answer.Told
	if id, acts := t.rec.ID, t.rec.Entries; then == nil {
		then = func() { c.told.mark(id, acts, c.Now()) }
	}
	answer.Told = func() {
		c.told.mark(missed.match, missed.acts, c.Now())
		then()
	}
	return answer
}

// untold returns the lines of a match's acts behind the first few, with words
// that say why they come so late.
func (c *call) untold(rec Record, told int) (bot.Text, error) {
	v := c.archivist(rec, false)
	var lines []bot.Text
	err := c.story(rec, func(g *rules.Game, e rules.Event) {
		if g.Acts() >= told {
			lines = append(lines, v.said(g, e))
		}
	})
	said := bot.Lines(lines...)
	if len(said) > 0 {
		said = bot.Lines(c.words.Text(words.Missed), said)
	}
	return said, err
}

// whatWasMissed returns the message of the acts that the channel wasn't told
// of, and of how things stand: none if nobody is told of acts like those.
func (c *call) whatWasMissed(t *table) ([]bot.Message, error) {
	said, err := c.untold(t.rec, t.rec.Told)
	if err != nil {
		return nil, err
	}
	switch t.game.Phase() {
	case rules.Lobby:
		m := c.lobby(t)
		m.Page, m.Before = "", nil
		m.Said = c.lobbyHead(t.match, false)
		return []bot.Message{m}, nil
	case rules.Finished:
		return []bot.Message{c.end(t, said, nil)}, nil
	}
	if len(said) == 0 {
		return nil, nil
	}
	m := c.stands(t, -1)
	m.Said, m.Picture = said, c.view(t, atGoes, nil)
	t.page = page{}
	return []bot.Message{m}, nil
}
