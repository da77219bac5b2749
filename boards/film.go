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

// How long a film shows things, in hundredths of a second, and how many scenes at
// most: a long match goes faster, but never so fast that nobody can follow, and of a
// very long one not every go has a scene of its own.
const (
	goTime    = 130
	leastTime = 40
	wholeTime = 6000 // while no scene stands for less than leastTime
	lastTime  = 500
	wipeTime  = 2 // between the words of a scene and all the rest; viewers slow down what is faster
	mostGoes  = 500
)

// mostBytes is how many bytes a film may have before its last scene. Those of
// matches have a tenth of it; it takes sixteen tokens that are everywhere in
// every scene to come near.
const mostBytes = 4_300_000

// Film returns scenes one after the other as an animated GIF: at reading speed,
// the first 46 at 1.3 seconds each, more of them faster, so that they take a minute;
// of 100 each stands for 0.6 seconds, and from 150 on for 0.4. The last scene stays
// for 5 seconds. Of more than 500 scenes only every second is shown, or every third
// and so on, and always the last one. No film has more than 5,000,000 bytes: one that
// would goes on with its last scene.
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
		if err := a.scene(now.Paletted, old, p.layout.told(), stays); err != nil {
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

// scene writes what is different from before: what the strip tells, and a moment
// later all the rest as one, since of several parts, a token would for a moment stand in
// two places.
func (a *animation) scene(now, before *image.Paletted, told image.Rectangle, delay int) error {
	if before == nil {
		a.start(now)
		return a.block(now, nil, now.Rect, delay)
	}
	words, rest := changed(now, before, told)
	switch {
	case words.Empty() && rest.Empty(): // a go that changed nothing still takes its time
		rest = image.Rect(0, 0, 1, 1)
	case words.Empty() || rest.Empty() || words.Overlaps(rest):
		rest = rest.Union(words)
	default:
		if err := a.block(now, before, words, wipeTime); err != nil {
			return err
		}
		delay -= wipeTime
	}
	return a.block(now, before, rest, delay)
}

// tile is the side of the squares in which pictures are compared, eight bytes at
// once.
const tile = 8

// changed returns the rectangles around all pixels that are different, those of what
// is told and the others.
func changed(now, before *image.Paletted, told image.Rectangle) (words, rest image.Rectangle) {
	r := now.Rect
	for y := 0; y < r.Max.Y; y += tile {
		from, to := y*now.Stride, min(y+tile, r.Max.Y)*now.Stride
		a, b := now.Pix[from:to], before.Pix[from:to]
		if bytes.Equal(a, b) {
			continue
		}
		for x := 0; x < r.Max.X; x += tile {
			if !differs(a, b, x, now.Stride) {
				continue
			}
			if at := image.Rect(x, y, x+tile, y+tile).Intersect(r); at.In(told) {
				words = words.Union(at)
			} else {
				rest = rest.Union(at)
			}
		}
	}
	return words, rest
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
