package engine_test

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"hiss/bot"
	"hiss/engine"
	"hiss/engine/enginetest"
)

func TestMemoryKeepsClocks(t *testing.T) {
	enginetest.TestClocks(t, func(*testing.T) engine.Store { return &memory{} })
}

func TestMemoryKeepsShelves(t *testing.T) {
	enginetest.TestShelf(t, func(*testing.T) engine.Store { return &memory{} })
}

// shelves are what memory has beside matches.
type shelves struct {
	mu       sync.Mutex
	boards   map[shelfKey]engine.ChatBoard
	settings map[shelfKey]engine.Setting
	habits   map[bot.UserID]map[string]engine.Setting
	drafts   []engine.Draft // by number, from 1 on; one that was replaced is of nobody
	owners   []bot.ChatID   // of the drafts
}

// shelfKey is a chat's name for something.
type shelfKey struct {
	chat bot.ChatID
	name string
}

func boardKey(chat bot.ChatID, name string) shelfKey { return shelfKey{chat, strings.ToLower(name)} }

// of returns what a chat has, by name.
func of[T any](all map[shelfKey]T, chat bot.ChatID) (found []T) {
	byName := func(a, b shelfKey) int { return cmp.Compare(a.name, b.name) }
	for _, key := range slices.SortedFunc(maps.Keys(all), byName) {
		if key.chat == chat {
			found = append(found, all[key])
		}
	}
	return found
}

func (s *shelves) ChatBoards(_ context.Context, chat bot.ChatID) ([]engine.ChatBoard, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := of(s.boards, chat)
	for i := range found {
		found[i].File = ""
	}
	return found, nil
}

func (s *shelves) ChatBoard(_ context.Context, chat bot.ChatID, name string) (engine.ChatBoard, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b, ok := s.boards[boardKey(chat, name)]; ok {
		return b, nil
	}
	return engine.ChatBoard{}, engine.ErrNotFound
}

func (s *shelves) RemoveChatBoard(_ context.Context, chat bot.ChatID, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.boards[boardKey(chat, name)]; !ok {
		return engine.ErrNotFound
	}
	delete(s.boards, boardKey(chat, name))
	return nil
}

func (s *shelves) PutDraft(_ context.Context, chat bot.ChatID, d *engine.Draft) error {
	if d.By == "" {
		return engine.ErrNotWritten
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.drafts {
		if s.owners[i] == chat && s.drafts[i].By == d.By {
			s.owners[i], s.drafts[i] = "", engine.Draft{}
		}
	}
	d.ID, d.Verdict, d.Judge = int64(len(s.drafts)+1), engine.Pending, ""
	s.drafts, s.owners = append(s.drafts, *d), append(s.owners, chat)
	return nil
}

func (s *shelves) Draft(_ context.Context, chat bot.ChatID, id int64) (engine.Draft, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.draft(chat, func(d engine.Draft) bool { return d.ID == id })
}

func (s *shelves) OpenDraft(_ context.Context, chat bot.ChatID, by bot.UserID) (engine.Draft, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.draft(chat, func(d engine.Draft) bool { return d.By == by && d.Verdict == engine.Pending })
}

func (s *shelves) draft(chat bot.ChatID, is func(engine.Draft) bool) (engine.Draft, error) {
	for i, d := range s.drafts {
		if s.owners[i] == chat && d.ID != 0 && is(d) {
			return d, nil
		}
	}
	return engine.Draft{}, engine.ErrNotFound
}

func (s *shelves) Decide(_ context.Context, chat bot.ChatID, id int64, d engine.Decision) (engine.Draft, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	draft, err := s.draft(chat, func(d engine.Draft) bool { return d.ID == id })
	if err != nil {
		return draft, err
	}
	switch {
	case draft.Verdict != engine.Pending:
		return draft, engine.ErrDecided
	case d.Verdict != engine.Approved && d.Verdict != engine.Discarded:
		return engine.Draft{}, engine.ErrNotWritten
	}
	if d.Verdict == engine.Approved {
		key := boardKey(chat, draft.Name)
		_, taken := s.boards[key]
		switch {
		case taken && !draft.Replace && !d.Replace:
			return engine.Draft{}, engine.ErrTaken
		case !taken && len(of(s.boards, chat)) >= d.Most:
			return engine.Draft{}, engine.ErrFull
		case s.boards == nil:
			s.boards = make(map[shelfKey]engine.ChatBoard)
		}
		s.boards[key] = engine.ChatBoard{Name: draft.Name, Hash: draft.Hash, File: draft.File, By: draft.By, Added: d.Now.Truncate(time.Second)}
	}
	draft.Verdict, draft.Judge, draft.File = d.Verdict, d.Judge, ""
	s.drafts[id-1] = draft
	return draft, nil
}

func (s *shelves) PutSetting(_ context.Context, chat bot.ChatID, set engine.Setting) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.settings == nil {
		s.settings = make(map[shelfKey]engine.Setting)
	}
	s.settings[shelfKey{chat, set.Key}] = set
	return nil
}

func (s *shelves) Setting(_ context.Context, chat bot.ChatID, key string) (engine.Setting, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if set, ok := s.settings[shelfKey{chat, key}]; ok {
		return set, nil
	}
	return engine.Setting{}, engine.ErrNotFound
}

func (s *shelves) Settings(_ context.Context, chat bot.ChatID) ([]engine.Setting, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return of(s.settings, chat), nil
}

func (s *shelves) PutHabit(_ context.Context, user bot.UserID, set engine.Setting) error {
	if user == "" {
		return engine.ErrNotWritten
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.habits == nil {
		s.habits = make(map[bot.UserID]map[string]engine.Setting)
	}
	if s.habits[user] == nil {
		s.habits[user] = make(map[string]engine.Setting)
	}
	set.By = user
	s.habits[user][set.Key] = set
	if set.Value == "" {
		delete(s.habits[user], set.Key)
	}
	return nil
}

func (s *shelves) Habits(_ context.Context, user bot.UserID) (found []engine.Setting, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range slices.Sorted(maps.Keys(s.habits[user])) {
		found = append(found, s.habits[user][key])
	}
	return found, nil
}

// Decide keeps the content of what it lets in with that of the matches.
func (m *memory) Decide(ctx context.Context, chat bot.ChatID, id int64, d engine.Decision) (engine.Draft, error) {
	draft, err := m.Draft(ctx, chat, id)
	if err != nil {
		return draft, err
	}
	decided, err := m.shelves.Decide(ctx, chat, id, d)
	if err == nil && decided.Verdict == engine.Approved {
		err = m.AddBoard(ctx, draft.Hash, draft.File)
	}
	return decided, err
}
