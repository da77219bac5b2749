package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"

	"hiss/bot"
	"hiss/engine"
)

const (
	columns = `SELECT m.id, h.name, c.place, m.version, m.seed, b.hash, m.rules, m.acts, m.open, m.aside,
		m.deadline, m.told, m.entries, m.deliveries, m.opened, m.acted, m.clock`
	tables = ` JOIN channels c ON c.id = m.channel JOIN chats h ON h.id = c.chat JOIN boards b ON b.id = m.board`

	latest = columns + ` FROM chat_names n JOIN channels c ON c.chat = n.chat JOIN chats h ON h.id = n.chat
		JOIN matches m ON m.id = c.latest JOIN boards b ON b.id = m.board
		WHERE n.name = ? AND c.place = ?`
	byNumber = columns + ` FROM matches m` + tables + ` WHERE m.id = ?`
	bySeed   = columns + ` FROM matches m` + tables + ` WHERE m.seed = ? ORDER BY m.id DESC LIMIT 1`
	finished = columns + ` FROM matches m` + tables + ` WHERE m.id IN (
			SELECT o.id FROM chat_names n JOIN channels k ON k.chat = n.chat JOIN matches o ON o.channel = k.id
			WHERE n.name = ? AND o.open = 0 AND o.aside = 0 ORDER BY o.id DESC LIMIT ?)
		ORDER BY m.id DESC`
	untold = columns + ` FROM matches m INDEXED BY matches_owing CROSS` + tables + `
		WHERE m.aside = 0 AND m.owing = 1 AND m.id > ? ORDER BY m.id LIMIT ?`

	// A chat has few open matches: one a topic at most.
	seated = `SELECT h.name, c.place FROM chat_names n JOIN chats h ON h.id = n.chat
		JOIN channels c ON c.chat = n.chat JOIN matches m INDEXED BY matches_open ON m.channel = c.id AND m.open = 1
		WHERE n.name = ? AND EXISTS (SELECT 1 FROM seats s JOIN users u ON u.id = s.user WHERE s.match = m.id AND s.seat >= 0 AND u.name = ?)
		ORDER BY m.id`

	// The barred, last first, then the seats.
	sitting = `SELECT u.name, s.name, s.seat FROM seats s LEFT JOIN users u ON u.id = s.user WHERE s.match = ? ORDER BY s.seat`
)

// Latest returns a channel's latest match, see engine.Store. The record's chat
// is the present name of the one asked for.
func (s *Store) Latest(ctx context.Context, c bot.Channel) (engine.Record, error) {
	r, err := s.record(ctx, latest, string(c.Chat), c.Place)
	if err != nil {
		return r, fmt.Errorf("loading the latest match in %s: %w", c, err)
	}
	return r, nil
}

// Match returns a match by its number, see engine.Store.
func (s *Store) Match(ctx context.Context, id int64) (engine.Record, error) {
	r, err := s.record(ctx, byNumber, id)
	if err != nil {
		return r, fmt.Errorf("loading match %d: %w", id, err)
	}
	return r, nil
}

// BySeed returns the newest match of a seed, see engine.Store.
func (s *Store) BySeed(ctx context.Context, seed string) (engine.Record, error) {
	r, err := s.record(ctx, bySeed, seed)
	if err != nil {
		return r, fmt.Errorf("loading the match of a seed: %w", err) // the seed may be a secret
	}
	return r, nil
}

// Finished returns a chat's matches that are over, see engine.Store.
func (s *Store) Finished(ctx context.Context, chat bot.ChatID, limit int) ([]engine.Record, error) {
	rs, err := s.records(ctx, finished, string(chat), int64(max(0, limit)))
	if err != nil {
		return nil, fmt.Errorf("loading the finished matches of %s: %w", chat, err)
	}
	return rs, nil
}

// Untold returns matches whose channels must still be told something, see
// engine.Store. Those with a number above after are returned, and none that
// were set aside.
func (s *Store) Untold(ctx context.Context, after int64, limit int) ([]engine.Record, error) {
	rs, err := s.records(ctx, untold, after, int64(max(0, limit)))
	if err != nil {
		return nil, fmt.Errorf("loading what hasn't been told: %w", err)
	}
	return rs, nil
}

// Seated returns where in a chat somebody sits, see engine.Store.
func (s *Store) Seated(ctx context.Context, chat bot.ChatID, user bot.UserID) (all []bot.Channel, err error) {
	err = s.read(ctx, func(l *link) error {
		return l.query(seated, args(string(chat), string(user)), func(row []driver.Value) error {
			all = append(all, bot.Channel{Chat: bot.ChatID(text(row[0])), Place: text(row[1])})
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("looking for seats in %s: %w", chat, err)
	}
	return all, nil
}

func (s *Store) record(ctx context.Context, query string, values ...driver.Value) (engine.Record, error) {
	rs, err := s.records(ctx, query, values...)
	if err != nil {
		return engine.Record{}, err
	}
	if len(rs) == 0 {
		return engine.Record{}, engine.ErrNotFound
	}
	return rs[0], nil
}

func (s *Store) records(ctx context.Context, query string, values ...driver.Value) (rs []engine.Record, err error) {
	err = s.read(ctx, func(l *link) error {
		return l.query(query, args(values...), func(row []driver.Value) error {
			r := unrow(row)
			// Asked while the row is still held, so that no write comes between.
			err := l.sitters(&r)
			rs = append(rs, r)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return rs, nil
}

// unrow reads what columns names.
func unrow(v []driver.Value) engine.Record {
	return engine.Record{
		ID:         integer(v[0]),
		Channel:    bot.Channel{Chat: bot.ChatID(text(v[1])), Place: text(v[2])},
		Version:    int(integer(v[3])),
		Seed:       text(v[4]),
		Board:      text(v[5]),
		Rules:      text(v[6]),
		Acts:       text(v[7]),
		Open:       integer(v[8]) != 0,
		Aside:      integer(v[9]) != 0,
		Deadline:   fromMoment(v[10]),
		Told:       int(integer(v[11])),
		Entries:    int(integer(v[12])),
		Deliveries: unpack(blob(v[13])),
		Opened:     fromSeconds(integer(v[14])),
		Acted:      fromSeconds(integer(v[15])),
		Clock:      text(v[16]),
	}
}

// sitters sets the record's Seats and Barred.
func (l *link) sitters(r *engine.Record) error {
	err := l.query(sitting, args(r.ID), func(row []driver.Value) error {
		s := engine.Sitter{User: bot.UserID(text(row[0])), Name: text(row[1])}
		if integer(row[2]) < 0 {
			r.Barred = append(r.Barred, s)
		} else {
			r.Seats = append(r.Seats, s)
		}
		return nil
	})
	slices.Reverse(r.Barred)
	return err
}
