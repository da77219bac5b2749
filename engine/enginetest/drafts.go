package enginetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"hiss/bot"
	"hiss/engine"
)

// waits checks that a draft is as it was put, by number and by person.
func (s *subject) waits(chat bot.ChatID, want engine.Draft) {
	s.Helper()
	s.stands(chat, want)
	if got, err := s.OpenDraft(context.Background(), chat, want.By); !sameDraft(got, want) || err != nil {
		s.Errorf("OpenDraft(%s, %s): got %+v, %v; want %+v", chat, want.By, got, err, want)
	}
}

// stands checks a draft by its number.
func (s *subject) stands(chat bot.ChatID, want engine.Draft) {
	s.Helper()
	if got, err := s.Draft(context.Background(), chat, want.ID); !sameDraft(got, want) || err != nil {
		s.Errorf("Draft(%s, %d): got %+v, %v; want %+v", chat, want.ID, got, err, want)
	}
}

// isSettled checks that a draft was decided and waits no longer.
func (s *subject) isSettled(chat bot.ChatID, want engine.Draft) {
	s.Helper()
	s.stands(chat, want)
	_, err := s.OpenDraft(context.Background(), chat, want.By)
	s.fails("the pending draft of somebody whose draft was decided", err, engine.ErrNotFound)
}

// isGone checks that a chat has no draft of a number.
func (s *subject) isGone(chat bot.ChatID, id int64) {
	s.Helper()
	ctx := context.Background()
	_, err := s.Draft(ctx, chat, id)
	s.fails(fmt.Sprintf("draft %d of %s", id, chat), err, engine.ErrNotFound)
	_, err = s.Decide(ctx, chat, id, approval())
	s.fails(fmt.Sprintf("deciding draft %d of %s", id, chat), err, engine.ErrNotFound)
}

func sameDraft(a, b engine.Draft) bool {
	same := a.Sent.Equal(b.Sent)
	a.Sent, b.Sent = time.Time{}, time.Time{}
	return same && a == b
}

func draftsComeBackWhole(s *subject) {
	for i, text := range []string{"plain", "", "'", "a\x00b", "Zoë \U0001F40D", "\u202e", strings.Repeat("long ", 20_000)} {
		d := engine.Draft{ID: 77, Name: text, Hash: text, File: text, By: bot.UserID(fmt.Sprint("fake:", i)), Sent: second(i),
			Replace: i%2 == 1, Verdict: engine.Discarded, Judge: "somebody"}
		d = s.send("fake:1", d)
		if d.ID == 77 || d.Verdict != engine.Pending || d.Judge != "" {
			s.Errorf("a draft that was put is %d, %v, judged by %q", d.ID, d.Verdict, d.Judge)
		}
		s.waits("fake:1", d)
		decided := s.decide("fake:1", d.ID, engine.Decision{Verdict: engine.Discarded, Judge: text})
		if want := ruled(d, engine.Discarded, text); !sameDraft(decided, want) {
			s.Errorf("Decide: got %+v, want %+v", decided, want)
		}
		s.isSettled("fake:1", decided)
	}
	nobodys := sent("", "ghost")
	s.fails("a draft of nobody", s.PutDraft(context.Background(), "fake:1", &nobodys), engine.ErrNotWritten)
	if nobodys.ID != 0 {
		s.Errorf("a draft that wasn't kept has number %d", nobodys.ID)
	}
}

func oneDraftAPerson(s *subject) {
	first := s.send("fake:1", sent("fake:7", "jungle"))
	others := s.send("fake:1", sent("fake:8", "jungle"))
	elsewhere := s.send("fake:2", sent("fake:7", "jungle"))
	second := s.send("fake:1", sent("fake:7", "alps"))
	s.isGone("fake:1", first.ID)
	s.waits("fake:1", second)
	s.waits("fake:1", others)
	s.waits("fake:2", elsewhere)

	s.decide("fake:1", second.ID, approval())
	third := s.send("fake:1", sent("fake:7", "alps")) // in place of the one that was decided
	s.isGone("fake:1", second.ID)
	s.waits("fake:1", third)
	s.holds("fake:1", shelved(second))
	last := int64(0)
	for _, d := range []engine.Draft{first, others, elsewhere, second, third} {
		if d.ID <= last {
			s.Errorf("a draft has number %d after %d; numbers grow", d.ID, last)
		}
		last = d.ID
	}
}

