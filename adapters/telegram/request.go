package telegram

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/go-telegram/bot/models"

	"hiss/bot"
)

// asked returns what a message asks for: a command, or the line of the question
// that it answers. It's false for all that is neither, or not for this bot, or not
// from somebody here: talk, other bots' commands, forwarded messages, what bots
// and channels say.
func (t *Telegram) asked(m *models.Message) (bot.Request, bool) {
	user, admin, ok := t.sender(m)
	if !ok {
		return bot.Request{}, false
	}
	private := m.Chat.Type == models.ChatTypePrivate
	r := bot.Request{
		ID:      name + ":" + strconv.FormatInt(m.Chat.ID, 10) + "/" + strconv.Itoa(m.ID),
		Channel: t.channel(m.Chat, topicOf(m)),
		User:    user,
		Named:   true,
		Alone:   private,
		Locale:  m.From.LanguageCode,
		Admin:   admin,
	}
	text, entities := m.Text, m.Entities
	if text == "" {
		text, entities = m.Caption, m.CaptionEntities
	}
	head, rest, ok := commandOf(text, entities)
	if !ok {
		line, ok := t.questioned(m)
		if !ok {
			return r, false
		}
		r.Command, _, r.Args = bot.ParseLine(line)
		r.Attachment, ok = t.given(m)
		return r, ok
	}
	command, mention, _ := bot.ParseLine(head)
	if mention != "" && !strings.EqualFold(mention, t.self.Username) {
		return bot.Request{}, false
	}
	r.Command, r.Args = command, strings.Fields(rest)
	r.Named = private || mention != ""
	r.Mentions = t.mentions(m, text, entities)
	r.Attachment = t.attachment(m)
	if private && command == "start" && len(r.Args) == 1 {
		t.followLink(&r)
	}
	return r, true
}

// followLink turns the /start of a deep link into the command that it carries.
func (t *Telegram) followLink(r *bot.Request) {
	line, ok := opened(r.Args[0])
	if !ok {
		return
	}
	command, _, args := bot.ParseLine(line)
	for _, known := range t.handler.Commands() {
		if known.Name == command {
			r.Command, r.Args = command, args
		}
	}
}

// sender returns who wrote a message, and how to ask whether they administer
// the chat. Telegram shows anonymous admins and channels as one shared account
// each, so these are masked: what they write is known by the chat they write as.
func (t *Telegram) sender(m *models.Message) (bot.User, func(context.Context, bool) (bool, error), bool) {
	if m.From == nil || m.ForwardOrigin != nil || m.IsAutomaticForward || m.Chat.Type == models.ChatTypeChannel {
		return bot.User{}, nil, false
	}
	if as := m.SenderChat; as != nil {
		itself := as.ID == m.Chat.ID
		admin := func(context.Context, bool) (bool, error) { return itself, nil }
		return bot.User{ID: userID(as.ID), Name: as.Title, Masked: true}, admin, true
	}
	if m.From.IsBot {
		return bot.User{}, nil, false
	}
	return person(m.From), t.admins(m.Chat, m.From.ID), true
}

// admins returns how to ask whether somebody administers a chat, by the id that it
// has now: Telegram tells nothing of one that became a supergroup.
func (t *Telegram) admins(chat models.Chat, user int64) func(context.Context, bool) (bool, error) {
	chat.ID = t.present(chat.ID)
	return t.rights.of(chat, user)
}

// person returns somebody as Telegram shows them.
func person(u *models.User) bot.User {
	return bot.User{ID: userID(u.ID), Name: strings.TrimSpace(u.FirstName + " " + u.LastName), Automaton: u.IsBot}
}

// commandOf splits a text behind the command that it begins with. Entities
// count UTF-16 units.
func commandOf(text string, entities []models.MessageEntity) (head, rest string, ok bool) {
	for _, e := range entities {
		if e.Type == models.MessageEntityTypeBotCommand && e.Offset == 0 {
			if head, ok = unitsFrom(text, 0, e.Length); ok && len(head) > 1 {
				return head, text[len(head):], true
			}
		}
	}
	return "", "", false
}

// unitsFrom returns so many UTF-16 units of a text. It's false for a range that
// isn't inside, or splits a character.
func unitsFrom(text string, from, length int) (string, bool) {
	begin, at := -1, 0
	for i, r := range text {
		if at == from {
			begin = i
		}
		if at == from+length && begin >= 0 {
			return text[begin:i], true
		}
		at += utf16.RuneLen(r)
	}
	if begin >= 0 && at == from+length {
		return text[begin:], true
	}
	return "", false
}

// mentions returns the people named in a message, in order, and last whom it
// replies to. A username tells who is meant only if its owner has written here.
func (t *Telegram) mentions(m *models.Message, text string, entities []models.MessageEntity) []bot.User {
	var all []bot.User
	for _, e := range entities {
		switch e.Type {
		case models.MessageEntityTypeTextMention:
			if e.User != nil {
				all = append(all, person(e.User))
			}
		case models.MessageEntityTypeMention:
			if at, ok := unitsFrom(text, e.Offset, e.Length); ok {
				if u, ok := t.people.called(m.Chat.ID, strings.TrimPrefix(at, "@")); ok {
					all = append(all, u)
				}
			}
		}
	}
	// In a topic the first message is what everything else replies to.
	if to := m.ReplyToMessage; to != nil && to.From != nil && !to.From.IsBot && to.ID != topicOf(m) {
		all = append(all, person(to.From))
	}
	return all
}

// attachment returns the document that came with a message, or with the one
// that it replies to.
func (t *Telegram) attachment(m *models.Message) *bot.Attachment {
	d := m.Document
	if d == nil && m.ReplyToMessage != nil {
		d = m.ReplyToMessage.Document
	}
	if d == nil {
		return nil
	}
	return t.file(d)
}

// topicOf returns the topic that a message stands in, 0 for none. Replies in
// ordinary groups carry a thread too, which is no topic.
func topicOf(m *models.Message) int {
	if m.IsTopicMessage {
		return m.MessageThreadID
	}
	return 0
}

// channel returns the place in which a match lives.
func (t *Telegram) channel(chat models.Chat, topic int) bot.Channel {
	c := bot.Channel{Chat: chatID(t.present(chat.ID))}
	if topic != 0 {
		c.Place = strconv.Itoa(topic)
	}
	return c
}

// pressed returns what a press on a button asks for, and the chat and the
// message that has it. It's false for what isn't a press on a message of ours.
func (t *Telegram) pressed(q *models.CallbackQuery) (r bot.Request, from int64, message int, ok bool) {
	line, place := unpack(q.Data)
	chat := models.Chat{}
	topic := 0
	switch m := q.Message; {
	case m.Message != nil:
		chat, message, topic = m.Message.Chat, m.Message.ID, topicOf(m.Message)
	case m.InaccessibleMessage != nil: // it tells no topic, but the button does
		chat, message = m.InaccessibleMessage.Chat, m.InaccessibleMessage.MessageID
		if chat.IsForum {
			topic = topicNumber(place)
		}
	default:
		return bot.Request{}, 0, 0, false
	}
	command, _, args := bot.ParseLine(line)
	private := chat.Type == models.ChatTypePrivate
	return bot.Request{
		ID:      name + ":press/" + q.ID,
		Channel: t.channel(chat, topic),
		User:    person(&q.From),
		Command: command,
		Args:    args,
		Pressed: true,
		Named:   true,
		Alone:   private,
		Locale:  q.From.LanguageCode,
		Admin:   t.admins(chat, q.From.ID),
	}, chat.ID, message, command != ""
}
