package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"hiss/bot"
	"hiss/engine/rules"
)

// The limits of keeping time: how many channels are looked up at once, and in how
// many of them something is done at once.
const (
	duePage  = 200
	dueHands = 8
)

// rings are the channels in which the clock does something now, a few at once. One that
// has to wait, for its disk or its platform, keeps no other waiting.
type rings struct {
	hands chan struct{}
	all   sync.WaitGroup

	mu sync.Mutex
	on map[bot.Channel]bool
}

func newRings() *rings {
	return &rings{hands: make(chan struct{}, dueHands), on: make(map[bot.Channel]bool)}
}

// start does something in a channel, as soon as there's a hand for it, unless something
// is still done there, or ctx ends first. It doesn't wait for the end of it.
func (r *rings) start(ctx context.Context, c bot.Channel, do func()) {
	r.mu.Lock()
	on := r.on[c]
	r.on[c] = true
	r.mu.Unlock()
	if on {
		return
	}
	over := func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.on, c)
	}
	select {
	case r.hands <- struct{}{}:
	case <-ctx.Done():
		over()
		return
	}
	r.all.Go(func() {
		defer func() {
			over()
			<-r.hands
		}()
		do()
	})
}

// wait returns when all is done. Nothing may be started meanwhile.
func (r *rings) wait() { r.all.Wait() }

// KeepTime does all that the clock has to do by now: it reminds, throws for who is
// away, closes what nobody came back to. It returns when that's done and sent, and
// who missed a go has been asked for. Run does it every second.
func (e *Engine) KeepTime(ctx context.Context) error {
	asks, rings := e.newInquiries(context.WithoutCancel(ctx)), newRings()
	defer asks.stop()
	err := e.keepTime(ctx, rings, asks)
	rings.wait()
	asks.answered()
	return err
}

// keepTime begins what KeepTime does: it is done by rings, and asking for people is left
// to some inquiries.
func (e *Engine) keepTime(ctx context.Context, rings *rings, asks *inquiries) error {
	now := e.Now()
	e.mu.Lock()
	adapters := make(map[string]bot.Adapter, len(e.adapters))
	for name, a := range e.adapters {
		adapters[name] = a
	}
	e.mu.Unlock()
	names, err := e.keeper.reachable(adapters, now)
	if len(names) == 0 {
		return err
	}
	errs := []error{err, e.keeper.alive(names, now, false)}
	done := e.keeper.failing(now) // a channel is looked at once, whatever comes of it
	for {
		limit := duePage + len(done)
		due, err := e.Store.Due(ctx, now, names, limit)
		if err != nil {
			return errors.Join(append(errs, fmt.Errorf("looking for what is due: %w", err))...)
		}
		fresh := 0
		for _, channel := range due {
			if done[channel] {
				continue
			}
			done[channel] = true
			fresh++
			rings.start(ctx, channel, func() { e.ring(ctx, channel, adapters[channel.Chat.Adapter()], asks) })
		}
		if fresh == 0 || len(due) < limit {
			return errors.Join(errs...)
		}
	}
}

// ring does what is due in one channel, sends what comes of it, and has those asked for
// who missed a go.
func (e *Engine) ring(ctx context.Context, channel bot.Channel, a bot.Adapter, asks *inquiries) {
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	c := &call{Engine: e, ctx: limited, Request: bot.Request{Channel: channel}, now: e.Now()}
	var missed []bot.User
	answer := c.safely(&command{run: func(c *call, t *table) (result, error) {
		r, err := c.rings(t)
		missed = nil
		for _, event := range r.events {
			if went, ok := event.(rules.Went); ok && went.How == rules.Clock && t.game.Seat(went.Seat).Missed == 0 {
				missed = append(missed, *t.user(went.Seat))
			}
		}
		return r, err
	}})
	if answer.Asker != nil { // the clock asked for something, and it went wrong
		e.keeper.failed(channel, c.now)
	}
	if a == nil {
		return
	}
	if len(answer.Channel) > 0 {
		if err := a.Send(ctx, channel, answer); err != nil {
			e.Log.Error("sending what the clock did", "channel", channel, "error", err)
		}
	}
	for _, u := range missed {
		asks.ask(inquiry{a, channel.Chat, u})
	}
}
