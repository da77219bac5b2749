package discord

import (
	"context"
	"net/http"
	"time"

	"hiss/adapters/queue"
	"hiss/bot"
)

// How long a post is tried while Discord is down or can't be reached, and how
// often the buttons of an old message are.
const (
	stripTries = 3
	triedFor   = 15 * time.Minute
	longPause  = 30 * time.Second
	plainFor   = 24 * time.Hour // how long no files are tried where they were refused
)

// sent is a message as Discord answers a call that made or changed one.
type sent struct {
	ID string `json:"id"`
}

// deliver tells a post, and sees to what comes of it.
func (l *line) deliver(ctx context.Context, p *post) {
	limited, cancel := context.WithTimeout(ctx, callLimit)
	err := l.show(limited, p)
	cancel()
	if ctx.Err() != nil && err != nil {
		return // the program stops; what wasn't told is told at the next start
	}
	l.mu.Lock()
	l.flying = nil
	told := l.consequence(p, err)
	l.mu.Unlock()
	for _, f := range told {
		f()
	}
}

// consequence changes the line as a call's error wants it, and returns whom to
// tell that the post is out. The lock is held.
func (l *line) consequence(p *post, err error) (told []func()) {
	if err == nil {
		l.out.reached.Heard(queue.Always)
		return p.Told
	}
	now := time.Now()
	switch kind, wait := classify(err); kind {
	case waits:
		if wait > triedFor/100 {
			l.out.log.Warn("Discord wants to be left alone", "channel", l.channel, "for", wait)
		}
		if l.edits(&p.Post) != nil {
			l.editing = now.Add(wait)
		} else {
			l.posting = now.Add(wait)
		}
		l.back(p)
	case gone:
		l.owe(p)
		l.out.log.Info("a channel isn't there any more", "channel", l.channel)
		l.leave()
	case archived, noMessage:
		if s := l.edits(&p.Post); s != nil { // a new message opens the thread again
			s.page = ""
			l.back(p)
			return nil
		}
		l.owe(p)
		l.out.log.Info("a message found no place in a channel", "channel", l.channel)
	case noRight:
		if p.files && now.After(l.plain) {
			l.plain = now.Add(plainFor)
			l.back(p)
			return nil
		}
		l.out.log.Info("the bot may not write in a channel", "channel", l.channel)
		l.owe(p)
		for _, waiting := range l.posts {
			l.owe(waiting)
		}
		l.posts, l.bare = nil, nil
	case misused:
		if wordsAlone(&p.Message) { // they matter more
			l.back(p)
		} else if !p.owes { // or else that may be what is refused
			l.owe(p)
		}
		l.out.log.Error("Discord refused a message", "channel", l.channel, "error", err)
	case noToken:
		l.owe(p)
		l.out.log.Error("Discord doesn't accept the token any more", "error", err)
	default:
		l.again(p, err, now)
	}
	return nil
}

// again puts a post back after Discord, or the way there, was down. The lock is
// held.
func (l *line) again(p *post, err error, now time.Time) {
	p.Tries++
	l.out.reached.Missed()
	if now.Sub(p.Since) > triedFor {
		l.out.reached.Heard(queue.Always) // else nobody would find out
		l.owe(p)
		l.out.log.Error("a message couldn't be sent", "channel", l.channel, "error", err)
		return
	}
	l.out.log.Warn("a message has to be sent again", "channel", l.channel, "error", err)
	wait := now.Add(min(time.Second<<min(p.Tries-1, 5), longPause))
	l.posting, l.editing = later(l.posting, wait), later(l.editing, wait)
	l.back(p)
}

// back puts a post at the head of the line again, unless it's stale by now. One
// that was tried is told as it is: its nonce stands for these very words. The lock
// is held.
func (l *line) back(p *post) {
	for _, later := range l.posts {
		if p.Tries == 0 && p.Yields(&later.Post) {
			return
		}
	}
	for p.Tries == 0 && len(l.posts) > 0 && p.Takes(&l.posts[0].Post) {
		p.Take(&l.posts[0].Post)
		l.posts = l.posts[1:]
	}
	l.posts = append([]*post{p}, l.posts...)
}

