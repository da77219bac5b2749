package boards

import "slices"

// step is how one stretch of a go leads from a square to another.
type step uint8

const (
	stays   step = iota // where it is
	walks               // square by square
	climbs              // a ladder
	slides              // a snake
	returns             // counted back, or taken back
)

// stepOf returns how a go got from one square to the next.
func (b Board) stepOf(from, to int) step {
	jumped, ok := b.Jump(from)
	switch {
	case from == to:
		return stays
	case ok && jumped == to && to > from:
		return climbs
	case ok && jumped == to:
		return slides
	case to > from:
		return walks
	default:
		return returns
	}
}

// trail paints the way of the last go, below the tokens.
func (c *canvas) trail(b Board, l *layout, m Move, kind int) {
	path := slices.DeleteFunc(slices.Clone(m.Path), func(square int) bool { return square < 0 || square > l.size })
	if len(path) > mostStops { // what led here last
		path = path[len(path)-mostStops:]
	}
	width := max(l.gauge(0.07), float32(l.width)/230)
	edge := float32(l.width) / 400
	var stretches []stretch
	for i := 1; i < len(path); i++ {
		if line := l.way(b, path[i-1], path[i]); line != nil {
			how := b.stepOf(path[i-1], path[i])
			stretches = append(stretches, stretch{line, how == climbs || how == slides})
		}
	}
	for _, layer := range [...]struct {
		more float32
		with ink
	}{{3 * edge, letterInk(kind)}, {0, inkToken0 + ink(kind)}} {
		for _, s := range stretches {
			s.paint(c, width, layer.more, layer.with)
		}
	}
}

// stretch is a part of a trail: a line with an arrow, or dots, through which the
// ladder or snake is seen that leads along them.
type stretch struct {
	line   []point
	dotted bool
}

// paint paints a stretch so much wider than it is.
func (s stretch) paint(c *canvas, width, more float32, with ink) {
	if s.dotted {
		for _, at := range dots(s.line, 3.6*width) {
			c.fill(circle(at, width*0.85+more/2), with)
		}
		return
	}
	c.fill(ribbon(s.line, even(width+more)).with(circle(s.line[0], width*1.2+more/2)), with)
	c.fill(arrow(s.line, 2.1*width, more/2), with)
}

// dots returns points on a line that are so far from each other.
func dots(line []point, apart float32) []point {
	far, next := float32(0), float32(0)
	var all []point
	for i := 1; i < len(line); i++ {
		step := line[i].sub(line[i-1])
		long := step.length()
		for long > 0 && next <= far+long {
			all = append(all, line[i-1].along(step, (next-far)/long))
			next += apart
		}
		far += long
	}
	return all
}

// mostStops is how many squares of one go are painted.
const mostStops = 24

// way returns the line on which a token goes from one square to the next.
func (l *layout) way(b Board, from, to int) []point {
	switch b.stepOf(from, to) {
	case stays:
		return nil
	case climbs, slides:
		line := l.line(Jump{From: from, To: to})
		if len(line) == 2 {
			line = straight(line[0], line[1])
		}
		return line
	}
	aside := point{}
	if to < from { // beside the way there
		aside.y = float32(l.cell) * 0.2
	}
	const far = 30
	if reach(Jump{from, to}) > far || l.cell < 12 || to == 0 {
		return straight(l.stop(from).add(aside), l.stop(to).add(aside))
	}
	towards := 1
	if to < from {
		towards = -1
	}
	stops := []point{l.stop(from).add(aside)}
	for square := from + towards; ; square += towards {
		stops = append(stops, l.stop(square).add(aside))
		if square == to {
			return bent(stops, float32(l.cell)*0.4)
		}
	}
}

// stop returns where a trail passes a square: where jumps begin and end; of 0,
// in the start.
func (l *layout) stop(square int) point {
	if square == 0 {
		at := l.start()
		return point{float32(at.Min.X) + float32(at.Dy())/2, float32(at.Min.Y+at.Max.Y) / 2}
	}
	from, _ := l.ends(Jump{square, square})
	return from
}

// straight returns a straight line in some points.
func straight(from, to point) []point {
	const steps = 8
	line := make([]point, steps+1)
	for i := range line {
		line[i] = from.along(to.sub(from), float32(i)/steps)
	}
	return line
}

// bent returns the line through the stops with its corners rounded.
func bent(stops []point, radius float32) []point {
	n := len(stops)
	line := []point{stops[0]}
	for i := 1; i < n-1; i++ {
		p, before, after := stops[i], stops[i-1].sub(stops[i]), stops[i+1].sub(stops[i])
		cut := min(radius, before.length()*0.48, after.length()*0.48)
		a, b := p.along(before.unit(), cut), p.along(after.unit(), cut)
		const steps = 6
		for s := range steps + 1 {
			t := float32(s) / steps
			line = append(line, a.times((1-t)*(1-t)).add(p.times(2*t*(1-t))).add(b.times(t*t)))
		}
	}
	return append(line, stops[n-1])
}

// arrow returns a head at the middle of a line that looks along it: at its end
// it would lie under the token.
func arrow(line []point, size, edge float32) outline {
	at := len(line) / 2
	along := line[at].sub(line[max(0, at-1)]).unit()
	shape := outline{{{-size * 0.7, -size}, {size, 0}, {-size * 0.7, size}}}
	shape[0] = grown(shape[0], edge)
	return shape.turned(line[at], along)
}
