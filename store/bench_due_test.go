package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkDue asks what is due, and what next, in a file of ten open matches
// with later deadlines and in one of 100,000, beside 100,000 that are long due
// on a platform that isn't served. In both five are due.
func BenchmarkDue(b *testing.B) {
	ctx := context.Background()
	adapters := []string{"discord", "telegram"}
	ask := func(name string, later, left int) func() error {
		path := filepath.Join(b.TempDir(), name)
		fillDue(b, path, later, left)
		s := open(b, path)
		return func() error {
			found, err := s.Due(ctx, time.Unix(dueNow, 0), adapters, 100)
			if err != nil || len(found) != 5 {
				return fmt.Errorf("%d due: %w", len(found), err)
			}
			next, err := s.NextDue(ctx, adapters)
			if err != nil || next.Unix() != dueNow-4 {
				return fmt.Errorf("next at %v: %w", next, err)
			}
			return nil
		}
	}
	few, many := ask("few.db", 10, 0), ask("many.db", 100_000, 100_000)
	measure := func(f func() error) float64 {
		const times = 200
		start := time.Now()
		for range times {
			if err := f(); err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(start).Seconds() * 1e6 / times
	}
	var fews, manys []float64
	for b.Loop() {
		for range 15 {
			fews, manys = append(fews, measure(few)), append(manys, measure(many))
		}
	}
	b.ReportMetric(median(fews), "few-µs")
	b.ReportMetric(median(manys), "many-µs")
	atMost(b, "many/few", ratios(manys, fews), 2)
	b.ReportMetric(0, "ns/op")
}

const dueNow = 1_800_000_000

// fillDue makes a file of open matches, one a chat: five that have just become
// due, so many that will be later, and so many left behind on another platform.
func fillDue(b *testing.B, path string, later, left int) {
	b.Helper()
	if err := open(b, path).Close(); err != nil {
		b.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(OFF)")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	p := newPlayer(1)
	for _, step := range []string{
		"BEGIN",
		fmt.Sprintf(`CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			SELECT i, iif(i <= %d, 'telegram', 'gone') AS adapter FROM n`, 5+later+left, 5+later),
		"INSERT INTO boards (id, hash) VALUES (1, 'classic')",
		"INSERT INTO chats (id, name) SELECT i, adapter || ':' || i FROM n",
		"INSERT INTO chat_names (name, chat) SELECT name, id FROM chats",
		"INSERT INTO channels (id, chat, place, latest) SELECT id, id, '', id FROM chats",
		fmt.Sprintf(`INSERT INTO matches (id, channel, version, frame, open, aside, told, entries, owing, deadline, opened, acted, board,
			seed, rules, acts, clock, adapter) SELECT i, i, 101, 0, 1, 0, 100, 100, 0,
			CASE WHEN i <= 5 THEN %[1]d + 1 - i WHEN adapter = 'gone' THEN %[1]d - i ELSE %[1]d + 1 + i * 7919 %% 500 END,
			0, 0, 1, '%[2]s', '%[3]s', '%[4]s', '%[5]s', adapter FROM n`, dueNow, benchSeed, benchRules, p.acts, p.clock()),
		"COMMIT",
		"PRAGMA wal_checkpoint(TRUNCATE)",
	} {
		if _, err := db.Exec(step); err != nil {
			b.Fatalf("%.60s: %v", step, err)
		}
	}
}
