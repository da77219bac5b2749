package telegram_test

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// table is a group in which two people press Roll as soon as they can.
type table struct {
	id   int64
	goes []string    // the goes that the chat has read, in order
	told map[int]int // how many goes each message tells
}

// TestManyGroupsRollAtOnce lets fifty groups play for a long while within the
// limits of Telegram, which the API in memory enforces: twenty sends and edits a
// minute each, thirty a second together. Every go is told, in order; no group
// waits for another; nothing grows.
func TestManyGroupsRollAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		ann, ben := s.person("ann"), s.person("ben")
		var tables []*table
		for i := range manyGroups {
			b := &table{id: -1000 - int64(i), told: make(map[int]int)}
			name := fmt.Sprintf("group%d", i)
			s.addChat(name, place{ID: b.id, Type: "supergroup", Title: name})
			s.api.say(b.id, ann, "/newgame@HissBot board=random size=5000 ladders=5 snakes=5 plain")
			s.api.say(b.id, ben, "/join@HissBot")
			tables = append(tables, b)
		}
		s.pass(10 * time.Second)
		minute := func() {
			for range 40 {
				for _, b := range tables {
					s.pressBoth(b.id, ann, ben)
				}
				s.pass(1500 * time.Millisecond)
				s.readAll(tables)
			}
		}
		minute()
		goroutines, heap := goroutinesNow(), heapInUse()
		for range 2 {
			minute()
		}
		// A record grows by three bytes a go; the rest must come back.
		if grown := heapInUse() - heap; grown > 8<<20 {
			t.Errorf("the heap has grown by %d KB", grown>>10)
		}
		s.pass(20 * time.Second)
		s.readAll(tables)
		if n := goroutinesNow(); n > goroutines {
			t.Errorf("%d goroutines, %d before", n, goroutines)
		}
		least, most := len(tables[0].goes), 0
		for _, b := range tables {
			b.check(t)
			least, most = min(least, len(b.goes)), max(most, len(b.goes))
		}
		// Three minutes at a call in four seconds, a go at least in each.
		if least < 45 || least < most*8/10 {
			t.Errorf("from %d to %d goes", least, most)
		}
	})
}

// pressBoth lets both press the newest Roll: one is on turn.
func (s *stage) pressBoth(chat, ann, ben int64) {
	all := s.api.messages(chat)
	for i := len(all) - 1; i >= 0; i-- {
		m := &all[i]
		for _, label := range []string{"Roll", "Roll to start"} {
			if m.button(label) != nil {
				s.api.tap(chat, ann, m.ID, label)
				s.api.tap(chat, ben, m.ID, label)
				return
			}
		}
	}
}

// readAll notes what was told since, and lets the API in memory forget it.
func (s *stage) readAll(tables []*table) {
	byChat := make(map[int64]*table)
	for _, b := range tables {
		byChat[b.id] = b
	}
	s.api.mu.Lock()
	defer s.api.mu.Unlock()
	for _, e := range s.api.log {
		if b := byChat[e.chat]; b != nil && (e.kind == "send" || e.kind == "edit") {
			b.read(e.message, e.text)
		}
	}
	s.api.log = nil
	s.shown = 0
	for _, c := range s.api.chats {
		c.messages = c.messages[max(0, len(c.messages)-10):]
	}
}

var goLine = regexp.MustCompile(`(\w+) rolls \d+: .*`)

// read takes the goes of a message that were not in it before.
func (b *table) read(id int, text string) {
	lines := goLine.FindAllString(text, -1)
	b.goes = append(b.goes, lines[min(len(lines), b.told[id]):]...)
	b.told[id] = max(b.told[id], len(lines))
}

// check follows the tokens from go to go: one that is missing, twice or out of
// order leaves a gap.
func (b *table) check(t *testing.T) {
	t.Helper()
	at := map[string]string{"ann": "0", "ben": "0"}
	for i, line := range b.goes {
		name, rest, _ := strings.Cut(line, " rolls ")
		_, way, _ := strings.Cut(rest, ": ")
		from, to, _ := strings.Cut(way, " → ")
		if _, end, jumps := strings.Cut(to, " to "); jumps {
			to = end
		}
		if want := []string{"ann", "ben"}[i%2]; name != want || from != at[name] {
			t.Fatalf("group %d, go %d: %q, but %s stands on %s", b.id, i+1, line, want, at[want])
		}
		at[name] = to
	}
}

func heapInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// goroutinesNow counts the goroutines. The runtime moves ended ones about in batches,
// which it counts as if they ran for that moment, so the fewest of some counts is right.
func goroutinesNow() int {
	n := runtime.NumGoroutine()
	for range 100 {
		runtime.Gosched()
		n = min(n, runtime.NumGoroutine())
	}
	return n
}
