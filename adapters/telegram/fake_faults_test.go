package telegram_test

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
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// The world of the tests of the server itself.
const (
	ann, ben            = 11, 12
	group, forum, basic = -1001, -1002, -5
)

func newWorld(t testing.TB) *botAPI {
	a := newBotAPI(t)
	a.addUser(user{ID: ann, FirstName: "Ann", Username: "ann_of_here"})
	a.addUser(user{ID: ben, FirstName: "Ben"})
	a.addChat(chat{place: place{ID: ann, Type: "private"}})
	a.addChat(chat{place: place{ID: ben, Type: "private"}, unopened: true})
	a.addChat(chat{place: place{ID: group, Type: "supergroup", Title: "Group"}, admins: []int64{ann}})
	a.addChat(chat{place: place{ID: basic, Type: "group", Title: "Basic"}})
	a.addChat(chat{place: place{ID: forum, Type: "supergroup", Title: "Forum", IsForum: true}, topics: map[int]bool{7: true, 8: false}})
	return a
}

// reply is what the server answered.
type reply struct {
	status      int
	OK          bool            `json:"ok"`
	Result      json.RawMessage `json:"result"`
	Description string          `json:"description"`
	Parameters  struct {
		RetryAfter int   `json:"retry_after"`
		MigrateTo  int64 `json:"migrate_to_chat_id"`
	} `json:"parameters"`
}

// ask makes a call with a JSON body, which is given without its braces and with
// ' for ".
func ask(t *testing.T, a *botAPI, method, body string) reply {
	t.Helper()
	body = "{" + strings.ReplaceAll(body, "'", `"`) + "}"
	return post(t, a, method, "application/json", strings.NewReader(body))
}

func post(t *testing.T, a *botAPI, method, kind string, body io.Reader) reply {
	t.Helper()
	return postTo(t, a.Client(), a.url()+"/bot"+a.token+"/"+method, kind, body)
}

func postTo(t *testing.T, c *http.Client, url, kind string, body io.Reader) reply {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, body)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", kind)
	answer, err := c.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	r := reply{status: answer.StatusCode}
	if err := json.NewDecoder(answer.Body).Decode(&r); err != nil {
		t.Fatal(err)
	}
	return r
}

// sent is the id of a message that was sent by a call.
func (r reply) sent(t *testing.T) int {
	t.Helper()
	var m message
	if err := json.Unmarshal(r.Result, &m); err != nil || !r.OK {
		t.Fatalf("%+v, %v", r, err)
	}
	return m.ID
}

// caught fails a test unless there is a fault with a text, and forgives it.
func caught(t *testing.T, a *botAPI, text string) {
	t.Helper()
	if !a.forgive(text) {
		t.Errorf("no fault has %q; there are %q", text, a.faults())
	}
}

