package engine

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"hiss/bot"
	"hiss/engine/words"
)

// The limits of errands: how many are run and how many wait at once, how long
// one may take, and for how long whoever asked waits for it without a word.
const (
	errandsAtOnce  = 2
	errandsInAll   = 16
	errandPatience = time.Minute
	wordless       = time.Second
)

// errands are what takes longer than a table should wait: fetching a file, the
// maths of a great board. They are run beside the requests, few at once.
type errands struct {
	ctx     context.Context
	stop    context.CancelFunc
	slots   chan struct{} // held by those that run
	waiting chan struct{} // held by those and by all that wait
	running sync.WaitGroup
}

func newErrands() *errands {
	e := &errands{slots: make(chan struct{}, errandsAtOnce), waiting: make(chan struct{}, errandsInAll)}
	e.ctx, e.stop = context.WithCancel(context.Background())
	return e
}

// close stops all errands and returns when they have.
func (e *errands) close() {
	e.stop()
	e.running.Wait()
}

// errand runs what takes long and answers with what comes of it. If that isn't
// there within a second the asker is told so, their table goes on, and what comes of
// it is sent to the channel when it's there.
func (c *call) errand(what string, work func(*call) bot.Answer) (bot.Answer, error) {
	select {
	case c.errands.waiting <- struct{}{}:
	default:
		return bot.Answer{}, no(words.SlowDown, words.S("span", c.words.Seconds(30)))
	}
	var (
		mu     sync.Mutex // of the two below
		answer bot.Answer
		late   bool
	)
	ready := make(chan struct{})
	c.errands.running.Go(func() {
		defer func() { <-c.errands.waiting }()
		came := c.errandOf(work)
		mu.Lock()
		answer = came
		close(ready)
		sent := late
		mu.Unlock()
		if sent {
			c.deliver(came)
		}
	})
	patience := time.NewTimer(wordless)
	defer patience.Stop()
	select {
	case <-ready:
	case <-patience.C:
	}
	mu.Lock()
	defer mu.Unlock()
	select {
	case <-ready:
		return answer, nil
	default:
		late = true
		return private(c.words.Text(words.FailSlow, words.S("what", what))), nil
	}
}

// errandOf runs an errand when it is its turn. What goes wrong inside ends here.
func (c *call) errandOf(work func(*call) bot.Answer) (answer bot.Answer) {
	ctx, cancel := context.WithTimeout(c.errands.ctx, errandPatience)
	defer cancel()
	select {
	case c.errands.slots <- struct{}{}:
		defer func() { <-c.errands.slots }()
	case <-ctx.Done():
		return private(c.words.Text(words.FailUnsure))
	}
	defer func() {
		if p := recover(); p != nil {
			c.Log.Error("panic in an errand", "request", c.ID, "channel", c.Channel, "command", c.Command,
				"panic", p, "stack", string(debug.Stack()))
			answer = private(c.words.Text(words.FailUnsure))
		}
	}()
	own := *c
	own.ctx = ctx
	return work(&own)
}

// deliver sends what came of an errand late. All of it goes to the channel, since
// nobody waits there to be told privately.
func (c *call) deliver(answer bot.Answer) {
	if answer.Asker != nil {
		answer.Channel = append([]bot.Message{*answer.Asker}, answer.Channel...)
		answer.Asker = nil
	}
	c.mu.Lock()
	a := c.adapters[c.Channel.Chat.Adapter()]
	c.mu.Unlock()
	if a == nil || len(answer.Channel) == 0 || c.errands.ctx.Err() != nil {
		return
	}
	c.bottom()
	ctx, cancel := context.WithTimeout(c.errands.ctx, patience)
	defer cancel()
	if err := a.Send(ctx, c.Channel, answer); err != nil {
		c.Log.Error("sending what came of an errand", "request", c.ID, "channel", c.Channel, "error", fmt.Errorf("%s: %w", c.Command, err))
	}
}
