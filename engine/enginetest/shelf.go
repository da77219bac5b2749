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

// TestShelf tests what a store keeps for chats beside their matches, but for
// Move. It is part of TestStore, and by itself for stores that keep less.
func TestShelf(t *testing.T, open func(t *testing.T) engine.Store) {
	run(t, open, map[string]func(*subject){
		"ALibraryHasNames":           aLibraryHasNames,
		"SettingsByKey":              settingsByKey,
		"HabitsByPerson":             habitsByPerson,
		"DraftsComeBackWhole":        draftsComeBackWhole,
		"OneDraftAPerson":            oneDraftAPerson,
		"ApprovingShelvesTheBoard":   approvingShelvesTheBoard,
		"DiscardingShelvesNothing":   discardingShelvesNothing,
		"ADecisionStands":            aDecisionStands,
		"ATakenName":                 aTakenName,
		"AFullLibrary":               aFullLibrary,
		"ChatsDecideApart":           chatsDecideApart,
		"OfManyDecisionsOneCounts":   ofManyDecisionsOneCounts,
		"OfManyApprovalsAsManyAsFit": ofManyApprovalsAsManyAsFit,
	})
}

// sent is a draft as a person sends it, with content of its own.
func sent(by bot.UserID, name string) engine.Draft {
	return engine.Draft{Name: name, Hash: "hash of " + name + " by " + string(by), File: "name: " + name + " # " + string(by) + "\n",
		By: by, Sent: second(5)}
}

// approval lets a draft in where there's a place.
func approval() engine.Decision {
	return engine.Decision{Verdict: engine.Approved, Judge: "Judge", Most: 100, Now: second(9)}
}

// shelved is the board that approval makes of a draft.
func shelved(d engine.Draft) engine.ChatBoard {
	return engine.ChatBoard{Name: d.Name, Hash: d.Hash, File: d.File, By: d.By, Added: second(9)}
}

// ruled is a draft after a decision.
func ruled(d engine.Draft, v engine.Verdict, judge string) engine.Draft {
	d.Verdict, d.Judge, d.File = v, judge, ""
	return d
}

func (s *subject) send(chat bot.ChatID, d engine.Draft) engine.Draft {
	s.Helper()
	if err := s.PutDraft(context.Background(), chat, &d); err != nil {
		s.Fatalf("PutDraft: %v", err)
	}
	return d
}

func (s *subject) decide(chat bot.ChatID, id int64, d engine.Decision) engine.Draft {
	s.Helper()
	decided, err := s.Decide(context.Background(), chat, id, d)
	if err != nil {
		s.Fatalf("Decide(%d): %v", id, err)
	}
	return decided
}

// shelve sends a board and lets it in.
func (s *subject) shelve(chat bot.ChatID, d engine.Draft) engine.ChatBoard {
	s.Helper()
	s.decide(chat, s.send(chat, d).ID, approval())
	return shelved(d)
}

// holds checks all that a chat's library has, by list and one by one.
func (s *subject) holds(chat bot.ChatID, want ...engine.ChatBoard) {
	s.Helper()
	ctx := context.Background()
	list, err := s.ChatBoards(ctx, chat)
	if err != nil || len(list) != len(want) {
		s.Errorf("the library of %s has %+v, %v; want %+v", chat, list, err, want)
		return
	}
	for i, b := range want {
		got, err := s.ChatBoard(ctx, chat, b.Name)
		if !sameBoard(got, b) || err != nil {
			s.Errorf("ChatBoard(%s, %s): got %+v, %v; want %+v", chat, b.Name, got, err, b)
		}
		if file, err := s.Board(ctx, b.Hash); file != b.File || err != nil {
			s.Errorf("Board(%s): got %q, %v; want %q", b.Hash, file, err, b.File)
		}
		if b.File = ""; !sameBoard(list[i], b) {
			s.Errorf("the library of %s has at %d %+v, want %+v", chat, i, list[i], b)
		}
	}
}

func sameBoard(a, b engine.ChatBoard) bool {
	same := a.Added.Equal(b.Added)
	a.Added, b.Added = time.Time{}, time.Time{}
	return same && a == b
}

// fails checks an error.
func (s *subject) fails(what string, err, want error) {
	s.Helper()
	if !errors.Is(err, want) {
		s.Errorf("%s: got error %v, want %v", what, err, want)
	}
}

