package discord_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hiss/bot"
)

// TestReachableByAllShards isn't before the last of them is connected, which takes
// its time.
func TestReachableByAllShards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bench{world: newWorld(t), host: &host{}, t: t, notes: &notes{}}
		b.gate.shards = 3
		b.run()
		for at, want := range []bool{false, false, false, true} {
			if got := b.adapter.Reachable(); got != want {
				t.Errorf("at %d, with %d sessions: %t", at, b.identifies(), got)
			}
			b.waits(4 * time.Second)
		}
		if err := b.stop(); err != nil {
			t.Error(err)
		}
		if b.adapter.Reachable() {
			t.Error("after the end")
		}
	})
}

// TestUnreachableBeforeTheFirstContact waits for a Discord that is down.
func TestUnreachableBeforeTheFirstContact(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &bench{world: newWorld(t), host: &host{}, t: t, notes: &notes{}}
		b.outage(true)
		b.run()
		for at, want := range []bool{false, false, false, true} {
			if got := b.adapter.Reachable(); got != want {
				t.Errorf("at %d: %t", at, got)
			}
			b.waits(time.Minute)
			b.outage(at == 0)
		}
		if err := b.stop(); err != nil {
			t.Error(err)
		}
	})
}

// TestMembersAreAskedForBeside asks for many at once while Discord is slow: one
// after the other, nobody longer than five seconds, and no message waits for it.
func TestMembersAreAskedForBeside(t *testing.T) {
	onBench(t, nil, func(t *testing.T, b *bench) {
		b.setMember(b.hall.guild, b.ann, func(*member) {})
		b.fail("member", 3, failure{delay: 2 * time.Second})
		begun := time.Now()
		var asking sync.WaitGroup
		var known, unknown atomic.Int64
		for range 9 {
			asking.Go(func() {
				in, err := b.adapter.Member(t.Context(), bot.ChatID("discord:"+b.hall.guild.id), bot.UserID("discord:"+b.ann.ID))
				switch {
				case err != nil:
					unknown.Add(1)
				case in:
					known.Add(1)
				}
			})
		}
		synctest.Wait()
		if err := b.adapter.Send(t.Context(), where(b.hall), public(bot.Message{Said: bot.Said("ding")})); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if m := b.newest(); m.content != "ding" || time.Since(begun) > 0 {
			t.Errorf("%q after %v", m.content, time.Since(begun))
		}
		asking.Wait()
		if d := time.Since(begun); d > 5*time.Second || known.Load() != 2 || unknown.Load() != 7 {
			t.Errorf("%d known and %d not, after %v", known.Load(), unknown.Load(), d)
		}
	})
}

// TestMembersOfOtherPlaces asks nobody: the server would say that there's no such
// place.
func TestMembersOfOtherPlaces(t *testing.T) {
	onBench(t, nil, func(t *testing.T, b *bench) {
		user := bot.UserID("discord:" + b.ann.ID)
		if in, err := b.adapter.Member(t.Context(), where(b.direct(b.ann)).Chat, user); !in || err != nil {
			t.Errorf("a private chat: %t, %v", in, err)
		}
		for chat, user := range map[bot.ChatID]bot.UserID{"telegram:1": user, bot.ChatID("discord:" + b.hall.guild.id): "telegram:1"} {
			if in, err := b.adapter.Member(t.Context(), chat, user); in || err == nil {
				t.Errorf("%s in %s: %t, %v", user, chat, in, err)
			}
		}
	})
}

// TestMomentsAndPlaces are tags, of which all characters count, or words where
// they say too little for one.
func TestMomentsAndPlaces(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 30, 0, time.UTC)
	long := fmt.Sprintf("<t:%d:R>", at.Unix())
	text := func(n int) bot.Text {
		var all bot.Text
		for range n {
			all = append(all, bot.Span{Kind: bot.Moment, Text: "x", At: at})
		}
		return all
	}
	for name, c := range map[string]struct {
		text bot.Text
		want string
	}{
		"a moment":             {text(1), long},
		"no moment":            {bot.Text{{Kind: bot.Moment, Text: "- 30 s_"}}, `\- 30 s\_`},
		"a place":              {bot.Text{{Text: "in "}, {Kind: bot.Where, Text: "#a", Place: "300000000000000101"}}, "in <#300000000000000101>"},
		"no place":             {bot.Text{{Kind: bot.Where, Text: "#garden"}}, `\#garden`},
		"no place of ours":     {bot.Text{{Kind: bot.Where, Text: "here", Place: "1> @everyone <#1"}}, "here"},
		"as many as fit":       {text(2000 / len(long)), ""},
		"one more than fit":    {text(2000/len(long) + 1), "file"},
		"words in their midst": {append(bot.Said("a"), append(text(1), bot.Said("b")...)...), "a" + long + "b"},
	} {
		onBench(t, nil, func(t *testing.T, b *bench) {
			if err := b.adapter.Send(t.Context(), where(b.hall), public(bot.Message{Said: c.text})); err != nil {
				t.Fatal(err)
			}
			b.waits(time.Minute)
			m := b.newest()
			switch {
			case c.want == "file" != (len(m.attachments) == 1), c.want != "" && c.want != "file" && m.content != c.want:
				t.Errorf("%s: %q and %d files", name, m.content, len(m.attachments))
			case c.want == "file" && string(m.attachments[0].data) != c.text.String()+"\n":
				t.Errorf("%s: the file says %q", name, m.attachments[0].data)
			}
		})
	}
}
