package telegram_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hiss/adapters/telegram"
	"hiss/bot"
)

// TestUnreachableBeforeTheFirstContact waits for a Telegram that is down.
func TestUnreachableBeforeTheFirstContact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bench{botAPI: newWorld(t), host: &host{answer: hi}, t: t, notes: &notes{}}
		b.fail("getMe", 4, failure{status: 502})
		b.fail("getUpdates", 1, failure{status: 502})
		b.run(telegram.Config{})
		for at, want := range []bool{false, false, true} {
			if got := b.adapter.Reachable(); got != want {
				t.Errorf("at %d: %t", at, got)
			}
			b.waits(8500 * time.Millisecond)
		}
		if err := b.stop(); err != nil {
			t.Error(err)
		}
		if b.adapter.Reachable() {
			t.Error("after the end")
		}
	})
}

// TestReachableByAWebhook looks whether updates are delivered, since nobody else
// would tell that they aren't.
func TestReachableByAWebhook(t *testing.T) {
	onBench(t, hi, func(t *testing.T, b *bench) {
		if err := b.stop(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		b.run(telegram.Config{Webhook: "https://example.org/hook", Secret: "open-sesame_1"})
		var down atomic.Bool
		go b.deliver(ctx, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if down.Load() {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			b.adapter.ServeHTTP(w, r)
		}))
		reached := func(want bool, when string) {
			t.Helper()
			if b.adapter.Reachable() != want {
				t.Errorf("reachable: %t %s", !want, when)
			}
		}
		b.waits(time.Minute)
		reached(true, "while nothing happens")
		down.Store(true)
		b.waits(time.Minute)
		reached(true, "while nothing is there to deliver")
		b.say(group, ann, "/roll")
		b.waits(30 * time.Second)
		reached(false, "while updates can't be delivered")
		down.Store(false)
		b.waits(25 * time.Second)
		reached(true, "once they are")
		b.fail("getWebhookInfo", 2, failure{status: 502})
		for range 30 {
			b.waits(time.Second)
			reached(true, "while Telegram is down for three seconds")
		}
		b.fail("getWebhookInfo", 5, failure{status: 502})
		b.waits(35 * time.Second)
		reached(false, "while Telegram is down")
		b.waits(time.Minute)
		reached(true, "once it's back")
	})
}

// TestMembersAreAskedForBeside asks for many at once while Telegram is slow: one
// after the other, nobody longer than five seconds, and no message waits for it.
func TestMembersAreAskedForBeside(t *testing.T) {
	onBench(t, hi, func(t *testing.T, b *bench) {
		b.fail("getChatMember", 3, failure{delay: 2 * time.Second})
		begun := time.Now()
		var asking sync.WaitGroup
		var known, unknown atomic.Int64
		for range 9 {
			asking.Go(func() {
				in, err := b.adapter.Member(t.Context(), "telegram:-1001", bot.UserID(fmt.Sprint("telegram:", ann)))
				switch {
				case err != nil:
					unknown.Add(1)
				case in:
					known.Add(1)
				}
			})
		}
		synctest.Wait()
		if err := b.adapter.Send(t.Context(), bot.Channel{Chat: "telegram:-1001"}, public(bot.Message{Said: bot.Said("ding")})); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if m := b.newest(group); m.Text != "ding" || time.Since(begun) > 0 {
			t.Errorf("%q after %v", m.Text, time.Since(begun))
		}
		asking.Wait()
		if d := time.Since(begun); d > 5*time.Second || known.Load() != 2 || unknown.Load() != 7 {
			t.Errorf("%d known and %d not, after %v", known.Load(), unknown.Load(), d)
		}
	})
}

// TestMembersOfOtherPlaces asks nobody.
func TestMembersOfOtherPlaces(t *testing.T) {
	onBench(t, hi, func(t *testing.T, b *bench) {
		if in, err := b.adapter.Member(t.Context(), bot.ChatID(fmt.Sprint("telegram:", ann)), bot.UserID(fmt.Sprint("telegram:", ann))); !in || err != nil {
			t.Errorf("a private chat: %t, %v", in, err)
		}
		if _, err := b.adapter.Member(t.Context(), "discord:1", "telegram:11"); err == nil {
			t.Error("another platform's chat")
		}
		if _, err := b.adapter.Member(t.Context(), "telegram:-1001", "discord:11"); err == nil {
			t.Error("another platform's user")
		}
		if n := b.calls("getChatMember"); n > 0 {
			t.Errorf("%d calls", n)
		}
	})
}
