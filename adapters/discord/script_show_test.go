package discord_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"hiss/adapters/talk"
)

// show writes down what people have seen the bot do since the last time.
func (s *stage) show() {
	if s.held {
		return
	}
	all := s.api.seen(s.shown)
	s.shown += len(all)
	slices.SortStableFunc(all, func(a, b event) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.beside(), b.beside()), cmp.Compare(a.where(), b.where()), cmp.Compare(a.whose(), b.whose()))
	})
	for _, e := range all {
		s.showEvent(e)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range s.logged {
		s.out.WriteString("bot logs " + text + "\n")
	}
	s.logged = nil
}

// alone tells whether only one person sees it.
func (e event) alone() bool {
	return e.message.reader != nil || e.kind == "choices" || e.kind == "form"
}

// beside tells what is given beside a channel's order: what only one person
// sees leaves side by side, and in a transcript stands first.
func (e event) beside() int {
	if e.alone() {
		return -1
	}
	return 0
}

// where and whose put what leaves side by side in the same moment in one of its
// orders.
func (e event) where() string {
	if e.channel == nil {
		return ""
	}
	return e.channel.id
}

func (e event) whose() string {
	if e.alone() && e.by != nil {
		return e.by.ID
	}
	return ""
}

// showEvent writes down one event.
func (s *stage) showEvent(e event) {
	head, words := "", false
	var notes []string
	if e.message.reader != nil {
		notes = []string{"only " + s.name(e.message.reader)}
	}
	switch e.kind {
	case "send":
		head, words = "bot", true
		notes = append(notes, s.notes(e)...)
	case "edit":
		head, words = "bot updates", true
		if e.late {
			head = "bot"
			notes = append(notes, s.notes(e)...)
		} else {
			notes = append(notes, s.files(e)...)
		}
	case "delete":
		head = "bot deletes"
	case "thinking":
		head = "bot thinks"
	case "silence":
		head = "bot doesn't answer " + s.name(e.by)
	case "choices":
		head = "bot suggests to " + s.name(e.by) + ": " + cmp.Or(e.text, "nothing")
	case "form":
		head = "bot asks " + s.name(e.by) + ": " + e.text
	case "fault":
		s.out.WriteString("bot breaks a rule: " + e.text + "\n")
		return
	}
	if e.message.number != 0 && e.kind != "thinking" {
		head += fmt.Sprintf(" %d", e.message.number)
	}
	if late := e.at.Sub(s.acted); late >= time.Second {
		notes = append(notes, "after "+late.Round(time.Second).String())
	}
	if len(notes) > 0 {
		head += " (" + strings.Join(notes, ", ") + ")"
	}
	lines := []string{head}
	if words {
		lines = s.lines(head+": ", e)
	}
	for _, line := range lines {
		s.out.WriteString(s.prefix(e.channel) + line + "\n")
	}
}

// notes returns what isn't in a message's words.
func (s *stage) notes(e event) []string {
	notes := s.files(e)
	m := e.message
	if m.reader == nil && e.by != nil {
		notes = append([]string{"to " + s.name(e.by)}, notes...)
	}
	if m.reader == nil && m.flags&silent == 0 {
		notes = append(notes, "sound")
	}
	for _, id := range e.calls {
		notes = append(notes, "calls "+s.nameOf(id))
	}
	if m.reply != nil {
		notes = append(notes, fmt.Sprintf("to %d", m.reply.number))
	}
	return notes
}

// files says what a message carries.
func (s *stage) files(e event) []string {
	var all []string
	for _, f := range e.message.attachments {
		size := fmt.Sprintf("%d bytes", len(f.data))
		if f.width > 0 {
			size = fmt.Sprintf("%d×%d", f.width, f.height)
		}
		all = append(all, f.name+" "+size)
	}
	return all
}

// lines returns what a message shows, its pictures' words and its buttons last.
func (s *stage) lines(head string, e event) []string {
	m := e.message
	text := m.content
	for _, one := range m.embeds {
		text += "\n| " + strings.TrimSpace(fmt.Sprint(object(one)["title"], "\n", object(one)["description"]))
	}
	if !s.dressing {
		text = s.api.shown(e.channel, text)
	}
	if e.kind == "edit" && !e.late && m.content == e.was {
		text = "(the same words)"
	}
	var lines []string
	for i, line := range strings.Split(text, "\n") {
		line = visible(line)
		switch {
		case i == 0:
			line = strings.TrimRight(head+line, " ")
		case line == "":
			line = "     ⏎"
		default:
			line = "     " + line
		}
		lines = append(lines, line)
	}
	for _, f := range m.attachments {
		if f.description != "" {
			lines = append(lines, "     (for "+f.name+": "+visible(strings.ReplaceAll(f.description, "\n", " / "))+")")
		}
	}
	for _, row := range m.buttons() {
		var all []string
		for _, b := range row {
			label := b.words()
			if b.URL != "" {
				label += " → " + b.URL
			}
			if b.Disabled {
				label += " (off)"
			}
			all = append(all, "["+visible(label)+"]")
		}
		lines = append(lines, "     "+strings.Join(all, " "))
	}
	if e.kind == "edit" && !e.late && len(m.components) == 0 {
		lines = append(lines, "     (no buttons)")
	}
	return lines
}

// visible shows what would otherwise turn or hide what stands in a transcript.
func visible(line string) string {
	var b strings.Builder
	for _, r := range strings.TrimRight(line, " ") {
		if unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r == 0x2066 || r == 0x2067 {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// prefix names a channel at the head of a line.
func (s *stage) prefix(c *channel) string {
	for name, other := range s.places {
		if other == c {
			if name == "" {
				return ""
			}
			return "#" + name + " "
		}
	}
	return "#dm "
}

// name returns how a transcript calls an account.
func (s *stage) name(u *user) string { return s.nameOf(u.ID) }

func (s *stage) nameOf(id string) string {
	for name, u := range s.people {
		if u.ID == id {
			return talk.Quote(name)
		}
	}
	return id
}
