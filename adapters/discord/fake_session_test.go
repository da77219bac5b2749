package discord_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
)

// player plays a bot on the gateway that does what a test wants.
type player struct {
	t  *testing.T
	ws *websocket.Conn
}

// connect opens a connection to the gateway, and closes it with the test.
func (w *world) connect(t *testing.T) *player {
	t.Helper()
	dialer := websocket.Dialer{NetDialContext: w.Dial}
	ws, answer, err := dialer.DialContext(t.Context(), "ws://discord.test/gw?v=10&encoding=json", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	t.Cleanup(func() { _ = ws.Close() })
	p := &player{t, ws}
	if f, code := p.next(""); f.Op != 10 {
		t.Fatalf("no hello: %+v, %d", f, code)
	}
	return p
}

// send writes a payload, with ' for ".
func (p *player) send(op int, data string) {
	p.t.Helper()
	raw := fmt.Sprintf(`{"op": %d, "d": %s}`, op, strings.ReplaceAll(data, "'", `"`))
	if err := p.ws.WriteMessage(websocket.TextMessage, []byte(raw)); err != nil {
		p.t.Fatal(err)
	}
}

// next returns the next frame, or the next event of a kind, or the code that the
// connection was closed with.
func (p *player) next(kind string) (frame, int) {
	p.t.Helper()
	for {
		var f frame
		var closed *websocket.CloseError
		if err := p.ws.ReadJSON(&f); errors.As(err, &closed) {
			return frame{}, closed.Code
		} else if err != nil {
			return frame{}, -1
		}
		if kind == "" || f.Kind != nil && *f.Kind == kind {
			return f, 0
		}
	}
}

// identify begins a session, or tries to.
func (p *player) identify(w *world, more string) {
	p.t.Helper()
	p.send(2, "{'token': '"+w.token+"', 'properties': {}, 'intents': 1"+more+"}")
}

func TestWrongSessionsAreTurnedAway(t *testing.T) {
	for _, c := range []struct {
		op          int
		data, fault string
		code        int
	}{
		{2, "{'token': 'x', 'intents': 1}", "token is wrong", 4004},
		{2, "{'token': 'MTAw.made.up', 'intents': 32769}", "privileged", 4014},
		{2, "{'token': 'MTAw.made.up', 'intents': 1, 'shard': [2, 2]}", "no shard", 4010},
		{2, "{'token': 'MTAw.made.up'}", "without intents", 4002},
		{6, "{'token': 'x', 'session_id': 'x', 'seq': 1}", "token is wrong", 4004},
		{6, "{'token': 'x', 'session_id': 'x'}", "without a seq", 4002},
		{3, "{}", "before who it is", 4003},
		{12, "{}", "by op 12", 4001},
		{1, "'" + strings.Repeat("x", 4096) + "'", "bytes", 4002},
	} {
		w := newWorld(t)
		p := w.connect(t)
		p.send(c.op, c.data)
		if f, code := p.next(""); code != c.code {
			t.Errorf("%d %s: %+v, %d", c.op, c.data, f, code)
		}
		w.caught(t, c.fault)
	}
}

func TestSessionsGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.leftover("", "old")
		p := w.connect(t)
		p.identify(w, "")
		f, _ := p.next("READY")
		var ready struct {
			Session string `json:"session_id"`
			Guilds  []any
		}
		if err := json.Unmarshal(f.Data, &ready); err != nil || len(ready.Guilds) != 1 {
			t.Fatalf("%s, %v", f.Data, err)
		}
		again := w.connect(t)
		again.identify(w, "")
		if f, _ := again.next(""); f.Op != 9 || string(f.Data) != "false" || len(w.faults()) > 0 {
			t.Errorf("a second session at once: %+v, %q", f, w.faults())
		}
		again.identify(w, "")
		if f, _ = again.next(""); f.Op != 9 {
			t.Errorf("a third: %+v", f)
		}
		w.caught(t, "again and again")
		p.next("GUILD_CREATE")
		w.cut()
		if _, code := p.next(""); code != websocket.CloseAbnormalClosure {
			t.Errorf("a cut connection: %d", code)
		}
		if err := w.slash(w.hall, w.ann, typing{words: []string{"old"}}); err != nil {
			t.Fatal(err)
		}
		p = w.connect(t)
		p.send(6, "{'token': '"+w.token+"', 'session_id': '"+ready.Session+"', 'seq': 2}")
		if f, _ := p.next("INTERACTION_CREATE"); !strings.Contains(string(f.Data), `"name":"old"`) {
			t.Errorf("what was missed: %s", f.Data)
		}
		p.next("RESUMED")
		w.forget()
		w.cut()
		p = w.connect(t)
		p.send(6, "{'token': '"+w.token+"', 'session_id': '"+ready.Session+"', 'seq': 2}")
		if f, _ := p.next(""); f.Op != 9 {
			t.Errorf("a forgotten session: %+v", f)
		}
		p.send(1, "null")
		if f, _ := p.next(""); f.Op != 11 {
			t.Errorf("a sign of life: %+v", f)
		}
		if _, code := p.next(""); code != 4009 {
			t.Errorf("no signs of life: %d", code)
		}
		w.caught(t, "no sign of life")
		if w.identifies() != 3 || w.ready() {
			t.Error(w.identifies(), w.ready())
		}
	})
}

