package store

import (
	"context"
	"database/sql/driver"
	"fmt"

	"hiss/bot"
	"hiss/engine"
)

// Board returns a board's file by its content hash, see engine.Store.
func (s *Store) Board(ctx context.Context, hash string) (file string, err error) {
	err = s.read(ctx, func(l *link) error {
		row, err := l.first("SELECT file FROM boards WHERE hash = ? AND file IS NOT NULL", hash)
		if err == nil && row == nil {
			return engine.ErrNotFound
		}
		if err == nil {
			file = text(row[0])
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("loading board %s: %w", hash, err)
	}
	return file, nil
}

// AddBoard keeps a board's file under its hash, see engine.Store. A match may
// name a hash before its file has been added.
func (s *Store) AddBoard(ctx context.Context, hash, file string) error {
	err := s.write(ctx, func(l *link) error { return l.addBoard(hash, file) })
	if err != nil {
		return fmt.Errorf("keeping board %s: %w", hash, err)
	}
	return nil
}

func (l *link) addBoard(hash, file string) error {
	return l.run(`INSERT INTO boards (hash, file) VALUES (?, ?)
		ON CONFLICT (hash) DO UPDATE SET file = excluded.file WHERE file IS NULL`, hash, file)
}

// putChatBoard adds a board to a chat's library, in place of the one that had its
// name. Matches keep the board that they were opened with.
func (l *link) putChatBoard(chat bot.ChatID, b engine.ChatBoard) error {
	if err := l.addBoard(b.Hash, b.File); err != nil {
		return err
	}
	board, err := l.board(b.Hash)
	if err != nil {
		return err
	}
	owner, err := l.chat(chat)
	if err != nil {
		return err
	}
	user, err := l.user(b.By)
	if err != nil {
		return err
	}
	return l.run("INSERT OR REPLACE INTO chat_boards (chat, name, board, added, user) VALUES (?, ?, ?, ?, ?)",
		owner, b.Name, board, b.Added.Unix(), user)
}

// ChatBoard returns a board from a chat's library, see engine.Store.
func (s *Store) ChatBoard(ctx context.Context, chat bot.ChatID, name string) (b engine.ChatBoard, err error) {
	err = s.read(ctx, func(l *link) error {
		row, err := l.first(`SELECT k.name, b.hash, u.name, k.added, b.file`+chatBoards+` AND k.name = ?`, string(chat), name)
		if err == nil && row == nil {
			return engine.ErrNotFound
		}
		if err == nil {
			b = chatBoard(row)
			b.File = text(row[4])
		}
		return err
	})
	if err != nil {
		return engine.ChatBoard{}, fmt.Errorf("loading board %s of %s: %w", name, chat, err)
	}
	return b, nil
}

// ChatBoards lists a chat's library, see engine.Store.
func (s *Store) ChatBoards(ctx context.Context, chat bot.ChatID) (bs []engine.ChatBoard, err error) {
	err = s.read(ctx, func(l *link) error {
		return l.query(`SELECT k.name, b.hash, u.name, k.added`+chatBoards+` ORDER BY k.name`, args(string(chat)),
			func(row []driver.Value) error {
				bs = append(bs, chatBoard(row))
				return nil
			})
	})
	if err != nil {
		return nil, fmt.Errorf("loading the boards of %s: %w", chat, err)
	}
	return bs, nil
}

const chatBoards = ` FROM chat_names n JOIN chat_boards k ON k.chat = n.chat JOIN boards b ON b.id = k.board
	LEFT JOIN users u ON u.id = k.user WHERE n.name = ?`

func chatBoard(row []driver.Value) engine.ChatBoard {
	return engine.ChatBoard{Name: text(row[0]), Hash: text(row[1]), By: bot.UserID(text(row[2])), Added: fromSeconds(integer(row[3]))}
}

// RemoveChatBoard takes a board out of a chat's library, see engine.Store.
func (s *Store) RemoveChatBoard(ctx context.Context, chat bot.ChatID, name string) error {
	err := s.write(ctx, func(l *link) error {
		n, err := l.exec("DELETE FROM chat_boards WHERE chat = (SELECT chat FROM chat_names WHERE name = ?) AND name = ?",
			args(string(chat), name))
		if err == nil && n == 0 {
			return engine.ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("removing board %s of %s: %w", name, chat, err)
	}
	return nil
}
