package engine

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"hiss/boards"
	"hiss/bot"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// Of matches of more goes no poster is made, and on boards of more squares none tells
// what turned the match: at its end its channel waits, for some ten milliseconds.
const mostPosterGoes, mostPosterSquares = 400, 200

// turningPoint is how much of the winner's chance one go has to bring to be called
// the turning point.
const turningPoint = 0.1

// greatness is what was great in a match: its longest ladder and snake, and the go that
// turned it, from 1.
type greatness struct {
	jumps  []rules.Roll
	seats  []int // who took them
	turned int
}

// great returns what was great in a match that is over.
func (c *call) great(t *table) (all greatness) {
	if t.game.Goes() > mostPosterGoes || people(t.game) < 2 {
		return all
	}
	run := rerun(t.game.Track(), t.rec)
	if !run.sound() {
		return all
	}
	for _, up := range []bool{true, false} {
		if seat, r := longest(run, up); r.Jumped() {
			all.jumps, all.seats = append(all.jumps, r), append(all.seats, seat)
		}
	}
	all.turned = c.turned(run)
	return all
}

// poster tells what was great.
func (v teller) poster(all greatness) bot.Text {
	var parts []bot.Text
	for i, r := range all.jumps {
		key := words.PosterSnake
		if r.To > r.Landed {
			key = words.PosterLadder
		}
		parts = append(parts, v.l.Text(key, words.T("name", v.names.Short(all.seats[i])), words.N("a", r.Landed), words.N("b", r.To)))
	}
	if all.turned > 0 {
		parts = append(parts, v.l.Text(words.PosterTurning, words.N("n", all.turned)))
	}
	if len(parts) == 0 {
		return nil
	}
	line := slices.Clone(words.Join(" · ", parts...))
	first, size := utf8.DecodeRuneInString(line[0].Text)
	line[0].Text = string(unicode.ToUpper(first)) + line[0].Text[size:]
	return line
}

// posterOf returns the picture of a match that is over, or nil where the chat wants
// none.
func (c *call) posterOf(t *table, last *rules.Went, all greatness) *bot.Picture {
	theme, ok := c.theme(atEnds)
	if !ok {
		return nil
	}
	v, g := c.teller(t), t.game
	scene, alt := c.scene(v, g, last)
	o := boards.Poster{Scene: scene}
	for _, seat := range v.order(g) {
		o.Ranking = append(o.Ranking, boards.Rank{By: seat, Goes: c.words.Words(words.PosterGoes, words.N("n", g.Seat(seat).Goes))})
	}
	for i, r := range all.jumps {
		o.Great = append(o.Great, boards.Move{By: all.seats[i], Path: []int{r.Landed, r.To}})
	}
	if all.turned > 0 {
		o.Note = c.words.Words(words.PosterTurning, words.N("n", all.turned))
	}
	alt = bot.Lines(bot.Said(alt), v.poster(all)).String()
	return c.drawing(g.Track().Board(), canvas{t.rec.Board, theme, boards.PictureWidth}, o, alt, func(p *boards.Painter) ([]byte, error) { return p.Poster(o) })
}

// longest returns the first of the longest ladders, or snakes, that somebody took.
func longest(run rerunning, up bool) (seat int, most rules.Roll) {
	for _, e := range run.events {
		went, _ := e.event.(rules.Went)
		for _, r := range went.Rolls {
			if by := r.To - r.Landed; by > 0 == up && by*by > (most.To-most.Landed)*(most.To-most.Landed) {
				seat, most = went.Seat, r
			}
		}
	}
	return seat, most
}

// turned returns the go that brought the winner's chance up most, but for the last
// one, from 1; 0 if none of them turned the match, or that can't be told at once.
func (c *call) turned(run rerunning) (most int) {
	winner, track := run.game.Winner(), run.game.Track()
	if winner < 0 || track.Size() > mostPosterSquares || track.Effects() {
		return 0
	}
	table, err := c.tracks.table(track)
	if err != nil || table.Bytes() > maxTable {
		return 0
	}
	chances, best, before, gone := make([]float64, run.game.Seats()), turningPoint, -1.0, false
	for _, e := range run.events {
		behind := gone // a go; what else comes changes chances, too
		_, gone = e.event.(rules.Went)
		if e.before.Winner() >= 0 || e.before.Phase() != rules.Running {
			continue
		}
		tokens := make([]rules.Token, len(chances))
		for i := range tokens {
			tokens[i] = rules.Token{Square: rules.Out}
			if i < e.before.Seats() && e.before.Seat(i).Playing() {
				tokens[i] = rules.Token{Square: e.before.Seat(i).Square, Shield: e.before.Seat(i).Shield}
			}
		}
		if _, err := table.First(chances, tokens, e.before.Turn()); err != nil {
			return 0
		}
		if rise := chances[winner] - before; behind && before >= 0 && rise > best {
			best, most = rise, e.before.Goes()
		}
		before = chances[winner]
	}
	return most
}
