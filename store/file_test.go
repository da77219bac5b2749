package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hiss/engine"
	"hiss/store"
)

// other is a connection of somebody else to a file.
func other(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func do(t testing.TB, db *sql.DB, statements ...string) {
	t.Helper()
	for _, text := range statements {
		if _, err := db.Exec(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

func TestEveryConnectionHasTheSettings(t *testing.T) {
	s := open(t, file(t), store.WithReaders(4))
	for query, want := range map[string][]any{
		"PRAGMA journal_mode": {"wal", "wal", "wal", "wal", "wal"},
		"PRAGMA synchronous":  {int64(2), int64(2), int64(2), int64(2), int64(2)},
		"PRAGMA foreign_keys": {int64(1), int64(1), int64(1), int64(1), int64(1)},
		"PRAGMA busy_timeout": {int64(10000), int64(10000), int64(10000), int64(10000), int64(10000)},
		"PRAGMA query_only":   {int64(0), int64(1), int64(1), int64(1), int64(1)},
	} {
		got, err := s.Ask(query)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, %v; want %v", query, got, err, want)
		}
	}
	tables, err := s.Ask("SELECT group_concat(name) FROM pragma_table_list WHERE strict = 0 AND name NOT LIKE 'sqlite%'")
	if err != nil || tables[0] != nil {
		t.Errorf("tables that aren't STRICT: %v, %v", tables[0], err)
	}
}

func TestNoQueryWalksThroughAllMatches(t *testing.T) {
	path := file(t)
	open(t, path)
	db := other(t, path)
	for name, query := range store.Queries() {
		rows, err := db.Query("EXPLAIN QUERY PLAN "+query, make([]any, strings.Count(query, "?"))...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			// What finds nothing by its index is scanned: m, matches, s, seats …
			if strings.HasPrefix(detail, "SCAN") {
				t.Errorf("%s: %s", name, detail)
			}
			// What is due comes in the order of its index: to sort it, all had
			// to be read.
			if strings.Contains(strings.ToLower(name), "due") && strings.Contains(detail, "TEMP B-TREE") {
				t.Errorf("%s: %s", name, detail)
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAPlainActWritesOneIndex counts the b-trees that statements may write.
func TestAPlainActWritesOneIndex(t *testing.T) {
	path := file(t)
	open(t, path)
	db := other(t, path)
	for name, want := range map[string]int{"act": 2, "turn": 3} {
		var got int
		query := store.Queries()[name]
		rows, err := db.Query("EXPLAIN "+query, make([]any, strings.Count(query, "?"))...)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var opcode string
			var rest [7]any
			if err := rows.Scan(&rest[0], &opcode, &rest[1], &rest[2], &rest[3], &rest[4], &rest[5], &rest[6]); err != nil {
				t.Fatal(err)
			}
			if opcode == "OpenWrite" {
				got++
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil || got != want {
			t.Errorf("%s writes %d b-trees, want the table and %d indexes (%v)", name, got, want-1, err)
		}
	}
}

func TestFilesThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := filepath.Join(dir, "good.db")
	if err := open(t, good).Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(dir, "foreign.db")
	do(t, other(t, foreign), "CREATE TABLE bookmarks (url TEXT)")
	for name, c := range map[string]struct {
		path string
		opts []store.Option
	}{
		"text":                 {path: write("notes.txt", bytes.Repeat([]byte("not a database\n"), 500))},
		"short text":           {path: write("short.txt", []byte("no"))},
		"cut":                  {path: write("cut.db", whole[:len(whole)/2+100])},
		"damaged":              {path: write("damaged.db", append(append(bytes.Clone(whole[:100]), bytes.Repeat([]byte{0xA5}, 4000)...), whole[4100:]...))},
		"no directory":         {path: filepath.Join(dir, "none", "hiss.db")},
		"a file for directory": {path: filepath.Join(good, "hiss.db")},
		"a directory":          {path: dir},
		"no name":              {path: ""},
		"another program's":    {path: foreign},
		"read-only":            {path: good, opts: []store.Option{store.WithQuery("mode", "ro")}},
		"read-only and new":    {path: filepath.Join(dir, "new.db"), opts: []store.Option{store.WithQuery("mode", "ro")}},
	} {
		before, _ := os.ReadFile(c.path)
		s, err := store.Open(context.Background(), c.path, c.opts...)
		if err == nil {
			t.Errorf("%s: opened", name)
			_ = s.Close()
			continue
		}
		fault, ok := errors.AsType[*store.FileError](err)
		if !ok || fault.Path != c.path && c.path != "" || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got error %q, want a *FileError of one line", name, err)
		}
		if after, _ := os.ReadFile(c.path); !bytes.Equal(before, after) {
			t.Errorf("%s: the file was changed", name)
		}
		t.Logf("%s: %v", name, err)
	}
}

func TestAnEmptyFileIsANewOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b?c=%d&e#f'é.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := benchRecord(0)
	if err := open(t, path).Put(context.Background(), &r); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Errorf("the file is another one: %v", err)
	}
}

func TestOpeningWithAnEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	path := file(t)
	if _, err := store.Open(ctx, path); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want that of the context", err)
	}
}

// TestReadOnly reads a file that another store writes meanwhile, and a copy that
// nobody does. Nothing is made or changed by that, and older files are refused.
func TestReadOnly(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	missing := filepath.Join(dir, "missing.db")
	for _, path := range []string{missing, filepath.Join(dir, "none", "hiss.db")} {
		if _, err := store.Open(ctx, path, store.ReadOnly()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got error %v", path, err)
		}
	}
	live, still, old, empty := filepath.Join(dir, "live.db"), filepath.Join(dir, "still.db"), filepath.Join(dir, "old.db"), filepath.Join(dir, "empty.db")
	r := benchRecord(0)
	if err := open(t, live).Put(ctx, &r); err != nil {
		t.Fatal(err)
	}
	do(t, other(t, live), "VACUUM INTO '"+still+"'", "VACUUM INTO '"+old+"'")
	do(t, other(t, old), "PRAGMA user_version = 1")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(still)
	for _, path := range []string{live, still} {
		s := open(t, path, store.ReadOnly())
		if got, err := s.BySeed(ctx, r.Seed); err != nil || got.ID != r.ID {
			t.Errorf("%s: got match %d, %v", path, got.ID, err)
		}
		another := benchRecord(1)
		if err := s.Put(ctx, &another); !errors.Is(err, engine.ErrNotWritten) {
			t.Errorf("%s: written, %v", path, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if after, _ := os.ReadFile(still); !bytes.Equal(before, after) {
		t.Error("the copy was changed")
	}
	for path, want := range map[string]string{old: "older Hiss", empty: "no matches yet"} {
		_, err := store.Open(ctx, path, store.ReadOnly())
		if fault, ok := errors.AsType[*store.FileError](err); !ok || !strings.Contains(fault.Error(), want) {
			t.Errorf("%s: got error %v", path, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "[mseo]*")); len(left) != 3 {
		t.Errorf("it left %q", left)
	}
}
