package store

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"hiss/bot"
	"hiss/engine"
)

// Store is an open file. It implements engine.Store; all its methods are safe
// for concurrent use.
type Store struct {
	path     string
	readOnly bool
	writer   *writer
	readers  chan *link    // those at rest
	all      int           // how many readers there are
	closed   chan struct{} // closed by Close
	closing  sync.Once
	err      error // of closing
}

var (
	_ engine.Store = (*Store)(nil)
	_ bot.Notes    = Notes{}
)

// Option changes how a file is opened.
type Option func(*options)

type options struct {
	wait     time.Duration
	readers  int
	readOnly bool
	extra    url.Values
	steps    []string
}

// WithWait sets how long a write waits for the lock of another process before
// it fails; 10 seconds if not given.
func WithWait(d time.Duration) Option {
	return func(o *options) { o.wait = d }
}

// WithReaders sets how many connections read; 2 if not given. More don't make
// reading faster: they take the processor from the writer.
func WithReaders(n int) Option {
	return func(o *options) { o.readers = max(1, n) }
}

// ReadOnly opens a file for reading alone: it isn't made, it isn't brought up to
// date, and every write fails. The error of one that doesn't exist wraps
// fs.ErrNotExist; one of an older version is a *FileError, too. Other processes may
// have the file open, and write.
func ReadOnly() Option {
	return func(o *options) { o.readOnly = true }
}

// Open opens a file, making it if it doesn't exist, and brings its schema up
// to date. Its error is a *VersionError where the file is newer than this
// program, and a *FileError where it can't be used; both are one line that
// says what to do. Nothing has been changed then.
func Open(ctx context.Context, path string, opts ...Option) (*Store, error) {
	o := options{wait: 10 * time.Second, readers: 2, steps: steps()}
	for _, set := range opts {
		set(&o)
	}
	absolute, err := locate(path)
	if err != nil {
		return nil, err
	}
	if err := probe(ctx, path, absolute, o); err != nil {
		return nil, err
	}
	purpose := writing
	if o.readOnly {
		purpose = reading
	}
	write, err := connect(ctx, address(absolute, purpose, o.wait, o.extra))
	if err != nil {
		return nil, explain(path, err)
	}
	if !o.readOnly {
		if err := write.migrate(path, o.steps); err != nil {
			return nil, errors.Join(err, write.close())
		}
	}
	s := &Store{path: path, readOnly: o.readOnly, all: o.readers, readers: make(chan *link, o.readers), closed: make(chan struct{})}
	for range o.readers {
		read, err := connect(ctx, address(absolute, reading, o.wait, o.extra))
		if err != nil {
			return nil, errors.Join(explain(path, err), s.closeReaders(len(s.readers)), write.close())
		}
		s.readers <- read
	}
	s.writer = startWriter(write)
	return s, nil
}

// locate makes a path absolute and sees to it that its directory is there.
func locate(path string) (string, error) {
	if path == "" {
		return "", &FileError{Path: `""`, Problem: "is no file name"}
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("opening %s: %w", path, err)
	}
	directory := filepath.Dir(absolute)
	if info, err := os.Stat(directory); err != nil || !info.IsDir() {
		return "", &FileError{Path: path, Problem: "can't be made: there's no directory " + directory, Err: err}
	}
	return absolute, nil
}

// probe looks at an existing file before anything is changed in it.
func probe(ctx context.Context, path, absolute string, o options) error {
	info, err := os.Stat(absolute)
	if errors.Is(err, os.ErrNotExist) && !o.readOnly {
		return nil
	}
	if errors.Is(err, os.ErrNotExist) {
		return &FileError{Path: path, Problem: "doesn't exist", Err: err}
	}
	if err != nil || info.IsDir() {
		return &FileError{Path: path, Problem: "isn't a file that can be opened", Err: err}
	}
	l, err := connect(ctx, address(absolute, probing, o.wait, o.extra))
	if err != nil {
		return explain(path, err)
	}
	err = l.check(path, len(o.steps))
	if err == nil && o.readOnly {
		err = l.current(path, len(o.steps))
	}
	return errors.Join(err, l.close())
}

// Close takes no more writes, waits for those that were taken on, empties the
// write-ahead log into the file, unless that is open for reading alone, and closes it. Where another process holds the
// file locked, it gives up after a few times the wait of one write; the writes
// that were left over have failed then. Further calls return the same.
func (s *Store) Close() error {
	s.closing.Do(func() {
		close(s.closed)
		s.writer.stop()
		finish := s.writer.link.finish
		if s.readOnly {
			finish = s.writer.link.close
		}
		s.err = errors.Join(s.closeReaders(s.all), finish())
	})
	return s.err
}

// closeReaders waits for that many readers to come to rest, and closes them.
func (s *Store) closeReaders(n int) error {
	var errs []error
	for range n {
		errs = append(errs, (<-s.readers).close())
	}
	return errors.Join(errs...)
}

// finish empties the write-ahead log and closes the last connection. A log
// that another process still reads stays, and is emptied by whoever is last.
func (l *link) finish() error {
	_, err := l.first("PRAGMA wal_checkpoint(TRUNCATE)")
	return errors.Join(err, l.close())
}

// read runs f on a connection at rest, waiting for one if need be.
func (s *Store) read(ctx context.Context, f func(*link) error) error {
	select { // ctx first: with both ready the choice would be by chance
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closed:
		return ErrClosed
	default:
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closed:
		return ErrClosed
	case l := <-s.readers:
		defer func() { s.readers <- l }()
		return f(l)
	}
}

// write has f run by the writer, in a transaction, and waits until that is on
// disk. f must leave nothing half done when it returns a lonely error.
func (s *Store) write(ctx context.Context, f func(*link) error) error {
	return s.writer.do(ctx, f)
}