func TestWrongRequestsAreCaught(t *testing.T) {
	long := strings.Repeat("é", 4097)
	for _, c := range []struct{ method, body, fault, answer string }{
		{"sendMesage", "", "no such method", "Not Found"},
		{"sendMessage", "'chat_id': -1001", "text is missing", "Bad Request"},
		{"sendMessage", "'chat_id': -1001, 'text': 'x', 'reply_to_message_id': 1", "there is no reply_to_message_id", ""},
		{"sendMessage", "'chat_id': '-1001', 'text': 'x'", "chat_id is no chat", ""},
		{"sendMessage", "'chat_id': -1001, 'text': 7", "text is no str", ""},
		{"sendMessage", "'chat_id': -1001, 'text': 'x', 'entities': [{'type': 'bold', 'offset': 0}]", "entities[0].length is missing", ""},
		{"sendMessage", "'chat_id': -9, 'text': 'x'", "no chat -9", "chat not found"},
		{"sendMessage", "'chat_id': 12, 'text': 'x'", "nobody has written", "bot can't initiate conversation with a user"},
		{"sendMessage", "'chat_id': -1001, 'text': ' \\n'", "empty", "message text is empty"},
		{"sendMessage", "'chat_id': -1001, 'text': '" + long + "'", "4097 characters", "message is too long"},
		{"sendMessage", "'chat_id': -1001, 'text': '*x*', 'parse_mode': 'MarkdownV2'", "parse_mode", ""},
		{"sendMessage", "'chat_id': -1001, 'text': 'x', 'message_thread_id': 7", "has no topics", "message thread not found"},
		{"sendMessage", "'chat_id': -1002, 'text': 'x', 'message_thread_id': 9", "no topic 9", "message thread not found"},
		{"sendMessage", "'chat_id': -1001, 'text': 'x', 'reply_parameters': {'message_id': 99}", "99, which never was", "message to be replied not found"},
		{"sendMessage", markup("'text': 'a', 'callback_data': '" + strings.Repeat("é", 33) + "'"), "66 bytes", "BUTTON_DATA_INVALID"},
		{"sendMessage", markup("'text': ' ', 'callback_data': 'x'"), "without words", "non-empty"},
		{"sendMessage", markup("'text': 'a', 'copy_text': {'text': ''}"), "does nothing", "Text buttons are unallowed"},
		{"sendMessage", markup("'text': 'a', 'callback_data': 'x', 'url': 'https://t.me/x'"), "does 2 things", ""},
		{"sendMessage", markup("'text': 'a', 'url': 'javascript:x'"), "leads to", "Wrong HTTP URL"},
		{"sendMessage", markup("'text': 'a', 'callback_data': 'x', 'style': 'loud'"), "the style", ""},
		{"editMessageText", "'chat_id': -1001, 'message_id': 99, 'text': 'x'", "99 never was", "message to edit not found"},
		{"deleteMessage", "'chat_id': -1001, 'message_id': 99", "99 never was", "message to delete not found"},
		{"answerCallbackQuery", "'callback_query_id': '5'", "no press", "query is too old"},
		{"setMessageReaction", "'chat_id': -1001, 'message_id': 1, 'reaction': [{'type': 'emoji', 'emoji': '🦖'}]", "the reactions are", "REACTION_INVALID"},
		{"sendChatAction", "'chat_id': -1001, 'action': 'dancing'", "no action", "wrong parameter action"},
		{"setMyCommands", "'commands': [{'command': 'New-Game', 'description': 'x'}]", "can't be called", "BOT_COMMAND_INVALID"},
		{"setMyCommands", "'commands': [{'command': 'roll', 'description': ''}]", "0 characters", "BOT_COMMAND_DESCRIPTION_INVALID"},
		{"setMyCommands", "'commands': [], 'scope': {'type': 'everywhere'}", "the scope is", "BotCommandScope"},
		{"setMyCommands", "'commands': [], 'language_code': 'de-DE'", "de-DE", "LANG_CODE_INVALID"},
		{"setMyShortDescription", "'short_description': '" + long[:242] + "'", "121 characters", "ABOUT_TOO_LONG"},
		{"getUpdates", "'allowed_updates': ['messages']", `no updates "messages"`, ""},
		{"setWebhook", "'url': 'http://x.org/', 'secret_token': 'a'", "the URL is", "HTTPS"},
		{"setWebhook", "'url': 'https://x.org/', 'secret_token': 'a b'", "the secret is", "unallowed characters"},
		{"getFile", "'file_id': 'x'", "no file", "invalid file_id"},
		{"getChatMember", "'chat_id': -1001, 'user_id': 1087968824", "stands for many", ""},
		{"getChatAdministrators", "'chat_id': 11", "private", "no administrators"},
		{"sendPhoto", "'chat_id': -1001, 'photo': 'x'", "no file that this bot knows", "wrong file identifier"},
	} {
		a := newWorld(t)
		a.say(group, ann, "/start")
		r := ask(t, a, c.method, c.body)
		if c.answer != "" && (r.OK || !strings.Contains(r.Description, c.answer)) {
			t.Errorf("%s {%.80s}: %+v", c.method, c.body, r)
		}
		caught(t, a, c.fault)
	}
}

// markup is a message with one button.
func markup(button string) string {
	return "'chat_id': -1001, 'text': 'x', 'reply_markup': {'inline_keyboard': [[{" + button + "}]]}"
}

