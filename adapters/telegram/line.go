package telegram

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-telegram/bot/models"

	"hiss/adapters/queue"
	"hiss/bot"
)

// How lines behave: edits that say nothing new leave at most once in that time;
// what has waited for that long leaves together; a private reply waits that long
// for what all read; so many replies wait at most; buttons are taken off old
// messages only with so many calls in hand, when nothing was told for a while,
// and off so many messages; and so many messages of a place are known.
const (
	quietEdits  = 3 * time.Second
	foldAfter   = time.Second
	replyWaits  = 20 * time.Second
	mostReplies = 5
	spareCalls  = 3
	stripAfter  = time.Second
	mostBare    = 3
	mostShown   = 3
)

// line is what one chat is told, in order. Whoever puts something in never
// waits; a goroutine of the outbox works on it while something is in it.
type line struct {
	out  *outbox
	chat int64

	mu      sync.Mutex
	posts   []*post
	replies []*post
	flying  *post     // its call is on the way
	bare    []*shown  // those whose buttons are to be taken off
	told    time.Time // when something was told last
	working bool
	wake    chan struct{}
	budget  budget
	until   time.Time           // nothing may leave before
	shown   map[string][]*shown // by place, newest last
	replied map[reply]time.Time // what people were told in private lately
	turn    bool                // a reply left last, so it's the turn of what all read
	hinted  time.Time           // when it was last said that pictures are refused
	plain   time.Time           // until when none are tried
	gone    bool
	owed    queue.Debts
	lost    bool      // words were dropped, or will be, for want of a right
	unable  string    // the right that the bot lacks
	asked   time.Time // when that was found out
	used    time.Time // of the outbox's lock
}

// reply is a private answer to somebody.
type reply struct {
	user bot.UserID
	text string
	file [sha256.Size]byte
}

func replyOf(user bot.UserID, m bot.Message) reply {
	r := reply{user: user, text: m.Text().String()}
	if m.Document != nil {
		r.file = sha256.Sum256(m.Document.Data)
	}
	return r
}

func newLine(out *outbox, chat int64) *line {
	l := &line{out: out, chat: chat, wake: make(chan struct{}, 1), shown: make(map[string][]*shown), owed: make(queue.Debts), budget: groupBudget()}
	if chat > 0 {
		l.budget = privateBudget()
	}
	return l
}

// put puts a post in line, in place of what it makes stale. In a chat that the bot
// isn't in, what it says is owed: the first message after it is back has it above
// its own words.
func (l *line) put(p *post) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.posts = slices.DeleteFunc(l.posts, func(old *post) bool { return !p.private && l.yields(old, p) })
	switch {
	case l.gone:
		l.owe(p)
		return
	case p.private:
		l.replies = append(l.replies, p)
	case len(l.posts) > 0 && l.posts[len(l.posts)-1].Takes(&p.Post):
		l.posts[len(l.posts)-1].Take(&p.Post)
	default:
		p.owes = l.owed.Pay(&p.Post, joined)
		l.posts = append(l.posts, p)
	}
	l.start()
}

// yields drops what is stale in a post, see [queue.Post.Yields], and notes what its
// message would have come to say. The lock is held.
func (l *line) yields(old, later *post) bool {
	s := l.find(old.Place, old.Message.Page)
	text := old.Whole()
	if !old.Yields(&later.Post) {
		return false
	}
	if s != nil {
		s.left = text
	}
	return true
}

// outrun drops the replies of a place that were to fill the time until what is
// sent there now.
func (l *line) outrun(place string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.replies = slices.DeleteFunc(l.replies, func(p *post) bool { return p.Message.Meanwhile && p.Place == place })
}

// precede puts what waited under a former id before everything else. If what
// follows it on its page has been told already, only its own words are.
func (l *line) precede(posts, replies []*post) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, p := range posts {
		if l.tells(p.Place, p.Message.Page) {
			p.Message = bot.Message{Said: p.Unseen}
		}
		p.reply = 0 // messages have other numbers here
	}
	l.posts = append(posts, l.posts...)
	l.replies = append(replies, l.replies...)
	l.start()
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

// answered notes a private answer, and reports whether it repeats one, or has
// too many before it, so that a nod has to do.
func (l *line) answered(r reply, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.replied == nil {
		l.replied = make(map[reply]time.Time)
	}
	for known, at := range l.replied {
		if now.Sub(at) >= 30*time.Second {
			delete(l.replied, known)
		}
	}
	_, again := l.replied[r]
	if again || len(l.replies) >= mostReplies {
		return true
	}
	l.replied[r] = now
	return false
}

// delay returns how long something put in line now would wait.
func (l *line) delay(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(l.until.Sub(now), l.budget.wait(now, 1), 0)
}

