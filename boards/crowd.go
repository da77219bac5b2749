package boards

import (
	"cmp"
	"image"
	"math"
	"slices"
)

// crowd is the tokens on one square, and where in the picture they are shown.
type crowd struct {
	square  int
	pieces  []Piece
	columns int
	radius  float32 // of a token
	pitch   float32 // from one token to the next
	box     image.Rectangle
	away    bool // the box isn't on the square
}

// crowds gathers the pieces on squares of the board, and finds a place for
// each gathering: on its square where they fit there, else beside it, so that
// no token hides another one.
func (l *layout) crowds(pieces []Piece) []crowd {
	var all []crowd
	for _, p := range pieces {
		if p.Square < 1 || p.Square > l.size {
			continue
		}
		i := slices.IndexFunc(all, func(c crowd) bool { return c.square == p.Square })
		if i < 0 {
			i = len(all)
			all = append(all, crowd{square: p.Square})
		}
		all[i].pieces = append(all[i].pieces, p)
	}
	// The largest first: they are the hardest to find a place for.
	slices.SortStableFunc(all, func(a, b crowd) int { return cmp.Compare(len(b.pieces), len(a.pieces)) })
	for i := range all {
		all[i].measure(l)
		all[i].settle(l, all[:i])
	}
	return all
}

// gathering returns how many columns and rows so many tokens stand in.
func gathering(n int) (columns, rows int) {
	columns = 1
	for columns*columns < n {
		columns++
	}
	return columns, (n + columns - 1) / columns
}

// measure finds how large the tokens are, and the box around them.
func (c *crowd) measure(l *layout) {
	columns, rows := gathering(len(c.pieces))
	c.columns = columns
	cell := float32(l.cell)
	least := float32(l.width) / 70 // of which the letter can still be read
	switch len(c.pieces) {
	case 1:
		c.radius = max(cell*0.27, least*1.15)
	case 2, 3, 4:
		c.radius = max(cell*0.185, least)
	default:
		c.radius = max(cell*0.46/tokenReach/float32(columns), least*0.9)
	}
	c.radius = min(c.radius, float32(l.width)/24)
	c.pitch = 2 * c.radius * tokenReach
	w, h := int(c.pitch*float32(columns)+0.5), int(c.pitch*float32(rows)+0.5)
	c.box = image.Rect(0, 0, w, h)
}

// settle finds the place for the box that is nearest to the square's middle,
// away from the boxes of others.
func (c *crowd) settle(l *layout, others []crowd) {
	middle := l.centre(c.square)
	size := c.box.Size()
	fits := size.X <= l.cell && size.Y <= l.cell
	if fits && size.Y < l.cell*3/4 {
		middle.y += float32(l.cell) * 0.09 // below the number
	}
	if !fits && l.cell < size.Y { // beside the square, so that it's seen which one it is
		middle.y -= float32(size.Y+l.cell) * 0.55
	}
	bounds := image.Rect(2, 2, l.width-2, l.strip.Min.Y-2)
	step := max(4, c.radius/2)
	for ring := range 80 {
		for turn := range 16 {
			sin, cos := math.Sincos(math.Pi * 2 * float64(turn) / 16)
			at := point{middle.x + step*float32(ring)*float32(cos), middle.y + step*float32(ring)*float32(sin)}
			box := c.box.Add(image.Pt(int(at.x)-size.X/2, int(at.y)-size.Y/2))
			if box.In(bounds) && !slices.ContainsFunc(others, func(o crowd) bool { return o.box.Overlaps(box) }) {
				c.box = box
				c.away = !box.Overlaps(image.Rectangle{Min: l.square(c.square).Min, Max: l.square(c.square).Max}) || !fits && len(c.pieces) > 1 || l.cell < size.Y
				return
			}
			if ring == 0 {
				break
			}
		}
	}
	c.box = c.box.Add(image.Pt(int(middle.x)-size.X/2, int(middle.y)-size.Y/2)) // full: over others
}

// spot returns the middle of the crowd's i-th token. The last row stands in the
// middle.
func (c *crowd) spot(i int) point {
	row, column := i/c.columns, i%c.columns
	inRow := min(c.columns, len(c.pieces)-row*c.columns)
	width := float32(c.box.Dx())
	return point{
		float32(c.box.Min.X) + width/2 + (float32(column)-float32(inRow-1)/2)*c.pitch,
		float32(c.box.Min.Y) + (float32(row)+0.5)*c.pitch,
	}
}

// tokens paints all pieces that are on squares of the board.
func (c *canvas) tokens(l *layout, pieces []Piece) {
	all := l.crowds(pieces)
	for i := range all {
		all[i].panel(c, l)
	}
	for _, first := range [...]bool{true, false} { // what shows whose turn it is, below other tokens
		for _, crowd := range all {
			for i, p := range crowd.pieces {
				if p.Turn == first {
					c.token(p, crowd.spot(i), crowd.radius)
				}
				if p.Winner && !first { // askew, so that the square's number is seen
					c.crown(crowd.spot(i).add(point{crowd.radius * 0.72, -crowd.radius * 0.95}), crowd.radius*0.72)
				}
			}
		}
	}
}

// panel paints what ties tokens that aren't on their square to it, and the
// ground below a crowd larger than its square.
func (c *crowd) panel(on *canvas, l *layout) {
	if !c.away {
		return
	}
	to := l.centre(c.square)
	from := point{float32(c.box.Min.X+c.box.Max.X) / 2, float32(c.box.Min.Y+c.box.Max.Y) / 2}
	width := float32(l.width) / 260
	on.fill(bar(from, to, 3*width), inkWhite)
	on.fill(circle(to, 2.6*width), inkWhite)
	on.fill(bar(from, to, width), inkCasing)
	on.fill(circle(to, 1.8*width), inkCasing)
	if len(c.pieces) == 1 {
		return
	}
	x0, y0, x1, y1 := float32(c.box.Min.X), float32(c.box.Min.Y), float32(c.box.Max.X), float32(c.box.Max.Y)
	on.fill(oblong(x0-width, y0-width, x1+width, y1+width, c.radius), inkCasing)
	on.fill(oblong(x0, y0, x1, y1, c.radius), inkTray)
}
