package odds

import "hiss/engine/rules"

// curve is how a player gets on from a square: per go, from the first, the
// chance not to come home in it if one is on the way still. The last one holds
// for all goes after it.
type curve []float64

// race works out who is home first of players that throw in this order, and how
// many goes it takes on average. The curves have one length. chances gets
// each one's chance. Rounds are followed until the curves end, or everybody is
// still on the way with no more than the chance few.
//
// Before each go, the chance that everybody is still on the way is the product
// of what each has survived. Who is on turn then ends the race with its chance to
// come home in that go. Behind the curves that product shrinks by one
// factor a round, L = Π Lᵢ: the rest is a geometric series.
func race(curves []curve, chances []float64, few float64) (goes float64) {
	clear(chances)
	chances = chances[:len(curves)]
	all, t := 1.0, 0
	for ; t+4 < len(curves[0]) && all > few; t += 4 {
		all = fourRounds(curves, chances, t, all, &goes)
	}
	for ; t < len(curves[0])-1 && all > few; t++ {
		for i, c := range curves {
			after := all * c[t]
			goes += all
			chances[i] += all - after
			all = after
		}
	}
	round, first := 1.0, all
	for i := range curves {
		round *= curves[i][len(curves[i])-1]
	}
	if first == 0 || round == 1 {
		return goes
	}
	first /= 1 - round
	for i, c := range curves {
		after := first * c[len(c)-1]
		goes += first
		chances[i] += first - after
		first = after
	}
	return goes
}

// fourRounds is race for the four rounds from t on, before which everybody is
// still on the way with the chance all; it returns that chance after them. Four
// at a time don't wait for each other, which takes half the time.
func fourRounds(curves []curve, chances []float64, t int, all float64, goes *float64) float64 {
	a, b, c, d := 1.0, 1.0, 1.0, 1.0
	for _, whole := range curves {
		four := whole[t : t+4 : t+4]
		a, b, c, d = a*four[0], b*four[1], c*four[2], d*four[3]
	}
	a, b, c, d = all, all*a, all*a*b, all*a*b*c
	sum := 0.0
	for i, whole := range curves {
		four := whole[t : t+4 : t+4]
		e, f, g, h := a*four[0], b*four[1], c*four[2], d*four[3]
		sum += (a + b) + (c + d)
		chances[i] += ((a - e) + (b - f)) + ((c - g) + (d - h))
		a, b, c, d = e, f, g, h
	}
	*goes += sum
	return d
}

// Match is what a match comes to on average when all begin on square 0.
type Match struct {
	// Chances are, in the order of the seats, the chances to be home first. They
	// add up to 1.
	Chances []float64
	// First is how many goes all seats together throw until the first is home:
	// the match under finish=first.
	First float64
	// All is how many they throw until everybody is home, under finish=all.
	All float64
}

// FirstSeat returns what the first seat is worth: its chance to be home first
// less what everybody's would be if the order didn't matter.
func (m Match) FirstSeat() float64 { return m.Chances[0] - 1/float64(len(m.Chances)) }

// Match returns what a match of 1 to 16 seats comes to. The error is ErrSeats or,
// as for Law, ErrLong, and for several seats ErrSkips on a board with squares that pass
// over the next one. Chances are right to 10⁻¹² or better, goes to as
// many digits, on any board on which a token needs less than 10⁶ goes.
//
// Under finish=all each seat throws until it is home and no longer, so a match takes
// as many times the goes of one player as there are seats.
func (c *Chain) Match(seats int) (Match, error) {
	if seats < 1 || seats > rules.MaxSeats {
		return Match{}, ErrSeats
	}
	if seats > 1 && c.skips {
		return Match{}, ErrSkips
	}
	l, err := c.Law(rules.Token{})
	if err != nil {
		return Match{}, err
	}
	return c.match(l, seats), nil
}

// match is Match by the law of a player from square 0.
func (c *Chain) match(l *Law, seats int) Match {
	var curves [rules.MaxSeats]curve
	for i := range seats {
		curves[i] = l.stay
	}
	m := Match{Chances: make([]float64, seats), All: float64(seats) * c.lengths[0].Mean}
	m.First = race(curves[:seats], m.Chances, 1e-16)
	return m
}
