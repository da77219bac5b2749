package telegram_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hiss/adapters/telegram"
	"hiss/bot"
)

func hi(bot.Request) bot.Answer { return public(bot.Message{Said: bot.Said("hi")}) }

// of returns what was asked for in a chat.
func (b *bench) of(chat bot.ChatID) (all []bot.Request) {
	b.host.mu.Lock()
	defer b.host.mu.Unlock()
	for _, r := range b.asked {
		if r.Channel.Chat == chat {
			all = append(all, r)
		}
	}
	return all
}

// TestMenus registers commands where they make sense, and again only when they
// have changed.
func TestMenus(t *testing.T) {
	onBench(t, hi, func(t *testing.T, b *bench) {
		b.waits(time.Second)
		for scope, want := range map[string]string{
			"all_group_chats": "roll", "all_chat_administrators": "roll unseat", "all_private_chats": "roll", "default": "",
		} {
			if got := strings.Join(b.menu(scope, ""), " "); got != want {
				t.Errorf("%s: %q", scope, got)
			}
		}
		if b.about["short_description "] != "Short." || b.about["description "] != "Long." {
			t.Errorf("%v", b.about)
		}
		before := b.calls("setMyCommands")
		if err := b.stop(); err != nil {
			t.Fatal(err)
		}
		b.run(telegram.Config{})
		b.waits(time.Second)
		if n := b.calls("setMyCommands"); n != before {
			t.Errorf("%d calls more though nothing has changed", n-before)
		}
		if err := b.stop(); err != nil {
			t.Fatal(err)
		}
		b.notes.kept["telegram/menu"] = []byte("of last year")
		b.fail("setMyCommands", 2, failure{status: 502})
		b.run(telegram.Config{})
		b.waits(10 * time.Second)
		if n := b.calls("setMyCommands"); n != before+3 {
			t.Errorf("%d calls after two that failed", n-before)
		}
	})
}

// TestWhatARequestHas looks at all that comes along with a command.
func TestWhatARequestHas(t *testing.T) {
	onBench(t, hi, func(t *testing.T, b *bench) {
		to := b.say(group, ben, "/roll")
		b.say(group, ann, "/Unseat@hissbot Ben @ann_of_here  x", naming("Ben", ben), replying(to))
		b.say(ann, ann, "/boards upload", attaching("tiny.yaml", []byte("size: 9")))
		b.say(forum, ann, "/roll", inTopic(7))
		b.waits(time.Second)
		r := b.of("telegram:-1001")[1]
		if r.Channel.Chat != "telegram:-1001" || r.User.ID != "telegram:11" || r.User.Name != "Ann" || r.Command != "unseat" ||
			!r.Named || r.Alone || r.Pressed || fmt.Sprint(r.Args) != "[Ben @ann_of_here x]" {
			t.Errorf("%+v", r)
		}
		var named []bot.UserID
		for _, u := range r.Mentions {
			named = append(named, u.ID)
		}
		if !slices.Equal(named, []bot.UserID{"telegram:12", "telegram:11", "telegram:12"}) {
			t.Errorf("named %v", named)
		}
		if r := b.of("telegram:-1002")[0]; r.Channel.Place != "7" || r.Named {
			t.Errorf("%+v", r)
		}
		r = b.of("telegram:11")[0]
		if !r.Alone || !r.Named || r.Attachment == nil || r.Attachment.Name != "tiny.yaml" {
			t.Fatalf("%+v", r)
		}
		if data, err := r.Attachment.Read(t.Context(), 7); err != nil || string(data) != "size: 9" {
			t.Errorf("%q, %v", data, err)
		}
		if _, err := r.Attachment.Read(t.Context(), 6); err == nil {
			t.Error("a file over the limit was read")
		}
		b.fail("getFile", 1, failure{cut: true})
		if _, err := r.Attachment.Read(t.Context(), 7); err == nil || strings.Contains(err.Error(), b.token) {
			t.Errorf("%v", err)
		}
	})
}

