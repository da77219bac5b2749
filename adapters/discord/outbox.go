package discord

import (
	"fmt"
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

// outbox holds the lines of all channels. It is safe for concurrent use.
type outbox struct {
	rest *rest
	log  *slog.Logger
	draw func(text bot.Text, m bot.Message, mayAttach bool) draft

	*queue.Crew
	reached queue.Contact // by what is told

	mu    sync.Mutex
	lines map[string]*line
	begun int64 // what nonces of this run begin with
	nonce int64
}

func newOutbox(r *rest, log *slog.Logger, draw func(bot.Text, bot.Message, bool) draft) *outbox {
	o := &outbox{rest: r, log: log, draw: draw, Crew: queue.NewCrew(), lines: make(map[string]*line), begun: time.Now().UnixNano()}
	o.reached.Heard(queue.Always)
	return o
}

// line returns the line of a channel.
func (o *outbox) line(channel string) *line {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.lines[channel]
	if l == nil {
		l = &line{out: o, channel: channel, wake: make(chan struct{}, 1), owed: make(queue.Debts)}
		o.lines[channel] = l
	}
	l.used = time.Now()
	return l
}

// put puts an answer's messages in a channel's line.
func (o *outbox) put(l *line, a bot.Answer) {
	for _, p := range queue.Posts("", a, time.Now()) {
		l.put(&post{Post: p, nonce: o.number()})
	}
}

// number returns a nonce that no other message has.
func (o *outbox) number() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.nonce++
	return fmt.Sprintf("%x-%x", o.begun, o.nonce) // at most 25 characters for a long time
}

// removed empties the lines of a server that the bot was taken out of.
func (o *outbox) removed(guild string) {
	o.mu.Lock()
	all := make([]*line, 0, len(o.lines))
	for _, l := range o.lines {
		all = append(all, l)
	}
	o.mu.Unlock()
	for _, l := range all {
		l.mu.Lock()
		if l.guild == guild {
			l.leave()
		}
		l.mu.Unlock()
	}
}

// sweep forgets lines that have been idle for long.
func (o *outbox) sweep(now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for channel, l := range o.lines {
		if !l.mu.TryLock() {
			continue
		}
		if !l.working && len(l.owed) == 0 && now.Sub(l.used) > lineKept {
			delete(o.lines, channel)
		}
		l.mu.Unlock()
	}
}
