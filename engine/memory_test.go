package engine_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"hiss/bot"
	"hiss/engine"
	"hiss/engine/rules"
)

// memory is a store without a disk, for bubbles of package synctest, in which
// nothing may wait for one. It keeps the contract as far as the tests need it.
type memory struct {
	shelves
	mu     sync.Mutex
	recs   []engine.Record // by number, from 1 on
	boards map[string]string
	tells  int
}

func (m *memory) Put(ctx context.Context, r *engine.Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.ID == 0 {
		latest := m.latest(r.Channel)
		if latest != nil && (latest.Open || latest.ID != r.Follows) || latest == nil && r.Follows != 0 {
			return engine.ErrConflict
		}
		r.ID, r.Version = int64(len(m.recs)+1), 1
		m.recs = append(m.recs, *r)
		return nil
	}
	old := &m.recs[r.ID-1]
	if old.Version != r.Version {
		return engine.ErrConflict
	}
	r.Version++
	told := max(old.Told, r.Told)
	*old = *r
	old.Told = told
	old.Seats, old.Barred, old.Deliveries = slices.Clone(r.Seats), slices.Clone(r.Barred), slices.Clone(r.Deliveries)
	return nil
}

func (m *memory) latest(c bot.Channel) *engine.Record {
	for i := len(m.recs) - 1; i >= 0; i-- {
		if m.recs[i].Channel == c {
			return &m.recs[i]
		}
	}
	return nil
}

func (m *memory) Latest(ctx context.Context, c bot.Channel) (engine.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if r := m.latest(c); r != nil {
		return *r, ctx.Err()
	}
	return engine.Record{}, engine.ErrNotFound
}

func (m *memory) Tell(_ context.Context, id int64, told int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tells++
	m.recs[id-1].Told = max(told, m.recs[id-1].Told)
	return nil
}

func (m *memory) Match(_ context.Context, id int64) (engine.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if id < 1 || id > int64(len(m.recs)) {
		return engine.Record{}, engine.ErrNotFound
	}
	return m.recs[id-1], nil
}

func (m *memory) BySeed(_ context.Context, seed string) (engine.Record, error) {
	return m.find(func(r engine.Record) bool { return r.Seed == seed })
}

func (m *memory) find(is func(engine.Record) bool) (engine.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range slices.Backward(m.recs) {
		if is(r) {
			return r, nil
		}
	}
	return engine.Record{}, engine.ErrNotFound
}

func (m *memory) Finished(_ context.Context, chat bot.ChatID, limit int) (found []engine.Record, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range slices.Backward(m.recs) {
		if r.Channel.Chat == chat && !r.Open && !r.Aside && len(found) < limit {
			found = append(found, r)
		}
	}
	return found, nil
}

func (m *memory) Board(_ context.Context, hash string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if file, ok := m.boards[hash]; ok {
		return file, nil
	}
	return "", engine.ErrNotFound
}

func (m *memory) AddBoard(_ context.Context, hash, file string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.boards == nil {
		m.boards = make(map[string]string)
	}
	m.boards[hash] = file
	return nil
}

func (m *memory) Untold(_ context.Context, after int64, limit int) (found []engine.Record, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.recs {
		if r.ID > after && r.Told < r.Entries && len(found) < limit {
			found = append(found, r)
		}
	}
	slices.SortFunc(found, func(a, b engine.Record) int { return cmp.Compare(a.ID, b.ID) })
	return found, nil
}

func (m *memory) SetAside(_ context.Context, id int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := &m.recs[id-1]
	r.Open, r.Aside = false, true
	r.Version++
	return nil
}

func (m *memory) Seated(_ context.Context, chat bot.ChatID, user bot.UserID) (all []bot.Channel, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.recs {
		sits := func(s engine.Sitter) bool { return s.User == user && user != "" }
		if r.Open && r.Channel.Chat == chat && slices.ContainsFunc(r.Seats, sits) {
			all = append(all, r.Channel)
		}
	}
	return all, nil
}

// due returns the open matches of adapters that have a deadline, the earliest
// first.
func (m *memory) due(adapters []string) (found []engine.Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.recs {
		adapter, _, named := strings.Cut(string(r.Channel.Chat), ":")
		if r.Open && !r.Deadline.IsZero() && named && slices.Contains(adapters, adapter) {
			found = append(found, r)
		}
	}
	slices.SortStableFunc(found, func(a, b engine.Record) int { return a.Deadline.Compare(b.Deadline) })
	return found
}

func (m *memory) Due(ctx context.Context, before time.Time, adapters []string, limit int) (all []bot.Channel, err error) {
	for _, r := range m.due(adapters) {
		if !r.Deadline.After(before) && len(all) < limit {
			all = append(all, r.Channel)
		}
	}
	return all, ctx.Err()
}

func (m *memory) NextDue(ctx context.Context, adapters []string) (time.Time, error) {
	if found := m.due(adapters); len(found) > 0 {
		return found[0].Deadline, ctx.Err()
	}
	return time.Time{}, ctx.Err()
}

func (m *memory) Move(context.Context, bot.ChatID, bot.ChatID) error { return nil }

func countedSeeds() func() (rules.Seed, error) {
	n := uint64(0)
	return func() (rules.Seed, error) { n++; return rules.SeedNumber(n), nil }
}

// inbox is an adapter that takes what nobody asked for.
type inbox struct {
	fail error // of the next Send
	sent []delivery
}

type delivery struct {
	channel bot.Channel
	message bot.Message
}

func (d delivery) String() string { return fmt.Sprintf("%s: %s", d.channel, d.message.Text()) }

func (i *inbox) Name() string { return "fake" }

func (i *inbox) Run(context.Context, bot.Handler) error { return nil }

func (i *inbox) Reachable() bool { return true }

func (i *inbox) Member(context.Context, bot.ChatID, bot.UserID) (bool, error) { return true, nil }

func (i *inbox) Send(_ context.Context, c bot.Channel, a bot.Answer) error {
	if err := i.fail; err != nil {
		i.fail = nil
		return err
	}
	for _, m := range a.Channel {
		i.sent = append(i.sent, delivery{c, m})
	}
	if a.Told != nil {
		a.Told()
	}
	return nil
}
