-- A memory: one note that somebody wants to have at hand again. Times are seconds since 1970.
CREATE TABLE memory(
  key           INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT NOT NULL UNIQUE,
  content       TEXT NOT NULL,
  type          TEXT NOT NULL,
  confidence    REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  pinned        INTEGER NOT NULL,
  source        TEXT NOT NULL,
  session       TEXT NOT NULL,
  sha           TEXT NOT NULL, -- of a commit
  path          TEXT NOT NULL,
  symbol        TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  valid_to      INTEGER,       -- null: it still holds
  superseded_by TEXT NOT NULL, -- an id, or empty
  origin        TEXT NOT NULL,
  words         TEXT NOT NULL  -- hash of its words in any order: memory/merge
) STRICT;
CREATE INDEX memory_words ON memory(words);
CREATE INDEX memory_created ON memory(created_at, id);

CREATE TABLE tag(
  memory INTEGER NOT NULL REFERENCES memory(key) ON DELETE CASCADE,
  tag    TEXT NOT NULL,
  PRIMARY KEY (memory, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_name ON tag(tag);

-- What was done to a memory, and why.
CREATE TABLE event(
  key    INTEGER PRIMARY KEY AUTOINCREMENT,
  memory INTEGER NOT NULL REFERENCES memory(key) ON DELETE CASCADE,
  at     INTEGER NOT NULL,
  action TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX event_memory ON event(memory);
