package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hiss/boards"
	"hiss/engine/rules"
	"hiss/engine/words"
)

// maxBoards is how many boards a chat's library has room for.
const maxBoards = 100

// usualBoard is the key of a chat's setting: the board of a match that is opened
// without a word about one.
const usualBoard = "board"

// library is what can be played on in a chat, by name: the boards that come
// with Hiss, and those that the chat's own people made.
type library struct {
	own   []string
	usual string // empty if the chat has set none, or has it no more
}

// library returns the names of this chat.
func (c *call) library() (library, error) {
	all, err := c.Store.ChatBoards(c.ctx, c.Channel.Chat)
	if err != nil {
		return library{}, fmt.Errorf("listing the boards of %s: %w", c.Channel.Chat, err)
	}
	var l library
	for _, b := range all {
		l.own = append(l.own, b.Name)
	}
	s, err := c.settings()
	if s.board != "" && l.has(s.board) {
		l.usual = s.board
	}
	return l, err
}

// names returns all names, the chat's own first.
func (l library) names() []string { return append(slices.Clone(l.own), shippedNames()...) }

// has reports whether a board has that name, in whatever case, or it is the word
// for one that is drawn.
func (l library) has(name string) bool {
	is := func(known string) bool { return strings.EqualFold(known, name) }
	return is(randomBoard) || slices.ContainsFunc(l.own, is) || slices.ContainsFunc(shippedNames(), is)
}

// pick returns a board by its name: one that comes with Hiss, or one of the chat's
// own. If there's none it is refused, with the name that was probably meant.
func (c *call) pick(name string) (boards.Board, error) {
	if b, ok := boards.Find(name); ok {
		return b, nil
	}
	kept, err := c.Store.ChatBoard(c.ctx, c.Channel.Chat, name)
	if errors.Is(err, ErrNotFound) {
		l, err := c.library()
		if err != nil {
			return boards.Board{}, err
		}
		return boards.Board{}, l.lacks(name, nil)
	}
	if err != nil {
		return boards.Board{}, fmt.Errorf("looking up board %s of %s: %w", name, c.Channel.Chat, err)
	}
	b, err := boards.Parse("board.yaml", []byte(kept.File))
	if err != nil {
		return b, fmt.Errorf("board %s of %s: %w", name, c.Channel.Chat, err)
	}
	return b, nil
}

// lacks returns the refusal of a board that there's not. Others are the words
// that would do as well.
func (l library) lacks(name string, others []string) error {
	x := words.S("x", shorten(name))
	if near, ok := nearest(name, append(l.names(), others...)); ok {
		return no(words.NoBoard, x, words.S("y", near))
	}
	if len(others) > 1 {
		return no(words.NoBoardLike, x, words.S("sets", strings.Join(rules.Sets(), ", ")))
	}
	return no(words.NoBoardNone, x)
}

// byAdmin returns an error unless the asker administers the chat, which the
// platform is asked now.
func (c *call) byAdmin() error {
	if c.Admin == nil {
		return no(words.AdminOnly)
	}
	admin, err := c.Admin(c.ctx, true)
	switch {
	case err != nil:
		c.Log.Warn("asking for admin rights", "channel", c.Channel, "error", err)
		return no(words.FailAsk)
	case !admin:
		return no(words.AdminOnly)
	}
	return nil
}
