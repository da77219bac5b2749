package odds

import (
	"hiss/boards"
	"hiss/engine/rules"
)

// walk is a search from square 0, roll by roll: what a token can come to at
// all. Its nodes are a spot and the number of bonus rolls in a row so far in the go.
type walk struct {
	spots
	throws throws
	rows   int // nodes per spot

	seen   []bool // per node
	plain  []bool // per spot: rolls without a bonus were followed
	begun  []bool // per spot: a go can begin there, or go on as if it did
	met    []bool // per spot: a token can be there, in the middle of a go too
	stood  []bool // per square: a token can come to rest there, in the middle of a go too
	taken  []bool // per square: a jump that starts there is taken by some token
	skips  bool   // some token comes to rest on a square that passes over the next seat
	queue  []int
	fewest int // throws to the last square, -1 if there's no way
}

// walkOf searches everything that can follow. Nodes are visited by the number
// of throws they take. A roll without a bonus leads to the same from all nodes
// of a spot, so it is followed from the first one only. A void leads back to
// where the go began, which was visited before. That a go has no room for more
// than rules.MaxRolls is left aside.
func walkOf(t *rules.Track) *walk {
	w := &walk{spots: spotsOf(t), throws: throwsOf(t.Rules()), fewest: -1}
	w.rows = max(w.throws.rows, 1)
	size, spots := t.Size(), w.count()
	w.seen = make([]bool, spots*w.rows)
	w.plain, w.begun, w.met = make([]bool, spots), make([]bool, spots), make([]bool, spots)
	w.stood, w.taken = make([]bool, size+1), make([]bool, size+1)
	w.stood[0] = true
	w.arrive(0, 0)
	thrown := 0
	for next := len(w.queue); len(w.queue) > 0; next = len(w.queue) {
		thrown++
		for _, node := range w.queue[:next] {
			w.follow(node/w.rows, node%w.rows)
		}
		if w.fewest < 0 && w.stood[size] {
			w.fewest = thrown
		}
		w.queue = w.queue[next:]
	}
	return w
}

// arrive visits a node once.
func (w *walk) arrive(spot, row int) {
	if spot == home {
		return
	}
	node := spot*w.rows + row
	if w.seen[node] {
		return
	}
	w.seen[node], w.met[spot] = true, true
	w.queue = append(w.queue, node)
	if row == 0 {
		w.begun[spot] = true
	}
}

func (w *walk) follow(spot, row int) {
	if !w.plain[spot] {
		w.plain[spot] = true
		for i, p := range w.throws.plain {
			if p > 0 {
				to, _ := w.move(spot, i)
				w.arrive(to, 0)
			}
		}
	}
	if w.throws.voids(row + 1) {
		return
	}
	next := 0
	if w.throws.rows > 0 {
		next = row + 1
	}
	for _, i := range w.throws.again {
		if to, again := w.move(spot, i); again {
			w.arrive(to, 0)
		} else {
			w.arrive(to, next)
		}
	}
}

// move returns what spots.to does, and notes what it leads over.
func (w *walk) move(spot, i int) (to int, again bool) {
	token := w.token(spot)
	step := w.track.Step(token.Square, w.throws.low+i, token.Shield)
	if step.Landed != step.To {
		w.taken[step.Landed] = true
	}
	w.stood[step.To] = true
	w.skips = w.skips || step.Effect == boards.Skip
	return w.after(token, step)
}

// Reach is what a token can come to on a board, from square 0 on.
type Reach struct {
	// Share is how many of the board's squares a token ever stands on, 0..1, in
	// the middle of a go and after it. The last square counts, square 0 doesn't.
	// The start of a jump is stood on by nobody who lands there, unless a shield
	// holds off the snake; a square that sends back to the start counts.
	Share float64
	// Unused are the jumps that no token ever takes, sorted by their start.
	Unused []boards.Jump
	// Throws is the fewest throws from square 0 to the last square, bonus rolls
	// counted; -1 if there's no way.
	Throws int
	// Skips says that some token comes to rest on a square that passes over the next seat.
	Skips bool
}

// ReachOf searches a track of any size breadth first. It takes tracks that
// might never end, too.
func ReachOf(t *rules.Track) Reach {
	w := walkOf(t)
	r := Reach{Throws: w.fewest, Skips: w.skips}
	stood := 0
	for _, yes := range w.stood[1:] {
		if yes {
			stood++
		}
	}
	r.Share = float64(stood) / float64(t.Size())
	for _, j := range t.Board().Jumps {
		if !w.taken[j.From] {
			r.Unused = append(r.Unused, j)
		}
	}
	return r
}
