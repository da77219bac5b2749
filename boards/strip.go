package boards

import (
	"image"
	"strings"
	"unicode/utf8"
)

// start returns where tokens stand that haven't begun: square 0, on the left of
// the strip.
func (l *layout) start() image.Rectangle {
	s := l.strip
	inset := s.Dy() / 12
	return image.Rect(s.Min.X+inset, s.Min.Y+inset, s.Min.X+s.Dx()*3/10, s.Max.Y-inset)
}

// told returns where the strip tells the last go.
func (l *layout) told() image.Rectangle {
	r := l.strip
	r.Min.X = l.start().Max.X
	r.Min.Y -= tile // compared in tiles
	return r
}

// empty paints the start with nobody on it.
func (c *canvas) empty(l *layout) {
	r := l.start()
	x0, y0, x1, y1 := float32(r.Min.X), float32(r.Min.Y), float32(r.Max.X), float32(r.Max.Y)
	c.fill(oblong(x0, y0, x1, y1, float32(r.Dy())/6), inkCellB)
	size := float32(l.width) / 44
	o, _ := c.theme.written("0", size)
	c.fill(o.moved(point{x0 + size*0.5, y0 + size*0.4 + size*capital}), inkDigit)
}

// waiting paints the tokens on square 0.
func (c *canvas) waiting(l *layout, pieces []Piece) {
	var here []Piece
	for _, p := range pieces {
		if p.Square == 0 {
			here = append(here, p)
		}
	}
	r := l.start()
	left := float32(r.Min.X) + float32(l.width)/28
	width, height := float32(r.Max.X)-left-float32(r.Dy())/8, float32(r.Dy())
	rows, perRow := 1, len(here)
	if len(here) > 4 {
		rows, perRow = 2, (len(here)+1)/2
	}
	if len(here) > 16 {
		rows, perRow = 3, (len(here)+2)/3
	}
	pitch := min(width/float32(max(1, perRow)), height/float32(rows), height*0.8)
	spot := func(i int) point {
		return point{left + (float32(i%perRow)+0.5)*pitch, float32(r.Min.Y) + height/2 + (float32(i/perRow)-float32(rows-1)/2)*pitch}
	}
	for _, first := range [...]bool{true, false} {
		for i, p := range here {
			if p.Turn == first {
				c.token(p, spot(i), pitch/2/tokenReach)
			}
		}
	}
}

// told paints what the strip says: the title, the last go, and at the right end
// who is next, or who won.
func (c *canvas) told(b Board, l *layout, s Scene) {
	r := l.strip
	height := float32(r.Dy())
	left, right := float32(l.start().Max.X)+height*0.22, float32(r.Max.X)-height*0.22
	middle := float32(r.Min.Y) + height/2
	for _, p := range s.Pieces {
		if !p.Turn && !p.Winner {
			continue
		}
		radius := height * 0.27
		at := point{right - radius*1.5, middle}
		if p.Winner {
			at.y += radius * 0.5
			radius *= 0.85
			c.crown(at.add(point{0, -radius * 1.42}), radius*0.85)
		}
		c.token(p, at, radius)
		right = at.x - radius*2.1
		if p.Turn {
			size := radius * 0.5
			c.fill(outline{{{right - size, middle - size}, {right + size*0.5, middle}, {right - size, middle + size}}}, inkText)
			right -= size * 1.6
		}
		break
	}
	if s.Title != "" {
		size := height * 0.25
		c.write(c.theme.shortened(c.theme.titled(b, s.Title), size, right-left), size, point{left, float32(r.Min.Y) + height*0.32}, inkMuted)
		middle += height * 0.14
	}
	if m := s.Last; len(m.Path) > 0 && m.By >= 0 && m.By < len(s.Pieces) {
		told := c.theme.account(b, s.Pieces[m.By], m)
		c.say(told.fit(height*0.34, right-left), left, middle)
	}
}

// titled returns a scene's title as the font can write it. Where that leaves nothing
// of the board's own title, the board's name stands for it.
func (t *Theme) titled(b Board, title string) string {
	if shown := clean(b.Shown()); t.spelledOr(shown, "") == "" {
		title = strings.Replace(title, shown, b.Name, 1)
	}
	return t.spelledOr(title, b.Name)
}

// shortened returns as much of s, which the font can write, as there's so much room for.
func (t *Theme) shortened(s string, size, width float32) string {
	s = excerpt(s, MaxTitle)
	if t.width(s, size) <= width {
		return s
	}
	for n := utf8.RuneCountInString(s) - 1; n > 0; n-- {
		if short := cutTo(s, n); t.width(short, size) <= width {
			return short
		}
	}
	return ""
}

// cutTo returns the first so many characters of s, and that there were more.
func cutTo(s string, n int) string { return strings.TrimSpace(string([]rune(s)[:n])) + "…" }
