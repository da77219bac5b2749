package telegram_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// message is a message in a chat.
type message struct {
	ID              int        `json:"message_id"`
	Thread          int        `json:"message_thread_id,omitempty"`
	InTopic         bool       `json:"is_topic_message,omitempty"`
	From            *user      `json:"from,omitempty"`
	SenderChat      *place     `json:"sender_chat,omitempty"`
	Date            int64      `json:"date"`
	Chat            place      `json:"chat"`
	ReplyTo         *message   `json:"reply_to_message,omitempty"`
	EditDate        int64      `json:"edit_date,omitempty"`
	Forward         any        `json:"forward_origin,omitempty"`
	Text            string     `json:"text,omitempty"`
	Entities        []entity   `json:"entities,omitempty"`
	Caption         string     `json:"caption,omitempty"`
	CaptionEntities []entity   `json:"caption_entities,omitempty"`
	Photo           []document `json:"photo,omitempty"`
	Document        *document  `json:"document,omitempty"`
	Animation       *document  `json:"animation,omitempty"`
	Joined          []user     `json:"new_chat_members,omitempty"`
	Left            *user      `json:"left_chat_member,omitempty"`
	MigrateTo       int64      `json:"migrate_to_chat_id,omitempty"`
	MigrateFrom     int64      `json:"migrate_from_chat_id,omitempty"`
	TopicCreated    any        `json:"forum_topic_created,omitempty"`
	Keyboard        *keyboard  `json:"reply_markup,omitempty"`

	silent  bool
	preview bool // links in it show what they lead to
	deleted bool
	asks    []int64 // who is asked to reply
	hint    string  // in the field in which they do
	unsure  bool    // the bot didn't hear what came of its last edit
}

// words returns the text or the caption, with its entities.
func (m *message) words() written {
	if m.media() == "" {
		return written{m.Text, m.Entities}
	}
	return written{m.Caption, m.CaptionEntities}
}

// media returns the kind of what the message carries, "" for text alone.
func (m *message) media() string {
	switch {
	case len(m.Photo) > 0:
		return "photo"
	case m.Animation != nil:
		return "animation"
	case m.Document != nil:
		return "document"
	}
	return ""
}

// event is something that people see the bot do.
type event struct {
	at      time.Time
	kind    string // send, edit, delete, answer, reaction, action or fault
	chat    int64
	topic   int
	message int // its id
	text    string
	// entities dress the text. Those that the server found by itself are
	// among them.
	entities []entity
	buttons  [][]button
	silent   bool
	preview  bool
	asks     []int64 // who is asked to reply, and the hint in the field
	hint     string
	replyTo  *message
	media    string
	file     *document
	was      string // the text that was edited
	alert    bool   // of an answer
	by       *user  // whose press was answered
}

// see logs what people see of a message. The lock is held.
func (a *botAPI) see(kind string, m *message) *event {
	w := m.words()
	e := event{
		at: time.Now(), kind: kind, chat: m.Chat.ID, message: m.ID, text: w.text, entities: slices.Clone(w.entities),
		silent: m.silent, preview: m.preview, asks: m.asks, hint: m.hint, replyTo: m.ReplyTo, media: m.media(), file: m.file(),
	}
	if m.InTopic {
		e.topic = m.Thread
	}
	if m.Keyboard != nil {
		e.buttons = m.Keyboard.Rows
	}
	a.log = append(a.log, e)
	a.notify()
	return &a.log[len(a.log)-1]
}

// seen returns what happened from the event of a number on.
func (a *botAPI) seen(from int) []event {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.log[min(from, len(a.log)):])
}

// messages returns what stands in a chat now.
func (a *botAPI) messages(chat int64) []message {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []message
	for _, m := range a.mustChat(chat).messages {
		if !m.deleted {
			all = append(all, *m)
		}
	}
	return all
}

// message returns a message of a chat, nil if it never was. The lock is held.
func (c *chat) message(id int64) *message {
	i := slices.IndexFunc(c.messages, func(m *message) bool { return int64(m.ID) == id })
	if i < 0 {
		return nil
	}
	return c.messages[i]
}

// add puts a message into a chat. The lock is held.
func (c *chat) add(m *message) *message {
	m.ID, m.Chat, m.Date = c.nextID, c.place, time.Now().Unix()
	c.nextID++
	c.messages = append(c.messages, m)
	if m.From != nil && m.From.IsBot && m.SenderChat == nil {
		c.lastBot = m.From.ID
	}
	return m
}

