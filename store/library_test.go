package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"hiss/bot"
	"hiss/engine"
)

func board(name string, n int) engine.ChatBoard {
	return engine.ChatBoard{Name: name, Hash: fmt.Sprint("hash", n), File: fmt.Sprint("file ", n),
		By: bot.UserID(fmt.Sprint("telegram:", n)), Added: sampleTime(n)}
}

// without returns boards as lists show them.
func without(boards ...engine.ChatBoard) []engine.ChatBoard {
	for i := range boards {
		boards[i].File = ""
	}
	return boards
}

func TestChatBoards(t *testing.T) {
	ctx := context.Background()
	s := open(t, file(t))
	put := func(chat bot.ChatID, b engine.ChatBoard) {
		t.Helper()
		if err := s.PutChatBoard(ctx, chat, b); err != nil {
			t.Fatal(err)
		}
	}
	lists := func(chat bot.ChatID, want ...engine.ChatBoard) {
		t.Helper()
		if got, err := s.ChatBoards(ctx, chat); err != nil || !slices.Equal(got, without(want...)) {
			t.Errorf("the boards of %s: got %+v, %v; want %+v", chat, got, err, want)
		}
	}
	lists("fake:1")
	put("fake:1", board("jungle", 1))
	put("fake:1", board("Alps", 2))
	put("fake:2", board("jungle", 3))
	nobody := board("by-nobody", 1)
	nobody.By = ""
	put("fake:2", nobody)
	lists("fake:1", board("Alps", 2), board("jungle", 1))
	lists("fake:2", nobody, board("jungle", 3))

	put("fake:1", board("JUNGLE", 4)) // the same name
	lists("fake:1", board("Alps", 2), board("JUNGLE", 4))
	for _, name := range []string{"jungle", "JUNGLE", "Jungle"} {
		if got, err := s.ChatBoard(ctx, "fake:1", name); err != nil || got != board("JUNGLE", 4) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
	if f, err := s.Board(ctx, "hash1"); err != nil || f != "file 1" {
		t.Errorf("the replaced board's content, which matches point at: %q, %v", f, err)
	}
	if err := s.RemoveChatBoard(ctx, "fake:1", "alps"); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"removed twice":     s.RemoveChatBoard(ctx, "fake:1", "alps"),
		"of nobody":         s.RemoveChatBoard(ctx, "fake:9", "jungle"),
		"looked for":        second(s.ChatBoard(ctx, "fake:1", "alps")),
		"looked for nobody": second(s.ChatBoard(ctx, "fake:9", "jungle")),
	} {
		if !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("%s: got error %v, want ErrNotFound", name, err)
		}
	}
	if f, err := s.Board(ctx, "hash2"); err != nil || f != "file 2" {
		t.Errorf("the removed board's content: %q, %v", f, err)
	}
}

func second[T any](_ T, err error) error { return err }

func TestSettings(t *testing.T) {
	ctx := context.Background()
	s := open(t, file(t))
	set := func(key, value string, n int) engine.Setting {
		return engine.Setting{Key: key, Value: value, By: bot.UserID(fmt.Sprint("telegram:", n)), At: sampleTime(n)}
	}
	for _, put := range []engine.Setting{set("quiet", "on", 1), set("language", "de", 2), set("quiet", "", 3)} {
		if err := s.PutSetting(ctx, "fake:1", put); err != nil {
			t.Fatal(err)
		}
	}
	want := []engine.Setting{set("language", "de", 2), set("quiet", "", 3)}
	if got, err := s.Settings(ctx, "fake:1"); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
	if got, err := s.Setting(ctx, "fake:1", "quiet"); err != nil || got != want[1] {
		t.Errorf("got %+v, %v; want %+v", got, err, want[1])
	}
	for _, err := range []error{second(s.Setting(ctx, "fake:1", "Quiet")), second(s.Setting(ctx, "fake:2", "quiet"))} {
		if !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("got error %v, want ErrNotFound", err)
		}
	}
	if got, err := s.Settings(ctx, "fake:2"); err != nil || len(got) != 0 {
		t.Errorf("the settings of nobody: %+v, %v", got, err)
	}
}

// TestMoveTakesBoardsAndSettingsAlong: where both chats have something, that
// of the chat moved to stays.
func TestMoveTakesBoardsAndSettingsAlong(t *testing.T) {
	ctx := context.Background()
	s := open(t, file(t))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	setting := func(key string, n int) engine.Setting {
		return engine.Setting{Key: key, Value: fmt.Sprint(n), At: sampleTime(n)}
	}
	must(s.PutChatBoard(ctx, "fake:old", board("alps", 1)))
	must(s.PutChatBoard(ctx, "fake:old", board("Jungle", 2)))
	must(s.PutSetting(ctx, "fake:old", setting("language", 1)))
	must(s.PutSetting(ctx, "fake:old", setting("quiet", 2)))
	must(s.Move(ctx, "fake:old", "fake:mid"))
	must(s.PutChatBoard(ctx, "fake:new", board("jungle", 3)))
	must(s.PutSetting(ctx, "fake:new", setting("quiet", 3)))
	must(s.Move(ctx, "fake:mid", "fake:new"))
	for _, chat := range []bot.ChatID{"fake:old", "fake:mid", "fake:new"} {
		boards, err := s.ChatBoards(ctx, chat)
		if want := without(board("alps", 1), board("jungle", 3)); err != nil || !slices.Equal(boards, want) {
			t.Errorf("the boards of %s: got %+v, %v; want %+v", chat, boards, err, want)
		}
		settings, err := s.Settings(ctx, chat)
		if want := []engine.Setting{setting("language", 1), setting("quiet", 3)}; err != nil || !slices.Equal(settings, want) {
			t.Errorf("the settings of %s: got %+v, %v; want %+v", chat, settings, err, want)
		}
	}
	must(s.RemoveChatBoard(ctx, "fake:old", "alps"))
	must(s.PutSetting(ctx, "fake:mid", setting("quiet", 4)))
	if got, err := s.Setting(ctx, "fake:new", "quiet"); err != nil || got != setting("quiet", 4) {
		t.Errorf("set under an old id: %+v, %v", got, err)
	}
}
