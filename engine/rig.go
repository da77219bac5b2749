package engine

import (
	"slices"
	"sync"

	"hiss/engine/rules"
)

// Rig lays hands on chance: it gives faces to the next dice, and a seed to the
// next match. The directives of the terminal and of tests use it; what was
// played with it is marked in its record. The zero value is ready, a nil *Rig
// rigs nothing, and both are safe for concurrent use.
type Rig struct {
	mu    sync.Mutex
	faces []int
	seed  *rules.Seed
}

// Dice gives faces to the next dice thrown, in whatever match. They take the
// numbers of the dice that they replace.
func (r *Rig) Dice(faces ...int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faces = append(r.faces, faces...)
}

// Seed gives the next match its seed.
func (r *Rig) Seed(s rules.Seed) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seed = &s
}

// load returns a match's dice with the faces in hand laid on top.
func (r *Rig) load(d rules.Dice, from int) rules.Dice {
	if r == nil {
		return d
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.faces) == 0 {
		return d
	}
	return rules.Loaded{From: from, Faces: slices.Clone(r.faces), Then: d}
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
