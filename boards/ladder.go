package boards

// gauge is how thick things on the board are drawn, in pixels: a share of a
// square, but never so thin that nothing is seen.
func (l *layout) gauge(share float32) float32 {
	return max(float32(l.cell)*share, float32(l.width)/500)
}

// ladder paints one from its foot to its top, with as many rungs as it has room
// for.
func (c *canvas) ladder(l *layout, foot, top point) {
	along := top.sub(foot).unit()
	side := along.left().times(l.gauge(0.135))
	edge, thick := l.gauge(0.028), l.gauge(0.062)
	rails := func(width, longer float32) outline {
		a, b := foot.along(along, -longer), top.along(along, longer)
		return bar(a.add(side), b.add(side), width).with(bar(a.sub(side), b.sub(side), width))
	}
	rungs := func(width float32) (o outline) {
		length := top.sub(foot).length()
		n := max(2, int(length/l.gauge(0.33)))
		for i := range n {
			at := foot.along(along, length*(float32(i)+0.5)/float32(n))
			o = append(o, bar(at.add(side), at.sub(side), width)...)
		}
		return o
	}
	c.fill(rungs(thick+2*edge), inkCasing)
	c.fill(rails(thick+2*edge, l.gauge(0.1)+edge), inkCasing)
	c.fill(rungs(thick), inkRung)
	c.fill(rails(thick, l.gauge(0.1)), inkRail)
}

// ends returns where a jump begins and ends in the picture: a little off the
// squares' middles, so that tokens and jumps that meet there don't hide each
// other.
func (l *layout) ends(j Jump) (from, to point) {
	aside := point{float32(l.cell) * 0.14, float32(l.cell) * 0.02}
	return l.centre(j.From).add(aside), l.centre(j.To).add(aside)
}
