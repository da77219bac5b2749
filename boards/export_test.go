package boards

import (
	"bytes"
	"image"
	"iter"
	"strings"
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

// Called returns what a piece is called in pictures.
func (t *Theme) Called(p Piece) string { return t.called(p) }

// Titled returns what stands for a title in pictures of a board.
func (t *Theme) Titled(b Board, title string) string { return t.titled(b, title) }

// Told returns what the strip says of a go in so much width: its squares and signs
// as numbers and blanks.
func (t *Theme) Told(b Board, p Piece, m Move, size, width float32) (said string, wide float32) {
	told := t.account(b, p, m).fit(size, width)
	for _, part := range told.parts {
		said += part.text + " "
	}
	return strings.Join(strings.Fields(said), " "), told.width(told.size)
}

// FilmWithin returns a film like Film, with another limit of its size.
func (p *Painter) FilmWithin(most, count int, scenes iter.Seq[Scene]) ([]byte, error) {
	return p.film(count, scenes, most)
}
