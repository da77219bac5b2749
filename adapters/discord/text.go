package discord

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hiss/adapters/queue"
	"hiss/bot"
)

// maxContent is how long a message may be. Discord counts code points, of which
// there are never more than UTF-16 units.
const maxContent = 2000

// render turns spans into Discord's markup, and returns whom it mentions. Names
// and titles are data: whatever would be read as markup in them is escaped.
// Nothing is bold, since the stars would stand between the words of a go line for
// whoever searches or hears them.
func render(t bot.Text) (content string, mentioned []string) {
	var b strings.Builder
	for _, s := range t {
		text := clean(s.Text)
		start := b.Len() == 0 || strings.HasSuffix(b.String(), "\n")
		switch s.Kind {
		case bot.Code:
			b.WriteString(code(text))
		case bot.Moment, bot.Where:
			b.WriteString(cmp.Or(tag(s), unlist(escape(text), start)))
		case bot.Mention:
			if id, ok := userNumber(s.User); ok {
				b.WriteString("<@" + id + ">")
				if !slices.Contains(mentioned, id) {
					mentioned = append(mentioned, id)
				}
				continue
			}
			b.WriteString(unlist(escape(text), start))
		case bot.Sign:
			b.WriteString(text)
		default:
			b.WriteString(unlist(escape(text), start))
		}
	}
	return strings.TrimSpace(b.String()), mentioned
}

// tag returns what clients show as a countdown, or as a link to a channel. It's
// empty where a span says too little for that.
func tag(s bot.Span) string {
	if s.Kind == bot.Moment && !s.At.IsZero() {
		return "<t:" + strconv.FormatInt(s.At.Unix(), 10) + ":R>"
	}
	if s.Kind == bot.Where && s.Place != "" && strings.Trim(s.Place, "0123456789") == "" {
		return "<#" + s.Place + ">"
	}
	return ""
}

// code returns text in which nothing is read as markup and line breaks are kept.
func code(text string) string {
	text = strings.Trim(text, "\n")
	if strings.Contains(text, "\n") {
		return "```\n" + strings.ReplaceAll(text, "```", "`\u200b``") + "\n```"
	}
	if strings.Contains(text, "`") {
		return "`` " + strings.ReplaceAll(text, "``", "`\u200b`") + " ``"
	}
	return "`" + text + "`"
}

// escape keeps text from being read as markup, mentions, links with other words
// and timestamps.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\*_~`|<>[]", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// unlist keeps the beginnings of lines from being read as headings or lists. The
// text begins one if start says so.
func unlist(text string, start bool) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i > 0 || start {
			lines[i] = unlisted(line)
		}
	}
	return strings.Join(lines, "\n")
}

func unlisted(line string) string {
	digits := strings.TrimLeft(line, "0123456789")
	switch {
	case line == "":
	case strings.ContainsRune("#-+", rune(line[0])):
		return "\\" + line
	case digits != line && strings.HasPrefix(digits, ". "):
		return line[:len(line)-len(digits)] + "\\" + digits
	}
	return line
}

// clean leaves out what can't be shown: control characters, and what turns text
// around it.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r >= '\u202a' && r <= '\u202e', unicode.Is(unicode.Cc, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// plain returns a text without any dressing, for files and alt texts.
func plain(t bot.Text) string {
	var b strings.Builder
	for _, s := range t {
		b.WriteString(clean(s.Text))
	}
	return strings.TrimSpace(b.String())
}

// cut shortens text to so many UTF-16 units, "…" included.
func cut(s string, units int) string {
	if queue.Units(s) <= units {
		return s
	}
	n := 0
	for i, r := range s {
		if n += queue.Units(string(r)); n >= units {
			return s[:i] + "…"
		}
	}
	return s
}

// chatID and userID name servers and people for the rest of the house, and are
// read by nobody else.
func chatID(id string) bot.ChatID { return bot.ChatID(name + ":" + id) }

func userID(id string) bot.UserID { return bot.UserID(name + ":" + id) }

func userNumber(u bot.UserID) (string, bool) {
	id, ours := strings.CutPrefix(string(u), name+":")
	return id, ours && id != ""
}

// channelNumber returns the channel that a place is: a direct message is a chat
// of its own.
func channelNumber(c bot.Channel) (string, bool) {
	id, ours := strings.CutPrefix(string(c.Chat), name+":")
	if c.Place != "" {
		id = c.Place
	}
	return id, ours && id != ""
}