func TestShardsAreToldWhatIsTheirs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.leftover("", "old")
		shards := make([]*player, 2)
		for i := range shards {
			shards[i] = w.connect(t)
			shards[i].identify(w, fmt.Sprintf(", 'shard': [%d, 2]", i))
			shards[i].next("READY")
			time.Sleep(identify)
		}
		theirs := 0
		if onShard(w.guild.id, [2]int{1, 2}) {
			theirs = 1
		}
		for _, c := range []struct {
			c  *channel
			to int
		}{{w.hall, theirs}, {w.direct(w.ann), 0}} {
			if err := w.slash(c.c, w.ann, typing{words: []string{"old"}}); err != nil {
				t.Fatal(err)
			}
			if f, _ := shards[c.to].next("INTERACTION_CREATE"); strings.Contains(string(f.Data), `"guild_id"`) != (c.c == w.hall) {
				t.Errorf("%s", f.Data)
			}
		}
		time.Sleep(patience + time.Second)
		w.caught(t, "/old of ann wasn't answered")
		w.forgive("")
	})
}

// asked is an interaction as the bot is told of it.
func (p *player) asked() (id, token string) {
	p.t.Helper()
	f, _ := p.next("INTERACTION_CREATE")
	var in struct{ ID, Token string }
	if err := json.Unmarshal(f.Data, &in); err != nil {
		p.t.Fatal(err)
	}
	return in.ID, in.Token
}

func TestAnswersAreGivenOnceAndInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.leftover("", "old")
		p := w.connect(t)
		p.identify(w, "")
		p.next("READY") // nobody is told of anything before
		token := ""
		answer := func(body string) reply {
			t.Helper()
			if err := w.slash(w.hall, w.ann, typing{words: []string{"old"}}); err != nil {
				t.Fatal(err)
			}
			id, its := p.asked()
			token = its
			return w.ask(t, "POST", "interactions/"+id+"/"+its+"/callback", body)
		}
		for fault, body := range map[string]string{
			"an answer of type 7":         "{'type': 7, 'data': {}}",
			"an answer of type 8":         "{'type': 8, 'data': {'choices': []}}",
			"data.content means nothing":  "{'type': 5, 'data': {'content': 'x'}}",
			"with the flags 0x1000":       "{'type': 5, 'data': {'flags': 4096}}",
			"shows nothing":               "{'type': 4, 'data': {}}",
			"data.shout isn't known":      "{'type': 4, 'data': {'shout': true}}",
			"allowed_mentions is missing": "{'type': 4, 'data': {'content': 'x'}}",
		} {
			answer(body)
			w.caught(t, fault)
			time.Sleep(4 * time.Second)
			w.forgive("wasn't answered")
		}
		answer("{'type': 5, 'data': {'flags': 64}}")
		w.ask(t, "POST", "webhooks/APP/"+token, "{'content': 'x', 'allowed_mentions': {'parse': []}}")
		w.caught(t, "@original does that")
		first := w.ask(t, "GET", "webhooks/APP/"+token+"/messages/@original", "")
		if w.ask(t, "PATCH", "channels/HALL/messages/"+first.ID, "{'content': 'y', 'allowed_mentions': {'parse': []}}"); first.Content != "x" {
			t.Errorf("%+v", first)
		}
		w.caught(t, "only ann sees the message")
		answer("{'type': 5}")
		id := w.interactions[len(w.interactions)-1].id
		if r := w.ask(t, "POST", "interactions/"+id+"/"+token+"/callback", "{'type': 5}"); r.Code != 40060 {
			t.Errorf("%+v", r)
		}
		w.caught(t, "/old of ann was answered before")
		last := &unheard{TB: t}
		w.check(last)
		if !strings.Contains(last.heard, "/old of ann is still being thought about") {
			t.Errorf("heard %q", last.heard)
		}
		time.Sleep(16 * time.Minute)
		if r := w.ask(t, "GET", "webhooks/APP/"+token+"/messages/@original", ""); r.Code != 50027 {
			t.Errorf("%+v", r)
		}
		w.forgive("")
	})
}

// unheard is a test whose failures are kept.
type unheard struct {
	testing.TB
	heard string
}

// Helper does nothing.
func (u *unheard) Helper() {}

// Error keeps what would have failed the test.
func (u *unheard) Error(all ...any) { u.heard += fmt.Sprintln(all...) }
