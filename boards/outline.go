package boards

import "math"

// point is a place in a picture, in pixels from its upper left corner.
type point struct{ x, y float32 }

func (p point) add(q point) point              { return point{p.x + q.x, p.y + q.y} }
func (p point) sub(q point) point              { return point{p.x - q.x, p.y - q.y} }
func (p point) times(f float32) point          { return point{p.x * f, p.y * f} }
func (p point) along(d point, n float32) point { return point{p.x + d.x*n, p.y + d.y*n} }
func (p point) length() float32                { return float32(math.Hypot(float64(p.x), float64(p.y))) }

// left returns p turned by a quarter, to the left on a screen whose y points
// down.
func (p point) left() point { return point{p.y, -p.x} }

// unit returns p with length 1; of no length, it points to the right.
func (p point) unit() point {
	n := p.length()
	if n < 1e-6 {
		return point{1, 0}
	}
	return point{p.x / n, p.y / n}
}

// outline is what is to be filled: closed rings of points. Rings that run the
// same way round add up, those that run the other way cut holes.
type outline [][]point

// with returns the outline with others, which have to run the same way round.
func (o outline) with(others ...outline) outline {
	for _, other := range others {
		o = append(o, other...)
	}
	return o
}

// moved returns the outline in another place.
func (o outline) moved(by point) outline {
	out := make(outline, len(o))
	for i, ring := range o {
		out[i] = make([]point, len(ring))
		for j, p := range ring {
			out[i][j] = p.add(by)
		}
	}
	return out
}

// turned returns the outline, drawn around 0,0 and looking to the right, in
// another place, looking along the direction, which has length 1.
func (o outline) turned(at, along point) outline {
	out := make(outline, len(o))
	for i, ring := range o {
		out[i] = make([]point, len(ring))
		for j, p := range ring {
			out[i][j] = at.along(along, p.x).along(along.left(), -p.y)
		}
	}
	return out
}

// regular returns a polygon with so many corners on a circle, the first one
// turned by so much of a full turn from the right.
func regular(at point, radius float32, corners int, turn float64) outline {
	ring := make([]point, corners)
	for i := range ring {
		sin, cos := math.Sincos(2 * math.Pi * (turn + float64(i)/float64(corners)))
		ring[i] = point{at.x + radius*float32(cos), at.y + radius*float32(sin)}
	}
	return outline{ring}
}

// circle returns a disc. Of more corners than these, nothing would be seen.
func circle(at point, radius float32) outline {
	return regular(at, radius, max(8, min(64, int(4*math.Sqrt(float64(radius)))+6)), 0)
}

// ellipse returns one that lies along the direction, which has length 1.
func ellipse(at, along point, long, wide float32) outline {
	o := regular(point{}, 1, len(circle(point{}, long)[0]), 0)
	for i, p := range o[0] {
		o[0][i] = point{p.x * long, p.y * wide}
	}
	return o.turned(at, along)
}

// oblong returns a rectangle with round corners.
func oblong(x0, y0, x1, y1, radius float32) outline {
	radius = max(0, min(radius, (x1-x0)/2, (y1-y0)/2))
	if radius == 0 {
		return outline{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}}
	}
	var ring []point
	const steps = 6
	for i, c := range [...]point{{x1 - radius, y0 + radius}, {x1 - radius, y1 - radius}, {x0 + radius, y1 - radius}, {x0 + radius, y0 + radius}} {
		for s := range steps + 1 {
			sin, cos := math.Sincos(math.Pi / 2 * (float64(i-1) + float64(s)/steps))
			ring = append(ring, point{c.x + radius*float32(cos), c.y + radius*float32(sin)})
		}
	}
	return outline{ring}
}

// bar returns a straight stroke with flat ends.
func bar(from, to point, width float32) outline {
	side := to.sub(from).unit().left().times(width / 2)
	return outline{{from.add(side), to.add(side), to.sub(side), from.sub(side)}}
}

// ribbon returns the stroke along a smooth line, as wide as width says for each
// share of its length; its ends are flat. It is one ring, so that its edges are
// as smooth as the line.
func ribbon(line []point, width func(share float32) float32) outline {
	n := len(line)
	ring := make([]point, 2*n)
	for i, p := range line {
		before, after := line[max(i-1, 0)], line[min(i+1, n-1)]
		side := after.sub(before).unit().left().times(width(float32(i)/float32(n-1)) / 2)
		ring[i], ring[2*n-1-i] = p.add(side), p.sub(side)
	}
	return outline{ring}
}

// even returns a width that stays the same.
func even(width float32) func(float32) float32 { return func(float32) float32 { return width } }

// grown returns a ring, which has to be convex or nearly so, moved outwards by
// so many pixels.
func grown(ring []point, by float32) []point {
	n := len(ring)
	out := make([]point, n)
	for i, p := range ring {
		a := p.sub(ring[(i+n-1)%n]).unit().left()
		b := ring[(i+1)%n].sub(p).unit().left()
		middle := a.add(b).unit()
		// The sharper the corner, the further out its point; not without end.
		stretch := 1 / max(0.5, middle.x*a.x+middle.y*a.y)
		out[i] = p.along(middle, by*stretch)
	}
	return out
}

// rounded returns a polygon whose corners are cut off round.
func rounded(ring []point, radius float32) []point {
	n := len(ring)
	var out []point
	for i, p := range ring {
		before, after := ring[(i+n-1)%n].sub(p), ring[(i+1)%n].sub(p)
		cut := min(radius, before.length()*0.45, after.length()*0.45)
		a, b := p.along(before.unit(), cut), p.along(after.unit(), cut)
		const steps = 5
		for s := range steps + 1 {
			t := float32(s) / steps
			out = append(out, a.times((1-t)*(1-t)).add(p.times(2*t*(1-t))).add(b.times(t*t)))
		}
	}
	return out
}
