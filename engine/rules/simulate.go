package rules

import "math/bits"

// Source is a fast stream of random numbers for simulation: wyrand by Wang Yi,
// 64 bits of state. Matches that people play never use it. The zero value is
// ready; set it to any number for another stream.
type Source uint64

// Next returns the next 64 random bits.
func (s *Source) Next() uint64 {
	*s += 0xa0761d6478bd642f
	hi, lo := bits.Mul64(uint64(*s), uint64(*s)^0xe7037ed1a0b428db)
	return hi ^ lo
}

// below returns a number in 0..n-1. No number is favoured by more than n parts
// in 2⁶⁴.
func (s *Source) below(n uint64) uint64 {
	hi, _ := bits.Mul64(s.Next(), n)
	return hi
}

// tableRows is how many entries the table of a simulation may have, so that
// its offsets fit their type and it stays in the processor's nearer caches.
const tableRows = 48 << 10

// Simulation plays whole matches on one track by random numbers, as fast as
// the machine allows and without allocating. The goes are those of Game, throw
// by throw, with the dice in the order in which the source gives them.
//
// Where they fit, the outcomes of several rolls of one seat (a whole go, or
// alone several goes) are looked up as one: then one number of the source
// decides them all, and Faces tells which faces it stands for.
//
// It isn't safe for concurrent use; make one for each goroutine.
type Simulation struct {
	track *Track
	rolls int // how many rolls one number of the source stands for

	// rows tells, per row and number, which row those rolls lead to. The row of
	// a square begins at square times outcomes; rows from home on are the last
	// square, reached with as many rolls to spare as they are behind it. Row
	// starts are stored instead of squares since that saves a multiplication
	// on the way from one look-up to the next.
	rows     []uint16
	outcomes int // how many numbers there are
	home     int
	faces    []int // scratch of the walk without a table

	// What the last match came to, per seat.
	Squares [MaxSeats]int
	Shields [MaxSeats]bool
	Goes    [MaxSeats]int
	Places  [MaxSeats]int
	// Total is how many goes all seats threw.
	Total int
	// Rolls is how many rolls those were, or 0 where all were looked up.
	Rolls int

	// Where it stands, for Continue.
	seats, turn, placed int
	out                 [MaxSeats]bool // takes no part
}

// NewSimulation returns a simulation of matches with 1 to 16 seats.
func NewSimulation(t *Track, seats int) *Simulation {
	s := &Simulation{track: t, rolls: 1, faces: make([]int, t.rules.Dice)}
	switch r := t.rules; {
	case r.Dice > 1 || t.effects != nil:
		return s
	case r.Bonus == Max && r.Void == 0:
		return s
	case r.Bonus == Max:
		s.rolls = r.Void
	case seats == 1:
		s.rolls = 3
	}
	for s.outcomes = t.rules.outcomes(s.rolls); s.outcomes*t.size > tableRows; s.outcomes = t.rules.outcomes(s.rolls) {
		if s.rolls == 1 || t.rules.Bonus == Max { // a go isn't cut in two
			return s
		}
		s.rolls--
	}
	s.home = s.outcomes * t.size
	s.rows = make([]uint16, s.home)
	for i := range s.rows {
		s.rows[i] = s.row(i/s.outcomes, i%s.outcomes)
	}
	return s
}

// outcomes returns in how many ways one die can fall so many times, or more than
// any table takes.
func (r Rules) outcomes(rolls int) int {
	n := 1
	for range rolls {
		n = min(n*r.Sides, tableRows+1)
	}
	return n
}

// Faces returns the faces that a number of the source stands for, in the order
// in which they are thrown. A go, or a match, that ends early leaves the rest.
func (s *Simulation) Faces(number uint64) []int {
	if s.rows == nil {
		face, _ := bits.Mul64(number, uint64(s.track.rules.Sides))
		return []int{int(face) + 1}
	}
	n, _ := bits.Mul64(number, uint64(s.outcomes))
	faces := make([]int, s.rolls)
	for i := range faces {
		faces[i] = s.face(int(n), i)
	}
	return faces
}

