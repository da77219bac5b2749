package telegram

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	client "github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"

	"hiss/bot"
)

// How long it's remembered who administers a chat, how long Telegram may take to
// say so, and how much is remembered at all before it's begun anew.
const (
	rightsKept  = time.Minute
	rightsLimit = 2 * time.Second
	rightsRest  = 10 * time.Second // how long Telegram isn't asked again after it didn't say
	mostKept    = 5000
)

// rights asks Telegram who administers which chat. It is safe for concurrent
// use.
type rights struct {
	api  *api
	ctx  context.Context // of all questions
	quit context.CancelFunc

	mu   sync.Mutex
	kept map[member]verdict
}

type member struct{ chat, user int64 }

type verdict struct {
	admin bool
	err   error // why it isn't known
	at    time.Time
}

// of returns how to ask whether somebody administers a chat. A private chat is
// its owner's.
func (r *rights) of(chat models.Chat, user int64) func(context.Context, bool) (bool, error) {
	if chat.Type == models.ChatTypePrivate {
		return func(context.Context, bool) (bool, error) { return true, nil }
	}
	who := member{chat.ID, user}
	return func(ctx context.Context, anew bool) (bool, error) {
		r.mu.Lock()
		known, ok := r.kept[who]
		r.mu.Unlock()
		switch age := time.Since(known.at); {
		case !ok:
		case known.err != nil && age < rightsRest, known.err == nil && !anew && age < rightsKept:
			return known.admin, known.err
		}
		return r.ask(ctx, who)
	}
}

func (r *rights) ask(ctx context.Context, who member) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, rightsLimit)
	defer cancel()
	defer context.AfterFunc(r.ctx, cancel)()
	m, err := r.api.GetChatMember(ctx, &client.GetChatMemberParams{ChatID: who.chat, UserID: who.user})
	var v verdict
	if err != nil {
		v.err = fmt.Errorf("asking whether somebody administers the chat: %w", r.api.hide(err))
	} else {
		v.admin = m.Type == models.ChatMemberTypeOwner || m.Type == models.ChatMemberTypeAdministrator
	}
	v.at = time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kept == nil || len(r.kept) >= mostKept {
		r.kept = make(map[member]verdict)
	}
	r.kept[who] = v
	return v.admin, v.err
}

// Member asks Telegram whether somebody is in a chat. A private one is its
// owner's for ever.
func (t *Telegram) Member(ctx context.Context, chat bot.ChatID, user bot.UserID) (in bool, err error) {
	where, ours := chatNumber(chat)
	who, known := userNumber(user)
	if !ours || !known {
		return false, fmt.Errorf("%s and %s aren't both of Telegram's", chat, user)
	}
	if where > 0 {
		return true, nil
	}
	err = t.asks.Make(ctx, func(ctx context.Context) (time.Duration, error) {
		m, err := t.api.GetChatMember(ctx, &client.GetChatMemberParams{ChatID: t.present(where), UserID: who})
		if err != nil {
			_, rest, _ := classify(err)
			return rest, t.api.hide(err)
		}
		in = inside(*m)
		return 0, nil
	})
	if err != nil {
		return false, fmt.Errorf("asking whether somebody is in the chat: %w", err)
	}
	return in, nil
}

// people remembers the usernames of those who wrote, since a mention tells
// nothing else. It is safe for concurrent use.
type people struct {
	mu   sync.Mutex
	kept map[username]bot.User
}

type username struct {
	chat int64
	name string
}

// saw remembers somebody who wrote in a chat.
func (p *people) saw(chat int64, u *models.User) {
	if u == nil || u.Username == "" || u.IsBot {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.kept == nil || len(p.kept) >= mostKept {
		p.kept = make(map[username]bot.User)
	}
	p.kept[username{chat, strings.ToLower(u.Username)}] = person(u)
}

// called returns who has a username.
func (p *people) called(chat int64, name string) (bot.User, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	u, ok := p.kept[username{chat, strings.ToLower(name)}]
	return u, ok
}
