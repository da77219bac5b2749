package discord

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"hiss/adapters/queue"
	"hiss/bot"
)

// How lines behave: edits that say nothing new leave at most once in that time;
// what has waited for that long leaves together; old buttons are taken off when
// nothing was told for a while; so many messages of a channel are known, and one
// is updated so often, since clients fall behind (discord-api-docs#8102).
const (
	quietEdits  = 2 * time.Second
	foldAfter   = time.Second
	stripAfter  = time.Second
	mostBare    = 10
	mostShown   = 10
	mostUpdates = 8
)

// line is what one channel is told, in order. Whoever puts something in never
// waits; a goroutine of the outbox works on it while something is in it.
type line struct {
	out     *outbox
	channel string

	mu      sync.Mutex
	guild   string // the server, empty for a direct message
	posts   []*post
	flying  *post    // its call is on the way
	bare    []*shown // those whose buttons are to be taken off
	told    time.Time
	working bool
	wake    chan struct{}
	posting time.Time // when the next message may leave
	editing time.Time // when the next edit may leave
	shown   []*shown  // newest last
	plain   time.Time // until when no files are tried
	hinted  time.Time
	gone    bool
	owed    queue.Debts
	used    time.Time // of the outbox's lock
}

// post is something that waits to be told. Its nonce makes telling it again
// after a lost answer harmless.
type post struct {
	queue.Post
	nonce string
	files bool // it was tried with files
	owes  bool // what couldn't be told before stands above
}

// shown is a message in the channel, as far as it has to be known.
type shown struct {
	page    string
	id      string
	above   bot.Text // stands above what its page tells
	left    bot.Text // what its page came to tell, while something else was told
	look    string
	files   bool
	picture bool // its file is a picture
	live    bool // it has buttons
	played  bool // one of them goes on with a match
	apart   bool // they are about something else, and stay
	updates int
	strips  int // how often its buttons couldn't be taken off
	changed time.Time
}

// put puts a post in line, in place of what it makes stale.
func (l *line) put(p *post) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.posts = slices.DeleteFunc(l.posts, func(old *post) bool { return old.Tries == 0 && l.yields(old, p) })
	switch n := len(l.posts); {
	case l.gone:
		l.owe(p)
		return
	case n > 0 && l.posts[n-1].Tries == 0 && l.posts[n-1].Takes(&p.Post):
		l.posts[n-1].Take(&p.Post)
	default:
		p.owes = l.owed.Pay(&p.Post, maxContent-200)
		l.posts = append(l.posts, p)
	}
	l.start()
}

// yields drops what is stale in a post, see [queue.Post.Yields], and notes what its
// message would have come to say. The lock is held.
func (l *line) yields(old, later *post) bool {
	s, text := l.edits(&old.Post), old.Whole()
	if !old.Yields(&later.Post) {
		return false
	}
	if s != nil {
		s.left = text
	}
	return true
}

