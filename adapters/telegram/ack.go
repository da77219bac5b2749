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
	work  sync.WaitGroup
}

// ack is one such answer.
type ack func(context.Context) error

func newAcks(ctx context.Context, calls *api, log *slog.Logger) *acks {
	return &acks{calls: calls, log: log, ctx: ctx, queue: make(chan ack, acksWaiting)}
}

// open begins to work.
func (a *acks) open() {
	for range ackersAtOnce {
		a.work.Go(func() {
			for do := range a.queue {
				a.try(do)
			}
		})
	}
}

// close waits until all answers are out. Nothing may be added any more.
func (a *acks) close() {
	close(a.queue)
	a.work.Wait()
}

// try makes a call, and once or twice again where that can help.
func (a *acks) try(do ack) {
	for tries := 1; ; tries++ {
		ctx, cancel := context.WithTimeout(a.ctx, ackLimit)
		err := do(ctx)
		cancel()
		kind, wait, _ := classify(err)
		switch {
		case err == nil || kind != waits && kind != tryAgain:
			return // nobody looks at it any more, mostly
		case tries == ackTries:
			a.log.Warn("a press couldn't be answered", "error", a.calls.hide(err))
			return
		}
		if wait > longWait || !pause(a.ctx, max(wait, time.Second/2)) {
			return // nobody waits that long, and nobody may call before
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
func (a *acks) nod(chat int64, message int) {
	a.add(func(ctx context.Context) error {
		_, err := a.calls.SetMessageReaction(ctx, &client.SetMessageReactionParams{
			ChatID: chat, MessageID: message,
			Reaction: []models.ReactionType{{
				Type:              models.ReactionTypeTypeEmoji,
				ReactionTypeEmoji: &models.ReactionTypeEmoji{Type: models.ReactionTypeTypeEmoji, Emoji: "🤔"},
			}},
		})
		return err
	})
}
