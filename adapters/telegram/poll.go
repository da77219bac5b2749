package telegram

import (
	"context"
	"errors"
	"fmt"
	"time"

	client "github.com/go-telegram/bot"
)

// How long a poll that brought nothing new waits for what is unfinished before
// Telegram, which won't wait then, is asked again.
const (
	briefly = 20 * time.Millisecond
	awhile  = 250 * time.Millisecond

	shortPause = 5 * time.Second // the longest wait after a poll that failed
)

// poll asks for updates until ctx ends. It returns an error only where asking
// on is of no use.
func (t *Telegram) poll(ctx context.Context) error {
	hold := time.Duration(0) // nothing was heard yet, so it's asked for an answer at once
	for failures := 0; ctx.Err() == nil; {
		updates, err := t.api.updates(ctx, t.ledger.offset(time.Now()), hold)
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			if hold, err = t.unpolled(ctx, err, failures); err != nil {
				return err
			}
			failures++
			continue
		}
		failures, hold = 0, pollHold
		t.healthy(nil)
		wait := awhile
		for _, u := range updates {
			if t.take(u) {
				wait = briefly
			}
		}
		if len(updates) > 0 {
			t.ledger.settle(ctx, wait)
		}
		t.heard.Heard(hold) // not before what was done meanwhile is in line
		t.out.sweep(time.Now())
	}
	return nil
}

// unpolled waits after a poll that failed, and returns how long the next one is
// held. It returns an error where the token isn't one any more.
func (t *Telegram) unpolled(ctx context.Context, err error, failures int) (hold time.Duration, wrong error) {
	kind, asked, _ := classify(err)
	longest := shortPause // whoever presses meanwhile waits
	if kind == contended {
		longest, hold = longPause, pollHold // a short one would succeed, and mean nothing
	}
	wait := max(asked, min(time.Second<<min(failures, 5), longest))
	t.healthy(err)
	t.heard.Missed()
	t.rests = time.Now().Add(asked)
	switch {
	case errors.Is(err, client.ErrorUnauthorized):
		return 0, fmt.Errorf("Telegram doesn't accept HISS_TELEGRAM_TOKEN any more: %w", err)
	case kind == contended:
		t.log.Error("another program polls for this bot, or a webhook is set for it: stop that one", "error", err, "again in", wait)
	default:
		t.log.Warn("polling failed", "error", err, "again in", wait)
	}
	pause(ctx, wait)
	return hold, nil
}

// confirm tells Telegram which updates are finished, since the next start would
// get them again otherwise.
func (t *Telegram) confirm() {
	ctx, cancel := context.WithTimeout(context.Background(), lastConfirm)
	defer cancel()
	if offset := t.ledger.offset(time.Now()); offset > 0 && !time.Now().Before(t.rests) {
		if _, err := t.api.updates(ctx, offset, 0); err != nil {
			t.log.Warn("confirming the last updates", "error", err)
		}
	}
}

// take puts an update in its chat's lane, and reports whether it is a new one.
func (t *Telegram) take(u update) bool {
	if !t.ledger.take(u.ID, time.Now()) {
		return false
	}
	if u.unread != nil {
		t.log.Warn("an update couldn't be read", "update", u.ID, "error", u.unread)
	}
	chat, ok := chatOf(&u.Update)
	if !ok {
		t.ledger.finish(u.ID)
		return true
	}
	said := t.hurry(u.CallbackQuery)
	t.lanes.Add(t.present(chat), func() {
		defer t.ledger.finish(u.ID)
		t.ledger.begin(u.ID, time.Now())
		t.handle(&u.Update, said)
	})
	return true
}
