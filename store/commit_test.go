package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"hiss/bot"
	"hiss/engine"
	"hiss/store"
)

// line is a store whose writer is held in a transaction, so that what is
// written goes into that one too once it's released.
type line struct {
	*store.Store
	held    chan error
	release chan struct{}
	waiting int
	results []chan error
}

func hold(t *testing.T, s *store.Store) *line {
	t.Helper()
	l := &line{Store: s, held: make(chan error, 1), release: make(chan struct{})}
	begun := make(chan struct{})
	go func() { l.held <- s.Hold(begun, l.release) }()
	<-begun
	return l
}

// write starts a write and returns when it stands in the line.
func (l *line) write(f func() error) {
	result := make(chan error, 1)
	go func() { result <- f() }()
	l.waiting++
	for l.Waiting() < l.waiting {
		runtime.Gosched()
	}
	l.results = append(l.results, result)
}

func (l *line) put(r *engine.Record) {
	l.write(func() error { return l.Put(context.Background(), r) })
}

// goes releases the line and returns what became of each write, that which
// held it left out.
func (l *line) goes() (errs []error) {
	close(l.release)
	<-l.held
	for _, result := range l.results {
		errs = append(errs, <-result)
	}
	return errs
}

// matches opens matches in so many channels.
func matches(t *testing.T, s *store.Store, n int) []engine.Record {
	t.Helper()
	records := make([]engine.Record, n)
	for i := range records {
		records[i] = benchRecord(i)
		records[i].Acts = "open "
		if err := s.Put(context.Background(), &records[i]); err != nil {
			t.Fatal(err)
		}
	}
	return records
}

