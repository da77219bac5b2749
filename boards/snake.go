package boards

import "math"

// spine returns the middle line of a snake, from its head to the tip of its
// tail: a wave that is flat at both ends. Which way it swings first is by
// whether mirrored is set.
func (l *layout) spine(head, tail point, mirrored bool) []point {
	way := tail.sub(head)
	length := way.length()
	along := way.unit()
	cell := float32(l.cell)
	waves := max(1, math.Round(float64(length/(1.9*cell))))
	swing := min(cell*0.34, length*0.13)
	if mirrored {
		swing = -swing
	}
	n := max(12, min(400, int(length/max(2, min(5, cell/12)))))
	line := make([]point, n+1)
	for i := range line {
		t := float64(i) / float64(n)
		calm := min(1, 5*t, 4*(1-t))
		if waves == 1 { // too short for bends as tight as that
			calm = min(1, 2.8*t, 2.8*(1-t))
		}
		calm = calm * calm * (3 - 2*calm)
		line[i] = head.along(along, length*float32(t)).along(along.left(), swing*float32(math.Sin(2*math.Pi*waves*t)*calm))
	}
	return line
}

// snake paints one along its spine, with its head on the square where it bites.
func (c *canvas) snake(l *layout, line []point, kind int) {
	skin, back := inkSnake0+ink(kind), inkBack0+ink(kind)
	edge, thick := l.gauge(0.03), l.gauge(0.19)
	body := func(more float32) func(float32) float32 {
		return func(t float32) float32 {
			w := thick * (1 - 0.25*t)
			switch {
			case t < 0.08:
				w *= 0.8 + 0.2*t/0.08
			case t > 0.6: // to a point, slowly at first
				far := (t - 0.6) / 0.4
				w *= 1 - 0.65*far - 0.35*far*far*far
			}
			return w + more
		}
	}
	c.fill(ribbon(line, body(2*edge)).with(circle(line[len(line)-1], edge)), inkCasing)
	c.fill(ribbon(line, body(0)), skin)
	if thick >= 6 {
		c.marks(line, body(0), back)
	}
	c.head(l, line, skin)
}

// marks paints diamonds along a snake's back.
func (c *canvas) marks(line []point, width func(float32) float32, back ink) {
	var o outline
	far, next := float32(0), float32(0)
	for i := 1; i < len(line)-1; i++ {
		far += line[i].sub(line[i-1]).length()
		w := width(float32(i) / float32(len(line)-1))
		if far < next || w < 4 {
			continue
		}
		if next == 0 { // the first one comes behind the head
			next = far + w*1.4
			continue
		}
		next = far + w*1.7
		along := line[i+1].sub(line[i-1]).unit()
		o = append(o, outline{{{-w * 0.42, 0}, {0, -w * 0.26}, {w * 0.42, 0}, {0, w * 0.26}}}.turned(line[i], along)...)
	}
	if len(o) > 0 {
		c.fill(o, back)
	}
}

// head paints the head that looks away from the body, with its eyes and, where
// it can be seen, its tongue.
func (c *canvas) head(l *layout, line []point, skin ink) {
	at := line[0]
	along := line[0].sub(line[min(3, len(line)-1)]).unit()
	size, edge := l.gauge(0.165), l.gauge(0.03)
	if size >= 7 {
		root, thin := size*0.9, max(1.5, size*0.16)
		fork := bar(point{root, 0}, point{size * 1.75, 0}, thin)
		fork = append(fork, bar(point{size * 1.7, 0}, point{size * 2.15, -size * 0.32}, thin)...)
		fork = append(fork, bar(point{size * 1.7, 0}, point{size * 2.15, size * 0.32}, thin)...)
		c.fill(fork.turned(at, along), inkTongue)
	}
	c.fill(ellipse(at, along, size*1.25+edge, size*0.95+edge), inkCasing)
	c.fill(ellipse(at, along, size*1.25, size*0.95), skin)
	if size < 4 {
		return
	}
	for _, side := range [...]float32{-1, 1} {
		eye := at.along(along, size*0.32).along(along.left(), side*size*0.46)
		c.fill(circle(eye, size*0.36), inkWhite)
		c.fill(circle(eye.along(along, size*0.12), size*0.19), inkBlack)
	}
}
