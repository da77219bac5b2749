package engine

import (
	"slices"

	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// captionSeats is how many seats a picture's words name at most, where there are more
// than one besides.
const captionSeats = 5

// standings returns who stands where: everybody as they sit, or of many those in front
// and how many more there are.
func (v teller) standings(g *rules.Game) bot.Text {
	seats, more := v.few(g)
	return v.where(g, seats, more)
}

// everybody returns who stands where, of all.
func (v teller) everybody(g *rules.Game) bot.Text {
	seats, more := v.few(g)
	if more > 0 {
		seats = v.order(g)
	}
	return v.where(g, seats, 0)
}

// seated returns who sits where.
func (v teller) seated(g *rules.Game) bot.Text {
	all := make([]bot.Text, g.Seats())
	for i := range all {
		all[i] = v.l.Text(words.LobbySeat, words.N("n", i+1), words.T("name", v.names.Short(i)))
	}
	return words.Join(" · ", all...)
}

// few returns the seats that a caption names, and how many others there are: all of few,
// as they sit, and of many those in front.
func (v teller) few(g *rules.Game) (seats []int, more int) {
	seats = v.order(g)
	if more = len(seats) - captionSeats; more > 1 {
		return seats[:captionSeats], more
	}
	slices.Sort(seats)
	return seats, 0
}

// where returns where seats stand, and that there are more.
func (v teller) where(g *rules.Game, seats []int, more int) bot.Text {
	all := make([]bot.Text, len(seats))
	for i, s := range seats {
		key := words.Standing
		switch {
		case g.Seat(s).Home:
			key = words.StandingHome
		case g.Seat(s).Shield:
			key = words.StandingShield
		}
		all[i] = v.l.Text(key, words.T("name", v.names.Short(s)), words.N("sq", g.Seat(s).Square))
	}
	if more > 0 {
		all = append(all, v.l.Text(words.LobbyMore, words.N("n", more)))
	}
	return words.Join(" · ", all...)
}
