package boards

import "image"

// stamp is a token drawn once, to be put wherever it stands: for each pixel how
// much of it the token covers, in steps of one of shadesBetween and one more,
// and what is seen there.
type stamp struct {
	rect  image.Rectangle // around the token's middle
	cover []uint8
	pix   []uint8
	edge  ink // what pixels that are covered in part are covered with
}

// stampOf is what makes tokens look different.
type stampOf struct {
	kind         int
	letter       string
	radius       int // in sixteenths of a pixel
	turn, shield bool
}

// mostStamps is how many stamps a canvas keeps: all tokens of a match, in the
// sizes they have on the board and beside it.
const mostStamps = 96

// token paints a piece with its middle at the pixel next to a point, and what
// shows that it is the one to throw.
func (c *canvas) token(p Piece, at point, radius float32) {
	of := stampOf{p.kind(), p.letter(), int(radius * 16), p.Turn, p.Shield}
	s, ok := c.stamps[of]
	if !ok {
		if len(c.stamps) >= mostStamps {
			c.stamps = nil
		}
		if c.stamps == nil {
			c.stamps = make(map[stampOf]*stamp)
		}
		s = c.theme.cast(p, float32(of.radius)/16)
		c.stamps[of] = s
	}
	at = whole(at)
	c.press(s, image.Pt(int(at.x), int(at.y)))
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
	side := int(radius*2) + 2
	middle := point{float32(side), float32(side)}
	c := newCanvas(t, 2*side, 2*side)
	rim, edge := c.piece(p, middle, radius)
	s := &stamp{rect: image.Rect(-side, -side, side, side), pix: c.Pix, edge: edge}
	// Once more on ground that the rim covers nowhere else, to see where it does.
	c.cover(rim, c.Rect)
	s.cover = make([]uint8, len(c.Pix))
	for i, a := range c.mask.Pix {
		s.cover[i] = uint8((int32(a)*(shadesBetween+1) + 127) / 255)
	}
	return s
}
