// Package enginetest holds what every engine.Store must pass, as
// testing/fstest does for file systems. It knows the contract in
// engine/record.go and shelf.go sentence by sentence, and no store.
package enginetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"hiss/bot"
	"hiss/engine"
)

// TestStore tests a store against the contract. Open returns an empty one,
// which it closes itself when t is over; it is called once a subtest, and
// subtests run side by side.
func TestStore(t *testing.T, open func(t *testing.T) engine.Store) {
	run(t, open, map[string]func(*subject){
		"OpeningGivesNumberAndVersion":  openingGivesNumberAndVersion,
		"RecordsComeBackWhole":          recordsComeBackWhole,
		"ChangesComeBackWhole":          changesComeBackWhole,
		"TextComesBackAsItWas":          textComesBackAsItWas,
		"PlacesAreApart":                placesAreApart,
		"StaleVersionsConflict":         staleVersionsConflict,
		"OneOpenMatchAChannel":          oneOpenMatchAChannel,
		"OpeningFollowsTheLatest":       openingFollowsTheLatest,
		"DeliveriesAreTakenOver":        deliveriesAreTakenOver,
		"TheLast32DeliveriesAreKept":    theLast32DeliveriesAreKept,
		"ToldNeverGoesDown":             toldNeverGoesDown,
		"WhatIsntThereIsNotFound":       whatIsntThereIsNotFound,
		"AnEndedContextIsReturned":      anEndedContextIsReturned,
		"TheNewestMatchOfASeed":         theNewestMatchOfASeed,
		"FinishedNewestFirst":           finishedNewestFirst,
		"BoardsByContent":               boardsByContent,
		"UntoldInPages":                 untoldInPages,
		"SeatedWhereAMatchIsOpen":       seatedWhereAMatchIsOpen,
		"SetAsideMakesRoom":             setAsideMakesRoom,
		"MoveRenames":                   moveRenames,
		"MoveOfAnUnknownChat":           moveOfAnUnknownChat,
		"MoveTwice":                     moveTwice,
		"MoveOnAndBack":                 moveOnAndBack,
		"MoveJoins":                     moveJoins,
		"MoveJoinsPlaceByPlace":         moveJoinsPlaceByPlace,
		"MoveNeverJoinsTwoOpenMatches":  moveNeverJoinsTwoOpenMatches,
		"AJoinedChannelGoesOn":          aJoinedChannelGoesOn,
		"NoUpdateIsLost":                noUpdateIsLost,
		"OfManyOpeningsOneGetsIn":       ofManyOpeningsOneGetsIn,
		"TellingAndActingDontConflict":  tellingAndActingDontConflict,
		"ReadersSeeWholeRecords":        readersSeeWholeRecords,
		"MovingWhileOthersAct":          movingWhileOthersAct,
		"RecordsAreTheCallersToChange":  recordsAreTheCallersToChange,
		"ChangingWhatHardlyEverChanges": changingWhatHardlyEverChanges,
		"AnyOrderOfCalls":               anyOrderOfCalls,
		"MoveTakesShelvesAlong":         moveTakesShelvesAlong,
		"MoveJoinsShelves":              moveJoinsShelves,
		"MoveTakesDeadlinesAlong":       moveTakesDeadlinesAlong,
		"MoveJoinsWhatIsDue":            moveJoinsWhatIsDue,
		"MoveToAnotherAdapter":          moveToAnotherAdapter,
		"MoveLeavesHabits":              moveLeavesHabits,
	})
	TestClocks(t, open)
	TestShelf(t, open)
}

func run(t *testing.T, open func(t *testing.T) engine.Store, tests map[string]func(*subject)) {
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(&subject{t, open(t)})
		})
	}
}

// subject is a store under test, with what the tests say often.
type subject struct {
	*testing.T
	engine.Store
}

// second is a time as stores keep it, n seconds into the tests' era.
func second(n int) time.Time { return time.Unix(1_800_000_000+int64(n), 0).UTC() }

// place is a channel of the chat that most tests use.
func place(name string) bot.Channel { return bot.Channel{Chat: "fake:1", Place: name} }

// fresh is a record to open a match with, with something in every field.
func fresh(c bot.Channel, seed string) engine.Record {
	return engine.Record{
		Channel:  c,
		Seed:     seed,
		Board:    "hash-of-classic",
		Rules:    "dice=1 sides=6 end=exact",
		Acts:     "open 1",
		Seats:    []engine.Sitter{{User: "fake:7", Name: "Asha"}, {Name: "Computer"}},
		Barred:   []engine.Sitter{{User: "fake:6", Name: "Mallory"}, {Name: "former player"}},
		Open:     true,
		Deadline: second(60),
		Clock:    "a 90",
		Entries:  1,
		Opened:   second(0),
		Acted:    second(0),
	}
}

// open opens a match on top of the channel's latest.
func (s *subject) open(c bot.Channel, seed string) engine.Record {
	s.Helper()
	r := fresh(c, seed)
	latest, err := s.Latest(context.Background(), c)
	if err == nil {
		r.Follows = latest.ID
	} else if !errors.Is(err, engine.ErrNotFound) {
		s.Fatal(err)
	}
	s.put(&r)
	return r
}

