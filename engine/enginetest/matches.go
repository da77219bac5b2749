package enginetest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"hiss/bot"
	"hiss/engine"
)

func openingGivesNumberAndVersion(s *subject) {
	var last int64
	for _, name := range []string{"a", "b", "c"} {
		r := fresh(place(name), "SEED")
		r.Version = 0
		s.put(&r)
		if r.ID <= last {
			s.Errorf("a match has number %d after %d; numbers grow", r.ID, last)
		}
		if last = r.ID; r.Version != 1 {
			s.Errorf("after opening, Version is %d, want 1", r.Version)
		}
	}
}

func recordsComeBackWhole(s *subject) {
	full := fresh(place("full"), "K7Q29XMD4TRA8BZC")
	full.Deliveries = []uint32{7, 0, 1<<32 - 1}
	full.Told, full.Entries = 2, 3
	full.Acted = second(5)
	s.put(&full)
	s.finds(full)

	bare := engine.Record{Channel: place("bare")}
	s.put(&bare)
	s.finds(bare)
	if got := s.match(bare.ID); !got.Deadline.IsZero() {
		s.Errorf("a match without a deadline came back with %v", got.Deadline)
	}

	fine := fresh(place("fine"), "SEED")
	fine.Deadline = second(1).Add(999 * time.Millisecond)
	fine.Opened = second(2).Add(time.Nanosecond).In(time.FixedZone("far", 9*3600))
	fine.Acted = time.Unix(-5, 0)
	s.put(&fine)
	fine.Deadline, fine.Opened = second(1), second(2)
	s.finds(fine)
}

func changesComeBackWhole(s *subject) {
	r := s.open(place(""), "SEED")
	for version := 2; version < 6; version++ {
		r.Acts += " go"
		r.Entries++
		r.Told++
		r.Deadline = r.Deadline.Add(time.Minute)
		r.Clock += " 90"
		r.Acted = r.Acted.Add(time.Second)
		r.Deliveries = append(r.Deliveries, uint32(version))
		s.put(&r)
		if r.Version != version {
			s.Errorf("Version is %d, want %d", r.Version, version)
		}
		s.finds(r)
	}
	r.Deliveries, r.Deadline, r.Clock = nil, time.Time{}, ""
	s.put(&r)
	s.finds(r)
	r.Deadline = second(99)
	s.put(&r)
	s.finds(r)
	s.end(&r)
	s.finds(r)
}

// changingWhatHardlyEverChanges: a store that has a short way for plain acts
// must not take it when something else changed too, be it ever so little.
func changingWhatHardlyEverChanges(s *subject) {
	for what, change := range map[string]func(*engine.Record){
		"a seat more":       func(r *engine.Record) { r.Seats = append(r.Seats, engine.Sitter{User: "fake:9", Name: "Bilal"}) },
		"an empty seat":     func(r *engine.Record) { r.Seats = append(r.Seats, engine.Sitter{}) },
		"a seat less":       func(r *engine.Record) { r.Seats = r.Seats[:1] },
		"no seats":          func(r *engine.Record) { r.Seats = nil },
		"another name":      func(r *engine.Record) { r.Seats[0].Name = "Asha the Great" },
		"another user":      func(r *engine.Record) { r.Seats[0].User = "fake:8" },
		"a forgotten user":  func(r *engine.Record) { r.Seats[0] = engine.Sitter{} },
		"another order":     func(r *engine.Record) { slices.Reverse(r.Seats) },
		"shifted bytes":     func(r *engine.Record) { r.Seats[0] = engine.Sitter{User: "fake:7A", Name: "sha"} },
		"one barred more":   func(r *engine.Record) { r.Barred = append(r.Barred, engine.Sitter{User: "fake:9", Name: "Bilal"}) },
		"an empty barred":   func(r *engine.Record) { r.Barred = append(r.Barred, engine.Sitter{}) },
		"one barred less":   func(r *engine.Record) { r.Barred = r.Barred[:1] },
		"nobody barred":     func(r *engine.Record) { r.Barred = nil },
		"barred, forgotten": func(r *engine.Record) { r.Barred[0] = engine.Sitter{} },
		"barred in turn":    func(r *engine.Record) { slices.Reverse(r.Barred) },
		"out of the lobby":  func(r *engine.Record) { r.Seats, r.Barred = r.Seats[:1], append(r.Seats[1:2:2], r.Barred...) },
		"all seated":        func(r *engine.Record) { r.Seats, r.Barred = append(r.Seats, r.Barred...), nil },
		"all barred":        func(r *engine.Record) { r.Seats, r.Barred = nil, append(r.Seats, r.Barred...) },
		"another board":     func(r *engine.Record) { r.Board = "hash-of-jungle" },
		"other rules":       func(r *engine.Record) { r.Rules = "dice=2" },
		"another seed":      func(r *engine.Record) { r.Seed = "DEES" },
		"another opening":   func(r *engine.Record) { r.Opened = second(1000) },
		"over":              func(r *engine.Record) { r.Open = false },
		"aside, still open": func(r *engine.Record) { r.Aside = true },
	} {
		r := s.open(place(what), what)
		for _, more := range []string{"", " go"} { // with the act that brings it, and alone
			was := s.match(r.ID)
			change(&r)
			r.Acts += more
			s.put(&r)
			s.same(what, s.match(r.ID), r)
			found, err := s.BySeed(context.Background(), r.Seed)
			if err != nil {
				s.Errorf("BySeed after %s: %v", what, err)
			}
			s.same("BySeed after "+what, found, r)
			was.Version = r.Version
			s.put(&was) // and back again
			s.finds(was)
			r = was
		}
	}
}

