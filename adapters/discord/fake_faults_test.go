package discord_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
)

// world is a server with a hall, a thread of it and two people, and a bot that
// sends what a test wants it to.
type world struct {
	*discordAPI
	client       *http.Client
	guild        *guild
	hall, thread *channel
	ann, ben     *user
}

func newWorld(t *testing.T) *world {
	a := newDiscordAPI(t)
	w := &world{discordAPI: a, guild: a.addGuild("900000000000000001", "Club")}
	w.client = &http.Client{Transport: &http.Transport{DialContext: a.Dial}}
	t.Cleanup(w.client.CloseIdleConnections)
	w.hall = a.addChannel(channel{id: "300000000000000001", name: "hall", guild: w.guild})
	w.thread = a.addChannel(channel{id: "300000000000000002", name: "thread", kind: thread, parent: w.hall, guild: w.guild})
	w.ann = a.addUser(user{ID: "200000000000000011", Username: "ann"})
	w.ben = a.addUser(user{ID: "200000000000000012", Username: "ben"})
	return w
}

// reply is what a call was answered with.
type reply struct {
	Status  int `json:"-"`
	header  http.Header
	ID      string
	Code    int
	Message string
	After   float64 `json:"retry_after"`
	Content string
	body    string
}

// ask makes a call. Bodies are written with ' for ", and HALL, THREAD and APP for
// what they stand for, as paths are.
func (w *world) ask(t *testing.T, method, path, body string) reply {
	t.Helper()
	return w.post(t, method, path, "application/json", strings.NewReader(w.spell(body)))
}

func (w *world) spell(s string) string {
	return strings.NewReplacer("'", `"`, "HALL", w.hall.id, "THREAD", w.thread.id, "APP", w.self.ID, "ANN", w.ann.ID).Replace(s)
}

func (w *world) post(t *testing.T, method, path, kind string, body io.Reader) reply {
	t.Helper()
	q, err := http.NewRequestWithContext(context.Background(), method, w.url()+"/api/v10/"+w.spell(path), body)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bot "+w.token)
	q.Header.Set("User-Agent", "DiscordBot (https://example.org, 1.0)")
	if s, ok := body.(*strings.Reader); !ok || s.Len() > 0 {
		q.Header.Set("Content-Type", kind)
	}
	answer, err := w.client.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	r := reply{Status: answer.StatusCode, header: answer.Header, body: string(raw)}
	_ = json.Unmarshal(raw, &r)
	return r
}

// caught fails a test unless there is a fault with a text, and forgives it.
func (w *world) caught(t *testing.T, text string) {
	t.Helper()
	if !w.forgive(text) {
		t.Errorf("no fault has %q; there are %q", text, w.faults())
	}
}

