package enginetest

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"testing"

	"hiss/bot"
	"hiss/engine"
)

// TestReopen tests that a store keeps what it was given. Open returns an empty
// store and a function that closes it, however it likes, and returns another
// one that works on what the first has kept.
func TestReopen(t *testing.T, open func(t *testing.T) (s engine.Store, reopen func() engine.Store)) {
	for name, test := range map[string]func(s *subject, reopen func()){
		"RecordsStay":     recordsStay,
		"MovesStay":       movesStay,
		"NumbersGoOn":     numbersGoOn,
		"NothingIsOwed":   nothingIsOwed,
		"ManyOpenMatches": manyOpenMatches,
		"ShelvesStay":     shelvesStay,
		"ClocksStay":      clocksStay,
		"HabitsStay":      habitsStay,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, reopen := open(t)
			s := &subject{t, store}
			test(s, func() { s.Store = reopen() })
		})
	}
}

func recordsStay(s *subject, reopen func()) {
	r := s.open(place("a"), "SEED")
	over := s.over(place("b"), "OVER")
	broken := s.open(place("c"), "BROKEN")
	s.aside(broken.ID)
	if err := s.AddBoard(context.Background(), "hash", "file"); err != nil {
		s.Fatal(err)
	}
	for n := range 5 {
		r.Deliveries = append(r.Deliveries, uint32(n))
		r.Deadline, r.Clock = second(90*n), fmt.Sprint("a ", n)
		s.act(&r)
		reopen()
		s.finds(r)
	}
	s.tell(r.ID, 100)
	reopen()
	r.Told = 100
	s.finds(r)
	s.finds(over)
	if got := s.latest(place("c")); !got.Aside || got.Open {
		s.Errorf("a match set aside came back as %+v", got)
	}
	if file, err := s.Board(context.Background(), "hash"); err != nil || file != "file" {
		s.Errorf("Board: %q, %v", file, err)
	}
	stale := r
	stale.Version--
	s.conflicts(stale, "on an older version, after a restart")
	s.act(&r)
	r.Told = 100
	s.finds(r)
}

func movesStay(s *subject, reopen func()) {
	r := s.open(at("fake:a", ""), "SEED")
	s.move("fake:a", "fake:b")
	reopen()
	s.everywhere(r, "", "fake:b", "fake:a")
	s.move("fake:c", "fake:d") // of nobody
	reopen()
	late := s.open(at("fake:c", ""), "LATE")
	s.everywhere(late, "", "fake:d", "fake:c")
}

func numbersGoOn(s *subject, reopen func()) {
	last := s.over(place(""), "1").ID
	for n := range 3 {
		reopen()
		r := s.over(place(""), fmt.Sprint(n))
		if r.ID <= last {
			s.Errorf("after a restart a match has number %d, after %d", r.ID, last)
		}
		last = r.ID
	}
}

// nothingIsOwed: Untold finds after a restart what it found before.
func nothingIsOwed(s *subject, reopen func()) {
	ctx := context.Background()
	one := s.open(place("1"), "1")
	two := s.open(place("2"), "2")
	s.tell(two.ID, two.Entries)
	reopen()
	found, err := s.Untold(ctx, 0, 10)
	s.numbers("Untold", found, err, one.ID)
	s.tell(one.ID, one.Entries)
	reopen()
	found, err = s.Untold(ctx, 0, 10)
	s.numbers("Untold", found, err)
}

func manyOpenMatches(s *subject, reopen func()) {
	const channels = 150
	var all sync.WaitGroup
	for c := range channels {
		all.Go(func() {
			r := fresh(place(fmt.Sprint(c)), fmt.Sprint(c))
			if err := s.Put(context.Background(), &r); err != nil {
				s.Error(err)
			}
		})
	}
	all.Wait()
	reopen()
	seen := map[string]bool{}
	var after int64
	for {
		page, err := s.Untold(context.Background(), after, 40)
		if err != nil {
			s.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			seen[r.Channel.Place] = true
			after = r.ID
		}
	}
	if len(seen) != channels {
		s.Errorf("%d of %d channels came back", len(seen), channels)
	}
}

