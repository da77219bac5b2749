package queue_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"hiss/adapters/queue"
	"hiss/bot"
)

// TestLanesKeepOrder adds from many goroutines: each channel's things are done in
// order, one at a time, and no more than so many channels at once.
func TestLanesKeepOrder(t *testing.T) {
	const channels, each, sideBySide = 20, 100, 4
	lanes := queue.NewLanes[int](sideBySide)
	var mu sync.Mutex
	done := make(map[int][]int)
	busy, most := 0, 0
	var adding sync.WaitGroup
	for c := range channels {
		adding.Go(func() {
			for i := range each {
				lanes.Add(c, func() {
					mu.Lock()
					busy++
					most = max(most, busy)
					mu.Unlock()
					mu.Lock()
					defer mu.Unlock()
					busy--
					done[c] = append(done[c], i)
				})
			}
		})
	}
	adding.Wait()
	lanes.Wait()
	for c := range channels {
		if len(done[c]) != each || !slices.IsSorted(done[c]) {
			t.Errorf("channel %d: %v", c, done[c])
		}
	}
	if most > sideBySide {
		t.Errorf("%d at once", most)
	}
}

// TestASlowChannelDelaysNoOther lets one hang.
func TestASlowChannelDelaysNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lanes := queue.NewLanes[string](2)
		begun := time.Now()
		var others time.Duration
		lanes.Add("slow", func() { time.Sleep(time.Minute) })
		for range 10 {
			lanes.Add("quick", func() { others = time.Since(begun) })
		}
		lanes.Wait()
		if others != 0 {
			t.Errorf("others waited %v", others)
		}
	})
}

// TestNothingSaidIsLost folds posts in any way that is allowed: every line that
// stays is told in order and once, and everybody is told that it is out, also
// those whose reminder was left out.
func TestNothingSaidIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "posts")
		told := 0
		var line []*queue.Post
		var want, files []string
		pages := make(map[string]bot.Text)
		page := 0
		for i := range n {
			if rapid.Bool().Draw(t, "new page") {
				page++
			}
			m := bot.Message{
				Page: fmt.Sprint(page), Said: bot.Said(fmt.Sprintf("go %d", i)), Now: bot.Said("passing"),
				Sound: rapid.Float64Range(0, 1).Draw(t, "sound") < 0.2,
			}
			if m.Sound {
				page++
				m.Page = fmt.Sprint(page)
			}
			if rapid.Float64Range(0, 1).Draw(t, "document") < 0.2 {
				files = append(files, fmt.Sprint(i))
				m.Document = &bot.Document{Name: fmt.Sprint(i), Data: []byte("size: 9")}
				page++ // for those behind it
				m.Page = fmt.Sprint("file ", i)
			}
			reminds := m.Document == nil && rapid.Float64Range(0, 1).Draw(t, "reminder") < 0.3
			if reminds {
				page++
				m = bot.Message{Page: fmt.Sprint(page), Now: bot.Said("reminder " + fmt.Sprint(page)), Call: &bot.User{}, Sound: true}
			}
			m.Before = pages[m.Page]
			pages[m.Page] = bot.Lines(m.Before, m.Said)
			if !reminds {
				want = append(want, fmt.Sprintf("go %d", i))
			}
			posts := queue.Posts("", bot.Answer{Channel: []bot.Message{m}, Told: func() { told++ }}, time.Time{})
			line = put(line, &posts[0])
			for len(line) > 1 && rapid.Bool().Draw(t, "fold") && line[1].Follows(line[0], 3000) {
				line[1].Follow(line[0])
				line = line[1:]
			}
		}
		got, sent := delivered(line)
		if !slices.Equal(got, want) || told != n || !slices.Equal(sent, files) {
			t.Fatalf("told %q with %q to %d of %d, want %q with %q", got, sent, told, n, want, files)
		}
	})
}

// delivered tells that posts are out, and returns the goes and the files in them.
func delivered(line []*queue.Post) (goes, files []string) {
	for _, p := range line {
		if d := p.Message.Document; d != nil {
			files = append(files, d.Name)
		}
		for l := range strings.Lines(p.Text().String()) {
			if l = strings.TrimSpace(l); strings.HasPrefix(l, "go ") {
				goes = append(goes, l)
			}
		}
		for _, f := range p.Told {
			f()
		}
	}
	return goes, files
}

// put puts a post in line as adapters do.
func put(line []*queue.Post, p *queue.Post) []*queue.Post {
	line = slices.DeleteFunc(line, func(old *queue.Post) bool {
		return old.Yields(p)
	})
	if last := len(line) - 1; last >= 0 && line[last].Takes(p) {
		line[last].Take(p)
		return line
	}
	return append(line, p)
}