func TestWrongRequestsAreCaught(t *testing.T) {
	const (
		quiet = ", 'allowed_mentions': {'parse': []}"
		say   = "'content': 'x'" + quiet
	)
	with := func(button string) string {
		return "{" + say + ", 'components': [{'type': 1, 'components': [{'type': 2, " + button + "}]}]}"
	}
	row := "{'type': 1, 'components': [{'type': 2, 'style': 1, 'label': 'a', 'custom_id': 'a'}]}"
	for _, c := range []struct {
		method, path, body, fault string
		code                      int
	}{
		{"GET", "channels/HALL/pins", "", "no such route", 0},
		{"GET", "channels/HALL", "{}", "takes no body", 50109},
		{"POST", "channels/HALL/messages", "{", "unexpected EOF", 50109},
		{"POST", "channels/HALL/messages", "{'text': 'x'}", "text isn't known", 50035},
		{"POST", "channels/HALL/messages", "{'content': 7}", "content is no str", 50035},
		{"POST", "channels/HALL/messages", "{'content': 'x'}", "allowed_mentions is missing", 0},
		{"POST", "channels/HALL/messages", "{'content': ' '" + quiet + "}", "shows nothing", 50006},
		{"POST", "channels/HALL/messages", "{'content': '" + strings.Repeat("é", 2001) + "'" + quiet + "}", "2001 characters", 50035},
		{"POST", "channels/HALL/messages", "{" + say + ", 'flags': 64}", "0x40", 50035},
		{"POST", "channels/HALL/messages", "{" + say + ", 'nonce': '12345678901234567890123456'}", "nonce has 26", 50035},
		{"POST", "channels/HALL/messages", "{'content': 'x', 'allowed_mentions': {'parse': ['users'], 'users': ['ANN']}}", "exclude each other", 50035},
		{"POST", "channels/HALL/messages", "{'content': '@everyone', 'allowed_mentions': {'parse': ['everyone']}}", "everyone] is notified", 0},
		{"POST", "channels/HALL/messages", "{'embeds': [{'description': '" + strings.Repeat("x", 4097) + "'}]}", "4097", 50035},
		{"POST", "channels/HALL/messages", "{'embeds': [{'color': 1}]}", "shows nothing", 50035},
		{"POST", "channels/HALL/messages", with("'style': 1, 'label': 'a'"), "custom_id is missing", 50035},
		{"POST", "channels/HALL/messages", with("'style': 5, 'label': 'a', 'url': 'https://x.org', 'custom_id': 'a'"), "url is missing, or", 50035},
		{"POST", "channels/HALL/messages", with("'style': 1, 'label': ' ', 'custom_id': 'a'"), "label is empty", 50035},
		{"POST", "channels/HALL/messages", with("'style': 1, 'label': '" + strings.Repeat("W", 81) + "', 'custom_id': 'a'"), "label has 81", 50035},
		{"POST", "channels/HALL/messages", with("'style': 1, 'label': 'a', 'custom_id': '" + strings.Repeat("W", 101) + "'"), "custom_id has 101", 50035},
		{"POST", "channels/HALL/messages", "{" + say + ", 'components': [" + row + "," + row + "]}", "used twice", 50035},
		{"POST", "channels/HALL/messages", "{" + say + ", 'components': [" + strings.TrimSuffix(strings.Repeat(row+",", 6), ",") + "]}", "6 rows", 50035},
		{"POST", "channels/HALL/messages", "{" + say + ", 'components': [{'type': 3}]}", "type 3", 50035},
		{"POST", "channels/HALL/messages", "{" + say + ", 'attachments': [{'id': '0'}]}", "neither a file sent along", 50035},
		{"POST", "channels/399999999999999999/messages", "{" + say + "}", "never was", 10003},
		{"PATCH", "channels/HALL/messages/399999999999999999", "{" + say + "}", "never was", 10008},
		{"POST", "interactions/1/x/callback", "{'type': 5}", "no such interaction", 10062},
		{"POST", "webhooks/APP/x", "{" + say + "}", "no interaction with this token", 10015},
		{"GET", "applications/1/commands", "", "isn't this one", 20012},
		{"PUT", "applications/APP/commands", "[{'name': 'Roll', 'description': 'x'}]", "can't be the name", 50035},
		{"PUT", "applications/APP/commands", "[{'name': 'roll', 'description': ''}]", "description is missing", 50035},
		{"PUT", "applications/APP/commands", "[{'name': 'a', 'description': 'x', 'options': [{'type': 3, 'name': 'b', 'description': 'x'}, {'type': 3, 'name': 'c', 'description': 'x', 'required': true}]}]", "behind one that isn't", 50035},
		{"PUT", "applications/APP/commands", "[{'name': 'a', 'description': 'x', 'options': [{'type': 3, 'name': 'b', 'description': 'x', 'autocomplete': true, 'choices': [{'name': 'a', 'value': 'a'}]}]}]", "or both", 50035},
		{"PUT", "applications/APP/commands", "[{'name': 'a', 'description': 'x', 'name_localizations': {'en': 'a'}}]", "language", 50035},
		{"GET", "guilds/900000000000000009/members/ANN", "", "never was", 10004},
	} {
		w := newWorld(t)
		r := w.ask(t, c.method, c.path, c.body)
		if (c.code != 0 || c.path == "channels/HALL/pins") == (r.Status < 300) || r.Code != c.code {
			t.Errorf("%s %s %.90s: %d %s", c.method, c.path, c.body, r.Status, r.body)
		}
		w.caught(t, c.fault)
		w.forgive("")
	}
}