func approvingShelvesTheBoard(s *subject) {
	ctx := context.Background()
	d := s.send("fake:1", sent("fake:7", "Jungle"))
	_, err := s.Board(ctx, d.Hash)
	s.fails("the content of a draft", err, engine.ErrNotFound)
	s.holds("fake:1")
	decision := approval()
	decision.Now = second(9).Add(999 * time.Millisecond)
	decided := s.decide("fake:1", d.ID, decision)
	if want := ruled(d, engine.Approved, "Judge"); !sameDraft(decided, want) {
		s.Errorf("Decide: got %+v, want %+v", decided, want)
	}
	s.isSettled("fake:1", decided)
	s.holds("fake:1", shelved(d))
	if err := s.RemoveChatBoard(ctx, "fake:1", "jungle"); err != nil {
		s.Fatal(err)
	}
	s.isSettled("fake:1", decided) // what became of the board later doesn't matter
}

func discardingShelvesNothing(s *subject) {
	ctx := context.Background()
	kept := s.shelve("fake:1", sent("fake:8", "jungle"))
	d := sent("fake:7", "jungle")
	d.Replace = true
	d = s.send("fake:1", d)
	decided := s.decide("fake:1", d.ID, engine.Decision{Verdict: engine.Discarded, Judge: "Judge", Replace: true, Now: second(9)})
	if want := ruled(d, engine.Discarded, "Judge"); !sameDraft(decided, want) {
		s.Errorf("Decide: got %+v, want %+v", decided, want)
	}
	s.isSettled("fake:1", decided)
	s.holds("fake:1", kept)
	_, err := s.Board(ctx, d.Hash)
	s.fails("the content of a discarded draft", err, engine.ErrNotFound)

	open := s.send("fake:1", sent("fake:9", "alps"))
	for _, v := range []engine.Verdict{engine.Pending, engine.Discarded + 1, -1} {
		_, err := s.Decide(ctx, "fake:1", open.ID, engine.Decision{Verdict: v, Judge: "Judge", Most: 100})
		s.fails(fmt.Sprintf("a decision of %d", v), err, engine.ErrNotWritten)
	}
	s.waits("fake:1", open)
}

func aDecisionStands(s *subject) {
	for _, first := range []engine.Verdict{engine.Approved, engine.Discarded} {
		d := s.send("fake:1", sent("fake:7", fmt.Sprint("board", first)))
		decision := approval()
		decision.Verdict = first
		want := s.decide("fake:1", d.ID, decision)
		before, err := s.ChatBoards(context.Background(), "fake:1")
		if err != nil || len(before) != 1 { // the one that was approved
			s.Fatalf("the library has %+v, %v", before, err)
		}
		for _, second := range []engine.Verdict{engine.Approved, engine.Discarded} {
			again := engine.Decision{Verdict: second, Judge: "Late", Replace: true, Most: 100}
			got, err := s.Decide(context.Background(), "fake:1", d.ID, again)
			s.fails("deciding again", err, engine.ErrDecided)
			if !sameDraft(got, want) {
				s.Errorf("deciding again: got %+v, want %+v", got, want)
			}
			s.isSettled("fake:1", want)
		}
		after, err := s.ChatBoards(context.Background(), "fake:1")
		if err != nil || len(after) != 1 || !sameBoard(after[0], before[0]) {
			s.Errorf("deciding again has made %+v of %+v, %v", after, before, err)
		}
	}
}

func aTakenName(s *subject) {
	ctx := context.Background()
	kept := s.shelve("fake:1", sent("fake:7", "Jungle"))
	free := s.shelve("fake:2", sent("fake:7", "jungle"))
	for i, name := range []string{"Jungle", "jungle", "JUNGLE"} {
		d := s.send("fake:1", sent(bot.UserID(fmt.Sprint("fake:taken", i)), name))
		for range 2 {
			got, err := s.Decide(ctx, "fake:1", d.ID, approval())
			s.fails("approving "+name, err, engine.ErrTaken)
			if got != (engine.Draft{}) {
				s.Errorf("approving %s: got %+v", name, got)
			}
			s.waits("fake:1", d)
			s.holds("fake:1", kept)
		}
		_, err := s.Board(ctx, d.Hash)
		s.fails("the content of a draft whose name is taken", err, engine.ErrNotFound)
		// The admin says so, then the sender.
		replacing := approval()
		replacing.Replace, replacing.Most = i != 1, 1 // one for another is no board more
		if i == 1 {
			d.Replace = true
			d = s.send("fake:1", d)
		}
		s.decide("fake:1", d.ID, replacing)
		kept = shelved(d)
		s.holds("fake:1", kept)
	}
	s.holds("fake:2", free)
}

