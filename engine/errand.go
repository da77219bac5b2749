package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"hiss/bot"
	"hiss/engine/words"
)

// The limits of errands: how many a chat may have, and all chats together; how many
// may think at once; how long one may take.
const (
	errandsOfAChat = 3
	errandsInAll   = 100
	thinkers       = 2
	errandPatience = time.Minute
)

// errands are what takes longer than a table should wait: fetching a file, the
// maths of a great board. They are run beside the requests.
type errands struct {
	ctx      context.Context
	stop     context.CancelFunc
	running  sync.WaitGroup
	thinking chan struct{} // held by those that keep a processor busy

	mu    sync.Mutex // of the two below
	inAll int
	of    map[bot.ChatID]int
}

func newErrands() *errands {
	e := &errands{thinking: make(chan struct{}, thinkers), of: make(map[bot.ChatID]int)}
	e.ctx, e.stop = context.WithCancel(context.Background())
	return e
}

// admit counts one more errand of a chat, if there may be one more.
func (e *errands) admit(chat bot.ChatID) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.inAll >= errandsInAll || e.of[chat] >= errandsOfAChat {
		return false
	}
	e.inAll++
	e.of[chat]++
	return true
}

// done counts one less.
func (e *errands) done(chat bot.ChatID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.inAll--
	if e.of[chat]--; e.of[chat] == 0 {
		delete(e.of, chat)
	}
}

// think waits until a processor may be kept busy, which ends with the function
// that it returns.
func (e *errands) think(ctx context.Context) (end func(), err error) {
	select {
	case e.thinking <- struct{}{}:
		return func() { <-e.thinking }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// close stops all errands and returns when they have.
func (e *errands) close() {
	e.stop()
	e.running.Wait()
}

// errand runs what takes long and answers with what comes of it. If that isn't
// there soon the asker is told so, their table goes on, and what comes of
// it is sent to the channel when it's there.
func (c *call) errand(what string, work func(*call) bot.Answer) (bot.Answer, error) {
	if !c.errands.admit(c.Channel.Chat) {
		return bot.Answer{}, no(words.SlowDown, words.S("span", c.words.Seconds(30)))
	}
	var (
		mu     sync.Mutex // of the two below
		answer bot.Answer
		late   bool
	)
	ready := make(chan struct{})
	c.errands.running.Go(func() {
		defer c.errands.done(c.Channel.Chat)
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
	patience := time.NewTimer(c.Wordless)
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
		meanwhile := private(c.words.Text(words.FailSlow, words.S("what", what)))
		meanwhile.Asker.Meanwhile = true
		return meanwhile, nil
	}
}

// errandOf runs an errand. What goes wrong inside ends here.
func (c *call) errandOf(work func(*call) bot.Answer) (answer bot.Answer) {
	ctx, cancel := context.WithTimeout(c.errands.ctx, errandPatience)
	defer cancel()
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

// outcome returns the answer of an errand, or what is told instead of it.
func (c *call) outcome(answer bot.Answer, err error) bot.Answer {
	var refusal *refusal
	switch {
	case err == nil:
		return answer
	case errors.As(err, &refusal):
		return c.refused(err)
	case errors.Is(c.ctx.Err(), context.DeadlineExceeded) && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)):
		c.Log.Warn("an errand was given up", "request", c.ID, "channel", c.Channel, "command", c.Command)
		return private(c.words.Text(words.FailTooSlow))
	}
	return c.failed(err)
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
