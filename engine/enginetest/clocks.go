package enginetest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"hiss/bot"
	"hiss/engine"
)

// TestClocks tests what the clock needs of a store, but for Move. It is part of
// TestStore, and by itself for stores that keep less.
func TestClocks(t *testing.T, open func(t *testing.T) engine.Store) {
	run(t, open, map[string]func(*subject){
		"DueEarliestFirst":       dueEarliestFirst,
		"DueByAdapter":           dueByAdapter,
		"DueWhileOpen":           dueWhileOpen,
		"DueUntilSeenTo":         dueUntilSeenTo,
		"DueByTheLastActAlone":   dueByTheLastActAlone,
		"TellingMovesNoDeadline": tellingMovesNoDeadline,
		"BarredSitNowhere":       barredSitNowhere,
	})
}

// at60 opens matches due at 60 seconds, one in each channel.
func (s *subject) at60(channels ...bot.Channel) (opened []engine.Record) {
	s.Helper()
	for _, c := range channels {
		opened = append(opened, s.open(c, "SEED"))
	}
	return opened
}

// sets gives a match another deadline, that many seconds into the era.
func (s *subject) sets(r *engine.Record, deadline int) {
	s.Helper()
	r.Deadline = second(deadline)
	r.Clock = fmt.Sprint("until ", deadline)
	s.put(r)
}

// due checks what is due in chats of the adapter fake.
func (s *subject) due(before, limit int, want ...bot.Channel) {
	s.Helper()
	s.dueOf([]string{"fake"}, before, limit, want...)
}

func (s *subject) dueOf(adapters []string, before, limit int, want ...bot.Channel) {
	s.Helper()
	got, err := s.Due(context.Background(), second(before), adapters, limit)
	if err != nil || !slices.Equal(got, want) {
		s.Errorf("Due before %d of %q, at most %d: got %v, %v; want %v", before, adapters, limit, got, err, want)
	}
}

// next checks which deadline is next.
func (s *subject) next(want time.Time, adapters ...string) {
	s.Helper()
	if got, err := s.NextDue(context.Background(), adapters); err != nil || !got.Equal(want) || got.IsZero() != want.IsZero() {
		s.Errorf("NextDue of %q: got %v, %v; want %v", adapters, got, err, want)
	}
}

func dueEarliestFirst(s *subject) {
	s.due(1000, 10)
	s.next(time.Time{}, "fake")
	a, b, c, d := place("a"), place("b"), place("c"), place("d")
	r := s.at60(a, b, c, d)
	s.sets(&r[0], 30)
	s.sets(&r[1], 10)
	s.sets(&r[2], 20)
	r[3].Deadline = time.Time{}
	s.put(&r[3])

	s.next(second(10), "fake")
	s.due(9, 10)
	s.due(10, 10, b)
	s.due(19, 10, b)
	s.due(1000, 10, b, c, a)
	s.due(1000, 2, b, c)
	s.due(25, 2, b, c)
	s.due(1000, 0)
	s.due(1000, -1)
	if got, err := s.Due(context.Background(), second(10).Add(-time.Millisecond), []string{"fake"}, 10); err != nil || len(got) > 0 {
		s.Errorf("due a moment too early: %v, %v", got, err)
	}
	s.sets(&r[1], -1_900_000_000) // long before 1970
	s.next(second(-1_900_000_000), "fake")
	s.due(1000, 1, b)
	s.sets(&r[3], 5)
	s.due(6, 10, b, d)
}

func dueByAdapter(s *subject) {
	fake, fakes, upper := bot.Channel{Chat: "fake:1"}, bot.Channel{Chat: "fakes:1"}, bot.Channel{Chat: "FAKE:1"}
	other, far := bot.Channel{Chat: "other:fake:1", Place: "fake:2"}, bot.Channel{Chat: "far:1"}
	r := s.at60(fake, fakes, upper, bot.Channel{Chat: "fake"}, other, far)
	s.sets(&r[0], 20)
	s.sets(&r[4], 10)
	s.sets(&r[5], 30)
	s.due(40, 10, fake)
	s.due(1000, 10, fake)
	s.next(second(20), "fake")
	s.dueOf([]string{"other", "far"}, 1000, 10, other, far)
	s.dueOf([]string{"far", "fake", "other"}, 1000, 10, other, fake, far)
	s.dueOf([]string{"far", "fake", "other"}, 1000, 2, other, fake)
	s.dueOf([]string{"fake", "fake"}, 1000, 10, fake)
	s.next(second(10), "far", "fake", "other")
	s.next(second(60), "nobody", "fakes")
	for _, none := range [][]string{nil, {}, {"nobody"}, {"fak"}, {"fake:"}, {"fake:1"}, {"%"}} {
		s.dueOf(none, 1000, 10)
		s.next(time.Time{}, none...)
	}
}

