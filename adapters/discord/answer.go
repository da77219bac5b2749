package discord

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"

	"hiss/adapters/queue"
	"hiss/bot"
)

// soon is after how long an interaction is deferred: Discord wants its first
// answer within three seconds. A call that failed is made again after retryAfter.
const (
	soon       = time.Second
	retryAfter = 200 * time.Millisecond
)

// response is the first answer to an interaction.
type response struct {
	Type discordgo.InteractionResponseType `json:"type"`
	Data any                               `json:"data,omitempty"`
}

// reply is one interaction's answer on its way. The first one is given once:
// either what came of it or, where that takes long, that it takes long.
type reply struct {
	*Discord
	asked    *asked
	at       time.Time // when it came
	ctx      context.Context
	once     sync.Once
	deferred atomic.Bool // the first answer was that it takes long
	brought  bool        // a file or a text came along
	unsure   bool        // nobody knows whether the first answer was given
	timer    *time.Timer
}

// reply returns a reply that defers by itself when the time has come.
func (d *Discord) reply(ctx context.Context, a *asked) *reply {
	r := &reply{Discord: d, asked: a, at: time.Now(), ctx: ctx}
	r.timer = time.AfterFunc(soon, func() {
		r.once.Do(func() { r.deferred.Store(r.put(r.wait(), nil, nil) == nil) })
	})
	return r
}

// wait returns how an interaction is deferred: a press in silence, a command as
// what only the asker reads, wherever the channel can be written in besides.
func (r *reply) wait() response {
	if r.asked.Type == discordgo.InteractionMessageComponent {
		return response{Type: discordgo.InteractionResponseDeferredMessageUpdate}
	}
	data := map[string]int{}
	if r.asked.lacks() == "" {
		data["flags"] = ephemeral
	}
	return response{Type: discordgo.InteractionResponseDeferredChannelMessageWithSource, Data: data}
}

// first gives the first answer, unless the interaction was deferred meanwhile or
// can't be answered any more.
func (r *reply) first(answer response, files []file, result any) (given bool) {
	r.timer.Stop()
	r.once.Do(func() {
		err := r.put(answer, files, result)
		kind, _ := classify(err)
		given = err == nil || kind == done
		r.unsure = err != nil && kind == tryAgain
	})
	return given
}

// put makes the call of a first answer, again and again while there is time.
func (r *reply) put(answer response, files []file, result any) error {
	c := call{
		method: http.MethodPost, path: "/interactions/" + r.asked.ID + "/" + r.asked.Token + "/callback",
		body: answer, files: files, open: true, result: result,
	}
	if result != nil {
		c.query = "with_response=true"
	}
	for {
		// A try that has begun is seen to its end: it may be the answer.
		ctx, cancel := context.WithTimeout(r.ctx, callLimit)
		_, err := r.rest.do(ctx, c)
		cancel()
		kind, wait := classify(err)
		switch {
		case err == nil || kind == done:
			return err
		case kind == late:
			r.log.Info("an interaction came too late to be answered", "channel", r.asked.ChannelID)
			return err
		case kind != tryAgain && kind != waits || time.Now().Add(wait).After(r.at.Add(answerLimit)) || !pause(r.ctx, max(wait, retryAfter)):
			r.log.Warn("an interaction couldn't be answered", "channel", r.asked.ChannelID, "error", err)
			return err
		}
	}
}

// webhook is the path of what can be said later with an interaction's token.
func (r *reply) webhook() string { return "/webhooks/" + r.asked.AppID + "/" + r.asked.Token }

// after says something to the asker alone: as the deferred answer to a command,
// which is there already, or as one more message.
func (r *reply) after(m bot.Message) {
	ctx, cancel := context.WithTimeout(r.ctx, callLimit)
	defer cancel()
	d := r.draw(m.Text(), private(m), r.asked.mayAttach())
	c := call{method: http.MethodPost, path: r.webhook(), files: d.files, open: true}
	if r.deferred.Load() && r.asked.Type != discordgo.InteractionMessageComponent {
		c.method, c.path = http.MethodPatch, r.webhook()+"/messages/@original"
		d.Flags = suppressEmbeds
	} else {
		d.Flags = suppressEmbeds | ephemeral
	}
	c.body = d.payloadMessage
	if _, err := r.rest.do(ctx, c); err != nil {
		r.log.Warn("a private answer couldn't be sent", "channel", r.asked.ChannelID, "error", err)
	}
}

