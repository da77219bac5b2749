package store

import "fmt"

// applicationID marks the file as Hiss's: "Hiss" in ASCII.
const applicationID = 0x48697373

// steps returns the schema's history: step n leads from version n to n+1.
// A step that was released is never changed; add another, and a fixture of
// the version before it to testdata.
func steps() []string {
	return []string{firstSchema, withDrafts, withClocks}
}

// firstSchema: columns that every act reads or writes stand first, the long
// text last, so that a look at the former needn't walk through the latter.
// Matches are numbered by AUTOINCREMENT, since a deleted one's number must not
// come back. channels.latest has no foreign key because it and
// matches.channel would point at each other. owing is told < entries, apart
// from them because an index is rewritten whenever a column that its condition
// names is, and at a brisk table a channel is owed something all the time.
const firstSchema = `
CREATE TABLE chats (
	id   INTEGER PRIMARY KEY,
	name TEXT NOT NULL
) STRICT;

CREATE TABLE chat_names (
	name TEXT PRIMARY KEY,
	chat INTEGER NOT NULL REFERENCES chats (id)
) STRICT, WITHOUT ROWID;
CREATE INDEX chat_names_chat ON chat_names (chat);

CREATE TABLE channels (
	id     INTEGER PRIMARY KEY,
	chat   INTEGER NOT NULL REFERENCES chats (id),
	place  TEXT NOT NULL,
	latest INTEGER,
	UNIQUE (chat, place)
) STRICT;

CREATE TABLE users (
	id   INTEGER PRIMARY KEY,
	name TEXT UNIQUE
) STRICT;

CREATE TABLE boards (
	id   INTEGER PRIMARY KEY,
	hash TEXT NOT NULL UNIQUE,
	file TEXT
) STRICT;

CREATE TABLE matches (
	id         INTEGER PRIMARY KEY AUTOINCREMENT,
	channel    INTEGER NOT NULL REFERENCES channels (id),
	version    INTEGER NOT NULL,
	frame      INTEGER NOT NULL,
	open       INTEGER NOT NULL,
	aside      INTEGER NOT NULL,
	told       INTEGER NOT NULL,
	entries    INTEGER NOT NULL,
	owing      INTEGER NOT NULL,
	deadline   INTEGER,
	opened     INTEGER NOT NULL,
	acted      INTEGER NOT NULL,
	board      INTEGER NOT NULL REFERENCES boards (id),
	seed       TEXT NOT NULL,
	rules      TEXT NOT NULL,
	deliveries BLOB,
	acts       TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX matches_open ON matches (channel) WHERE open = 1;
CREATE INDEX matches_channel ON matches (channel, open, aside);
CREATE INDEX matches_seed ON matches (seed);
CREATE INDEX matches_due ON matches (deadline) WHERE open = 1 AND deadline IS NOT NULL;
CREATE INDEX matches_owing ON matches (aside) WHERE owing = 1;

CREATE TABLE seats (
	match INTEGER NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
	seat  INTEGER NOT NULL,
	user  INTEGER REFERENCES users (id),
	name  TEXT NOT NULL,
	PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seats_user ON seats (user) WHERE user IS NOT NULL;

CREATE TABLE chat_boards (
	chat  INTEGER NOT NULL REFERENCES chats (id),
	name  TEXT NOT NULL COLLATE NOCASE,
	board INTEGER NOT NULL REFERENCES boards (id),
	added INTEGER NOT NULL,
	user  INTEGER REFERENCES users (id),
	PRIMARY KEY (chat, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
	chat  INTEGER NOT NULL REFERENCES chats (id),
	key   TEXT NOT NULL,
	value TEXT NOT NULL,
	user  INTEGER REFERENCES users (id),
	at    INTEGER NOT NULL,
	PRIMARY KEY (chat, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE notes (
	key   TEXT PRIMARY KEY,
	value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
`