func dueWhileOpen(s *subject) {
	r := s.at60(place("a"), place("b"), place("c"))
	s.aside(r[0].ID)
	r[1].Open = false // over, though its deadline stands
	s.put(&r[1])
	s.due(1000, 10, place("c"))
	s.sets(&r[2], 70)
	s.end(&r[2])
	s.due(1000, 10)
	s.next(time.Time{}, "fake")

	r[1].Open = true // as when a decision is taken back
	s.put(&r[1])
	s.due(1000, 10, place("b"))
	s.end(&r[1])
	next := s.open(place("b"), "NEXT")
	s.due(59, 10)
	s.due(60, 10, next.Channel)
	s.next(second(60), "fake")
}

// dueUntilSeenTo works off what is due as the clock does, a few at a time.
func dueUntilSeenTo(s *subject) {
	const matches, page = 50, 7
	open := map[bot.Channel]engine.Record{}
	for i := range matches {
		r := s.at60(at(bot.ChatID(fmt.Sprintf("fake%d:%d", i%2, i)), ""))[0]
		s.sets(&r, 100+i*7%matches)
		open[r.Channel] = r
	}
	var seen []int
	for range matches {
		found, err := s.Due(context.Background(), second(200), []string{"fake0", "fake1"}, page)
		if err != nil {
			s.Fatal(err)
		}
		if len(found) == 0 {
			break
		}
		for _, c := range found {
			r := open[c]
			seen = append(seen, int(r.Deadline.Sub(second(100))/time.Second))
			s.sets(&r, 300)
		}
	}
	if len(seen) != matches || !slices.IsSorted(seen) {
		s.Errorf("the deadlines were seen to in this order: %v", seen)
	}
	s.next(second(300), "fake0", "fake1")
}

// dueByTheLastActAlone: of acts that conflict one has its deadline and its
// clock kept.
func dueByTheLastActAlone(s *subject) {
	r := s.at60(place(""))[0]
	late := r
	s.sets(&r, 90)
	late.Deadline, late.Clock = second(10), "late"
	s.conflicts(late, "decided on an older version")
	late.Seats = nil
	s.conflicts(late, "decided on an older version, with other seats")
	rival := fresh(r.Channel, "RIVAL")
	rival.Deadline = second(5)
	s.conflicts(rival, "opening while a match is open")
	s.next(second(90), "fake")
	s.due(89, 10)
	s.finds(r)
	s.sets(&r, 30) // earlier than before
	s.due(30, 10, r.Channel)
	for _, clock := range []string{"", "b 1800000000 +autoroll", "\x00'\U0001F40D"} {
		r.Clock = clock // and nothing else
		s.put(&r)
		s.finds(r)
	}
}

func tellingMovesNoDeadline(s *subject) {
	r := s.at60(place(""))[0]
	s.tell(r.ID, r.Entries)
	r.Told = r.Entries
	s.finds(r)
	s.due(60, 10, r.Channel)
	s.next(second(60), "fake")
}

// barredSitNowhere: who was barred is no seat, and comes back in order.
func barredSitNowhere(s *subject) {
	seated := func(user bot.UserID, want ...bot.Channel) {
		s.Helper()
		if got, err := s.Seated(context.Background(), "fake:1", user); err != nil || !slices.Equal(got, want) {
			s.Errorf("Seated(%s) = %v, %v; want %v", user, got, err, want)
		}
	}
	r := s.at60(place(""))[0]
	r.Seats = append(r.Seats, engine.Sitter{User: "fake:8", Name: "Bilal"})
	r.Barred = nil
	s.put(&r)
	seated("fake:8", r.Channel)
	for _, who := range []engine.Sitter{{User: "fake:8", Name: "Bilal"}, {User: "fake:5", Name: "Chen"}, {User: "fake:9"}, {}} {
		r.Seats, r.Barred = r.Seats[:2:2], append(r.Barred, who)
		s.act(&r)
		s.finds(r)
		seated(who.User)
	}
	seated("fake:7", r.Channel)
	r.Seats = append(r.Seats, r.Barred[1]) // both, which is the caller's to mean
	s.put(&r)
	s.finds(r)
	seated("fake:5", r.Channel)
	seated("fake:8")
}
