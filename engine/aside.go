package engine

import (
	"crypto/sha256"
	"slices"
	"time"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine/words"
)

// longestLink is how many bytes the line of a button may have that leads to
// somebody's private chat.
const longestLink = 48

// So often is the same replay shown to everybody in so much time, and so much of what
// was shown does a channel remember.
const (
	mostSame = 3
	justNow  = 30 * time.Second
	mostJust = 8
)

// reshown is a replay that everybody in a channel was shown: its words and its picture.
type reshown struct {
	what [sha256.Size]byte
	at   time.Time
}

// again notes that everybody is shown a replay, and reports whether they were shown the
// same often enough a moment ago: then they aren't once more.
func (t *table) again(m retelling, now time.Time) bool {
	what := m.Text().String()
	if m.Picture != nil {
		what += m.Picture.Key
	}
	r := reshown{sha256.Sum256([]byte(what)), now}
	t.reshown = slices.DeleteFunc(t.reshown, func(old reshown) bool { return now.Sub(old.at) >= justNow })
	same := 0
	for _, old := range t.reshown {
		if old.what == r.what {
			same++
		}
	}
	if same >= mostSame {
		return true
	}
	t.reshown = append(t.reshown, r)
	if len(t.reshown) > mostJust {
		t.reshown = slices.Delete(t.reshown, 0, 1)
	}
	return false
}

// retelling is what tells of a match that is over, and what it comes to, on a line or
// a few.
type retelling struct {
	bot.Message
	brief bot.Text
}

// doubtful tells of a record that is off, and nothing else.
func (c *call) doubtful(rec Record, run rerunning) retelling {
	verdict := c.verdict(rec, run)
	return retelling{bot.Message{Said: verdict}, verdict}
}

// aside is a replay while a match is on, which keeps the bottom of the chat: only
// the asker sees it, or is led to where only they do.
func (c *call) aside(m retelling, asked replayArgs) *bot.Message {
	if c.Alone { // nobody else is here
		return &m.Message
	}
	key := words.ButtonAside
	if m.Picture == nil {
		key = words.ButtonAsideWords
	}
	said := c.words.Text(words.ReplayAside)
	m.Overheard = c.elsewhere(said, m.brief, key, asked)
	m.Said = bot.Lines(said, m.Said)
	return &m.Message
}

// replayInWords is a match in words, which is long: only the asker reads it, or is led to
// where only they do.
func (c *call) replayInWords(all bot.Text, asked replayArgs) *bot.Message {
	return &bot.Message{Said: all, Overheard: c.elsewhere(c.words.Text(words.ReplayLong), nil, words.ButtonAsideWords, asked)}
}

// elsewhere says why a replay isn't told here, with a button that leads to where it
// is: the asker's private chat. Where that can't show the same, it says what the
// replay comes to.
func (c *call) elsewhere(why, brief bot.Text, key words.Key, asked replayArgs) *bot.Message {
	line := "replay " + asked.typed()
	if _, ships := boards.Find(asked.board); len(line) > longestLink || asked.board != "" && !ships {
		return &bot.Message{Said: bot.Lines(why, brief)}
	}
	leads := c.button(key, "%s", line)
	leads.Opens = bot.PrivateChat
	return &bot.Message{Said: why, Buttons: [][]bot.Button{{leads}}}
}
