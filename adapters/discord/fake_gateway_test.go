package discord_test

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// What a session may ask to be told.
const (
	intentGuilds   = 1 << 0
	intentMessages = 1 << 9
	intentDirect   = 1 << 12

	privileged = 1<<1 | 1<<8 | 1<<15
)

// How often the bot has to give a sign of life, and how long it waits from one
// session's beginning to the next.
const (
	heartbeat = 41250 * time.Millisecond
	identify  = 5 * time.Second
)

// gate is the gateway: where the bot is told what happens.
type gate struct {
	shards   int // how many are advised
	sessions []*session
	links    []*link
	begun    []time.Time // sessions that were asked for
	accepted time.Time   // when the last one was
	early    time.Time   // when one came too early
	storming bool
	deaf     bool // signs of life aren't acknowledged
	held     bool // what happens is told later, together
	later    []func()
	last     func() // tells the last interaction again
}

func newGate() gate { return gate{shards: 1} }

// session is what the bot was told on a shard. It outlives its connections.
type session struct {
	id      string
	shard   [2]int
	intents int64
	sent    []frame
	link    *link // nil while it isn't connected
	dead    bool
	lost    bool // it can't be resumed any more
}

// frame is what goes over a connection.
type frame struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  *int            `json:"s"`
	Kind *string         `json:"t"`

	about *interaction
	code  int // closes the connection
}

// link is a connection. What is written waits for a goroutine of its own, so
// that a bot that doesn't read holds up nobody.
type link struct {
	ws      *websocket.Conn
	version string
	session *session
	watch   *time.Timer // for the next sign of life
	out     []frame
	wake    chan struct{}
	done    chan struct{}
}

// write puts a frame behind the others. The lock is held.
func (l *link) write(f frame) {
	if f.about != nil && f.about.told.IsZero() {
		f.about.told = time.Now()
	}
	l.out = append(l.out, f)
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// sendFrames writes what was put into line until the connection ends.
func (a *discordAPI) sendFrames(l *link) {
	for {
		select {
		case <-l.wake:
		case <-l.done:
			return
		}
		a.mu.Lock()
		all := l.out
		l.out = nil
		a.mu.Unlock()
		for _, f := range all {
			if f.code != 0 {
				_ = l.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(f.code, ""), time.Now().Add(time.Second))
				time.AfterFunc(time.Second, func() { _ = l.ws.Close() })
				return
			}
			if err := l.ws.WriteJSON(f); err != nil {
				return
			}
		}
	}
}

func encoded(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // the test made something that has no JSON
	}
	return data
}

func (a *discordAPI) getGateway(r *request) (any, *apiError) {
	m := map[string]any{"url": "ws" + strings.TrimPrefix(a.base, "http") + "/gw"}
	if r.route.path != "gateway" {
		m["shards"] = a.gate.shards
		m["session_start_limit"] = map[string]any{"total": 1000, "remaining": 1000 - len(a.gate.begun), "reset_after": 14400000, "max_concurrency": 1}
	}
	return m, nil
}

// serveGate serves a connection to the gateway.
func (a *discordAPI) serveGate(w http.ResponseWriter, q *http.Request) {
	r := &request{route: &route{name: "gateway", path: "gw"}}
	if f := a.failing(r); f != nil && f.strikes(w, q) {
		return
	}
	up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	ws, err := up.Upgrade(w, q, nil)
	if err != nil {
		return
	}
	l := &link{ws: ws, version: q.URL.Query().Get("v"), wake: make(chan struct{}, 1), done: make(chan struct{})}
	l.watch = time.AfterFunc(heartbeat*3/2, func() { a.missed(l) })
	a.mu.Lock()
	a.gate.links = append(a.gate.links, l)
	if l.version != "9" && l.version != "10" {
		a.turnAway(l, 4012, "its version is %q", l.version)
	} else {
		l.write(frame{Op: 10, Data: encoded(map[string]any{"heartbeat_interval": heartbeat.Milliseconds()})})
	}
	a.mu.Unlock()
	go a.sendFrames(l)
	for {
		var raw []byte
		if _, raw, err = ws.ReadMessage(); err != nil {
			break
		}
		a.mu.Lock()
		a.heard(l, raw)
		a.mu.Unlock()
	}
	a.left(l, err)
}

// left ends a connection. Whoever closes it with 1000 or 1001 ends the session.
func (a *discordAPI) left(l *link, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	l.watch.Stop()
	close(l.done)
	_ = l.ws.Close()
	a.gate.links = slices.DeleteFunc(a.gate.links, func(o *link) bool { return o == l })
	if s := l.session; s != nil && s.link == l {
		s.link = nil
		var closed *websocket.CloseError
		s.dead = s.dead || s.lost
		if errors.As(err, &closed) && (closed.Code == websocket.CloseNormalClosure || closed.Code == websocket.CloseGoingAway) {
			s.dead = true
		}
	}
}