// next returns what is to be done now, or how long to wait, or that there's
// nothing more.
func (l *line) next(now time.Time) (do func(context.Context), wait time.Duration, more bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	waiting := len(l.posts) + len(l.replies)
	if l.out.Ended() || waiting+len(l.bare) == 0 || waiting == 0 && l.out.Closing() {
		l.working = false
		return nil, 0, false
	}
	if pause := l.until.Sub(now); pause > 0 {
		return nil, pause, true
	}
	if waiting == 0 {
		if wait := max(l.budget.wait(now, spareCalls), l.told.Add(stripAfter).Sub(now)); wait > 0 {
			return nil, wait, true
		}
		s := l.bare[0]
		l.bare = l.bare[1:]
		l.budget.spend(now)
		return func(ctx context.Context) { l.strip(ctx, s) }, 0, true
	}
	if wait := l.budget.wait(now, 1); wait > 0 {
		return nil, wait, true
	}
	if r := l.dueReply(now); r != nil {
		l.budget.spend(now)
		return func(ctx context.Context) { l.deliver(ctx, r) }, 0, true
	}
	l.fold(now)
	p := l.posts[0]
	if wait := l.rest(p, now); wait > 0 && len(l.posts) == 1 {
		return nil, wait, true
	}
	l.posts = l.posts[1:]
	l.told, l.flying = now, p
	l.budget.spend(now)
	return func(ctx context.Context) { l.deliver(ctx, p) }, 0, true
}

// dueReply takes a private reply out of the line if it's its turn: behind what
// all read, but not for long, and then one at a time. The lock is held.
func (l *line) dueReply(now time.Time) *post {
	if len(l.replies) == 0 || len(l.posts) > 0 && (l.turn || now.Sub(l.replies[0].Since) < replyWaits) {
		l.turn = false
		return nil
	}
	l.turn = true
	r := l.replies[0]
	l.replies = l.replies[1:]
	return r
}

// fold lets what waits leave as one message when calls are short, or were. The
// lock is held.
func (l *line) fold(now time.Time) {
	for len(l.posts) > 1 {
		first, second := l.posts[0], l.posts[1]
		if l.budget.hand(now) > 1 && now.Sub(first.Since) < foldAfter {
			return
		}
		if !second.Loud() && l.find(second.Place, second.Message.Page) != nil || !second.Follows(&first.Post, joined) {
			return
		}
		if s := l.find(first.Place, first.Message.Page); s != nil && first.Quiet() {
			s.left = first.Whole()
		}
		second.Follow(&first.Post)
		l.posts = l.posts[1:]
	}
}

// rest returns how long an edit that says nothing new has to wait, so that many
// leave as one. The lock is held.
func (l *line) rest(p *post, now time.Time) time.Duration {
	s := l.find(p.Place, p.Message.Page)
	if s == nil || p.Loud() || len(p.Unseen) > 0 || l.out.Closing() {
		return 0
	}
	return s.changed.Add(quietEdits).Sub(now)
}

// find returns the message that shows a page, or nil. The lock is held.
func (l *line) find(place, page string) *shown {
	if page == "" {
		return nil
	}
	for _, s := range l.shown[place] {
		if s.page == page {
			return s
		}
	}
	return nil
}

// adopt notes a message with a button that was pressed, which may be from before
// a restart: it shows the page that is told now, if that goes on what it says,
// or is one of those that lose their buttons.
func (l *line) adopt(place string, m *models.Message, first bot.Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	known := func(s *shown) bool { return s.id == m.ID }
	if slices.ContainsFunc(l.shown[place], known) || slices.ContainsFunc(l.bare, known) {
		return
	}
	s := &shown{id: m.ID, media: m.Text == "", live: m.ReplyMarkup != nil, played: queue.Played(first), apart: first.Apart}
	before := render(first.Before).text
	if before != "" && strings.HasPrefix(m.Text+m.Caption, before) && !l.tells(place, first.Page) {
		s.page = first.Page
	}
	l.shown[place] = append([]*shown{s}, l.shown[place]...)
}

// tells reports whether a page is shown, or about to be. The lock is held.
func (l *line) tells(place, page string) bool {
	waits := func(p *post) bool { return p.Place == place && p.Message.Page == page }
	return l.find(place, page) != nil || slices.ContainsFunc(l.posts, waits) || l.flying != nil && waits(l.flying)
}

// forget forgets a message of a place. The lock is held.
func (l *line) forget(place string, s *shown) {
	l.shown[place] = slices.DeleteFunc(l.shown[place], func(other *shown) bool { return other == s })
}

// posted notes a new message. Those before it are to lose their buttons: all of
// them to what is played now, and those that are played to anything that has
// buttons too. The lock is held.
func (l *line) posted(place string, s *shown) {
	kept := l.shown[place]
	for _, old := range kept {
		if old.page == s.page {
			old.page = "" // it goes on in the new one
		}
		if old.live && !old.apart && (s.played || old.played && s.live && !s.apart) {
			old.live = false
			l.bare = append(l.bare, old)
		}
	}
	l.bare = l.bare[max(0, len(l.bare)-mostBare):]
	kept = append(kept, s)
	l.shown[place] = slices.Clone(kept[max(0, len(kept)-mostShown):])
}

// heard notes that somebody's words came from the chat, so the bot is in it.
func (l *line) heard() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone = false
}

// standing notes what Telegram says of the bot in the chat: whether it is in it,
// and what right it lacks for writing. It returns whether it can write now and
// couldn't before.
func (l *line) standing(in bool, lacks string) (regained bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !in {
		l.leave()
		return false
	}
	if regained = (l.gone || l.lost) && lacks == ""; regained {
		clear(l.owed) // it is told as what was missed
	}
	l.gone, l.lost = false, lacks != ""
	l.unable, l.asked = lacks, time.Now()
	l.plain = time.Time{}
	return regained
}

// owe keeps what is said in a post that couldn't be told. The lock is held.
func (l *line) owe(p *post) {
	if !p.private {
		l.owed.Owe(&p.Post, joined)
	}
}
