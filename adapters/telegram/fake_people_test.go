package telegram_test

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// say lets somebody write in a chat. The bot is told if privacy mode lets it
// see that. It returns the message.
func (a *botAPI) say(chat, by int64, text string, options ...func(*botAPI, *message)) message {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.mustChat(chat)
	m := &message{From: a.mustUser(by), Text: text, Entities: found(text)}
	for _, set := range options {
		set(a, m)
	}
	if m.ReplyTo != nil && m.Thread == 0 && c.Type == "supergroup" {
		m.Thread = m.ReplyTo.ID // without being a topic's, as in any supergroup
		m.InTopic = m.ReplyTo.InTopic
		if m.ReplyTo.Thread != 0 {
			m.Thread = m.ReplyTo.Thread
		}
	}
	c.add(m)
	c.active(m)
	kind := "message"
	if c.Type == "channel" {
		kind = "channel_post"
	}
	if a.visible(c, m) {
		a.tell(kind, m)
	}
	return *m
}

// active notes where people are.
func (c *chat) active(m *message) {
	c.unopened = false
	if m.InTopic {
		c.busy[m.Thread] = true
	} else {
		c.busy[0] = true
	}
}

// inTopic puts a message into a topic of a forum.
func inTopic(topic int) func(*botAPI, *message) {
	return func(_ *botAPI, m *message) { m.Thread, m.InTopic = topic, topic != 0 }
}

// replying makes it a reply to a message of the same chat.
func replying(to message) func(*botAPI, *message) {
	return func(_ *botAPI, m *message) {
		to.ReplyTo = nil
		m.ReplyTo = &to
	}
}

// anonymously lets an administrator write as the group.
func anonymously(chat int64) func(*botAPI, *message) {
	return func(a *botAPI, m *message) {
		m.From = &user{ID: groupAnonymousBot, IsBot: true, FirstName: "Group", Username: "GroupAnonymousBot"}
		as := a.mustChat(chat).place
		m.SenderChat = &as
	}
}

// asChannel lets somebody write as a channel of theirs.
func asChannel(id int64, title string) func(*botAPI, *message) {
	return func(_ *botAPI, m *message) {
		m.From = &user{ID: channelBot, IsBot: true, FirstName: "Channel", Username: "Channel_Bot"}
		m.SenderChat = &place{ID: id, Type: "channel", Title: title}
	}
}

// forwarded marks a message as somebody else's words.
func forwarded() func(*botAPI, *message) {
	return func(_ *botAPI, m *message) {
		m.Forward = map[string]any{"type": "hidden_user", "sender_user_name": "Somebody", "date": time.Now().Unix() - 60}
	}
}

// attaching sends a file, with the text as its caption.
func attaching(name string, data []byte) func(*botAPI, *message) {
	return func(a *botAPI, m *message) {
		m.Caption, m.CaptionEntities = m.Text, m.Entities
		m.Text, m.Entities = "", nil
		d := a.keep("document", name, data).document
		m.Document = &d
	}
}

// showing sends a photo, with the text as its caption.
func showing(data []byte) func(*botAPI, *message) {
	return func(a *botAPI, m *message) {
		text, entities := m.Text, m.Entities
		a.carry(m, a.keep("photo", "", data))
		m.Caption, m.CaptionEntities = text, entities
	}
}

// naming makes words of the text a mention of somebody without a username.
func naming(words string, id int64) func(*botAPI, *message) {
	return func(a *botAPI, m *message) {
		i := strings.Index(m.Text, words)
		if i < 0 {
			panic(fmt.Sprintf("%q doesn't stand in %q", words, m.Text))
		}
		m.Entities = append(m.Entities, entity{Type: "text_mention", Offset: units(m.Text[:i]), Length: units(words), User: a.mustUser(id)})
		slices.SortFunc(m.Entities, func(a, b entity) int { return a.Offset - b.Offset })
	}
}

// visible tells whether the bot sees a message of a chat.
func (a *botAPI) visible(c *chat, m *message) bool {
	switch {
	case c.status == "left" || c.status == "kicked":
		return false
	case c.Type == "private" || c.Type == "channel" || !a.privacy || c.status == "administrator":
		return true
	case m.ReplyTo != nil && m.ReplyTo.From != nil && m.ReplyTo.From.ID == a.self.ID:
		return true
	}
	w := m.words()
	i := slices.IndexFunc(w.entities, func(e entity) bool { return e.Type == "bot_command" && e.Offset == 0 })
	if i < 0 {
		return false
	}
	if _, name, named := strings.Cut(covered(w.text, w.entities[i]), "@"); named {
		return strings.EqualFold(name, a.self.Username)
	}
	return c.lastBot == 0 || c.lastBot == a.self.ID
}

// rewrite lets the author of a message edit it.
func (a *botAPI) rewrite(m message, text string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.mustChat(m.Chat.ID)
	now := c.message(int64(m.ID))
	now.Text, now.Entities, now.EditDate = text, found(text), time.Now().Unix()
	if a.visible(c, now) {
		a.tell("edited_message", now)
	}
}

// remove lets somebody delete a message. Nobody tells the bot.
func (a *botAPI) remove(chat int64, id int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mustChat(chat).message(int64(id)).deleted = true
}

// tap lets somebody press a button of a message, and returns the press's id.
func (a *botAPI) tap(chat, by int64, id int, label string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := a.mustChat(chat).message(int64(id))
	if b := m.button(label); b != nil {
		return a.press(m, by, b.Text, b.Data, m)
	}
	panic(fmt.Sprintf("message %d has no button [%s]", id, label))
}

