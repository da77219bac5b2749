package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"hiss/bot"
	"hiss/engine"
)

// noUpdateIsLost has 64 goroutines act in 8 channels, each loading, deciding
// and writing until it got through.
func noUpdateIsLost(s *subject) {
	const players, channels, acts = 64, 8, 3
	for c := range channels {
		s.open(place(fmt.Sprint(c)), "SEED")
	}
	var conflicts atomic.Int64
	var all sync.WaitGroup
	for p := range players {
		all.Go(func() {
			for n := range acts {
				mark := fmt.Sprintf(" %d/%d;", p, n)
				if err := s.insist(place(fmt.Sprint(p%channels)), mark, &conflicts); err != nil {
					s.Error(err)
				}
			}
		})
	}
	all.Wait()
	for c := range channels {
		r := s.latest(place(fmt.Sprint(c)))
		const want = players / channels * acts
		if r.Version != 1+want || r.Entries != 1+want {
			s.Errorf("channel %d: version %d and %d entries, want %d", c, r.Version, r.Entries, 1+want)
		}
		for p := c; p < players; p += channels {
			for n := range acts {
				if mark := fmt.Sprintf(" %d/%d;", p, n); strings.Count(r.Acts, mark) != 1 {
					s.Errorf("channel %d: act%s stands there %d times", c, mark, strings.Count(r.Acts, mark))
				}
			}
		}
	}
	s.Logf("%d conflicts", conflicts.Load())
}

// insist writes an act on top of whatever is there.
func (s *subject) insist(c bot.Channel, mark string, conflicts *atomic.Int64) error {
	for {
		r, err := s.Latest(context.Background(), c)
		if err != nil {
			return err
		}
		r.Acts += mark
		r.Entries++
		err = s.Put(context.Background(), &r)
		if !errors.Is(err, engine.ErrConflict) {
			return err
		}
		conflicts.Add(1)
	}
}

func ofManyOpeningsOneGetsIn(s *subject) {
	const rivals, rounds = 16, 5
	var follows int64
	for round := range rounds {
		won := make([]engine.Record, rivals)
		errs := make([]error, rivals)
		var all sync.WaitGroup
		for i := range rivals {
			all.Go(func() {
				won[i] = fresh(place(""), fmt.Sprintf("%d-%d", round, i))
				won[i].Follows = follows
				errs[i] = s.Put(context.Background(), &won[i])
			})
		}
		all.Wait()
		in := -1
		for i, err := range errs {
			switch {
			case err == nil && in < 0:
				in = i
			case err == nil:
				s.Fatalf("round %d: two matches were opened", round)
			case !errors.Is(err, engine.ErrConflict):
				s.Errorf("round %d: %v", round, err)
			}
		}
		if in < 0 {
			s.Fatalf("round %d: no match was opened", round)
		}
		s.finds(won[in])
		s.end(&won[in])
		follows = won[in].ID
	}
}

func tellingAndActingDontConflict(s *subject) {
	const acts = 50
	r := s.open(place(""), "SEED")
	var all sync.WaitGroup
	all.Go(func() {
		for n := range acts {
			if err := s.Tell(context.Background(), r.ID, n); err != nil {
				s.Error(err)
			}
		}
	})
	for range acts {
		r.Entries++
		if err := s.Put(context.Background(), &r); err != nil {
			s.Fatal(err)
		}
	}
	all.Wait()
	r.Told = acts - 1
	s.finds(r)
}

// readersSeeWholeRecords: a record's seats are those of its version.
func readersSeeWholeRecords(s *subject) {
	r := s.open(place(""), "SEED")
	r.Entries, r.Barred = 7+len(r.Seats), slices.Concat(r.Seats, r.Seats)
	s.put(&r)
	id := r.ID
	stop := make(chan struct{})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				got, err := s.Match(context.Background(), id)
				if err != nil {
					s.Error(err)
					return
				}
				if got.Entries != 7+len(got.Seats) || len(got.Barred) != 2*len(got.Seats) {
					s.Errorf("a record of %d entries came with %d seats and %d barred", got.Entries, len(got.Seats), len(got.Barred))
					return
				}
			}
		})
	}
	for n := range 40 {
		r.Seats = nil
		for range n % 16 {
			r.Seats = append(r.Seats, engine.Sitter{User: "fake:7", Name: "Asha"})
		}
		r.Entries, r.Barred = 7+len(r.Seats), slices.Concat(r.Seats, r.Seats)
		s.put(&r)
	}
	close(stop)
	all.Wait()
}

// movingWhileOthersAct moves a chat from id to id under the hands of players
// who know the first one.
func movingWhileOthersAct(s *subject) {
	const players, acts, moves = 8, 10, 10
	for p := range players {
		s.open(at("fake:0", fmt.Sprint(p)), "SEED")
	}
	var conflicts atomic.Int64
	var all sync.WaitGroup
	for p := range players {
		all.Go(func() {
			for n := range acts {
				if err := s.insist(at("fake:0", fmt.Sprint(p)), fmt.Sprint(" ", n), &conflicts); err != nil {
					s.Error(err)
				}
			}
		})
	}
	for m := range moves {
		s.move(bot.ChatID(fmt.Sprintf("fake:%d", m)), bot.ChatID(fmt.Sprintf("fake:%d", m+1)))
	}
	all.Wait()
	for p := range players {
		r := s.latest(at("fake:0", fmt.Sprint(p)))
		if r.Channel.Chat != "fake:10" || r.Entries != 1+acts || conflicts.Load() != 0 {
			s.Errorf("%d entries in %v, %d conflicts", r.Entries, r.Channel, conflicts.Load())
		}
	}
}
