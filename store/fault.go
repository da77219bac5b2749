package store

import (
	"errors"
	"fmt"
	"slices"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"hiss/engine"
)

// ErrClosed is what every method returns after Close, of writes wrapped with
// engine.ErrNotWritten.
var ErrClosed = errors.New("the store is closed")

// VersionError says that the file was written by a newer Hiss. Nothing was
// changed in it.
type VersionError struct {
	Path        string
	File, Known int // the file's version, and the newest that this program knows
}

// Error says what to do.
func (e *VersionError) Error() string {
	return fmt.Sprintf("%s was written by a newer Hiss (version %d of the file; this program knows up to %d): "+
		"start the newer program again, or put back the copy made before the upgrade", e.Path, e.File, e.Known)
}

// FileError says in one line why a file can't be used, and what to do.
type FileError struct {
	Path    string
	Problem string
	Err     error // what SQLite or the system said, if anything
}

// Error is the line.
func (e *FileError) Error() string { return e.Path + " " + e.Problem }

// Unwrap returns what SQLite or the system said.
func (e *FileError) Unwrap() error { return e.Err }

const notWritable = "can't be written; check the rights of the file and of its directory"

// code returns SQLite's extended result code, 0 if the error isn't SQLite's.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code()
	}
	return 0
}

// explain turns what SQLite says about a file that is being opened into a line
// for whoever runs the bot.
func explain(path string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*VersionError](err); ok {
		return e
	}
	if e, ok := errors.AsType[*FileError](err); ok {
		return e
	}
	problem := ""
	switch code(err) & 0xff {
	case sqlite3.SQLITE_NOTADB:
		problem = "isn't an SQLite file; name another, or move it away"
	case sqlite3.SQLITE_CANTOPEN:
		problem = "can't be opened; check that it's a file and whose it is"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		problem = notWritable
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		problem = "is locked by another process; stop that one first"
	case sqlite3.SQLITE_CORRUPT:
		problem = "is damaged; put back a copy"
	case sqlite3.SQLITE_FULL:
		problem = "can't grow: the disk is full"
	default:
		return fmt.Errorf("opening %s: %w", path, err)
	}
	return &FileError{Path: path, Problem: problem, Err: err}
}

// answers reports whether an error is what the store found rather than a
// failure of it, so that nothing was to be written.
func answers(err error) bool {
	is := func(target error) bool { return errors.Is(err, target) }
	return slices.ContainsFunc([]error{engine.ErrConflict, engine.ErrNotFound, engine.ErrDecided, engine.ErrTaken, engine.ErrFull}, is)
}

// lonely reports whether an error concerns one write alone, whose statements
// have been undone, so that the transaction can go on without it.
func lonely(err error) bool {
	if answers(err) {
		return true
	}
	switch code(err) & 0xff {
	case sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH:
		return true
	}
	return false
}

// refused reports whether an error of COMMIT says that nothing was committed.
// After any other, such as one of writing or flushing, the disk may hold it.
func refused(err error) bool {
	switch code(err) & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CONSTRAINT:
		return true
	}
	return false
}

// notWritten says of an error that nothing was written, unless it does already.
func notWritten(err error) error {
	if answers(err) || errors.Is(err, engine.ErrNotWritten) {
		return err
	}
	return fmt.Errorf("%w: %w", engine.ErrNotWritten, err)
}

// unique reports whether an error says that a unique index let nothing in.
func unique(err error) bool {
	return code(err) == sqlite3.SQLITE_CONSTRAINT_UNIQUE
}
