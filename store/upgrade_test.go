package store_test

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hiss/bot"
	"hiss/engine"
	"hiss/store"
)

// With -fixture the newest version's fixture is written. A fixture is part of
// a release and never written again afterwards.
var fixture = flag.Bool("fixture", false, "write the fixture of the schema's newest version")

func sampleTime(n int) time.Time { return time.Unix(1_790_000_000+int64(n), 0).UTC() }

// sample is what is in every fixture. What later versions keep beyond it goes
// into a sample of their own.
func sample() []engine.Record {
	seats := []engine.Sitter{{User: "telegram:7", Name: "Asha"}, {User: "discord:9", Name: "Zoë 🐍 d'Ys"}, {Name: "Computer"}}
	return []engine.Record{
		{ID: 1, Channel: bot.Channel{Chat: "telegram:-1001"}, Version: 2, Seed: "K7Q29XMD4TRA8BZC", Board: "hash1",
			Rules: "1 1x6 exact max/3 first 16", Acts: "open join a4>14 b6,2 ", Seats: seats[:2], Told: 4, Entries: 4,
			Opened: sampleTime(0), Acted: sampleTime(9)},
		{ID: 2, Channel: bot.Channel{Chat: "telegram:-1001"}, Version: 2, Seed: "0000000000000001", Board: "hash1",
			Rules: "1 1x6 exact max/3 first 16", Acts: "open join a4>14 ", Seats: seats, Open: true, Told: 2, Entries: 3,
			Deadline: sampleTime(100), Deliveries: []uint32{1, 1 << 31, 7}, Opened: sampleTime(10), Acted: sampleTime(20)},
		{ID: 3, Channel: bot.Channel{Chat: "discord:4", Place: "77"}, Version: 2, Seed: "0000000000000002", Board: "hash2",
			Rules: "not readable", Acts: "???", Aside: true, Told: 1, Entries: 1, Deadline: sampleTime(30),
			Opened: sampleTime(11), Acted: sampleTime(12)},
	}
}

// build plays the sample into a store. It was called telegram:-5 at first.
func build(t *testing.T, s *store.Store) {
	t.Helper()
	ctx := context.Background()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range sample() {
		r := want
		r.ID, r.Open, r.Aside, r.Deliveries, r.Told = 0, true, false, nil, 0
		if r.Channel.Chat == "telegram:-1001" {
			r.Channel.Chat = "telegram:-5"
		}
		r.Follows = want.ID - 1
		if want.ID == 3 {
			r.Follows = 0
		}
		must(s.Put(ctx, &r))
		if want.Aside {
			must(s.Tell(ctx, r.ID, want.Told))
			must(s.SetAside(ctx, r.ID))
			continue
		}
		r.Open, r.Deliveries, r.Told = want.Open, want.Deliveries, want.Told
		must(s.Put(ctx, &r))
	}
	must(s.AddBoard(ctx, "hash1", "name: classic\n"))
	must(s.PutChatBoard(ctx, "telegram:-5", sampleBoard()))
	must(s.PutSetting(ctx, "telegram:-5", sampleSetting()))
	must(s.Notes().Put("discord commands", []byte{1, 0, 255}))
	buildDrafts(t, s)
	buildClocks(t, s)
	must(s.Move(ctx, "telegram:-5", "telegram:-1001"))
}

func sampleBoard() engine.ChatBoard {
	return engine.ChatBoard{Name: "Jungle", Hash: "hash3", File: "name: jungle\n", By: "telegram:7", Added: sampleTime(1)}
}

func sampleSetting() engine.Setting {
	return engine.Setting{Key: "language", Value: "de", By: "telegram:8", At: sampleTime(2)}
}

