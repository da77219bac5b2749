package store_test

import (
	"context"
	"path/filepath"
	"testing"

	"hiss/bot"
	"hiss/engine"
	"hiss/engine/enginetest"
	"hiss/store"
)

// open opens a store that is closed when the test is over.
func open(t testing.TB, path string, opts ...store.Option) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), path, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return s
}

func file(t testing.TB) string { return filepath.Join(t.TempDir(), "hiss.db") }

func TestStore(t *testing.T) {
	enginetest.TestStore(t, func(t *testing.T) engine.Store { return open(t, file(t)) })
}

func TestReopen(t *testing.T) {
	enginetest.TestReopen(t, func(t *testing.T) (engine.Store, func() engine.Store) {
		path := file(t)
		s := open(t, path)
		return s, func() engine.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open(t, path)
			return s
		}
	})
}

func TestNotes(t *testing.T) {
	enginetest.TestNotes(t, func(t *testing.T) (bot.Notes, func() bot.Notes) {
		path := file(t)
		s := open(t, path)
		return s.Notes(), func() bot.Notes {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = open(t, path)
			return s.Notes()
		}
	})
}