// post sends what a request holds into its chat: a text, or a file of a kind.
func (a *botAPI) post(r *request, kind string, fill func(*message) *apiError) (any, *apiError) {
	c, e := a.find(r)
	if e != nil {
		return nil, e
	}
	topic := int(r.int("message_thread_id"))
	if e := a.mayWrite(r, c, kind, topic); e != nil {
		return nil, e
	}
	m := &message{From: &a.self, silent: r.bool("disable_notification"), Thread: topic, InTopic: topic != 0}
	if m.ReplyTo, e = a.repliedTo(r, c, topic); e != nil {
		return nil, e
	}
	a.checkTopic(r, c, m)
	if m.Keyboard, e = a.markup(r); e != nil {
		return nil, e
	}
	if e := fill(m); e != nil {
		return nil, e
	}
	if e := a.force(r, c, m); e != nil {
		return nil, e
	}
	if e := a.pace(r, c); e != nil {
		return nil, e
	}
	c.add(m)
	a.see("send", m)
	return *m, nil
}

// repliedTo returns the message that a request replies to.
func (a *botAPI) repliedTo(r *request, c *chat, topic int) (*message, *apiError) {
	var to struct {
		ID      int64 `json:"message_id"`
		Without bool  `json:"allow_sending_without_reply"`
	}
	if !r.has("reply_parameters") {
		return nil, nil
	}
	r.into("reply_parameters", &to)
	m := c.message(to.ID)
	if m == nil || m.deleted {
		if m == nil {
			a.faultf("%s: it replies to message %d, which never was", r.method, to.ID)
		}
		if to.Without {
			return nil, nil
		}
		return nil, bad("message to be replied not found")
	}
	if m.InTopic && m.Thread != topic || !m.InTopic && topic != 0 {
		a.faultf("%s: topic lost: a reply in topic %d to a message in topic %d", r.method, topic, m.Thread)
	}
	short := *m
	short.ReplyTo = nil
	return &short, nil
}

// checkTopic finds messages that land in General of a forum in which people
// have never done anything there.
func (a *botAPI) checkTopic(r *request, c *chat, m *message) {
	if c.IsForum && !m.InTopic && len(c.busy) > 0 && !c.busy[0] {
		a.faultf("%s: topic lost: it lands in General of chat %d, and people are in another", r.method, c.ID)
	}
}

// pace holds back what comes too fast. The lock is held.
func (a *botAPI) pace(r *request, c *chat) *apiError {
	now := time.Now()
	if now.Before(c.quiet) {
		left := c.quiet.Sub(now)
		if c.unaware {
			c.unaware = false
			return tooMany(seconds(left))
		}
		c.quiet = c.quiet.Add(time.Second) // trying too early prolongs it
		return a.refuse(r, tooMany(seconds(left)+1), "chat %d was to be left alone for %v more", c.ID, left)
	}
	a.sentAt = after(a.sentAt, now.Add(-time.Second))
	if a.perSecond > 0 && len(a.sentAt) >= a.perSecond {
		c.quiet = now.Add(time.Second)
		return a.refuse(r, tooMany(1), "more than %d messages and edits in a second", a.perSecond)
	}
	if c.Type == "group" || c.Type == "supergroup" {
		c.sentAt = after(c.sentAt, now.Add(-time.Minute))
		if a.perMinute > 0 && len(c.sentAt) >= a.perMinute {
			wait := seconds(c.sentAt[0].Add(time.Minute).Sub(now))
			c.quiet = now.Add(time.Duration(wait) * time.Second)
			if c.sentAt[0].Before(a.begun) {
				return tooMany(wait)
			}
			return a.refuse(r, tooMany(wait), "more than %d messages and edits in a minute in chat %d", a.perMinute, c.ID)
		}
		c.sentAt = append(c.sentAt, now)
	}
	a.sentAt = append(a.sentAt, now)
	return nil
}

// after returns the times that lie behind another.
func after(times []time.Time, than time.Time) []time.Time {
	return slices.DeleteFunc(times, func(t time.Time) bool { return !t.After(than) })
}

// pause lets the chat of a request rest, or its method where there is none. The
// lock is held.
func (a *botAPI) pause(r *request, d time.Duration) {
	c := a.chats[r.int("chat_id")]
	if c != nil && (strings.HasPrefix(r.method, "send") || strings.HasPrefix(r.method, "edit")) {
		c.quiet = time.Now().Add(d)
		return
	}
	a.paused[r.rests()] = time.Now().Add(d)
}

// rests names what has to rest after a request that came too early where that
// isn't all that is sent to a chat: its method there, or the answer to one press.
func (r *request) rests() string {
	return fmt.Sprint(r.method, r.values["chat_id"], r.values["callback_query_id"])
}

