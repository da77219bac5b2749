package boards

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strconv"
)

// Poster is a match that is over, on one picture: the last position, and below it who
// came in where and what was great.
type Poster struct {
	Scene
	// Ranking are the scene's pieces in their order, by their places in it. The first
	// eight are shown.
	Ranking []Rank
	// Great are jumps that are worth telling, each as a move with the two squares of the
	// jump as its path; three are shown.
	Great []Move
	Note  string // one line more; characters that the font lacks are left out
}

// Rank is one row of a poster's ranking.
type Rank struct {
	By   int // the piece
	Goes int // it needed, or had
}

const mostRanks, mostGreat = 8, 3

// Poster returns the picture of a poster. It is written once a match, so all of it is
// packed anew, which takes some ten times as long as the picture of a go.
func (p *Painter) Poster(o Poster) ([]byte, error) {
	o.Ranking, o.Great = o.Ranking[:min(len(o.Ranking), mostRanks)], o.Great[:min(len(o.Great), mostGreat)]
	l, panel, row := p.layout.poster(max(len(o.Ranking), len(o.Great)+min(len(o.Note), 1), 1))
	c := p.theme.canvas(l)
	defer p.theme.keep(c)
	c.block(c.Rect, inkPaper)
	p.paint(c, o.Scene)
	x0, y0, x1, y1 := float32(panel.Min.X), float32(panel.Min.Y), float32(panel.Max.X), float32(panel.Max.Y)
	c.fill(oblong(x0, y0, x1, y1, row*0.4), inkTray)
	half, inset := (x0+x1)/2, row*0.4
	c.ranking(o, point{x0 + inset, y0 + inset}, half-x0-2*inset, row)
	c.great(p.board, o, point{half + inset, y0 + inset}, x1-half-2*inset, row)
	var file bytes.Buffer
	if err := png.Encode(&file, c.Paletted); err != nil {
		return nil, fmt.Errorf("writing a poster: %w", err)
	}
	return file.Bytes(), nil
}

// poster makes room below a picture for so many rows.
func (l layout) poster(rows int) (higher layout, panel image.Rectangle, row float32) {
	row = float32(l.width) / 19
	top := l.strip.Max.Y + l.margin*3/4
	panel = image.Rect(l.margin, top, l.width-l.margin, top+int(row*(float32(rows)+0.8)))
	l.height = panel.Max.Y + l.margin
	return l, panel, row
}

// ranking paints who came in where, from a point down.
func (c *canvas) ranking(o Poster, at point, width, row float32) {
	size := row * 0.56
	for i, r := range o.Ranking {
		if r.By < 0 || r.By >= len(o.Pieces) {
			continue
		}
		piece := o.Pieces[r.By]
		middle := at.y + (float32(i)+0.5)*row
		base := middle + size*capital/2
		c.write(strconv.Itoa(i+1)+".", size, point{at.x, base}, inkMuted)
		goes := strconv.Itoa(r.Goes)
		c.write(goes, size, point{at.x + width - c.theme.width(goes, size), base}, inkMuted)
		piece.Turn = false
		left := at.x + row*1.5
		c.token(piece, point{left, middle}, row*0.36)
		c.write(c.theme.shortened(c.theme.called(piece), size, width-row*3.4), size, point{left + row*0.7, base}, inkText)
	}
}

// great paints what was great, from a point down.
func (c *canvas) great(b Board, o Poster, at point, width, row float32) {
	size := row * 0.56
	for i, m := range o.Great {
		if m.By >= 0 && m.By < len(o.Pieces) {
			told := c.theme.account(b, o.Pieces[m.By], m)
			c.say(told.fit(size, width), at.x, at.y+(float32(i)+0.5)*row)
		}
	}
	if o.Note != "" {
		middle := at.y + (float32(len(o.Great))+0.5)*row
		c.write(c.theme.shortened(c.theme.spelled(o.Note), size, width), size, point{at.x, middle + size*capital/2}, inkText)
	}
}