func aFullLibrary(s *subject) {
	ctx := context.Background()
	one := s.shelve("fake:1", sent("fake:7", "one"))
	s.shelve("fake:2", sent("fake:7", "other"))
	d := sent("fake:8", "two")
	d.Replace = true // of nothing
	d = s.send("fake:1", d)
	decision := approval()
	for _, decision.Most = range []int{1, 0} {
		got, err := s.Decide(ctx, "fake:1", d.ID, decision)
		s.fails("approving one too many", err, engine.ErrFull)
		if got != (engine.Draft{}) {
			s.Errorf("approving one too many: got %+v", got)
		}
	}
	s.waits("fake:1", d)
	s.holds("fake:1", one)
	_, err := s.Board(ctx, d.Hash)
	s.fails("the content of a draft that found no place", err, engine.ErrNotFound)
	taken := s.send("fake:1", sent("fake:9", "one"))
	_, err = s.Decide(ctx, "fake:1", taken.ID, engine.Decision{Verdict: engine.Approved, Most: 1})
	s.fails("approving a taken name in a full library", err, engine.ErrTaken)

	decision.Most = 2
	s.decide("fake:1", d.ID, decision)
	s.holds("fake:1", one, shelved(d))
	decision.Most, decision.Verdict = 0, engine.Discarded
	s.decide("fake:1", taken.ID, decision) // needs no place
}

func chatsDecideApart(s *subject) {
	here := s.send("fake:1", sent("fake:7", "jungle"))
	there := s.send("fake:2", sent("fake:7", "jungle"))
	s.isGone("fake:2", here.ID)
	s.isGone("fake:1", there.ID)
	s.isGone("fake:9", here.ID)
	_, err := s.OpenDraft(context.Background(), "fake:9", "fake:7")
	s.fails("a draft in a chat that has none", err, engine.ErrNotFound)
	s.decide("fake:1", here.ID, approval())
	s.waits("fake:2", there)
	s.holds("fake:1", shelved(here))
	s.holds("fake:2")
}

func ofManyDecisionsOneCounts(s *subject) {
	const judges, rounds = 20, 5
	for round := range rounds {
		d := s.send("fake:1", sent("fake:7", fmt.Sprint("board", round)))
		got, errs := make([]engine.Draft, judges), make([]error, judges)
		var all sync.WaitGroup
		for i := range judges {
			all.Go(func() {
				decision := approval()
				decision.Judge = fmt.Sprint("Judge ", i)
				if i%2 == 1 {
					decision.Verdict = engine.Discarded
				}
				got[i], errs[i] = s.Decide(context.Background(), "fake:1", d.ID, decision)
			})
		}
		all.Wait()
		winner := -1
		for i, err := range errs {
			if err == nil && winner >= 0 {
				s.Fatalf("round %d: judges %d and %d have both decided", round, winner, i)
			}
			if err == nil {
				winner = i
			}
		}
		if winner < 0 {
			s.Fatalf("round %d: nobody has decided: %v", round, errs)
		}
		want := ruled(d, got[winner].Verdict, fmt.Sprint("Judge ", winner))
		for i, err := range errs {
			if i != winner {
				s.fails(fmt.Sprintf("round %d, judge %d", round, i), err, engine.ErrDecided)
			}
			if !sameDraft(got[i], want) {
				s.Errorf("round %d, judge %d: got %+v, want %+v", round, i, got[i], want)
			}
		}
		_, err := s.ChatBoard(context.Background(), "fake:1", d.Name)
		if want.Verdict == engine.Approved && err != nil || want.Verdict != engine.Approved && !errors.Is(err, engine.ErrNotFound) {
			s.Errorf("round %d: %v, and the board: %v", round, want.Verdict, err)
		}
	}
}

func ofManyApprovalsAsManyAsFit(s *subject) {
	const drafts, most = 20, 7
	errs := make([]error, drafts)
	var all sync.WaitGroup
	for i := range drafts {
		d := s.send("fake:1", sent(bot.UserID(fmt.Sprint("fake:", i)), fmt.Sprint("board", i)))
		all.Go(func() {
			decision := approval()
			decision.Most = most
			_, errs[i] = s.Decide(context.Background(), "fake:1", d.ID, decision)
		})
	}
	all.Wait()
	in := 0
	for i, err := range errs {
		if err == nil {
			in++
		} else {
			s.fails(fmt.Sprint("draft ", i), err, engine.ErrFull)
		}
	}
	list, err := s.ChatBoards(context.Background(), "fake:1")
	if in != most || len(list) != most || err != nil {
		s.Errorf("%d were let in, and the library has %d boards (%v), want %d", in, len(list), err, most)
	}
}