// show makes the call that shows a post: an edit of its page's message, or a new
// one.
func (l *line) show(ctx context.Context, p *post) error {
	l.mu.Lock()
	s := l.edits(&p.Post)
	m, mayAttach := p.Message, time.Now().After(l.plain)
	if m.Picture != nil && !mayAttach {
		if refused := m.Picture.Refused; refused != nil && time.Since(l.hinted) >= plainFor {
			l.hinted = time.Now()
			p.Above = bot.Lines(p.Above, refused(attachFiles)) // whatever the page goes on to say
		}
	}
	l.mu.Unlock()
	picture := queue.Paint(ctx, &m, mayAttach)
	if s != nil && s.picture && p.Message.Picture != nil && picture == nil {
		s = nil // words that have gone on don't replace a picture
	}
	text := bot.Lines(p.Above, m.Before, m.Text())
	if s != nil {
		text = bot.Lines(s.above, text)
	}
	d := l.out.draw(text, m, picture, mayAttach)
	p.files = len(d.files) > 0
	if s != nil {
		if p.Message.Picture == nil && len(p.Unseen) == 0 {
			l.keep(s, &d)
		}
		return l.edit(ctx, p, s, d)
	}
	if !d.visible() {
		return nil
	}
	d.Nonce, d.Enforce = p.nonce, true
	var made sent
	next, err := l.out.rest.do(ctx, call{
		method: http.MethodPost, path: "/channels/" + l.channel + "/messages", body: d.payloadMessage, files: d.files, result: &made,
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.posting = later(l.posting, time.Now().Add(next))
	if err == nil {
		l.posted(l.became(p, made.ID, d))
	}
	return err
}

// became returns how a new message is known.
func (l *line) became(p *post, id string, d draft) *shown {
	return &shown{
		page: p.Message.Page, id: id, above: p.Above, look: d.look(), files: len(d.files) > 0, picture: d.picture,
		live: len(*d.Components) > 0, played: queue.Played(p.Message), apart: p.Message.Apart, changed: time.Now(),
	}
}

// edit changes a page's message, unless it would look the same.
func (l *line) edit(ctx context.Context, p *post, s *shown, d draft) error {
	if same := len(d.files) == 0 && (!s.files || d.Attachments == nil); same && d.look() == s.look {
		return nil
	}
	d.Flags &= suppressEmbeds
	next, err := l.out.rest.do(ctx, call{
		method: http.MethodPatch, path: "/channels/" + l.channel + "/messages/" + s.id, body: d.payloadMessage, files: d.files,
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.editing = later(l.editing, time.Now().Add(next))
	if err == nil {
		s.changes(p.Above, d)
	}
	return err
}

// changes notes what a message looks like now. The line's lock is held.
func (s *shown) changes(above bot.Text, d draft) {
	s.above = bot.Lines(s.above, above)
	s.look, s.live = d.look(), len(*d.Components) > 0
	if d.Attachments != nil {
		s.files, s.picture = len(d.files) > 0, d.picture
	}
	s.left = nil
	s.updates++
	s.changed = time.Now()
}

// keep leaves a message its picture, where all that it says stays.
func (l *line) keep(s *shown, d *draft) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.picture && len(d.files) == 0 {
		d.Attachments = nil
	}
}

// strip takes the buttons off an old message, which says in the end what it hadn't come
// to say yet.
func (l *line) strip(ctx context.Context, s *shown) {
	l.mu.Lock()
	live := s.live // its page has gone on meanwhile
	body := payloadMessage{Components: &[]row{}, Mentions: &mentions{Parse: []string{}}}
	if d := l.out.draw(bot.Lines(s.above, s.left), bot.Message{}, nil, false); len(s.left) > 0 {
		body.Content = d.Content
	}
	l.mu.Unlock()
	if live {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	next, err := l.out.rest.do(ctx, call{
		method: http.MethodPatch, path: "/channels/" + l.channel + "/messages/" + s.id,
		body: body,
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	if kind, wait := classify(err); err != nil && (kind == waits || kind == tryAgain) {
		next = max(wait, time.Second)
		if s.strips++; s.strips < stripTries {
			l.bare = append([]*shown{s}, l.bare...)
		}
	}
	l.editing = later(l.editing, time.Now().Add(next))
}