// TestRightsAreRemembered for a minute, unless they are asked for anew.
func TestRightsAreRemembered(t *testing.T) {
	onBench(t, hi, func(t *testing.T, b *bench) {
		b.say(group, ben, "/roll")
		b.say(ben, ben, "/roll")
		b.waits(time.Second)
		r, private := b.of("telegram:-1001")[0], b.of("telegram:12")[0]
		ask := func(anew bool) bool {
			admin, err := r.Admin(context.Background(), anew)
			if err != nil {
				t.Error(err)
			}
			return admin
		}
		if ask(false) {
			t.Error("anybody is an admin")
		}
		b.setAdmins(group, ann, ben)
		if ask(false) || !ask(true) || !ask(false) {
			t.Error("it isn't remembered, or not asked anew")
		}
		b.setAdmins(group, ann)
		b.waits(time.Minute)
		if ask(false) || b.calls("getChatMember") != 3 {
			t.Errorf("asked %d times", b.calls("getChatMember"))
		}
		b.waits(time.Minute)
		b.fail("getChatMember", 1, failure{status: 400, description: "Bad Request: member not found"})
		if admin, err := r.Admin(context.Background(), false); admin || err == nil {
			t.Errorf("%t, %v", admin, err)
		}
		if admin, err := private.Admin(context.Background(), true); !admin || err != nil {
			t.Errorf("a private chat is its owner's: %t, %v", admin, err)
		}
	})
}

// TestRightsOfAChatThatMoved are asked where it is now, also for a button that
// stands where it was, and after a restart.
func TestRightsOfAChatThatMoved(t *testing.T) {
	answer := func(bot.Request) bot.Answer {
		return public(bot.Message{Said: bot.Said("hi"), Buttons: [][]bot.Button{{{Label: "Roll", Line: "roll"}}}})
	}
	onBench(t, answer, func(t *testing.T, b *bench) {
		b.setAdmins(basic, ann)
		b.say(basic, ben, "/roll")
		b.waits(time.Second)
		old := b.newest(basic).ID
		b.migrate(basic, -1005)
		b.waits(time.Second)
		b.tap(basic, ann, old, "Roll")
		b.waits(time.Second)
		if err := b.stop(); err != nil {
			t.Fatal(err)
		}
		b.run(telegram.Config{})
		b.tap(basic, ben, old, "Roll")
		b.waits(time.Second)
		asked := b.of("telegram:-1005")
		if len(asked) != 2 {
			t.Fatalf("%+v", asked)
		}
		for i, want := range []bool{true, false} {
			if admin, err := asked[i].Admin(t.Context(), true); admin != want || err != nil {
				t.Errorf("%s: %t, %v", asked[i].User.Name, admin, err)
			}
		}
	})
}

// TestMembersWhoGo are told of, once each way that Telegram has.
func TestMembersWhoGo(t *testing.T) {
	onBench(t, hi, func(t *testing.T, b *bench) {
		b.setStatus(group, ann, "administrator")
		b.leave(group, ben, ben)
		b.waits(time.Second)
		if !slices.Contains(b.left, "telegram:12") || len(b.left) > 2 {
			t.Errorf("%v", b.left)
		}
	})
}

// TestWebhook delivers updates side by side, out of order and with a start that
// takes its time; others are turned away.
func TestWebhook(t *testing.T) {
	onBench(t, hi, func(t *testing.T, b *bench) {
		if err := b.stop(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		b.run(telegram.Config{Webhook: "https://example.org/hook", Secret: "open-sesame_1"})
		go b.deliver(ctx, b.adapter)
		var want []string
		for i := range 30 {
			b.say(group, ann, fmt.Sprintf("/roll %d", i))
			want = append(want, fmt.Sprint(i))
		}
		b.waits(time.Minute)
		var got []string
		for _, r := range b.asked {
			got = append(got, r.Args[0])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v", got)
		}
		for name, c := range map[string]struct {
			secret, body string
			want         int
		}{
			"no secret": {"", "{}", 401}, "a wrong one": {"open-sesame_2", "{}", 401},
			"no update": {"open-sesame_1", "{}", 400}, "no JSON": {"open-sesame_1", "<html>", 400},
			"too much": {"open-sesame_1", strings.Repeat("x", 2<<20), 400},
			"again":    {"open-sesame_1", `{"update_id":5001}`, 200},
		} {
			w := httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodPost, "/hook", strings.NewReader(c.body))
			if c.secret != "" {
				r.Header.Set("X-Telegram-Bot-Api-Secret-Token", c.secret)
			}
			b.adapter.ServeHTTP(w, r)
			if w.Code != c.want || w.Body.Len() > 0 {
				t.Errorf("%s: %d %q", name, w.Code, w.Body)
			}
		}
	})
}

