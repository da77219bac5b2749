package telegram

import (
	"context"
	"strconv"
	"time"

	"github.com/go-telegram/bot/models"

	"hiss/bot"
)

// How long a chat isn't welcomed again, and how long a /start is taken for the
// one that an add-to-group link sends of its own accord.
const (
	welcomed = 24 * time.Hour
	sameTime = time.Minute
)

// message takes in what is written in a chat, and what Telegram itself writes
// there about the chat's life.
func (t *Telegram) message(ctx context.Context, m *models.Message) {
	switch {
	case m.MigrateToChatID != 0:
		t.out.move(ctx, m.Chat.ID, m.MigrateToChatID, nil)
	case m.MigrateFromChatID != 0:
		t.out.move(ctx, m.MigrateFromChatID, m.Chat.ID, nil)
	case m.LeftChatMember != nil:
		if m.LeftChatMember.ID != t.self.ID {
			t.left(ctx, m.Chat, m.LeftChatMember)
		}
	default:
		t.people.saw(m.Chat.ID, m.From)
		r, ok := t.asked(m)
		if !ok {
			return
		}
		t.out.line(t.present(m.Chat.ID)).heard()
		if r.Command == "start" && !r.Alone && !t.greets(m.Chat.ID, sameTime) {
			return
		}
		t.typed(ctx, r, m)
	}
}

// myself takes in what becomes of the bot in a chat.
func (t *Telegram) myself(ctx context.Context, u *models.ChatMemberUpdated) {
	l := t.out.line(t.present(u.Chat.ID))
	now, before := inside(u.NewChatMember), inside(u.OldChatMember)
	regained := l.standing(now, missingRight(u.NewChatMember))
	if regained {
		if err := t.handler.Back(ctx, chatID(l.chat)); err != nil {
			t.log.Error("telling a chat what it missed", "chat", l.chat, "error", err)
		}
	}
	if !now || before || u.Chat.Type == models.ChatTypePrivate || u.Chat.Type == models.ChatTypeChannel {
		return
	}
	if !t.greets(u.Chat.ID, welcomed) {
		return
	}
	answer := t.handler.Handle(ctx, bot.Request{
		ID:      name + ":added/" + strconv.FormatInt(u.Chat.ID, 10) + "/" + strconv.Itoa(u.Date),
		Channel: t.channel(u.Chat, 0),
		User:    person(&u.From),
		Command: "start",
		Named:   true,
		Locale:  u.From.LanguageCode,
	})
	t.out.put(l.chat, "", answer)
}

// member takes in that somebody else has come or gone, which Telegram tells
// where the bot administers a group.
func (t *Telegram) member(ctx context.Context, u *models.ChatMemberUpdated) {
	if who := memberUser(u.NewChatMember); who != nil && inside(u.OldChatMember) && !inside(u.NewChatMember) {
		t.left(ctx, u.Chat, who)
	}
}

func (t *Telegram) left(ctx context.Context, chat models.Chat, who *models.User) {
	id := chatID(t.present(chat.ID))
	if err := t.handler.Left(ctx, id, person(who)); err != nil {
		t.log.Error("giving up the seats of somebody who left", "chat", id, "error", err)
	}
}

// greets reports whether a chat may be greeted, that is wasn't for so long, and
// notes that it is now.
func (t *Telegram) greets(chat int64, pause time.Duration) bool {
	key := name + "/greeted/" + strconv.FormatInt(t.present(chat), 10)
	now := time.Now()
	t.greeting.Lock()
	defer t.greeting.Unlock()
	if noted, err := t.notes.Get(key); err == nil && noted != nil {
		if at, err := time.Parse(time.RFC3339, string(noted)); err == nil && now.Sub(at) < pause {
			return false
		}
	}
	if err := t.notes.Put(key, []byte(now.UTC().Format(time.RFC3339))); err != nil {
		t.log.Error("noting that a chat was greeted", "chat", chat, "error", err)
	}
	return true
}

// leastGroup is the least id of a group; those of supergroups are below.
const leastGroup = -999_999_999_999

// moveChat tells the house that a chat has a new id. Telegram says so in both
// chats and in refused calls, in any order: doing it again is harmless.
func (t *Telegram) moveChat(ctx context.Context, from, to int64) {
	if t.present(from) == to {
		return
	}
	if err := t.handler.Move(ctx, chatID(from), chatID(to)); err != nil {
		t.log.Error("moving a group to its new id", "from", from, "to", to, "error", err)
		return // whoever tells it next tries again
	}
	// Not before: under its new id nothing would be found yet.
	t.moving.Lock()
	defer t.moving.Unlock()
	t.moved[from] = to
	if err := t.notes.Put(movedNote(from), []byte(strconv.FormatInt(to, 10))); err != nil {
		t.log.Error("noting that a group has a new id", "from", from, "to", to, "error", err)
	}
}

// movedNote is under what the new id of a group is kept: buttons that stand
// where it was are pressed for long.
func movedNote(from int64) string { return name + "/moved/" + strconv.FormatInt(from, 10) }

// present returns the id that a chat has now.
func (t *Telegram) present(chat int64) int64 {
	if chat >= 0 || chat < leastGroup { // only groups get others
		return chat
	}
	t.moving.Lock()
	defer t.moving.Unlock()
	if to, ok := t.moved[chat]; ok {
		return to
	}
	noted, err := t.notes.Get(movedNote(chat))
	if err != nil {
		return chat
	}
	to := chat
	if n, err := strconv.ParseInt(string(noted), 10, 64); err == nil {
		to = n
	}
	t.moved[chat] = to
	return to
}

// inside reports whether somebody with that standing is in the chat.
func inside(m models.ChatMember) bool {
	switch m.Type {
	case models.ChatMemberTypeOwner, models.ChatMemberTypeAdministrator, models.ChatMemberTypeMember:
		return true
	case models.ChatMemberTypeRestricted:
		return m.Restricted.IsMember
	}
	return false
}

// missingRight returns the right that a standing lacks for writing, as Telegram
// calls it, or nothing.
func missingRight(m models.ChatMember) string {
	if m.Type == models.ChatMemberTypeRestricted && !m.Restricted.CanSendMessages {
		return sendMessages
	}
	return ""
}

// memberUser returns whose standing it is.
func memberUser(m models.ChatMember) *models.User {
	switch m.Type {
	case models.ChatMemberTypeOwner:
		return m.Owner.User
	case models.ChatMemberTypeAdministrator:
		return &m.Administrator.User
	case models.ChatMemberTypeMember:
		return m.Member.User
	case models.ChatMemberTypeRestricted:
		return m.Restricted.User
	case models.ChatMemberTypeLeft:
		return m.Left.User
	case models.ChatMemberTypeBanned:
		return m.Banned.User
	}
	return nil
}
