package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hiss/boards"
)

// The notation of acts, which people can read too. Entries are separated by
// one blank; a to p are the seats 1 to 16.
//
//	open        the match is opened; open! with a seed that somebody gave
//	join        the next seat is taken; join:computer by a computer player
//	leave:b     seat b gets up (in a lobby the seats behind it move up)
//	unseat:b    seat b is taken away
//	order:cab   seats c, a and b are in this order now, and called a, b and c
//	auto:b      the die rolls for seat b from now on; hand:b no more
//	end:b       the player of seat b ends the match; end:admin somebody who
//	            isn't seated; end:closed and end:expired the clock
//	b4          seat b goes and throws 4
//
// A go names its seat, then with a sign how it came about, if not by a press,
// and then its rolls with commas between:
//
//	b*4  by autoroll     b~4  by the clock     b#4  by a computer player
//	b%4  a die of the go was loaded; stands before the other sign
//	b6,6,2   three rolls     b5+4   one roll of two dice
//
// A roll moves the token on by its total, unless signs behind it say otherwise:
//
//	4>14   it landed and a jump led to 14
//	6^98   it landed on 98 (counted back, or past the end); 6^98>78 and jumped
//	6=     the token stayed where it was
//	6!     the go is void, the token goes back to where the go began
//
// What the square did on which it came to rest stands last:
//
//	4>14/skip   the next player is passed over     4/again   one more roll
//	4/shield    the token has a shield now         4/back    and back to 0
//	4/held      the shield held off the snake there and is used up
//
// A go of one die takes about three bytes. Entries may be added to the
// notation; none ever changes its meaning.

// Write returns an event's entry.
func Write(e Event) string { return string(appendEvent(nil, e)) }

func appendEvent(b []byte, e Event) []byte {
	named := func(word string, seat int) []byte {
		return append(append(append(b, word...), ':'), letter(seat))
	}
	switch e := e.(type) {
	case Opened:
		b = append(b, "open"...)
		if e.Loaded {
			b = append(b, '!')
		}
	case Joined:
		b = append(b, "join"...)
		if e.Computer {
			b = append(b, ":computer"...)
		}
	case Left:
		return named("leave", e.Seat)
	case Unseated:
		return named("unseat", e.Seat)
	case Ordered:
		b = append(b, "order:"...)
		for _, seat := range e.Seats {
			b = append(b, letter(seat))
		}
	case Autoroll:
		if e.On {
			return named("auto", e.Seat)
		}
		return named("hand", e.Seat)
	case Ended:
		switch {
		case e.Why == Closed:
			return append(b, "end:closed"...)
		case e.Why == Expired:
			return append(b, "end:expired"...)
		case e.Seat < 0:
			return append(b, "end:admin"...)
		}
		return named("end", e.Seat)
	case Went:
		b = appendGo(b, e)
	}
	return b
}

func letter(seat int) byte { return 'a' + byte(seat) }

// howSigns are the signs of How, in order; a press has none.
const howSigns = " *~#"

func appendGo(b []byte, w Went) []byte {
	b = append(b, letter(w.Seat))
	if w.Loaded {
		b = append(b, '%')
	}
	if w.How != Pressed {
		b = append(b, howSigns[w.How])
	}
	for i, r := range w.Rolls {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendRoll(b, r)
	}
	return b
}

func appendRoll(b []byte, r Roll) []byte {
	for i, f := range r.Faces {
		if i > 0 {
			b = append(b, '+')
		}
		b = strconv.AppendInt(b, int64(f), 10)
	}
	switch {
	case r.Void:
		return append(b, '!')
	case r.Stayed() && r.To == r.Landed:
		return append(b, '=')
	}
	if r.Landed != r.From+r.Total() {
		b = strconv.AppendInt(append(b, '^'), int64(r.Landed), 10)
	}
	if r.Jumped() {
		b = strconv.AppendInt(append(b, '>'), int64(r.To), 10)
	}
	if r.Held {
		return append(b, "/held"...)
	}
	if r.Effect != boards.NoEffect {
		b = append(append(b, '/'), r.Effect.String()...)
	}
	return b
}

// Read reads the entry of the event that comes next in a match. It doesn't ask
// whether the event can follow; Apply does.
func (g *Game) Read(entry string) (Event, error) {
	var r reader
	return r.read(g, entry)
}

