package store

import (
	"context"
	"database/sql/driver"
	"fmt"

	"hiss/bot"
	"hiss/engine"
)

// Move gives a chat a new id, see engine.Store. Chats that are both known are
// joined.
// A move that has been made already, or whose chat has moved on since, changes
// nothing. A chat that nobody knows yet gets both ids.
func (s *Store) Move(ctx context.Context, from, to bot.ChatID) error {
	err := s.write(ctx, func(l *link) error {
		return l.whole(func() error {
			if err := l.move(string(from), string(to)); err != nil {
				return err
			}
			return l.adopt(string(to))
		})
	})
	if err != nil {
		return fmt.Errorf("moving %s to %s: %w", from, to, err)
	}
	return nil
}

func (l *link) move(from, to string) error {
	source, err := l.number("SELECT chat FROM chat_names WHERE name = ?", from)
	if err != nil {
		return err
	}
	target, err := l.number("SELECT chat FROM chat_names WHERE name = ?", to)
	if err != nil {
		return err
	}
	switch {
	case source == 0:
		if target, err = l.chat(bot.ChatID(to)); err != nil || from == to {
			return err
		}
		return l.run("INSERT INTO chat_names (name, chat) VALUES (?, ?)", from, target)
	case target == 0:
		if err := l.run("INSERT INTO chat_names (name, chat) VALUES (?, ?)", to, source); err != nil {
			return err
		}
		return l.run("UPDATE chats SET name = ? WHERE id = ?", to, source)
	case source == target: // back to an id it once had, unless it has left from since
		return l.run("UPDATE chats SET name = ? WHERE id = ? AND name = ?", to, source, from)
	}
	return l.join(source, target)
}

// adopt gives the open matches of a chat to its adapter, which is another one
// only where a chat has changed platforms.
func (l *link) adopt(chat string) error {
	return l.run(`UPDATE matches SET adapter = `+adapter+`matches.channel) WHERE open = 1 AND channel IN (
			SELECT c.id FROM chat_names n JOIN channels c ON c.chat = n.chat WHERE n.name = ?)
		AND adapter <> `+adapter+`matches.channel)`, chat)
}

// join makes one chat of two.
func (l *link) join(source, target int64) error {
	places, err := l.places(source)
	if err != nil {
		return err
	}
	for place, channel := range places {
		there, err := l.number("SELECT id FROM channels WHERE chat = ? AND place = ?", target, place)
		if err != nil {
			return err
		}
		if there == 0 {
			err = l.run("UPDATE channels SET chat = ? WHERE id = ?", target, channel)
		} else {
			err = l.merge(channel, there)
		}
		if err != nil {
			return err
		}
	}
	for _, table := range []string{"chat_boards", "settings"} {
		if err := l.run("UPDATE OR IGNORE "+table+" SET chat = ? WHERE chat = ?", target, source); err != nil {
			return err
		}
		if err := l.run("DELETE FROM "+table+" WHERE chat = ?", source); err != nil {
			return err
		}
	}
	if err := l.joinDrafts(source, target); err != nil {
		return err
	}
	if err := l.run("UPDATE chat_names SET chat = ? WHERE chat = ?", target, source); err != nil {
		return err
	}
	return l.run("DELETE FROM chats WHERE id = ?", source)
}

// joinDrafts gives a chat's drafts to another. Of a person who has one in each
// the newer stays.
func (l *link) joinDrafts(source, target int64) error {
	err := l.run(`DELETE FROM drafts WHERE id IN (SELECT min(id) FROM drafts WHERE chat IN (?, ?) GROUP BY user HAVING count(*) > 1)`,
		source, target)
	if err != nil {
		return err
	}
	return l.run("UPDATE drafts SET chat = ? WHERE chat = ?", target, source)
}

// places returns the channels of a chat by place.
func (l *link) places(chat int64) (map[string]int64, error) {
	places := map[string]int64{}
	err := l.query("SELECT place, id FROM channels WHERE chat = ?", args(chat), func(row []driver.Value) error {
		places[text(row[0])] = integer(row[1])
		return nil
	})
	return places, err
}

// merge gives a channel's matches to another and removes it. The latest match
// of both is the open one, if one is, else the newer; it takes over the
// deliveries of the other and, since that changes it, a new version.
func (l *link) merge(source, target int64) error {
	type match struct {
		id    int64
		open  bool
		marks []uint32
	}
	var found []match
	err := l.query(`SELECT m.id, m.open, m.deliveries FROM channels c JOIN matches m ON m.id = c.latest
		WHERE c.id IN (?, ?) ORDER BY m.open, m.id`, args(source, target), func(row []driver.Value) error {
		found = append(found, match{integer(row[0]), integer(row[1]) != 0, unpack(blob(row[2]))})
		return nil
	})
	if err != nil {
		return err
	}
	if len(found) == 2 && found[0].open && found[1].open {
		return engine.ErrConflict
	}
	if err := l.run("UPDATE matches SET channel = ? WHERE channel = ?", target, source); err != nil {
		return err
	}
	if len(found) == 2 && found[0].marks != nil {
		err := l.run("UPDATE matches SET version = version + 1, deliveries = ? WHERE id = ?",
			pack(succeed(found[0].marks, found[1].marks)), found[1].id)
		if err != nil {
			return err
		}
		if err := l.run("UPDATE matches SET deliveries = NULL WHERE id = ?", found[0].id); err != nil {
			return err
		}
	}
	if len(found) > 0 {
		if err := l.run("UPDATE channels SET latest = ? WHERE id = ?", found[len(found)-1].id, target); err != nil {
			return err
		}
	}
	return l.run("DELETE FROM channels WHERE id = ?", source)
}
