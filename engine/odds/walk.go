package odds

import (
	"hiss/boards"
	"hiss/engine/rules"
)

// walk is a search from square 0, roll by roll: what a token can come to at
// all. Its nodes are a square and the number of bonus rolls so far in the go.
type walk struct {
	track  *rules.Track
	throws throws
	rows   int // nodes per square

	seen   []bool // per node
	plain  []bool // per square: rolls without a bonus were followed
	begun  []bool // per square: a go can begin there
	stood  []bool // per square: a token can stand there, in the middle of a go too
	taken  []bool // per square: a jump that starts there is taken by some token
	queue  []int
	fewest int // throws to the last square, -1 if there's no way
}

// walkOf searches everything that can follow. Nodes are visited by the number
// of throws they take. A roll without a bonus leads to the same from all nodes
// of a square, so it is followed from the first one only. A void leads back to
// where the go began, which was visited before.
func walkOf(t *rules.Track) *walk {
	w := &walk{track: t, throws: throwsOf(t.Rules()), fewest: -1}
	w.rows = max(w.throws.rows, 1)
	size := t.Size()
	w.seen = make([]bool, size*w.rows)
	w.plain, w.begun = make([]bool, size), make([]bool, size)
	w.stood, w.taken = make([]bool, size+1), make([]bool, size+1)
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
func (w *walk) arrive(square, row int) {
	w.stood[square] = true
	if square == len(w.begun) {
		return
	}
	node := square*w.rows + row
	if w.seen[node] {
		return
	}
	w.seen[node] = true
	w.queue = append(w.queue, node)
	if row == 0 {
		w.begun[square] = true
	}
}

func (w *walk) follow(square, row int) {
	if !w.plain[square] {
		w.plain[square] = true
		for i, p := range w.throws.plain {
			if p > 0 {
				w.arrive(w.move(square, i), 0)
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
		w.arrive(w.move(square, i), next)
	}
}

func (w *walk) move(square, i int) int {
	landed, to := w.track.Move(square, w.throws.low+i)
	if landed != to {
		w.taken[landed] = true
	}
	return to
}

// Reach is what a token can come to on a board, from square 0 on.
type Reach struct {
	// Share is how many of the board's squares a token ever stands on, 0..1, in
	// the middle of a go and after it. The last square counts, square 0 doesn't.
	// The start of a jump is stood on by nobody who lands there.
	Share float64
	// Unused are the jumps that no token ever takes, sorted by their start.
	Unused []boards.Jump
	// Throws is the fewest throws from square 0 to the last square, bonus rolls
	// counted; -1 if there's no way.
	Throws int
}

// ReachOf searches a track of any size breadth first. It takes tracks that
// might never end, too.
func ReachOf(t *rules.Track) Reach {
	w := walkOf(t)
	r := Reach{Throws: w.fewest}
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
