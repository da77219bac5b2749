package telegram

import (
	"context"
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/go-telegram/bot/models"

	"hiss/bot"
)

// maxHint is how long a hint in the field to write in may be.
const maxHint = 64

// startLink returns an address that carries a command line: that of a link to
// the bot's private chat.
func startLink(username, line string) string {
	return "https://t.me/" + username + "?start=" + base64.RawURLEncoding.EncodeToString([]byte(line))
}

// asking puts a question's line before a text, as a link on something that can't
// be seen: Telegram shows it again with every reply, so it's known also after a
// restart which question is answered. Whom it is for, unless nil, is mentioned in
// the same way, since a bot can ask only those for a reply whom it replies to or
// mentions.
func (r rendered) asking(q bot.Question, username string, of *bot.User) rendered {
	marks := []models.MessageEntity{{Type: models.MessageEntityTypeTextLink, URL: startLink(username, q.Line)}}
	if of != nil {
		if e, ok := entity(bot.Span{Kind: bot.Mention, User: of.ID}, of.Name); ok && e.User != nil {
			marks = append(marks, e)
		}
	}
	one := units(wordJoiner)
	for i := range marks {
		marks[i].Offset, marks[i].Length = i*one, one
	}
	shift := len(marks) * one
	for _, e := range r.entities {
		e.Offset += shift
		marks = append(marks, e)
	}
	return rendered{strings.Repeat(wordJoiner, shift/one) + r.text, marks, r.units + shift}
}

// forced returns what opens the field to write in for whoever is asked, and in a
// group for nobody else.
func forced(q bot.Question, private bool) *models.ForceReply {
	hint := rendered{text: clean(q.Hint)}.cut(maxHint)
	return &models.ForceReply{ForceReply: true, InputFieldPlaceholder: hint.text, Selective: !private}
}

// questioned returns the line of the question that a message replies to. Only the
// bot itself can have put it there; whose answer it is says the message.
func (t *Telegram) questioned(m *models.Message) (line string, ok bool) {
	to := m.ReplyToMessage
	if to == nil || to.From == nil || to.From.ID != t.self.ID || to.ForwardOrigin != nil {
		return "", false
	}
	for _, e := range to.Entities {
		if e.Type != models.MessageEntityTypeTextLink {
			continue
		}
		if u, err := url.Parse(e.URL); err == nil && u.Host == "t.me" {
			return opened(u.Query().Get("start"))
		}
	}
	return "", false
}

// given returns what a message answers a question with, nil if that is neither a
// file nor text. It's false for what nobody says, such as that a message was
// pinned.
func (t *Telegram) given(m *models.Message) (*bot.Attachment, bool) {
	switch {
	case m.Document != nil:
		return t.file(m.Document), true
	case m.Text != "":
		return bot.Written(m.Text), true
	}
	return nil, m.Photo != nil || m.Sticker != nil || m.Video != nil || m.VideoNote != nil || m.Voice != nil || m.Audio != nil ||
		m.Contact != nil || m.Location != nil || m.Poll != nil || m.Dice != nil
}

// file returns a document as it is fetched.
func (t *Telegram) file(d *models.Document) *bot.Attachment {
	return &bot.Attachment{Name: d.FileName, Read: func(ctx context.Context, limit int) ([]byte, error) {
		if d.FileSize > int64(limit) {
			return nil, &bot.TooLarge{Limit: limit}
		}
		return t.api.download(ctx, d.FileID, limit)
	}}
}

// readable returns what a document says, if it can be read.
func readable(f *bot.Document) bot.Text {
	if text, ok := f.Text(); ok && text != "" {
		return bot.Text{{Kind: bot.Code, Text: text}}
	}
	return nil
}

// wordsAlone leaves a post only its words, and what its document says. It reports
// whether there was more.
func (p *post) wordsAlone() bool {
	m := &p.Message
	if m.Picture == nil && m.Document == nil {
		return false
	}
	if m.Document != nil {
		m.Said = bot.Lines(m.Said, readable(m.Document))
		p.unfiled = true
	}
	*m = m.WithoutPicture()
	m.Document = nil
	return true
}