func (a *botAPI) sendMessage(r *request) (any, *apiError) {
	return a.post(r, "text messages", func(m *message) *apiError {
		w, e := a.text(r, r.str("text"), r.values["entities"], maxText)
		if e == nil && w.text == "" {
			e = a.refuse(r, bad("message text is empty"), "the text is empty")
		}
		m.Text, m.Entities, m.preview = w.text, w.entities, previewed(r, w)
		return e
	})
}

// previewed tells whether links in a text show what they lead to.
func previewed(r *request, w written) bool {
	preview, _ := r.values["link_preview_options"].(map[string]any)
	return preview["is_disabled"] != true && slices.ContainsFunc(w.entities, func(e entity) bool { return e.Type == "url" || e.Type == "text_link" })
}

// own returns the bot's message that a request edits.
func (a *botAPI) own(r *request) (*chat, *message, *apiError) {
	c, e := a.find(r)
	if e != nil {
		return nil, nil, e
	}
	m := c.message(r.int("message_id"))
	switch {
	case m == nil:
		return nil, nil, a.refuse(r, bad("message to edit not found"), "message %d never was", r.int("message_id"))
	case m.deleted: // somebody did, and nobody told the bot
		return nil, nil, bad("message to edit not found")
	case m.From == nil || m.From.ID != a.self.ID:
		return nil, nil, a.refuse(r, bad("message can't be edited"), "message %d isn't the bot's", m.ID)
	}
	return c, m, nil
}

// edit changes a message of the bot. An edit without buttons takes them away.
func (a *botAPI) edit(r *request, change func(*message) *apiError) (any, *apiError) {
	c, m, e := a.own(r)
	if e != nil {
		return nil, e
	}
	next := *m
	if next.Keyboard, e = a.markup(r); e != nil {
		return nil, e
	}
	if e := change(&next); e != nil {
		return nil, e
	}
	if same(m, &next) {
		e := bad("message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message")
		if m.unsure {
			return nil, e
		}
		return nil, a.refuse(r, e, "message %d of chat %d is as it was", m.ID, c.ID)
	}
	if e := a.pace(r, c); e != nil {
		return nil, e
	}
	next.EditDate, next.unsure = time.Now().Unix(), false
	was := m.words().text
	*m = next
	a.see("edit", m).was = was
	return *m, nil
}

// same tells whether two states of a message look alike.
func same(a, b *message) bool {
	return a.Text == b.Text && a.Caption == b.Caption &&
		slices.EqualFunc(a.words().entities, b.words().entities, func(x, y entity) bool { return reflect.DeepEqual(x, y) }) &&
		reflect.DeepEqual(a.file(), b.file()) && reflect.DeepEqual(a.Keyboard, b.Keyboard)
}

func (a *botAPI) editMessageText(r *request) (any, *apiError) {
	return a.edit(r, func(m *message) *apiError {
		if m.media() != "" {
			return a.refuse(r, bad("there is no text in the message to edit"), "message %d is a %s", m.ID, m.media())
		}
		w, e := a.text(r, r.str("text"), r.values["entities"], maxText)
		if e == nil && w.text == "" {
			e = a.refuse(r, bad("message text is empty"), "the text is empty")
		}
		m.Text, m.Entities, m.preview = w.text, w.entities, previewed(r, w)
		return e
	})
}

func (a *botAPI) editMessageCaption(r *request) (any, *apiError) {
	return a.edit(r, func(m *message) *apiError {
		if m.media() == "" {
			return a.refuse(r, bad("there is no caption in the message to edit"), "message %d is a text", m.ID)
		}
		w, e := a.text(r, r.str("caption"), r.values["caption_entities"], maxCaption)
		m.Caption, m.CaptionEntities = w.text, w.entities
		return e
	})
}

func (a *botAPI) editMessageReplyMarkup(r *request) (any, *apiError) {
	return a.edit(r, func(*message) *apiError { return nil })
}

func (a *botAPI) deleteMessage(r *request) (any, *apiError) {
	c, e := a.find(r)
	if e != nil {
		return nil, e
	}
	m := c.message(r.int("message_id"))
	switch {
	case m == nil:
		return nil, a.refuse(r, bad("message to delete not found"), "message %d never was", r.int("message_id"))
	case m.deleted:
		return nil, bad("message to delete not found")
	case m.From != nil && m.From.ID != a.self.ID && c.status != "administrator":
		return nil, a.refuse(r, bad("message can't be deleted for everyone"), "message %d isn't the bot's", m.ID)
	case time.Since(time.Unix(m.Date, 0)) > 48*time.Hour:
		return nil, bad("message can't be deleted for everyone")
	}
	m.deleted = true
	a.see("delete", m)
	return true, nil
}

