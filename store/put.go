package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"

	"hiss/bot"
	"hiss/engine"
)

// A plain act is one of two statements: act leaves owing as it is, and so
// doesn't touch its index; turn is for when that changes. Told never goes
// down: what a channel has been told while the act was decided stays told.
// (Parameters have numbers only where they're needed twice: the driver looks
// each of those up by its name.)
const (
	act  = acting + where + ` AND owing = (told < ?2 AND ?1 < ?2)`
	turn = acting + `, owing = (told < ?2 AND ?1 < ?2)` + where

	acting = `UPDATE matches SET version = version + 1, told = iif(told > ?1, told, ?1), entries = ?2, deadline = ?, acted = ?,
		deliveries = ?, acts = ?, clock = ?`
	where = ` WHERE id = ? AND version = ? AND frame = ?`

	// all writes what acts leave as it is, too.
	all = acting + `, owing = (told < ?2 AND ?1 < ?2), frame = ?10, open = ?11, aside = ?12, opened = ?13, board = ?14,
		seed = ?15, rules = ?16, adapter = iif(?11, ` + adapter + `matches.channel), '') WHERE id = ?8 AND version = ?9`

	// adapter is the start of a query for the adapter of a channel. A match
	// has it while it's open, see withClocks.
	adapter = `(SELECT substr(h.name, 1, instr(h.name, ':') - 1) FROM channels c JOIN chats h ON h.id = c.chat WHERE c.id = `
)

// Put writes a record, see engine.Store. When it opens a match it sets
// r.Deliveries too, to what it took over and r's own. A change of a match that
// doesn't exist is a conflict.
func (s *Store) Put(ctx context.Context, r *engine.Record) error {
	if r.ID == 0 {
		return s.open(ctx, r)
	}
	// The writer may still be at it when a ctx that ended has brought the
	// caller back, so it works on a copy.
	c := *r
	c.Seats, c.Barred, c.Deliveries = slices.Clone(r.Seats), slices.Clone(r.Barred), nil
	values := args(int64(r.Told), int64(r.Entries), moment(r.Deadline), r.Acted.Unix(), pack(r.Deliveries), r.Acts, r.Clock,
		r.ID, int64(r.Version), frame(r))
	err := s.write(ctx, func(l *link) error {
		if n, err := l.exec(act, values); err != nil || n == 1 {
			return err
		}
		if n, err := l.exec(turn, values); err != nil || n == 1 {
			return err
		}
		return l.whole(func() error { return l.rewrite(&c, values) })
	})
	if err != nil {
		return fmt.Errorf("writing match %d: %w", r.ID, err)
	}
	r.Version++
	return nil
}

// rewrite writes all of a record, because more than a plain act changed or
// because its version isn't the row's. The values are those of the act.
func (l *link) rewrite(r *engine.Record, values []driver.NamedValue) error {
	board, err := l.board(r.Board)
	if err != nil {
		return err
	}
	for _, v := range []driver.Value{flag(r.Open), flag(r.Aside), r.Opened.Unix(), board, r.Seed, r.Rules} {
		values = append(values, driver.NamedValue{Ordinal: len(values) + 1, Value: v})
	}
	n, err := l.exec(all, values)
	if unique(err) || err == nil && n == 0 {
		return engine.ErrConflict
	}
	if err != nil {
		return err
	}
	if err := l.run("DELETE FROM seats WHERE match = ?", r.ID); err != nil {
		return err
	}
	return l.seat(r)
}

// seat writes who sits in a match that has no seats yet, and below them who was
// barred from it.
func (l *link) seat(r *engine.Record) error {
	for i, sitter := range r.Seats {
		if err := l.sit(r.ID, int64(i), sitter); err != nil {
			return err
		}
	}
	for i, sitter := range r.Barred {
		if err := l.sit(r.ID, int64(-1-i), sitter); err != nil {
			return err
		}
	}
	return nil
}

func (l *link) sit(match, seat int64, s engine.Sitter) error {
	user, err := l.user(s.User)
	if err != nil {
		return err
	}
	return l.run("INSERT INTO seats (match, seat, user, name) VALUES (?, ?, ?, ?)", match, seat, user, s.Name)
}

// open writes a new match.
func (s *Store) open(ctx context.Context, r *engine.Record) error {
	c := *r
	c.Seats, c.Barred, c.Deliveries = slices.Clone(r.Seats), slices.Clone(r.Barred), slices.Clone(r.Deliveries)
	err := s.write(ctx, func(l *link) error {
		return l.whole(func() error { return l.open(&c) })
	})
	if err != nil {
		return fmt.Errorf("opening a match in %s: %w", r.Channel, err)
	}
	r.ID, r.Version, r.Deliveries = c.ID, 1, c.Deliveries
	return nil
}

