package boards

import (
	"math"
	"strings"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/norm"
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

// spelled returns s as the font can write it, on one line: characters that it lacks
// are spelled with the plain ones they are made of, as ễ with e, or left out.
func (t *Theme) spelled(s string) string {
	s = norm.NFC.String(excerpt(s, 2*MaxTitle))
	if t.Writes(s) {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if t.Writes(string(r)) {
			out.WriteRune(r)
			continue
		}
		for _, part := range norm.NFKD.String(string(r)) {
			if !unicode.Is(unicode.M, part) && t.Writes(string(part)) {
				out.WriteRune(part)
			}
		}
	}
	return strings.Join(strings.Fields(out.String()), " ")
}

// spelledOr returns s as the font can write it, or instead where that leaves
// nothing to call anybody by: no letter and no digit of a text that had some.
func (t *Theme) spelledOr(s, instead string) string {
	written := t.spelled(s)
	says := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	}
	if written == "" || says(s) && !says(written) {
		return instead
	}
	return written
}

// glyph is a character as an outline that begins at 0,0 on its base line, of a
// size of 1, and how wide it is.
type glyph struct {
	outline outline
	width   float32
}

// glyph returns a character. Those of ASCII have been made with the theme.
func (t *Theme) glyph(buf *sfnt.Buffer, r rune) glyph {
	if r < rune(len(t.ascii)) && t.ascii[r].width > 0 {
		return t.ascii[r]
	}
	const fine = 256 // pixels: coordinates are whole numbers of 64ths
	i, err := t.font.GlyphIndex(buf, r)
	if err != nil { // none of the font's own characters fail
		return glyph{}
	}
	segments, err := t.font.LoadGlyph(buf, i, fixed.I(fine), nil)
	if err != nil {
		return glyph{}
	}
	o := appendGlyph(nil, segments).scaled(1.0 / fine)
	advance, err := t.font.GlyphAdvance(buf, i, fixed.I(fine), font.HintingNone)
	if err != nil {
		return glyph{}
	}
	return glyph{o, float32(advance) / 64 / fine}
}

// written returns s as an outline that begins at 0,0 on its base line, and how
// wide it is. Size is the height of a line. Each character takes whole pixels,
// so that it looks the same everywhere.
func (t *Theme) written(s string, size float32) (outline, float32) {
	var buf sfnt.Buffer
	var o outline
	var at float32
	for _, r := range s {
		g := t.glyph(&buf, r)
		o = append(o, g.outline.scaled(size).moved(point{at, 0})...)
		at += float32(math.Round(float64(g.width * size)))
	}
	return o, at
}

// width returns how wide s is in a size.
func (t *Theme) width(s string, size float32) (width float32) {
	var buf sfnt.Buffer
	for _, r := range s {
		width += float32(math.Round(float64(t.glyph(&buf, r).width * size)))
	}
	return width
}

// appendGlyph adds the curves of a character as rings of points.
func appendGlyph(o outline, segments sfnt.Segments) outline {
	to := func(p fixed.Point26_6) point { return point{float32(p.X) / 64, float32(p.Y) / 64} }
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
	return o.moved(snapped(point{at.x - width/2, at.y + size*capital/2}))
}

// snapped returns the nearest point on whole pixels.
func snapped(p point) point {
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
