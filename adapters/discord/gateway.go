package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"hiss/adapters/queue"
)

// The operations of the gateway that are used, of Discord's documentation.
const (
	opDispatch  = 0
	opHeartbeat = 1
	opIdentify  = 2
	opResume    = 6
	opReconnect = 7
	opInvalid   = 9
	opHello     = 10
	opAck       = 11
)

// resumable is the code that a connection is closed with whose session goes on:
// 1000 and 1001 would end it.
const resumable = 4000

// How long the gateway may take to greet, how long until the session is there,
// and how large what it sends may be, in bytes.
const (
	helloLimit = 15 * time.Second
	readyLimit = 30 * time.Second
	maxFrame   = 32 << 20
)

// payload is one message of the gateway.
type payload struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  *int64          `json:"s,omitempty"`
	Type string          `json:"t,omitempty"`
}

// session is what a broken connection is resumed by.
type session struct {
	id  string
	url string
	seq int64
}

// events is told what happens. It is called by one goroutine a shard, and must
// not wait.
type events interface {
	ready(*discordgo.Ready)
	interaction(json.RawMessage)
	removed(guild string)
	joined(guild string)
	deleted(channel string)
}

// link is one connection to the gateway.
type link struct {
	conn   *websocket.Conn
	events events
	s      *session
	ready  func() // called when the session is there, new or resumed
	heard  *queue.Contact
	every  time.Duration // how often there's a heartbeat
	there  bool          // the session is

	write sync.Mutex // one message is written at a time
	mu    sync.Mutex
	seq   int64
	acked bool
}

// lost is why a connection ended.
type lost struct {
	code   int  // that it was closed with, 0 if it broke
	resume bool // the session may go on
	err    error
}

func (l *lost) Error() string {
	if l.code == 0 {
		return fmt.Sprintf("the gateway: %v", l.err)
	}
	return fmt.Sprintf("the gateway closed (%d): %v", l.code, l.err)
}

// fatal are codes that it's of no use to come back after, with what to do.
var fatal = map[int]string{
	4004: "Discord doesn't know HISS_DISCORD_TOKEN; copy it again from the developer portal",
	4010: "HISS_DISCORD_SHARDS doesn't fit what Discord wants; leave it empty",
	4011: "the bot is in too many servers for so few shards; leave HISS_DISCORD_SHARDS empty",
	4012: "Discord doesn't speak this version of the gateway any more; a newer Hiss is needed",
	4013: "Discord refuses the intents; a newer Hiss is needed",
	4014: "Discord refuses the intents; a newer Hiss is needed",
}

// open opens a connection. It is given up when ctx ends, also while the other
// side says nothing.
func (d *Discord) open(ctx context.Context, address string) (*websocket.Conn, error) {
	dial := d.dial
	dialer := websocket.Dialer{HandshakeTimeout: helloLimit}
	if dial == nil {
		dial, dialer.Proxy = (&net.Dialer{}).DialContext, http.ProxyFromEnvironment
	}
	given := func() bool { return true }
	dialer.NetDialContext = func(within context.Context, network, address string) (net.Conn, error) {
		c, err := dial(within, network, address)
		if err == nil {
			given = context.AfterFunc(ctx, func() { _ = c.Close() })
		}
		return c, err
	}
	conn, response, err := dialer.DialContext(ctx, address, nil)
	given()
	if response != nil && response.Body != nil {
		_ = response.Body.Close()
	}
	return conn, err
}

// connect opens a connection and serves it until it ends or ctx does.
func (d *Discord) connect(ctx context.Context, sh *shard) error {
	address := d.gateway()
	if sh.session.id != "" && sh.session.url != "" {
		address = sh.session.url
	}
	giveBack := func() {}
	if sh.session.id == "" {
		// Before there's a connection, which would be closed while it waits.
		turn, err := d.pace.take(ctx)
		if err != nil {
			return &lost{err: err}
		}
		giveBack = turn
	}
	defer giveBack()
	conn, err := d.open(ctx, address+"?v=10&encoding=json")
	if err != nil {
		sh.unreached(address == sh.session.url)
		return &lost{resume: true, err: err}
	}
	conn.SetReadLimit(maxFrame)
	l := &link{conn: conn, events: d, s: &sh.session, seq: sh.session.seq, acked: true, ready: sh.up, heard: &sh.heard}
	ctx, cancel := context.WithCancel(ctx)
	var beside sync.WaitGroup
	defer func() {
		cancel()
		_ = conn.Close()
		beside.Wait()
		sh.session.seq = l.seq
	}()
	beside.Go(func() { // a blocked read ends with the connection
		<-ctx.Done()
		l.close(resumable)
	})
	if l.every, err = l.hello(); err != nil {
		return err
	}
	if err := d.begin(sh, l); err != nil {
		return err
	}
	giveBack()
	beside.Go(func() { l.beat(ctx, l.every) })
	for {
		if err := l.next(); err != nil {
			return err
		}
	}
}

// hello waits for the gateway's greeting, and returns how often it wants a
// heartbeat.
func (l *link) hello() (time.Duration, error) {
	_ = l.conn.SetReadDeadline(time.Now().Add(helloLimit))
	p, err := l.read()
	if err != nil {
		return 0, err
	}
	var hello struct {
		Interval int64 `json:"heartbeat_interval"`
	}
	if p.Op != opHello || json.Unmarshal(p.Data, &hello) != nil || hello.Interval <= 0 {
		return 0, &lost{resume: true, err: errors.New("no greeting")}
	}
	// From now on the session has to come; then heartbeats tell.
	return time.Duration(hello.Interval) * time.Millisecond, l.conn.SetReadDeadline(time.Now().Add(readyLimit))
}

