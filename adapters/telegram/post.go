package telegram

import (
	"crypto/sha256"
	"encoding/json"
	"time"

	"github.com/go-telegram/bot/models"

	"hiss/adapters/queue"
	"hiss/bot"
)

// joined is how long, in UTF-16 units, a message may get by joining what waits.
const joined = 3000

// post is something that waits in a chat's line to be told.
type post struct {
	queue.Post
	owes    bool      // what couldn't be told before stands above
	private bool      // for one person's eyes, as far as a group has that
	reply   int       // the message that is replied to, 0 if none is
	asked   *bot.User // who is asked for a reply, unless it's whom it replies to
	unfiled bool      // no files may be sent: what is too long is cut
	then    *post     // its document, which found no room beside its words
}

// shown is a message in the chat, as far as it has to be known.
type shown struct {
	page    string
	id      int
	media   bool
	above   bot.Text // stands above what its page tells
	left    bot.Text // what its page came to tell, while something else was told
	body    body
	live    bool // it has buttons
	played  bool // one of them goes on with a match
	apart   bool // they are about something else, and stay
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
