package telegram

import (
	"context"
	"log/slog"
	"sync"
	"time"

	client "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

// How many answers to presses are on their way at a time, how many wait, how
// often one is tried, for how long, and how long Telegram may let it wait.
const (
	ackersAtOnce = 8
	acksWaiting  = 1024
	ackTries     = 3
	ackLimit     = 5 * time.Second
	longWait     = 20 * time.Second
)

// acks answers presses, and nods at messages. Neither counts against a chat's
// pace, so both leave at once. It is safe for concurrent use.
type acks struct {
	calls *api
	log   *slog.Logger
	ctx   context.Context // of all calls
	queue chan ack
	over  chan struct{} // closed when no more come
	work  sync.WaitGroup

	mu    sync.Mutex
	until time.Time // nothing may leave before
}

// ack is one such answer.
type ack func(context.Context) error

func newAcks(ctx context.Context, calls *api, log *slog.Logger) *acks {
	return &acks{calls: calls, log: log, ctx: ctx, queue: make(chan ack, acksWaiting), over: make(chan struct{})}
}

// open begins to work.
func (a *acks) open() {
	for range ackersAtOnce {
		a.work.Go(func() {
			for {
				select {
				case do := <-a.queue:
					a.try(do)
				case <-a.over:
					a.rest()
					return
				}
			}
		})
	}
}

// rest answers what is left.
func (a *acks) rest() {
	for {
		select {
		case do := <-a.queue:
			a.try(do)
		default:
			return
		}
	}
}

// close waits until all answers are out.
func (a *acks) close() {
	close(a.over)
	a.work.Wait()
}

// try makes a call, and once or twice again where that can help. Where Telegram
// wants to be left alone for so long that nobody waits any more, it is dropped.
func (a *acks) try(do ack) {
	for tries := 1; ; tries++ {
		a.mu.Lock()
		wait := time.Until(a.until)
		a.mu.Unlock()
		if wait > longWait || wait > 0 && !pause(a.ctx, wait) {
			return
		}
		ctx, cancel := context.WithTimeout(a.ctx, ackLimit)
		err := do(ctx)
		cancel()
		kind, asked, _ := classify(err)
		switch {
		case err == nil || kind != waits && kind != tryAgain:
			return // nobody looks at it any more, mostly
		case tries == ackTries:
			a.log.Warn("a press couldn't be answered", "error", a.calls.hide(err))
			return
		case kind == waits:
			a.mu.Lock()
			a.until = time.Now().Add(asked)
			a.mu.Unlock()
		case !pause(a.ctx, time.Second/2):
			return
		}
	}
}

func (a *acks) add(do ack) {
	select {
	case a.queue <- do:
	default:
		a.log.Warn("too many presses to answer")
	}
}

// toast answers a press: with nothing, with a line that passes by, or with one
// that has to be closed.
func (a *acks) toast(query, text string, alert bool) {
	a.add(func(ctx context.Context) error {
		_, err := a.calls.AnswerCallbackQuery(ctx, &client.AnswerCallbackQueryParams{
			CallbackQueryID: query, Text: text, ShowAlert: alert && text != "",
		})
		return err
	})
}

// nod puts a thinking face below a message, instead of the same words again.
// Where faces are refused, something else is done.
func (a *acks) nod(chat int64, message int, refused func()) {
	a.add(func(ctx context.Context) error {
		_, err := a.calls.SetMessageReaction(ctx, &client.SetMessageReactionParams{
			ChatID: chat, MessageID: message,
			Reaction: []models.ReactionType{{
				Type:              models.ReactionTypeTypeEmoji,
				ReactionTypeEmoji: &models.ReactionTypeEmoji{Type: models.ReactionTypeTypeEmoji, Emoji: "🤔"},
			}},
		})
		if kind, _, _ := classify(err); err != nil && (kind == noRight || kind == misused) {
			refused()
		}
		return err
	})
}
