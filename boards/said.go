package boards

import (
	"strconv"
	"strings"
)

// account is what happened in a go, in words and signs: the token, a name, what
// was thrown, and the squares with how each was reached. Sizes are shares of
// the writing's.
type account struct {
	theme *Theme
	parts []entry
}

type entry struct {
	text  string
	name  bool // that the text is one
	piece *Piece
	step  step // where there's neither text nor piece
}

const tokenPart, signPart, snakePart, gapPart = 1.5, 1.1, 1.6, 0.3

// mostSaid is how many squares of a go are written, and mostNamed and leastNamed are
// how many characters of a name, where there's room and in any case.
const mostSaid, mostNamed, leastNamed = 8, 16, 4

// account puts a go in order.
func (t *Theme) account(b Board, p Piece, m Move) account {
	p.Turn, p.Winner = false, false
	parts := []entry{{piece: &p}, {text: excerpt(t.called(p), mostNamed), name: true}}
	var thrown []string
	for _, n := range m.Thrown {
		thrown = append(thrown, strconv.Itoa(n))
	}
	if len(thrown) > 0 {
		if len(thrown) > 3 {
			thrown = append(thrown[:2], "…", thrown[len(thrown)-1])
		}
		parts = append(parts, entry{text: strings.Join(thrown, "+") + ":"})
	}
	path := m.Path
	if len(path) > mostSaid {
		parts = append(parts, entry{text: strconv.Itoa(path[0])}, entry{text: "…"})
		path = path[len(path)-mostSaid+1:]
	}
	for i, square := range path {
		if i > 0 {
			parts = append(parts, entry{step: b.stepOf(path[i-1], square)})
			if path[i-1] == square {
				continue
			}
		}
		parts = append(parts, entry{text: strconv.Itoa(square)})
	}
	return account{theme: t, parts: parts}
}

// isText reports whether the part is written.
func (p entry) isText() bool { return p.text != "" }

// width returns how wide it is in a size.
func (a account) width(size float32) (w float32) {
	for _, p := range a.parts {
		w += a.theme.partWidth(p, size) + gapPart*size
	}
	return w
}

func (t *Theme) partWidth(p entry, size float32) float32 {
	switch {
	case p.isText():
		return t.width(p.text, size)
	case p.piece != nil:
		return tokenPart * size
	case p.step == slides:
		return snakePart * size
	default:
		return signPart * size
	}
}

// fitted is an account in the size it is painted in.
type fitted struct {
	account
	size float32
}

// fit makes an account fit: the writing gets smaller, then the name shorter, then
// squares in the middle go.
func (a account) fit(size, width float32) fitted {
	least := size * 0.72
	whole := []rune(a.parts[1].text)
	letters := len(whole)
	for a.width(least) > width {
		n := len(a.parts)
		switch {
		case letters > leastNamed+1:
			letters--
			a.parts[1].text = cutTo(string(whole), letters-1)
		case n > 8:
			// Of the squares in between, one step and one square less.
			at := n - 5
			a.parts = append(a.parts[:at:at], a.parts[at+2:]...)
			a.parts[at-1] = entry{text: "…"}
		default:
			return fitted{a, least * width / a.width(least)}
		}
	}
	return fitted{a, min(size, size*width/a.width(size))}
}

// say paints an account whose middle is at a height.
func (c *canvas) say(a fitted, left, middle float32) {
	at := left
	for _, p := range a.parts {
		w := a.theme.partWidth(p, a.size)
		centre := point{at + w/2, middle}
		switch {
		case p.isText():
			c.write(p.text, a.size, point{at, middle + a.size*capital/2}, inkText)
		case p.piece != nil:
			c.token(*p.piece, centre, w/2/tokenReach)
		default:
			c.sign(p.step, centre, a.size)
		}
		at += w + gapPart*a.size
	}
}

// sign paints how a square was reached.
func (c *canvas) sign(s step, at point, size float32) {
	half := size * 0.42
	switch s {
	case climbs:
		small := layout{cell: int(size * 1.15), width: 1}
		c.ladder(&small, at.add(point{-half * 0.6, half}), at.add(point{half * 0.6, -half}))
	case slides:
		small := layout{cell: int(size * 1.25), width: 1}
		c.snake(&small, small.spine(at.add(point{-size * 0.5, -half * 0.8}), at.add(point{size * 0.8, half}), true), 0)
	case stays: // a stop sign
		c.fill(regular(at, size*0.5, 8, 1.0/16), inkCasing)
		c.fill(regular(at, size*0.43, 8, 1.0/16), inkTongue)
		c.fill(bar(at.add(point{-size * 0.24, 0}), at.add(point{size * 0.24, 0}), size*0.16), inkWhite)
	case returns:
		c.fill(arrowSign(-half, size).moved(at), inkText)
	default:
		c.fill(arrowSign(half, size).moved(at), inkText)
	}
}

// arrowSign returns an arrow around 0,0 that points to the right, or to the
// left with a bend where half is negative.
func arrowSign(half, size float32) outline {
	thick := size * 0.075
	head := []point{{half, 0}, {half * 0.1, half * 0.75}, {half * 0.1, -half * 0.75}}
	if half > 0 {
		return outline{head, {{-half, thick}, {half * 0.2, thick}, {half * 0.2, -thick}, {-half, -thick}}}
	}
	low := -half * 0.5
	head = outline{head}.moved(point{0, low})[0]
	line := []point{{half * 0.2, low}, {-half * 0.5, low}, {-half, low * 0.4}, {-half, -low * 0.4}, {-half * 0.5, -low}, {half * 0.2, -low}}
	return outline{head}.with(ribbon(line, even(2*thick)))
}