// withDrafts: numbers are on buttons, so a deleted draft's must not come back.
// The unique pair is what keeps a person at one draft a chat; so the user isn't
// NULL, of which there could be any number.
const withDrafts = `
CREATE TABLE drafts (
	id       INTEGER PRIMARY KEY AUTOINCREMENT,
	chat     INTEGER NOT NULL REFERENCES chats (id),
	user     INTEGER NOT NULL REFERENCES users (id),
	name     TEXT NOT NULL,
	replaces INTEGER NOT NULL,
	sent     INTEGER NOT NULL,
	verdict  INTEGER NOT NULL,
	judge    TEXT NOT NULL,
	hash     TEXT NOT NULL,
	file     TEXT,
	UNIQUE (chat, user)
) STRICT;
`

// withClocks: clock stands behind the long text because a column can't be put
// anywhere else; who loads a match walks through both. The adapter follows from
// the channel's chat and is kept for the index alone, while a match is open: a
// platform that isn't served any more leaves its deadlines behind, which nobody
// shall walk through each time to find the next one of another.
const withClocks = `
ALTER TABLE matches ADD COLUMN clock TEXT NOT NULL DEFAULT '';
ALTER TABLE matches ADD COLUMN adapter TEXT NOT NULL DEFAULT '';
DROP INDEX matches_due;
UPDATE matches SET adapter = (SELECT substr(h.name, 1, instr(h.name, ':') - 1)
	FROM channels c JOIN chats h ON h.id = c.chat WHERE c.id = matches.channel) WHERE open = 1;
CREATE INDEX matches_due ON matches (adapter, deadline) WHERE open = 1 AND deadline IS NOT NULL;

CREATE TABLE habits (
	user  INTEGER NOT NULL REFERENCES users (id),
	key   TEXT NOT NULL,
	value TEXT NOT NULL,
	at    INTEGER NOT NULL,
	PRIMARY KEY (user, key)
) STRICT, WITHOUT ROWID;
`

// versions reads what the file says about itself: whose it is, how many steps
// it has taken, and whether anything is in it.
func (l *link) versions() (application, version int64, empty bool, err error) {
	if application, err = l.number("PRAGMA application_id"); err != nil {
		return 0, 0, false, err
	}
	if version, err = l.number("PRAGMA user_version"); err != nil {
		return 0, 0, false, err
	}
	tables, err := l.number("SELECT count(*) FROM sqlite_schema")
	return application, version, tables == 0, err
}

// check refuses a file that isn't Hiss's or is newer than this program.
func (l *link) check(path string, newest int) error {
	application, version, empty, err := l.versions()
	switch {
	case err != nil:
		return explain(path, err)
	case empty && application == 0 && version == 0:
		return nil
	case application != applicationID:
		return &FileError{Path: path, Problem: "is the database of another program; name a file of Hiss's own, or one that doesn't exist yet"}
	case version > int64(newest):
		return &VersionError{Path: path, File: int(version), Known: newest}
	}
	return nil
}

// current refuses a file that has steps before it.
func (l *link) current(path string, newest int) error {
	switch _, version, empty, err := l.versions(); {
	case err != nil:
		return explain(path, err)
	case empty:
		return &FileError{Path: path, Problem: "holds no matches yet"}
	case version < int64(newest):
		return &FileError{Path: path, Problem: "was written by an older Hiss; start this one on it once, which brings it up to date"}
	}
	return nil
}

// migrate brings the file to the newest version, a transaction a step. Another
// process may be doing the same: what the file says is read again inside.
func (l *link) migrate(path string, steps []string) error {
	// SQLite opens what it may not write for reading, and says nothing.
	guarded, err := l.conn.(interface{ IsReadOnly(string) (bool, error) }).IsReadOnly("main")
	if err != nil {
		return explain(path, err)
	}
	if guarded {
		return &FileError{Path: path, Problem: notWritable}
	}
	for {
		done := false
		err := l.transaction(func() error {
			if err := l.check(path, len(steps)); err != nil {
				return err
			}
			version, err := l.number("PRAGMA user_version")
			if err != nil {
				return err
			}
			if done = version >= int64(len(steps)); done {
				return nil
			}
			return l.script(fmt.Sprintf("%s;\nPRAGMA application_id = %d;\nPRAGMA user_version = %d;",
				steps[version], applicationID, version+1))
		})
		if err != nil {
			return explain(path, err)
		}
		if done {
			return nil
		}
	}
}