// unsaid takes back that it takes long, where there's nothing to say.
func (r *reply) unsaid() {
	ctx, cancel := context.WithTimeout(r.ctx, callLimit)
	defer cancel()
	if _, err := r.rest.do(ctx, call{method: http.MethodDelete, path: r.webhook() + "/messages/@original", open: true}); err != nil {
		r.log.Warn("a deferred answer couldn't be taken back", "channel", r.asked.ChannelID, "error", err)
	}
}

// tell is the first answer that only the asker reads: a form to fill in, where
// they are asked for something, or words. Whoever came with an answer reads what
// is said of it; and a form can't follow a form anyway.
func (r *reply) tell(m bot.Message) bool {
	if m.Asks == nil || r.brought {
		return r.whisper(m)
	}
	return r.first(response{Type: discordgo.InteractionResponseModal, Data: formOf(*m.Asks)}, nil, nil)
}

// private is a message for one person: nobody is called by it. One that asks for
// something, where no form could be shown, has a button that asks again.
func private(m bot.Message) bot.Message {
	m.Call, m.Sound, m.Page = nil, false, ""
	if q := m.Asks; q != nil {
		m.Buttons = append(slices.Clip(m.Buttons), []bot.Button{{Label: q.Title, Line: q.Line, Style: bot.Primary}})
	}
	return m
}

// whisper is the first answer that only the asker reads.
func (r *reply) whisper(m bot.Message) bool {
	d := r.draw(m.Text(), private(m), r.asked.mayAttach())
	d.Flags = suppressEmbeds | ephemeral
	return r.first(response{Type: discordgo.InteractionResponseChannelMessageWithSource, Data: d.payloadMessage}, d.files, nil)
}

// command answers a command: to the asker alone, or with the first of what all
// read. What else there is goes by the channel's line.
func (r *reply) command(l *line, answer bot.Answer) {
	switch {
	case answer.Asker != nil:
		if !r.tell(*answer.Asker) && r.deferred.Load() {
			r.after(*answer.Asker)
		}
		r.out.put(l, answer)
	case len(answer.Channel) == 0:
		r.nothing()
	default:
		if !r.public(l, &answer) && (r.deferred.Load() || !r.whisper(brief(answer)) && r.deferred.Load()) {
			r.after(brief(answer))
		}
		r.out.put(l, answer)
	}
}

// brief is what the asker reads where what all read goes another way.
func brief(a bot.Answer) bot.Message {
	said := a.Brief
	if said == nil {
		said = bot.Said("👍")
	}
	return bot.Message{Said: said}
}

// nothing answers what has no answer, such as a command that was delivered
// before: nobody sees anything.
func (r *reply) nothing() {
	if r.asked.Type == discordgo.InteractionMessageComponent {
		r.first(response{Type: discordgo.InteractionResponseDeferredMessageUpdate}, nil, nil)
		return
	}
	if r.first(response{Type: discordgo.InteractionResponseDeferredChannelMessageWithSource, Data: map[string]int{"flags": ephemeral}}, nil, nil) || r.deferred.Load() {
		r.unsaid()
	}
}

// public answers a command with the first message that all read, if that is a
// new one and nothing waits before it, and leaves the others in the answer.
func (r *reply) public(l *line, answer *bot.Answer) bool {
	m := answer.Channel[0]
	if !l.free(m) {
		return false
	}
	d := r.draw(bot.Lines(m.Before, m.Text()), m, r.asked.mayAttach())
	if !d.visible() {
		return false
	}
	var made struct {
		Resource struct {
			Message sent `json:"message"`
		} `json:"resource"`
	}
	given := r.first(response{Type: discordgo.InteractionResponseChannelMessageWithSource, Data: d.payloadMessage}, d.files, &made)
	id := made.Resource.Message.ID
	if id == "" && (given || r.unsure) { // the answer to the call was lost
		id = r.original()
	}
	if !given && id == "" {
		return false
	}
	l.answered(m, id, d)
	r.told(answer)
	return true
}

