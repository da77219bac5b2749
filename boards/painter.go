package boards

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
)

// Widths of pictures that suit chats, in pixels: crisp on a phone, and small
// files.
const (
	PictureWidth = 800
	FilmWidth    = 560
)

// Move is a go as pictures show it.
type Move struct {
	By     int   // the piece, by its place among the scene's pieces
	Thrown []int // the totals of the go's throws
	// Path is every square the token was on, from the one it began on: where it
	// landed, where a jump led from there, and the last one where it had to
	// count back. One square twice says that it stayed. Without a path, no go is
	// shown.
	Path []int
}

// Scene is what a picture shows on a board.
type Scene struct {
	// Pieces are shown on their squares: on 0 beside the board, those on no
	// square not at all.
	Pieces []Piece
	Last   Move   // the go that led here
	Title  string // one line below the board; characters that the font lacks are left out
}

// Painter draws pictures of one board. What never changes is drawn when it is
// made; it keeps about a byte for each pixel of a picture, three times at most.
// It may be used by any number of goroutines at once, each of which needs some
// two bytes a pixel while it draws.
type Painter struct {
	board  Board
	theme  *Theme
	layout layout
	ground *image.Paletted
	spare  chan *canvas // of pictures drawn before
	buffer buffers
}

// spares is how many canvases a painter keeps for the next pictures.
const spares = 2

// NewPainter returns a painter of a board, which has to be valid, for pictures
// so many pixels wide: from 320 to 1,600, others are brought into that range.
// Their height follows from the board, and is never more than a third over the
// width and the strip below the board.
//
// Making one takes some thirty times as long as a picture, more for boards with
// hundreds of jumps: keep those of the boards in use.
func NewPainter(b Board, t *Theme, width int) *Painter {
	l := arrange(b, max(320, min(width, 1600)))
	c := newCanvas(t, l.width, l.height)
	c.ground(b, &l)
	c.jumps(b, &l)
	c.numbers(&l)
	c.empty(&l)
	return &Painter{
		board: b, theme: t, layout: l, ground: c.Paletted,
		spare: make(chan *canvas, spares), buffer: make(buffers, spares),
	}
}

// Size returns the pixels of each picture.
func (p *Painter) Size() (width, height int) { return p.layout.width, p.layout.height }

// PNG returns the picture of a scene.
func (p *Painter) PNG(s Scene) ([]byte, error) {
	c := p.canvas()
	defer p.keep(c)
	p.paint(c, s)
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: p.buffer}
	if err := encoder.Encode(&out, c.Paletted); err != nil {
		return nil, fmt.Errorf("writing the picture: %w", err)
	}
	return out.Bytes(), nil
}

// paint draws a scene on the board's ground.
func (p *Painter) paint(c *canvas, s Scene) {
	copy(c.Pix, p.ground.Pix)
	if m := s.Last; len(m.Path) > 0 && m.By >= 0 && m.By < len(s.Pieces) {
		c.trail(p.board, &p.layout, m, s.Pieces[m.By].kind())
	}
	c.told(p.board, &p.layout, s)
	c.waiting(&p.layout, s.Pieces)
	c.tokens(&p.layout, s.Pieces)
}

// canvas returns one to draw on, with whatever was drawn on it last.
func (p *Painter) canvas() *canvas {
	select {
	case c := <-p.spare:
		return c
	default:
		return newCanvas(p.theme, p.layout.width, p.layout.height)
	}
}

// keep takes back a canvas that is no longer drawn on.
func (p *Painter) keep(c *canvas) {
	select {
	case p.spare <- c:
	default:
	}
}

// buffers are what pictures were written with before; png.Encoder asks for them.
type buffers chan *png.EncoderBuffer

// Get returns one, or nil.
func (b buffers) Get() *png.EncoderBuffer {
	select {
	case one := <-b:
		return one
	default:
		return nil
	}
}

// Put takes one back.
func (b buffers) Put(one *png.EncoderBuffer) {
	select {
	case b <- one:
	default:
	}
}
