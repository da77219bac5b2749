package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"hiss/bot"
	"hiss/engine"
)

// anyOrderOfCalls makes calls by chance and holds the store against a model
// that is too simple to be wrong. A dozen runs are enough for a test that runs all
// the time; one that has failed may be repeated as often as it takes to find
// the shortest way there.
func anyOrderOfCalls(s *subject) {
	runs, passed, broken := 0, 0, false
	rapid.Check(s.T, func(t *rapid.T) {
		if passed >= 12 && !broken {
			return
		}
		before := broken
		broken = true
		runs++ // chats of its own, so that all runs can share the store
		m := &model{T: t, store: s.Store, run: runs, names: map[bot.ChatID]*chat{}, matches: map[int64]*match{}}
		t.Repeat(map[string]func(*rapid.T){
			"open":  m.open,
			"act":   m.act,
			"tell":  m.tell,
			"aside": m.aside,
			"move":  m.move,
			"look":  m.check,
		})
		m.check(t)
		broken = before
		passed++
	})
}

// model is what the contract says, in maps.
type model struct {
	*rapid.T
	store   engine.Store
	run     int
	names   map[bot.ChatID]*chat
	matches map[int64]*match
	order   []int64
}

type chat struct {
	name   bot.ChatID
	latest map[string]*match // by place
}

type match struct {
	engine.Record
	chat *chat
}

// record is the match as the store should return it.
func (m *match) record() engine.Record {
	r := m.Record
	r.Channel.Chat = m.chat.name
	return r
}

func (m *model) id(t *rapid.T) bot.ChatID {
	n := rapid.IntRange(1, 4).Draw(t, "chat")
	return bot.ChatID(fmt.Sprintf("%s:%d", m.adapters()[n/4], n))
}

// adapters are the run's own; the last chat is the second one's.
func (m *model) adapters() []string {
	return []string{fmt.Sprint("first", m.run), fmt.Sprint("second", m.run)}
}

func (m *model) chat(id bot.ChatID) *chat {
	if m.names[id] == nil {
		m.names[id] = &chat{name: id, latest: map[string]*match{}}
	}
	return m.names[id]
}

func (m *model) any(t *rapid.T) *match {
	if len(m.order) == 0 {
		t.Skip("no match yet")
	}
	return m.matches[rapid.SampledFrom(m.order).Draw(t, "match")]
}

func (m *model) expect(t *rapid.T, what string, err, want error) {
	if !errors.Is(err, want) {
		t.Fatalf("%s: got error %v, want %v", what, err, want)
	}
}

func (m *model) open(t *rapid.T) {
	r := fresh(bot.Channel{Chat: m.id(t), Place: rapid.SampledFrom([]string{"", "7"}).Draw(t, "place")}, "SEED")
	r.Seed = fmt.Sprint(m.run, len(m.order))
	r.Open = rapid.IntRange(0, 9).Draw(t, "open") > 0
	r.Deliveries = rapid.SliceOfNDistinct(rapid.Uint32(), 0, 3, rapid.ID).Draw(t, "deliveries")
	var before *match
	if c := m.names[r.Channel.Chat]; c != nil {
		before = c.latest[r.Channel.Place]
	}
	if before != nil && rapid.IntRange(0, 9).Draw(t, "follow") > 0 {
		r.Follows = before.ID
	}
	err := m.store.Put(context.Background(), &r)
	if before == nil && r.Follows != 0 || before != nil && (before.Open || before.ID != r.Follows) {
		m.expect(t, "opening", err, engine.ErrConflict)
		return
	}
	m.expect(t, "opening", err, nil)
	if before != nil {
		before.Deliveries = nil
	}
	c := m.chat(r.Channel.Chat)
	opened := &match{r, c}
	c.latest[r.Channel.Place] = opened
	m.matches[r.ID] = opened
	m.order = append(m.order, r.ID)
}

func (m *model) act(t *rapid.T) {
	old := m.any(t)
	r := old.record()
	r.Deliveries, r.Seats, r.Barred = slices.Clone(r.Deliveries), slices.Clone(r.Seats), slices.Clone(r.Barred)
	r.Version += rapid.SampledFrom([]int{0, 0, 0, 0, -1, 1}).Draw(t, "stale")
	r.Acts += rapid.SampledFrom([]string{"", " go", " go go"}).Draw(t, "acts")
	r.Entries += rapid.IntRange(0, 2).Draw(t, "entries")
	r.Told = rapid.IntRange(0, r.Entries).Draw(t, "told")
	r.Deadline = rapid.SampledFrom([]time.Time{{}, second(1), second(100)}).Draw(t, "deadline")
	r.Clock = rapid.SampledFrom([]string{"", "a 90", "b 30 !"}).Draw(t, "clock")
	if rapid.IntRange(0, 3).Draw(t, "barred") == 0 {
		r.Barred = append(r.Barred, engine.Sitter{User: "fake:9", Name: fmt.Sprint(len(r.Barred))})
	}
	if rapid.IntRange(0, 3).Draw(t, "seats") == 0 {
		r.Seats = append(r.Seats, engine.Sitter{User: "fake:9", Name: fmt.Sprint(len(r.Seats))})
	}
	if r.Open && rapid.IntRange(0, 2).Draw(t, "end") == 0 {
		r.Open = false
	}
	version := r.Version
	err := m.store.Put(context.Background(), &r)
	if version != old.Version {
		m.expect(t, "acting", err, engine.ErrConflict)
		return
	}
	m.expect(t, "acting", err, nil)
	r.Told = max(r.Told, old.Told)
	old.Record = r
}

