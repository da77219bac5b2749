package telegram

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/go-telegram/bot/models"

	"hiss/adapters/queue"
	"hiss/bot"
)

// The limits of the Bot API, in UTF-16 units (the server counts code points,
// which are never more), and how many entities it keeps.
const (
	maxText     = 4096
	maxCaption  = 1024
	maxToast    = 200
	maxEntities = 100
)

// rendered is a text as Telegram takes it. Its entities count UTF-16 units.
type rendered struct {
	text     string
	entities []models.MessageEntity
	units    int
}

// render turns spans into text and entities. Names and titles are data: no
// parse mode reads them, so nothing in them needs escaping.
func render(t bot.Text) rendered {
	var r rendered
	var b strings.Builder
	for _, s := range t {
		text := clean(s.Text)
		if s.Kind != bot.Code && s.Kind != bot.Mention {
			text = unping(text)
		}
		if s.Kind == bot.Strong {
			text = untap(text)
		}
		if r.units == 0 {
			text = strings.TrimLeft(text, " \n") // the server does, and would count otherwise
		}
		n := units(text)
		if e, ok := entity(s, text); ok && strings.TrimSpace(text) != "" {
			e.Offset, e.Length = r.units, n
			r.entities = append(r.entities, e)
		}
		b.WriteString(text)
		r.units += n
	}
	r.text = strings.TrimRight(b.String(), " \n")
	r.units = units(r.text)
	r.entities = clip(r.entities, r.units)
	return r
}

// cut shortens a text to so many UTF-16 units, "…" included.
func (r rendered) cut(most int) rendered {
	n := 0
	for i, c := range r.text {
		if n += utf16.RuneLen(c); n >= most {
			r.text = r.text[:i] + "…"
			break
		}
	}
	r.units = units(r.text)
	r.entities = clip(r.entities, r.units)
	return r
}

// entity returns how a span is dressed, without its range.
func entity(s bot.Span, text string) (models.MessageEntity, bool) {
	switch s.Kind {
	case bot.Strong:
		return models.MessageEntity{Type: models.MessageEntityTypeBold}, true
	case bot.Code:
		if strings.Contains(text, "\n") {
			return models.MessageEntity{Type: models.MessageEntityTypePre}, true
		}
		return models.MessageEntity{Type: models.MessageEntityTypeCode}, true
	case bot.Mention:
		if id, ok := userNumber(s.User); ok {
			return models.MessageEntity{
				Type: models.MessageEntityTypeTextMention,
				User: &models.User{ID: id, FirstName: text},
			}, true
		}
		return models.MessageEntity{Type: models.MessageEntityTypeBold}, true
	}
	return models.MessageEntity{}, false
}

// clip keeps entities inside the text, and as many as the server does: it's
// better that one name is not bold than that nobody is called.
func clip(all []models.MessageEntity, end int) []models.MessageEntity {
	var kept []models.MessageEntity
	for _, e := range all {
		if e.Length = min(e.Length, end-e.Offset); e.Length > 0 {
			kept = append(kept, e)
		}
	}
	for i := len(kept) - 1; i >= 0 && len(kept) > maxEntities; i-- {
		if kept[i].Type == models.MessageEntityTypeBold {
			kept = append(kept[:i], kept[i+1:]...)
		}
	}
	return kept[:min(len(kept), maxEntities)]
}

// clean leaves out what the server would drop or change, so that entities stand
// where they are meant to.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\r', r >= '\u2028' && r <= '\u202e', r == '\u030a', r == '\u0333', r == '\u033f':
			return -1
		case unicode.Is(unicode.Cc, r):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// wordJoiner takes no space and can't be seen.
const wordJoiner = "\u2060"

// unping keeps text from notifying whoever has it as a username: a person may
// be called "@somebody". Only a mention may ring.
func unping(s string) string {
	if !strings.Contains(s, "@") {
		return s
	}
	var b strings.Builder
	for i, part := range strings.Split(s, "@") {
		if i > 0 {
			b.WriteByte('@')
			word := strings.ToLower(part[:wordEnd(part)])
			// Words that ring on other platforms ring nobody here.
			if len(word) >= 4 && word != "everyone" && word != "here" {
				b.WriteString(wordJoiner)
			}
		}
		b.WriteString(part)
	}
	return b.String()
}

// untap keeps a name from being a command that people could tap.
func untap(name string) string {
	words := strings.Split(name, " ")
	for i, word := range words {
		if rest, ok := strings.CutPrefix(word, "/"); ok && wordEnd(rest) > 0 {
			words[i] = "/" + wordJoiner + rest
		}
	}
	return strings.Join(words, " ")
}

func wordEnd(s string) int {
	for i, r := range s {
		if r != '_' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)) {
			return i
		}
	}
	return len(s)
}

// units counts as Telegram does: in UTF-16.
func units(s string) int { return queue.Units(s) }

// toast returns a text as the answer to a press: without dressing, cut to what
// Telegram takes.
func toast(t bot.Text) string {
	var b strings.Builder
	for _, s := range t {
		b.WriteString(clean(s.Text))
	}
	text := strings.TrimSpace(b.String())
	if units(text) <= maxToast {
		return text
	}
	n := 0
	for i, r := range text {
		if n += utf16.RuneLen(r); n >= maxToast {
			return strings.TrimSpace(text[:i]) + "…"
		}
	}
	return text
}

// chatID and userID name chats and people for the rest of the house, and are
// read by nobody else.
func chatID(id int64) bot.ChatID { return bot.ChatID(name + ":" + strconv.FormatInt(id, 10)) }

func userID(id int64) bot.UserID { return bot.UserID(name + ":" + strconv.FormatInt(id, 10)) }

func chatNumber(c bot.ChatID) (int64, bool) { return number(string(c)) }

func userNumber(u bot.UserID) (int64, bool) { return number(string(u)) }

func number(s string) (int64, bool) {
	digits, ours := strings.CutPrefix(s, name+":")
	id, err := strconv.ParseInt(digits, 10, 64)
	return id, ours && err == nil
}
