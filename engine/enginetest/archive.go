package enginetest

import (
	"context"
	"errors"
	"slices"
	"strings"

	"hiss/bot"
	"hiss/engine"
)

func whatIsntThereIsNotFound(s *subject) {
	ctx := context.Background()
	r := s.open(place("a"), "SEED")
	for what, ask := range map[string]func() error{
		"Latest of an unknown chat":  func() error { _, err := s.Latest(ctx, bot.Channel{Chat: "fake:2"}); return err },
		"Latest of an unknown place": func() error { _, err := s.Latest(ctx, place("b")); return err },
		"Match":                      func() error { _, err := s.Match(ctx, r.ID+1); return err },
		"Match(0)":                   func() error { _, err := s.Match(ctx, 0); return err },
		"BySeed":                     func() error { _, err := s.BySeed(ctx, "SEE"); return err },
		"Board":                      func() error { _, err := s.Board(ctx, "hash"); return err },
		"Board of a match":           func() error { _, err := s.Board(ctx, r.Board); return err },
		"Tell":                       func() error { return s.Tell(ctx, r.ID+1, 3) },
		"SetAside":                   func() error { return s.SetAside(ctx, r.ID+1) },
		"ChatBoard":                  func() error { _, err := s.ChatBoard(ctx, "fake:1", "classic"); return err },
		"RemoveChatBoard":            func() error { return s.RemoveChatBoard(ctx, "fake:1", "classic") },
		"Draft":                      func() error { _, err := s.Draft(ctx, "fake:1", 1); return err },
		"OpenDraft":                  func() error { _, err := s.OpenDraft(ctx, "fake:1", "fake:7"); return err },
		"OpenDraft of nobody":        func() error { _, err := s.OpenDraft(ctx, "fake:1", ""); return err },
		"Decide":                     func() error { _, err := s.Decide(ctx, "fake:1", 1, approval()); return err },
		"Setting":                    func() error { _, err := s.Setting(ctx, "fake:1", "quiet"); return err },
	} {
		if err := ask(); !errors.Is(err, engine.ErrNotFound) {
			s.Errorf("%s: got error %v, want ErrNotFound", what, err)
		}
	}
	gone := r
	gone.ID++
	s.conflicts(gone, "changing a match that isn't there")
	found, err := s.Finished(ctx, "fake:2", 10)
	s.numbers("Finished of an unknown chat", found, err)
}

