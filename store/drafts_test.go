package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"hiss/engine"
	"hiss/store"
)

// draft puts the draft of a board into fake:1 and returns its number.
func draft(t *testing.T, s *store.Store, name string, n int) int64 {
	t.Helper()
	b := board(name, n)
	d := engine.Draft{Name: b.Name, Hash: b.Hash, File: b.File, By: b.By, Sent: b.Added}
	if err := s.PutDraft(context.Background(), "fake:1", &d); err != nil {
		t.Fatal(err)
	}
	return d.ID
}

// TestADraftOfSomebodyForgotten can still be decided, and makes a board by
// nobody.
func TestADraftOfSomebodyForgotten(t *testing.T) {
	ctx := context.Background()
	s := open(t, file(t))
	id := draft(t, s, "jungle", 1)
	if err := s.Write("UPDATE users SET name = NULL"); err != nil {
		t.Fatal(err)
	}
	if d, err := s.Draft(ctx, "fake:1", id); err != nil || d.By != "" || d.Name != "jungle" {
		t.Errorf("got %+v, %v", d, err)
	}
	want := board("jungle", 1)
	want.By = ""
	if _, err := s.Decide(ctx, "fake:1", id, engine.Decision{Verdict: engine.Approved, Most: 1, Now: want.Added}); err != nil {
		t.Fatal(err)
	}
	if got, err := s.ChatBoard(ctx, "fake:1", "jungle"); err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

// TestDraftsAreBounded counts the rows: one a person and chat, and no file of
// a draft that was decided.
func TestDraftsAreBounded(t *testing.T) {
	path := file(t)
	s := open(t, path)
	for round := range 5 {
		for person := range 3 {
			id := draft(t, s, fmt.Sprint("board", round), person)
			verdict := []engine.Verdict{engine.Discarded, engine.Approved}[person%2]
			decision := engine.Decision{Verdict: verdict, Most: 100}
			if _, err := s.Decide(context.Background(), "fake:1", id, decision); err != nil {
				t.Fatal(err)
			}
		}
		draft(t, s, "waits", round%3)
	}
	got := lines(t, other(t, path), "SELECT name || ' ' || ifnull(file, '-') FROM drafts ORDER BY user")
	if want := []string{"board4 -", "waits file 1", "board4 -"}; !slices.Equal(got, want) {
		t.Errorf("the file holds %q, want %q", got, want)
	}
}
