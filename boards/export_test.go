package boards

import (
	"bytes"
	"image"
	"iter"
)

// DrawAll draws a scene as if no other had been drawn before it: what
// benchmarks compare with.
func (p *Painter) DrawAll(s Scene) *image.Paletted {
	c := newCanvas(p.theme, p.layout.width, p.layout.height)
	p.whole(c)
	p.over(c, s)
	return c.Paletted
}

// Frame returns the picture of a scene before it is written.
func (p *Painter) Frame(s Scene) *image.Paletted {
	c := p.theme.canvas(p.layout)
	defer p.theme.keep(c)
	p.paint(c, s)
	frame := *c.Paletted
	frame.Pix = bytes.Clone(c.Pix)
	return &frame
}

// FilmWithin returns a film like Film, with another limit of its size.
func (p *Painter) FilmWithin(most, count int, scenes iter.Seq[Scene]) ([]byte, error) {
	return p.film(count, scenes, most)
}