func (m *model) tell(t *rapid.T) {
	old := m.any(t)
	told := rapid.IntRange(0, old.Entries).Draw(t, "told")
	m.expect(t, "Tell", m.store.Tell(context.Background(), old.ID, told), nil)
	old.Told = max(old.Told, told)
}

func (m *model) aside(t *rapid.T) {
	old := m.any(t)
	m.expect(t, "SetAside", m.store.SetAside(context.Background(), old.ID), nil)
	old.Open, old.Aside = false, true
	got, err := m.store.Match(context.Background(), old.ID)
	m.expect(t, "Match", err, nil)
	old.Version = got.Version // which the contract leaves to the store
}

func (m *model) move(t *rapid.T) {
	from, to := m.id(t), m.id(t)
	err := m.store.Move(context.Background(), from, to)
	source, target := m.names[from], m.names[to]
	switch {
	case source != nil && target != nil && source != target:
		for place, a := range source.latest {
			if b := target.latest[place]; b != nil && a.Open && b.Open {
				m.expect(t, "Move", err, engine.ErrConflict)
				return
			}
		}
		m.join(t, source, target)
	case source == nil:
		m.names[from] = m.chat(to)
	case target == nil || source.name == from:
		m.names[to] = source
		source.name = to
	}
	m.expect(t, "Move", err, nil)
}

func (m *model) join(t *rapid.T, source, target *chat) {
	for _, a := range m.matches {
		if a.chat == source {
			a.chat = target
		}
	}
	for place, a := range source.latest {
		b := target.latest[place]
		if b == nil || a.Open || !b.Open && a.ID > b.ID {
			target.latest[place] = a
		}
		for _, both := range []*match{a, b} { // deliveries and version: see aJoinedChannelGoesOn
			if b == nil {
				break
			}
			got, err := m.store.Match(context.Background(), both.ID)
			m.expect(t, "Match", err, nil)
			both.Deliveries, both.Version = got.Deliveries, got.Version
		}
	}
	for name, c := range m.names {
		if c == source {
			m.names[name] = target
		}
	}
}

// check finds in the store what the model says.
func (m *model) check(t *rapid.T) {
	ctx := context.Background()
	for _, want := range m.matches {
		got, err := m.store.Match(ctx, want.ID)
		m.expect(t, "Match", err, nil)
		if d := differ(got, want.record()); d != "" {
			t.Fatalf("match %d: %s", want.ID, d)
		}
	}
	for name, c := range m.names {
		for _, place := range []string{"", "7"} {
			got, err := m.store.Latest(ctx, bot.Channel{Chat: name, Place: place})
			if want := c.latest[place]; want == nil {
				m.expect(t, "Latest", err, engine.ErrNotFound)
			} else if err != nil || got.ID != want.ID {
				t.Fatalf("the latest match of %s/%s is %d, %v; want %d", name, place, got.ID, err, want.ID)
			}
		}
		var want []int64
		for _, id := range slices.Backward(m.order) {
			if r := m.matches[id]; r.chat == c && !r.Open && !r.Aside {
				want = append(want, id)
			}
		}
		found, err := m.store.Finished(ctx, name, 1000)
		m.numbers(t, "Finished", found, err, want)
	}
	for i := range m.adapters() {
		m.due(t, m.adapters()[i:])
	}
	if len(m.order) == 0 {
		return
	}
	var want []int64
	for _, id := range m.order {
		if r := m.matches[id]; !r.Aside && r.Told < r.Entries {
			want = append(want, id)
		}
	}
	found, err := m.store.Untold(ctx, m.order[0]-1, 1000)
	m.numbers(t, "Untold", found, err, want)
}

// due checks what is due at 50 seconds, and when next, in any order of equal
// deadlines.
func (m *model) due(t *rapid.T, adapters []string) {
	var next time.Time
	want := map[bot.Channel]bool{}
	for _, r := range m.matches {
		adapter, _, _ := strings.Cut(string(r.chat.name), ":")
		if !r.Open || r.Deadline.IsZero() || !slices.Contains(adapters, adapter) {
			continue
		}
		if next.IsZero() || r.Deadline.Before(next) {
			next = r.Deadline
		}
		if !r.Deadline.After(second(50)) {
			want[r.record().Channel] = true
		}
	}
	got, err := m.store.NextDue(context.Background(), adapters)
	if err != nil || !got.Equal(next) {
		t.Fatalf("the next deadline of %q is %v, %v; want %v", adapters, got, err, next)
	}
	found, err := m.store.Due(context.Background(), second(50), adapters, 1000)
	if err != nil || len(found) != len(want) {
		t.Fatalf("due of %q: got %v, %v; want %v", adapters, found, err, want)
	}
	for _, c := range found {
		if !want[c] {
			t.Fatalf("due of %q: got %v, want %v", adapters, found, want)
		}
		delete(want, c)
	}
}

func (m *model) numbers(t *rapid.T, what string, got []engine.Record, err error, want []int64) {
	var ids []int64
	for _, r := range got {
		ids = append(ids, r.ID)
	}
	if err != nil || !slices.Equal(ids, want) {
		t.Fatalf("%s: got matches %v, %v; want %v", what, ids, err, want)
	}
}
