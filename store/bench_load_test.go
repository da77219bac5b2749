package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"hiss/engine"
	"hiss/store"
)

// BenchmarkLoad compares loading a channel's match of 100 goes, seats and all,
// with a bare SELECT of its row.
func BenchmarkLoad(b *testing.B) {
	ctx := context.Background()
	path := file(b)
	s := open(b, path)
	const channels = 1000
	records := played(b, s, channels)
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	row, err := db.Prepare("SELECT * FROM matches WHERE id = ?")
	if err != nil {
		b.Fatal(err)
	}
	defer row.Close()
	bare := func(i int) error {
		var id, channel, version, frame, open, aside, told, entries, owing, opened, acted, board int64
		var deadline sql.NullInt64
		var seed, rules, acts, clock, adapter string
		var deliveries []byte
		return row.QueryRow(records[i].ID).Scan(&id, &channel, &version, &frame, &open, &aside, &told, &entries, &owing,
			&deadline, &opened, &acted, &board, &seed, &rules, &deliveries, &acts, &clock, &adapter)
	}
	load := func(i int) error {
		r, err := s.Latest(ctx, records[i].Channel)
		if err == nil && (r.Acts != records[i].Acts || len(r.Seats) != 4) {
			return fmt.Errorf("loaded %+v", r)
		}
		return err
	}
	var loads, bares []float64
	measure := func(f func(int) error) float64 {
		start := time.Now()
		for i := range channels {
			if err := f(i * 7 % channels); err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(start).Seconds() * 1e6 / channels
	}
	for b.Loop() {
		for range 15 {
			loads, bares = append(loads, measure(load)), append(bares, measure(bare))
		}
	}
	b.ReportMetric(median(loads), "load-µs")
	b.ReportMetric(median(bares), "select-µs")
	atMost(b, "load/select", ratios(loads, bares), 3)
	b.ReportMetric(0, "ns/op")
}

// played puts a match of 100 goes into each of so many channels.
func played(b *testing.B, s *store.Store, channels int) []engine.Record {
	b.Helper()
	records := make([]engine.Record, channels)
	for i := range records {
		records[i] = benchRecord(i)
		p := newPlayer(i)
		for range goes {
			p.fill(&records[i])
		}
		if err := s.Put(context.Background(), &records[i]); err != nil {
			b.Fatal(err)
		}
	}
	return records
}

// BenchmarkSize plays 2,000 matches of 100 goes act by act in 200 channels and
// weighs the file.
func BenchmarkSize(b *testing.B) {
	const channels, each = 200, 10
	var bytes, lengths float64
	for b.Loop() {
		path := file(b)
		s := open(b, path)
		var all sync.WaitGroup
		for c := range channels {
			all.Go(func() {
				var follows int64
				for m := range each {
					r := benchRecord(c)
					r.Follows, r.Seed = follows, fmt.Sprintf("%08d%08d", (c*each+m)*7919%1_000_000, m)
					if err := s.Put(context.Background(), &r); err != nil {
						b.Error(err)
						return
					}
					p := newPlayer(c*each + m)
					for range goes {
						marks := r.Deliveries
						p.fill(&r)
						r.Deliveries = append(marks[:len(marks):len(marks)], p.marks[p.n-1]) // the channel's, typed
						r.Deliveries = r.Deliveries[max(0, len(r.Deliveries)-32):]
						if p.n == goes {
							r.Open, r.Deadline, r.Clock, r.Told = false, time.Time{}, "", r.Entries
						}
						if err := s.Put(context.Background(), &r); err != nil {
							b.Error(err)
							return
						}
					}
					follows = r.ID
					if c == 0 && m == 0 {
						lengths = float64(len(r.Acts))
					}
				}
			})
		}
		all.Wait()
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		bytes = float64(info.Size())
		sizes(b, path)
	}
	b.ReportMetric(lengths, "acts-bytes/match")
	b.ReportMetric(bytes/(channels*each), "bytes/match")
	atMost(b, "MB/million-goes", bytes/(channels*each*goes), 10)
	b.ReportMetric(0, "ns/op")
}

// sizes logs what every table and index takes.
func sizes(b *testing.B, path string) {
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query("SELECT name, sum(pgsize), sum(payload) FROM dbstat GROUP BY name ORDER BY 2 DESC")
	if err != nil {
		b.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var size, payload int64
		if err := rows.Scan(&name, &size, &payload); err != nil {
			b.Fatal(err)
		}
		if size > 4096 {
			b.Logf("%-30s %9d bytes, of which payload %9d", name, size, payload)
		}
	}
	if err := rows.Err(); err != nil {
		b.Fatal(err)
	}
}

// fill makes a file of 500,000 matches, of which 100,000 are open, one a
// channel, and 100 owe their channels something.
func fill(b *testing.B, path string) {
	b.Helper()
	if err := open(b, path).Close(); err != nil {
		b.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(OFF)&_pragma=cache_size(-200000)")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	p := newPlayer(1)
	for _, step := range []string{
		"BEGIN",
		"CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500000) SELECT i FROM n",
		"INSERT INTO boards (id, hash) VALUES (1, 'classic')",
		"INSERT INTO users (id, name) SELECT i, 'telegram:' || i FROM n WHERE i <= 1000",
		"INSERT INTO chats (id, name) SELECT i, 'telegram:-100' || i FROM n WHERE i <= 100000",
		"INSERT INTO chat_names (name, chat) SELECT name, id FROM chats",
		"INSERT INTO channels (id, chat, place, latest) SELECT id, id, '', 400000 + id FROM chats",
		`INSERT INTO matches (id, channel, version, frame, open, aside, told, entries, owing, deadline, opened, acted, board, seed,
			rules, acts, clock, adapter) SELECT i, 1 + (i - 1) % 100000, 101, 0, i > 400000, 0, 100 - (i % 1000 = 0 AND i > 400000), 100,
			i % 1000 = 0 AND i > 400000, CASE WHEN i > 400000 THEN 1800000000 + i * 7919 % 500000 END, 1800000000, 1800000000, 1,
			printf('%016d', i * 7919 % 999983), '` + benchRules + `', '` + p.acts + `', '` + p.clock() + `', iif(i > 400000, 'telegram', '') FROM n`,
		"INSERT INTO seats (match, seat, user, name) SELECT n.i, s.i - 1, 1 + (n.i * 4 + s.i) % 1000, 'Player ' || s.i FROM n JOIN n s ON s.i <= 4",
		"COMMIT",
		"PRAGMA wal_checkpoint(TRUNCATE)",
	} {
		if _, err := db.Exec(step); err != nil {
			b.Fatalf("%.60s: %v", step, err)
		}
	}
}

// BenchmarkStart opens a file of 100,000 open matches among 500,000, asks what
// is due and makes the first act, beside opening the file bare and selecting one row.
func BenchmarkStart(b *testing.B) {
	ctx := context.Background()
	path := filepath.Join(b.TempDir(), "hiss.db")
	fill(b, path)
	act := func(round int) error {
		s := open(b, path)
		owed, err := s.Untold(ctx, 0, 1000)
		if err != nil || len(owed) != 100 {
			return fmt.Errorf("%d untold, %w", len(owed), err)
		}
		adapters := []string{"discord", "telegram"}
		if next, err := s.NextDue(ctx, adapters); err != nil || next.Unix() != 1_800_000_000 {
			return fmt.Errorf("the clock acts next at %v, %w", next, err)
		}
		if late, err := s.Due(ctx, time.Unix(1_799_999_999, 0), adapters, 1000); err != nil || len(late) != 0 {
			return fmt.Errorf("%d due, %w", len(late), err)
		}
		channel := benchRecord(0).Channel
		channel.Chat, channel.Place = owed[round].Channel.Chat, ""
		r, err := s.Latest(ctx, channel)
		if err != nil {
			return err
		}
		r.Acts += "a1 "
		return s.Put(ctx, &r)
	}
	bare := func(round int) error {
		db, err := sql.Open("sqlite", "file:"+path)
		if err != nil {
			return err
		}
		defer db.Close()
		var acts string
		return db.QueryRow("SELECT acts FROM matches WHERE id = ?", 400_000+round).Scan(&acts)
	}
	measure := func(f func(int) error, round int) float64 {
		start := time.Now()
		if err := f(round); err != nil {
			b.Fatal(err)
		}
		return time.Since(start).Seconds() * 1e3
	}
	var starts, bares, over []float64
	for b.Loop() {
		for round := range 9 {
			starts, bares = append(starts, measure(act, round)), append(bares, measure(bare, round))
			over = append(over, starts[len(starts)-1]-bares[len(bares)-1])
		}
	}
	b.ReportMetric(median(starts), "start-ms")
	b.ReportMetric(median(bares), "bare-ms")
	atMost(b, "over-bare-ms", median(over), 150)
	b.ReportMetric(0, "ns/op")
}
