package engine

import (
	"context"
	"time"

	"hiss/bot"
)

// ChatBoard is a board in a chat's library.
type ChatBoard struct {
	Name string // what people type; upper and lower case are the same
	Hash string // of its content
	File string // the content; empty in lists
	// By is who sent it, empty if nobody did or it has been forgotten.
	By    bot.UserID
	Added time.Time // to the second
}

// Draft is a board that somebody has sent to a chat, and that an admin of the
// chat lets into its library or not. A chat keeps one of each person.
type Draft struct {
	// ID is the draft's number, given by the store when it's put. Numbers grow
	// and are never given twice.
	ID   int64
	Name string // what people shall type
	Hash string // of the content
	File string // the content; empty once the draft has been decided
	// By is who sent it. It is empty only if it has been forgotten.
	By      bot.UserID
	Sent    time.Time // to the second
	Replace bool      // the sender asked to replace the board that has the name

	Verdict Verdict
	Judge   string // the shown name of who decided; empty until then
}

// Verdict is what became of a draft. Stores keep its number.
type Verdict int

// A draft is Pending until an admin decides. Approved says that it was put into
// the library, not that it's still there.
const (
	Pending Verdict = iota
	Approved
	Discarded
)

// Decision is what an admin decides about a draft.
type Decision struct {
	Verdict Verdict // Approved or Discarded; any other is ErrNotWritten
	Judge   string  // the shown name of the admin
	Now     time.Time

	// The following matter to approvals only.

	// Replace lets the draft replace the board that has its name, whether or
	// not the sender asked for it.
	Replace bool
	// Most is how many boards the library may hold.
	Most int
}

// Shelf is a chat's library: the boards that it has names for. Names are the
// same whether in upper or lower case. A board gets in by Decide.
type Shelf interface {
	// ChatBoards lists a chat's boards by name, without their files.
	ChatBoards(ctx context.Context, chat bot.ChatID) ([]ChatBoard, error)
	// ChatBoard returns a board with its file, or ErrNotFound.
	ChatBoard(ctx context.Context, chat bot.ChatID, name string) (ChatBoard, error)
	// RemoveChatBoard takes a board out of the library, or returns ErrNotFound.
	// Board still finds its content, for the matches that were opened on it.
	RemoveChatBoard(ctx context.Context, chat bot.ChatID, name string) error
}

// Drafts keeps what waits to get into the chats' libraries, and how it was
// decided.
type Drafts interface {
	// PutDraft keeps a draft, pending, in place of the one that its sender had
	// in that chat, decided or not. It sets ID, Verdict and Judge. A draft of
	// nobody is ErrNotWritten.
	PutDraft(ctx context.Context, chat bot.ChatID, d *Draft) error
	// Draft returns a draft of a chat by its number, or ErrNotFound, also if
	// it's another chat's.
	Draft(ctx context.Context, chat bot.ChatID, id int64) (Draft, error)
	// OpenDraft returns the pending draft of a person, or ErrNotFound.
	OpenDraft(ctx context.Context, chat bot.ChatID, by bot.UserID) (Draft, error)
	// Decide settles a pending draft and returns it as it is then. Its file is
	// dropped from it; approving keeps that as AddBoard does, and enters the
	// board in the library by the draft's sender, all in one write.
	//
	// Nothing is written if it fails with ErrNotFound, as Draft does; with
	// ErrDecided if the draft isn't pending, and then the draft is returned
	// too; with ErrTaken if the library has a board of that name and neither
	// the draft nor the decision says Replace; with ErrFull if it would be one
	// board more and the library has Most. The earlier of these goes first.
	Decide(ctx context.Context, chat bot.ChatID, id int64, d Decision) (Draft, error)
}

// Setting is something that a chat has set, or a person for themself.
type Setting struct {
	Key, Value string
	By         bot.UserID // who set it, empty if nobody did or it has been forgotten
	At         time.Time  // to the second
}

// Settings keeps what chats have set. What keys and values mean it never asks.
type Settings interface {
	// PutSetting sets something, in place of what was set before.
	PutSetting(ctx context.Context, chat bot.ChatID, s Setting) error
	// Setting returns what was set, or ErrNotFound.
	Setting(ctx context.Context, chat bot.ChatID, key string) (Setting, error)
	// Settings lists all that a chat has set, by key.
	Settings(ctx context.Context, chat bot.ChatID) ([]Setting, error)
}

// Habits keeps what people have set for themselves, in whatever chat they are.
// What keys and values mean it never asks.
type Habits interface {
	// PutHabit sets something for a person, in place of what was set before;
	// the value "" takes it away again. Only they set it, so By is left out. A
	// habit of nobody is ErrNotWritten.
	PutHabit(ctx context.Context, user bot.UserID, s Setting) error
	// Habits lists all that a person has set, by key; By is that person.
	Habits(ctx context.Context, user bot.UserID) ([]Setting, error)
}
