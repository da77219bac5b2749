package discord_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"time"
)

// message is a message in a channel.
type message struct {
	id          string
	number      int // counted in its channel, 0 for those that one person sees
	channel     *channel
	author      *user
	content     string
	embeds      []any
	components  []any
	attachments []*attachment
	flags       int64
	at, edited  time.Time
	reply       *message
	answers     *interaction
	reader      *user // who alone sees it
	deleted     bool
	nonce       string
}

// button is a button as people see it.
type button struct {
	Label, Emoji, ID, URL string
	Disabled              bool
}

// words is what stands on the button.
func (b button) words() string {
	if b.Emoji != "" && b.Label != "" {
		return b.Emoji + " " + b.Label
	}
	return b.Emoji + b.Label
}

// buttons returns the rows of buttons below a message.
func (m *message) buttons() [][]button {
	var all [][]button
	for _, row := range m.components {
		var these []button
		for _, one := range list(object(row)["components"]) {
			b := object(one)
			these = append(these, button{
				text(b["label"]), text(object(b["emoji"])["name"]), text(b["custom_id"]), text(b["url"]), isTrue(b["disabled"]),
			})
		}
		all = append(all, these)
	}
	return all
}

// event is something that people see the bot do.
type event struct {
	at      time.Time
	kind    string // send, edit, delete, thinking, silence, choices, form or fault
	channel *channel
	message message // as it was then
	text    string
	was     string       // the content that was edited
	late    bool         // an edit that brings what was thought about
	calls   []string     // who is notified: user ids, "everyone" or "a role"
	by      *user        // whose interaction was answered
	about   *interaction // that was answered
}

// see logs what people see of a message. The lock is held.
func (a *discordAPI) see(kind string, m *message) *event {
	e := event{at: time.Now(), kind: kind, channel: m.channel, message: *m, about: m.answers}
	e.message.attachments = slices.Clone(m.attachments)
	if m.answers != nil {
		e.by = m.answers.user
	}
	a.log = append(a.log, e)
	return &a.log[len(a.log)-1]
}

// seen returns what happened from the event of a number on.
func (a *discordAPI) seen(from int) []event {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.log[min(from, len(a.log)):])
}

// messages returns what stands in a channel now, for a reader: what nobody else
// sees is there too.
func (a *discordAPI) messages(c *channel, reader *user) []message {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []message
	for _, m := range c.messages {
		if !m.deleted && (m.reader == nil || m.reader == reader) {
			all = append(all, *m)
		}
	}
	return all
}

var mention = regexp.MustCompile(`<@!?(\d+)>|<@&\d+>|@everyone|@here`)

