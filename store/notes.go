package store

import (
	"context"
	"fmt"
)

// Notes are what adapters keep in the file. They implement bot.Notes.
type Notes struct{ store *Store }

// Notes returns the store's notes. They are usable until Close.
func (s *Store) Notes() Notes { return Notes{s} }

// Get returns a copy of what was put under a key, nil if nothing was.
func (n Notes) Get(key string) (value []byte, err error) {
	err = n.store.read(context.Background(), func(l *link) error {
		row, err := l.first("SELECT value FROM notes WHERE key = ?", key)
		if row != nil {
			value = blob(row[0])
			if value == nil {
				value = []byte{} // put, and empty
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading note %s: %w", key, err)
	}
	return value, nil
}

// Put keeps a value under a key, in place of the one before. It is on disk
// when Put returns. The empty value is kept too, and nil as the empty value.
func (n Notes) Put(key string, value []byte) error {
	value = append([]byte{}, value...)
	err := n.store.write(context.Background(), func(l *link) error {
		return l.run("INSERT OR REPLACE INTO notes (key, value) VALUES (?, ?)", key, value)
	})
	if err != nil {
		return fmt.Errorf("writing note %s: %w", key, err)
	}
	return nil
}
