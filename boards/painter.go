package boards

import "fmt"

// Widths of pictures that suit chats, in pixels: crisp on a phone, and small
// files.
const (
	PictureWidth = 1000
	FilmWidth    = 480
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
	// square not at all, and of more than 64 the first 64.
	Pieces []Piece
	Last   Move // the go that led here
	// Title is one line below the board; characters that the font lacks are left out,
	// and of a board's title that it can't write at all, the board's name is written.
	Title string
}

// Painter draws pictures of one board. What never changes is drawn when it is
// made; it keeps that, a little more than a byte for each pixel, and nothing
// else. It may be used by any number of goroutines at once.
type Painter struct {
	board  Board
	theme  *Theme
	layout layout
	bands  *bands
}

// NewPainter returns a painter of a board, which has to be valid, for pictures
// so many pixels wide: from 320 to 1,600, others are brought into that range.
// Their height follows from the board, and is at most one and a half times the
// width.
//
// Making one takes some ten times as long as a picture: keep those of the boards
// in use.
func NewPainter(b Board, t *Theme, width int) *Painter {
	p := &Painter{board: b, theme: t, layout: arrange(b, max(320, min(width, 1600)))}
	ground := newCanvas(t, p.layout.width, p.layout.height)
	p.whole(ground)
	packed, err := newBands(ground.Paletted, max(8, p.layout.cell/2))
	if err != nil { // a buffer takes anything
		panic(fmt.Sprintf("boards: %v", err))
	}
	p.bands = packed
	return p
}

// mostPieces is how many pieces are shown.
const mostPieces = 64

// whole draws what never changes.
func (p *Painter) whole(c *canvas) {
	c.ground(p.board, &p.layout)
	c.jumps(p.board, &p.layout)
	for _, s := range p.board.Specials {
		c.symbol(&p.layout, s)
	}
	c.flag(&p.layout)
	c.numbers(&p.layout)
	c.empty(&p.layout)
}

// Size returns the pixels of each picture.
func (p *Painter) Size() (width, height int) { return p.layout.width, p.layout.height }

// PNG returns the picture of a scene.
func (p *Painter) PNG(s Scene) ([]byte, error) {
	c := p.theme.canvas(p.layout)
	defer p.theme.keep(c)
	p.paint(c, s)
	return p.bands.png(c)
}

// paint draws a scene on the board's ground.
func (p *Painter) paint(c *canvas, s Scene) {
	copy(c.Pix, p.bands.ground.Pix)
	p.over(c, s)
}

// over draws what a scene puts on the ground.
func (p *Painter) over(c *canvas, s Scene) {
	s.Pieces = s.Pieces[:min(len(s.Pieces), mostPieces)]
	if m := s.Last; len(m.Path) > 0 && m.By >= 0 && m.By < len(s.Pieces) {
		c.trail(p.board, &p.layout, m, s.Pieces[m.By].kind())
	}
	c.told(p.board, &p.layout, s)
	c.waiting(&p.layout, s.Pieces)
	c.tokens(&p.layout, s.Pieces)
}
