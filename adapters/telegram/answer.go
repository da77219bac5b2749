package telegram

import (
	"context"
	"sync"
	"time"

	"github.com/go-telegram/bot/models"

	"hiss/adapters/queue"
	"hiss/bot"
)

// soon is how long a presser is left without an answer, and how long a message
// may wait before its words are told to the presser besides.
const (
	soon      = 3 * time.Second
	tellBrief = time.Second
)

// typed does what was typed, and puts the answer in line.
func (t *Telegram) typed(ctx context.Context, r bot.Request, m *models.Message) {
	chat, _ := chatNumber(r.Channel.Chat)
	l := t.out.line(chat)
	r.Unable = l.lacks(time.Now())
	if r.Unable != "" {
		return // an answer couldn't be written either
	}
	answer := t.handler.Handle(ctx, r)
	if answer.Asker != nil {
		private := aloud(r, *answer.Asker)
		// Where everybody reads what came of it, that is answer enough.
		told := len(answer.Channel) > 0
		if id := here(l, m.Chat.ID, m.ID); !t.reply(l, r, id, private) && !told && id != 0 {
			again := &post{Post: queue.NewPost(r.Channel.Place, private, time.Now()), private: true, reply: id}
			t.acks.nod(l.chat, id, func() { l.put(again) })
		}
	}
	t.out.put(chat, r.Channel.Place, answer)
}

// here returns the number of a message in the chat that a line is for. Numbers
// of the chat that it was before say nothing there.
func here(l *line, chat int64, message int) int {
	if l.chat != chat {
		return 0
	}
	return message
}

// aloud returns a private answer as it is said in a message, which all who are there
// read.
func aloud(r bot.Request, m bot.Message) bot.Message {
	if !r.Alone && m.Overheard != nil {
		return *m.Overheard
	}
	return m
}

// reply answers one person, below their message where others write too, and in
// silence. It's false if the same words stand there already, or too many wait.
func (t *Telegram) reply(l *line, r bot.Request, message int, m bot.Message) bool {
	m.Sound, m.Call, m.Page = false, nil, ""
	same := replyOf(r.User.ID, m)
	same.text += leading(m)
	if !r.Alone && l.answered(same, time.Now()) {
		return false
	}
	p := &post{Post: queue.NewPost(r.Channel.Place, m, time.Now()), private: true}
	if !r.Alone {
		p.reply = message
		if r.Pressed && m.Asks != nil { // it replies to the bot's own message
			p.asked = &r.User
		}
	}
	l.put(p)
	return true
}

// answered is the one answer that a press gets.
type answered struct {
	once sync.Once
	put  func(text string, alert bool)
	late *time.Timer // answers with nothing when it's time
}

// leading returns the lines that a message's buttons do elsewhere: with others the
// same words are another answer.
func leading(m bot.Message) (lines string) {
	for _, row := range m.Buttons {
		for _, b := range row {
			if b.Opens == bot.PrivateChat {
				lines += "\n" + b.Line
			}
		}
	}
	return lines
}

// hurry sees to it that a press is answered soon, also while it waits for
// others. It returns nil where nothing was pressed.
func (t *Telegram) hurry(q *models.CallbackQuery) *answered {
	if q == nil {
		return nil
	}
	a := &answered{put: func(text string, alert bool) { t.acks.toast(q.ID, text, alert) }}
	a.late = time.AfterFunc(soon, func() { a.by("", false) })
	return a
}

// by answers, and reports whether this was the answer.
func (a *answered) by(text string, alert bool) (first bool) {
	a.once.Do(func() { a.put(text, alert); first = true })
	return first
}

// press does what a button stands for. Whoever pressed is answered at once:
// with what only they read, with what happened where its message has to wait,
// or with nothing.
func (t *Telegram) press(ctx context.Context, q *models.CallbackQuery, said *answered) {
	defer said.late.Stop()
	defer said.by("", false)
	r, from, message, ok := t.pressed(q)
	if !ok {
		return
	}
	chat, _ := chatNumber(r.Channel.Chat)
	l := t.out.line(chat)
	message = here(l, from, message)
	r.Unable = l.lacks(time.Now())
	answer := t.handler.Handle(ctx, r)
	private := answer.Asker
	switch {
	case private != nil && passes(*private):
		if said.by(toast(private.Text()), private.Alert) {
			private = nil
		}
	case private == nil && len(answer.Channel) > 0 && l.delay(time.Now()) > tellBrief:
		said.by(toast(answer.Brief), false)
	}
	if private != nil {
		if m := aloud(r, *private); !t.reply(l, r, message, m) { // it stands there already
			said.by(toast(m.Text()), false)
		}
	}
	said.by("", false)
	if len(answer.Channel) > 0 {
		if m := q.Message.Message; m != nil && message != 0 {
			l.adopt(r.Channel.Place, m, answer.Channel[0])
		}
		t.out.put(chat, r.Channel.Place, answer)
	}
}

// passes reports whether a private answer can pass by: in words alone, and few.
func passes(m bot.Message) bool {
	return len(m.Buttons) == 0 && m.Picture == nil && m.Document == nil && m.Asks == nil && units(m.Text().String()) <= maxToast
}

// lacks returns the right that the bot was found to lack for writing, lately.
func (l *line) lacks(now time.Time) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.asked) > unableFor {
		l.unable = ""
	}
	return l.unable
}
