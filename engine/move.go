package engine

import (
	"context"
	"errors"
	"fmt"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// Move gives a chat a new id, and everything that belongs to it goes along. If
// a match is open under both, the one with more acts goes on and the other is
// ended.
func (e *Engine) Move(ctx context.Context, from, to bot.ChatID) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	var ended []Record
	for tries := 0; ; tries++ {
		err := e.Store.Move(ctx, from, to)
		if errors.Is(err, ErrConflict) && tries < 8 {
			var rec Record
			rec, err = e.endShorter(ctx, bot.Channel{Chat: from}, bot.Channel{Chat: to})
			var bad unreadable
			switch {
			case err == nil:
				ended = append(ended, rec)
				continue
			case errors.Is(err, ErrConflict), errors.As(err, &bad):
				continue // somebody was quicker, or it is set aside now
			}
		}
		if err != nil {
			return fmt.Errorf("moving %s to %s: %w", from, to, err)
		}
		e.forget(from, to)
		e.chats.forget(from, to)
		e.follow(from, to)
		for _, rec := range ended {
			e.tellEnded(ctx, bot.Channel{Chat: to, Place: rec.Channel.Place}, rec)
		}
		return nil
	}
}

// tellEnded tells a chat that has moved which of two matches was ended. If it
// can't be sent now, it is part of what was missed at the next start.
func (e *Engine) tellEnded(ctx context.Context, channel bot.Channel, rec Record) {
	e.mu.Lock()
	a := e.adapters[channel.Chat.Adapter()]
	e.mu.Unlock()
	if a == nil || rec.ID == 0 {
		return
	}
	names := (&match{rec: rec}).names(e.words)
	all := make([]bot.Text, len(rec.Seats))
	for i := range all {
		all[i] = names.Short(i)
	}
	said := e.words.Text(words.Moved, words.T("names", words.Join(", ", all...)))
	err := a.Send(ctx, channel, bot.Answer{
		Channel: []bot.Message{{Said: said}},
		Told:    func() { e.told.mark(rec.ID, rec.Entries, e.Now()) },
	})
	if err != nil {
		e.Log.Error("telling which match was ended", "channel", channel, "match", rec.ID, "error", err)
	}
}

// endShorter ends the match of the fewer acts of two channels and returns its
// record. It returns none if that match is over already.
func (e *Engine) endShorter(ctx context.Context, a, b bot.Channel) (Record, error) {
	first, err := e.Store.Latest(ctx, a)
	if err != nil {
		return Record{}, err
	}
	second, err := e.Store.Latest(ctx, b)
	if err != nil {
		return Record{}, err
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
		return Record{}, err
	}
	if !t.playing() {
		return Record{}, nil
	}
	ended, err := t.game.End("", rules.Cancelled)
	if err != nil {
		return Record{}, err
	}
	if err := c.commit(t, &command{}, result{events: []rules.Event{ended}}); err != nil {
		t.drop()
		return Record{}, err
	}
	return t.rec, nil
}

// follow takes along who was seen in a chat lately, so that nobody is called
// who is here.
func (e *Engine) follow(from, to bot.ChatID) {
	e.mu.Lock()
	var old []*table
	for channel, t := range e.tables {
		if channel.Chat == from {
			old = append(old, t)
		}
	}
	e.mu.Unlock()
	for _, t := range old {
		t.mu.Lock()
		gone := t.company
		t.company = nil
		t.mu.Unlock()
		next := e.at(bot.Channel{Chat: to, Place: t.channel.Place})
		next.mu.Lock()
		if next.company == nil && gone != nil {
			next.company = &company{seen: gone.seen, taps: gone.taps, asked: gone.asked, last: gone.last}
		}
		next.mu.Unlock()
	}
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
