package telegram_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// poll fetches updates and returns their ids and kinds.
func poll(t *testing.T, a *botAPI, offset int64, rest string) string {
	t.Helper()
	r := ask(t, a, "getUpdates", fmt.Sprintf("'offset': %d%s", offset, rest))
	if !r.OK {
		return r.Description
	}
	var all []map[string]json.RawMessage
	if err := json.Unmarshal(r.Result, &all); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, u := range all {
		for kind := range u {
			if kind != "update_id" {
				fmt.Fprintf(&b, "%s %s ", u["update_id"], kind)
			}
		}
	}
	return strings.TrimSpace(b.String())
}

func TestUpdatesComeUntilTheyAreConfirmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newWorld(t)
		a.say(group, ann, "hello") // privacy hides it
		m := a.say(group, ann, "/roll")
		a.say(group, ann, "/roll@OtherBot")
		a.rewrite(m, "/roll 2")
		a.join(group, ben)
		a.memberChanged("my_chat_member", a.chats[group], a.users[ann], &a.self, "left", "member")
		for _, want := range []string{"5001 message 5002 edited_message 5003 message 5004 my_chat_member", "5003 message 5004 my_chat_member"} {
			if got := poll(t, a, 5003-int64(len(want)/40)*2, ""); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
		a.again()
		if got := poll(t, a, 5005, ""); got != "5004 my_chat_member" {
			t.Errorf("twice: %s", got)
		}
		a.jump(17)
		a.say(group, ann, "/roll")
		if got := poll(t, a, 5005, ", 'limit': 1, 'allowed_updates': ['message']"); got != "17 message" {
			t.Errorf("after a week: %s", got)
		}
		a.memberChanged("my_chat_member", a.chats[group], a.users[ann], &a.self, "left", "member")
		begun := time.Now()
		if got := poll(t, a, 18, ", 'timeout': 90"); got != "" || time.Since(begun) != 50*time.Second {
			t.Errorf("%q after %v", got, time.Since(begun))
		}
		a.hold()
		a.say(group, ann, "/a")
		a.say(group, ann, "/b")
		go func() {
			time.Sleep(time.Second)
			a.release()
		}()
		if got := poll(t, a, 18, ", 'timeout': 9"); got != "18 message 19 message" || a.pending() != 2 {
			t.Errorf("together: %s", got)
		}
	})
}

func TestPollsExcludeOneAnotherAndWebhooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newWorld(t)
		var first string
		var polling sync.WaitGroup
		polling.Go(func() { first = poll(t, a, 0, ", 'timeout': 9") })
		synctest.Wait()
		poll(t, a, 0, "")
		polling.Wait()
		if !strings.HasPrefix(first, "Conflict: terminated by other getUpdates") {
			t.Error(first)
		}
		caught(t, a, "two at once")
		ctx, stop := context.WithCancel(t.Context())
		taken := 0
		polling.Go(func() {
			a.deliver(ctx, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
				if taken++; taken == 1 || q.Header.Get("X-Telegram-Bot-Api-Secret-Token") != "s" {
					w.WriteHeader(http.StatusBadGateway)
					return
				}
				_, _ = io.WriteString(w, `{"method": "sendMessage", "chat_id": -1001, "text": "hi"}`)
			}))
		})
		ask(t, a, "setWebhook", "'url': 'https://x.org/hook', 'secret_token': 's'")
		if got := poll(t, a, 0, ""); !strings.Contains(got, "webhook is active") {
			t.Error(got)
		}
		caught(t, a, "a webhook is set")
		a.say(group, ann, "/roll")
		time.Sleep(3 * time.Second)
		if all := a.messages(group); taken != 2 || a.pending() != 0 || all[len(all)-1].Text != "hi" {
			t.Errorf("delivered %d times, %+v", taken, all)
		}
		stop()
		polling.Wait()
	})
}

func TestPaceIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newWorld(t)
		send := func(chat int) reply {
			t.Helper()
			return ask(t, a, "sendMessage", fmt.Sprintf("'chat_id': %d, 'text': 'x'", chat))
		}
		id := send(group).sent(t)
		for i := range 19 {
			ask(t, a, "editMessageText", fmt.Sprintf("'chat_id': -1001, 'message_id': %d, 'text': 'x%d'", id, i)).sent(t)
			time.Sleep(time.Second)
		}
		if r := send(group); r.status != 429 || r.Parameters.RetryAfter != 41 {
			t.Errorf("%+v", r)
		}
		caught(t, a, "more than 20 messages and edits in a minute")
		time.Sleep(40 * time.Second)
		send(group)
		caught(t, a, "to be left alone for 1s more")
		time.Sleep(2 * time.Second)
		send(group).sent(t)
		for range 30 {
			send(ann)
		}
		caught(t, a, "more than 30 messages and edits in a second")
		a.forgive("left alone")
		time.Sleep(time.Minute)
		a.fail("sendMessage", 1, failure{status: 429, retryAfter: 7, chat: basic})
		if r := send(basic); r.Parameters.RetryAfter != 7 || !send(group).OK {
			t.Errorf("%+v", r)
		}
		send(basic)
		caught(t, a, "to be left alone")
		a.fail("getMe", 1, failure{status: 429, retryAfter: 3})
		ask(t, a, "getMe", "")
		ask(t, a, "getMe", "")
		caught(t, a, "before retry_after was over")
	})
}