// press is a button that somebody pressed.
type press struct {
	id       string
	label    string
	by       *user
	chat     int64
	topic    int
	at       time.Time
	answered int
	fetched  bool
	hindered int // how many calls on the way to an answer failed
	text     string
	alert    bool
	again    bool // it may be answered again, by a bot that began anew
}

// newRun tells that the bot was started anew: it can't know which presses it
// answered before, what its messages look like and which chats want quiet.
func (a *botAPI) newRun() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.presses {
		p.again = true
		if p.hindered > 0 {
			p.hindered = 3
		}
	}
	clear(a.paused)
	a.begun = time.Now()
	for _, c := range a.chats {
		c.unaware = true
		for _, m := range c.messages {
			m.unsure = true
		}
	}
}

// pressed returns the press of an id.
func (a *botAPI) pressed(id string) press {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, p := range a.presses {
		if p.id == id {
			return *p
		}
	}
	panic("nobody pressed " + id)
}

func (a *botAPI) answerCallbackQuery(r *request) (any, *apiError) {
	old := bad("query is too old and response timeout expired or query ID is invalid")
	i := slices.IndexFunc(a.presses, func(p *press) bool { return p.id == r.str("callback_query_id") })
	if i < 0 {
		return nil, a.refuse(r, old, "there is no press %q", r.str("callback_query_id"))
	}
	p := a.presses[i]
	p.answered++
	switch late := time.Since(p.at); {
	case p.answered > 1 && p.again:
		return nil, old
	case p.answered > 1:
		return nil, a.refuse(r, old, "the press of [%s] by %s was answered before", p.label, p.by)
	case late > 10*time.Second && (p.again || p.hindered > 0):
		return nil, old
	case late > 10*time.Second:
		return nil, a.refuse(r, old, "the press of [%s] by %s was answered after %v", p.label, p.by, late)
	case utf8.RuneCountInString(r.str("text")) > maxToast:
		return nil, a.refuse(r, bad("MESSAGE_TOO_LONG"), "a toast of %d characters", utf8.RuneCountInString(r.str("text")))
	}
	if u := r.str("url"); u != "" && !strings.HasPrefix(strings.ToLower(u), "https://t.me/"+strings.ToLower(a.self.Username)+"?start=") {
		return nil, a.refuse(r, bad("URL_INVALID"), "the answer leads to %s", u)
	}
	p.text, p.alert = r.str("text"), r.bool("show_alert")
	a.log = append(a.log, event{at: time.Now(), kind: "answer", chat: p.chat, topic: p.topic, text: p.text, alert: p.alert, by: p.by})
	a.notify()
	return true, nil
}

// reactions are those that a bot may choose from, the rare ones left out.
const reactions = "❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 😢 🎉 🤩 🙏 👌 🕊 🥱 😍 🐳 🌚 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 😈 😴 😭 🤓 👻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 🤪 🗿 🆒 🦄 😎 👾 🤷"

func (a *botAPI) setMessageReaction(r *request) (any, *apiError) {
	c, e := a.find(r)
	if e != nil {
		return nil, e
	}
	var all []struct{ Type, Emoji string }
	r.into("reaction", &all)
	m := c.message(r.int("message_id"))
	if m == nil || m.deleted {
		return nil, bad("message to react not found")
	}
	text := ""
	for _, one := range all {
		if one.Type != "emoji" || !slices.Contains(strings.Fields(reactions), one.Emoji) || len(all) > 1 {
			return nil, a.refuse(r, bad("REACTION_INVALID"), "the reactions are %v", all)
		}
		text = one.Emoji
	}
	seen := a.see("reaction", m)
	seen.text, seen.by = text, m.From
	return true, nil
}

func (a *botAPI) sendChatAction(r *request) (any, *apiError) {
	c, e := a.find(r)
	if e != nil {
		return nil, e
	}
	topic := int(r.int("message_thread_id"))
	if e := a.mayWrite(r, c, "", topic); e != nil {
		return nil, e
	}
	switch r.str("action") {
	case "typing", "upload_photo", "upload_document", "record_video", "upload_video", "choose_sticker":
	default:
		return nil, a.refuse(r, bad("wrong parameter action in request"), "there is no action %q", r.str("action"))
	}
	a.log = append(a.log, event{at: time.Now(), kind: "action", chat: c.ID, topic: topic, text: r.str("action")})
	a.notify()
	return true, nil
}