// missed closes a connection that gives no sign of life.
func (a *discordAPI) missed(l *link) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.turnAway(l, 4009, "no sign of life for %v", heartbeat*3/2)
}

// turnAway closes a connection for a fault. The lock is held.
func (a *discordAPI) turnAway(l *link, code int, format string, args ...any) {
	a.faultf("gateway: "+format, args...)
	l.write(frame{code: code})
}

// heard obeys what the bot sent. The lock is held.
func (a *discordAPI) heard(l *link, raw []byte) {
	var p struct {
		Op   int
		Data json.RawMessage `json:"d"`
	}
	if err := json.Unmarshal(raw, &p); err != nil || len(raw) > 4096 {
		a.turnAway(l, 4002, "%d bytes, %v", len(raw), err)
		return
	}
	switch p.Op {
	case 1:
		l.watch.Reset(heartbeat * 3 / 2)
		if !a.gate.deaf {
			l.write(frame{Op: 11})
		}
	case 2:
		a.identified(l, p.Data)
	case 3:
		if l.session == nil {
			a.turnAway(l, 4003, "it says what it does before who it is")
		}
	case 6:
		a.resumed(l, p.Data)
	default:
		a.turnAway(l, 4001, "nothing is done by op %d", p.Op)
	}
}

// mine tells whether a token is the bot's.
func (a *discordAPI) mine(token string) bool { return strings.TrimPrefix(token, "Bot ") == a.token }

// identified begins a session.
func (a *discordAPI) identified(l *link, raw json.RawMessage) {
	var who struct {
		Token   string
		Intents *int64
		Shard   *[2]int
	}
	err := json.Unmarshal(raw, &who)
	shard := [2]int{0, 1}
	if who.Shard != nil {
		shard = *who.Shard
	}
	now := time.Now()
	switch {
	case err != nil || who.Intents == nil:
		a.turnAway(l, 4002, "an identify without intents, %v", err)
	case l.session != nil:
		a.turnAway(l, 4005, "it identifies twice")
	case !a.mine(who.Token):
		a.turnAway(l, 4004, "the token is wrong")
	case *who.Intents&privileged != 0:
		a.turnAway(l, 4014, "the intents %#x have privileged ones", *who.Intents)
	case shard[1] < 1 || shard[0] < 0 || shard[0] >= shard[1]:
		a.turnAway(l, 4010, "there is no shard %v", shard)
	case now.Sub(a.gate.accepted) < identify:
		a.gate.begun = append(a.gate.begun, now)
		if now.Sub(a.gate.early) < identify && !a.gate.storming {
			a.gate.storming = true
			a.faultf("gateway: it identifies again and again, %v after the last time", now.Sub(a.gate.early))
		}
		a.gate.early = now
		l.write(frame{Op: 9, Data: encoded(false)})
	default:
		if *who.Intents&^intentGuilds != 0 {
			a.faultf("gateway: the intents %#x bring what isn't needed", *who.Intents)
		}
		a.gate.begun = append(a.gate.begun, now)
		a.gate.accepted, a.gate.storming = now, false
		a.begin(l, shard, *who.Intents)
	}
}

// begin tells a new session who the bot is and where. The lock is held.
func (a *discordAPI) begin(l *link, shard [2]int, intents int64) {
	s := &session{id: a.newID(), shard: shard, intents: intents, link: l}
	l.session = s
	a.gate.sessions = append(a.gate.sessions, s)
	var here []*guild
	off := []any{}
	for _, id := range slices.Sorted(maps.Keys(a.guilds)) {
		if g := a.guilds[id]; !g.gone && onShard(id, shard) {
			here = append(here, g)
			off = append(off, map[string]any{"id": id, "unavailable": true})
		}
	}
	version, _ := strconv.Atoi(l.version)
	s.tell("READY", encoded(map[string]any{
		"v": version, "user": a.self.json(), "guilds": off, "session_id": s.id, "resume_gateway_url": "ws" + strings.TrimPrefix(a.base, "http") + "/gw",
		"shard": shard, "private_channels": []any{}, "application": map[string]any{"id": a.self.ID, "flags": 0}, "session_type": "normal",
	}), nil)
	for _, g := range here {
		if intents&intentGuilds != 0 {
			s.tell("GUILD_CREATE", encoded(g.json(a)), nil)
		}
	}
}