func TestWrongEntitiesAreCaught(t *testing.T) {
	a := newWorld(t)
	send := func(text string, entities ...entity) reply {
		body, err := json.Marshal(map[string]any{"chat_id": ann, "text": text, "entities": entities})
		if err != nil {
			t.Fatal(err)
		}
		return post(t, a, "sendMessage", "application/json", bytes.NewReader(body))
	}
	bold := func(offset, length int) entity { return entity{Type: "bold", Offset: offset, Length: length} }
	for _, c := range []struct {
		fault string
		all   []entity
	}{
		{"begins after the end", []entity{bold(4, 1)}},
		{"ends after the end", []entity{bold(0, 5)}},
		{"begins in a middle", []entity{bold(2, 2)}},
		{"ends in a middle", []entity{bold(0, 2)}},
		{"incorrect offset or length", []entity{bold(0, 0)}},
		{"overlap", []entity{bold(0, 3), {Type: "italic", Offset: 1, Length: 3}}},
		{"stands inside", []entity{{Type: "code", Length: 4}, bold(0, 1)}},
		{"no entity shout", []entity{{Type: "shout", Length: 1}}},
		{"leads to", []entity{{Type: "text_link", Length: 1, URL: "x"}}},
		{"hasn't met", []entity{{Type: "text_mention", Length: 1, User: &user{ID: 99}}}},
	} {
		send("a🎲b", c.all...)
		caught(t, a, c.fault)
	}
	many := make([]entity, 101)
	for i := range many {
		many[i] = bold(2*i, 1)
	}
	send(strings.Repeat("a ", 101), many...)
	caught(t, a, "101 entities")
	time := send("\u202e 🎲 ok @ann_of_here ", bold(2, 2), entity{Type: "text_mention", Offset: 5, Length: 2, User: &user{ID: ann}})
	if all := a.messages(ann); !time.OK || all[len(all)-1].Text != "🎲 ok @ann_of_here" || fmt.Sprint(all[len(all)-1].Entities[2].Type, all[len(all)-1].Entities[0].Offset) != "mention0" {
		t.Errorf("%+v", all[len(all)-1])
	}
}

