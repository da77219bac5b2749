package boards

import (
	"bytes"
	"image"
)

// stamp is a token drawn once, to be put wherever it stands: for each pixel how
// much of it the token covers, in steps of one of shadesBetween and one more,
// and what is seen there.
type stamp struct {
	rect  image.Rectangle // around the token's middle
	cover []uint8
	pix   []uint8
	edge  ink // what pixels that are covered in part are covered with
}

// stampOf is what makes stamps look different: a token, or something written.
type stampOf struct {
	kind         int // of token; -1 for what is written in with
	with         ink
	text         string
	size         int // in sixteenths of a pixel: a token's radius, or a line's height
	turn, shield bool
}

// mostStamps is how many stamps a canvas keeps: all tokens of a match in the
// sizes they have on the board and beside it, their names, and many squares.
const mostStamps = 256

// stamp returns one that was made before, or makes it.
func (c *canvas) stamp(of stampOf, make func() *stamp) *stamp {
	if s, ok := c.stamps[of]; ok {
		return s
	}
	if len(c.stamps) >= mostStamps {
		clear(c.stamps)
	}
	s := make()
	c.stamps[of] = s
	return s
}

// token paints a piece with its middle at the pixel next to a point, and what
// shows that it is the one to throw.
func (c *canvas) token(p Piece, at point, radius float32) {
	of := stampOf{kind: p.kind(), text: p.letter(), size: int(radius * 16), turn: p.Turn, shield: p.Shield}
	s := c.stamp(of, func() *stamp { return c.theme.cast(p, float32(of.size)/16) })
	at = snapped(at)
	c.press(s, image.Pt(int(at.x), int(at.y)))
}

// write paints s, beginning at the pixel next to a point on its base line.
func (c *canvas) write(s string, size float32, at point, with ink) {
	of := stampOf{kind: -1, with: with, text: s, size: int(size * 16)}
	word := c.stamp(of, func() *stamp {
		o, _ := c.theme.written(s, float32(of.size)/16)
		return c.theme.cut(o, with)
	})
	at = snapped(at)
	c.press(word, image.Pt(int(at.x), int(at.y)))
}

// press puts a stamp on the canvas.
func (c *canvas) press(s *stamp, at image.Point) {
	to := s.rect.Add(at).Intersect(c.Rect)
	for y := to.Min.Y; y < to.Max.Y; y++ {
		from := (y-at.Y-s.rect.Min.Y)*s.rect.Dx() + to.Min.X - at.X - s.rect.Min.X
		row := c.Pix[c.PixOffset(to.Min.X, y):][:to.Dx()]
		cover, pix := s.cover[from:][:len(row)], s.pix[from:][:len(row)]
		for x, share := range cover {
			switch share {
			case 0:
			case shadesBetween + 1:
				row[x] = pix[x]
			default:
				row[x] = c.theme.between(c.theme.rgb[row[x]], c.theme.rgb[s.edge], int32(share))
			}
		}
	}
}

// cast draws a stamp.
func (t *Theme) cast(p Piece, radius float32) *stamp {
	side := int(radius*1.62) + 2
	middle := point{float32(side), float32(side)}
	c := newCanvas(t, 2*side, 2*side)
	rim, edge := c.piece(p, middle, radius)
	s := &stamp{rect: image.Rect(-side, -side, side, side), pix: c.Pix, edge: edge}
	s.cover = c.shares(rim, c.Rect)
	return s
}

// cut makes a stamp of one colour.
func (t *Theme) cut(o outline, with ink) *stamp {
	c := newCanvas(t, 0, 0)
	s := &stamp{rect: o.bounds(), edge: with}
	s.cover = c.shares(o, s.rect)
	s.pix = bytes.Repeat([]byte{uint8(with)}, len(s.cover))
	return s
}

// shares returns how much of each pixel an outline covers, in steps.
func (c *canvas) shares(o outline, box image.Rectangle) []uint8 {
	if box.Empty() {
		return nil
	}
	c.cover(o, box)
	out := make([]uint8, len(c.mask.Pix))
	for i, a := range c.mask.Pix {
		out[i] = uint8((int32(a)*(shadesBetween+1) + 127) / 255)
	}
	return out
}
