package boards

import (
	"image"
	"math"
)

// effect paints the tint of a square that does something.
func (c *canvas) effect(l *layout, s Special) {
	tint := inkSkipTint + ink(s.Effect-Skip)
	at := l.square(s.Square)
	if l.cell < 12 {
		c.block(at, tint)
		return
	}
	cell := float32(l.cell)
	x, y := float32(at.Min.X), float32(at.Min.Y)
	c.fill(oblong(x+cell*0.04, y+cell*0.04, x+cell*0.96, y+cell*0.96, cell*0.14), tint)
}

// symbol paints what a square does, a shape of its own in the middle, over whatever
// lies there.
func (c *canvas) symbol(l *layout, s Special) {
	if l.cell < 12 {
		return
	}
	cell := float32(l.cell)
	middle := l.centre(s.Square)
	middle.y += cell * 0.1
	shape := effectSymbol(s.Effect).scaled(cell * 0.27).moved(middle)
	if !c.tinted(shape.bounds(), inkSkipTint+ink(s.Effect-Skip)) {
		tint := inkSkipTint + ink(s.Effect-Skip)
		c.fill(shape.haloed(max(1, cell*0.045)), tint)
		c.fill(shape[:1], tint) // also what is open in it
	}
	c.fill(shape, inkSymbol)
}

// tinted reports whether there's nothing but one colour.
func (c *canvas) tinted(r image.Rectangle, with ink) bool {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for _, p := range c.Pix[c.PixOffset(r.Min.X, y):][:r.Dx()] {
			if ink(p) != with {
				return false
			}
		}
	}
	return true
}

// scaled returns the outline so many times as large.
func (o outline) scaled(by float32) outline {
	out := make(outline, len(o))
	for i, ring := range o {
		out[i] = make([]point, len(ring))
		for j, p := range ring {
			out[i][j] = p.times(by)
		}
	}
	return out
}

// effectSymbol returns the symbol of an effect, about 2 wide and 2 high around
// 0,0.
func effectSymbol(e Effect) outline {
	switch e {
	case Skip: // forward past something
		return outline{
			{{-1, -0.75}, {-0.1, 0}, {-1, 0.75}},
			{{-0.15, -0.75}, {0.75, 0}, {-0.15, 0.75}},
			{{0.75, -0.75}, {1.02, -0.75}, {1.02, 0.75}, {0.75, 0.75}},
		}
	case Shield:
		return shieldSymbol()
	case Again: // round and once more
		sin, cos := math.Sincos(2 * math.Pi * 0.86)
		out, on := point{float32(cos), float32(sin)}, point{-float32(sin), float32(cos)}
		end := out.times(0.72)
		return arc(0.72, 0.32, 0.06, 0.86).with(outline{{end.along(out, -0.48), end.along(out, 0.48), end.along(on, 0.66)}})
	default: // all the way back
		return outline{
			{{-1.02, -0.75}, {-0.75, -0.75}, {-0.75, 0.75}, {-1.02, 0.75}},
			{{-0.7, 0}, {0.1, -0.75}, {0.1, -0.22}, {1, -0.22}, {1, 0.22}, {0.1, 0.22}, {0.1, 0.75}},
		}
	}
}

// shieldSymbol returns a shield, its left half hollow.
func shieldSymbol() outline {
	half := func(f float32) []point {
		ring := []point{{0, -f}, {0.85 * f, -0.72 * f}}
		for i := range 9 {
			t := float64(i) / 8
			ring = append(ring, point{f * 0.85 * float32(math.Cos(t*math.Pi/2)), f * (0.05 + 0.95*float32(math.Sin(t*math.Pi/2)))})
		}
		return ring
	}
	whole := half(1)
	for i := len(whole) - 2; i > 0; i-- {
		whole = append(whole, point{-whole[i].x, whole[i].y})
	}
	hole := half(0.68) // runs the other way round, once it is on the left
	for i := range hole {
		hole[i].x = -hole[i].x
	}
	return outline{whole, hole}
}

// arc returns a part of a ring around 0,0 from one share of a full turn to
// another.
func arc(radius, width, from, to float32) outline {
	const steps = 28
	line := make([]point, steps+1)
	for i := range line {
		sin, cos := math.Sincos(2 * math.Pi * float64(from+(to-from)*float32(i)/steps))
		line[i] = point{radius * float32(cos), radius * float32(sin)}
	}
	return ribbon(line, even(width))
}
