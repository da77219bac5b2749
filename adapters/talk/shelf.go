package talk

import (
	"slices"

	"hiss/bot"
)

// remembered is how many messages with buttons a channel keeps for pressing.
const remembered = 100

// shelf remembers the buttons of a channel's messages, oldest first.
type shelf []labelled

// labelled is what is kept of a message that has buttons.
type labelled struct {
	page    string
	only    bot.UserID // who alone can press them; empty for everybody
	next    *bot.User
	buttons []bot.Button // labels as printed
	gone    bool         // in a chat that edits, they would be shown no more
	apart   bool         // they are about nothing that goes on
}

// add remembers the buttons of a message. It takes the place of the earlier
// ones on its page, which can still be pressed by name: what was printed stays
// on the screen.
func (s *shelf) add(d Delivery) {
	if d.Message.Page != "" && d.Only == nil {
		for i := range *s {
			if (*s)[i].page == d.Message.Page {
				(*s)[i].gone = true
			}
		}
	}
	m := labelled{page: d.Message.Page, next: d.Message.Next, apart: d.Message.Apart}
	if d.Only != nil {
		m.only = d.Only.ID
	}
	for _, row := range d.Message.Buttons {
		for _, b := range row {
			if b.Line != "" {
				b.Label = Clean(b.Label)
				m.buttons = append(m.buttons, b)
			}
		}
	}
	if len(m.buttons) == 0 {
		return
	}
	*s = append(*s, m)
	if len(*s) > remembered {
		*s = slices.Delete(*s, 0, len(*s)-remembered)
	}
}

// find returns the button that a person means by the words on it, on the
// newest message that has one, or as many such messages back.
func (s shelf) find(who bot.UserID, pressed string, back int) (bot.Button, bool) {
	for _, m := range slices.Backward(s) {
		if m.only != "" && m.only != who {
			continue
		}
		best, fit := bot.Button{}, 0
		for _, b := range m.buttons {
			if c := closeness(b.Label, pressed); c > fit {
				best, fit = b, c
			}
		}
		if fit == 0 {
			continue
		}
		if back == 0 {
			return best, true
		}
		back--
	}
	return bot.Button{}, false
}

// first returns the button to press next and who is expected to: of the newest
// message that everybody sees, is about what goes on, and whose buttons a chat would still show, the
// first button that leads on (a primary one), or else the first.
func (s shelf) first() (bot.Button, *bot.User, bool) {
	for _, m := range slices.Backward(s) {
		if m.only == "" && !m.gone && !m.apart {
			lead := slices.IndexFunc(m.buttons, func(b bot.Button) bool { return b.Style == bot.Primary })
			return m.buttons[max(lead, 0)], m.next, true
		}
	}
	return bot.Button{}, nil, false
}

// labels returns the words that a person can press now, newest message first.
func (s shelf) labels(who bot.UserID) []string {
	var all []string
	for _, m := range slices.Backward(s) {
		if m.only != "" && m.only != who {
			continue
		}
		for _, b := range m.buttons {
			if !slices.Contains(all, b.Label) {
				all = append(all, b.Label)
			}
		}
	}
	return all
}