func shelvesStay(s *subject, reopen func()) {
	ctx := context.Background()
	board := s.shelve("fake:1", sent("fake:7", "jungle"))
	open := s.send("fake:1", sent("fake:8", "alps"))
	decided := s.decide("fake:1", s.send("fake:1", sent("fake:9", "pit")).ID, engine.Decision{Verdict: engine.Discarded, Judge: "Judge"})
	if err := s.PutSetting(ctx, "fake:1", engine.Setting{Key: "quiet", Value: "on", By: "fake:7", At: second(3)}); err != nil {
		s.Fatal(err)
	}
	for range 2 {
		reopen()
		s.holds("fake:1", board)
		s.waits("fake:1", open)
		s.isSettled("fake:1", decided)
		got, err := s.Setting(ctx, "fake:1", "quiet")
		if got.Value != "on" || got.By != "fake:7" || !got.At.Equal(second(3)) || err != nil {
			s.Errorf("Setting: %+v, %v", got, err)
		}
	}
	_, err := s.Decide(ctx, "fake:1", decided.ID, approval())
	s.fails("deciding again after a restart", err, engine.ErrDecided)
	newest := s.send("fake:1", sent("fake:9", "last"))
	s.send("fake:1", sent("fake:9", "last of all"))
	if err := s.RemoveChatBoard(ctx, "fake:1", "jungle"); err != nil {
		s.Fatal(err)
	}
	reopen()
	s.holds("fake:1")
	s.isGone("fake:1", newest.ID)
	s.decide("fake:1", open.ID, approval())
	reopen()
	s.holds("fake:1", shelved(open))
}

// clocksStay: what is due after a restart is what was due before it, be it
// while the bot was down.
func clocksStay(s *subject, reopen func()) {
	r := s.at60(place("a"), place("b"), place("c"), place("d"))
	s.sets(&r[0], 30)
	s.aside(r[2].ID)
	s.end(&r[3])
	for deadline := 40; deadline < 44; deadline++ {
		s.sets(&r[1], deadline)
		reopen()
		s.finds(r[0])
		s.finds(r[1])
		s.next(second(30), "fake")
		s.due(deadline-1, 10, place("a"))
		s.due(1000, 10, place("a"), place("b"))
	}
	stale := r[1]
	stale.Version--
	stale.Deadline, stale.Clock = second(1), "stale"
	s.conflicts(stale, "on an older version, after a restart")
	s.move("fake:1", "fake:2")
	reopen()
	s.due(1000, 10, at("fake:2", "a"), at("fake:2", "b"))
}

func habitsStay(s *subject, reopen func()) {
	s.habit("fake:7", "ping", "off", 1)
	auto := s.habit("fake:7", "autoroll", "on", 2)
	reopen()
	ping := s.habit("fake:7", "ping", "on", 3)
	reopen()
	s.hasHabits("fake:7", auto, ping)
	s.habit("fake:7", "ping", "", 4)
	reopen()
	s.hasHabits("fake:7", auto)
}

// TestNotes tests a store of notes. Open returns an empty one and a function
// that reopens it.
func TestNotes(t *testing.T, open func(t *testing.T) (n bot.Notes, reopen func() bot.Notes)) {
	notes, reopen := open(t)
	get := func(key string, want []byte) {
		t.Helper()
		if got, err := notes.Get(key); err != nil || !bytes.Equal(got, want) || (got == nil) != (want == nil) {
			t.Errorf("Get(%.20q): got %q, %v; want %q", key, got, err, want)
		}
	}
	get("never put", nil)
	values := map[string][]byte{"": {1}, "a": {0, 255, 0}, "A": []byte("other"), "empty": {},
		"long": bytes.Repeat([]byte("x"), 1_000_000), "\x00\U0001F40D": []byte("key")}
	for key, value := range values {
		if err := notes.Put(key, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := notes.Put("a", []byte("again")); err != nil {
		t.Fatal(err)
	}
	values["a"] = []byte("again")
	for range 2 {
		for key, value := range values {
			get(key, value)
		}
		get("b", nil)
		notes = reopen()
	}
}