// sampleDrafts are in the fixtures from version 2 on. The first one's sender
// has sent another since.
func sampleDrafts() []engine.Draft {
	return []engine.Draft{
		{ID: 1, Name: "Old", Hash: "hash4", File: "name: Old\n", By: "telegram:7", Sent: sampleTime(3)},
		{ID: 2, Name: "Alps", Hash: "hash5", By: "telegram:8", Sent: sampleTime(4), Verdict: engine.Discarded, Judge: "Zoë 🐍 d'Ys"},
		{ID: 3, Name: "pit", Hash: "hash6", By: "telegram:6", Sent: sampleTime(5), Verdict: engine.Approved, Judge: "Asha"},
		{ID: 4, Name: "jungle", Hash: "hash7", File: "name: jungle\nsize: 36\n", By: "telegram:7", Sent: sampleTime(6), Replace: true},
	}
}

func buildDrafts(t *testing.T, s *store.Store) {
	t.Helper()
	ctx := context.Background()
	for _, want := range sampleDrafts() {
		d := want
		if d.File == "" {
			d.File = "name: " + d.Name + "\n"
		}
		if err := s.PutDraft(ctx, "telegram:-5", &d); err != nil || d.ID != want.ID {
			t.Fatalf("draft %d is number %d: %v", want.ID, d.ID, err)
		}
		if want.Verdict == engine.Pending {
			continue
		}
		decision := engine.Decision{Verdict: want.Verdict, Judge: want.Judge, Now: sampleTime(7), Most: 10}
		if _, err := s.Decide(ctx, "telegram:-5", d.ID, decision); err != nil {
			t.Fatal(err)
		}
	}
}

// checkDrafts finds the sample's drafts in a store.
func checkDrafts(t *testing.T, s *store.Store) {
	t.Helper()
	ctx := context.Background()
	for _, chat := range []bot.ChatID{"telegram:-5", "telegram:-1001"} {
		for _, want := range sampleDrafts()[1:] {
			if got, err := s.Draft(ctx, chat, want.ID); err != nil || got != want {
				t.Errorf("draft %d of %s:\n got %+v, %v\nwant %+v", want.ID, chat, got, err, want)
			}
		}
		if _, err := s.Draft(ctx, chat, 1); !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("the draft that was replaced: %v", err)
		}
		pit := engine.ChatBoard{Name: "pit", Hash: "hash6", File: "name: pit\n", By: "telegram:6", Added: sampleTime(7)}
		if got, err := s.ChatBoard(ctx, chat, "pit"); err != nil || got != pit {
			t.Errorf("the board that was let in: %+v, %v", got, err)
		}
	}
	next := sampleDrafts()[3]
	if err := s.PutDraft(ctx, "telegram:-5", &next); err != nil || next.ID != 5 {
		t.Errorf("the next draft has number %d, %v; want 5", next.ID, err)
	}
}

// sampleClock is in the fixtures from version 3 on, and so are the habits.
func sampleClock() engine.Record {
	return engine.Record{ID: 4, Channel: bot.Channel{Chat: "telegram:-1001", Place: "7"}, Version: 2, Seed: "0000000000000003",
		Board: "hash1", Rules: "1 1x6 exact max/3 first 16", Acts: "open join ", Open: true, Told: 2, Entries: 2,
		Seats:    []engine.Sitter{{User: "telegram:7", Name: "Asha"}, {User: "telegram:6", Name: "Bilal"}},
		Barred:   []engine.Sitter{{User: "discord:9", Name: "Zoë 🐍 d'Ys"}, {Name: "forgotten"}},
		Deadline: sampleTime(50), Clock: "b 1790000050 away=1", Opened: sampleTime(10), Acted: sampleTime(20)}
}

func sampleHabits() []engine.Setting {
	return []engine.Setting{{Key: "autoroll", Value: "on", By: "discord:9", At: sampleTime(8)},
		{Key: "ping", Value: "off", By: "discord:9", At: sampleTime(9)}}
}