// TestAPictureStays where nothing more was said, and gives way to words that go on.
func TestAPictureStays(t *testing.T) {
	board := &bot.Picture{Name: "board.png"}
	for name, c := range map[string]struct {
		later bot.Message
		want  bool
	}{
		"resting": {bot.Message{Page: "1", Now: bot.Said("all are away")}, true},
		"a go":    {bot.Message{Page: "1", Said: bot.Said("go 2")}, false},
	} {
		first := queue.NewPost("", bot.Message{Page: "1", Said: bot.Said("go 1"), Picture: board}, time.Time{})
		later := queue.NewPost("", c.later, time.Time{})
		if line := put(put(nil, &first), &later); len(line) != 1 || (line[0].Message.Picture == board) != c.want {
			t.Errorf("%s: %d posts, %+v", name, len(line), line[0].Message)
		}
	}
}

// TestADocumentIsAMessageOfItsOwn belongs to no page and has no picture; an empty
// one is none.
func TestADocumentIsAMessageOfItsOwn(t *testing.T) {
	m := bot.Message{Page: "1", Picture: &bot.Picture{}, Document: &bot.Document{Name: "a.yaml", Data: []byte("size: 9")}}
	if p := queue.NewPost("", m, time.Now()); p.Message.Page != "" || p.Message.Picture != nil || p.Message.Document == nil {
		t.Errorf("%+v", p.Message)
	}
	m.Document.Data = nil
	if p := queue.NewPost("", m, time.Now()); p.Message.Page != "1" || p.Message.Picture == nil || p.Message.Document != nil {
		t.Errorf("%+v", p.Message)
	}
}

// TestDebtsAreToldOnce keeps what couldn't be told by place, and puts it above
// the next message there.
func TestDebtsAreToldOnce(t *testing.T) {
	debts := make(queue.Debts)
	told := 0
	post := func(place, said string) *queue.Post {
		p := queue.NewPost(place, bot.Message{Said: bot.Said(said), Now: bot.Said("now")}, time.Now())
		p.Told = []func(){func() { told++ }}
		return &p
	}
	debts.Owe(post("7", "one"), 100)
	debts.Owe(post("9", "elsewhere"), 100)
	debts.Owe(post("7", "two"), 100)
	debts.Owe(post("7", ""), 100)
	for i, want := range []string{"one\ntwo\nthree\nnow", "three\nnow"} {
		p := post("7", "three")
		if paid := debts.Pay(p, 100); paid != (i == 0) || p.Text().String() != want {
			t.Errorf("paid: %t, %q, not %q", paid, p.Text().String(), want)
		}
		for _, f := range p.Told {
			f()
		}
	}
	if told != 4 {
		t.Errorf("told %d", told)
	}
	if p := post("9", strings.Repeat("long ", 20)); debts.Pay(p, 100) || len(debts) > 0 {
		t.Error("more than there's room for was paid")
	}
}

// TestACrewClosesInTime does what is urgent, and ends what isn't.
func TestACrewClosesInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := queue.NewCrew()
		done := 0
		c.Serve(nil, func(time.Time) (func(context.Context), time.Duration, bool) {
			if c.Ended() || c.Closing() && done > 2 {
				return nil, 0, false
			}
			if done > 2 {
				return nil, time.Hour, true
			}
			return func(context.Context) { done++ }, 0, true
		})
		c.Serve(nil, func(time.Time) (func(context.Context), time.Duration, bool) {
			return func(ctx context.Context) { <-ctx.Done() }, 0, !c.Ended()
		})
		begun := time.Now()
		time.Sleep(time.Minute)
		c.Close(3 * time.Second)
		if took := time.Since(begun); done != 3 || took != time.Minute+3*time.Second {
			t.Errorf("%d things done, ended after %v", done, took)
		}
	})
}

// TestLiveMessagesStay: what has buttons is told on its own, unless what comes behind it
// makes them useless.
func TestLiveMessagesStay(t *testing.T) {
	button := func(style bot.Style) [][]bot.Button {
		return [][]bot.Button{{{Label: "x", Line: "x", Style: style}}}
	}
	goes := bot.Message{Page: "1", Said: bot.Said("go"), Buttons: button(bot.Primary)}
	next := bot.Message{Page: "2", Said: bot.Said("go"), Buttons: button(bot.Primary)}
	end := bot.Message{Said: bot.Said("over"), Buttons: button(bot.Secondary)}
	card := bot.Message{Page: "board.1", Said: bot.Said("a board"), Buttons: button(bot.Primary), Apart: true}
	setting := bot.Message{Said: bot.Said("quiet is on"), Apart: true}
	for _, c := range []struct {
		about          string
		earlier, later bot.Message
		together       bool
	}{
		{"a go behind a go", goes, next, true},
		{"the end behind a go", goes, end, true},
		{"a setting behind a go", goes, setting, false},
		{"a card behind a go", goes, card, false},
		{"a go behind a card", card, goes, false},
		{"a go behind a setting", setting, goes, true},
		{"a setting behind the end", end, setting, false},
	} {
		earlier, later := queue.NewPost("", c.earlier, time.Time{}), queue.NewPost("", c.later, time.Time{})
		if together := later.Follows(&earlier, 1000); together != c.together {
			t.Errorf("%s: together %t", c.about, together)
		}
	}
}
