package discord_test

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// table is a channel in which two people press Roll as soon as they can.
type table struct {
	at   *channel
	goes []string       // the goes that the channel has read, in order
	told map[string]int // how many goes each message tells
}

// TestManyChannelsRollAtOnce lets many channels play for a while within Discord's
// limits, which the API in memory enforces. Every go is told, in order; no
// channel waits for another; nothing grows.
func TestManyChannelsRollAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t)
		s.speed = 0
		ann, ben := s.person("ann"), s.person("ben")
		var tables []*table
		for i := range manyChannels {
			name := fmt.Sprintf("hall%d", i)
			c := s.api.addChannel(channel{id: fmt.Sprintf("5000000000000%05d", i), name: name, guild: s.places[""].guild})
			open := typing{words: strings.Fields("newgame random plain size=5000 ladders=5 snakes=5")}
			if err := s.api.slash(c, ann, open); err != nil {
				t.Fatal(err)
			}
			s.pass(200 * time.Millisecond)
			if err := s.api.slash(c, ben, typing{words: []string{"join"}}); err != nil {
				t.Fatal(err)
			}
			tables = append(tables, &table{at: c, told: make(map[string]int)})
		}
		s.pass(10 * time.Second)
		minute := func() {
			for range 40 {
				for _, b := range tables {
					s.api.pressNewest(b.at, ann, ben)
				}
				s.pass(1500 * time.Millisecond)
				s.readAll(tables)
			}
		}
		minute()
		goroutines, heap := goroutinesNow(), heapInUse()
		minute()
		if grown := heapInUse() - heap; grown > 12<<20 {
			t.Errorf("the heap has grown by %d KB", grown>>10)
		}
		s.pass(20 * time.Second)
		s.readAll(tables)
		if n := goroutinesNow(); n > goroutines+4 {
			t.Errorf("%d goroutines, %d before", n, goroutines)
		}
		for _, b := range tables {
			b.check(t)
			if len(b.goes) < 60 {
				t.Errorf("%s: only %d goes in two minutes", b.at.name, len(b.goes))
			}
		}
	})
}

// pressNewest lets people press the newest Roll: one is on turn.
func (a *discordAPI) pressNewest(c *channel, people ...*user) (pressed bool) {
	id, b := a.newestRoll(c)
	for _, u := range people {
		pressed = id != "" && a.press(c, id, u, b.ID, b.words()) == nil || pressed
	}
	return pressed
}

// newestRoll returns the newest button that throws, and its message.
func (a *discordAPI) newestRoll(c *channel) (message string, found button) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := len(c.messages) - 1; i >= 0; i-- {
		m := c.messages[i]
		if m.deleted || m.reader != nil {
			continue
		}
		for _, row := range m.buttons() {
			for _, b := range row {
				if strings.HasPrefix(b.ID, "roll ") {
					return m.id, b
				}
			}
		}
	}
	return "", button{}
}

// readAll notes what was told since, and lets the API in memory forget it.
func (s *stage) readAll(tables []*table) {
	byChannel := make(map[*channel]*table)
	for _, b := range tables {
		byChannel[b.at] = b
	}
	s.api.mu.Lock()
	defer s.api.mu.Unlock()
	for _, e := range s.api.log {
		if b := byChannel[e.channel]; b != nil && (e.kind == "send" || e.kind == "edit") && e.message.reader == nil {
			b.read(e.message.id, e.message.content)
		}
	}
	s.api.log, s.shown = nil, 0
	for _, b := range tables {
		b.at.messages = b.at.messages[max(0, len(b.at.messages)-10):]
	}
	recent := s.api.interactions[:0]
	for _, in := range s.api.interactions {
		if time.Since(in.at) < time.Minute {
			recent = append(recent, in)
		}
	}
	clear(s.api.interactions[len(recent):])
	for _, gate := range s.api.gate.sessions { // nobody resumes here
		clear(gate.sent)
	}
	s.api.interactions = recent
}

var goLine = regexp.MustCompile(`(\w+) rolls \d+: .*`)

// read takes the goes of a message that were not in it before.
func (b *table) read(id, text string) {
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
			t.Fatalf("%s, go %d: %q, but %s stands on %s", b.at.name, i+1, line, want, at[want])
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
