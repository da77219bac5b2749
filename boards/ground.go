package boards

import (
	"image"
	"strconv"
)

// ground paints the empty board: its squares, what they do, and the strip.
func (c *canvas) ground(b Board, l *layout) {
	c.block(c.Rect, inkPaper)
	edge := float32(max(2, l.width/260))
	r := l.board
	c.fill(oblong(float32(r.Min.X)-edge, float32(r.Min.Y)-edge, float32(r.Max.X)+edge, float32(r.Max.Y)+edge, edge*2), inkFrame)
	patch := l.patch()
	for square := 1; square <= l.rows*l.columns; square++ {
		at := l.square(square)
		column, row := (at.Min.X-r.Min.X)/l.cell/patch, (r.Max.Y-at.Max.Y)/l.cell/patch
		shade := inkCellA + ink((column+row)%2)
		switch {
		case square > l.size:
			shade = inkPaper
		case square == l.size:
			shade = inkGoal
		}
		c.block(at, shade)
	}
	for _, s := range b.Specials {
		c.effect(l, s)
	}
	c.turns(l)
	s := l.strip
	c.fill(oblong(float32(s.Min.X), float32(s.Min.Y), float32(s.Max.X), float32(s.Max.Y), float32(s.Dy())/5), inkTray)
}

// turns paints, where a row ends, which way it goes on.
func (c *canvas) turns(l *layout) {
	if l.cell < numbered {
		return
	}
	size := float32(l.cell) * 0.11
	for square := l.columns; square < l.size; square += l.columns {
		at := l.square(square)
		tip := point{float32(at.Min.X) + float32(l.cell)/2, float32(at.Min.Y)}
		c.fill(outline{{tip.add(point{0, -size}), tip.add(point{size * 1.2, size * 0.6}), tip.add(point{-size * 1.2, size * 0.6})}}, inkFrame)
	}
}

// flag paints one on the last square; where that's small, a pennant which is planted
// there and may reach into the margin above.
func (c *canvas) flag(l *layout) {
	if l.cell < 20 {
		foot := l.centre(l.size)
		high := min(float32(max(l.cell, 14)), foot.y-1)
		thick := max(1, high/12)
		top := foot.add(point{0, -high})
		cloth := outline{{top, top.add(point{high * 0.7, high * 0.28}), top.add(point{0, high * 0.56})}}
		pole := bar(foot, top, thick)
		c.fill(outline{grown(cloth[0], thick)}.with(bar(foot, top, 3*thick)), inkCasing)
		c.fill(cloth, inkTongue)
		c.fill(pole, inkWhite)
		return
	}
	unit := float32(l.cell) * 0.09
	at := l.square(l.size)
	x, y := float32(at.Max.X)-5.2*unit, float32(at.Max.Y)-1.2*unit
	cloth := y - 6*unit
	shape := oblong(x-0.7*unit, cloth-0.3*unit, x, y, 0).with(oblong(x-0.3*unit, cloth-0.3*unit, x+4.3*unit, cloth+3.3*unit, 0))
	if !c.plain(shape.bounds()) {
		c.fill(shape.haloed(unit*0.6), inkGoal)
	}
	c.fill(shape, inkCasing)
	var checks outline
	for i := range 12 {
		if column, row := float32(i%4), float32(i/4); (i%4+i/4)%2 == 0 {
			checks = append(checks, oblong(x+column*unit, cloth+row*unit, x+(column+1)*unit, cloth+(row+1)*unit, 0)...)
		}
	}
	c.fill(checks, inkWhite)
}

// numbers writes the squares' numbers, over whatever lies there.
func (c *canvas) numbers(l *layout) {
	if l.digits == 0 {
		c.edges(l)
		return
	}
	inset := float32(l.cell) * 0.07
	for square := 1; square <= l.size; square++ {
		at := l.square(square)
		o, _ := c.theme.written(strconv.Itoa(square), l.digits)
		o = o.moved(snapped(point{float32(at.Min.X) + inset, float32(at.Min.Y) + inset + l.digits*capital}))
		under := c.PixOffset(at.Min.X+1, at.Max.Y-1)
		if shade := ink(c.Pix[under]); !c.plain(o.bounds()) {
			if shade > inkGoal {
				shade = inkCellA
			}
			c.fill(o.haloed(max(1, l.digits/10)), shade)
		}
		c.fill(o, inkDigit)
	}
}

// plain reports whether nothing lies on the ground there.
func (c *canvas) plain(r image.Rectangle) bool {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for _, p := range c.Pix[c.PixOffset(r.Min.X, y):][:r.Dx()] {
			if ink(p) > inkGoal {
				return false
			}
		}
	}
	return true
}

// edges writes the numbers of the squares at both ends of as many rows as
// there's room for, the first and the last among them.
func (c *canvas) edges(l *layout) {
	size := float32(l.width) / 48
	every := (int(size*1.3) + l.cell - 1) / l.cell
	if every > 2 {
		every = (every + 4) / 5 * 5
	}
	label := func(row int) {
		y := float32(l.board.Max.Y) - (float32(row)+0.5)*float32(l.cell)
		left, right := row*l.columns+1, (row+1)*l.columns
		if row%2 == 1 {
			left, right = right, left
		}
		gap := size / 2
		if left <= l.size {
			o, w := c.theme.written(strconv.Itoa(left), size)
			c.fill(o.moved(point{float32(l.board.Min.X) - gap - w, y + size*capital/2}), inkDigit)
		}
		if right <= l.size {
			o, _ := c.theme.written(strconv.Itoa(right), size)
			c.fill(o.moved(point{float32(l.board.Max.X) + gap, y + size*capital/2}), inkDigit)
		}
	}
	for row := 0; row < l.rows-1; row += every {
		if row+every/2 < l.rows-1 {
			label(row)
		}
	}
	label(l.rows - 1)
}
