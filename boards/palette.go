package boards

import (
	"image/color"
	"math"
)

// ink is a colour of the palette that has a meaning of its own. The palette's
// other colours are mixtures, for smooth edges.
type ink uint8

// What is painted in a colour of its own.
const (
	inkPaper  ink = iota // around the board
	inkCellA             // squares, in turn
	inkCellB             //
	inkGoal              // the last square
	inkFrame             // around the board, and lines between squares
	inkDigit             // numbers of squares
	inkCasing            // the dark edge of whatever lies on the board
	inkRail              // ladders
	inkRung              //
	inkTongue            // of snakes
	inkWhite             // eyes, the light edge of tokens, light letters
	inkBlack             // pupils, dark letters
	inkTray              // the strip below the board
	inkText              // what is written there
	inkMuted             // what is written there beside it
	inkAccent            // whose turn it is
	inkCrown             // who won
	inkSkipTint
	inkShieldTint
	inkAgainTint
	inkBackTint
	inkSymbol // the symbols on those tints
	inkSnake0 // snakes, and what they have on their backs
	inkBack0  = inkSnake0 + snakeKinds
	inkToken0 = inkBack0 + snakeKinds // the seats' tokens
	inks      = inkToken0 + seatKinds
)

// How many colours there are of snakes, and kinds of tokens.
const snakeKinds, seatKinds = 6, 16

// untouched is the palette's last place, kept free: films mark with it what stays
// as it was.
const untouched = 255

type rgb [3]int32

func colour(n int32) rgb { return rgb{n >> 16, n >> 8 & 255, n & 255} }

// mix returns what lies between a and b, b having share parts of 255.
func mix(a, b rgb, share int32) rgb {
	for i := range a {
		a[i] += (b[i] - a[i]) * share / 255
	}
	return a
}

// light returns how light a colour looks, 0 to 255: what grey it is.
func (c rgb) light() int32 { return (299*c[0] + 587*c[1] + 114*c[2]) / 1000 }

// away returns how far apart two colours look.
func (c rgb) away(d rgb) int32 {
	r, g, b := c[0]-d[0], c[1]-d[1], c[2]-d[2]
	return 3*r*r + 6*g*g + 2*b*b
}

// mixtures are the pairs of colours that meet at many edges, and how many
// shades lie between the two. Of all other pairs the next best shade is taken.
func mixtures() (all []mixture) {
	add := func(shades int32, a ink, with ...ink) {
		for _, b := range with {
			all = append(all, mixture{a, b, shades})
		}
	}
	add(3, inkCellA, inkCasing, inkDigit, inkWhite, inkAccent)
	add(3, inkCellB, inkCasing, inkDigit, inkWhite, inkAccent)
	add(3, inkCasing, inkWhite, inkRail)
	add(3, inkPaper, inkCasing, inkTray)
	add(3, inkTray, inkText, inkCasing)
	add(2, inkTray, inkMuted, inkWhite)
	add(2, inkSymbol, inkSkipTint, inkShieldTint, inkAgainTint, inkBackTint)
	for i := range ink(snakeKinds) {
		add(3, inkCasing, inkSnake0+i)
		add(1, inkSnake0+i, inkBack0+i)
	}
	for i := range ink(seatKinds) {
		add(2, inkCasing, inkToken0+i)
		add(2, inkToken0+i, letterInk(int(i)))
	}
	return all
}

type mixture struct {
	a, b   ink
	shades int32
}

// mixed completes the palette of a theme's inks.
func (t *Theme) mixed() {
	for i := range inks {
		t.add(t.rgb[i])
	}
	for _, m := range mixtures() {
		for s := range m.shades {
			t.add(mix(t.rgb[m.a], t.rgb[m.b], 255*(s+1)/(m.shades+1)))
		}
	}
	for i := range t.nearest {
		r, g, b := int32(i>>10), int32(i>>5&31), int32(i&31)
		t.nearest[i] = t.closest(rgb{r<<3 | r>>2, g<<3 | g>>2, b<<3 | b>>2})
	}
}

func (t *Theme) add(c rgb) {
	t.rgb[len(t.palette)] = c
	t.palette = append(t.palette, color.RGBA{R: uint8(c[0]), G: uint8(c[1]), B: uint8(c[2]), A: 255})
}

// closest returns the palette's colour that looks most like c.
func (t *Theme) closest(c rgb) (best uint8) {
	least := int32(math.MaxInt32)
	for i := range t.palette {
		if d := c.away(t.rgb[i]); d < least {
			best, least = uint8(i), d
		}
	}
	return best
}

// between returns the colour of a pixel that is covered in part, by so many of
// shadesBetween and one more.
func (t *Theme) between(under, over rgb, share int32) uint8 {
	c := mix(under, over, share*255/(shadesBetween+1))
	return t.nearest[c[0]>>3<<10|c[1]>>3<<5|c[2]>>3]
}
