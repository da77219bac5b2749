package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"hiss/bot"
	"hiss/engine"
)

// PutDraft keeps a board that somebody sent, see engine.Store.
func (s *Store) PutDraft(ctx context.Context, chat bot.ChatID, d *engine.Draft) error {
	c := *d // see Put
	c.Verdict, c.Judge = engine.Pending, ""
	err := s.write(ctx, func(l *link) error {
		return l.whole(func() error { return l.putDraft(chat, &c) })
	})
	if err != nil {
		return fmt.Errorf("keeping draft %s for %s: %w", d.Name, chat, err)
	}
	*d = c
	return nil
}

// putDraft sets the draft's ID.
func (l *link) putDraft(chat bot.ChatID, d *engine.Draft) error {
	owner, err := l.chat(chat)
	if err != nil {
		return err
	}
	user, err := l.user(d.By)
	if err != nil {
		return err
	}
	d.ID, err = l.insert(`INSERT OR REPLACE INTO drafts (chat, user, name, replaces, sent, verdict, judge, hash, file)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		owner, user, d.Name, flag(d.Replace), d.Sent.Unix(), int64(d.Verdict), d.Judge, d.Hash, d.File)
	return err
}

const (
	drafts = `SELECT d.id, d.name, d.hash, d.file, u.name, d.sent, d.replaces, d.verdict, d.judge
		FROM chat_names n JOIN drafts d ON d.chat = n.chat JOIN users u ON u.id = d.user WHERE n.name = ?`
	draftByNumber = drafts + ` AND d.id = ?`
	draftOf       = drafts + ` AND u.name = ? AND d.verdict = ?`
)

// Draft returns a draft by its number, see engine.Store.
func (s *Store) Draft(ctx context.Context, chat bot.ChatID, id int64) (d engine.Draft, err error) {
	err = s.read(ctx, func(l *link) (err error) {
		d, err = l.draft(draftByNumber, string(chat), id)
		return err
	})
	if err != nil {
		return engine.Draft{}, fmt.Errorf("loading draft %d of %s: %w", id, chat, err)
	}
	return d, nil
}

// OpenDraft returns a person's pending draft, see engine.Store.
func (s *Store) OpenDraft(ctx context.Context, chat bot.ChatID, by bot.UserID) (d engine.Draft, err error) {
	err = s.read(ctx, func(l *link) (err error) {
		d, err = l.draft(draftOf, string(chat), string(by), int64(engine.Pending))
		return err
	})
	if err != nil {
		return engine.Draft{}, fmt.Errorf("loading the draft of %s in %s: %w", by, chat, err)
	}
	return d, nil
}

func (l *link) draft(query string, values ...driver.Value) (engine.Draft, error) {
	row, err := l.first(query, values...)
	if err == nil && row == nil {
		err = engine.ErrNotFound
	}
	if err != nil {
		return engine.Draft{}, err
	}
	return engine.Draft{ID: integer(row[0]), Name: text(row[1]), Hash: text(row[2]), File: text(row[3]),
		By: bot.UserID(text(row[4])), Sent: fromSeconds(integer(row[5])), Replace: integer(row[6]) != 0,
		Verdict: engine.Verdict(integer(row[7])), Judge: text(row[8])}, nil
}

// Decide settles a draft, see engine.Store.
func (s *Store) Decide(ctx context.Context, chat bot.ChatID, id int64, d engine.Decision) (engine.Draft, error) {
	if d.Verdict != engine.Approved && d.Verdict != engine.Discarded {
		return engine.Draft{}, fmt.Errorf("deciding draft %d of %s: %w: %d is no decision", id, chat, engine.ErrNotWritten, d.Verdict)
	}
	var decided engine.Draft
	err := s.write(ctx, func(l *link) error {
		return l.whole(func() (err error) {
			decided, err = l.decide(chat, id, d)
			return err
		})
	})
	switch {
	case errors.Is(err, engine.ErrDecided):
		return decided, fmt.Errorf("deciding draft %d of %s: %w", id, chat, err)
	case err != nil: // decided may still be the writer's
		return engine.Draft{}, fmt.Errorf("deciding draft %d of %s: %w", id, chat, err)
	}
	return decided, nil
}

func (l *link) decide(chat bot.ChatID, id int64, d engine.Decision) (engine.Draft, error) {
	draft, err := l.draft(draftByNumber, string(chat), id)
	if err != nil {
		return engine.Draft{}, err
	}
	if draft.Verdict != engine.Pending {
		return draft, engine.ErrDecided
	}
	if d.Verdict == engine.Approved {
		if err := l.approve(chat, draft, d); err != nil {
			return engine.Draft{}, err
		}
	}
	draft.Verdict, draft.Judge, draft.File = d.Verdict, d.Judge, ""
	return draft, l.run("UPDATE drafts SET verdict = ?, judge = ?, file = NULL WHERE id = ?", int64(d.Verdict), d.Judge, id)
}

// approve puts a draft into the library if there is a place for it.
func (l *link) approve(chat bot.ChatID, draft engine.Draft, d engine.Decision) error {
	taken, err := l.first("SELECT 1"+chatBoards+" AND k.name = ?", string(chat), draft.Name)
	if err != nil {
		return err
	}
	if taken != nil && !draft.Replace && !d.Replace {
		return engine.ErrTaken
	}
	if taken == nil {
		n, err := l.number("SELECT count(*)"+chatBoards, string(chat))
		if err != nil {
			return err
		}
		if n >= int64(d.Most) {
			return engine.ErrFull
		}
	}
	return l.putChatBoard(chat, engine.ChatBoard{Name: draft.Name, Hash: draft.Hash, File: draft.File, By: draft.By, Added: d.Now})
}
