package store

import (
	"context"
	"fmt"

	"hiss/bot"
	"hiss/engine"
)

// PutHabit sets something for a person, see engine.Store.
func (s *Store) PutHabit(ctx context.Context, user bot.UserID, set engine.Setting) error {
	err := s.write(ctx, func(l *link) error {
		return l.whole(func() error { return l.putHabit(user, set) })
	})
	if err != nil {
		return fmt.Errorf("setting habit %s of %s: %w", set.Key, user, err)
	}
	return nil
}

func (l *link) putHabit(user bot.UserID, set engine.Setting) error {
	if set.Value == "" && user != "" {
		return l.run("DELETE FROM habits WHERE user = (SELECT id FROM users WHERE name = ?) AND key = ?", string(user), set.Key)
	}
	number, err := l.user(user)
	if err != nil {
		return err
	}
	// The number of nobody is NULL, which the table doesn't take.
	return l.run("INSERT OR REPLACE INTO habits (user, key, value, at) VALUES (?, ?, ?, ?)", number, set.Key, set.Value, set.At.Unix())
}

const habits = `SELECT t.key, t.value, u.name, t.at FROM users u JOIN habits t ON t.user = u.id WHERE u.name = ? ORDER BY t.key`

// Habits lists all that a person has set, see engine.Store.
func (s *Store) Habits(ctx context.Context, user bot.UserID) ([]engine.Setting, error) {
	found, err := s.settings(ctx, habits, string(user))
	if err != nil {
		return nil, fmt.Errorf("loading the habits of %s: %w", user, err)
	}
	return found, nil
}
