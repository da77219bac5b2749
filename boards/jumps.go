package boards

import (
	"cmp"
	"slices"
)

// How long all ladders and snakes that are drawn may be together, in widths of
// the picture; less where squares are too small for numbers. Of more, nobody
// could follow any: beyond it, those that lead over the fewest squares only have
// a mark where they start.
const mostDrawn, mostDrawnSmall = 24, 12

// jumps paints all ladders and snakes, ladders below, the long ones before the
// short ones.
func (c *canvas) jumps(b Board, l *layout) {
	drawn := slices.Clone(b.Jumps)
	slices.SortStableFunc(drawn, func(i, j Jump) int { return cmp.Compare(reach(j), reach(i)) })
	left := mostDrawn * float32(l.width)
	if l.cell < numbered {
		left = mostDrawnSmall * float32(l.width)
	}
	for i, j := range drawn {
		from, to := l.ends(j)
		if left -= to.sub(from).length(); left < 0 {
			for _, j := range drawn[i:] {
				c.hint(l, j)
			}
			drawn = drawn[:i]
			break
		}
	}
	kinds := snakeKindsOf(l, drawn)
	for _, j := range drawn {
		if j.Ladder() {
			foot, top := l.ends(j)
			c.ladder(l, foot, top)
		}
	}
	for i, j := range drawn {
		if !j.Ladder() {
			c.snake(l, l.line(j), kinds[i])
		}
	}
}

// line returns the middle line of a snake, or of a ladder.
func (l *layout) line(j Jump) []point {
	from, to := l.ends(j)
	if j.Ladder() {
		return []point{from, to}
	}
	return l.spine(from, to, j.From%2 == 0) // so that neighbours don't all swing the same way
}

// reach is over how many squares a jump leads.
func reach(j Jump) int { return max(j.To-j.From, j.From-j.To) }

// hint paints a mark where a jump starts that isn't drawn: up or down.
func (c *canvas) hint(l *layout, j Jump) {
	at, size := l.centre(j.From), max(float32(l.cell)*0.3, 2)
	with := inkRail
	if !j.Ladder() {
		size, with = -size, inkSnake0
	}
	c.fill(outline{{at.add(point{0, -size}), at.add(point{size, size}), at.add(point{-size, size})}}, with)
}

// snakeKindsOf gives each snake the colour that least of the snakes which it
// crosses or passes closely have, and which the fewest have at all.
func snakeKindsOf(l *layout, jumps []Jump) []int {
	kinds := make([]int, len(jumps))
	var used [snakeKinds]int
	for i, j := range jumps {
		if j.Ladder() {
			continue
		}
		var near [snakeKinds]int
		for k, other := range jumps[:i] {
			if !other.Ladder() && l.close(j, other) {
				near[kinds[k]]++
			}
		}
		for kind := range snakeKinds {
			if near[kind]*len(jumps)+used[kind] < near[kinds[i]]*len(jumps)+used[kinds[i]] {
				kinds[i] = kind
			}
		}
		used[kinds[i]]++
	}
	return kinds
}

// close reports whether two jumps cross, or come within a square and a half of
// each other.
func (l *layout) close(a, b Jump) bool {
	a0, a1 := l.ends(a)
	b0, b1 := l.ends(b)
	turn := func(p, q, r point) bool { return (q.x-p.x)*(r.y-p.y) > (q.y-p.y)*(r.x-p.x) }
	if turn(a0, b0, b1) != turn(a1, b0, b1) && turn(a0, a1, b0) != turn(a0, a1, b1) {
		return true
	}
	least := 1.5 * float32(l.cell)
	for _, end := range [...]point{b0, b1} {
		if apart(end, a0, a1) < least {
			return true
		}
	}
	return apart(a0, b0, b1) < least || apart(a1, b0, b1) < least
}

// apart returns how far a point is from the line between two others.
func apart(p, from, to point) float32 {
	way := to.sub(from)
	t := ((p.x-from.x)*way.x + (p.y-from.y)*way.y) / max(1e-6, way.x*way.x+way.y*way.y)
	return p.sub(from.along(way, max(0, min(1, t)))).length()
}