// begin begins a session, or resumes the one there was.
func (d *Discord) begin(sh *shard, l *link) error {
	if sh.session.id != "" {
		return l.send(opResume, map[string]any{"token": d.rest.token, "session_id": sh.session.id, "seq": l.seq})
	}
	l.seq = 0
	if err := d.pace.note(); err != nil {
		return &lost{err: err}
	}
	return l.send(opIdentify, map[string]any{
		"token":      d.rest.token,
		"intents":    discordgo.IntentsGuilds,
		"properties": map[string]string{"os": "linux", "browser": "hiss", "device": "hiss"},
		"shard":      [2]int{sh.number, sh.of},
	})
}

// beat sends heartbeats. A gateway that leaves two of them without an answer is
// dead, and the connection is closed so that the session can be resumed.
func (l *link) beat(ctx context.Context, interval time.Duration) {
	wait := time.Duration(rand.Float64() * float64(interval)) // as Discord wants it
	for missed := 0; pause(ctx, wait); wait = interval {
		l.mu.Lock()
		seq, acked := l.seq, l.acked
		l.acked = false
		l.mu.Unlock()
		if acked {
			missed = 0
		} else if missed++; missed == 2 {
			l.close(resumable)
			return
		}
		var last any
		if seq > 0 {
			last = seq
		}
		if l.send(opHeartbeat, last) != nil {
			l.close(resumable)
			return
		}
	}
}

// next takes in one message.
func (l *link) next() error {
	p, err := l.read()
	if err != nil {
		return err
	}
	switch p.Op {
	case opDispatch:
		if p.Seq != nil {
			l.mu.Lock()
			l.seq = *p.Seq
			l.mu.Unlock()
		}
		l.dispatch(p)
	case opHeartbeat:
		l.mu.Lock()
		seq := l.seq
		l.mu.Unlock()
		return l.send(opHeartbeat, seq)
	case opAck:
		l.mu.Lock()
		l.acked = true
		l.mu.Unlock()
		if l.there {
			l.heard.Heard(l.every)
		}
	case opReconnect:
		return &lost{resume: true, err: errors.New("Discord asked to reconnect")}
	case opInvalid:
		var resume bool
		_ = json.Unmarshal(p.Data, &resume)
		return &lost{code: opInvalid, resume: resume, err: errors.New("the session isn't valid any more")}
	}
	return nil
}

// dispatch tells an event.
func (l *link) dispatch(p payload) {
	var thing struct {
		ID          string `json:"id"`
		Unavailable bool   `json:"unavailable"`
	}
	switch p.Type {
	case "READY":
		var r struct {
			discordgo.Ready
			URL string `json:"resume_gateway_url"`
		}
		if json.Unmarshal(p.Data, &r) == nil && r.SessionID != "" {
			l.s.id, l.s.url = r.SessionID, r.URL
			l.events.ready(&r.Ready)
			l.begins()
		}
	case "RESUMED":
		l.begins()
	case "INTERACTION_CREATE":
		l.events.interaction(p.Data)
	case "GUILD_CREATE":
		if json.Unmarshal(p.Data, &thing) == nil && thing.ID != "" && !thing.Unavailable {
			l.events.joined(thing.ID)
		}
	case "GUILD_DELETE":
		if json.Unmarshal(p.Data, &thing) == nil && thing.ID != "" && !thing.Unavailable {
			l.events.removed(thing.ID)
		}
	case "CHANNEL_DELETE", "THREAD_DELETE":
		if json.Unmarshal(p.Data, &thing) == nil && thing.ID != "" {
			l.events.deleted(thing.ID)
		}
	}
}

// begins notes that the session is there, and what was missed has been told.
func (l *link) begins() {
	_ = l.conn.SetReadDeadline(time.Time{})
	l.there = true
	l.heard.Heard(l.every)
	l.ready()
}

// read reads one message, or returns why there's none.
func (l *link) read() (payload, error) {
	var p payload
	_, data, err := l.conn.ReadMessage()
	if err != nil {
		var closed *websocket.CloseError
		if errors.As(err, &closed) {
			// Of these codes Discord says that the session is over.
			over := closed.Code == 1000 || closed.Code == 1001 || closed.Code == 4007 || closed.Code == 4009 || closed.Code == 4003
			return p, &lost{code: closed.Code, resume: !over, err: errors.New(closed.Text)}
		}
		return p, &lost{resume: true, err: err}
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return p, &lost{resume: true, err: errors.New("a message that isn't JSON")}
	}
	return p, nil
}

// send writes one message.
func (l *link) send(op int, data any) error {
	l.write.Lock()
	defer l.write.Unlock()
	_ = l.conn.SetWriteDeadline(time.Now().Add(helloLimit))
	if err := l.conn.WriteJSON(map[string]any{"op": op, "d": data}); err != nil {
		return &lost{resume: true, err: errors.New("writing to the gateway")} // the message may hold the token
	}
	return nil
}

// close ends the connection with a code, without waiting for the other side.
func (l *link) close(code int) {
	l.write.Lock()
	defer l.write.Unlock()
	_ = l.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Second))
	_ = l.conn.Close()
}
