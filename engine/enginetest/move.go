package enginetest

import (
	"context"
	"errors"
	"slices"
	"time"

	"hiss/bot"
	"hiss/engine"
)

func at(chat bot.ChatID, name string) bot.Channel { return bot.Channel{Chat: chat, Place: name} }

// everywhere checks a channel's latest match under all the ids of its chat,
// the present one first.
func (s *subject) everywhere(want engine.Record, name string, chats ...bot.ChatID) {
	s.Helper()
	want.Channel = at(chats[0], name)
	for _, chat := range chats {
		s.same("Latest in "+string(chat)+"/"+name, s.latest(at(chat, name)), want)
	}
	s.same("Match", s.match(want.ID), want)
}

func moveRenames(s *subject) {
	hall := s.open(at("fake:old", ""), "HALL")
	topic := s.over(at("fake:old", "7"), "TOPIC")
	other := s.open(at("fake:other", ""), "OTHER")
	s.move("fake:old", "fake:new")
	s.everywhere(hall, "", "fake:new", "fake:old")
	s.everywhere(topic, "7", "fake:new", "fake:old")
	s.finds(other)

	s.act(&hall) // decided before the move: it is the same match
	s.everywhere(hall, "", "fake:new", "fake:old")
	again := fresh(at("fake:old", ""), "AGAIN")
	again.Follows = hall.ID
	s.conflicts(again, "opening under the old id")
	s.end(&hall)
	s.put(&again)
	s.everywhere(again, "", "fake:new", "fake:old")
	first := s.open(at("fake:old", "8"), "FIRST") // a place that is new, under the old id
	s.everywhere(first, "8", "fake:new", "fake:old")
}

func moveOfAnUnknownChat(s *subject) {
	s.move("fake:old", "fake:new")
	late := s.open(at("fake:old", ""), "LATE")
	s.everywhere(late, "", "fake:new", "fake:old")

	known := s.open(at("fake:known", ""), "KNOWN")
	s.move("fake:before", "fake:known")
	s.everywhere(known, "", "fake:known", "fake:before")
	s.move("fake:self", "fake:self")
	self := s.open(at("fake:self", ""), "SELF")
	s.move("fake:self", "fake:self")
	s.finds(self)
}

func moveTwice(s *subject) {
	r := s.open(at("fake:old", ""), "SEED")
	for range 3 {
		s.move("fake:old", "fake:new")
		s.everywhere(r, "", "fake:new", "fake:old")
	}
	s.move("fake:new", "fake:newest")
	for range 2 {
		s.move("fake:old", "fake:new") // delivered late: the chat has moved on
		s.everywhere(r, "", "fake:newest", "fake:new", "fake:old")
	}
}

func moveOnAndBack(s *subject) {
	r := s.open(at("fake:a", ""), "SEED")
	s.move("fake:a", "fake:b")
	s.move("fake:b", "fake:c")
	s.everywhere(r, "", "fake:c", "fake:b", "fake:a")
	s.move("fake:c", "fake:a")
	s.everywhere(r, "", "fake:a", "fake:b", "fake:c")
	s.move("fake:b", "fake:d") // by an id that it no longer has
	s.everywhere(r, "", "fake:d", "fake:a", "fake:b", "fake:c")
}

func moveJoins(s *subject) {
	ctx := context.Background()
	s.over(at("fake:old", ""), "1")
	s.over(at("fake:new", ""), "2")
	old := s.open(at("fake:old", ""), "3")
	newer := s.over(at("fake:new", ""), "4")
	alone := s.open(at("fake:old", "alone"), "5")
	broken := s.open(at("fake:old", "x"), "6")
	s.aside(broken.ID)
	for range 2 {
		s.move("fake:old", "fake:new")
		// The open match is the latest, though another has a higher number.
		s.everywhere(old, "", "fake:new", "fake:old")
		s.everywhere(alone, "alone", "fake:new", "fake:old")
	}
	found, err := s.Finished(ctx, "fake:old", 10)
	s.numbers("Finished", found, err, newer.ID, newer.ID-2, newer.ID-3)
	for _, r := range found {
		if r.Channel.Chat != "fake:new" {
			s.Errorf("match %d is in %v", r.ID, r.Channel)
		}
	}
	if got := s.latest(at("fake:new", "x")); got.ID != broken.ID || !got.Aside {
		s.Errorf("the match that was set aside: %+v", got)
	}
}