func anEndedContextIsReturned(s *subject) {
	r := s.open(place(""), "SEED")
	chat := r.Channel.Chat
	board, draft := s.shelve(chat, sent("fake:7", "jungle")), s.send(chat, sent("fake:8", "alps"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	changed, opened, late := r, fresh(place("other"), "OTHER"), sent("fake:8", "late")
	for what, ask := range map[string]func() error{
		"Put, changing": func() error { return s.Put(ctx, &changed) },
		"Put, opening":  func() error { return s.Put(ctx, &opened) },
		"Latest":        func() error { _, err := s.Latest(ctx, r.Channel); return err },
		"Tell":          func() error { return s.Tell(ctx, r.ID, 1) },
		"Match":         func() error { _, err := s.Match(ctx, r.ID); return err },
		"BySeed":        func() error { _, err := s.BySeed(ctx, r.Seed); return err },
		"Finished":      func() error { _, err := s.Finished(ctx, chat, 1); return err },
		"Board":         func() error { _, err := s.Board(ctx, r.Board); return err },
		"AddBoard":      func() error { return s.AddBoard(ctx, "hash", "file") },
		"Untold":        func() error { _, err := s.Untold(ctx, 0, 1); return err },
		"Due":           func() error { _, err := s.Due(ctx, second(99), []string{"fake"}, 1); return err },
		"NextDue":       func() error { _, err := s.NextDue(ctx, []string{"fake"}); return err },
		"PutHabit":      func() error { return s.PutHabit(ctx, "fake:7", engine.Setting{Key: "ping", Value: "off"}) },
		"Habits":        func() error { _, err := s.Habits(ctx, "fake:7"); return err },
		"Seated":        func() error { _, err := s.Seated(ctx, chat, "fake:7"); return err },
		"SetAside":      func() error { return s.SetAside(ctx, r.ID) },
		"Move":          func() error { return s.Move(ctx, chat, "fake:2") },
		"ChatBoards":    func() error { _, err := s.ChatBoards(ctx, chat); return err },
		"ChatBoard":     func() error { _, err := s.ChatBoard(ctx, chat, "jungle"); return err },
		"Remove":        func() error { return s.RemoveChatBoard(ctx, chat, "jungle") },
		"PutDraft":      func() error { return s.PutDraft(ctx, chat, &late) },
		"Draft":         func() error { _, err := s.Draft(ctx, chat, draft.ID); return err },
		"OpenDraft":     func() error { _, err := s.OpenDraft(ctx, chat, draft.By); return err },
		"Decide":        func() error { _, err := s.Decide(ctx, chat, draft.ID, approval()); return err },
		"PutSetting":    func() error { return s.PutSetting(ctx, chat, engine.Setting{Key: "quiet"}) },
		"Setting":       func() error { _, err := s.Setting(ctx, chat, "quiet"); return err },
		"Settings":      func() error { _, err := s.Settings(ctx, chat); return err },
	} {
		if err := ask(); !errors.Is(err, context.Canceled) {
			s.Errorf("%s: got error %v, want that of the context", what, err)
		}
	}
	s.act(&r)
	s.finds(r)
	s.holds(chat, board)
	s.waits(chat, draft)
	if set, err := s.Settings(context.Background(), chat); err != nil || len(set) != 0 {
		s.Errorf("the settings are %+v, %v", set, err)
	}
	s.hasHabits("fake:7")
}

func theNewestMatchOfASeed(s *subject) {
	s.over(place("a"), "SAME")
	s.open(place("b"), "OTHER")
	newest := s.open(place("c"), "SAME")
	found, err := s.BySeed(context.Background(), "SAME")
	if err != nil {
		s.Fatal(err)
	}
	s.same("BySeed", found, newest)
}

func finishedNewestFirst(s *subject) {
	ctx := context.Background()
	one := s.over(place("a"), "1")
	two := s.over(place("b"), "2")
	s.over(bot.Channel{Chat: "fake:2", Place: "a"}, "3")
	three := s.over(place("a"), "4")
	broken := s.open(place("a"), "5")
	s.aside(broken.ID)
	s.open(place("a"), "6")
	four := s.over(place("c"), "7")

	found, err := s.Finished(ctx, "fake:1", 10)
	s.numbers("Finished", found, err, four.ID, three.ID, two.ID, one.ID)
	s.same("Finished", found[3], one)
	found, err = s.Finished(ctx, "fake:1", 2)
	s.numbers("Finished, at most 2", found, err, four.ID, three.ID)
	found, err = s.Finished(ctx, "fake:1", 0)
	s.numbers("Finished, at most 0", found, err)
	s.move("fake:1", "fake:9")
	for _, chat := range []bot.ChatID{"fake:1", "fake:9"} {
		found, err = s.Finished(ctx, chat, 1)
		s.numbers("Finished after a move", found, err, four.ID)
		if len(found) == 1 && found[0].Channel != (bot.Channel{Chat: "fake:9", Place: "c"}) {
			s.Errorf("Finished after a move: the channel is %v", found[0].Channel)
		}
	}
}

func boardsByContent(s *subject) {
	ctx := context.Background()
	boards := map[string]string{
		"hash1": "name: jungle\nladders: {4: 14}\n",
		"hash2": "",
		"HASH1": "\x00\U0001F40D",
		"hash3": strings.Repeat("# long\n", 50_000),
	}
	s.open(place(""), "SEED") // names a hash whose board comes later
	boards["hash-of-classic"] = "name: classic\n"
	for range 2 {
		for hash, file := range boards {
			if err := s.AddBoard(ctx, hash, file); err != nil {
				s.Fatalf("AddBoard(%s): %v", hash, err)
			}
		}
	}
	for hash, want := range boards {
		if got, err := s.Board(ctx, hash); err != nil || got != want {
			s.Errorf("Board(%s): got %.40q, %v; want %.40q", hash, got, err, want)
		}
	}
}

func untoldInPages(s *subject) {
	ctx := context.Background()
	var open []engine.Record
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		open = append(open, s.open(place(name), name)) // told nothing of one act
	}
	s.tell(open[1].ID, open[1].Entries)
	s.aside(open[3].ID)
	s.end(&open[4]) // which tells of all
	open[5].Open, open[5].Entries = false, 3
	s.put(&open[5]) // over, and untold

	found, err := s.Untold(ctx, 0, 10)
	s.numbers("Untold", found, err, open[0].ID, open[2].ID, open[5].ID)
	s.same("Untold", found[2], open[5])
	found, err = s.Untold(ctx, 0, 2)
	s.numbers("the first page", found, err, open[0].ID, open[2].ID)
	found, err = s.Untold(ctx, open[2].ID, 2)
	s.numbers("the second page", found, err, open[5].ID)
	found, err = s.Untold(ctx, open[5].ID, 2)
	s.numbers("behind the last page", found, err)

	s.act(&open[0])
	s.tell(open[5].ID, 2)
	found, err = s.Untold(ctx, 0, 10)
	s.numbers("after some were told", found, err, open[2].ID, open[5].ID)
	open[1].Told, open[1].Entries = 1, 2
	s.put(&open[1])
	found, err = s.Untold(ctx, 0, 10)
	s.numbers("after another act", found, err, open[1].ID, open[2].ID, open[5].ID)
}

func setAsideMakesRoom(s *subject) {
	broken := s.open(place(""), "BROKEN")
	broken.Deliveries = []uint32{5}
	s.act(&broken)
	s.aside(broken.ID)
	s.aside(broken.ID) // twice is harmless

	late := broken
	late.Acts += " late"
	s.conflicts(late, "a decision made before the match was set aside")
	got := s.latest(place(""))
	if !got.Aside || got.Open {
		s.Errorf("set aside, Aside is %v and Open %v", got.Aside, got.Open)
	}
	broken.Aside, broken.Open, broken.Version = true, false, got.Version
	s.finds(broken) // kept as it is

	next := fresh(place(""), "NEXT")
	s.conflicts(next, "not following the one that was set aside")
	next.Follows = broken.ID
	s.put(&next)
	s.finds(next)
	if !got.Aside || len(next.Deliveries) != 1 {
		s.Errorf("the deliveries of a match set aside are taken over too: got %v", next.Deliveries)
	}
	if found, err := s.BySeed(context.Background(), "BROKEN"); err != nil || found.ID != broken.ID {
		s.Errorf("BySeed finds the match that was set aside: %d, %v", found.ID, err)
	}
}

func seatedWhereAMatchIsOpen(s *subject) {
	ctx := context.Background()
	seated := func(chat bot.ChatID, user bot.UserID, want ...bot.Channel) {
		s.Helper()
		got, err := s.Seated(ctx, chat, user)
		if err != nil || !slices.Equal(got, want) {
			s.Errorf("Seated(%s, %s) = %v, %v, want %v", chat, user, got, err, want)
		}
	}
	seated("fake:1", "fake:7")
	s.over(place("b"), "1")
	a := s.open(place("a"), "2")
	other := s.open(bot.Channel{Chat: "fake:2"}, "3")
	seated("fake:1", "fake:7", place("a"))
	seated("fake:2", "fake:7", other.Channel)
	seated("fake:1", "fake:8")
	seated("fake:1", "")
	s.open(place("b"), "4")
	seated("fake:1", "fake:7", place("a"), place("b"))
	s.end(&a)
	seated("fake:1", "fake:7", place("b"))
	if err := s.Move(ctx, "fake:1", "fake:3"); err != nil {
		s.Fatal(err)
	}
	moved := bot.Channel{Chat: "fake:3", Place: "b"}
	seated("fake:3", "fake:7", moved)
	seated("fake:1", "fake:7", moved)
}