func TestFailuresHappenOnDemand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newWorld(t)
		call := func(method string) (string, error) {
			ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
			defer stop()
			q, err := http.NewRequestWithContext(ctx, http.MethodPost, a.url()+"/bot"+a.token+"/"+method, strings.NewReader(`{"chat_id": -1001, "text": "x"}`))
			if err != nil {
				t.Fatal(err)
			}
			q.Header.Set("Content-Type", "application/json")
			answer, err := a.Client().Do(q)
			if err != nil {
				return "", err
			}
			defer func() { _ = answer.Body.Close() }()
			body, err := io.ReadAll(answer.Body)
			return fmt.Sprint(answer.StatusCode, " ", string(body)), err
		}
		for _, c := range []struct {
			failure
			answer, err string
			sent        int
		}{
			{failure{status: 502, garbage: true}, "502 <html>", "", 0},
			{failure{status: 500, afterWork: true}, `"description":"Internal Server Error"`, "", 1},
			{failure{cut: true, afterWork: true}, "", "connection reset", 1},
			{failure{delay: time.Minute}, "", "context deadline exceeded", 0},
			{failure{delay: time.Second}, `200 {"ok":true`, "", 1},
			{failure{status: 400, description: "Bad Request: x", migrateTo: -7}, `"migrate_to_chat_id":-7`, "", 0},
			{failure{redirect: "https://elsewhere.example/"}, "404", "", 0},
		} {
			before := len(a.messages(group))
			a.fail("sendMessage", 1, c.failure)
			answer, err := call("sendMessage")
			if !strings.Contains(answer, c.answer) || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) || len(a.messages(group))-before != c.sent {
				t.Errorf("%+v: %s, %v, %d sent", c.failure, answer, err, len(a.messages(group))-before)
			}
			a.heal()
		}
		caught(t, a, "the token was shown to elsewhere.example")
		if _, err := call("sendMessage"); err != nil || errors.Is(err, errCut) {
			t.Error(err)
		}
	})
}

func TestTheWorldRefuses(t *testing.T) {
	a := newWorld(t)
	send := func(chat int) string {
		t.Helper()
		return ask(t, a, "sendMessage", fmt.Sprintf("'chat_id': %d, 'text': 'x'", chat)).Description
	}
	a.mute(group, "text messages")
	if got := send(group); got != "Bad Request: not enough rights to send text messages to the chat" {
		t.Error(got)
	}
	a.mute(group, "photos")
	if got := send(group); got != "" {
		t.Error(got)
	}
	kind, body := form(t, "photo", "x.png", picture(t, 4, 4), "chat_id", fmt.Sprint(group))
	if r := post(t, a, "sendPhoto", kind, body); r.Description != "Bad Request: not enough rights to send photos to the chat" {
		t.Errorf("%+v", r)
	}
	a.setStatus(group, ann, "kicked")
	if got := send(group); got != "Forbidden: bot was kicked from the supergroup chat" {
		t.Error(got)
	}
	a.setStatus(ann, ann, "kicked")
	if got := send(ann); got != "Forbidden: bot was blocked by the user" {
		t.Error(got)
	}
	a.migrate(basic, -1005)
	r := ask(t, a, "sendMessage", "'chat_id': -5, 'text': 'x'")
	if r.Description != "Bad Request: group chat was upgraded to a supergroup chat" || r.Parameters.MigrateTo != -1005 || send(-1005) != "" {
		t.Errorf("%+v", r)
	}
	want := "5001 my_chat_member 5002 my_chat_member 5003 my_chat_member 5004 my_chat_member 5005 message 5006 message"
	if got := poll(t, a, 0, ""); got != want {
		t.Errorf("told %s, want %s", got, want)
	}
	if got := string(ask(t, a, "getChatMember", "'chat_id': -1001, 'user_id': 11").Result); got != "" {
		t.Errorf("a bot that was kicked is told %s", got)
	}
	a.leaveUnseen(forum, ben)
	for id, want := range map[int]string{ann: `"status":"member"`, ben: `"status":"left"`} {
		if got := string(ask(t, a, "getChatMember", fmt.Sprintf("'chat_id': -1002, 'user_id': %d", id)).Result); !strings.Contains(got, want) {
			t.Errorf("%d is %s", id, got)
		}
	}
}
