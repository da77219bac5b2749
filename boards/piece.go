package boards

import (
	"math"
	"strconv"
)

// Piece is a player's token as pictures show it.
type Piece struct {
	Token
	// Seat, from 0, decides its shape and colour: the first 16 differ from each
	// other in shape or lightness; after that they come again.
	Seat int
	// Name is written as the theme's font can: characters that it lacks are left
	// out, letters with unknown accents lose them.
	Name string
	// Instead is what is written where that leaves nothing of the name; "" is Player,
	// and the seat's number from 1.
	Instead string
	Turn    bool // throws next
	Winner  bool
	Shield  bool // the next snake doesn't bite
}

// kind returns the piece's shape and colour as a number below seatKinds.
func (p Piece) kind() int { return ((p.Seat % seatKinds) + seatKinds) % seatKinds }

// called returns a piece's name as it can be written; never nothing.
func (t *Theme) called(p Piece) string {
	instead := t.spelled(p.Instead)
	if instead == "" {
		instead = "Player " + strconv.Itoa(p.Seat+1)
	}
	return t.spelledOr(p.Name, instead)
}

// letter returns what is written on the piece.
func (p Piece) letter() string {
	if p.Letter <= ' ' || p.Letter > '~' {
		return "?"
	}
	return string(p.Letter)
}

// shapes is how many shapes of tokens there are.
const shapes = 8

// tokenShape returns the shape of a kind of token, about as large as a circle
// around 0,0 with radius 1.
func tokenShape(kind int) []point {
	switch kind % shapes {
	case 0:
		return regular(point{}, 0.97, 40, 0)[0]
	case 1:
		return rounded([]point{{-0.86, -0.86}, {0.86, -0.86}, {0.86, 0.86}, {-0.86, 0.86}}, 0.22)
	case 2:
		return rounded(regular(point{0, 0.2}, 1.32, 3, -0.25)[0], 0.3)
	case 3:
		return rounded(regular(point{}, 1.2, 4, 0)[0], 0.2)
	case 4:
		return rounded(regular(point{}, 1.06, 6, 0)[0], 0.12)
	case 5: // a house
		return rounded([]point{{0, -1.12}, {0.92, -0.35}, {0.92, 0.88}, {-0.92, 0.88}, {-0.92, -0.35}}, 0.16)
	case 6: // a cross
		const in, out = 0.5, 1.02
		return rounded([]point{
			{-in, -out}, {in, -out}, {in, -in}, {out, -in}, {out, in}, {in, in},
			{in, out}, {-in, out}, {-in, in}, {-out, in}, {-out, -in}, {-in, -in},
		}, 0.14)
	default: // a star
		ring := make([]point, 16)
		for i := range ring {
			radius := 1.16
			if i%2 == 1 {
				radius = 0.84
			}
			sin, cos := math.Sincos(math.Pi * (float64(i)/8 - 0.5))
			ring[i] = point{float32(radius * cos), float32(radius * sin)}
		}
		return ring
	}
}

// The edges of a token, dark and light, as shares of its radius, and how far it
// reaches with them.
const darkEdge, lightEdge, tokenReach = 0.1, 0.1, 1.25

// piece draws a token with its middle at a point, and returns the outline of
// all of it and what its rim is painted with.
func (c *canvas) piece(p Piece, at point, radius float32) (outline, ink) {
	kind := p.kind()
	shape := outline{tokenShape(kind)}.scaled(radius).moved(at)
	dark, light := max(1, radius*darkEdge), max(1, radius*lightEdge)
	c.block(c.Rect, inkWhite)
	rim, edge := outline{grown(shape[0], dark+light)}, inkWhite
	if p.Turn {
		rim, edge = circle(at, radius*1.58), inkCasing
		c.fill(rim, inkCasing)
		c.fill(circle(at, radius*1.49), inkAccent)
		c.fill(circle(at, radius*1.28), inkWhite)
	}
	c.fill(outline{grown(shape[0], dark)}, inkCasing)
	c.fill(shape, inkToken0+ink(kind))
	size, middle := radius*1.34, at
	switch kind % shapes {
	case 2:
		size, middle = radius*1.08, at.add(point{0, radius * 0.3})
	case 5:
		middle = at.add(point{0, radius * 0.08})
	case 6:
		size = radius * 1.16
	}
	c.fill(c.theme.centred(p.letter(), size, middle), letterInk(kind))
	if p.Shield {
		badge := at.add(point{radius * 0.85, -radius * 0.75})
		around := shieldSymbol()[:1].scaled(radius * 0.62).moved(badge)
		c.fill(around, inkCasing)
		c.fill(shieldSymbol()[:1].scaled(radius*0.46).moved(badge), inkShieldTint)
		rim = rim.with(around)
	}
	return rim, edge
}

// crown paints one whose lower edge has its middle at a point.
func (c *canvas) crown(at point, size float32) {
	shape := outline{{{-1, 0}, {-1.15, -1.1}, {-0.5, -0.55}, {0, -1.35}, {0.5, -0.55}, {1.15, -1.1}, {1, 0}}}.scaled(size).moved(at)
	c.fill(outline{grown(shape[0], max(1.5, size*0.16))}, inkCasing)
	c.fill(shape, inkCrown)
}
