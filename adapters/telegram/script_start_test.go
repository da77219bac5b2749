package telegram_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestMenusAreRegisteredOnce looks at what a first start tells Telegram about
// the bot, and that a second has nothing to add.
func TestMenusAreRegisteredOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.pass(time.Minute)
		for _, scope := range []string{"all_group_chats", "all_private_chats", "all_chat_administrators"} {
			if menu := s.api.menu(scope, ""); !slices.Contains(menu, "newgame") || len(menu) > 13 {
				t.Errorf("the menu of %s is %q", scope, menu)
			}
		}
		before := s.api.calls("setMyCommands")
		if err := s.restart("restart"); err != nil {
			t.Fatal(err)
		}
		s.pass(time.Minute)
		if n := s.api.calls("setMyCommands") - before; n != 0 || s.api.calls("getMe") != 2 {
			t.Errorf("a second start registers %d menus", n)
		}
	})
}

// TestStrangeUpdatesChangeNothing sends what Telegram may send one day, or never
// should: it is confirmed, answered with nothing, and all goes on.
func TestStrangeUpdatesChangeNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		ann := s.person("ann")
		for _, u := range [][2]string{
			{"message", `{}`},
			{"message", `{"message_id": 5, "date": 1, "chat": {"id": -100100, "type": "supergroup"}, "text": "/newgame@HissBot"}`},
			{"message", `{"message_id": 6, "date": 1, "chat": {"id": -100100, "type": "supergroup"}, "from": {"id": 11, "first_name": "ann"}, "text": "/newgame@HissBot", "entities": [{"type": "bot_command", "offset": 0, "length": 99}]}`},
			{"message", `{"message_id": 7, "date": 1, "chat": {"id": -100100, "type": "supergroup"}, "from": {"id": 11, "first_name": "ann"}, "text": "🎲/newgame", "entities": [{"type": "bot_command", "offset": 1, "length": 8}]}`},
			{"message", `{"message_id": 8, "date": 1, "chat": {"id": -100100, "type": "supergroup"}, "from": {"id": 11, "first_name": "ann"}, "text": "/", "entities": [{"type": "bot_command", "offset": 0, "length": -1}]}`},
			{"message", `{"message_id": "nine"}`},
			{"message", `[]`},
			{"message", `null`},
			{"poll", `{"id": "1"}`},
			{"channel_post", `{"message_id": 1, "date": 1, "chat": {"id": -9, "type": "channel"}, "text": "/newgame@HissBot"}`},
			{"thought", `{"of": "the year 2030"}`},
			{"my_chat_member", `{}`},
			{"my_chat_member", `{"chat": {"id": -9, "type": "group"}, "from": {"id": 11, "first_name": "ann"}, "date": 1, "old_chat_member": {"status": "novice", "user": {"id": 1000}}, "new_chat_member": {"status": "sage", "user": {"id": 1000}}}`},
			{"chat_member", `{"chat": {"id": -100100, "type": "supergroup"}}`},
			{"message", `{"message_id": 10, "date": 1, "chat": {"id": -100100, "type": "supergroup"}, "from": {"id": 11, "first_name": "ann"}, "new_chat_members": [], "left_chat_member": {}}`},
			{"message", `{"message_id": 11, "date": 1, "chat": {"id": -100100, "type": "supergroup"}, "from": {"id": 11, "first_name": "` + strings.Repeat("W", 1<<16) + `"}, "text": "hi"}`},
		} {
			s.api.inject(u[0], u[1])
		}
		s.pass(2 * time.Minute)
		if n := s.api.pending(); n != 0 {
			t.Errorf("%d updates aren't confirmed", n)
		}
		for _, e := range s.api.seen(0) {
			t.Errorf("the bot answers: %+v", e)
		}
		s.api.say(s.chats[""], ann, "/newgame@HissBot tiny plain")
		s.pass(time.Second)
		if all := s.api.seen(0); len(all) != 1 || !strings.Contains(all[0].text, "New match") {
			t.Errorf("after all that: %+v", all)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, text := range s.logged {
			if strings.HasPrefix(text, "ERROR") {
				t.Error(text)
			}
		}
	})
}

// TestABacklogKeepsItsOrder delivers what was typed during a pause in one batch.
// How much of it leaves as one message is up to chance; what it says isn't.
func TestABacklogKeepsItsOrder(t *testing.T) {
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			s := newStage(t)
			s.api.hold()
			for _, said := range []string{"ann /newgame@HissBot classic plain", "ben /join", "cleo /join", "ann /roll", "ben /roll", "dora /join"} {
				name, text, _ := strings.Cut(said, " ")
				s.api.say(s.chats[""], s.person(name), text)
			}
			s.api.release()
			s.pass(time.Minute)
			var told strings.Builder
			for _, m := range s.api.messages(s.chats[""]) {
				if m.From.IsBot && m.ReplyTo == nil {
					told.WriteString(m.Text + "\n")
				}
			}
			at := -1
			for _, want := range []string{"New match", "ann rolls", "ben rolls", "dora joins, seat 4"} {
				if next := strings.Index(told.String(), want); next <= at || strings.Count(told.String(), want) != 1 {
					t.Fatalf("%q isn't told once, behind what came before it:\n%s", want, told.String())
				} else {
					at = next
				}
			}
		})
	}
}
