// Package store keeps matches, boards, settings and notes in one SQLite file.
// It knows tables, transactions and the history of its own schema; what
// a record means it never asks.
//
// # What is kept where
//
// A match is one row of matches, rewritten with each act. A table of events
// would be the obvious layout; measured, one row is 2.4 times as fast where
// many channels share a commit (a keyed event dirties a page of its own, and
// again at the checkpoint), 20 times as small, and comes back with one read.
// The acts are text that a person can read.
//
//	chats        a group, a server or a private chat, under its present name
//	chat_names   every name that a chat ever had: the way in
//	channels     a place in a chat, and its latest match
//	matches      one row a match; points at channel and board by number
//	seats        who sits where in a match, and what they were called; below
//	             seat 0, from -1 down, who was barred from it
//	users        a person on a platform; seats, boards, drafts, settings, habits point here
//	boards       a board's file by the hash of its content
//	chat_boards  what a chat calls its boards
//	drafts       the board that a person last sent to a chat, and what became of it
//	settings     what a chat has set, by whom and when
//	habits       what a person has set for themself, everywhere
//	notes        what adapters keep: key and bytes
//
// A chat that gets a new name is one changed row, since everything else points
// at its number; the old name stays in chat_names. Forgetting somebody is
// likewise one row of users (its name becomes NULL), the names on their seats,
// barred or not, and their habits. Who decided about a draft stands there by
// name alone; that goes when the draft's sender sends another.
//
// channels.latest is the match that was opened last. When two chats are joined
// it is the open one, if there is one, which needn't be the one with the
// highest number.
//
// # What an act costs
//
// An act is one UPDATE by the row's number. Its condition is the version that
// the act was decided on and the frame: a hash of all that a plain act leaves
// as it is (seed, board, rules, seats, barred, opened, open, aside). Where the
// frame differs, everything is written, the seats too. So a go rewrites one
// index, matches_due, and matches_owing where the channel was up to date
// before, or is now. The indexes on channel and seed are touched when a match
// is opened or closed.
//
// Deadline and clock change with each go. The index on deadlines is a fifth of
// what a go costs, and the adapter in front of it costs nothing: goes of the
// same minute have their deadlines on the same few pages. Tried and not kept:
// an index on a time that may be a minute before the deadline, so that one go
// in six moves it (saves half of that fifth, but then what is due has to be
// searched for among what isn't); many rows in one UPDATE (no faster: the cost
// is in pages and indexes, not in calls); waiting a little for more writes to
// share a commit (later, and hardly faster); pages of another size.
//
// Writes go through one goroutine, which takes all that wait, and those that
// come while it's at it, into one transaction, at most 256. A write returns when its transaction is on disk
// (WAL, synchronous=FULL). The write that conflicts fails alone; when the
// transaction fails, all in it do. The same goroutine's connection does the
// checkpoints: from another connection they starve under load, and the log
// grows without end. Reads have connections of their own and never wait for
// a write.
//
// # Looking at it
//
// The file may be read while Hiss runs:
//
//	sqlite3 -readonly hiss.db
//	select h.name, c.place, m.id, m.acts
//	  from matches m join channels c on c.id = m.channel join chats h on h.id = c.chat
//	  where m.open;
//	select s.seat, u.name, s.name from seats s left join users u on u.id = s.user where s.match = 17;
//	select id, adapter, datetime(deadline, 'unixepoch'), clock from matches where open and deadline is not null order by deadline;
//
// Times are seconds since 1970, deliveries are four bytes each, oldest first.
// A copy of a live file must be made by SQLite (.backup, VACUUM INTO), not by
// cp: what was written last stands in hiss.db-wal.
//
// # How the schema grows
//
// PRAGMA user_version holds the number of steps taken, application_id says
// that the file is Hiss's. A step is added to the slice in schema.go and never
// changed afterwards; each runs in a transaction of its own when the file is
// opened. A file with more steps than the program knows is refused.
package store