func aLibraryHasNames(s *subject) {
	ctx := context.Background()
	s.holds("fake:1")
	jungle := s.shelve("fake:1", sent("fake:7", "jungle"))
	alps := s.shelve("fake:1", sent("fake:7", "Alps"))
	zoo := s.shelve("fake:1", sent("fake:8", "zoo"))
	other := s.shelve("fake:2", sent("fake:9", "jungle"))
	s.holds("fake:1", alps, jungle, zoo)
	s.holds("fake:2", other)
	s.holds("fake:11")
	for _, name := range []string{"alps", "ALPS", "aLpS"} {
		if got, err := s.ChatBoard(ctx, "fake:1", name); !sameBoard(got, alps) || err != nil {
			s.Errorf("ChatBoard(%s): got %+v, %v; want %+v", name, got, err, alps)
		}
	}

	if err := s.RemoveChatBoard(ctx, "fake:1", "JUNGLE"); err != nil {
		s.Fatal(err)
	}
	s.holds("fake:1", alps, zoo)
	s.holds("fake:2", other)
	if file, err := s.Board(ctx, jungle.Hash); file != jungle.File || err != nil {
		s.Errorf("the content of a removed board: %q, %v", file, err)
	}
	s.fails("removing it again", s.RemoveChatBoard(ctx, "fake:1", "jungle"), engine.ErrNotFound)
	s.fails("removing what another chat has", s.RemoveChatBoard(ctx, "fake:2", "zoo"), engine.ErrNotFound)
	_, err := s.ChatBoard(ctx, "fake:1", "jungle")
	s.fails("looking for a removed board", err, engine.ErrNotFound)
	again := s.shelve("fake:1", sent("fake:8", "Jungle"))
	s.holds("fake:1", alps, again, zoo)
}

func settingsByKey(s *subject) {
	ctx := context.Background()
	set := func(chat bot.ChatID, key, value string, n int) engine.Setting {
		s.Helper()
		made := engine.Setting{Key: key, Value: value, By: bot.UserID(fmt.Sprint("fake:", n)), At: second(n)}
		if err := s.PutSetting(ctx, chat, made); err != nil {
			s.Fatal(err)
		}
		return made
	}
	has := func(chat bot.ChatID, want ...engine.Setting) {
		s.Helper()
		if got, err := s.Settings(ctx, chat); !slices.EqualFunc(got, want, sameSetting) || err != nil {
			s.Errorf("the settings of %s: got %+v, %v; want %+v", chat, got, err, want)
		}
		for _, w := range want {
			if got, err := s.Setting(ctx, chat, w.Key); !sameSetting(got, w) || err != nil {
				s.Errorf("setting %s of %s: got %+v, %v; want %+v", w.Key, chat, got, err, w)
			}
		}
	}
	has("fake:1")
	set("fake:1", "quiet", "on", 1)
	language := set("fake:1", "language", "de", 2)
	other := set("fake:2", "quiet", "Zoë \U0001F40D 'x' \"y\"", 3)
	quiet := set("fake:1", "quiet", "", 4)
	upper := set("fake:1", "QUIET", "keys are as they are written", 5)
	has("fake:1", upper, language, quiet)
	has("fake:2", other)
	_, err := s.Setting(ctx, "fake:2", "language")
	s.fails("a setting of another chat", err, engine.ErrNotFound)
}

func sameSetting(a, b engine.Setting) bool {
	return a.Key == b.Key && a.Value == b.Value && a.By == b.By && a.At.Equal(b.At)
}

// habit sets something for a person.
func (s *subject) habit(user bot.UserID, key, value string, n int) engine.Setting {
	s.Helper()
	if err := s.PutHabit(context.Background(), user, engine.Setting{Key: key, Value: value, By: "fake:somebody", At: second(n)}); err != nil {
		s.Fatal(err)
	}
	return engine.Setting{Key: key, Value: value, By: user, At: second(n)}
}

func (s *subject) hasHabits(user bot.UserID, want ...engine.Setting) {
	s.Helper()
	if got, err := s.Habits(context.Background(), user); err != nil || !slices.EqualFunc(got, want, sameSetting) {
		s.Errorf("the habits of %s: got %+v, %v; want %+v", user, got, err, want)
	}
}

func habitsByPerson(s *subject) {
	s.hasHabits("fake:7")
	s.habit("fake:7", "ping", "on", 1)
	auto := s.habit("fake:7", "autoroll", "Zoë \U0001F40D 'x' \"y\"", 2)
	other := s.habit("fake:8", "ping", "off", 3)
	ping := s.habit("fake:7", "ping", "off", 4)
	upper := s.habit("fake:7", "PING", "keys are as they are written", 5)
	s.hasHabits("fake:7", upper, auto, ping)
	s.hasHabits("fake:8", other)
	s.hasHabits("fake:77")
	s.hasHabits("")

	s.habit("fake:7", "ping", "", 6)
	s.habit("fake:7", "ping", "", 7) // twice is harmless
	s.habit("fake:9", "ping", "", 8)
	s.hasHabits("fake:7", upper, auto)
	s.hasHabits("fake:8", other)
	s.hasHabits("fake:9")
	again := s.habit("fake:7", "ping", "on", 9)
	s.hasHabits("fake:7", upper, auto, again)

	ctx := context.Background()
	for _, value := range []string{"on", ""} {
		err := s.PutHabit(ctx, "", engine.Setting{Key: "ping", Value: value})
		s.fails("a habit of nobody", err, engine.ErrNotWritten)
	}
	// What a chat has set is another thing, even where chat and person are
	// called the same.
	if set, err := s.Settings(ctx, "fake:7"); err != nil || len(set) > 0 {
		s.Errorf("the settings of fake:7: %+v, %v", set, err)
	}
}
