package odds

import (
	"hiss/engine/rules"
)

// Work is what Examine may spend on estimates, in steps of about five nanoseconds: a
// roll takes two, and one for each of its dice.
const Work = 400_000_000

// Limits of estimates, besides the work.
const (
	estimateMatches = 50_000 // which are enough for two or three digits
	estimateSeed    = 1
	standingWork    = 40_000_000
	standingMatches = 20_000
	pilotMatches    = 64      // played first, to see how long they are
	leastMatches    = 400     // below that, errors wouldn't mean much
	longest         = 20      // one that is so many times as long as they all could be is too long
	chunkGoes       = 1 << 14 // between two looks at the work
)

// plays plays matches of one kind, as many as a limit of the work allows.
type plays struct {
	simulation *rules.Simulation
	begin      func(s *rules.Simulation, src *rules.Source, limit int) bool
	source     rules.Source
	roll, goes float64 // what a roll costs, and a go of the usual rolls
	limit      float64 // of the work
	work       float64
	progress   func(float64) bool
}

// newPlays returns plays of whole matches of some seats.
func newPlays(t *rules.Track, seats int, limit float64, progress func(float64) bool) *plays {
	roll := float64(2 + t.Rules().Dice)
	law := throwsOf(t.Rules())
	return &plays{
		simulation: rules.NewSimulation(t, seats), source: estimateSeed, progress: progress,
		begin: func(s *rules.Simulation, src *rules.Source, limit int) bool { return s.Play(src, seats, limit) },
		roll:  roll, goes: roll / (1 - law.mass), limit: limit,
	}
}

// run plays matches, most of them at most, and calls each after every one. The
// error is ErrStopped, or ErrLong where there would be too few.
//
// How long they are is known to an eighth or so after the first ones, so half of the
// work is left to be safe. How many are played isn't up to how long they turn
// out to be, and they are left at no length: so the figures aren't one-sided.
func (p *plays) run(most int, each func(*rules.Simulation)) error {
	if err := p.play(pilotMatches, p.limit/4, func(*rules.Simulation) {}); err != nil {
		return err
	}
	n := min(most, int(p.limit/2/(p.work/pilotMatches))) / 4 * 4
	if n < leastMatches {
		return ErrLong
	}
	return p.play(n, p.limit, each)
}

func (p *plays) play(n int, most float64, each func(*rules.Simulation)) error {
	s, told, long := p.simulation, p.work, longest*p.limit/(2*leastMatches)
	for i := range n {
		before := p.work
		for over := p.begin(s, &p.source, chunkGoes); ; over = s.Continue(&p.source, s.Total+chunkGoes) {
			p.work = before + max(float64(s.Rolls)*p.roll, float64(s.Total)*p.goes)
			if p.work > most || p.work > before+long {
				return ErrLong
			}
			if p.work > told+p.limit/200 || over && i == n-1 {
				told = p.work
				if !p.progress(float64(i+1) / float64(n) * most / p.limit) {
					return ErrStopped
				}
			}
			if over {
				break
			}
		}
		each(s)
	}
	return nil
}

// estimate plays for the figures of a health that can't be worked out: alone says
// whether those of one player are wanted, skips whether seats pass each other
// over. The error is ErrLong or ErrStopped.
func estimate(t *rules.Track, alone, skips bool, work float64, progress *part) (h Health, err error) {
	if !skips {
		err = h.playAlone(t, work, progress.share(0, 1), true)
		return h, err
	}
	if alone {
		if err := h.playAlone(t, work/3, progress.share(0, 0.3), false); err != nil {
			return h, err
		}
	}
	first, err := firstHome(t)
	if err != nil {
		return h, err
	}
	if h.Two, err = playRace(first, 2, work/3, progress.share(0.3, 0.6)); err != nil {
		return h, err
	}
	h.Four, err = playRace(first, 4, work/3, progress.share(0.6, 1))
	return h, err
}

// playAlone plays single players and, where they don't touch each other, takes four of
// them for a match of four or two of two.
func (h *Health) playAlone(t *rules.Track, limit float64, progress func(float64) bool, races bool) error {
	var goes []float64
	p := newPlays(t, 1, limit, progress)
	if err := p.run(estimateMatches, func(s *rules.Simulation) { goes = append(goes, float64(s.Total)) }); err != nil {
		return err
	}
	all := averageOf(goes)
	h.Deviation = all.deviation(goes)
	h.One.Mean = all.figure()
	h.One.Median, h.One.Most = quantiles(goes)
	if races {
		h.Two, h.Four = raceOf(goes, 2), raceOf(goes, 4)
	}
	return nil
}

// firstHome returns a track with its rules changed to end with the first home.
func firstHome(t *rules.Track) (*rules.Track, error) {
	r := t.Rules()
	if r.Finish == rules.First {
		return t, nil
	}
	r.Finish = rules.First
	return rules.Compile(t.Board(), r)
}

// playRace plays matches whose seats may pass each other over.
func playRace(t *rules.Track, seats int, limit float64, progress func(float64) bool) (Race, error) {
	var goes []float64
	var total, first average
	err := newPlays(t, seats, limit, progress).run(estimateMatches, func(s *rules.Simulation) {
		goes = append(goes, float64(s.Total))
		total.add(float64(s.Total))
		first.add(float64(s.Places[0]))
	})
	if err != nil {
		return Race{}, err
	}
	r := Race{Goes: Goes{Mean: total.figure()}, First: first.chance()}
	r.Median, r.Most = quantiles(goes)
	return r, nil
}

// Standing is how a match stands, by estimate.
type Standing struct {
	Chances []Figure // of each seat to be home first
	Goes    Figure   // how many will be thrown until then
}

// EstimateFirst is Table.First by playing: for boards on which seats pass each other
// over, and those without a table. The tokens and turn are those of Table.First.
// It plays 20,000 matches on from there or, where they are long, for a fifth of
// a second, and says the same every time it is asked the same.
//
// The error is ErrSeats, ErrSquare where a token isn't on the board, or ErrLong
// where matches take so long that fewer than 400 could be played.
func EstimateFirst(t *rules.Track, tokens []rules.Token, turn int) (Standing, error) {
	if len(tokens) == 0 || len(tokens) > rules.MaxSeats || turn < 0 || turn >= len(tokens) {
		return Standing{}, ErrSeats
	}
	for _, token := range tokens {
		if token.Square < rules.Out || token.Square > t.Size() {
			return Standing{}, ErrSquare
		}
	}
	first, err := firstHome(t)
	if err != nil {
		return Standing{}, err
	}
	p := newPlays(first, len(tokens), standingWork, func(float64) bool { return true })
	p.begin = func(s *rules.Simulation, src *rules.Source, limit int) bool {
		return s.PlayFrom(src, tokens, turn, limit)
	}
	chances, goes := make([]average, len(tokens)), average{}
	err = p.run(standingMatches, func(s *rules.Simulation) {
		goes.add(float64(s.Total))
		for i := range chances {
			chances[i].add(float64(s.Places[i]))
		}
	})
	if err != nil {
		return Standing{}, err
	}
	s := Standing{Goes: goes.figure()}
	for i, token := range tokens {
		f := chances[i].chance()
		if token.Square == rules.Out || token.Square == t.Size() {
			f = exact(0)
		}
		s.Chances = append(s.Chances, f)
	}
	return s, nil
}