// resumed goes on with a session, and tells what was missed.
func (a *discordAPI) resumed(l *link, raw json.RawMessage) {
	var who struct {
		Token   string
		Session string `json:"session_id"`
		Seq     *int
	}
	err := json.Unmarshal(raw, &who)
	i := slices.IndexFunc(a.gate.sessions, func(s *session) bool { return s.id == who.Session && !s.dead && !s.lost })
	switch {
	case err != nil || who.Seq == nil || l.session != nil:
		a.turnAway(l, 4002, "a resume without a seq, or the second one: %v", err)
	case !a.mine(who.Token):
		a.turnAway(l, 4004, "the token is wrong")
	case i < 0:
		l.write(frame{Op: 9, Data: encoded(false)})
	case *who.Seq > len(a.gate.sessions[i].sent):
		a.turnAway(l, 4007, "it goes on from %d, and was told %d things", *who.Seq, len(a.gate.sessions[i].sent))
	default:
		s := a.gate.sessions[i]
		s.link, l.session = l, s
		for _, f := range s.sent[*who.Seq:] {
			l.write(f)
		}
		s.tell("RESUMED", encoded(map[string]any{}), nil)
	}
}

// tell puts an event into a session, and sends it if that is connected.
func (s *session) tell(kind string, data json.RawMessage, about *interaction) {
	seq := len(s.sent) + 1
	f := frame{Data: data, Seq: &seq, Kind: &kind, about: about}
	s.sent = append(s.sent, f)
	if s.link != nil {
		s.link.write(f)
	}
}

// tell tells the bot of something that happened in a server, or in a private
// chat if there is none, if it wants to know. The lock is held.
func (a *discordAPI) tell(kind, guild string, intent int64, body any) {
	a.tellAbout(kind, guild, intent, body, nil)
}

func (a *discordAPI) tellAbout(kind, guild string, intent int64, body any, about *interaction) {
	data := encoded(body)
	deliver := func() {
		for _, s := range a.gate.sessions {
			if !s.dead && onShard(guild, s.shard) && (intent == 0 || s.intents&intent != 0) {
				s.tell(kind, data, about)
			}
		}
	}
	if about != nil {
		a.gate.last = deliver
	}
	if a.gate.held {
		a.gate.later = append(a.gate.later, deliver)
		return
	}
	deliver()
}

// again delivers the last interaction once more.
func (a *discordAPI) again() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gate.last != nil {
		a.gate.last()
	}
}

// hold keeps back what happens until release, so that it comes together.
func (a *discordAPI) hold() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gate.held = true
}

func (a *discordAPI) release() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, deliver := range a.gate.later {
		deliver()
	}
	a.gate.held, a.gate.later = false, nil
}

// ready tells whether the bot is connected with all its shards.
func (a *discordAPI) ready() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	connected, all := map[int]bool{}, 1
	for _, s := range a.gate.sessions {
		if s.link != nil && !s.dead {
			connected[s.shard[0]] = true
			all = s.shard[1]
		}
	}
	return len(connected) == all
}

// identifies returns how often the bot began a session, or tried to.
func (a *discordAPI) identifies() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.gate.begun)
}

// cut breaks the connections to the gateway, drop all that there are. What was
// to be answered can't be.
func (a *discordAPI) cut() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, in := range a.interactions {
		in.hindered = in.hindered || in.answered == 0
	}
	for _, l := range a.gate.links {
		_ = l.ws.NetConn().Close()
	}
}

func (a *discordAPI) drop() {
	a.cut()
	a.mu.Lock()
	defer a.mu.Unlock()
	for c := range a.conns {
		_ = c.Close()
	}
	clear(a.conns)
}

// order sends all connections a frame: op 7 lets the bot connect anew, op 1
// wants a sign of life.
func (a *discordAPI) order(f frame) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, l := range a.gate.links {
		l.write(f)
	}
}

// invalidate tells all sessions that they aren't good any more, which they may
// be all the same if they can be resumed.
func (a *discordAPI) invalidate(resumable bool) {
	if !resumable {
		a.forget()
		a.mu.Lock()
		for _, s := range a.gate.sessions {
			s.dead = true
		}
		a.mu.Unlock()
	}
	a.order(frame{Op: 9, Data: encoded(resumable)})
}

// forget makes all later resumes fail, as after a long outage.
func (a *discordAPI) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.gate.sessions {
		s.lost, s.dead = true, s.dead || s.link == nil
	}
}

// setDeaf acknowledges no more signs of life, or does again.
func (a *discordAPI) setDeaf(deaf bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gate.deaf = deaf
}
