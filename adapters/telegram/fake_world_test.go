package telegram_test

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// The accounts that stand for an anonymous administrator, and for a channel.
const (
	groupAnonymousBot = 1087968824
	channelBot        = 136817688
)

// user is an account.
type user struct {
	ID           int64  `json:"id"`
	IsBot        bool   `json:"is_bot"`
	FirstName    string `json:"first_name"`
	LastName     string `json:"last_name,omitempty"`
	Username     string `json:"username,omitempty"`
	LanguageCode string `json:"language_code,omitempty"`
}

// String is how a chat shows the account.
func (u *user) String() string {
	if u == nil {
		return "nobody"
	}
	return strings.TrimSpace(u.FirstName + " " + u.LastName)
}

// place is a chat as messages name it.
type place struct {
	ID        int64  `json:"id"`
	Type      string `json:"type"` // private, group, supergroup or channel
	Title     string `json:"title,omitempty"`
	Username  string `json:"username,omitempty"`
	FirstName string `json:"first_name,omitempty"`
	LastName  string `json:"last_name,omitempty"`
	IsForum   bool   `json:"is_forum,omitempty"`
}

// chat is a chat and all that is in it.
type chat struct {
	place
	// status is the bot's: member, administrator, restricted, left or kicked,
	// which in a private chat means blocked.
	status string
	// forbidden are the kinds of message that a restricted bot may not send:
	// "text messages", "photos", "documents" or "animations".
	forbidden []string
	unopened  bool         // a private chat that nobody has written in
	topics    map[int]bool // whether a topic is open; General is 0
	admins    []int64      // the first is the owner
	away      map[int64]bool
	movedTo   int64

	messages []*message
	nextID   int
	busy     map[int]bool // topics in which people have done something
	lastBot  int64        // which bot spoke last
	sentAt   []time.Time
	quiet    time.Time // until when nothing may be sent
	unaware  bool      // the bot can't know of that
}

// addUser makes an account known to the world and met by the bot.
func (a *botAPI) addUser(u user) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.users[u.ID] = &u
}

// addChat opens a chat. A private one has the id of its user.
func (a *botAPI) addChat(c chat) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c.status == "" {
		c.status = "member"
	}
	if u := a.users[c.ID]; c.Type == "private" && u != nil {
		c.FirstName, c.LastName, c.Username = u.FirstName, u.LastName, u.Username
	}
	if c.topics == nil {
		c.topics = map[int]bool{}
	}
	c.away, c.busy, c.nextID = map[int64]bool{}, map[int]bool{}, 1
	a.chats[c.ID] = &c
}

// mustChat returns a chat of the test's world. The lock is held.
func (a *botAPI) mustChat(id int64) *chat {
	c := a.chats[id]
	if c == nil {
		panic(fmt.Sprintf("there is no chat %d", id))
	}
	return c
}

// mustUser returns an account of the test's world. The lock is held.
func (a *botAPI) mustUser(id int64) *user {
	u := a.users[id]
	if u == nil {
		panic(fmt.Sprintf("there is no user %d", id))
	}
	return u
}

// openTopic opens a topic of a forum, or closes it.
func (a *botAPI) openTopic(chat int64, topic int, open bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mustChat(chat).topics[topic] = open
}

// setAdmins names the administrators of a chat, its owner first.
func (a *botAPI) setAdmins(chat int64, users ...int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.mustChat(chat).admins = users
}

// mute forbids the bot kinds of message in a chat; none gives all rights back.
func (a *botAPI) mute(chat int64, kinds ...string) {
	status := "restricted"
	if len(kinds) == 0 {
		status = "member"
	}
	a.mu.Lock()
	a.mustChat(chat).forbidden = kinds
	a.mu.Unlock()
	a.setStatus(chat, 0, status)
}

// find returns the chat that a request is about, if the bot is in it. The lock
// is held.
func (a *botAPI) find(r *request) (*chat, *apiError) {
	id := r.int("chat_id")
	c := a.chats[id]
	switch {
	case c == nil:
		return nil, a.refuse(r, bad("chat not found"), "there is no chat %v", r.values["chat_id"])
	case c.movedTo != 0:
		return nil, &apiError{status: 400, text: "Bad Request: group chat was upgraded to a supergroup chat", migrateTo: c.movedTo}
	case c.Type == "private" && c.status == "kicked":
		return nil, forbidden("bot was blocked by the user")
	case c.status == "kicked":
		return nil, forbidden("bot was kicked from the %s chat", c.Type)
	case c.status == "left":
		return nil, forbidden("bot is not a member of the %s chat", c.Type)
	}
	return c, nil
}

// mayWrite tells whether the bot may send a kind of message to a chat, and into
// a topic of it. The lock is held.
func (a *botAPI) mayWrite(r *request, c *chat, kind string, topic int) *apiError {
	switch {
	case c.unopened:
		return a.refuse(r, forbidden("bot can't initiate conversation with a user"), "nobody has written in the private chat %d yet", c.ID)
	case c.status == "restricted" && slices.Contains(c.forbidden, kind):
		return bad("not enough rights to send %s to the chat", kind)
	case topic == 0 && !c.IsForum:
		return nil
	case !c.IsForum:
		return a.refuse(r, bad("message thread not found"), "chat %d has no topics, and %d was named", c.ID, topic)
	}
	open, known := c.topics[topic]
	switch {
	case !known && topic != 0:
		return a.refuse(r, bad("message thread not found"), "chat %d has no topic %d", c.ID, topic)
	case known && !open && c.status != "administrator":
		return bad("TOPIC_CLOSED")
	}
	return nil
}

// member is a ChatMember as the server shows it.
func member(u *user, status string, forbidden []string) map[string]any {
	m := map[string]any{"user": u, "status": status}
	set := func(value bool, names string) {
		for name := range strings.SplitSeq(names, " ") {
			m[name] = value
		}
	}
	switch status {
	case "creator":
		set(false, "is_anonymous")
	case "administrator":
		set(false, "can_be_edited is_anonymous can_promote_members can_post_stories can_edit_stories can_delete_stories")
		set(true, "can_manage_chat can_delete_messages can_manage_video_chats can_restrict_members can_change_info can_invite_users")
	case "restricted":
		set(true, "is_member can_send_audios can_send_videos can_send_video_notes can_send_voice_notes can_send_polls "+
			"can_send_other_messages can_add_web_page_previews can_change_info can_invite_users can_pin_messages can_manage_topics "+
			"can_react_to_messages can_edit_tag")
		set(!slices.Contains(forbidden, "text messages"), "can_send_messages")
		set(!slices.Contains(forbidden, "photos"), "can_send_photos")
		set(!slices.Contains(forbidden, "documents"), "can_send_documents")
		m["until_date"] = 0
	case "kicked":
		m["until_date"] = 0
	}
	return m
}

// statusOf returns what somebody is in a chat. The lock is held.
func (c *chat) statusOf(id, bot int64) string {
	switch i := slices.Index(c.admins, id); {
	case id == bot:
		return c.status
	case c.away[id]:
		return "left"
	case i == 0:
		return "creator"
	case i > 0:
		return "administrator"
	}
	return "member"
}
