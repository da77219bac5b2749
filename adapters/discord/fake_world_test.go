package discord_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// user is an account.
type user struct {
	ID       string `json:"id"`
	Username string `json:"username"`
	// Global is the name that all servers show, if there is one.
	Global string `json:"global_name"`
	Bot    bool   `json:"bot"`
	Locale string `json:"locale"`
}

// String is how the account is shown where it has no other name.
func (u *user) String() string { return cmp.Or(u.Global, u.Username) }

func (u *user) json() map[string]any {
	m := map[string]any{
		"id": u.ID, "username": u.Username, "discriminator": "0", "avatar": nil, "global_name": nil,
		"public_flags": 0, "primary_guild": nil, "avatar_decoration_data": nil, "collectibles": nil, "clan": nil,
	}
	if u.Global != "" {
		m["global_name"] = u.Global
	}
	if u.Bot {
		m["bot"] = true
	}
	return m
}

// member is what somebody is in a server.
type member struct {
	nick string
	may  int64 // what they may do, in all channels
}

// guild is a server.
type guild struct {
	id, name string
	locale   string
	members  map[string]*member
	gone     bool // the bot was removed
}

// What somebody may do in a channel.
const (
	administrator  = 1 << 3
	viewChannel    = 1 << 10
	sendMessages   = 1 << 11
	manageMessages = 1 << 13
	embedLinks     = 1 << 14
	attachFiles    = 1 << 15
	useCommands    = 1 << 31
	sendInThreads  = 1 << 38

	usual = viewChannel | sendMessages | embedLinks | attachFiles | useCommands | sendInThreads
)

// rights are the names of what the bot needs in a channel.
func rights() map[string]int64 {
	return map[string]int64{
		"VIEW_CHANNEL": viewChannel, "SEND_MESSAGES": sendMessages, "SEND_MESSAGES_IN_THREADS": sendInThreads,
		"EMBED_LINKS": embedLinks, "ATTACH_FILES": attachFiles,
	}
}

// The types of a channel.
const (
	textChannel  = 0
	directChat   = 1
	voiceChannel = 2
	thread       = 11 // also a post in a forum
	forum        = 15
)

// channel is a channel of a server, a thread of one, or a chat with one user.
type channel struct {
	id, name string
	kind     int
	guild    *guild   // nil for a chat with one user
	parent   *channel // of a thread
	with     *user    // of a chat with one user
	may      int64    // what the bot may do there; a thread has its parent's
	archived bool
	locked   bool
	closed   bool // a user who takes no messages any more
	gone     bool

	messages []*message
	numbers  int // how many of them all can see
}

// rights returns what the bot may do in the channel.
func (c *channel) rights() int64 {
	switch {
	case c.guild != nil && c.guild.gone:
		return 0
	case c.parent != nil:
		return c.parent.may
	}
	return c.may
}

// newID returns an id as Discord makes them, of the present moment. The lock is
// held.
func (a *discordAPI) newID() string {
	a.serial++
	return fmt.Sprint((time.Now().UnixMilli()-1420070400000)<<22 | a.serial&0x3fffff)
}

// addUser makes an account known.
func (a *discordAPI) addUser(u user) *user {
	a.mu.Lock()
	defer a.mu.Unlock()
	u.Locale = cmp.Or(u.Locale, "en-US")
	a.users[u.ID] = &u
	return &u
}

// addGuild opens a server, in which the bot is.
func (a *discordAPI) addGuild(id, name string) *guild {
	a.mu.Lock()
	defer a.mu.Unlock()
	g := &guild{id: id, name: name, locale: "en-US", members: map[string]*member{}}
	g.members[a.self.ID] = &member{may: usual}
	a.guilds[id] = g
	a.tell("GUILD_CREATE", g.id, intentGuilds, g.json(a))
	return g
}

// addChannel opens a channel, in which the bot may do what it needs.
func (a *discordAPI) addChannel(c channel) *channel {
	a.mu.Lock()
	defer a.mu.Unlock()
	c.may = usual
	a.channels[c.id] = &c
	if c.guild != nil {
		kind := map[bool]string{true: "THREAD_CREATE", false: "CHANNEL_CREATE"}[c.kind == thread]
		a.tell(kind, c.guild.id, intentGuilds, c.json())
	}
	return &c
}

// direct returns a user's chat with the bot.
func (a *discordAPI) direct(u *user) *channel {
	a.mu.Lock()
	id := "3" + u.ID[1:]
	c := a.channels[id]
	a.mu.Unlock()
	if c == nil {
		c = a.addChannel(channel{id: id, kind: directChat, with: u})
	}
	return c
}

