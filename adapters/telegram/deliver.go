package telegram

import (
	"context"
	"slices"
	"time"

	"hiss/adapters/queue"
	"hiss/bot"
)

// How long a post is tried while Telegram is down or can't be reached. What's put
// in line meanwhile joins it.
const (
	triedFor   = 15 * time.Minute
	longPause  = 30 * time.Second
	plainFor   = 24 * time.Hour // how long no pictures are tried where they were refused
	unableFor  = time.Minute    // how long it's believed that nothing can be written
	tokenPause = time.Minute
)

// deliver tells a post, and sees to what comes of it.
func (l *line) deliver(ctx context.Context, p *post) {
	err := l.out.pace(ctx)
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, fileLimit)
		err = l.show(ctx, p)
		cancel()
	}
	if ctx.Err() != nil && err != nil {
		return // the program stops; what wasn't told is told at the next start
	}
	l.landed(ctx, p, err)
}

// landed draws the consequences of a call: one for each kind of fault.
func (l *line) landed(ctx context.Context, p *post, err error) {
	l.mu.Lock()
	l.flying = nil
	told := l.consequence(p, err)
	l.mu.Unlock()
	for _, f := range told {
		f()
	}
	if kind, _, to := classify(err); err != nil && kind == moved {
		l.out.move(ctx, l.chat, to, p)
	}
}

// consequence changes the line as a call's error wants it, and returns whom to
// tell that the post is out. The lock is held.
func (l *line) consequence(p *post, err error) (told []func()) {
	if err == nil {
		l.out.reached.Heard(queue.Always)
		if p.then != nil {
			l.back(p.then)
			return nil
		}
		return p.Told
	}
	now := time.Now()
	switch kind, wait, _ := classify(err); kind {
	case done:
		return p.Told
	case waits:
		l.until = now.Add(wait)
		l.back(p)
	case moved: // it goes on in another line
	case gone:
		l.owe(p)
		l.out.log.Info("the bot isn't in a chat any more", "chat", l.chat)
		l.leave()
	case noRight:
		l.owe(p)
		for _, waiting := range l.posts {
			l.owe(waiting)
		}
		l.out.log.Info("the bot may not write in a chat", "chat", l.chat)
		l.unable, l.asked, l.lost = sendMessages, now, true
		l.posts, l.replies, l.bare = nil, nil, nil
	case noPictures:
		if p.Message.Document == nil || !p.wordsAlone() {
			l.plain = now.Add(plainFor)
		}
		l.back(p)
	case noTopic:
		l.owe(p)
		l.out.log.Info("a topic is closed or gone", "chat", l.chat, "topic", p.Place)
	case noMessage:
		l.forget(p.Place, l.find(p.Place, p.Message.Page))
		l.back(p)
	case misused:
		if p.wordsAlone() { // they matter more
			l.back(p)
		} else if !p.owes { // or else that may be what is refused
			l.owe(p)
		}
		l.out.log.Error("Telegram refused a message", "chat", l.chat, "error", err)
	case noToken:
		l.out.log.Error("Telegram doesn't know the token any more", "error", err)
		l.until = now.Add(tokenPause)
		l.back(p)
	default:
		l.again(p, err, now)
	}
	return nil
}

// again puts a post back after Telegram, or the way there, was down. The lock
// is held.
func (l *line) again(p *post, err error, now time.Time) {
	p.Tries++
	l.out.reached.Missed()
	if now.Sub(p.Since) > triedFor {
		l.out.reached.Heard(queue.Always) // else nobody would find out
		l.owe(p)
		l.out.log.Error("a message couldn't be sent", "chat", l.chat, "error", err)
		return
	}
	l.out.log.Warn("a message has to be sent again", "chat", l.chat, "error", err)
	l.until = now.Add(min(time.Second<<min(p.Tries-1, 5), longPause))
	l.back(p)
}

// back puts a post at the head of the line again, unless it's stale by now. The
// lock is held.
func (l *line) back(p *post) {
	if p.private {
		l.replies = append([]*post{p}, l.replies...)
		return
	}
	for _, later := range l.posts {
		if p.Yields(&later.Post) {
			return
		}
	}
	for len(l.posts) > 0 && p.Takes(&l.posts[0].Post) {
		p.Take(&l.posts[0].Post)
		l.posts = l.posts[1:]
	}
	l.posts = append([]*post{p}, l.posts...)
}

// leave empties the line of a chat that the bot isn't in. The lock is held.
func (l *line) leave() {
	for _, p := range l.posts {
		l.owe(p)
	}
	l.gone = true
	l.posts, l.replies, l.bare = nil, nil, nil
	clear(l.shown)
}

// show makes the call that shows a post: an edit of its page's message, or a
// new one.
func (l *line) show(ctx context.Context, p *post) error {
	s, m, refused := l.shape(p)
	whole := func() rendered { return l.whole(p, s, m) }
	if m.Picture != nil && whole().units > maxCaption {
		m = m.WithoutPicture()
	}
	var painted draft
	has := l.paint(ctx, &painted, &m)
	// A picture must not stay above words that have gone on.
	if s != nil && s.media && !has && len(p.Unseen) > 0 {
		s = nil
	}
	d := l.draft(p, whole(), refused || p.unfiled)
	d.keys = keyboard(m.Buttons, p.Place, l.out.username)
	d.picture, d.drawn, d.known = painted.picture, painted.drawn, painted.known
	err := l.make(ctx, p, s, d)
	if d.known == "" || !unknownFile(err) {
		return err
	}
	l.out.files.forget(m.Picture)
	if l.paint(ctx, &d, &m) {
		return l.make(ctx, p, s, d)
	}
	return err
}

