package telegram

import (
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/go-telegram/bot/models"

	"hiss/bot"
)

// joined is how long, in UTF-16 units, a message may get by joining what waits.
const joined = 3000

// post is something that waits in a chat's line to be told.
type post struct {
	place   string
	m       bot.Message
	above   bot.Text // said on earlier pages, which nobody has seen
	unseen  bot.Text // of what is said on this page, what nobody has seen
	private bool     // for one person's eyes, as far as a group has that
	reply   int      // the message that is replied to, 0 if none is
	told    []func()
	since   time.Time // when it was put in line
	tries   int
}

// loud reports whether it has to be noticed, which takes a new message: an edit
// notifies nobody.
func (p *post) loud() bool { return p.m.Call != nil || p.m.Sound }

// takes reports whether a later post tells the same page as this one, so that
// the two can leave as one.
func (p *post) takes(later *post) bool {
	return p.m.Page != "" && p.m.Page == later.m.Page && p.place == later.place && !later.loud()
}

// take makes this post the later one, which tells all that this one does. Who
// was called is called no more: something has happened since.
func (p *post) take(later *post) {
	sound := p.m.Sound
	p.unseen = bot.Lines(p.unseen, later.m.Said)
	p.told = append(p.told, later.told...)
	p.m = later.m
	p.m.Sound = sound
}

// follows reports whether what was said in an earlier post can stand above this
// one.
func (p *post) follows(earlier *post) bool {
	return p.place == earlier.place &&
		units(bot.Lines(earlier.above, earlier.unseen, p.above, p.m.Before, p.m.Text()).String()) <= joined
}

// follow takes over what an earlier post says. What is passing in it has
// passed: how things stood, its picture, its buttons.
func (p *post) follow(earlier *post) {
	p.above = bot.Lines(earlier.above, earlier.unseen, p.above)
	p.told = append(earlier.told, p.told...)
	p.m.Sound = p.m.Sound || earlier.m.Sound
	p.since = earlier.since
}

// shown is a message in the chat, as far as it has to be known.
type shown struct {
	page    string
	id      int
	media   bool
	above   bot.Text // stands above what its page tells
	body    body
	live    bool // it has buttons
	changed time.Time
}

// body tells whether a message would look the same.
type body [sha256.Size]byte

// bodyOf returns the body of a message. One with a picture never looks like
// another, since pictures come with what has changed.
func bodyOf(r rendered, k *models.InlineKeyboardMarkup) body {
	data, err := json.Marshal([]any{r.text, r.entities, k})
	if err != nil {
		return body{}
	}
	return sha256.Sum256(data)
}
