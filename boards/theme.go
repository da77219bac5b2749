package boards

import (
	"fmt"
	"image/color"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/sfnt"
)

// Theme is what pictures are painted with: their colours and their font. It
// takes some milliseconds to make, and any number of painters may share it.
//
// At most four pictures or films are drawn with one at once, others wait for
// their turn; a theme keeps what they were drawn on for the next ones, some 3 MB
// each. So that is the bound of the memory, whoever draws.
type Theme struct {
	palette color.Palette // at most 255 colours
	rgb     [256]rgb      // the same
	// nearest is the palette's colour that looks most like another one, which
	// is given by five bits each of red, green and blue.
	nearest [1 << 15]uint8
	font    *sfnt.Font
	ascii   [128]glyph
	spare   chan *canvas // those not drawn on now; nil if they have yet to be made
}

// Light returns the theme for bright backgrounds.
func Light() *Theme {
	return newTheme(map[ink]int32{
		inkPaper: 0xfffdf8, inkCellA: 0xf8f1de, inkCellB: 0xeadfc3, inkGoal: 0xffd45c, inkFrame: 0x8a7650, inkDigit: 0x5c4d33, inkCasing: 0x2b241d,
		inkRail: 0xb06f2c, inkRung: 0xd89b50, inkTongue: 0xd7263d, inkTray: 0xf1e9d6, inkText: 0x2b241d, inkMuted: 0x84765c, inkAccent: 0xe5007d,
		inkSkipTint: 0xf2b36b, inkShieldTint: 0x8fbfe8, inkAgainTint: 0x9fd48a, inkBackTint: 0xef9a94, inkSymbol: 0x2b241d,
	}, [snakeKinds]int32{0x1d6b3c, 0xa6d34a, 0x7b3fa0, 0xf59a3c, 0x2a7fa8, 0xe9a3c4},
		[snakeKinds]int32{0x7fbf6a, 0x5f8f1e, 0xc79be0, 0xa8540c, 0x9bd0e6, 0xa8517f})
}

// Dark returns the theme for dark backgrounds.
func Dark() *Theme {
	return newTheme(map[ink]int32{
		inkPaper: 0x2b2d31, inkCellA: 0x3b3e46, inkCellB: 0x484c56, inkGoal: 0xa87c14, inkFrame: 0x6d7280, inkDigit: 0xd3d7e0, inkCasing: 0x131417,
		inkRail: 0xcd934c, inkRung: 0xe8c083, inkTongue: 0xff5d6c, inkTray: 0x383a41, inkText: 0xf2f3f5, inkMuted: 0xa5a9b4, inkAccent: 0xff5cb0,
		inkSkipTint: 0xd08f45, inkShieldTint: 0x5f9fd2, inkAgainTint: 0x6fb25a, inkBackTint: 0xd8736c, inkSymbol: 0x131417,
	}, [snakeKinds]int32{0x3f9e5a, 0xc9e86f, 0x9a68cf, 0xffb45e, 0x4fa6d3, 0xf4bcd4},
		[snakeKinds]int32{0xa6dc95, 0x6f9a26, 0xd6b8f0, 0xb3661c, 0xb4def0, 0xb06490})
}

// canvases is how many a theme has: to draw on more at once brings nothing.
const canvases = 4

// seatColours tell the seats apart. A seat and the one eight places on, which
// has the same shape, differ in lightness more than in anything else.
func seatColours() [seatKinds]int32 {
	return [...]int32{
		0xd3213a, 0x1b67a8, 0xf6d553, 0x24834f, 0xf6f6f6, 0x7a3e9d, 0xf08a24, 0x262626,
		0xa3e6f5, 0xf8bccb, 0x5b3a1a, 0xc9ea72, 0x0e4d4d, 0xe6cff3, 0x3a2a6b, 0xbcc2c9,
	}
}

func newTheme(colours map[ink]int32, snakes, backs [snakeKinds]int32) *Theme {
	t := &Theme{palette: make(color.Palette, 0, untouched), spare: make(chan *canvas, canvases)}
	for range canvases {
		t.spare <- nil
	}
	colours[inkWhite], colours[inkBlack], colours[inkCrown] = 0xffffff, 0x111111, 0xffc928
	for i, c := range colours {
		t.rgb[i] = colour(c)
	}
	for i := range snakes {
		t.rgb[inkSnake0+ink(i)], t.rgb[inkBack0+ink(i)] = colour(snakes[i]), colour(backs[i])
	}
	for i, c := range seatColours() {
		t.rgb[inkToken0+ink(i)] = colour(c)
	}
	t.mixed()
	font, err := sfnt.Parse(gobold.TTF)
	if err != nil { // it comes with the library
		panic(fmt.Sprintf("boards: the font: %v", err))
	}
	t.font = font
	var buf sfnt.Buffer
	for r := ' '; r <= '~'; r++ {
		t.ascii[r] = t.glyph(&buf, r)
	}
	return t
}

// letterInk returns what the letter of a seat's token is written in: what is
// furthest from the token's colour.
func letterInk(seat int) ink {
	if colour(seatColours()[seat]).light() > 140 {
		return inkBlack
	}
	return inkWhite
}
