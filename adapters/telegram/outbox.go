package telegram

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"hiss/adapters/queue"
	"hiss/bot"
)

// How long a line is remembered after it was used, and how long the last
// messages may take when the program stops.
const (
	lineKept  = time.Hour
	lastCalls = 3 * time.Second
)

// outbox holds the lines of all chats. It is safe for concurrent use.
type outbox struct {
	calls    *api
	log      *slog.Logger
	username string
	// moves tells that a chat has a new id.
	moves func(ctx context.Context, from, to int64)

	*queue.Crew
	reached queue.Contact // by what is told

	mu     sync.Mutex
	lines  map[int64]*line
	before map[int64]spent // by the last run; changed by nobody
	whole  budget
}

func newOutbox(calls *api, log *slog.Logger, moves func(context.Context, int64, int64)) *outbox {
	o := &outbox{
		calls: calls, log: log, moves: moves,
		Crew: queue.NewCrew(), lines: make(map[int64]*line), whole: wholeBudget(),
	}
	o.reached.Heard(queue.Always)
	return o
}

// spent is how many calls a chat is missing, for the next start.
type spent struct {
	Missing float64
	At      time.Time
}

// budgets returns what isn't in hand everywhere, by chat.
func (o *outbox) budgets(now time.Time) map[int64]spent {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := make(map[int64]spent)
	for chat, l := range o.lines {
		l.mu.Lock()
		if missing := l.budget.missing(now); missing > 0 {
			all[chat] = spent{missing, now}
		}
		l.mu.Unlock()
	}
	return all
}

// line returns the line of a chat.
func (o *outbox) line(chat int64) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.lines[chat]
	if l == nil {
		l = newLine(o, chat)
		if s, ok := o.before[chat]; ok {
			l.budget.spent, l.budget.at = s.Missing, s.At
		}
		o.lines[chat] = l
	}
	l.used = time.Now()
	return l
}

// put puts an answer's messages in a chat's line.
func (o *outbox) put(chat int64, place string, a bot.Answer) {
	l := o.line(chat)
	for _, p := range queue.Posts(place, a, time.Now()) {
		l.put(&post{Post: p})
	}
}

// pace waits until a call may leave at all.
func (o *outbox) pace(ctx context.Context) error {
	o.mu.Lock()
	wait := o.whole.wait(time.Now(), 1)
	o.whole.spend(time.Now())
	o.mu.Unlock()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// move lets a chat's line go on under its new id. No message of the old one can
// be edited there. P is the post whose call told the new id, or nil.
func (o *outbox) move(ctx context.Context, from, to int64, p *post) {
	o.moves(ctx, from, to)
	old := o.line(from)
	old.mu.Lock()
	if p != nil {
		old.back(p)
	}
	posts, replies := old.posts, old.replies
	old.posts, old.replies, old.bare = nil, nil, nil
	clear(old.shown)
	old.mu.Unlock()
	o.line(to).precede(posts, replies)
}

// sweep forgets lines that have been idle for long.
func (o *outbox) sweep(now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for chat, l := range o.lines {
		if !l.mu.TryLock() {
			continue
		}
		if !l.working && len(l.owed) == 0 && now.Sub(l.used) > lineKept {
			delete(o.lines, chat)
		}
		l.mu.Unlock()
	}
}
