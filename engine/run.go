package engine

import (
	"context"
	"errors"
	"fmt"
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
	if err := e.tellMissed(ctx, a); err != nil && ctx.Err() == nil {
		e.Log.Error("telling what was missed", "adapter", a.Name(), "error", err)
	}
}

// Run does what nobody asks for, until ctx ends: it notes what channels have
// been told, and lets idle matches go from memory. It returns when all notes
// are on disk.
func (e *Engine) Run(ctx context.Context) error {
	tick := time.NewTicker(quiet)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := e.told.flush(ctx, e.Now().Add(-quiet)); err != nil && ctx.Err() == nil {
				e.Log.Error("noting what was told", "error", err)
			}
			e.sweep(e.Now().Add(-idleAfter))
		case <-ctx.Done():
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
				errs = append(errs, e.tellMissedIn(ctx, a, rec.Channel))
			}
		}
		if len(recs) < missedPage {
			return errors.Join(errs...)
		}
	}
}

// tellMissedIn tells one channel, unless a request there has already.
func (e *Engine) tellMissedIn(ctx context.Context, a bot.Adapter, channel bot.Channel) error {
	c := &call{Engine: e, ctx: ctx, Request: bot.Request{Channel: channel}, now: e.Now()}
	t := e.at(channel)
	t.mu.Lock()
	err := c.load(t)
	var answer bot.Answer
	if err == nil {
		answer = t.withMissed(c, t.missedBefore(c), answer)
	}
	t.mu.Unlock()
	if err != nil {
		return fmt.Errorf("%s: %w", channel, err)
	}
	for _, m := range answer.Channel {
		if err := a.Send(ctx, channel, m); err != nil {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.drop() // the next request there finds it untold
			return fmt.Errorf("telling %s what it missed: %w", channel, err)
		}
	}
	if answer.Told != nil {
		answer.Told()
	}
	return nil
}

// missedBefore returns what the channel missed during a restart, if anything,
// as it is before the present request. It is told once it stands in an answer.
func (t *table) missedBefore(c *call) []bot.Message {
	if !t.missed {
		return nil
	}
	m, err := c.whatWasMissed(t)
	if err != nil {
		c.Log.Error("telling what was missed", "channel", t.channel, "match", t.rec.ID, "error", err)
		return nil
	}
	return []bot.Message{m}
}

// withMissed puts what the channel missed before an answer.
func (t *table) withMissed(c *call, missed []bot.Message, answer bot.Answer) bot.Answer {
	t.missed = false
	if len(missed) == 0 {
		return answer
	}
	answer.Channel = append(missed, answer.Channel...)
	if answer.Told == nil {
		id, acts := t.rec.ID, t.rec.Entries
		answer.Told = func() { c.told.mark(id, acts, c.Now()) }
	}
	return answer
}

// whatWasMissed returns the message of the acts that the channel wasn't told
// of, and of how things stand.
func (c *call) whatWasMissed(t *table) (bot.Message, error) {
	v := c.teller(t)
	var lines []bot.Text
	err := c.story(t.rec, func(g *rules.Game, e rules.Event) {
		if g.Acts() >= t.rec.Told {
			lines = append(lines, v.said(g, e))
		}
	})
	if err != nil {
		return bot.Message{}, err
	}
	said := bot.Lines(lines...)
	if len(said) > 0 {
		said = bot.Lines(c.words.Text(words.Missed), said)
	}
	switch t.game.Phase() {
	case rules.Lobby:
		m := c.lobby(t)
		m.Page, m.Before = "", nil
		m.Said = c.lobbyHead(t.match, false)
		return m, nil
	case rules.Finished:
		return c.end(t, said), nil
	}
	m := c.stands(t, -1)
	m.Said = said
	t.page = page{}
	return m, nil
}

// Move gives a chat a new id, and everything that belongs to it goes along. If
// a match is open under both, the one with more acts goes on and the other is
// ended.
func (e *Engine) Move(ctx context.Context, from, to bot.ChatID) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	for tries := 0; ; tries++ {
		err := e.Store.Move(ctx, from, to)
		if errors.Is(err, ErrConflict) && tries < 8 {
			if err = e.endShorter(ctx, bot.Channel{Chat: from}, bot.Channel{Chat: to}); err == nil {
				continue
			}
		}
		if err != nil {
			return fmt.Errorf("moving %s to %s: %w", from, to, err)
		}
		e.forget(from, to)
		return nil
	}
}

// endShorter ends the match of the fewer acts of two channels.
func (e *Engine) endShorter(ctx context.Context, a, b bot.Channel) error {
	first, err := e.Store.Latest(ctx, a)
	if err != nil {
		return err
	}
	second, err := e.Store.Latest(ctx, b)
	if err != nil {
		return err
	}
	shorter := a
	if first.Entries > second.Entries {
		shorter = b
	}
	c := &call{Engine: e, ctx: ctx, Request: bot.Request{Channel: shorter}, now: e.Now()}
	t := e.at(shorter)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop()
	if err := c.load(t); err != nil {
		return err
	}
	if !t.playing() {
		return nil
	}
	ended, err := t.game.End("", rules.Cancelled)
	if err != nil {
		return err
	}
	return c.commit(t, &command{}, result{events: []rules.Event{ended}})
}

// forget drops the matches of chats from memory, so that they are loaded anew.
func (e *Engine) forget(chats ...bot.ChatID) {
	e.mu.Lock()
	var found []*table
	for channel, t := range e.tables {
		for _, chat := range chats {
			if channel.Chat == chat {
				found = append(found, t)
			}
		}
	}
	e.mu.Unlock()
	for _, t := range found {
		t.mu.Lock()
		t.drop()
		t.mu.Unlock()
	}
}
