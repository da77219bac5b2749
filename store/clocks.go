package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"time"

	"hiss/bot"
)

// The clock asks of one adapter after the other: over several at once, SQLite
// would sort all that are due before it took the first.
const (
	due = `SELECT m.deadline, m.id, h.name, c.place FROM matches m INDEXED BY matches_due
		CROSS JOIN channels c ON c.id = m.channel JOIN chats h ON h.id = c.chat
		WHERE m.open = 1 AND m.adapter = ? AND m.deadline <= ? ORDER BY m.deadline, m.id LIMIT ?`
	nextDue = `SELECT m.deadline FROM matches m INDEXED BY matches_due
		WHERE m.open = 1 AND m.adapter = ? AND m.deadline IS NOT NULL ORDER BY m.deadline LIMIT 1`
)

// late is a match that is due.
type late struct {
	deadline, match int64
	channel         bot.Channel
}

// Due returns where the clock has to act, see engine.Store. Of equal deadlines
// that of the match with the lower number goes first.
func (s *Store) Due(ctx context.Context, before time.Time, adapters []string, limit int) ([]bot.Channel, error) {
	limit = max(0, limit)
	var found []late
	err := s.read(ctx, func(l *link) error {
		for _, a := range each(adapters) {
			err := l.query(due, args(a, before.Unix(), int64(limit)), func(row []driver.Value) error {
				c := bot.Channel{Chat: bot.ChatID(text(row[2])), Place: text(row[3])}
				found = append(found, late{integer(row[0]), integer(row[1]), c})
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("looking for what is due: %w", err)
	}
	slices.SortFunc(found, func(a, b late) int {
		return cmp.Or(cmp.Compare(a.deadline, b.deadline), cmp.Compare(a.match, b.match))
	})
	var channels []bot.Channel
	for _, f := range found[:min(limit, len(found))] {
		channels = append(channels, f.channel)
	}
	return channels, nil
}

// NextDue returns when the clock has to act next, see engine.Store.
func (s *Store) NextDue(ctx context.Context, adapters []string) (next time.Time, err error) {
	err = s.read(ctx, func(l *link) error {
		for _, a := range each(adapters) {
			row, err := l.first(nextDue, a)
			if err != nil {
				return err
			}
			if row == nil {
				continue
			}
			if t := fromSeconds(integer(row[0])); next.IsZero() || t.Before(next) {
				next = t
			}
		}
		return nil
	})
	if err != nil {
		return time.Time{}, fmt.Errorf("looking for the next deadline: %w", err)
	}
	return next, nil
}

// each returns every name once.
func each(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}
