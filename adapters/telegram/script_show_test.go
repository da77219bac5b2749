package telegram_test

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
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.beside(), b.beside()), cmp.Compare(b.chat, a.chat), a.order()-b.order())
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

// beside tells what is given beside a chat's order: answers to presses and
// reactions leave side by side, and in a transcript stand first.
func (e event) beside() int { return map[string]int{"answer": -2, "reaction": -1}[e.kind] }

// order puts what leaves side by side in the same moment in one of its orders.
func (e event) order() int {
	switch e.kind {
	case "answer":
		return int(e.by.ID)
	case "reaction":
		return e.message
	}
	return 0
}

// showEvent writes down one event.
func (s *stage) showEvent(e event) {
	var notes []string
	head := ""
	switch e.kind {
	case "send":
		head = fmt.Sprintf("bot %d", e.message)
		notes = s.notes(e)
	case "edit":
		head = fmt.Sprintf("bot edits %d", e.message)
		notes = mediaNote(e)
	case "delete":
		head = fmt.Sprintf("bot deletes %d", e.message)
	case "reaction":
		head = fmt.Sprintf("bot reacts %s to %d", e.text, e.message)
	case "answer":
		if e.text == "" {
			return
		}
		head = "bot"
		notes = []string{"toast to " + s.name(e.by)}
		if e.alert {
			notes = []string{"alert to " + s.name(e.by)}
		}
	case "action":
		return
	case "fault":
		s.out.WriteString("bot breaks a rule: " + e.text + "\n")
		return
	}
	if late := e.at.Sub(s.acted); late >= time.Second {
		notes = append(notes, "after "+late.Round(time.Second).String())
	}
	if len(notes) > 0 {
		head += " (" + strings.Join(notes, ", ") + ")"
	}
	lines := []string{head}
	if e.kind == "send" || e.kind == "edit" || e.kind == "answer" {
		lines = s.lines(head+": ", e)
	}
	for _, line := range lines {
		s.out.WriteString(s.prefix(e.chat, e.topic) + line + "\n")
	}
}

// notes returns what isn't in a message's words.
func (s *stage) notes(e event) []string {
	notes := mediaNote(e)
	if !e.silent {
		notes = append(notes, "sound")
	}
	for _, id := range s.called(e) {
		notes = append(notes, "calls "+s.nameOf(id))
	}
	if e.replyTo != nil {
		notes = append(notes, fmt.Sprintf("to %d", e.replyTo.ID))
	}
	for _, id := range e.asks {
		notes = append(notes, "asks "+s.nameOf(id)+" for a reply like "+e.hint)
	}
	if e.preview {
		notes = append(notes, "with a preview")
	}
	return notes
}

// mediaNote says what a message carries.
func mediaNote(e event) []string {
	switch {
	case e.media == "document":
		return []string{fmt.Sprintf("document %s, %d bytes", e.file.Name, e.file.Size)}
	case e.media != "":
		return []string{fmt.Sprintf("%s %d×%d", e.media, e.file.Width, e.file.Height)}
	}
	return nil
}

// called returns whom a message notifies: those it mentions, and those whose
// username happens to stand in it.
func (s *stage) called(e event) []int64 {
	var ids []int64
	for _, x := range e.entities {
		switch x.Type {
		case "text_mention":
			ids = append(ids, x.User.ID)
		case "mention":
			s.api.mu.Lock()
			for id, u := range s.api.users {
				if strings.EqualFold("@"+u.Username, covered(e.text, x)) {
					ids = append(ids, id)
				}
			}
			s.api.mu.Unlock()
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// lines returns what a message shows, its buttons last.
func (s *stage) lines(head string, e event) []string {
	text := e.text
	if e.kind == "edit" && e.text == e.was {
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
	if s.dressing && len(e.entities) > 0 {
		var all []string
		for _, x := range e.entities {
			all = append(all, fmt.Sprintf("%s %q", x.Type, covered(e.text, x)))
		}
		lines = append(lines, "     <"+strings.Join(all, ", ")+">")
	}
	for _, row := range e.buttons {
		var all []string
		for _, b := range row {
			label := b.Text
			if b.URL != "" {
				label += " → " + b.URL
			}
			all = append(all, "["+visible(label)+"]")
		}
		lines = append(lines, "     "+strings.Join(all, " "))
	}
	if e.kind == "edit" && len(e.buttons) == 0 {
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

// prefix names a chat and topic at the head of a line.
func (s *stage) prefix(chat int64, topic int) string {
	name := "dm"
	for n, id := range s.chats {
		if id == chat {
			name = n
		}
	}
	switch {
	case name == "":
		return ""
	case topic != 0:
		return fmt.Sprintf("#%s/%d ", name, topic)
	}
	return "#" + name + " "
}

// name returns how a transcript calls an account.
func (s *stage) name(u *user) string { return s.nameOf(u.ID) }

func (s *stage) nameOf(id int64) string {
	for name, other := range s.people {
		if other == id {
			return talk.Quote(name)
		}
	}
	return fmt.Sprint(id)
}
