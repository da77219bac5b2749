package store

import (
	"context"
	"fmt"
	"net/url"

	"hiss/bot"
	"hiss/engine"
)

// WithQuery adds to the DSN of every connection.
func WithQuery(key, value string) Option {
	return func(o *options) { o.extra = url.Values{key: {value}} }
}

// Newest is the version of the schema.
func Newest() int { return len(steps()) }

// Ask has every connection answer a query of one value, the writer first. It
// takes all readers at once, so that none is asked twice.
func (s *Store) Ask(query string) (answers []any, err error) {
	ask := func(l *link) error {
		row, err := l.first(query)
		if err == nil {
			answers = append(answers, row[0])
		}
		return err
	}
	if err := s.write(context.Background(), ask); err != nil {
		return nil, err
	}
	var taken []*link
	for range s.all {
		l := <-s.readers
		taken = append(taken, l)
		if err = ask(l); err != nil {
			break
		}
	}
	for _, l := range taken {
		s.readers <- l
	}
	return answers, err
}

// Write has the writer run statements, in a transaction like any write.
func (s *Store) Write(statements ...string) error {
	return s.write(context.Background(), func(l *link) error {
		for _, text := range statements {
			if _, err := l.first(text); err != nil {
				return err
			}
		}
		return nil
	})
}

// Hold is a write that lasts until release is closed; it closes held when it
// has begun. What is written meanwhile joins its commit.
func (s *Store) Hold(held chan<- struct{}, release <-chan struct{}) error {
	return s.write(context.Background(), func(*link) error {
		close(held)
		<-release
		return nil
	})
}

// Waiting is how many writes are in the line.
func (s *Store) Waiting() int {
	s.writer.mu.Lock()
	defer s.writer.mu.Unlock()
	return len(s.writer.line)
}

// Stopping reports whether Close has been called.
func (s *Store) Stopping() bool {
	s.writer.mu.Lock()
	defer s.writer.mu.Unlock()
	return s.writer.stopped
}

// Queries are those that must take no longer in a large file than in a small.
func Queries() map[string]string {
	return map[string]string{
		"latest": latest, "byNumber": byNumber, "bySeed": bySeed, "finished": finished, "owed": untold, "due": due, "nextDue": nextDue, "habits": habits, "seated": seated,
		"sitting": sitting, "act": act, "turn": turn, "all": all, "draftByNumber": draftByNumber, "draftOf": draftOf,
	}
}

// PutChatBoard adds a board to a chat's library without a draft.
func (s *Store) PutChatBoard(ctx context.Context, chat bot.ChatID, b engine.ChatBoard) error {
	err := s.write(ctx, func(l *link) error {
		return l.whole(func() error { return l.putChatBoard(chat, b) })
	})
	if err != nil {
		return fmt.Errorf("adding board %s to %s: %w", b.Name, chat, err)
	}
	return nil
}