func textComesBackAsItWas(s *subject) {
	for _, text := range []string{
		"", " ", "'", `"`, "\\", "%", "_", "a\x00b", "\x00", "line\nline\r\n\t",
		"Zoë", "Zoe\u0308", "\U0001F40D\U0001F3B2", "\u202eright to left\u202c", "\ufeff",
		"e" + strings.Repeat("\u0301", 64), strings.Repeat("long ", 20_000),
	} {
		r := fresh(bot.Channel{Chat: bot.ChatID("fake:" + text), Place: text}, text)
		r.Rules, r.Acts, r.Board = text, text, text
		r.Seats = []engine.Sitter{{User: bot.UserID("fake:" + text), Name: text}}
		r.Barred, r.Clock = r.Seats, text
		s.put(&r)
		s.finds(r)
		r.Acts += text
		s.put(&r)
		s.finds(r)
		if found, err := s.BySeed(context.Background(), text); err != nil || found.ID != r.ID {
			s.Errorf("BySeed(%.20q): match %d, %v; want %d", text, found.ID, err, r.ID)
		}
	}
}

func placesAreApart(s *subject) {
	all := []bot.Channel{
		{Chat: "fake:1"}, {Chat: "fake:1", Place: "1"}, {Chat: "fake:1", Place: "2"}, {Chat: "fake:1", Place: "a"},
		{Chat: "fake:1", Place: "A"}, {Chat: "fake:11"}, {Chat: "fake:1/1"}, {Chat: "FAKE:1"}, {Chat: "fake:"}, {},
	}
	opened := map[bot.Channel]engine.Record{}
	for _, c := range all {
		opened[c] = s.open(c, "SEED")
	}
	for _, c := range all {
		s.finds(opened[c])
	}
}

func staleVersionsConflict(s *subject) {
	r := s.open(place(""), "SEED")
	stale := r
	s.act(&r)

	stale.Acts += " late"
	s.conflicts(stale, "decided on an older version")
	stale.Seats = nil
	s.conflicts(stale, "decided on an older version, with other seats")
	early := r
	early.Version++
	s.conflicts(early, "on a version that doesn't exist yet")
	early.Version = 0
	s.conflicts(early, "on no version")
	s.finds(r)
	s.act(&r)
	s.finds(r)
}

func oneOpenMatchAChannel(s *subject) {
	first := s.open(place(""), "ONE")
	second := fresh(place(""), "TWO")
	s.conflicts(second, "opening while a match is open")
	second.Follows = first.ID
	s.conflicts(second, "opening after a match that is still open")
	second.Open = false
	s.conflicts(second, "noting a match that is over while one is open")
	s.finds(first)
	if _, err := s.BySeed(context.Background(), "TWO"); !errors.Is(err, engine.ErrNotFound) {
		s.Errorf("a refused match is found by its seed: %v", err)
	}
	s.end(&first)
	second = s.open(place(""), "THREE")
	first.Open = true
	s.conflicts(first, "opening a match again while another is open")
	s.finds(second)
}

