package engine_test

import (
	"context"
	"errors"
	"flag"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hiss/adapters/fake"
	"hiss/engine"
	"hiss/engine/rules"
	"hiss/store"
)

var update = flag.Bool("update", false, "write the transcripts anew, to be reviewed as a diff")

// TestTranscripts plays every conversation in testdata on the real engine over
// a real SQLite file. Only the platform is a fake.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			newStage(t).platform.Check(t, file, *update)
		})
	}
}

// stage is an engine, its store and a fake platform, for one test. Seeds count
// up from 0000000000000000, and the clock stands still but for !wait.
type stage struct {
	t        *testing.T
	path     string
	platform *fake.Platform
	rig      *engine.Rig
	seeds    uint64
	store    *store.Store
	engine   *engine.Engine
}

func newStage(t *testing.T) *stage {
	s := &stage{
		t: t, path: filepath.Join(t.TempDir(), "hiss.db"), rig: &engine.Rig{},
		platform: fake.New(fake.Config{Dir: "testdata"}),
	}
	s.rig.Restart = s.restart
	s.open(t.Context())
	t.Cleanup(func() { _ = s.close(context.WithoutCancel(t.Context())) })
	return s
}

func (s *stage) open(ctx context.Context) {
	var err error
	if s.store, err = store.Open(ctx, s.path); err != nil {
		s.t.Fatal(err)
	}
	s.engine = engine.New(engine.Config{
		Store: s.rig.Disk(s.store), Rig: s.rig, Seed: s.seed, Wordless: time.Minute,
		Now: s.rig.Clock(func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }),
	})
	s.platform.Serve(s.engine, s.rig)
	s.engine.Started(ctx, s.platform)
}

func (s *stage) seed() (rules.Seed, error) {
	s.seeds++
	return rules.SeedNumber(s.seeds - 1), nil
}

func (s *stage) close(ctx context.Context) error {
	return errors.Join(s.engine.Flush(ctx), s.store.Close())
}

// restart is an orderly stop and a start on the same file.
func (s *stage) restart(ctx context.Context) error {
	if err := s.close(ctx); err != nil {
		return err
	}
	s.open(ctx)
	return nil
}
