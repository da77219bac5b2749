package telegram

import (
	"context"
	"strings"
	"sync"

	"github.com/go-telegram/bot/models"

	"hiss/adapters/queue"
	"hiss/bot"
)

// mostFiles is how many files are known to be there already.
const mostFiles = 1000

// files are the pictures that Telegram has already, by their keys: a picture that
// was uploaded once is shown again by its id.
type files struct {
	mu   sync.Mutex
	ids  map[string]string
	keys []string // in the order in which they came
	at   int      // the next one to be forgotten
}

// of returns a picture's id, empty if it isn't known.
func (f *files) of(p *bot.Picture) string {
	if p.Key == "" {
		return ""
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ids[p.Key]
}

// note notes under which id a message shows a picture.
func (f *files) note(p *bot.Picture, m *models.Message) {
	id := ""
	switch {
	case m.Animation != nil:
		id = m.Animation.FileID
	case len(m.Photo) > 0:
		id = m.Photo[len(m.Photo)-1].FileID
	}
	if id == "" || p.Key == "" {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ids == nil {
		f.ids = make(map[string]string)
	}
	if _, known := f.ids[p.Key]; !known {
		if len(f.keys) < mostFiles {
			f.keys = append(f.keys, p.Key)
		} else {
			delete(f.ids, f.keys[f.at])
			f.keys[f.at], f.at = p.Key, (f.at+1)%mostFiles
		}
	}
	f.ids[p.Key] = id
}

// forget forgets an id that Telegram doesn't know any more. Its key stays in line.
func (f *files) forget(p *bot.Picture) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, known := f.ids[p.Key]; known {
		f.ids[p.Key] = ""
	}
}

// paint gives a draft its picture: one that Telegram has already, or one that is
// drawn now. It reports whether there is one; else the message goes without.
func (l *line) paint(ctx context.Context, d *draft, m *bot.Message) bool {
	if m.Picture == nil {
		return false
	}
	if d.known = l.out.files.of(m.Picture); d.known == "" {
		d.drawn = queue.Paint(ctx, m, true)
	}
	d.picture = m.Picture
	return d.picture != nil
}

// unknownFile reports whether a call was refused since an id is known no more.
func unknownFile(err error) bool {
	return err != nil && strings.Contains(strings.ToLower(err.Error()), "file")
}