// called returns whom a new message notifies.
func (m *message) called(allowed map[string]any) []string {
	if m.reader != nil {
		return nil
	}
	parse := func(kind string) bool { return allowed == nil || slices.Contains(list(allowed["parse"]), any(kind)) }
	var all []string
	for _, found := range mention.FindAllStringSubmatch(m.content, -1) {
		switch {
		case found[1] != "" && (parse("users") || slices.Contains(list(allowed["users"]), any(found[1]))):
			all = append(all, found[1])
		case found[1] != "":
		case found[0][0] == '@' && parse("everyone"):
			all = append(all, "everyone")
		case found[0][0] == '<' && parse("roles"):
			all = append(all, "a role")
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// post puts a message into its channel. The lock is held.
func (a *discordAPI) post(m *message, kind string, allowed map[string]any) {
	c := m.channel
	m.id, m.at, m.author = a.newID(), time.Now(), a.self
	if m.reader == nil {
		c.numbers++
		m.number = c.numbers
		c.archived = false
	}
	c.messages = append(c.messages, m)
	e := a.see(kind, m)
	if e.calls = m.called(allowed); slices.Contains(e.calls, "everyone") || slices.Contains(e.calls, "a role") {
		a.faultf("%s is notified by %q", e.calls, m.content)
	}
	if m.reader == nil {
		a.tellMessage("MESSAGE_CREATE", m)
	}
}

// change makes a message what a form says. Nobody is notified by that.
func (a *discordAPI) change(f *form, m *message) {
	was, late := m.content, m.flags&loading != 0
	f.fill(m)
	m.flags &^= loading
	m.edited = time.Now()
	e := a.see("edit", m)
	e.was, e.late = was, late
	if m.reader == nil {
		a.tellMessage("MESSAGE_UPDATE", m)
	}
}

// tellMessage tells the bot of a message, if it wants to hear of them. The lock
// is held.
func (a *discordAPI) tellMessage(kind string, m *message) {
	body := m.json()
	intent := int64(intentMessages)
	if m.channel.guild == nil {
		intent = intentDirect
	}
	guild := ""
	if m.channel.guild != nil {
		guild = m.channel.guild.id
		body["guild_id"] = guild
	}
	a.tell(kind, guild, intent, body)
}

func (m *message) json() map[string]any {
	files := []any{}
	for _, f := range m.attachments {
		files = append(files, f.json())
	}
	j := map[string]any{
		"id": m.id, "channel_id": m.channel.id, "author": m.author.json(), "content": m.content, "flags": m.flags, "type": 0,
		"timestamp": stamp(m.at), "edited_timestamp": nil, "embeds": m.embeds, "components": m.components, "attachments": files,
		"mentions": []any{}, "mention_roles": []any{}, "mention_everyone": false, "pinned": false, "tts": false,
	}
	for _, name := range []string{"embeds", "components"} {
		if len(list(j[name])) == 0 {
			j[name] = []any{}
		}
	}
	if !m.edited.IsZero() {
		j["edited_timestamp"] = stamp(m.edited)
	}
	if m.nonce != "" {
		j["nonce"] = m.nonce
	}
	if m.reply != nil {
		j["type"] = 19
		j["message_reference"] = map[string]any{"type": 0, "message_id": m.reply.id, "channel_id": m.channel.id}
	}
	if in := m.answers; in != nil {
		j["application_id"], j["webhook_id"] = m.author.ID, m.author.ID
		j["interaction_metadata"] = map[string]any{"id": in.id, "type": in.kind, "user": in.user.json(), "authorizing_integration_owners": in.owners()}
		if in.kind == commandGiven {
			j["type"] = 20
		}
	}
	return j
}

// mayWrite returns why the bot may not write a message with a channel's route.
func (a *discordAPI) mayWrite(c *channel, r *request) *apiError {
	need := int64(sendMessages)
	if c.kind == thread {
		need = sendInThreads
	}
	if len(list(r.values["embeds"])) > 0 {
		need |= embedLinks
	}
	if len(r.uploads) > 0 {
		need |= attachFiles
	}
	switch {
	case c.guild == nil && c.closed:
		return forbidden(50007, "Cannot send messages to this user")
	case c.guild == nil:
		return nil
	case c.kind == forum:
		return a.refuse(r, badRequest(50008, "Cannot send messages in a non-text channel"), "it writes into a forum itself")
	case c.rights()&need != need:
		return forbidden(50013, "Missing Permissions")
	case c.archived && c.locked:
		return badRequest(50083, "Thread is archived")
	}
	return nil
}

// keptNonces is how long a message is known by its nonce.
const keptNonces = 5 * time.Minute

func (a *discordAPI) send(r *request) (any, *apiError) {
	c, e := a.find(r)
	if e != nil {
		return nil, e
	}
	if e := a.mayWrite(c, r); e != nil {
		return nil, e
	}
	f := &form{a: a, r: r, values: r.values, flags: noPreviews | silent}
	if e := f.look(); e != nil {
		return nil, e
	}
	nonce := ""
	if v := r.values["nonce"]; v != nil {
		nonce = nonceOf(v)
	}
	if isTrue(r.values["enforce_nonce"]) {
		for _, m := range c.messages {
			if nonce != "" && m.nonce == nonce && time.Since(m.at) < keptNonces {
				return m.json(), nil
			}
		}
	}
	m := &message{channel: c, nonce: nonce}
	if ref := object(r.values["message_reference"]); ref != nil {
		m.reply = c.message(text(ref["message_id"]))
		if m.reply == nil || m.reply.deleted {
			m.reply = nil
			if must, given := ref["fail_if_not_exists"].(bool); !given || must {
				return nil, invalidForm(problem{"message_reference", "Unknown message"})
			}
		}
	}
	f.fill(m)
	a.post(m, "send", object(r.values["allowed_mentions"]))
	return m.json(), nil
}

// nonceOf returns a nonce that may be a text or a number.
func nonceOf(v any) string {
	if n, ok := v.(json.Number); ok {
		return n.String()
	}
	return text(v)
}

// message returns a message of a channel, nil if it never was.
func (c *channel) message(id string) *message {
	i := slices.IndexFunc(c.messages, func(m *message) bool { return m.id == id })
	if i < 0 {
		return nil
	}
	return c.messages[i]
}

// written returns the message of a request by a channel's route.
func (a *discordAPI) written(r *request) (*message, *apiError) {
	c, e := a.find(r)
	if e != nil {
		return nil, e
	}
	switch m := c.message(r.vars["message"]); {
	case m == nil:
		return nil, a.refuse(r, unknown(10008, "Message"), "message %s never was in channel %s", r.vars["message"], c.name)
	case m.reader != nil:
		return nil, a.refuse(r, unknown(10008, "Message"), "only %s sees the message, so no channel has it", m.reader)
	case m.deleted: // somebody did, and nobody told the bot
		return nil, unknown(10008, "Message")
	default:
		return m, nil
	}
}

func (a *discordAPI) getMessage(r *request) (any, *apiError) {
	m, e := a.written(r)
	if e != nil {
		return nil, e
	}
	return m.json(), nil
}

func (a *discordAPI) edit(r *request) (any, *apiError) {
	m, e := a.written(r)
	switch {
	case e != nil:
		return nil, e
	case m.author != a.self:
		return nil, a.refuse(r, forbidden(50005, "Cannot edit a message authored by another user"), "message %d isn't the bot's", m.number)
	case m.channel.archived:
		return nil, badRequest(50083, "Thread is archived")
	case m.channel.rights()&attachFiles == 0 && len(r.uploads) > 0, m.channel.rights()&embedLinks == 0 && len(list(r.values["embeds"])) > 0:
		return nil, forbidden(50013, "Missing Permissions")
	}
	f := &form{a: a, r: r, values: r.values, old: m, flags: noPreviews}
	if e := f.look(); e != nil {
		return nil, e
	}
	a.change(f, m)
	return m.json(), nil
}

func (a *discordAPI) deleteMessage(r *request) (any, *apiError) {
	m, e := a.written(r)
	switch {
	case e != nil:
		return nil, e
	case m.author != a.self && m.channel.rights()&manageMessages == 0:
		return nil, a.refuse(r, forbidden(50013, "Missing Permissions"), "message %d isn't the bot's", m.number)
	case m.channel.archived:
		return nil, badRequest(50083, "Thread is archived")
	}
	a.see("delete", m)
	m.deleted = true
	return nil, nil
}