func buildClocks(t *testing.T, s *store.Store) {
	t.Helper()
	r := sampleClock()
	r.ID, r.Channel.Chat = 0, "telegram:-5"
	r.Barred, r.Deadline, r.Clock = nil, sampleTime(500), ""
	for range 2 {
		if err := s.Put(context.Background(), &r); err != nil {
			t.Fatal(err)
		}
		r.Barred, r.Deadline, r.Clock = sampleClock().Barred, sampleClock().Deadline, sampleClock().Clock
	}
	for _, h := range append(sampleHabits(), engine.Setting{Key: "gone", Value: "on"}, engine.Setting{Key: "gone"}) {
		if err := s.PutHabit(context.Background(), "discord:9", h); err != nil {
			t.Fatal(err)
		}
	}
}

// checkClocks finds the sample's match with a clock and the habits in a store.
func checkClocks(t *testing.T, s *store.Store) {
	t.Helper()
	want := sampleClock()
	if got, err := s.Match(context.Background(), want.ID); err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("match %d:\n got %+v, %v\nwant %+v", want.ID, got, err, want)
	}
	if got, err := s.Habits(context.Background(), "discord:9"); err != nil || !slices.Equal(got, sampleHabits()) {
		t.Errorf("habits: %+v, %v", got, err)
	}
}

// checkDue finds in a store what is due of the sample as it was in a version
// of the schema: the match that was set aside is not.
func checkDue(t *testing.T, s *store.Store, version int) {
	t.Helper()
	ctx := context.Background()
	want, next := []bot.Channel{{Chat: "telegram:-1001"}}, sampleTime(100)
	if version >= 3 {
		want, next = []bot.Channel{{Chat: "telegram:-1001", Place: "7"}, want[0]}, sampleTime(50)
	}
	adapters := []string{"discord", "telegram"}
	if got, err := s.Due(ctx, sampleTime(100), adapters, 10); err != nil || !slices.Equal(got, want) {
		t.Errorf("due: got %v, %v; want %v", got, err, want)
	}
	if got, err := s.NextDue(ctx, adapters); err != nil || !got.Equal(next) {
		t.Errorf("the next deadline: got %v, %v; want %v", got, err, next)
	}
}

// checkSample finds all of the sample in a store, whose next match has a
// certain number.
func checkSample(t *testing.T, s *store.Store, number int64) {
	t.Helper()
	ctx := context.Background()
	for _, want := range sample() {
		got, err := s.Match(ctx, want.ID)
		if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("match %d:\n got %+v, %v\nwant %+v", want.ID, got, err, want)
		}
	}
	for _, chat := range []bot.ChatID{"telegram:-5", "telegram:-1001"} {
		if r, err := s.Latest(ctx, bot.Channel{Chat: chat}); err != nil || r.ID != 2 {
			t.Errorf("Latest in %s: match %d, %v", chat, r.ID, err)
		}
		if b, err := s.ChatBoard(ctx, chat, "jungle"); err != nil || b != sampleBoard() {
			t.Errorf("ChatBoard: %+v, %v", b, err)
		}
		if set, err := s.Settings(ctx, chat); err != nil || !slices.Equal(set, []engine.Setting{sampleSetting()}) {
			t.Errorf("Settings: %+v, %v", set, err)
		}
	}
	if f, err := s.Board(ctx, "hash1"); err != nil || f != "name: classic\n" {
		t.Errorf("Board: %q, %v", f, err)
	}
	if v, err := s.Notes().Get("discord commands"); err != nil || !slices.Equal(v, []byte{1, 0, 255}) {
		t.Errorf("note: %v, %v", v, err)
	}
	if owed, err := s.Untold(ctx, 0, 10); err != nil || len(owed) != 1 || owed[0].ID != 2 {
		t.Errorf("Untold: %+v, %v", owed, err)
	}
	next := sample()[1]
	next.ID, next.Channel, next.Follows = 0, bot.Channel{Chat: "discord:4", Place: "77"}, 3
	if err := s.Put(ctx, &next); err != nil || next.ID != number {
		t.Errorf("the next match has number %d, %v; want %d", next.ID, err, number)
	}
}

