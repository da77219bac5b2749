package engine_test

import (
	"context"
	"errors"
	"testing"

	"hiss/engine"
)

// TestFull: after !full the next write fails, whatever it writes, and the one
// after it doesn't. What only reads is none.
func TestFull(t *testing.T) {
	ctx := context.Background()
	const chat = "fake:1"
	m := &memory{}
	if err := m.PutDraft(ctx, chat, &engine.Draft{Name: "jungle", By: "fake:7"}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Decide(ctx, chat, 1, engine.Decision{Verdict: engine.Approved, Most: 1}); err != nil {
		t.Fatal(err)
	}
	if err := m.PutDraft(ctx, chat, &engine.Draft{Name: "alps", By: "fake:8"}); err != nil {
		t.Fatal(err)
	}
	rig := &engine.Rig{}
	disk := rig.Disk(m)
	for what, write := range map[string]func() error{
		"Put":             func() error { return disk.Put(ctx, &engine.Record{Channel: room("1")}) },
		"RemoveChatBoard": func() error { return disk.RemoveChatBoard(ctx, chat, "jungle") },
		"PutDraft":        func() error { return disk.PutDraft(ctx, chat, &engine.Draft{Name: "pit", By: "fake:9"}) },
		"Decide": func() error {
			_, err := disk.Decide(ctx, chat, 2, engine.Decision{Verdict: engine.Discarded})
			return err
		},
		"PutSetting": func() error { return disk.PutSetting(ctx, chat, engine.Setting{Key: "quiet"}) },
		"PutHabit":   func() error { return disk.PutHabit(ctx, "fake:7", engine.Setting{Key: "ping", Value: "off"}) },
	} {
		if err := rig.Direct(ctx, "full", nil); err != nil {
			t.Fatal(err)
		}
		if _, err := disk.Draft(ctx, chat, 2); err != nil {
			t.Errorf("reading before %s: %v", what, err)
		}
		if err := write(); !errors.Is(err, engine.ErrNotWritten) {
			t.Errorf("%s: got error %v, want ErrNotWritten", what, err)
		}
		if err := write(); err != nil {
			t.Errorf("%s, the second time: %v", what, err)
		}
	}
}