func openingFollowsTheLatest(s *subject) {
	next := fresh(place(""), "NEXT")
	next.Follows = 1
	s.conflicts(next, "following a match in a channel that has none")
	elsewhere := s.over(place("elsewhere"), "ELSEWHERE")
	one := s.over(place(""), "ONE")
	two := s.over(place(""), "TWO")
	for why, follows := range map[string]int64{
		"following nothing":                  0,
		"following an older match":           one.ID,
		"following another channel's match":  elsewhere.ID,
		"following a match that isn't there": two.ID + 1,
	} {
		next.Follows = follows
		s.conflicts(next, why)
	}
	s.finds(two)
	next.Follows = two.ID
	s.put(&next)
	s.finds(next)
}

func deliveriesAreTakenOver(s *subject) {
	one := s.open(place(""), "ONE")
	one.Deliveries = []uint32{1, 2, 3}
	s.end(&one)
	other := s.open(place("other"), "OTHER")
	other.Deliveries = []uint32{9}
	s.act(&other)

	two := fresh(place(""), "TWO")
	two.Follows = one.ID
	two.Deliveries = []uint32{4}
	s.put(&two)
	if want := []uint32{1, 2, 3, 4}; !slices.Equal(two.Deliveries, want) {
		s.Errorf("after opening, the record's deliveries are %v, want %v", two.Deliveries, want)
	}
	s.finds(two)
	one.Deliveries = nil
	s.same("the match before", s.match(one.ID), one)
	s.finds(other)

	s.end(&two)
	three := fresh(place(""), "THREE")
	three.Follows = two.ID
	three.Deliveries = []uint32{3, 4, 5} // taken over by the caller already, in part
	s.put(&three)
	if want := []uint32{1, 2, 3, 4, 5}; !slices.Equal(three.Deliveries, want) {
		s.Errorf("each delivery is kept once: got %v, want %v", three.Deliveries, want)
	}
	s.finds(three)
}

func theLast32DeliveriesAreKept(s *subject) {
	var many []uint32
	for i := range uint32(32) {
		many = append(many, 100+i)
	}
	one := s.open(place(""), "ONE")
	one.Deliveries = many
	s.end(&one)
	s.finds(one)
	two := fresh(place(""), "TWO")
	two.Follows, two.Deliveries = one.ID, []uint32{1, 2}
	s.put(&two)
	if want := append(slices.Clone(many[2:]), 1, 2); !slices.Equal(two.Deliveries, want) {
		s.Errorf("got %v, want the newest 32, %v", two.Deliveries, want)
	}
	s.finds(two)
}

func toldNeverGoesDown(s *subject) {
	r := s.open(place(""), "SEED")
	r.Entries = 10
	s.put(&r)
	for _, step := range []struct{ told, want int }{{3, 3}, {2, 3}, {0, 3}, {3, 3}, {7, 7}} {
		s.tell(r.ID, step.told)
		r.Told = step.want
		s.finds(r) // the version too is as it was
	}
	r.Told = 5 // decided before the channel was told
	s.put(&r)
	r.Told = 7
	s.finds(r)
	r.Told = 8
	s.put(&r)
	s.finds(r)
	r.Told, r.Seats = 1, nil
	s.put(&r)
	r.Told = 8
	s.finds(r)
}

// recordsAreTheCallersToChange: what a store was given or has handed out is
// not kept by it.
func recordsAreTheCallersToChange(s *subject) {
	r := s.open(place(""), "SEED")
	r.Deliveries = []uint32{1, 2}
	s.act(&r)
	want := s.match(r.ID)
	for _, mine := range []engine.Record{r, s.match(r.ID), s.latest(r.Channel)} {
		mine.Seats[0].Name = "Mallory"
		mine.Barred[0].Name = "Asha"
		mine.Deliveries[0] = 99
	}
	s.finds(want)
}