func fixturePath(version int) string {
	return filepath.Join("testdata", fmt.Sprintf("v%d.sql", version))
}

// TestEveryVersionIsReadForEver opens a file of each version of the schema that
// there was, the newest included: a new step needs a new fixture (-fixture).
func TestEveryVersionIsReadForEver(t *testing.T) {
	if *fixture {
		path := file(t)
		s := open(t, path)
		build(t, s)
		if err := os.WriteFile(fixturePath(store.Newest()), []byte(dump(t, path)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fresh := file(t)
	s := open(t, fresh)
	build(t, s)
	checkDue(t, s, store.Newest())
	checkSample(t, s, 5)
	checkDrafts(t, s)
	checkClocks(t, s)
	for version := 1; version <= store.Newest(); version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			text, err := os.ReadFile(fixturePath(version))
			if err != nil {
				t.Fatalf("every version needs a fixture, written by -fixture when it was the newest: %v", err)
			}
			path := file(t)
			db := other(t, path)
			do(t, db, string(text))
			if got := number(t, db, "PRAGMA user_version"); got != version {
				t.Fatalf("the fixture is of version %d", got)
			}
			for range 2 { // the second time there's nothing to do
				s := open(t, path)
				if err := s.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := shape(t, db), shape(t, other(t, fresh)); got != want {
				t.Errorf("upgraded, the schema is\n%s\nwhile a new file's is\n%s", got, want)
			}
			s := open(t, path)
			checkDue(t, s, version)
			if version < 3 {
				checkSample(t, s, 4)
			} else {
				checkSample(t, s, 5)
				checkClocks(t, s)
			}
			if version >= 2 {
				checkDrafts(t, s)
			}
		})
	}
}

func TestANewerFileIsRefused(t *testing.T) {
	path := file(t)
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	db := other(t, path)
	do(t, db, fmt.Sprintf("PRAGMA user_version = %d", store.Newest()+3))
	_, err := store.Open(context.Background(), path)
	newer, ok := errors.AsType[*store.VersionError](err)
	if !ok || newer.Path != path || newer.File != store.Newest()+3 || newer.Known != store.Newest() {
		t.Fatalf("got error %v, want a *VersionError", err)
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("the error isn't one line: %q", err)
	}
	do(t, db, fmt.Sprintf("PRAGMA user_version = %d", store.Newest()))
	open(t, path)
}

func number(t *testing.T, db *sql.DB, query string) (n int) {
	t.Helper()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// lines returns the only column of a query.
func lines(t *testing.T, db *sql.DB, query string) (found []string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		found = append(found, line)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		t.Fatal(err)
	}
	return found
}

// shape is a file's schema, white space apart.
func shape(t *testing.T, db *sql.DB) string {
	t.Helper()
	var all []string
	for _, text := range lines(t, db, "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name") {
		all = append(all, strings.Join(strings.Fields(text), " "))
	}
	return strings.Join(all, "\n")
}

// dump writes a file as SQL.
func dump(t *testing.T, path string) string {
	t.Helper()
	db := other(t, path)
	var b strings.Builder
	fmt.Fprintf(&b, "PRAGMA application_id = %d;\nPRAGMA user_version = %d;\n",
		number(t, db, "PRAGMA application_id"), number(t, db, "PRAGMA user_version"))
	made := "FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, rowid"
	for _, text := range lines(t, db, "SELECT sql "+made) {
		b.WriteString(text + ";\n")
	}
	for _, table := range append(lines(t, db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid"), "") {
		if table == "" {
			break
		}
		columns := lines(t, db, "SELECT 'quote(' || name || ')' FROM pragma_table_info('"+table+"')")
		for _, row := range lines(t, db, "SELECT "+strings.Join(columns, " || ',' || ")+" FROM "+table) {
			fmt.Fprintf(&b, "INSERT INTO %s VALUES (%s);\n", table, row)
		}
	}
	return b.String()
}