// over opens a match and ends it.
func (s *subject) over(c bot.Channel, seed string) engine.Record {
	s.Helper()
	r := s.open(c, seed)
	s.end(&r)
	return r
}

func (s *subject) end(r *engine.Record) {
	s.Helper()
	r.Open, r.Deadline = false, time.Time{}
	s.act(r)
}

// act adds an act to a record and writes it.
func (s *subject) act(r *engine.Record) {
	s.Helper()
	r.Acts += " go"
	r.Entries++
	r.Told = r.Entries
	s.put(r)
}

func (s *subject) put(r *engine.Record) {
	s.Helper()
	if err := s.Put(context.Background(), r); err != nil {
		s.Fatalf("Put: %v", err)
	}
}

// conflicts puts a record that must be refused, and stay as it is.
func (s *subject) conflicts(r engine.Record, why string) {
	s.Helper()
	before := r
	before.Deliveries = slices.Clone(r.Deliveries)
	if err := s.Put(context.Background(), &r); !errors.Is(err, engine.ErrConflict) {
		s.Errorf("Put, %s: got error %v, want ErrConflict", why, err)
	}
	if d := differ(r, before); d != "" || r.Follows != before.Follows {
		s.Errorf("Put, %s: the refused record was changed: %s", why, d)
	}
}

func (s *subject) match(id int64) engine.Record {
	s.Helper()
	r, err := s.Match(context.Background(), id)
	if err != nil {
		s.Fatalf("Match(%d): %v", id, err)
	}
	return r
}

func (s *subject) latest(c bot.Channel) engine.Record {
	s.Helper()
	r, err := s.Latest(context.Background(), c)
	if err != nil {
		s.Fatalf("Latest(%v): %v", c, err)
	}
	return r
}

func (s *subject) move(from, to bot.ChatID) {
	s.Helper()
	if err := s.Move(context.Background(), from, to); err != nil {
		s.Fatalf("Move(%s, %s): %v", from, to, err)
	}
}

func (s *subject) tell(match int64, told int) {
	s.Helper()
	if err := s.Tell(context.Background(), match, told); err != nil {
		s.Fatalf("Tell(%d, %d): %v", match, told, err)
	}
}

func (s *subject) aside(match int64) {
	s.Helper()
	if err := s.SetAside(context.Background(), match); err != nil {
		s.Fatalf("SetAside(%d): %v", match, err)
	}
}

// finds checks that a match is as it was last written, by number, and as its
// channel's latest.
func (s *subject) finds(want engine.Record) {
	s.Helper()
	s.same("Match", s.match(want.ID), want)
	s.same("Latest", s.latest(want.Channel), want)
}

func (s *subject) same(what string, got, want engine.Record) {
	s.Helper()
	if d := differ(got, want); d != "" {
		s.Errorf("%s: %s", what, d)
	}
}

// numbers checks which matches were found, in their order.
func (s *subject) numbers(what string, got []engine.Record, err error, want ...int64) {
	s.Helper()
	if err != nil {
		s.Fatalf("%s: %v", what, err)
	}
	var ids []int64
	for _, r := range got {
		ids = append(ids, r.ID)
	}
	if !slices.Equal(ids, want) {
		s.Errorf("%s: got matches %v, want %v", what, ids, want)
	}
}

// differ says in what two records differ, Follows left out, which stores don't
// keep.
func differ(got, want engine.Record) string {
	var found string
	field := func(name string, got, want any, same bool) {
		if !same {
			found += fmt.Sprintf("%s is %.200q, want %.200q; ", name, fmt.Sprint(got), fmt.Sprint(want))
		}
	}
	field("ID", got.ID, want.ID, got.ID == want.ID)
	field("Channel", got.Channel, want.Channel, got.Channel == want.Channel)
	field("Version", got.Version, want.Version, got.Version == want.Version)
	field("Seed", got.Seed, want.Seed, got.Seed == want.Seed)
	field("Board", got.Board, want.Board, got.Board == want.Board)
	field("Rules", got.Rules, want.Rules, got.Rules == want.Rules)
	field("Acts", got.Acts, want.Acts, got.Acts == want.Acts)
	field("Seats", got.Seats, want.Seats, slices.Equal(got.Seats, want.Seats))
	field("Barred", got.Barred, want.Barred, slices.Equal(got.Barred, want.Barred))
	field("Open", got.Open, want.Open, got.Open == want.Open)
	field("Aside", got.Aside, want.Aside, got.Aside == want.Aside)
	field("Deadline", got.Deadline, want.Deadline, got.Deadline.Equal(want.Deadline))
	field("Clock", got.Clock, want.Clock, got.Clock == want.Clock)
	field("Told", got.Told, want.Told, got.Told == want.Told)
	field("Entries", got.Entries, want.Entries, got.Entries == want.Entries)
	field("Deliveries", got.Deliveries, want.Deliveries, slices.Equal(got.Deliveries, want.Deliveries))
	field("Opened", got.Opened, want.Opened, got.Opened.Equal(want.Opened))
	field("Acted", got.Acted, want.Acted, got.Acted.Equal(want.Acted))
	return found
}
