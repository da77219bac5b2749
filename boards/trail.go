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
	width := max(l.gauge(0.085), float32(l.width)/220)
	edge := float32(l.width) / 400
	var way outline
	var lines [][]point
	for i := 1; i < len(path); i++ {
		if line := l.way(b, path[i-1], path[i]); line != nil {
			lines = append(lines, line)
		}
	}
	draw := func(more float32, with ink) {
		for _, line := range lines {
			way = append(way[:0], ribbon(line, even(width+more))...)
			way = append(way, circle(line[0], width*1.25+more/2)...)
			c.fill(way, with)
			c.fill(arrow(line, 2.4*width, more/2), with)
		}
	}
	draw(4*edge, inkWhite)
	draw(2*edge, inkCasing)
	draw(0, inkToken0+ink(kind))
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
	const far = 30
	if reach(Jump{from, to}) > far || l.cell < 12 || to == 0 {
		return straight(l.stop(from), l.stop(to))
	}
	towards := 1
	if to < from {
		towards = -1
	}
	stops := []point{l.stop(from)}
	for square := from + towards; ; square += towards {
		stops = append(stops, l.stop(square))
		if square == to {
			return bent(stops, float32(l.cell)*0.4)
		}
	}
}

// stop returns where a trail passes a square: below its middle, where it hides
// no number; of 0, in the start.
func (l *layout) stop(square int) point {
	if square == 0 {
		at := l.start()
		return point{float32(at.Min.X) + float32(at.Dy())/2, float32(at.Min.Y+at.Max.Y) / 2}
	}
	return l.centre(square).add(point{0, float32(l.cell) * 0.12})
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