// original asks for the number of the message that is the first answer.
func (r *reply) original() string {
	ctx, cancel := context.WithTimeout(r.ctx, callLimit)
	defer cancel()
	var m sent
	for {
		_, err := r.rest.do(ctx, call{method: http.MethodGet, path: r.webhook() + "/messages/@original", open: true, result: &m})
		if kind, wait := classify(err); err == nil || kind != tryAgain && kind != waits || !pause(ctx, max(wait, retryAfter)) {
			return m.ID
		}
	}
}

// told notes that the first message of an answer is out.
func (r *reply) told(answer *bot.Answer) {
	answer.Channel = answer.Channel[1:]
	if len(answer.Channel) == 0 && answer.Told != nil {
		answer.Told()
	}
}

// press answers a press: to the presser alone, by updating the message that was
// pressed, or by taking its buttons off where what comes of it is a new one.
func (r *reply) press(l *line, answer bot.Answer) {
	pressed := r.asked.Message
	if len(answer.Channel) == 0 {
		switch {
		case answer.Asker == nil:
			r.nothing()
		case !r.tell(*answer.Asker) && r.deferred.Load():
			r.after(*answer.Asker)
		}
		return
	}
	switch s := r.pressed(l, pressed, answer.Channel[0]); {
	case s != nil && r.update(l, s, answer.Channel[0]):
		r.told(&answer)
	case s == nil && (pressed.Flags&discordgo.MessageFlagsEphemeral != 0 || l.ends(pressed.ID, answer.Channel[0])):
		if r.first(response{Type: discordgo.InteractionResponseUpdateMessage, Data: payloadMessage{Components: &[]row{}}}, nil, nil) {
			l.stripped(pressed.ID)
		}
	default:
		r.first(response{Type: discordgo.InteractionResponseDeferredMessageUpdate}, nil, nil)
	}
	if answer.Asker != nil {
		r.after(*answer.Asker)
	}
	r.out.put(l, answer)
}

// pressed returns the message that was pressed if it is to be updated.
func (r *reply) pressed(l *line, pressed *discordgo.Message, m bot.Message) *shown {
	if pressed.Flags&discordgo.MessageFlagsEphemeral != 0 {
		return nil
	}
	l.adopt(pressed, m)
	return l.direct(pressed, m)
}

// update answers a press by what its message shows now.
func (r *reply) update(l *line, s *shown, m bot.Message) bool {
	d := r.draw(bot.Lines(s.above, m.Before, m.Text()), m, r.asked.mayAttach())
	d.Flags &= suppressEmbeds
	if m.Picture == nil && len(m.Said) == 0 {
		l.keep(s, &d)
	}
	if !r.first(response{Type: discordgo.InteractionResponseUpdateMessage, Data: d.payloadMessage}, d.files, nil) {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s.changes(nil, d)
	return true
}

// free reports whether a message can be told outside of the line: it is a new
// one, and nothing waits before it.
func (l *line) free(m bot.Message) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := queue.NewPost("", m, time.Now())
	return len(l.posts) == 0 && len(l.owed) == 0 && l.flying == nil && l.edits(&p) == nil
}

// answered notes a new message that was a command's answer.
func (l *line) answered(m bot.Message, id string, d draft) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := post{Post: queue.NewPost("", m, time.Now())}
	l.told = time.Now()
	if id != "" {
		l.posted(l.became(&p, id, d))
	}
	if len(l.bare) > 0 {
		l.start()
	}
}

// ends reports whether a message is pressed for the last time: what comes of it
// is played on in a new one.
func (l *line) ends(id string, m bot.Message) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := queue.NewPost("", m, time.Now())
	if l.edits(&p) != nil {
		return false
	}
	for _, s := range l.shown {
		if s.id == id {
			return s.live && (queue.Played(m) || s.played && len(m.Buttons) > 0)
		}
	}
	return false
}