// start sees to it that somebody works on the line. The lock is held.
func (l *line) start() {
	if !l.working {
		l.working = true
		l.out.Serve(l.wake, l.next)
		return
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// next returns what is to be done now, or how long to wait, or that there's
// nothing more.
func (l *line) next(now time.Time) (do func(context.Context), wait time.Duration, more bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out.Ended() || len(l.posts)+len(l.bare) == 0 || len(l.posts) == 0 && l.out.Closing() {
		l.working = false
		return nil, 0, false
	}
	if len(l.posts) == 0 {
		if wait := later(l.editing, l.told.Add(stripAfter)).Sub(now); wait > 0 {
			return nil, wait, true
		}
		s := l.bare[0]
		l.bare = l.bare[1:]
		return func(ctx context.Context) { l.strip(ctx, s) }, 0, true
	}
	l.fold(now)
	p := l.posts[0]
	due := l.posting
	if s := l.edits(&p.Post); s != nil {
		due = l.editing
		if p.Quiet() && len(l.posts) == 1 && !l.out.Closing() {
			due = later(due, s.changed.Add(quietEdits))
		}
	}
	if wait := due.Sub(now); wait > 0 {
		return nil, wait, true
	}
	l.posts = l.posts[1:]
	l.flying, l.told = p, now
	return func(ctx context.Context) { l.deliver(ctx, p) }, 0, true
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// fold lets what waits leave as one message when it had to wait. The lock is
// held.
func (l *line) fold(now time.Time) {
	for len(l.posts) > 1 {
		first, second := l.posts[0], l.posts[1]
		waited := l.posting.After(now) || now.Sub(first.Since) >= foldAfter
		if !waited || first.Tries > 0 || l.edits(&second.Post) != nil || !second.Follows(&first.Post, maxContent-200) {
			return
		}
		if s := l.edits(&first.Post); s != nil && first.Quiet() {
			s.left = first.Whole()
		}
		second.Follow(&first.Post)
		l.posts = l.posts[1:]
	}
}

// edits returns the message that a post changes, nil if it takes a new one. The
// lock is held.
func (l *line) edits(p *queue.Post) *shown {
	if p.Loud() || p.Message.Page == "" {
		return nil
	}
	for _, s := range slices.Backward(l.shown) {
		if s.page == p.Message.Page && s.updates < mostUpdates {
			return s
		}
	}
	return nil
}

// direct returns the message that was pressed, if a message can be told by
// updating it: it shows that page, and nothing is in line before it.
func (l *line) direct(pressed *discordgo.Message, m bot.Message) *shown {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := queue.NewPost("", m, time.Now())
	s := l.edits(&p)
	if s == nil || s.id != pressed.ID || len(l.posts) > 0 || len(l.owed) > 0 || l.flying != nil {
		return nil
	}
	return s
}

// adopt notes a message with a button that was pressed, which may be from before
// a restart: it shows the page that is told now, if that goes on what it says,
// or is one of those that lose their buttons.
func (l *line) adopt(pressed *discordgo.Message, first bot.Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := func(s *shown) bool { return s.id == pressed.ID }
	if slices.ContainsFunc(l.shown, known) || slices.ContainsFunc(l.bare, known) {
		return
	}
	s := &shown{id: pressed.ID, live: true, played: queue.Played(first), apart: first.Apart, files: len(pressed.Attachments) > 0}
	isPicture := func(a *discordgo.MessageAttachment) bool {
		return a != nil && strings.HasPrefix(kindOf(a.Filename), "image/")
	}
	s.picture = slices.ContainsFunc(pressed.Attachments, isPicture)
	before, _ := render(first.Before)
	if before != "" && strings.HasPrefix(pressed.Content, before) && !l.tells(first.Page) {
		s.page = first.Page
	}
	l.shown = append([]*shown{s}, l.shown...)
}

// tells reports whether a page is shown, or about to be. The lock is held.
func (l *line) tells(page string) bool {
	waits := func(p *post) bool { return p.Message.Page == page }
	shows := func(s *shown) bool { return s.page == page }
	return slices.ContainsFunc(l.shown, shows) || slices.ContainsFunc(l.posts, waits) || l.flying != nil && waits(l.flying)
}

// posted notes a new message. Those before it are to lose their buttons: all of
// them to what is played now, and those that are played to anything that has
// buttons too. The lock is held.
func (l *line) posted(s *shown) {
	for _, old := range l.shown {
		if old.page == s.page {
			old.page = "" // it goes on in the new one
		}
		if old.live && !old.apart && (s.played || old.played && s.live && !s.apart) {
			old.live = false
			l.bare = append(l.bare, old)
		}
	}
	l.bare = l.bare[max(0, len(l.bare)-mostBare):]
	l.shown = append(l.shown, s)
	l.shown = slices.Clone(l.shown[max(0, len(l.shown)-mostShown):])
}

// stripped notes that a message has lost its buttons already.
func (l *line) stripped(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.shown {
		if s.id == id {
			s.live, s.look = false, ""
			s.updates++
		}
	}
	l.bare = slices.DeleteFunc(l.bare, func(s *shown) bool { return s.id == id })
}

// leave empties the line of a channel that isn't there any more.
func (l *line) leave() {
	for _, p := range l.posts {
		l.owe(p)
	}
	l.gone = true
	l.posts, l.bare, l.shown = nil, nil, nil
}

// heard notes that something came from the channel, so it is there, and whether
// files may be attached in it.
func (l *line) heard(guild string, mayAttach bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone, l.guild = false, guild
	l.plain = time.Time{}
	if !mayAttach {
		l.plain = time.Now().Add(plainFor)
	}
}

// owe keeps what is said in a post that couldn't be told. The lock is held.
func (l *line) owe(p *post) { l.owed.Owe(&p.Post, maxContent/2) }
