package odds

import "hiss/engine/rules"

// curve is how a player gets on from a square: per go, from the first, the
// chance not to come home in it if one is on the way still. The last one holds
// for all goes after it.
type curve []float64

// nobody is how unlikely it must be that everybody is still on the way for a
// race to be followed no further.
const nobody = 1e-13

// race works out who is home first of players that throw in this order, and how
// many goes it takes on average. The curves have one length. chances gets
// each one's chance.
//
// Before each go, the chance that everybody is still on the way is the product
// of what each has survived. Who is on turn then ends the race with its chance to
// come home in that go. Behind the curves that product shrinks by one
// factor a round, L = Π Lᵢ: the rest is a geometric series.
func race(curves []curve, chances []float64) (goes float64) {
	clear(chances)
	chances = chances[:len(curves)]
	all := 1.0
	for t := 0; t < len(curves[0])-1 && all > nobody; t++ {
		part, sum := 1.0, 0.0 // of all, so that rounds don't wait for each other
		for i, c := range curves {
			after := part * c[t]
			sum += part
			chances[i] += all * (part - after)
			part = after
		}
		goes += all * sum
		all *= part
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
// as for Law, ErrLong. Chances are right to 10⁻¹² or better, goes to as
// many digits, on any board on which a token needs less than 10⁶ goes.
//
// Under finish=all each seat throws until it is home and no longer, so a match takes
// as many times the goes of one player as there are seats.
func (c *Chain) Match(seats int) (Match, error) {
	if seats < 1 || seats > rules.MaxSeats {
		return Match{}, ErrSeats
	}
	l, err := c.Law(0)
	if err != nil {
		return Match{}, err
	}
	var curves [rules.MaxSeats]curve
	for i := range seats {
		curves[i] = l.stay
	}
	m := Match{Chances: make([]float64, seats), All: float64(seats) * c.lengths[0].Mean}
	m.First = race(curves[:seats], m.Chances)
	return m, nil
}
