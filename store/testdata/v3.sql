PRAGMA application_id = 1214870387;
PRAGMA user_version = 3;
CREATE TABLE chats (
	id   INTEGER PRIMARY KEY,
	name TEXT NOT NULL
) STRICT;
CREATE TABLE chat_names (
	name TEXT PRIMARY KEY,
	chat INTEGER NOT NULL REFERENCES chats (id)
) STRICT, WITHOUT ROWID;
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
, clock TEXT NOT NULL DEFAULT '', adapter TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE seats (
	match INTEGER NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
	seat  INTEGER NOT NULL,
	user  INTEGER REFERENCES users (id),
	name  TEXT NOT NULL,
	PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE habits (
	user  INTEGER NOT NULL REFERENCES users (id),
	key   TEXT NOT NULL,
	value TEXT NOT NULL,
	at    INTEGER NOT NULL,
	PRIMARY KEY (user, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX chat_names_chat ON chat_names (chat);
CREATE UNIQUE INDEX matches_open ON matches (channel) WHERE open = 1;
CREATE INDEX matches_channel ON matches (channel, open, aside);
CREATE INDEX matches_seed ON matches (seed);
CREATE INDEX matches_owing ON matches (aside) WHERE owing = 1;
CREATE INDEX seats_user ON seats (user) WHERE user IS NOT NULL;
CREATE INDEX matches_due ON matches (adapter, deadline) WHERE open = 1 AND deadline IS NOT NULL;
INSERT INTO chats VALUES (1,'telegram:-1001');
INSERT INTO chats VALUES (2,'discord:4');
INSERT INTO chat_names VALUES ('telegram:-1001',1);
INSERT INTO chat_names VALUES ('telegram:-5',1);
INSERT INTO chat_names VALUES ('discord:4',2);
INSERT INTO channels VALUES (1,1,'',2);
INSERT INTO channels VALUES (2,2,'77',3);
INSERT INTO channels VALUES (3,1,'7',4);
INSERT INTO users VALUES (1,'telegram:7');
INSERT INTO users VALUES (2,'discord:9');
INSERT INTO users VALUES (3,'telegram:8');
INSERT INTO users VALUES (4,'telegram:6');
INSERT INTO boards VALUES (1,'hash1','name: classic
');
INSERT INTO boards VALUES (2,'hash2',NULL);
INSERT INTO boards VALUES (3,'hash3','name: jungle
');
INSERT INTO boards VALUES (4,'hash6','name: pit
');
INSERT INTO matches VALUES (1,1,2,1920581377763356061,0,0,4,4,0,NULL,1790000000,1790000009,1,'K7Q29XMD4TRA8BZC','1 1x6 exact max/3 first 16',NULL,'open join a4>14 b6,2 ','','');
INSERT INTO matches VALUES (2,1,2,8587353028995601039,1,0,2,3,1,1790000100,1790000010,1790000020,1,'0000000000000001','1 1x6 exact max/3 first 16',X'000000018000000000000007','open join a4>14 ','','telegram');
INSERT INTO matches VALUES (3,2,2,0,0,1,1,1,0,1790000030,1790000011,1790000012,2,'0000000000000002','not readable',NULL,'???','','');
INSERT INTO matches VALUES (4,3,2,-8225648801428786359,1,0,2,2,0,1790000050,1790000010,1790000020,1,'0000000000000003','1 1x6 exact max/3 first 16',NULL,'open join ','b 1790000050 away=1','telegram');
INSERT INTO sqlite_sequence VALUES ('matches',4);
INSERT INTO sqlite_sequence VALUES ('drafts',4);
INSERT INTO seats VALUES (1,0,1,'Asha');
INSERT INTO seats VALUES (1,1,2,'Zoë 🐍 d''Ys');
INSERT INTO seats VALUES (2,0,1,'Asha');
INSERT INTO seats VALUES (2,1,2,'Zoë 🐍 d''Ys');
INSERT INTO seats VALUES (2,2,NULL,'Computer');
INSERT INTO seats VALUES (4,-2,NULL,'forgotten');
INSERT INTO seats VALUES (4,-1,2,'Zoë 🐍 d''Ys');
INSERT INTO seats VALUES (4,0,1,'Asha');
INSERT INTO seats VALUES (4,1,4,'Bilal');
INSERT INTO chat_boards VALUES (1,'Jungle',3,1790000001,1);
INSERT INTO chat_boards VALUES (1,'pit',4,1790000007,4);
INSERT INTO settings VALUES (1,'language','de',3,1790000002);
INSERT INTO notes VALUES ('discord commands',X'0100FF');
INSERT INTO drafts VALUES (2,1,3,'Alps',0,1790000004,2,'Zoë 🐍 d''Ys','hash5',NULL);
INSERT INTO drafts VALUES (3,1,4,'pit',0,1790000005,1,'Asha','hash6',NULL);
INSERT INTO drafts VALUES (4,1,1,'jungle',1,1790000006,0,'','hash7','name: jungle
size: 36
');
INSERT INTO habits VALUES (2,'autoroll','on',1790000008);
INSERT INTO habits VALUES (2,'ping','off',1790000009);
