package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"hiss/boards"
	"hiss/engine/odds"
	"hiss/engine/rules"
)

// tracks are the compiled boards and rules that matches share, and the boards
// that are known to be in the store. They are thrown away when there are too
// many, since they can be made again.
type tracks struct {
	store interface {
		Board(ctx context.Context, hash string) (string, error)
		AddBoard(ctx context.Context, hash, file string) error
	}
	mu       sync.Mutex
	compiled map[trackKey]*rules.Track
	kept     map[string]bool
	tables   map[trackKey]*odds.Table
}

type trackKey struct{ board, rules string }

// maxTracks is how many tracks are remembered. An ordinary one takes 5 KB.
const maxTracks = 500

// of returns the track of a record, by the board's hash and the rules'
// notation.
func (t *tracks) of(ctx context.Context, board, notation string) (*rules.Track, error) {
	t.mu.Lock()
	track := t.compiled[trackKey{board, notation}]
	t.mu.Unlock()
	if track != nil {
		return track, nil
	}
	file, err := t.store.Board(ctx, board)
	if errors.Is(err, ErrNotFound) {
		return nil, unreadable{fmt.Errorf("board %s is missing", board)}
	}
	if err != nil {
		return nil, fmt.Errorf("board %s: %w", board, err)
	}
	b, err := boards.Parse("board.yaml", []byte(file))
	if err != nil {
		return nil, unreadable{fmt.Errorf("board %s: %w", board, err)}
	}
	r, err := rules.ParseNotation(notation)
	if err != nil {
		return nil, unreadable{err}
	}
	if track, err = rules.Compile(b, r); err != nil {
		return nil, unreadable{err}
	}
	t.remember(trackKey{board, notation}, track)
	return track, nil
}

func (t *tracks) remember(key trackKey, track *rules.Track) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.compiled == nil || len(t.compiled) >= maxTracks {
		t.compiled = make(map[trackKey]*rules.Track)
	}
	t.compiled[key] = track
}

// keep sees to it that the store has a track's board, and returns its hash.
func (t *tracks) keep(ctx context.Context, track *rules.Track) (hash string, err error) {
	hash = track.Board().Hash()
	t.mu.Lock()
	kept := t.kept[hash]
	t.mu.Unlock()
	if !kept {
		if err := t.store.AddBoard(ctx, hash, track.Board().File()); err != nil {
			return "", fmt.Errorf("keeping board %s: %w", track.Board().Name, err)
		}
		t.mu.Lock()
		if t.kept == nil || len(t.kept) >= maxTracks {
			t.kept = make(map[string]bool)
		}
		t.kept[hash] = true
		t.mu.Unlock()
	}
	t.remember(trackKey{hash, track.Rules().Notation()}, track)
	return hash, nil
}