func moveJoinsPlaceByPlace(s *subject) {
	here := s.open(at("fake:old", "1"), "1")
	there := s.open(at("fake:new", "2"), "2")
	older := s.over(at("fake:old", "3"), "3")
	newer := s.over(at("fake:new", "3"), "4")
	newest := s.over(at("fake:old", "4"), "6")
	s.over(at("fake:gone", "4"), "5")
	s.move("fake:old", "fake:new")
	s.everywhere(here, "1", "fake:new", "fake:old")
	s.everywhere(there, "2", "fake:new", "fake:old")
	s.everywhere(newer, "3", "fake:new", "fake:old")
	s.everywhere(newest, "4", "fake:new", "fake:old")
	older.Channel.Chat = "fake:new"
	s.same("the older match", s.match(older.ID), older)

	s.move("fake:gone", "fake:old") // by an id that the target had
	found, err := s.Finished(context.Background(), "fake:gone", 10)
	s.numbers("Finished", found, err, newest.ID+1, newest.ID, newer.ID, older.ID)
}

func moveNeverJoinsTwoOpenMatches(s *subject) {
	ctx := context.Background()
	one := s.open(at("fake:old", "7"), "1")
	free := s.open(at("fake:old", "8"), "2")
	two := s.open(at("fake:new", "7"), "3")
	s.open(at("fake:new", "9"), "4")
	for range 2 {
		if err := s.Move(ctx, "fake:old", "fake:new"); !errors.Is(err, engine.ErrConflict) {
			s.Fatalf("Move with an open match on both sides: got error %v, want ErrConflict", err)
		}
		s.finds(one)
		s.finds(free)
		s.finds(two)
	}
	if _, err := s.Latest(ctx, at("fake:new", "8")); !errors.Is(err, engine.ErrNotFound) {
		s.Errorf("a refused move has moved a place: %v", err)
	}
	s.end(&two)
	s.move("fake:old", "fake:new")
	s.everywhere(one, "7", "fake:new", "fake:old")
	s.everywhere(free, "8", "fake:new", "fake:old")
}

// aJoinedChannelGoesOn: deliveries of both sides are known, and matches are
// opened as ever.
func aJoinedChannelGoesOn(s *subject) {
	open := s.open(at("fake:old", ""), "1")
	open.Deliveries = []uint32{1, 2}
	s.act(&open)
	over := s.open(at("fake:new", ""), "2")
	over.Deliveries = []uint32{3}
	s.end(&over)
	s.move("fake:old", "fake:new")

	got := s.latest(at("fake:old", ""))
	if want := []uint32{3, 1, 2}; got.ID != open.ID || !slices.Equal(got.Deliveries, want) {
		s.Fatalf("Latest is match %d with deliveries %v, want %d with %v", got.ID, got.Deliveries, open.ID, want)
	}
	s.conflicts(open, "which would forget what was taken over")
	s.act(&got)
	s.end(&got)
	next := fresh(at("fake:old", ""), "3")
	next.Follows = over.ID
	s.conflicts(next, "following the match with the higher number, which isn't the latest")
	next.Follows = open.ID
	s.put(&next)
	if want := []uint32{3, 1, 2}; !slices.Equal(next.Deliveries, want) {
		s.Errorf("deliveries taken over: %v, want %v", next.Deliveries, want)
	}
	s.everywhere(next, "", "fake:new", "fake:old")
}

func moveTakesShelvesAlong(s *subject) {
	ctx := context.Background()
	board := s.shelve("fake:old", sent("fake:7", "jungle"))
	open := s.send("fake:old", sent("fake:8", "alps"))
	decided := s.decide("fake:old", s.send("fake:old", sent("fake:9", "pit")).ID, engine.Decision{Verdict: engine.Discarded, Judge: "Judge"})
	set := engine.Setting{Key: "quiet", Value: "on", At: second(1)}
	if err := s.PutSetting(ctx, "fake:old", set); err != nil {
		s.Fatal(err)
	}
	s.move("fake:old", "fake:new")
	for _, chat := range []bot.ChatID{"fake:old", "fake:new"} {
		s.holds(chat, board)
		s.waits(chat, open)
		s.isSettled(chat, decided)
		if got, err := s.Setting(ctx, chat, "quiet"); got.Value != "on" || err != nil {
			s.Errorf("Setting in %s: %+v, %v", chat, got, err)
		}
	}
	// A button of before, pressed now.
	s.decide("fake:old", open.ID, approval())
	s.holds("fake:new", shelved(open), board)
}