// face returns face i of outcome n.
func (s *Simulation) face(n, i int) int {
	for range i {
		n /= s.track.rules.Sides
	}
	return n%s.track.rules.Sides + 1
}

// row works out an entry of the table.
func (s *Simulation) row(square, n int) uint16 {
	used := 0
	die := func() int {
		used++
		return s.face(n, used-1)
	}
	square = s.walk(square, die)
	for alone := s.track.rules.Bonus == NoBonus; alone && used < s.rolls && square != s.track.size; {
		square = s.walk(square, die)
	}
	if square == s.track.size && s.track.rules.Bonus == NoBonus {
		return uint16(s.home + s.rolls - used)
	}
	return uint16(square * s.outcomes)
}

// Play plays one match of as many seats until it is over by its finish rule,
// and reports that. One that has thrown limit goes before it is over is left
// as it stands, and false returned: it can be continued. Alone, where one number stands for several
// goes, the limit is passed by two goes at most.
func (s *Simulation) Play(src *Source, seats, limit int) bool {
	s.reset(seats)
	switch {
	case s.rows == nil:
		return s.Continue(src, limit)
	case seats == 1:
		return s.playAlone(src, limit)
	case s.track.rules.Finish == First:
		return s.playFirst(src, seats, limit)
	}
	return s.playRound(src, seats, limit)
}

// reset puts all tokens on the start.
func (s *Simulation) reset(seats int) {
	clear(s.Squares[:])
	clear(s.Shields[:])
	clear(s.Goes[:])
	clear(s.Places[:])
	clear(s.out[:])
	s.Total, s.Rolls = 0, 0
	s.seats, s.turn, s.placed = seats, 0, 0
}

// playAlone is Play for one seat with the table.
func (s *Simulation) playAlone(src *Source, limit int) bool {
	goes := 1 // that one number stands for
	if s.track.rules.Bonus == NoBonus {
		goes = s.rolls
	}
	rows, outcomes, random := s.rows, uint64(s.outcomes), *src
	at, total := 0, 0
	for at < len(rows) && total < limit {
		at = int(rows[at+int(random.below(outcomes))])
		total += goes
	}
	*src = random
	if at < len(rows) {
		s.Squares[0], s.Goes[0], s.Total = at/s.outcomes, total, total
		return false
	}
	total -= at - s.home
	s.Squares[0], s.Goes[0], s.Total, s.Places[0] = s.track.size, total, total, 1
	return true
}

// playFirst is Play for several seats with the table, up to the first home. A
// number of the source is one go.
func (s *Simulation) playFirst(src *Source, seats, limit int) bool {
	rows, outcomes, random := s.rows, uint64(s.outcomes), *src
	var places [MaxSeats]int
	at := places[:seats]
	winner := -1
	for s.Total < limit && winner < 0 {
		goes := s.Total
		for i := range at {
			row := int(rows[at[i]+int(random.below(outcomes))])
			at[i] = row
			goes++
			if row >= len(rows) {
				winner = i
				break
			}
			if goes == limit {
				break
			}
		}
		s.Total = goes
	}
	*src = random
	s.turn = s.Total % seats
	for i := range at {
		s.Squares[i] = min(at[i]/s.outcomes, s.track.size)
		s.Goes[i] = (s.Total + seats - 1 - i) / seats
	}
	if winner >= 0 {
		s.Places[winner] = 1
	}
	return winner >= 0
}

// playRound is Play for several seats with the table, whose match goes on when
// one is home. A number of the source is one go.
func (s *Simulation) playRound(src *Source, seats, limit int) bool {
	rows, outcomes := s.rows, uint64(s.outcomes)
	var at [MaxSeats]int
	over, i := false, 0
	for ; !over && s.Total < limit; i++ {
		if i == seats {
			i = 0
		}
		if at[i] >= len(rows) {
			continue
		}
		at[i] = int(rows[at[i]+int(src.below(outcomes))])
		s.Goes[i]++
		s.Total++
		over = at[i] >= len(rows) && s.arrive(i)
	}
	s.turn = i % seats
	for i := range seats {
		s.Squares[i] = min(at[i]/s.outcomes, s.track.size)
	}
	return over
}