// TestWithoutAWebhookNobodyIsLetIn whatever they know.
func TestWithoutAWebhookNobodyIsLetIn(t *testing.T) {
	onBench(t, hi, func(t *testing.T, b *bench) {
		w := httptest.NewRecorder()
		b.adapter.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(`{"update_id":1}`)))
		if w.Code != 401 {
			t.Errorf("%d", w.Code)
		}
	})
}

// TestAHangingChatHoldsUpNobody lets the engine hang in one chat for long: others
// are answered, and a stop waits for it no longer than it must.
func TestAHangingChatHoldsUpNobody(t *testing.T) {
	answer := func(r bot.Request) bot.Answer {
		if r.Channel.Chat == "telegram:-1001" {
			time.Sleep(20 * time.Second)
		}
		return hi(r)
	}
	onBench(t, answer, func(t *testing.T, b *bench) {
		b.say(group, ann, "/roll")
		for range 500 {
			b.say(forum, ben, "/roll")
			b.waits(10 * time.Millisecond)
		}
		b.waits(10 * time.Second)
		if n := len(b.asked); n != 501 {
			t.Errorf("%d of 501 were handled", n)
		}
		if n := b.calls("getUpdates"); n > 1500 {
			t.Errorf("%d polls", n)
		}
		b.waits(20 * time.Second)
	})
}

// TestAStartWithoutANetwork waits, and says so.
func TestAStartWithoutANetwork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bench{botAPI: newWorld(t), host: &host{answer: hi}, t: t, notes: &notes{}}
		b.fail("getMe", 5, failure{cut: true})
		b.fail("deleteWebhook", 2, failure{status: 502})
		b.say(group, ann, "/roll")
		b.run(telegram.Config{})
		b.waits(5 * time.Second)
		if err := b.adapter.Health(); err == nil {
			t.Error("healthy without a network")
		}
		b.waits(5 * time.Minute)
		if m := b.newest(group); m.Text != "hi" || b.adapter.Health() != nil {
			t.Errorf("%+v, %v", m, b.adapter.Health())
		}
		if err := b.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestManyUpdatesKeepTheirOrder delivers thousands over fifty chats, with a stop
// in the middle.
func TestManyUpdatesKeepTheirOrder(t *testing.T) {
	onBench(t, func(bot.Request) bot.Answer { return bot.Answer{} }, func(t *testing.T, b *bench) {
		const chats, each = 50, 100
		for c := range chats {
			b.addChat(chat{place: place{ID: int64(-9000 - c), Type: "supergroup", Title: "Group"}})
		}
		for i := range chats * each {
			b.say(int64(-9000-i%chats), ann, fmt.Sprintf("/roll %d", i/chats))
		}
		b.waits(time.Second)
		if err := b.stop(); err != nil {
			t.Fatal(err)
		}
		b.run(telegram.Config{})
		b.waits(time.Minute)
		got := make(map[bot.ChatID][]string)
		for _, r := range b.asked {
			got[r.Channel.Chat] = append(got[r.Channel.Chat], r.Args[0])
		}
		for chat, all := range got {
			for i, arg := range all {
				if arg != fmt.Sprint(i) || len(all) != each {
					t.Fatalf("%s: %d requests, number %d is %s", chat, len(all), i, arg)
				}
			}
		}
		if len(got) != chats {
			t.Errorf("%d chats", len(got))
		}
	})
}
