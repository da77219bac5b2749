package engine

import (
	"context"
	"errors"
	"time"

	"hiss/bot"
)

// Record is one match as a store keeps it: its acts and all that is needed to
// fold them again. A store moves it to disk and back without knowing what
// Rules, Acts and Board mean.
type Record struct {
	// ID is the match's number, given by the store when the match is opened;
	// 0 until then. Numbers grow and are never given twice.
	ID      int64
	Channel bot.Channel
	// Version counts how often the record has been written, 1 after opening.
	// A change is written only on top of the version that it was decided on.
	Version int
	// Follows is, when a match is opened, the ID of the channel's latest match
	// that the decision knew of, 0 if none. Stores keep it for no longer.
	Follows int64

	Seed  string // the seed's 16 characters
	Board string // the board's content hash, as boards.Hash writes it
	Rules string // all values, in the notation of rules.Rules.Notation
	Acts  string // the acts, in the notation of rules.Event
	// Seats are the people in the order of their seats. They stand apart from
	// the acts, which name seats by number alone.
	Seats []Sitter
	// Barred are the people who were taken out of the lobby and can't sit down
	// again in this match, in the order in which they were. None of them is a
	// seat, nor counted among them.
	Barred []Sitter
	// Open says that the match isn't over. One match a channel can be open.
	Open bool
	// Aside says that the match couldn't be read and was set aside.
	Aside bool

	Deadline time.Time // when the clock acts next; zero if never; to the second
	// Clock is what the engine's clock has to know of the match, in its own
	// notation: short, often empty, and another with nearly every act. Stores
	// keep it and never look inside.
	Clock   string
	Told    int // how many acts the channel has been told of
	Entries int // how many acts there are
	// Deliveries are the marks of the channel's last requests, oldest first,
	// at most 32.
	Deliveries []uint32
	Opened     time.Time // to the second
	Acted      time.Time // when the last act was; to the second
}

// Sitter is who sits on a seat of a match, or may not sit down in it.
type Sitter struct {
	User bot.UserID // empty for a computer player and for somebody forgotten
	Name string     // as it was when they sat down, or were barred
}

// The errors that every Store returns, wrapped or plain.
var (
	// ErrConflict says that the record was changed, or another match opened in
	// its channel, since the decision was made: load anew, decide again.
	// Nothing was written.
	ErrConflict = errors.New("the match has changed meanwhile")
	// ErrNotWritten says that a write certainly didn't land, such as for want
	// of space. Nothing was written.
	ErrNotWritten = errors.New("it could not be written")
	// ErrNotFound says that there's no such thing.
	ErrNotFound = errors.New("not found")
	// ErrDecided says that an earlier decision about the draft stands. Nothing
	// was written.
	ErrDecided = errors.New("it has been decided already")
	// ErrTaken says that another board of the chat has the name, and was not to
	// be replaced. Nothing was written.
	ErrTaken = errors.New("the name is taken")
	// ErrFull says that the chat's library has as many boards as it may have.
	// Nothing was written.
	ErrFull = errors.New("the library is full")
)

// Store keeps matches, and what chats have beside them. All its methods are
// safe for concurrent use; what one of them wrote is durable when it returns
// without an error. After an error that is none of the above a write may have
// landed or not: load anew.
type Store interface {
	Matches
	Archive
	Library
	Chats
	Clocks
	Shelf
	Drafts
	Settings
	Habits
}

// Matches is what a go needs.
type Matches interface {
	// Put writes a record: opens the match if ID is 0, and sets ID and
	// Deliveries; else changes it on condition of Version, but never lowers
	// what Told was. On success Version is set to the record's new one.
	// Opening fails with ErrConflict if the channel's latest match isn't the
	// one that Follows names, or is still open; it puts the deliveries of that
	// match, whose own are cleared, before those of the record, each once.
	Put(context.Context, *Record) error
	// Latest returns the channel's latest match, open or over, or ErrNotFound.
	Latest(context.Context, bot.Channel) (Record, error)
	// Tell notes that the channel has been told of that many acts of a match.
	// It changes neither version nor conflicts, and never lowers the number.
	Tell(ctx context.Context, match int64, told int) error
}

// Archive is what looking back needs.
type Archive interface {
	// Match returns a match by its number, or ErrNotFound.
	Match(ctx context.Context, id int64) (Record, error)
	// BySeed returns the newest match of a seed, or ErrNotFound.
	BySeed(ctx context.Context, seed string) (Record, error)
	// Finished returns a chat's matches that are over, newest first, at most
	// limit. Those set aside aren't among them.
	Finished(ctx context.Context, chat bot.ChatID, limit int) ([]Record, error)
}

// Library keeps boards by their content, so that a replaced board never
// changes a match.
type Library interface {
	// Board returns a board's file by its content hash, or ErrNotFound.
	Board(ctx context.Context, hash string) (string, error)
	// AddBoard keeps a board's file under its hash. Adding it again is
	// harmless.
	AddBoard(ctx context.Context, hash, file string) error
}

// Chats is what a start and a chat's life need.
type Chats interface {
	// Untold returns open and finished matches whose channels have not been
	// told of all acts, in the order of their numbers from after on, at most
	// limit. It takes no longer with many matches than with few.
	Untold(ctx context.Context, after int64, limit int) ([]Record, error)
	// SetAside closes a match that can't be read, so that another can be
	// opened in its channel. The record is kept as it is.
	SetAside(ctx context.Context, match int64) error
	// Seated returns the channels of a chat in which a match is open that
	// somebody sits in, or has sat in, in the order of its number. Being
	// barred from a match is no seat in it.
	Seated(ctx context.Context, chat bot.ChatID, user bot.UserID) ([]bot.Channel, error)
	// Move gives a chat a new id; its old one stays known, here and as an
	// argument of every method. If there are matches under both ids, they are
	// joined, unless one is open under each in the same place: then nothing
	// is written and ErrConflict returned. Boards and settings that both have
	// stay as they are under to; of a person's drafts the newer stays.
	Move(ctx context.Context, from, to bot.ChatID) error
}

// Clocks is what the clock needs. An adapter has the chats whose ids begin with
// its name and a colon, and a match is in the chat that it was opened in, or
// that this one was moved to. How long an answer takes depends neither on how
// many matches have later deadlines nor on those of other adapters.
type Clocks interface {
	// Due returns the channels of open matches whose deadline isn't after
	// before and whose chat is one of the adapters', earliest first, at most
	// limit. It has no pages: a match that was seen to has another deadline.
	Due(ctx context.Context, before time.Time, adapters []string, limit int) ([]bot.Channel, error)
	// NextDue returns the earliest deadline of open matches whose chat is one
	// of the adapters', the zero time if there's none.
	NextDue(ctx context.Context, adapters []string) (time.Time, error)
}
