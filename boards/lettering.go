package boards

import (
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Writes reports whether the theme's font has every character of s. It has
// those of Latin, Greek and Cyrillic scripts, and no emoji.
func (t *Theme) Writes(s string) bool {
	var buf sfnt.Buffer
	for _, r := range s {
		if i, err := t.font.GlyphIndex(&buf, r); err != nil || i == 0 {
			return false
		}
	}
	return true
}

// written returns s as an outline that begins at 0,0 on its base line, and how
// wide it is. Size is the height of a line.
func (t *Theme) written(s string, size float32) (outline, float32) {
	var buf sfnt.Buffer
	var o outline
	ppem := fixed.Int26_6(size * 64)
	var at float32
	for _, r := range s {
		i, err := t.font.GlyphIndex(&buf, r)
		if err != nil {
			continue // none of the font's own characters fail
		}
		segments, err := t.font.LoadGlyph(&buf, i, ppem, nil)
		if err != nil {
			continue
		}
		o = appendGlyph(o, segments, at)
		advance, err := t.font.GlyphAdvance(&buf, i, ppem, font.HintingNone)
		if err == nil {
			at += float32((advance + 32) >> 6) // whole pixels: the same character looks the same everywhere
		}
	}
	return o, at
}

// appendGlyph adds the curves of a character as rings of points.
func appendGlyph(o outline, segments sfnt.Segments, at float32) outline {
	to := func(p fixed.Point26_6) point { return point{at + float32(p.X)/64, float32(p.Y) / 64} }
	for _, s := range segments {
		last := len(o) - 1
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			o = append(o, []point{to(s.Args[0])})
		case sfnt.SegmentOpLineTo:
			o[last] = append(o[last], to(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			a, b, c := o[last][len(o[last])-1], to(s.Args[0]), to(s.Args[1])
			const steps = 4
			for i := range steps {
				t := float32(i+1) / steps
				o[last] = append(o[last], a.times((1-t)*(1-t)).add(b.times(2*t*(1-t))).add(c.times(t*t)))
			}
		case sfnt.SegmentOpCubeTo: // not in fonts of this kind
			o[last] = append(o[last], to(s.Args[2]))
		}
	}
	return o
}

// capital is how high capitals and digits are, as a share of the font's size.
const capital = 0.72

// centred returns s with its middle at a point, as capitals and digits have it.
func (t *Theme) centred(s string, size float32, at point) outline {
	o, width := t.written(s, size)
	return o.moved(whole(point{at.x - width/2, at.y + size*capital/2}))
}

// whole returns the nearest point on whole pixels.
func whole(p point) point {
	return point{float32(math.Round(float64(p.x))), float32(math.Round(float64(p.y)))}
}

// haloed returns the outline made thicker by so many pixels on every side, to
// be painted under it.
func (o outline) haloed(by float32) outline {
	var all outline
	for _, d := range [...]point{{1, 0}, {0.7, 0.7}, {0, 1}, {-0.7, 0.7}, {-1, 0}, {-0.7, -0.7}, {0, -1}, {0.7, -0.7}} {
		all = append(all, o.moved(d.times(by))...)
	}
	return append(all, o...)
}