func moveJoinsShelves(s *subject) {
	ctx := context.Background()
	set := func(chat bot.ChatID, key, value string) {
		s.Helper()
		if err := s.PutSetting(ctx, chat, engine.Setting{Key: key, Value: value, At: second(1)}); err != nil {
			s.Fatal(err)
		}
	}
	alps := s.shelve("fake:old", sent("fake:7", "alps"))
	s.shelve("fake:old", sent("fake:7", "Jungle"))
	jungle := s.shelve("fake:new", sent("fake:8", "jungle"))
	set("fake:old", "language", "de")
	set("fake:old", "quiet", "on")
	set("fake:new", "quiet", "off")
	older := s.send("fake:old", sent("fake:both", "1"))
	newer := s.send("fake:new", sent("fake:both", "2"))
	early := s.send("fake:new", sent("fake:swapped", "3"))
	late := s.send("fake:old", sent("fake:swapped", "4"))
	alone := s.send("fake:old", sent("fake:alone", "5"))
	elsewhere := s.send("fake:other", sent("fake:both", "6"))
	for range 2 {
		s.move("fake:old", "fake:new")
		for _, chat := range []bot.ChatID{"fake:old", "fake:new"} {
			s.holds(chat, alps, jungle)
			got, err := s.Settings(ctx, chat)
			if err != nil || len(got) != 2 || got[0].Value != "de" || got[1].Value != "off" {
				s.Errorf("the settings of %s: %+v, %v", chat, got, err)
			}
			s.waits(chat, newer)
			s.waits(chat, late)
			s.waits(chat, alone)
			s.isGone(chat, older.ID)
			s.isGone(chat, early.ID)
		}
		s.waits("fake:other", elsewhere)
	}
	if d := s.send("fake:old", sent("fake:new", "7")); d.ID <= elsewhere.ID {
		s.Errorf("a draft has number %d after %d", d.ID, elsewhere.ID)
	}
	s.decide("fake:old", late.ID, approval())
	s.holds("fake:new", shelved(late), alps, jungle)
}

func moveTakesDeadlinesAlong(s *subject) {
	r := s.at60(at("fake:old", "a"), at("fake:old", "b"), at("fake:other", "a"))
	s.sets(&r[0], 70)
	s.sets(&r[2], 80)
	s.move("fake:old", "fake:new")
	s.everywhere(r[0], "a", "fake:new", "fake:old")
	s.everywhere(r[1], "b", "fake:new", "fake:old")
	s.due(1000, 10, at("fake:new", "b"), at("fake:new", "a"), r[2].Channel)
	s.sets(&r[1], 75) // decided before the move
	s.due(1000, 10, at("fake:new", "a"), at("fake:new", "b"), r[2].Channel)
	s.next(second(70), "fake")
}

// moveJoinsWhatIsDue: the open match of two goes on with its own deadline,
// clock and barred.
func moveJoinsWhatIsDue(s *subject) {
	open := s.at60(at("fake:old", ""))[0]
	s.sets(&open, 50)
	over := s.at60(at("fake:new", ""))[0]
	over.Open, over.Clock, over.Barred, over.Deadline = false, "over", nil, second(5) // which isn't due any more
	s.put(&over)
	s.at60(at("fake:new", "8"))
	s.move("fake:old", "fake:new")
	s.everywhere(open, "", "fake:new", "fake:old")
	s.same("the match that was over", s.match(over.ID), over)
	s.due(1000, 10, at("fake:new", ""), at("fake:new", "8"))
	s.sets(&open, 90)
	s.due(1000, 10, at("fake:new", "8"), at("fake:new", ""))
}

// moveToAnotherAdapter doesn't happen to a chat; a store knows nothing of that.
func moveToAnotherAdapter(s *subject) {
	open := s.at60(at("fake:1", ""))[0]
	over := s.over(at("fake:1", "over"), "OVER")
	aside := s.open(at("fake:1", "aside"), "ASIDE")
	s.aside(aside.ID)
	s.move("fake:1", "other:1")
	moved := at("other:1", "")
	s.due(1000, 10)
	s.dueOf([]string{"other"}, 1000, 10, moved)
	s.sets(&open, 90) // decided before the move
	s.dueOf([]string{"other"}, 1000, 10, moved)
	late := s.open(at("fake:1", "late"), "LATE")
	over.Open, over.Deadline = true, second(10)
	s.put(&over)
	s.due(1000, 10)
	s.dueOf([]string{"other"}, 1000, 10, at("other:1", "over"), at("other:1", late.Channel.Place), moved)

	joined := s.at60(at("third:1", "x"))[0]
	s.move("third:1", "other:1")
	s.next(time.Time{}, "third", "fake")
	s.dueOf([]string{"other"}, 60, 10, at("other:1", "over"), at("other:1", "late"), at("other:1", joined.Channel.Place))
}

func moveLeavesHabits(s *subject) {
	ping := s.habit("fake:1", "ping", "off", 1) // a private chat is called like its person
	s.open(at("fake:1", ""), "SEED")
	s.move("fake:1", "fake:2")
	s.hasHabits("fake:1", ping)
	s.hasHabits("fake:2")
}
