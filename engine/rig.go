package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"hiss/bot"
	"hiss/engine/rules"
)

// Rig lays hands on chance, on the clock and on the disk, by the directives of
// the terminal and of tests: !dice, !seed, !wait, !full and !restart. What was
// played with its dice or seeds is marked in its record. The zero value is
// ready, a nil *Rig rigs nothing, and both are safe for concurrent use.
type Rig struct {
	// Restart closes and opens everything anew, as after an orderly stop.
	// There's no !restart without it.
	Restart func(context.Context) error

	mu     sync.Mutex
	faces  []int
	seed   *rules.Seed
	waited time.Duration
	full   bool
	engine *Engine // whose clock rings while time passes
}

// Direct obeys a directive.
func (r *Rig) Direct(ctx context.Context, word string, args []string) error {
	switch word {
	case "dice":
		return r.giveDice(args)
	case "seed":
		seed, ok := rules.ParseSeed(strings.Join(args, ""))
		if !ok {
			return errors.New("it takes 16 letters and digits, such as K7Q2-9XMD-4TRA-8BZC")
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.seed = &seed
		return nil
	case "wait":
		d, err := time.ParseDuration(strings.Join(args, ""))
		if err != nil || d < 0 {
			return errors.New("it takes a span of time, such as 90s, 10m or 24h")
		}
		return r.wait(ctx, d)
	case "full":
		r.mu.Lock()
		defer r.mu.Unlock()
		r.full = true
		return nil
	case "restart":
		if r.Restart != nil {
			return r.Restart(ctx)
		}
	}
	return errors.New("there is no such directive; there are !dice, !seed, !wait, !restart, !full, !again, !admin, !file, !gone, !unreachable and !reachable")
}

// wait lets time pass, from one thing that the clock has to do to the next, so that
// all of it is done when it's due and in order.
func (r *Rig) wait(ctx context.Context, d time.Duration) error {
	r.mu.Lock()
	e := r.engine
	r.mu.Unlock()
	if e == nil {
		r.pass(d)
		return nil
	}
	if err := e.KeepTime(ctx); err != nil { // what is due already, and who is there
		return err
	}
	until := e.Now().Add(d)
	for last := (time.Time{}); ; {
		at, err := e.NextDue(ctx)
		if err != nil {
			return err
		}
		if at.IsZero() || at.After(until) || at.Equal(last) {
			r.pass(until.Sub(e.Now()))
			return nil
		}
		last = at
		r.pass(at.Sub(e.Now()))
		if err := e.KeepTime(ctx); err != nil {
			return err
		}
	}
}

// pass sets the clock ahead.
func (r *Rig) pass(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waited += max(d, 0)
}

// turned returns how far the clock was set ahead. A nil rig sets none.
func (r *Rig) turned() time.Duration {
	if r == nil {
		return 0
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.waited
}

// serve tells whose clock rings while time passes.
func (r *Rig) serve(e *Engine) {
	if r != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.engine = e
	}
}

// giveDice gives faces to the next dice thrown, in whatever match. They take
// the numbers of the dice that they replace.
func (r *Rig) giveDice(args []string) error {
	var faces []int
	for _, a := range args {
		face, err := strconv.Atoi(a)
		if err != nil || face < 1 || face > rules.MaxSides {
			return fmt.Errorf("it takes faces from 1 to %d, not %q", rules.MaxSides, a)
		}
		faces = append(faces, face)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faces = append(r.faces, faces...)
	return nil
}

// Clock returns a clock that is as far ahead of another as was waited.
func (r *Rig) Clock(now func() time.Time) func() time.Time {
	if r == nil {
		return now
	}
	return func() time.Time {
		r.mu.Lock()
		defer r.mu.Unlock()
		return now().Add(r.waited)
	}
}

// Disk returns a store that has no space for the next write after !full: of a
// match, a draft, a chat's library or settings, or a person's habits.
func (r *Rig) Disk(s Store) Store {
	if r == nil {
		return s
	}
	return riggedStore{s, r}
}

type riggedStore struct {
	Store
	rig *Rig
}

// space returns an error once after !full.
func (s riggedStore) space() error {
	s.rig.mu.Lock()
	defer s.rig.mu.Unlock()
	if !s.rig.full {
		return nil
	}
	s.rig.full = false
	return fmt.Errorf("%w: the disk is full", ErrNotWritten)
}

func (s riggedStore) Put(ctx context.Context, rec *Record) error {
	if err := s.space(); err != nil {
		return err
	}
	return s.Store.Put(ctx, rec)
}

func (s riggedStore) RemoveChatBoard(ctx context.Context, chat bot.ChatID, name string) error {
	if err := s.space(); err != nil {
		return err
	}
	return s.Store.RemoveChatBoard(ctx, chat, name)
}

func (s riggedStore) PutDraft(ctx context.Context, chat bot.ChatID, d *Draft) error {
	if err := s.space(); err != nil {
		return err
	}
	return s.Store.PutDraft(ctx, chat, d)
}

func (s riggedStore) Decide(ctx context.Context, chat bot.ChatID, id int64, d Decision) (Draft, error) {
	if err := s.space(); err != nil {
		return Draft{}, err
	}
	return s.Store.Decide(ctx, chat, id, d)
}

func (s riggedStore) PutSetting(ctx context.Context, chat bot.ChatID, set Setting) error {
	if err := s.space(); err != nil {
		return err
	}
	return s.Store.PutSetting(ctx, chat, set)
}

func (s riggedStore) PutHabit(ctx context.Context, user bot.UserID, set Setting) error {
	if err := s.space(); err != nil {
		return err
	}
	return s.Store.PutHabit(ctx, user, set)
}

// load returns a match's dice with the faces in hand laid on top. A face that
// the dice don't have is left out.
func (r *Rig) load(d rules.Dice, from, sides int) rules.Dice {
	if r == nil {
		return d
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	faces := slices.Clone(r.faces)
	for i, f := range faces {
		if f > sides {
			faces[i] = d.Face(from + i)
		}
	}
	if len(faces) == 0 {
		return d
	}
	return rules.Loaded{From: from, Faces: faces, Then: d}
}

// thrown takes away the faces that were used up.
func (r *Rig) thrown(dice int) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faces = r.faces[min(dice, len(r.faces)):]
}

// given returns the seed in hand, if there is one. It stays until used.
func (r *Rig) given() (rules.Seed, bool) {
	if r == nil {
		return rules.Seed{}, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seed == nil {
		return rules.Seed{}, false
	}
	return *r.seed, true
}

// used takes the seed away.
func (r *Rig) used() {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seed = nil
}