// formOf returns a multipart body with one file.
func formOf(t *testing.T, payload, field, name string, data []byte) (kind string, body io.Reader) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	err := w.WriteField("payload_json", payload)
	if err == nil && name != "" {
		var part io.Writer
		if part, err = w.CreateFormFile(field, name); err == nil {
			_, err = part.Write(data)
		}
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), &b
}

func TestFilesAreLookedAt(t *testing.T) {
	w := newWorld(t)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewPaletted(image.Rect(0, 0, 40, 30), color.Palette{color.Black})); err != nil {
		t.Fatal(err)
	}
	call := func(method, path, payload, field, name string, data []byte) reply {
		t.Helper()
		kind, body := formOf(t, w.spell(payload), field, name, data)
		return w.post(t, method, path, kind, body)
	}
	for fault, c := range map[string]struct {
		payload, field, name string
		data                 []byte
	}{
		"is no png":             {"{}", "files[0]", "a.png", []byte("x")},
		"is a jpg":              {"{}", "files[0]", "a.jpg", picture.Bytes()},
		"has 0 bytes":           {"{}", "files[0]", "a.png", nil},
		"neither payload_json":  {"{}", "file", "a.png", picture.Bytes()},
		"description has 1025":  {"{'attachments': [{'id': 0, 'description': '" + strings.Repeat("x", 1025) + "'}]}", "files[0]", "a.png", picture.Bytes()},
		"doesn't list files[0]": {"{'attachments': []}", "files[0]", "a.png", picture.Bytes()},
		"which isn't attached":  {"{'embeds': [{'image': {'url': 'attachment://b.png'}}]}", "files[0]", "a.png", picture.Bytes()},
	} {
		if r := call("POST", "channels/HALL/messages", c.payload, c.field, c.name, c.data); r.Status != http.StatusBadRequest {
			t.Errorf("%s: %+v", fault, r)
		}
		w.caught(t, fault)
		clear(w.limits)
	}
	sent := call("POST", "channels/HALL/messages", "{'attachments': [{'id': '0', 'description': 'a board'}]}", "files[0]", "a.png", picture.Bytes())
	call("PATCH", "channels/HALL/messages/"+sent.ID, "{}", "files[0]", "b.png", picture.Bytes())
	w.caught(t, "is added to the 1 files")
	call("PATCH", "channels/HALL/messages/"+sent.ID, "{'attachments': [{'id': '0', 'description': 'another'}]}", "files[0]", "b.png", picture.Bytes())
	all := w.messages(w.hall, nil)
	if len(all) != 1 || len(all[0].attachments) != 1 || all[0].attachments[0].description != "another" || all[0].attachments[0].width != 40 {
		t.Errorf("%+v", all)
	}
	r := w.ask(t, "PATCH", "channels/HALL/messages/"+sent.ID, "{'attachments': []}")
	w.caught(t, "shows nothing")
	if r.Code != 50006 {
		t.Errorf("%+v", r)
	}
	kept := all[0].attachments[0]
	for _, c := range []struct{ url, fault string }{{kept.url, ""}, {strings.Split(kept.url, "?")[0], "without the signature"}} {
		answer, err := w.client.Get(c.url)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if c.fault != "" {
			w.caught(t, c.fault)
		} else if answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", c.url, answer.StatusCode)
		}
	}
}