// Fold returns the match of which these are the acts. Its seats don't know
// their players yet: Sit tells them.
func Fold(t *Track, acts string) (*Game, error) {
	g := NewGame(t)
	var r reader
	for entry := range strings.SplitSeq(acts, " ") {
		e, err := r.read(g, entry)
		if err != nil {
			return nil, err
		}
		if err := g.Apply(e); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// reader reads entries. It keeps its buffers from one go to the next, so an
// event that it returned is good until the next one is read.
type reader struct {
	rolls   []Roll
	faces   []int
	written []byte
}

func (r *reader) read(g *Game, entry string) (Event, error) {
	e, err := r.parse(g, entry)
	if err == nil {
		// Each event has one way to be written, and this must be it.
		r.written = appendEvent(r.written[:0], e)
		if string(r.written) != entry {
			err = fmt.Errorf("would be written %q", r.written)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("act %d, %q: %w", g.acts+1, entry, err)
	}
	return e, nil
}

func (r *reader) parse(g *Game, entry string) (Event, error) {
	if len(entry) >= 2 && (entry[1] < 'a' || entry[1] > 'z') {
		return r.parseGo(g, entry)
	}
	word, detail, _ := strings.Cut(entry, ":")
	seat := -1
	if len(detail) == 1 {
		seat = int(detail[0]) - 'a'
	}
	switch word {
	case "open", "open!":
		return Opened{Loaded: word == "open!"}, nil
	case "join":
		return Joined{Computer: detail == "computer"}, nil
	case "leave", "unseat", "auto", "hand":
		if seat < 0 || seat >= MaxSeats {
			return nil, fmt.Errorf("no seat %q", detail)
		}
		return map[string]Event{
			"leave": Left{seat}, "unseat": Unseated{seat}, "auto": Autoroll{seat, true}, "hand": Autoroll{seat, false},
		}[word], nil
	case "order":
		return parseOrder(detail)
	case "end":
		e := Ended{Seat: seat}
		if i := slices.Index([]string{"closed", "expired"}, detail); i >= 0 {
			e.Why = Closed + Why(i)
		}
		return e, nil
	}
	return nil, fmt.Errorf("no such act")
}

func parseOrder(letters string) (Event, error) {
	if len(letters) < 2 || len(letters) > MaxSeats {
		return nil, fmt.Errorf("no order %q", letters)
	}
	o := Ordered{Seats: make([]int, len(letters))}
	for i := range len(letters) {
		o.Seats[i] = int(letters[i]) - 'a'
		if o.Seats[i] < 0 || o.Seats[i] >= MaxSeats {
			return nil, fmt.Errorf("no seat %q", letters[i])
		}
	}
	return o, nil
}

func (r *reader) parseGo(g *Game, entry string) (Event, error) {
	w := Went{Seat: int(entry[0]) - 'a'}
	if w.Seat < 0 || w.Seat >= len(g.seats) {
		return nil, fmt.Errorf("nobody sits there")
	}
	rest := entry[1:]
	rest, w.Loaded = strings.CutPrefix(rest, "%")
	if how := strings.IndexByte(howSigns, rest0(rest)); how > 0 {
		w.How, rest = How(how), rest[1:]
	}
	start := g.seats[w.Seat].Square
	from := start
	r.rolls, r.faces = r.rolls[:0], r.faces[:0]
	for one := range strings.SplitSeq(rest, ",") {
		roll, err := r.parseRoll(one, start, from)
		if err != nil {
			return nil, err
		}
		r.rolls = append(r.rolls, roll)
		from = roll.End()
	}
	w.Rolls = r.rolls
	return w, nil
}

func rest0(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

// parseRoll reads one roll of a go that began on start, by a token on from.
func (r *reader) parseRoll(s string, start, from int) (Roll, error) {
	roll := Roll{From: from}
	first := len(r.faces)
	for sep := byte('+'); sep == '+'; {
		n, rest, ok := number(s)
		if !ok {
			return roll, fmt.Errorf("no face in %q", s)
		}
		r.faces = append(r.faces, n)
		if sep = rest0(rest); sep == '+' {
			rest = rest[1:]
		}
		s = rest
	}
	roll.Faces = r.faces[first:len(r.faces):len(r.faces)]
	switch s {
	case "=":
		roll.Landed, roll.To = from, from
		return roll, nil
	case "!":
		roll.Landed, roll.To, roll.Void = start, start, true
		return roll, nil
	}
	roll.Landed = from + roll.Total()
	ok := true
	if rest0(s) == '^' {
		if roll.Landed, s, ok = number(s[1:]); !ok {
			return roll, fmt.Errorf("no square behind ^")
		}
	}
	roll.To = roll.Landed
	if rest0(s) == '>' {
		if roll.To, s, ok = number(s[1:]); !ok {
			return roll, fmt.Errorf("no square behind >")
		}
	}
	return roll, roll.parseEffect(s)
}

// parseEffect reads what stands behind the squares of a roll.
func (r *Roll) parseEffect(s string) error {
	word, ok := strings.CutPrefix(s, "/")
	switch {
	case s == "":
		return nil
	case s == "/held":
		r.Held = true
		return nil
	}
	for e := boards.Skip; ok && e <= boards.Back; e++ {
		if word == e.String() {
			r.Effect = e
			return nil
		}
	}
	return fmt.Errorf("%q stands behind a roll", s)
}

// number reads the digits that a string begins with, five at most.
func number(s string) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && i < 5 && '0' <= s[i] && s[i] <= '9' {
		n = n*10 + int(s[i]-'0')
		i++
	}
	return n, s[i:], i > 0
}