// form is a multipart body with one file, as the bot's library writes it.
func form(t *testing.T, file, name string, data []byte, values ...string) (kind string, body io.Reader) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i := 0; i < len(values); i += 2 {
		if err := w.WriteField(values[i], values[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if file != "" {
		part, err := w.CreateFormFile(file, name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), &b
}

func picture(t *testing.T, w, h int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.Black})); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFilesAreLookedAt(t *testing.T) {
	a := newWorld(t)
	send := func(method, file, name string, data []byte, values ...string) reply {
		t.Helper()
		kind, body := form(t, file, name, data, append(values, "chat_id", "11")...)
		return post(t, a, method, kind, body)
	}
	for fault, data := range map[string][]byte{
		"is empty": {}, "no picture": []byte("x"), "2 × 9999": picture(t, 2, 9999), "100 × 2001": picture(t, 100, 2001),
	} {
		if r := send("sendPhoto", "photo", "x.png", data); r.OK {
			t.Errorf("%s: %+v", fault, r)
		}
		caught(t, a, fault)
	}
	r := send("sendPhoto", "photo", "x.png", picture(t, 40, 30), "caption", "c", "disable_notification", "true")
	id := r.sent(t)
	var m message
	if err := json.Unmarshal(r.Result, &m); err != nil || len(m.Photo) != 2 || m.Photo[1].Width != 40 || m.Caption != "c" {
		t.Fatalf("%+v, %v", m, err)
	}
	send("sendPhoto", "", "", nil, "photo", m.Photo[1].ID).sent(t)
	if !bytes.Equal(a.data(m.Photo[1].ID), picture(t, 40, 30)) {
		t.Error("the photo isn't what was sent")
	}
	send("sendPhoto", "", "", nil, "photo", m.Photo[0].ID)
	caught(t, a, "a thumbnail is sent as a photo")
	send("sendDocument", "other", "x", []byte("x"), "document", "attach://file")
	caught(t, a, "nothing is attached as")
	send("editMessageText", "", "", nil, "message_id", fmt.Sprint(id), "text", "t")
	caught(t, a, "is a photo")
	edit := send("editMessageMedia", "new", "new.png", picture(t, 9, 9), "message_id", fmt.Sprint(id), "media", `{"type":"photo","media":"attach://new","caption":"d"}`)
	if edit.sent(t); a.messages(ann)[0].Caption != "d" {
		t.Errorf("%+v", a.messages(ann)[0])
	}
	all := slices.DeleteFunc(a.seen(0), func(e event) bool { return e.kind == "fault" })
	if all[0].kind != "send" || all[0].media != "photo" || !all[0].silent || all[2].kind != "edit" || all[2].was != "c" {
		t.Errorf("%+v", all)
	}
}

func TestEditsArePickyAboutWhatTheyEdit(t *testing.T) {
	a := newWorld(t)
	theirs := a.say(group, ann, "/start")
	id := ask(t, a, "sendMessage", markup("'text': 'a', 'callback_data': 'x'")).sent(t)
	edit := func(id int, rest string) reply {
		t.Helper()
		return ask(t, a, "editMessageText", fmt.Sprintf("'chat_id': -1001, 'message_id': %d, 'text': %s", id, rest))
	}
	edit(theirs.ID, "'y'")
	caught(t, a, "isn't the bot's")
	if r := edit(id, "'x', 'reply_markup': {'inline_keyboard': [[{'text': 'a', 'callback_data': 'x'}]]}"); !strings.Contains(r.Description, "message is not modified") {
		t.Errorf("%+v", r)
	}
	caught(t, a, "is as it was")
	if edit(id, "'y'").sent(t); a.messages(group)[1].Keyboard != nil {
		t.Error("an edit without buttons leaves them there")
	}
	ask(t, a, "editMessageCaption", fmt.Sprintf("'chat_id': -1001, 'message_id': %d, 'caption': 'z'", id))
	caught(t, a, "is a text")
	a.remove(group, id)
	if r := edit(id, "'z'"); !strings.Contains(r.Description, "message to edit not found") {
		t.Errorf("%+v", r)
	}
}

func TestTopicsAreKept(t *testing.T) {
	a := newWorld(t)
	m := a.say(forum, ann, "/newgame", inTopic(7))
	send := func(rest string) reply {
		return ask(t, a, "sendMessage", "'chat_id': -1002, 'text': 'x'"+rest)
	}
	send("")
	caught(t, a, "topic lost")
	send(fmt.Sprintf(", 'reply_parameters': {'message_id': %d}", m.ID))
	caught(t, a, "topic lost")
	send(fmt.Sprintf(", 'message_thread_id': 7, 'reply_parameters': {'message_id': %d}", m.ID)).sent(t)
	if r := send(", 'message_thread_id': 8"); r.Description != "Bad Request: TOPIC_CLOSED" {
		t.Errorf("%+v", r)
	}
	a.say(forum, ben, "/newgame")
	send("").sent(t)
}

func TestPressesAreAnsweredOnceAndInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newWorld(t)
		id := ask(t, a, "sendMessage", markup("'text': '🎲 Roll', 'callback_data': 'roll'")).sent(t)
		answer := func(press string) reply {
			t.Helper()
			return ask(t, a, "answerCallbackQuery", fmt.Sprintf("'callback_query_id': '%s', 'text': 'hi'", press))
		}
		first, second := a.tap(group, ben, id, "Roll"), a.tapGone(group, ann, id, "forged")
		if r := answer(first); !r.OK || a.pressed(first).text != "hi" {
			t.Errorf("%+v", r)
		}
		answer(first)
		caught(t, a, "answered before")
		a.newRun()
		if answer(first).OK || len(a.faults()) > 0 {
			t.Error("a new run can't know what was answered", a.faults())
		}
		time.Sleep(11 * time.Second)
		answer(a.tap(group, ben, id, "Roll"))
		a.press(a.chats[group].message(int64(id)), ben, "late", "late", nil)
		time.Sleep(11 * time.Second)
		answer("tap4")
		caught(t, a, "answered after 11s")
		last := &unheard{TB: t}
		a.check(last)
		if !strings.Contains(last.heard, "the press of [forged] by Ann was never answered") || a.pressed(second).answered != 1 {
			t.Errorf("heard %q", last.heard)
		}
	})
}

// unheard is a test whose failures are kept.
type unheard struct {
	testing.TB
	heard string
}

func (u *unheard) Helper()          {}
func (u *unheard) Error(all ...any) { u.heard += fmt.Sprintln(all...) }

func TestServesSocketsToo(t *testing.T) {
	a := newWorld(t)
	s := httptest.NewServer(a)
	defer s.Close()
	if r := postTo(t, s.Client(), s.URL+"/bot"+a.token+"/getMe", "application/json", strings.NewReader("")); !r.OK {
		t.Errorf("%+v", r)
	}
	if r := postTo(t, s.Client(), s.URL+"/bot1:other/getMe", "application/json", strings.NewReader("")); r.status != 401 {
		t.Errorf("%+v", r)
	}
	caught(t, a, "isn't below this bot's token")
	a.fail("getMe", 1, failure{cut: true})
	q, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.URL+"/bot"+a.token+"/getMe", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := s.Client().Do(q); err == nil {
		_ = answer.Body.Close()
		t.Error("a connection that breaks answers")
	}
}