func TestRightsAndThreadsCount(t *testing.T) {
	w := newWorld(t)
	const say = "{'content': '<@ANN>', 'allowed_mentions': {'users': ['ANN']}}"
	first := w.ask(t, "POST", "channels/THREAD/messages", say)
	w.setThread(w.thread, true, false)
	if r := w.ask(t, "PATCH", "channels/THREAD/messages/"+first.ID, say); r.Code != 50083 {
		t.Errorf("an edit in an archived thread: %+v", r)
	}
	if w.ask(t, "POST", "channels/THREAD/messages", say); w.thread.archived {
		t.Error("writing doesn't open a thread")
	}
	w.setThread(w.thread, true, true)
	if r := w.ask(t, "POST", "channels/THREAD/messages", say); r.Code != 50083 {
		t.Errorf("writing in a locked thread: %+v", r)
	}
	w.setRights(w.hall, usual&^sendMessages)
	if r := w.ask(t, "POST", "channels/HALL/messages", say); r.Code != 50013 {
		t.Errorf("without the right to write: %+v", r)
	}
	w.ask(t, "POST", "channels/HALL/messages", say)
	w.caught(t, "right after it was forbidden")
	w.setRights(w.hall, 0)
	if r := w.ask(t, "GET", "channels/HALL", ""); r.Code != 50001 {
		t.Errorf("without the right to see: %+v", r)
	}
	w.remove(w.thread, first.ID)
	w.setRights(w.hall, usual)
	if r := w.ask(t, "PATCH", "channels/THREAD/messages/"+first.ID, say); r.Code != 10008 {
		t.Errorf("a deleted message: %+v", r)
	}
	if e := w.seen(0)[0]; e.kind != "send" || !slices.Equal(e.calls, []string{w.ann.ID}) || e.message.number != 1 {
		t.Errorf("%+v", e)
	}
}

func TestTooMuchIsHeldBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		send := func() reply {
			return w.ask(t, "POST", "channels/HALL/messages", "{'content': 'x', 'allowed_mentions': {'parse': []}, 'nonce': 'n', 'enforce_nonce': true}")
		}
		first := send()
		for range 4 {
			if r := send(); r.ID != first.ID {
				t.Errorf("the same nonce: %+v", r)
			}
		}
		if r := send(); r.Status != http.StatusTooManyRequests || r.After != 5 || r.header.Get("X-RateLimit-Remaining") != "0" || len(w.faults()) > 0 {
			t.Errorf("the sixth at once: %+v, %q", r, w.faults())
		}
		time.Sleep(4 * time.Second)
		send()
		w.caught(t, "before retry_after was over")
		time.Sleep(time.Second)
		for range 5 {
			send()
		}
		time.Sleep(time.Second)
		send()
		w.caught(t, "although the headers said")
		time.Sleep(5 * time.Minute)
		if r := send(); r.ID == first.ID {
			t.Error("a nonce is known for ever")
		}
		w.fail("", 1, failure{status: http.StatusTooManyRequests, after: 1500 * time.Millisecond, global: true})
		if r := w.ask(t, "GET", "users/@me", ""); r.After != 1.5 || r.header.Get("X-RateLimit-Global") != "true" {
			t.Errorf("%+v", r)
		}
		w.ask(t, "GET", "channels/HALL", "")
		w.caught(t, "1.5s before")
	})
}

func TestServesSocketsToo(t *testing.T) {
	w := newWorld(t)
	var c net.ListenConfig
	l, err := c.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.serve(l)
	w.client = &http.Client{}
	if r := w.ask(t, "GET", "users/@me", ""); r.ID != w.self.ID {
		t.Errorf("%+v", r)
	}
	var gateway struct{ URL string }
	if err := json.Unmarshal([]byte(w.ask(t, "GET", "gateway/bot", "").body), &gateway); err != nil {
		t.Fatal(err)
	}
	ws, answer, err := websocket.DefaultDialer.DialContext(t.Context(), gateway.URL+"?v=10", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	defer func() { _ = ws.Close() }()
	var hello frame
	if err := ws.ReadJSON(&hello); err != nil || hello.Op != 10 || !strings.Contains(string(hello.Data), fmt.Sprint(heartbeat.Milliseconds())) {
		t.Errorf("%+v, %v", hello, err)
	}
}