// shape returns the message that a post changes, if it isn't a new one, and how
// it's to be shown: without its picture where none are allowed, or where all read
// what is meant for one.
func (l *line) shape(p *post) (s *shown, m bot.Message, refused bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s = l.find(p.Place, p.Message.Page); p.Loud() {
		s = nil
	}
	refused = time.Now().Before(l.plain)
	if pic := p.Message.Picture; pic != nil && refused && pic.Refused != nil && time.Since(l.hinted) >= plainFor {
		l.hinted = time.Now()
		p.Above = bot.Lines(p.Above, pic.Refused(sendPhotos)) // whatever the page goes on to say
	}
	if m = p.Message; refused || p.private && l.chat < 0 {
		m = m.WithoutPicture()
	}
	return s, m, refused
}

// whole returns all the words of a post, as they stand in a message.
func (l *line) whole(p *post, s *shown, m bot.Message) rendered {
	text := bot.Lines(p.Above, m.Before, m.Text())
	if s != nil {
		text = bot.Lines(s.above, text)
	}
	if s != nil && p.Tries%2 == 1 {
		// The edit may have been made, only nobody heard: the same once more would
		// be refused. This takes no room and can't be seen.
		text = append(slices.Clip(text), bot.Span{Text: wordJoiner})
	}
	return render(text)
}

// make makes the call: it edits a message, or sends a new one.
func (l *line) make(ctx context.Context, p *post, s *shown, d draft) error {
	if s != nil {
		return l.edit(ctx, p, s, d)
	}
	m, err := d.send(ctx)
	if err != nil || m == nil {
		return err
	}
	if d.picture != nil {
		l.out.files.note(d.picture, m)
	}
	if p.private {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.posted(p.Place, &shown{
		page: p.Message.Page, id: m.ID, media: m.Text == "", above: p.Above,
		body: bodyOf(d.text, d.keys), live: d.keys != nil, played: queue.Played(p.Message), apart: p.Message.Apart, changed: time.Now(),
	})
	return nil
}

// draft returns a post with its text as the Bot API takes it, but for its
// picture. A document whose words have no room below it comes after them.
func (l *line) draft(p *post, text rendered, unfiled bool) draft {
	if unfiled && text.units > maxText { // it can't be a file
		text = text.cut(maxText)
	}
	d := draft{
		call: l.out.calls, chat: l.chat, topic: topicNumber(p.Place), reply: p.reply, silent: !heard(p.Message),
		text: text, keys: keyboard(p.Message.Buttons, p.Place, l.out.username), file: p.Message.Document,
	}
	if q := p.Message.Asks; q != nil && p.private {
		d.text, d.force = text.asking(*q, l.out.username, p.asked), forced(*q, l.chat > 0)
	}
	p.then = nil
	if d.file != nil && d.text.units > maxCaption {
		d.file = nil
		after := queue.NewPost(p.Place, bot.Message{Document: p.Message.Document}, p.Since)
		after.Told = p.Told
		p.then = &post{Post: after, private: p.private}
	}
	return d
}

// heard reports whether a message makes a sound. All the group hears it.
func heard(m bot.Message) bool { return m.Sound && !m.Gentle }

// edit changes a page's message, unless it would look the same.
func (l *line) edit(ctx context.Context, p *post, s *shown, d draft) error {
	b := bodyOf(d.text, d.keys)
	if d.picture == nil && b == s.body {
		return nil
	}
	m, err := d.edit(ctx, s.id, s.media)
	if kind, _, _ := classify(err); err != nil && kind != done {
		return err
	}
	media := s.media || d.picture != nil && kindOf(d.picture) != document
	if m != nil && d.picture != nil {
		l.out.files.note(d.picture, m)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s.above = bot.Lines(s.above, p.Above)
	s.body, s.live, s.media, s.changed, s.left = b, d.keys != nil, media, time.Now(), nil
	return nil
}

// strip takes the buttons off an old message, which says in the end what it hadn't come
// to say yet. It isn't worth a second try.
func (l *line) strip(ctx context.Context, s *shown) {
	l.mu.Lock()
	live := s.live // its page has gone on meanwhile
	left, text := len(s.left) > 0, render(bot.Lines(s.above, s.left))
	l.mu.Unlock()
	if live || l.out.pace(ctx) != nil {
		return
	}
	var err error
	if left && (text.units <= maxCaption || !s.media && text.units <= maxText) {
		_, err = draft{call: l.out.calls, chat: l.chat, text: text}.edit(ctx, s.id, s.media)
	} else {
		err = l.out.calls.strip(ctx, l.chat, s.id)
	}
	if kind, wait, _ := classify(err); err != nil && kind == waits {
		l.mu.Lock()
		l.until = time.Now().Add(wait)
		l.mu.Unlock()
	}
}