func kept(t *testing.T, s *store.Store, id int64) engine.Record {
	t.Helper()
	r, err := s.Match(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestAConflictFailsAloneInASharedCommit(t *testing.T) {
	s := open(t, file(t))
	r := matches(t, s, 4)
	stale, rival := r[1], benchRecord(2)
	stale.Version = 7
	stale.Seats = nil
	rival.Follows = r[2].ID
	decided, taken, free := draft(t, s, "jungle", 1), draft(t, s, "Jungle", 2), draft(t, s, "alps", 3)
	if _, err := s.Decide(context.Background(), "fake:1", decided, engine.Decision{Verdict: engine.Approved, Most: 9}); err != nil {
		t.Fatal(err)
	}
	for i := range r {
		r[i].Acts += "a4 "
	}
	l := hold(t, s)
	l.put(&r[0])
	l.put(&stale)
	l.put(&r[1])
	l.put(&rival)
	l.write(func() error { return s.Tell(context.Background(), 999, 1) })
	l.write(func() error { return s.Move(context.Background(), r[0].Channel.Chat, "telegram:new") })
	for _, d := range []struct {
		id   int64
		most int
	}{{taken, 9}, {free, 1}, {decided, 9}} {
		l.write(func() error {
			_, err := s.Decide(context.Background(), "fake:1", d.id, engine.Decision{Verdict: engine.Approved, Most: d.most})
			return err
		})
	}
	l.put(&r[2])
	errs := l.goes()
	for i, want := range []error{nil, engine.ErrConflict, nil, engine.ErrConflict, engine.ErrNotFound, nil,
		engine.ErrTaken, engine.ErrFull, engine.ErrDecided, nil} {
		if !errors.Is(errs[i], want) {
			t.Errorf("write %d: got error %v, want %v", i, errs[i], want)
		}
	}
	for _, want := range r[:3] {
		if got := kept(t, s, want.ID); got.Acts != "open a4 " || got.Version != 2 || len(got.Seats) != 4 {
			t.Errorf("match %d is %+v", want.ID, got)
		}
	}
}

func TestAFailedCommitFailsForAllAndLeavesNothing(t *testing.T) {
	s := open(t, file(t))
	r := matches(t, s, 3)
	for i := range r {
		r[i].Acts += "a4 "
	}
	opened := benchRecord(9)
	l := hold(t, s)
	l.put(&r[0])
	l.write(func() error { // is found out by COMMIT itself
		return s.Write("PRAGMA defer_foreign_keys = ON", "INSERT INTO channels (chat, place) VALUES (999, '')")
	})
	l.put(&r[1])
	l.put(&opened)
	for i, err := range l.goes() {
		if err == nil || !errors.Is(err, engine.ErrNotWritten) {
			t.Errorf("write %d: got error %v, want ErrNotWritten", i, err)
		}
	}
	for i := range r {
		if got := kept(t, s, r[i].ID); got.Acts != "open " || got.Version != 1 || r[i].Version != 1 {
			t.Errorf("match %d is %+v", r[i].ID, got)
		}
		if err := s.Put(context.Background(), &r[i]); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	}
	if _, err := s.Latest(context.Background(), opened.Channel); !errors.Is(err, engine.ErrNotFound) || opened.ID != 0 {
		t.Errorf("the match that wasn't opened has number %d, %v", opened.ID, err)
	}
}

func TestAFullDisk(t *testing.T) {
	s := open(t, file(t))
	r := matches(t, s, 3)
	pages, err := s.Ask("PRAGMA page_count")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(fmt.Sprintf("PRAGMA max_page_count = %d", pages[0])); err != nil {
		t.Fatal(err)
	}
	small, large := r[0], r[1]
	small.Acts += "a4 "
	large.Acts += strings.Repeat("a4 ", 10_000)
	l := hold(t, s)
	l.put(&small)
	l.put(&large)
	for i, err := range l.goes() {
		if !errors.Is(err, engine.ErrNotWritten) {
			t.Errorf("write %d: got error %v, want ErrNotWritten", i, err)
		}
	}
	if got := kept(t, s, small.ID); got.Acts != "open " {
		t.Errorf("something was written: %q", got.Acts)
	}
	if err := s.Put(context.Background(), &small); err != nil {
		t.Errorf("what needs no space: %v", err)
	}
	if err := s.Write("PRAGMA max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	if err := s.Put(context.Background(), &large); err != nil {
		t.Errorf("with space again: %v", err)
	}
	if got := kept(t, s, large.ID); got.Acts != large.Acts || got.Version != 2 {
		t.Errorf("kept %d bytes in version %d", len(got.Acts), got.Version)
	}
}

// lock takes the write lock as another process would, and returns what gives
// it back.
func lock(t *testing.T, path string) func() {
	t.Helper()
	db := other(t, path)
	do(t, db, "BEGIN IMMEDIATE")
	return func() {
		t.Helper()
		do(t, db, "ROLLBACK")
	}
}

func TestAnActWaitsForAnotherProcess(t *testing.T) {
	path := file(t)
	s := open(t, path)
	r := matches(t, s, 1)[0]
	release := lock(t, path)
	done := make(chan error)
	go func() {
		r.Acts += "a4 "
		done <- s.Put(context.Background(), &r)
	}()
	select {
	case err := <-done:
		t.Fatalf("the act didn't wait: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	if _, err := s.Latest(context.Background(), r.Channel); err != nil {
		t.Errorf("reading doesn't wait: %v", err)
	}
	release()
	if err := <-done; err != nil {
		t.Errorf("the act waited in vain: %v", err)
	}
}

func TestAnActWaitsOnlySoLong(t *testing.T) {
	path := file(t)
	s := open(t, path, store.WithWait(20*time.Millisecond))
	r := matches(t, s, 1)[0]
	release := lock(t, path)
	if err := s.Put(context.Background(), &r); !errors.Is(err, engine.ErrNotWritten) {
		t.Errorf("got error %v, want ErrNotWritten", err)
	}
	release()
	if err := s.Put(context.Background(), &r); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestOpeningALockedFile(t *testing.T) {
	path := file(t)
	other := lock(t, path)
	_, err := store.Open(context.Background(), path, store.WithWait(20*time.Millisecond))
	if _, ok := errors.AsType[*store.FileError](err); !ok {
		t.Errorf("got error %v, want a *FileError", err)
	}
	other()
	open(t, path)
}

func TestClosingWaitsForWhatWasWritten(t *testing.T) {
	path := file(t)
	s := open(t, path)
	r := matches(t, s, 20)
	l := hold(t, s)
	for i := range r {
		r[i].Acts += "a4 "
		l.put(&r[i])
	}
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	select {
	case err := <-closed:
		t.Fatalf("closed with writes waiting: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	for i, err := range l.goes() {
		if err != nil {
			t.Errorf("write %d: %v", i, err)
		}
	}
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("closing twice: %v", err)
	}
	if err := s.Put(context.Background(), &r[0]); !errors.Is(err, store.ErrClosed) || !errors.Is(err, engine.ErrNotWritten) {
		t.Errorf("Put after Close: %v", err)
	}
	if _, err := s.Match(context.Background(), 1); !errors.Is(err, store.ErrClosed) {
		t.Errorf("Match after Close: %v", err)
	}
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		t.Errorf("the log holds %d bytes", info.Size())
	}
	again := open(t, path)
	for i := range r {
		if got := kept(t, again, r[i].ID); got.Acts != "open a4 " {
			t.Errorf("match %d: %q", r[i].ID, got.Acts)
		}
	}
}

func TestClosingALockedFileComesToAnEnd(t *testing.T) {
	path := file(t)
	s := open(t, path, store.WithWait(20*time.Millisecond))
	release := lock(t, path)
	defer release()
	const writes = 600 // three commits' worth
	results := make(chan error)
	for range writes {
		go func() { results <- s.Notes().Put("key", nil) }()
	}
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	for range writes {
		if err := <-results; !errors.Is(err, engine.ErrNotWritten) {
			t.Errorf("got error %v, want ErrNotWritten", err)
		}
	}
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
}

// TestClosingGivesUpAfterAFailure: when Close waits and the file can't be
// written, those behind aren't made to wait for their own failure.
func TestClosingGivesUpAfterAFailure(t *testing.T) {
	s := open(t, file(t))
	l := hold(t, s)
	const behind = 44
	l.write(func() error { return s.Write("this fails the transaction") })
	for range 254 + behind { // besides these and the one that holds
		l.write(func() error { return s.Notes().Put("key", nil) })
	}
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	for !s.Stopping() {
		runtime.Gosched()
	}
	refused := 0
	for i, err := range l.goes() {
		if !errors.Is(err, engine.ErrNotWritten) {
			t.Errorf("write %d: got error %v, want ErrNotWritten", i, err)
		}
		if errors.Is(err, store.ErrClosed) {
			refused++
		}
	}
	if refused != behind {
		t.Errorf("%d writes were given up, want %d", refused, behind)
	}
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
}

func TestAFailureIsNoneOfThoseBehind(t *testing.T) {
	s := open(t, file(t))
	l := hold(t, s)
	l.write(func() error { return s.Write("this fails the transaction") })
	for range 300 {
		l.write(func() error { return s.Notes().Put("key", nil) })
	}
	for i, err := range l.goes() {
		if failed := i < 255; failed != (err != nil) {
			t.Errorf("write %d: got error %v", i, err)
		}
	}
}

// TestAWriteHoldsTheLockFromItsBeginning: one that began by reading couldn't
// write any more once another process had.
func TestAWriteHoldsTheLockFromItsBeginning(t *testing.T) {
	path := file(t)
	s := open(t, path)
	db := other(t, path)
	l := hold(t, s)
	_, err := db.Exec("INSERT INTO notes VALUES ('key', x'00')")
	if fault, ok := errors.AsType[*sqlite.Error](err); !ok || fault.Code() != sqlite3.SQLITE_BUSY {
		t.Errorf("another process could write: %v", err)
	}
	l.goes()
}

func TestClosingEmptiesTheLogWhileOthersLook(t *testing.T) {
	path := file(t)
	s := open(t, path)
	matches(t, s, 3)
	if n := number(t, other(t, path), "SELECT count(*) FROM matches"); n != 3 {
		t.Fatalf("somebody else sees %d matches", n)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() > 0 {
		t.Errorf("the log: %+v, %v", info, err)
	}
}

func TestACallerWhoseContextEnds(t *testing.T) {
	s := open(t, file(t))
	r := matches(t, s, 1)[0]
	given := r
	given.Acts += "a4 "
	l := hold(t, s)
	ctx, cancel := context.WithCancel(context.Background())
	l.write(func() error { return s.Put(ctx, &given) })
	cancel()
	if err := <-l.results[0]; !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want that of the context", err)
	}
	l.results = nil
	given.Seats[0].Name, given.Acts = "changed by a caller who doesn't wait any more", ""
	l.goes()
	got := kept(t, s, r.ID)
	if got.Acts != "open " && got.Acts != "open a4 " || got.Seats[0].Name != "Asha" {
		t.Errorf("kept %+v", got)
	}
	if err := s.Put(context.Background(), &got); err != nil {
		t.Error(err)
	}
}

func TestReadersAreBounded(t *testing.T) {
	s := open(t, file(t), store.WithReaders(1))
	r := matches(t, s, 1)[0]
	results := make(chan error)
	for range 50 {
		go func() {
			_, err := s.Latest(context.Background(), r.Channel)
			results <- err
		}()
	}
	for range 50 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
}

// TestBytesThatAreNoText: names come from platforms as they like.
func TestBytesThatAreNoText(t *testing.T) {
	s := open(t, file(t))
	r := benchRecord(0)
	r.Channel = bot.Channel{Chat: "fake:\xff", Place: "\x80"}
	r.Seats = []engine.Sitter{{User: "fake:\xc3\x28", Name: "\xed\xa0\x80"}}
	if err := s.Put(context.Background(), &r); err != nil {
		t.Fatal(err)
	}
	got, err := s.Latest(context.Background(), r.Channel)
	if err != nil || got.Channel != r.Channel || got.Seats[0] != r.Seats[0] {
		t.Errorf("got %+v, %v", got, err)
	}
}
