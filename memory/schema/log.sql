-- Notes of scope user are derived from the user's log of events (memory/persona). These tables are in
-- their file alone. The file is replaced as a whole, so there are no migrations: a change needs another
-- logVersion in user.go.

-- Where an event stands in the log, and what a memory has no column for. "event" is its id as
-- written there, which may be missing or another event's. A twin says what an event before it says.
CREATE TABLE logged(
  memory     INTEGER PRIMARY KEY REFERENCES memory(key) ON DELETE CASCADE,
  file       TEXT NOT NULL,
  line       INTEGER NOT NULL,
  event      TEXT NOT NULL,
  domains    TEXT NOT NULL, -- in the order of the log; the tags are the same
  project    TEXT NOT NULL,
  supersedes TEXT NOT NULL,
  twin       INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX logged_place ON logged(file, line);

-- The files of the log as they were read, and the number of faults in each.
CREATE TABLE logfile(
  name   TEXT PRIMARY KEY,
  size   INTEGER NOT NULL,
  mtime  INTEGER NOT NULL,
  inode  INTEGER NOT NULL,
  faults INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- When the file was made.
CREATE TABLE made(
  one INTEGER PRIMARY KEY CHECK (one = 1),
  at  INTEGER NOT NULL
) STRICT;

-- The stems of the notes that hold, by the key of the memory.
CREATE VIRTUAL TABLE stem USING fts5(words, tokenize = "unicode61 remove_diacritics 0");

CREATE INDEX memory_superseded ON memory(superseded_by);
UPDATE corpus SET summed = 1;
