package store

import (
	"context"
	"database/sql/driver"
	"fmt"

	"hiss/bot"
	"hiss/engine"
)

// PutSetting sets something for a chat, see engine.Store.
func (s *Store) PutSetting(ctx context.Context, chat bot.ChatID, set engine.Setting) error {
	err := s.write(ctx, func(l *link) error {
		return l.whole(func() error {
			owner, err := l.chat(chat)
			if err != nil {
				return err
			}
			user, err := l.user(set.By)
			if err != nil {
				return err
			}
			return l.run("INSERT OR REPLACE INTO settings (chat, key, value, user, at) VALUES (?, ?, ?, ?, ?)",
				owner, set.Key, set.Value, user, set.At.Unix())
		})
	})
	if err != nil {
		return fmt.Errorf("setting %s of %s: %w", set.Key, chat, err)
	}
	return nil
}

// Setting returns what a chat has set, see engine.Store.
func (s *Store) Setting(ctx context.Context, chat bot.ChatID, key string) (engine.Setting, error) {
	found, err := s.settings(ctx, settings+" AND t.key = ?", string(chat), key)
	if err == nil && len(found) == 0 {
		err = engine.ErrNotFound
	}
	if err != nil {
		return engine.Setting{}, fmt.Errorf("loading setting %s of %s: %w", key, chat, err)
	}
	return found[0], nil
}

// Settings lists all that a chat has set, see engine.Store.
func (s *Store) Settings(ctx context.Context, chat bot.ChatID) ([]engine.Setting, error) {
	found, err := s.settings(ctx, settings+" ORDER BY t.key", string(chat))
	if err != nil {
		return nil, fmt.Errorf("loading the settings of %s: %w", chat, err)
	}
	return found, nil
}

const settings = `SELECT t.key, t.value, u.name, t.at FROM chat_names n JOIN settings t ON t.chat = n.chat
	LEFT JOIN users u ON u.id = t.user WHERE n.name = ?`

func (s *Store) settings(ctx context.Context, query string, values ...driver.Value) (found []engine.Setting, err error) {
	err = s.read(ctx, func(l *link) error {
		return l.query(query, args(values...), func(row []driver.Value) error {
			found = append(found, engine.Setting{Key: text(row[0]), Value: text(row[1]),
				By: bot.UserID(text(row[2])), At: fromSeconds(integer(row[3]))})
			return nil
		})
	})
	return found, err
}