// open sets the record's ID and Deliveries.
func (l *link) open(r *engine.Record) error {
	channel, err := l.channel(r.Channel)
	if err != nil {
		return err
	}
	latest, err := l.first(`SELECT m.id, m.open, m.deliveries FROM channels c JOIN matches m ON m.id = c.latest
		WHERE c.id = ?`, channel)
	if err != nil {
		return err
	}
	if latest == nil {
		latest = []driver.Value{int64(0), int64(0), nil}
	}
	before := integer(latest[0])
	if before != r.Follows || integer(latest[1]) != 0 {
		return engine.ErrConflict
	}
	r.Deliveries = succeed(unpack(blob(latest[2])), r.Deliveries)
	if latest[2] != nil {
		if err := l.run("UPDATE matches SET deliveries = NULL WHERE id = ?", before); err != nil {
			return err
		}
	}
	board, err := l.board(r.Board)
	if err != nil {
		return err
	}
	r.ID, err = l.insert(`INSERT INTO matches (channel, version, frame, open, aside, told, entries, owing, deadline, opened, acted,
			board, seed, rules, deliveries, acts, clock, adapter)
		VALUES (?1, 1, ?, ?3, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, iif(?3, `+adapter+`?1), ''))`,
		channel, frame(r), flag(r.Open), flag(r.Aside), int64(r.Told), int64(r.Entries),
		flag(r.Told < r.Entries), moment(r.Deadline), r.Opened.Unix(), r.Acted.Unix(), board, r.Seed, r.Rules,
		pack(r.Deliveries), r.Acts, r.Clock)
	if err != nil {
		return err
	}
	if err := l.run("UPDATE channels SET latest = ? WHERE id = ?", r.ID, channel); err != nil {
		return err
	}
	return l.seat(r)
}

// Tell notes what a channel has been told, see engine.Store. It is
// engine.ErrNotFound if there's no such match.
func (s *Store) Tell(ctx context.Context, match int64, told int) error {
	err := s.write(ctx, func(l *link) error {
		n, err := l.exec("UPDATE matches SET told = ?1, owing = (?1 < entries) WHERE id = ?2 AND told < ?1", args(int64(told), match))
		if err != nil || n == 1 {
			return err
		}
		return l.exists(match)
	})
	if err != nil {
		return fmt.Errorf("noting what was told of match %d: %w", match, err)
	}
	return nil
}

// SetAside closes a match that can't be read, see engine.Store. Its version
// goes up, so that nothing decided before can open it again. Doing it twice is
// harmless; engine.ErrNotFound says that there's no such match.
func (s *Store) SetAside(ctx context.Context, match int64) error {
	err := s.write(ctx, func(l *link) error {
		// The frame is that of another state, and so differs from every
		// record's: the next Put writes everything.
		n, err := l.exec(`UPDATE matches SET open = 0, aside = 1, version = version + 1, frame = 0, adapter = ''
			WHERE id = ? AND aside = 0`, args(match))
		if err != nil || n == 1 {
			return err
		}
		return l.exists(match)
	})
	if err != nil {
		return fmt.Errorf("setting match %d aside: %w", match, err)
	}
	return nil
}

// exists returns engine.ErrNotFound unless there is such a match.
func (l *link) exists(match int64) error {
	row, err := l.first("SELECT 1 FROM matches WHERE id = ?", match)
	if err == nil && row == nil {
		return engine.ErrNotFound
	}
	return err
}

// The following give the number of something by its name, and note it down if
// it's new. The number of nobody is NULL.

func (l *link) user(id bot.UserID) (driver.Value, error) {
	if id == "" {
		return nil, nil
	}
	return l.named("SELECT id FROM users WHERE name = ?", "INSERT INTO users (name) VALUES (?)", string(id))
}

func (l *link) board(hash string) (int64, error) {
	return l.named("SELECT id FROM boards WHERE hash = ?", "INSERT INTO boards (hash) VALUES (?)", hash)
}

func (l *link) named(find, add string, values ...driver.Value) (int64, error) {
	row, err := l.first(find, values...)
	if err != nil {
		return 0, err
	}
	if row != nil {
		return integer(row[0]), nil
	}
	return l.insert(add, values...)
}

func (l *link) chat(id bot.ChatID) (int64, error) {
	row, err := l.first("SELECT chat FROM chat_names WHERE name = ?", string(id))
	if err != nil {
		return 0, err
	}
	if row != nil {
		return integer(row[0]), nil
	}
	chat, err := l.insert("INSERT INTO chats (name) VALUES (?)", string(id))
	if err != nil {
		return 0, err
	}
	return chat, l.run("INSERT INTO chat_names (name, chat) VALUES (?, ?)", string(id), chat)
}

func (l *link) channel(c bot.Channel) (int64, error) {
	chat, err := l.chat(c.Chat)
	if err != nil {
		return 0, err
	}
	return l.named("SELECT id FROM channels WHERE chat = ? AND place = ?",
		"INSERT INTO channels (chat, place) VALUES (?, ?)", chat, c.Place)
}
