package engine

import (
	"context"
	"sync"

	"hiss/bot"
)

// inquirers is how many platforms are asked at once whether somebody is still there.
const inquirers = 8

// inquiries are the questions whether those who missed a go are still in the chat. A
// platform may take its time to answer, so nothing that is due waits for them.
type inquiries struct {
	engine *Engine
	ctx    context.Context
	stop   context.CancelFunc
	asking sync.WaitGroup

	mu      sync.Mutex // of the two below
	waiting []inquiry
	askers  int
}

// inquiry asks for somebody in a chat.
type inquiry struct {
	adapter bot.Adapter
	chat    bot.ChatID
	user    bot.User
}

func (e *Engine) newInquiries(ctx context.Context) *inquiries {
	q := &inquiries{engine: e}
	q.ctx, q.stop = context.WithCancel(ctx)
	return q
}

// ask has somebody asked for, as soon as there's a hand for it.
func (q *inquiries) ask(one inquiry) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, one)
	if q.askers < inquirers {
		q.askers++
		q.asking.Go(q.run)
	}
}

// run asks for one after the other until nobody is left to ask for.
func (q *inquiries) run() {
	for {
		q.mu.Lock()
		if len(q.waiting) == 0 || q.ctx.Err() != nil {
			q.askers--
			q.mu.Unlock()
			return
		}
		one := q.waiting[0]
		q.waiting = q.waiting[1:]
		q.mu.Unlock()
		q.engine.stillThere(q.ctx, one)
	}
}

// answered returns when nobody is left to ask for. Nothing may be asked meanwhile.
func (q *inquiries) answered() { q.asking.Wait() }

// close gives up what wasn't asked yet, and returns when nothing is under way.
func (q *inquiries) close() {
	q.stop()
	q.asking.Wait()
}

// stillThere asks once whether somebody who missed a go is still in the chat, and
// gives up the seat if not. Nobody is thrown out for a platform that doesn't say.
func (e *Engine) stillThere(ctx context.Context, one inquiry) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if there, err := one.adapter.Member(ctx, one.chat, one.user.ID); err != nil || there {
		return
	}
	if err := e.Left(ctx, one.chat, one.user); err != nil {
		e.Log.Error("giving up the seats of somebody who isn't there", "chat", one.chat, "error", err)
	}
}
