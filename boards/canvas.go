package boards

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"image"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
)

// canvas is a picture being drawn in the colours of a theme. It belongs to one
// goroutine at a time.
type canvas struct {
	*image.Paletted
	theme  *Theme
	raster *vector.Rasterizer
	mask   image.Alpha // grows to the largest outline
	stamps map[stampOf]*stamp
	packer *flate.Writer
	packed bytes.Buffer
}

// canvas returns one for pictures laid out so, with whatever was drawn on it
// last. When all are in use it waits for one; keep has to give it back.
func (t *Theme) canvas(l layout) *canvas {
	c := <-t.spare
	if c == nil {
		return newCanvas(t, l.width, l.height)
	}
	if n := l.width * l.height; cap(c.Pix) < n {
		c.Pix = make([]uint8, n)
	} else {
		c.Pix = c.Pix[:n]
	}
	c.Stride, c.Rect = l.width, image.Rect(0, 0, l.width, l.height)
	return c
}

// keep takes back a canvas that is no longer drawn on, for the next picture.
func (t *Theme) keep(c *canvas) { t.spare <- c }

func newCanvas(theme *Theme, width, height int) *canvas {
	return &canvas{
		Paletted: image.NewPaletted(image.Rect(0, 0, width, height), theme.palette),
		theme:    theme,
		raster:   vector.NewRasterizer(0, 0),
		stamps:   make(map[stampOf]*stamp),
	}
}

// Pixels at edges are painted in three shades between not covered and covered:
// more would not be seen, and would cost bytes.
const shadesBetween = 2

// fill paints the inside of an outline, with smooth edges.
func (c *canvas) fill(o outline, with ink) {
	box := o.bounds().Intersect(c.Rect)
	if box.Empty() {
		return
	}
	c.cover(o, box)
	rgb := c.theme.rgb[with]
	for y := range box.Dy() {
		mask := c.mask.Pix[y*c.mask.Stride:][:box.Dx()]
		start := c.PixOffset(box.Min.X, box.Min.Y+y)
		row := c.Pix[start:][:box.Dx()]
		for x := 0; x < len(row); x++ {
			if x+8 <= len(row) && binary.NativeEndian.Uint64(mask[x:]) == 0 {
				x += 7
				continue
			}
			switch share := (int32(mask[x])*(shadesBetween+1) + 127) / 255; share {
			case 0:
			case shadesBetween + 1:
				row[x] = uint8(with)
			default:
				row[x] = c.theme.between(c.theme.rgb[row[x]], rgb, share)
			}
		}
	}
}

// cover works out how much of each pixel in the box the outline covers.
func (c *canvas) cover(o outline, box image.Rectangle) {
	w, h := box.Dx(), box.Dy()
	if n := w * h; cap(c.mask.Pix) < n {
		c.mask.Pix = make([]uint8, n)
	}
	c.mask.Pix, c.mask.Stride, c.mask.Rect = c.mask.Pix[:w*h], w, image.Rect(0, 0, w, h)
	c.raster.Reset(w, h)
	c.raster.DrawOp = draw.Src
	dx, dy := float32(box.Min.X), float32(box.Min.Y)
	for _, ring := range o {
		for i, p := range ring {
			if i == 0 {
				c.raster.MoveTo(p.x-dx, p.y-dy)
			} else {
				c.raster.LineTo(p.x-dx, p.y-dy)
			}
		}
		c.raster.ClosePath()
	}
	c.raster.Draw(&c.mask, c.mask.Rect, image.Opaque, image.Point{})
}

// bounds returns the pixels that the outline may touch.
func (o outline) bounds() image.Rectangle {
	low, high := point{math.MaxFloat32, math.MaxFloat32}, point{-math.MaxFloat32, -math.MaxFloat32}
	for _, ring := range o {
		for _, p := range ring {
			low.x, low.y = min(low.x, p.x), min(low.y, p.y)
			high.x, high.y = max(high.x, p.x), max(high.y, p.y)
		}
	}
	if low.x > high.x {
		return image.Rectangle{}
	}
	return image.Rect(int(math.Floor(float64(low.x))), int(math.Floor(float64(low.y))),
		int(math.Ceil(float64(high.x))), int(math.Ceil(float64(high.y))))
}

// block paints whole pixels.
func (c *canvas) block(r image.Rectangle, with ink) {
	r = r.Intersect(c.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := c.Pix[c.PixOffset(r.Min.X, y):][:r.Dx()]
		for x := range row {
			row[x] = uint8(with)
		}
	}
}
