package boards

import (
	"image"
	"strconv"
)

// layout says where everything is in a picture of a board.
type layout struct {
	size          int // squares
	columns, rows int
	cell          int             // pixels of a square's side
	width, height int             // of the picture
	board         image.Rectangle // all squares
	strip         image.Rectangle // below the board: the start, and what happened
	digits        float32         // the size of the squares' numbers; 0 for none
	margin        int
}

// Squares have their numbers while they are at least this many pixels wide.
// Below, some rows have the numbers of their ends beside them.
const numbered = 32

// A board is shown as wide as it says while its squares keep this many pixels,
// and while it isn't this much higher than wide, in percent.
const wideCell, tallest = 44, 130

// arrange lays out a board for a picture so wide.
func arrange(b Board, width int) layout {
	l := layout{size: max(b.Size, 1), width: width, margin: width / 50}
	gutter := 0
	l.columns = pictureColumns(l.size, b.Columns, width-2*l.margin)
	l.rows = (l.size + l.columns - 1) / l.columns
	l.cell = (width - 2*l.margin) / l.columns
	if l.cell < numbered {
		gutter = width / 14
		l.cell = (width - 2*l.margin - 2*gutter) / l.columns
	}
	l.cell = max(1, min(l.cell, width/5))
	left := (width - l.cell*l.columns) / 2
	l.board = image.Rect(left, l.margin, left+l.cell*l.columns, l.margin+l.cell*l.rows)
	if l.cell >= numbered {
		digits := len(strconv.Itoa(l.size))
		l.digits = min(float32(l.cell)*0.28, float32(l.cell)*0.9/(0.6*float32(digits)), float32(width)/30)
	}
	top := l.board.Max.Y + l.margin*3/4
	l.strip = image.Rect(l.margin, top, width-l.margin, top+width/9)
	l.height = l.strip.Max.Y + l.margin
	return l
}

// pictureColumns returns how many columns the picture of a board has: those
// that it says, unless it would be a tower or a line that nobody can read; then
// it is about as high as wide, and its rows end on round numbers where there
// are many.
func pictureColumns(size, columns, width int) int {
	if columns < 1 {
		columns = DefaultColumns
	}
	columns = min(columns, size)
	rows := (size + columns - 1) / columns
	if 100*rows <= tallest*columns && (width/columns >= wideCell || columns <= 2*rows) {
		return columns
	}
	columns = 1
	for columns*columns < size {
		columns++
	}
	if columns > 12 {
		columns = (columns + 4) / 5 * 5
	}
	return columns
}

// corner returns the upper left corner of a square.
func (l *layout) corner(square int) image.Point {
	row, column := (square-1)/l.columns, (square-1)%l.columns
	if row%2 == 1 {
		column = l.columns - 1 - column
	}
	return image.Pt(l.board.Min.X+column*l.cell, l.board.Max.Y-(row+1)*l.cell)
}

// square returns the pixels of a square.
func (l *layout) square(square int) image.Rectangle {
	at := l.corner(square)
	return image.Rect(at.X, at.Y, at.X+l.cell, at.Y+l.cell)
}

// centre returns the middle of a square.
func (l *layout) centre(square int) point {
	at := l.corner(square)
	half := float32(l.cell) / 2
	return point{float32(at.X) + half, float32(at.Y) + half}
}

// patch is how many squares of a side have one shade, so that shades alternate
// in steps that can be seen.
func (l *layout) patch() int {
	for _, n := range [...]int{1, 5, 10} {
		if l.cell*n >= 14 {
			return n
		}
	}
	return 20
}