// tapAs presses a button that somebody may still see where none is any more.
func (a *botAPI) tapAs(chat, by int64, id int, b button) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := a.mustChat(chat).message(int64(id))
	return a.press(m, by, b.Text, b.Data, m)
}

// tapData presses with data that no button of the message carries any more, or
// never did: clients may send anything.
func (a *botAPI) tapData(chat, by int64, id int, data string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	m := a.mustChat(chat).message(int64(id))
	return a.press(m, by, data, data, m)
}

// tapGone is tapData on a message that the server doesn't show any more.
func (a *botAPI) tapGone(chat, by int64, id int, data string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.mustChat(chat)
	return a.press(c.message(int64(id)), by, data, data, map[string]any{"chat": c.place, "message_id": id, "date": 0})
}

// press tells the bot that a button was pressed. The lock is held.
func (a *botAPI) press(m *message, by int64, label, data string, shown any) string {
	c := a.mustChat(m.Chat.ID)
	c.active(m)
	p := &press{id: fmt.Sprintf("tap%d", len(a.presses)+1), label: label, by: a.mustUser(by), chat: c.ID, at: time.Now()}
	if m.InTopic {
		p.topic = m.Thread
	}
	if a.updates.failed {
		p.hindered++
	}
	a.presses = append(a.presses, p)
	a.tell("callback_query", map[string]any{
		"id": p.id, "from": p.by, "message": shown, "chat_instance": fmt.Sprint(c.ID), "data": data,
	})
	return p.id
}

// button returns the button of a message whose words, without the sign before
// them, are the label's.
func (m *message) button(label string) *button {
	if m == nil || m.Keyboard == nil {
		return nil
	}
	for _, row := range m.Keyboard.Rows {
		for i := range row {
			if row[i].Text == label || strings.HasSuffix(row[i].Text, " "+label) && !isWordy(strings.TrimSuffix(row[i].Text, " "+label)) {
				return &row[i]
			}
		}
	}
	return nil
}

// service puts what happened to a chat into it, and tells the bot, which sees
// all such messages. The lock is held.
func (a *botAPI) service(c *chat, m *message) {
	c.add(m)
	if c.status != "left" && c.status != "kicked" {
		a.tell("message", m)
	}
}

// join lets somebody come in.
func (a *botAPI) join(chat, who int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c, u := a.mustChat(chat), a.mustUser(who)
	delete(c.away, who)
	a.service(c, &message{From: u, Joined: []user{*u}})
	a.memberChanged("chat_member", c, u, u, "left", "member")
}

// leave lets somebody go, or be removed by somebody.
func (a *botAPI) leave(chat, who, by int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c, u := a.mustChat(chat), a.mustUser(who)
	was := c.statusOf(who, a.self.ID)
	c.away[who] = true
	a.service(c, &message{From: a.mustUser(by), Left: u})
	now := "left"
	if by != who {
		now = "kicked"
	}
	a.memberChanged("chat_member", c, a.mustUser(by), u, was, now)
}

// leaveUnseen is leave in a chat so large, or without rights for the bot, that
// only asking for the member tells.
func (a *botAPI) leaveUnseen(chat, who int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mustChat(chat).away[who] = true
}

// memberChanged tells the bot of a member's new status: of others only where it
// is an administrator.
func (a *botAPI) memberChanged(kind string, c *chat, by, who *user, was, now string) {
	if kind == "chat_member" && c.status != "administrator" {
		return
	}
	a.tell(kind, map[string]any{
		"chat": c.place, "from": by, "date": time.Now().Unix(),
		"old_chat_member": member(who, was, nil), "new_chat_member": member(who, now, c.forbidden),
	})
}

// setStatus changes what the bot is in a chat. In a private chat "kicked" means
// that it is blocked.
func (a *botAPI) setStatus(chat, by int64, status string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.mustChat(chat)
	was := c.status
	c.status = status
	u := a.users[by]
	if u == nil {
		u = &user{ID: 777, FirstName: "Owner"}
	}
	gone := func(s string) bool { return s == "left" || s == "kicked" }
	switch {
	case c.Type == "private":
	case gone(status) && !gone(was) && c.Type == "group": // the last thing that it sees there
		c.add(&message{From: u, Left: &a.self})
		a.tell("message", c.messages[len(c.messages)-1])
	case gone(was) && !gone(status):
		c.busy[0] = true // that's where a forum tells it
		a.service(c, &message{From: u, Joined: []user{a.self}})
	}
	a.memberChanged("my_chat_member", c, u, &a.self, was, status)
}

// migrate makes a supergroup of a group. Both say so, and the old id is only
// good for an error from now on.
func (a *botAPI) migrate(from, to int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	old := a.mustChat(from)
	p := old.place
	p.ID, p.Type = to, "supergroup"
	now := &chat{place: p, status: old.status, admins: old.admins, topics: map[int]bool{}, away: old.away, busy: map[int]bool{}, nextID: 1}
	a.chats[to] = now
	by := &user{ID: 777, FirstName: "Owner"}
	a.service(old, &message{From: by, MigrateTo: to})
	old.movedTo = to
	anonymous := &user{ID: groupAnonymousBot, IsBot: true, FirstName: "Group", Username: "GroupAnonymousBot"}
	a.service(now, &message{From: anonymous, SenderChat: &p, MigrateFrom: from})
}

// isWordy tells whether a text has letters or digits.
func isWordy(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < 128 && (r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9') })
}
