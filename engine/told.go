package engine

import (
	"context"
	"errors"
	"sync"
	"time"
)

// quiet is how long a note of what a channel has been told waits for an act
// that it could be written with.
const quiet = time.Second

// told remembers up to which act channels have been told: until that is on
// disk, and a while longer, since matches in memory don't know what was written
// since they were.
type told struct {
	store interface {
		Tell(ctx context.Context, match int64, told int) error
	}
	mu    sync.Mutex
	marks map[int64]toldMark
}

type toldMark struct {
	acts int
	at   time.Time
	kept bool // it is on disk
}

// mark notes that a match's channel has been told of that many acts.
func (t *told) mark(match int64, acts int, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.marks == nil {
		t.marks = make(map[int64]toldMark)
	}
	if t.marks[match].acts < acts {
		t.marks[match] = toldMark{acts: acts, at: now}
	}
}

// upTo returns how many acts have been told, as far as noted here.
func (t *told) upTo(match int64) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.marks[match].acts
}

// written says that a number is on disk: up to there nothing need be written.
func (t *told) written(match int64, acts int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if m, ok := t.marks[match]; ok && m.acts <= acts {
		m.kept = true
		t.marks[match] = m
	}
}

// flush writes the notes made before a time, and forgets old ones.
func (t *told) flush(ctx context.Context, before time.Time) error {
	t.mu.Lock()
	due := make(map[int64]int)
	for match, m := range t.marks {
		switch {
		case m.kept && m.at.Before(before.Add(-idleAfter)):
			delete(t.marks, match)
		case !m.kept && m.at.Before(before):
			due[match] = m.acts
		}
	}
	t.mu.Unlock()
	var errs []error
	for match, acts := range due {
		if err := t.store.Tell(ctx, match, acts); err != nil {
			errs = append(errs, err)
			continue
		}
		t.written(match, acts)
	}
	return errors.Join(errs...)
}
