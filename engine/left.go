package engine

import (
	"context"
	"errors"
	"fmt"

	"hiss/bot"
	"hiss/engine/rules"
)

// Left gives up the seats of somebody who isn't in a chat any more, wherever a
// match is open there, and tells the channels.
func (e *Engine) Left(ctx context.Context, chat bot.ChatID, u bot.User) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	channels, err := e.Store.Seated(ctx, chat, u.ID)
	if err != nil {
		return fmt.Errorf("looking for the seats of somebody who left %s: %w", chat, err)
	}
	e.mu.Lock()
	a := e.adapters[chat.Adapter()]
	e.mu.Unlock()
	var errs []error
	for _, channel := range channels {
		c := &call{Engine: e, ctx: ctx, Request: bot.Request{Channel: channel, User: u, Pressed: true}, now: e.Now()}
		answer := c.safely(&command{run: (*call).gone})
		if a != nil && len(answer.Channel) > 0 {
			errs = append(errs, a.Send(ctx, channel, answer))
		}
	}
	return errors.Join(errs...)
}

// gone gives up the seat of somebody who isn't there to be told why not.
func (c *call) gone(t *table) (result, error) {
	if !t.playing() {
		return result{}, nil
	}
	left, err := t.game.Leave(c.player())
	var r *rules.Refusal
	if errors.As(err, &r) {
		return result{}, nil // home already, or up
	}
	if err != nil {
		return result{}, err
	}
	return c.vacate(t, left, left.Seat, true)
}