// memberOf returns what somebody is in a server; whoever wasn't yet joins. The
// lock is held.
func (g *guild) memberOf(u *user) *member {
	if g.members[u.ID] == nil {
		g.members[u.ID] = &member{may: usual}
	}
	return g.members[u.ID]
}

// setMember changes what somebody is in a server, without the bot being told.
func (a *discordAPI) setMember(g *guild, u *user, change func(*member)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(g.memberOf(u))
}

// leave lets somebody go. The bot isn't told: it has no intent for that.
func (a *discordAPI) leave(g *guild, u *user) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(g.members, u.ID)
}

// setRights changes what the bot may do in a channel.
func (a *discordAPI) setRights(c *channel, may int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c.parent != nil {
		c = c.parent
	}
	c.may = may
	a.tell("CHANNEL_UPDATE", c.guild.id, intentGuilds, c.json())
}

// setThread changes the state of a thread.
func (a *discordAPI) setThread(c *channel, archived, locked bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c.archived, c.locked = archived, locked
	a.tell("THREAD_UPDATE", c.guild.id, intentGuilds, c.json())
}

// deleteChannel removes a channel with all that is in it.
func (a *discordAPI) deleteChannel(c *channel) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c.gone = true
	kind := map[bool]string{true: "THREAD_DELETE", false: "CHANNEL_DELETE"}[c.kind == thread]
	a.tell(kind, c.guild.id, intentGuilds, c.json())
}

// setGone removes the bot from a server, or adds it again.
func (a *discordAPI) setGone(g *guild, gone bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	g.gone = gone
	if gone {
		a.tell("GUILD_DELETE", g.id, intentGuilds, map[string]any{"id": g.id})
		return
	}
	a.tell("GUILD_CREATE", g.id, intentGuilds, g.json(a))
}

// setLost tells that Discord itself has lost a server for a while.
func (a *discordAPI) setLost(g *guild) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tell("GUILD_DELETE", g.id, intentGuilds, map[string]any{"id": g.id, "unavailable": true})
}

// nameOf is how a server shows somebody.
func (a *discordAPI) nameOf(g *guild, u *user) string {
	if g != nil && g.members[u.ID] != nil && g.members[u.ID].nick != "" {
		return g.members[u.ID].nick
	}
	return u.String()
}

// memberJSON writes a member as the HTTP API does, with their account.
func (a *discordAPI) memberJSON(g *guild, u *user) map[string]any {
	m := map[string]any{
		"user": u.json(), "nick": nil, "avatar": nil, "banner": nil, "roles": []any{}, "joined_at": stamp(time.Unix(1700000000, 0)),
		"premium_since": nil, "deaf": false, "mute": false, "flags": 0, "pending": false, "communication_disabled_until": nil,
	}
	if nick := g.memberOf(u).nick; nick != "" {
		m["nick"] = nick
	}
	return m
}

func (g *guild) json(a *discordAPI) map[string]any {
	everyone := map[string]any{
		"id": g.id, "name": "@everyone", "color": 0, "hoist": false, "position": 0, "permissions": fmt.Sprint(usual),
		"managed": false, "mentionable": false, "flags": 0,
	}
	channels, threads := []any{}, []any{}
	for _, id := range slices.Sorted(maps.Keys(a.channels)) {
		switch c := a.channels[id]; {
		case c.guild != g || c.gone:
		case c.kind == thread:
			threads = append(threads, c.json())
		default:
			channels = append(channels, c.json())
		}
	}
	return map[string]any{
		"id": g.id, "name": g.name, "icon": nil, "owner_id": "200000000000000001", "preferred_locale": g.locale, "roles": []any{everyone},
		"emojis": []any{}, "stickers": []any{}, "features": []any{}, "premium_tier": 0, "nsfw_level": 0, "verification_level": 0,
		"channels": channels, "threads": threads, "members": []any{a.memberJSON(g, a.self)}, "member_count": len(g.members),
		"large": false, "unavailable": false, "joined_at": stamp(time.Unix(1700000000, 0)), "voice_states": []any{}, "presences": []any{},
		"stage_instances": []any{}, "guild_scheduled_events": []any{}, "soundboard_sounds": []any{},
	}
}

