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
	// sixteen are shown, in two columns where there are more than eight.
	Ranking []Rank
	// Great are jumps that are worth telling, each as a move with the two squares of the
	// jump as its path; three are shown.
	Great []Move
	Note  string // one line more; characters that the font lacks are left out
}

// Rank is one row of a poster's ranking.
type Rank struct {
	By   int    // the piece
	Goes string // how many it needed, or had, in words: 12 goes
}

const mostRanks, rankRows, mostGreat = 16, 8, 3

// Poster returns the picture of a poster. It is written once a match, so all of it is
// packed anew, which takes some ten times as long as the picture of a go.
func (p *Painter) Poster(o Poster) ([]byte, error) {
	o.Ranking, o.Great = o.Ranking[:min(len(o.Ranking), mostRanks)], o.Great[:min(len(o.Great), mostGreat)]
	great := len(o.Great) + min(len(o.Note), 1)
	rows := float32(max(len(o.Ranking), great, 1))
	if len(o.Ranking) > rankRows { // what was great stands below
		rows = rankRows + rankGap*float32(min(great, 1)) + float32((great+1)/2)
	}
	l, panel, row := p.layout.poster(rows)
	c := p.theme.canvas(l)
	defer p.theme.keep(c)
	c.block(c.Rect, inkPaper)
	p.paint(c, o.Scene)
	x0, y0, x1, y1 := float32(panel.Min.X), float32(panel.Min.Y), float32(panel.Max.X), float32(panel.Max.Y)
	c.fill(oblong(x0, y0, x1, y1, row*0.4), inkTray)
	half, inset := (x0+x1)/2, row*0.4
	columns := [...]point{{x0 + inset, y0 + inset}, {half + inset, y0 + inset}}
	width := half - x0 - 2*inset
	first := min(len(o.Ranking), rankRows)
	c.ranking(o, 0, first, columns[0], width, row)
	if first < len(o.Ranking) {
		c.ranking(o, first, len(o.Ranking), columns[1], width, row)
		below := (rankRows + rankGap) * row
		c.great(p.board, o, columns[0].add(point{0, below}), width, row, (great+1)/2)
	} else {
		c.great(p.board, o, columns[1], width, row, great)
	}
	var file bytes.Buffer
	if err := png.Encode(&file, c.Paletted); err != nil {
		return nil, fmt.Errorf("writing a poster: %w", err)
	}
	return file.Bytes(), nil
}

// rankGap is how many rows lie between a ranking and what stands below it.
const rankGap = 0.4

// poster makes room below a picture for so many rows.
func (l layout) poster(rows float32) (higher layout, panel image.Rectangle, row float32) {
	row = float32(l.width) / 19
	top := l.strip.Max.Y + l.margin*3/4
	panel = image.Rect(l.margin, top, l.width-l.margin, top+int(row*(rows+0.8)))
	l.height = panel.Max.Y + l.margin
	return l, panel, row
}

// ranking paints who came in where, of some of the places, from a point down.
func (c *canvas) ranking(o Poster, first, end int, at point, width, row float32) {
	size, small := row*0.56, row*0.44
	goes := make([]string, end)
	widest := float32(0)
	for i := first; i < end; i++ {
		goes[i] = c.theme.shortened(c.theme.spelled(o.Ranking[i].Goes), small, width*0.4)
		widest = max(widest, c.theme.width(goes[i], small))
	}
	for i := first; i < end; i++ {
		by := o.Ranking[i].By
		if by < 0 || by >= len(o.Pieces) {
			continue
		}
		piece := o.Pieces[by]
		middle := at.y + (float32(i-first)+0.5)*row
		base := middle + size*capital/2
		c.write(strconv.Itoa(i+1)+".", size, point{at.x, base}, inkMuted)
		c.write(goes[i], small, point{at.x + width - c.theme.width(goes[i], small), base}, inkMuted)
		piece.Turn = false
		left := at.x + row*1.6
		c.token(piece, point{left, middle}, row*0.36)
		left += row * 0.6
		c.write(c.theme.shortened(c.theme.called(piece), size, at.x+width-widest-row*0.3-left), size, point{left, base}, inkText)
	}
}

// great paints what was great, from a point down; beyond so many rows, beside them.
func (c *canvas) great(b Board, o Poster, at point, width, row float32, rows int) {
	size := row * 0.56
	spot := func(i int) point { // the middle of its left edge
		return at.add(point{float32(i/max(rows, 1)) * (width + row*0.8), (float32(i%max(rows, 1)) + 0.5) * row})
	}
	for i, m := range o.Great {
		if m.By >= 0 && m.By < len(o.Pieces) {
			to := spot(i)
			c.say(c.theme.account(b, o.Pieces[m.By], m).fit(size, width), to.x, to.y)
		}
	}
	if o.Note != "" {
		c.write(c.theme.shortened(c.theme.spelled(o.Note), size, width), size, spot(len(o.Great)).add(point{0, size * capital / 2}), inkText)
	}
}
