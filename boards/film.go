package boards

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"iter"
	"slices"
)

// How long a film shows things, in hundredths of a second, and how many scenes
// at most: a long match goes faster, and of a very long one not every go has a
// scene of its own.
const (
	goTime    = 130
	leastTime = 35
	wholeTime = 7500
	lastTime  = 500
	wipeTime  = 2 // between blocks of one scene; viewers slow down what is faster
	mostGoes  = wholeTime / leastTime
)

// mostBytes is how many bytes a film may have before its last scene. Those of
// matches have a tenth of it; it takes sixteen tokens that are everywhere in
// every scene to come near.
const mostBytes = 4_300_000

// Film returns scenes one after the other as an animated GIF: at reading speed,
// the first 57 at 1.3 seconds each, more of them faster, so that no film takes
// much longer than 75 seconds; the last scene stays for 5 more. Of more than 214
// scenes only every second is shown, or every third and so on, and always the
// last one. No film has more than 5,000,000 bytes: one that would goes on with
// its last scene.
//
// Count says how many scenes will come. They are drawn as they come, so their
// pieces may be the same slice, changed: whatever their number, two pictures and
// the file itself are kept. What makes the scenes must draw no pictures itself:
// it would wait for the film, and the film for it.
func (p *Painter) Film(count int, scenes iter.Seq[Scene]) ([]byte, error) {
	return p.film(count, scenes, mostBytes)
}

// film returns a film of which at most so many bytes come before the last scene,
// or one scene more.
func (p *Painter) film(count int, scenes iter.Seq[Scene], most int) ([]byte, error) {
	now := p.theme.canvas(p.layout)
	defer p.theme.keep(now)
	before := image.NewPaletted(now.Rect, now.Palette)
	every := max(1, (count+mostGoes-1)/mostGoes)
	delay := max(leastTime, min(goTime, wholeTime/max(1, count)))
	var a animation
	i, shown := 0, 0
	for s := range scenes {
		i++
		last := i == count
		if (i%every != 0 && i != 1 || a.Len() > most) && !last {
			continue
		}
		p.paint(now, s.without(last))
		stays := delay
		if last {
			stays = lastTime
		}
		var old *image.Paletted
		if shown > 0 {
			old = before
		}
		if err := a.scene(now.Paletted, old, stays); err != nil {
			return nil, fmt.Errorf("writing the film: %w", err)
		}
		copy(before.Pix, now.Pix)
		shown++
	}
	if shown == 0 {
		return nil, errors.New("a film needs a scene")
	}
	a.end()
	return a.Bytes(), nil
}

// without returns the scene without the mark of whose turn it is: the next go
// shows that soon enough, and the mark would cost a third of the file.
func (s Scene) without(last bool) Scene {
	if last {
		return s
	}
	s.Pieces = slices.Clone(s.Pieces)
	for i := range s.Pieces {
		s.Pieces[i].Turn = false
	}
	return s
}

// scene writes what is different from before.
func (a *animation) scene(now, before *image.Paletted, delay int) error {
	if before == nil {
		a.start(now)
		return a.block(now, nil, now.Rect, delay)
	}
	parts := changes(now, before)
	if len(parts) == 0 { // a go that changed nothing still takes its time
		parts = append(parts, image.Rect(0, 0, 1, 1))
	}
	for i, part := range parts {
		stays := wipeTime
		if i == len(parts)-1 {
			stays = delay - wipeTime*i
		}
		if err := a.block(now, before, part, stays); err != nil {
			return err
		}
	}
	return nil
}

// tile is the side of the squares in which pictures are compared, eight bytes at
// once, and mostParts in how many parts changes are written.
const tile, mostParts = 8, 8

// worthJoining is how many pixels more two parts may be together than each by
// itself: a part of its own costs as much.
const worthJoining = 1500

// changes returns rectangles with all pixels that are different, so few and
// small as is worth it, those nearer to the top first.
func changes(now, before *image.Paletted) []image.Rectangle {
	var parts []image.Rectangle
	r := now.Rect
	for y := 0; y < r.Max.Y; y += tile {
		from, to := y*now.Stride, min(y+tile, r.Max.Y)*now.Stride
		a, b := now.Pix[from:to], before.Pix[from:to]
		if bytes.Equal(a, b) {
			continue
		}
		for x := 0; x < r.Max.X; x += tile {
			if differs(a, b, x, now.Stride) {
				parts = joinedTo(parts, image.Rect(x, y, x+tile, y+tile).Intersect(r))
			}
		}
	}
	for {
		i, j, extra := cheapest(parts)
		if i < 0 || len(parts) <= mostParts && extra > worthJoining {
			return parts
		}
		joint := parts[i].Union(parts[j])
		parts = append(parts[:j], parts[j+1:]...)
		parts[i] = joint
	}
}

// differs reports whether a tile is different, in rows of two pictures.
func differs(a, b []uint8, x, stride int) bool {
	for ; x < len(a); x += stride {
		if x+tile > len(a) { // the last row of a picture that ends within the tile
			return !bytes.Equal(a[x:], b[x:])
		}
		if binary.NativeEndian.Uint64(a[x:]) != binary.NativeEndian.Uint64(b[x:]) {
			return true // or so is the beginning of the next row, which does no harm
		}
	}
	return false
}

// joinedTo adds a tile to the part that it touches, if there is one.
func joinedTo(parts []image.Rectangle, with image.Rectangle) []image.Rectangle {
	near := with.Inset(-tile)
	for i, part := range parts {
		if part.Overlaps(near) {
			parts[i] = part.Union(with)
			return parts
		}
	}
	return append(parts, with)
}

// cheapest returns the two parts that together cover the fewest pixels more, or
// fewer, than each by itself; none of fewer than two.
func cheapest(parts []image.Rectangle) (first, second, extra int) {
	area := func(r image.Rectangle) int { return r.Dx() * r.Dy() }
	first = -1
	for j := range parts {
		for i := range j {
			more := area(parts[i].Union(parts[j])) - area(parts[i]) - area(parts[j])
			if first < 0 || more < extra {
				first, second, extra = i, j, more
			}
		}
	}
	return first, second, extra
}
