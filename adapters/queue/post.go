package queue

import (
	"time"
	"unicode/utf16"

	"hiss/bot"
)

// Post is a message that waits to be told. What waits can be folded: a later
// state of the same page takes its place, and what is said on another page can
// stand in one message with it. Every word that stays is told in the end; only
// what has passed is left out.
type Post struct {
	Place   string // where in the chat
	Message bot.Message
	Above   bot.Text // said on earlier pages, which nobody has seen
	Unseen  bot.Text // of what is said on this page, what nobody has seen
	Told    []func() // whom to tell that it is out
	Since   time.Time
	Tries   int
}

// NewPost returns a post of a message. One with a document belongs to no page,
// and has no picture.
func NewPost(place string, m bot.Message, now time.Time) Post {
	if m.Document != nil && len(m.Document.Data) == 0 {
		m.Document = nil
	}
	if m.Document != nil {
		m.Page, m.Picture = "", nil
	}
	return Post{Place: place, Message: m, Unseen: m.Said, Since: now}
}

// Posts returns an answer's messages as posts. Told is called when the last of
// them is out, which is when all are.
func Posts(place string, a bot.Answer, now time.Time) []Post {
	all := make([]Post, len(a.Channel))
	for i, m := range a.Channel {
		all[i] = NewPost(place, m, now)
	}
	if n := len(all); n > 0 && a.Told != nil {
		all[n-1].Told = []func(){a.Told}
	}
	return all
}

// Text returns all that a message of its own would show.
func (p *Post) Text() bot.Text { return bot.Lines(p.Above, p.Whole()) }

// Whole returns all that its page tells.
func (p *Post) Whole() bot.Text { return bot.Lines(p.Message.Before, p.Message.Text()) }

// Loud reports whether it has to be noticed, which takes a new message: an edit
// notifies nobody.
func (p *Post) Loud() bool { return p.Message.Call != nil || p.Message.Sound }

// Quiet reports whether it says nothing that stays.
func (p *Post) Quiet() bool { return len(p.Unseen) == 0 && len(p.Above) == 0 && !p.Loud() }

// Takes reports whether a later post tells the same page as this one, so that
// the two can leave as one.
func (p *Post) Takes(later *Post) bool {
	return p.Message.Page != "" && p.Message.Page == later.Message.Page && p.Place == later.Place && !later.Loud()
}

// Take makes this post the later one, which tells all that this one does. Who
// was called is called no more: something has happened since. A picture stays
// where nothing more was said.
func (p *Post) Take(later *Post) {
	sound, picture := p.lasts(), p.Message.Picture
	p.Unseen = bot.Lines(p.Unseen, later.Message.Said)
	p.Told = append(p.Told, later.Told...)
	p.Message = later.Message
	p.Message.Sound = sound
	if len(later.Message.Said) == 0 && p.Message.Picture == nil {
		p.Message.Picture = picture
	}
}

// lasts reports whether the post's sound is wanted whatever follows: that of a
// call, or of what has passed, isn't.
func (p *Post) lasts() bool {
	return p.Message.Sound && p.Message.Call == nil && !p.reminds()
}

// reminds reports whether it has nothing to say of its own, but calls.
func (p *Post) reminds() bool {
	return p.Loud() && len(p.Unseen) == 0 && p.Message.Document == nil
}

// Yields drops what is stale in this post once a later one is told, and reports
// whether nothing is left. Stale is what doesn't stay, such as a reminder, if the
// other tells the same page: who waits for it to be told is told with that.
func (p *Post) Yields(later *Post) (all bool) {
	if len(p.Unseen) > 0 || p.Message.Document != nil || p.Message.Page == "" || p.Message.Page != later.Message.Page || p.Place != later.Place {
		return false
	}
	if len(p.Above) > 0 { // it keeps its turn
		p.Message, p.Unseen, p.Above = bot.Message{Said: p.Above}, p.Above, nil
		return false
	}
	later.Told = append(p.Told, later.Told...)
	later.Since = p.Since
	return true
}

// Follows reports whether what was said in an earlier post can stand above this
// one, in at most that many UTF-16 units together. A document stays with its own
// words, and what has buttons or calls somebody is told unless this one makes that
// useless, by going on with the match.
func (p *Post) Follows(earlier *Post, units int) bool {
	live := len(earlier.Message.Buttons) > 0 || earlier.reminds()
	if p.Place != earlier.Place || earlier.Message.Document != nil || live && !Ends(earlier.Message, p.Message) {
		return false
	}
	return Units(bot.Lines(earlier.Above, earlier.Unseen, p.Text()).String()) <= units
}

// Follow takes over what an earlier post says. What is passing in it has passed:
// how things stood, its picture, its buttons.
func (p *Post) Follow(earlier *Post) {
	p.Above = bot.Lines(earlier.Above, earlier.Unseen, p.Above)
	p.Told = append(earlier.Told, p.Told...)
	if earlier.lasts() {
		p.Message.Sound, p.Message.Gentle = true, false
	}
	p.Since = earlier.Since
}

// Played reports whether a message goes on with a match: by its page, or by a
// button that is made to be pressed next. One that stands apart never does.
func Played(m bot.Message) bool {
	if m.Apart {
		return false
	}
	for _, row := range m.Buttons {
		for _, b := range row {
			if b.Style == bot.Primary {
				return true
			}
		}
	}
	return m.Page != ""
}

// Ends reports whether an earlier message's buttons are of no use once a later
// one stands below it: what is played now ends all others, and anything that has
// buttons ends those of what was played.
func Ends(earlier, later bot.Message) bool {
	return !earlier.Apart && (Played(later) || Played(earlier) && len(later.Buttons) > 0 && !later.Apart)
}

// Units counts UTF-16 code units, as platforms count.
func Units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}