func (c *channel) json() map[string]any {
	m := map[string]any{"id": c.id, "type": c.kind, "flags": 0, "last_message_id": nil}
	if c.guild == nil {
		m["recipients"] = []any{c.with.json()}
		return m
	}
	maps.Copy(m, map[string]any{
		"guild_id": c.guild.id, "name": c.name, "position": 0, "permission_overwrites": []any{}, "nsfw": false, "topic": nil,
		"parent_id": nil, "rate_limit_per_user": 0,
	})
	if c.kind == thread {
		m["parent_id"], m["owner_id"] = c.parent.id, "200000000000000001"
		m["thread_metadata"] = map[string]any{
			"archived": c.archived, "locked": c.locked, "auto_archive_duration": 1440, "archive_timestamp": stamp(time.Now()),
		}
	}
	return m
}

// stamp writes a time as Discord does.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000+00:00") }

// onShard tells whether what happens in a server is told to a shard. What
// happens in none is told to the first.
func onShard(guild string, shard [2]int) bool {
	id, _ := strconv.ParseInt(guild, 10, 64)
	return int((id>>22)%int64(shard[1])) == shard[0]
}

func (a *discordAPI) getMe(*request) (any, *apiError) {
	m := a.self.json()
	m["mfa_enabled"], m["locale"], m["verified"], m["email"], m["flags"] = false, "en-US", true, nil, 0
	return m, nil
}

func (a *discordAPI) getAbout(*request) (any, *apiError) {
	return map[string]any{
		"id": a.self.ID, "name": a.self.Username, "icon": nil, "description": "", "type": nil, "bot": a.self.json(), "flags": 0,
		"verify_key": "00", "bot_public": true, "bot_require_code_grant": false, "integration_types_config": map[string]any{"0": map[string]any{}},
	}, nil
}

func (a *discordAPI) describe(r *request) (any, *apiError) {
	m, _ := a.getAbout(r)
	object(m)["description"] = text(r.values["description"])
	return m, nil
}

// find returns the channel of a request, if the bot can see it.
func (a *discordAPI) find(r *request) (*channel, *apiError) {
	switch c := a.channels[r.vars["channel"]]; {
	case c == nil:
		return nil, a.refuse(r, unknown(10003, "Channel"), "channel %s never was", r.vars["channel"])
	case c.gone:
		return nil, unknown(10003, "Channel")
	case c.rights()&viewChannel == 0:
		return nil, forbidden(50001, "Missing Access")
	default:
		return c, nil
	}
}

func (a *discordAPI) getChannel(r *request) (any, *apiError) {
	c, e := a.find(r)
	if e != nil {
		return nil, e
	}
	return c.json(), nil
}

func (a *discordAPI) getMember(r *request) (any, *apiError) {
	g, u := a.guilds[r.vars["guild"]], a.users[r.vars["user"]]
	switch {
	case g == nil:
		return nil, a.refuse(r, unknown(10004, "Guild"), "server %s never was", r.vars["guild"])
	case g.gone:
		return nil, forbidden(50001, "Missing Access")
	case u == nil:
		return nil, a.refuse(r, unknown(10013, "User"), "user %s never was", r.vars["user"])
	case g.members[u.ID] == nil:
		return nil, unknown(10007, "Member")
	}
	return a.memberJSON(g, u), nil
}

// fileURL is the signed address of an attachment. The lock is held.
func (a *discordAPI) fileURL(c *channel, id, name string) string {
	now := time.Now()
	signed := url.Values{"ex": {fmt.Sprintf("%x", now.Add(24*time.Hour).Unix())}, "is": {fmt.Sprintf("%x", now.Unix())}, "hm": {"f00d" + id}}
	return a.base + "/attachments/" + c.id + "/" + id + "/" + url.PathEscape(name) + "?" + signed.Encode() + "&"
}

// serveFile answers a request for an attachment, which needs its signature and
// must not see the token.
func (a *discordAPI) serveFile(w http.ResponseWriter, q *http.Request) {
	r := &request{route: &route{name: "file"}}
	if f := a.failing(r); f != nil && f.strikes(w, q) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	var id, name string
	for known, f := range a.files {
		if signed, err := url.Parse(f.url); err == nil && signed.Path == q.URL.Path {
			id, name = known, f.name
		}
	}
	switch signed := q.URL.Query(); {
	case q.Header.Get("Authorization") != "":
		a.faultf("file: the token is shown to where attachments are kept")
	case id == "":
		a.faultf("file: there is no %s", q.URL.Path)
	case signed.Get("hm") != "f00d"+id || signed.Get("ex") == "" || signed.Get("is") == "":
		a.faultf("file: %s is asked for without the signature in its query", name)
	default:
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write(a.files[id].data)
		return
	}
	w.WriteHeader(http.StatusNotFound)
}
