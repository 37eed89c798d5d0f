-- Derived from the log, and replaced as a whole: no migrations. A change needs another user_version
-- in database.go.
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- The files of the log as they were read: "read" bytes in "lines" whole lines, and their checksum.
CREATE TABLE file(
  name TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime INTEGER NOT NULL, inode INTEGER NOT NULL,
  read INTEGER NOT NULL, lines INTEGER NOT NULL, sum BLOB NOT NULL
) WITHOUT ROWID;

-- Every event that could be read. "name" is the one in doc_ids; "hidden" names the event that
-- supersedes it. "holds" is 1 for a note that is shown.
CREATE TABLE event(
  key INTEGER PRIMARY KEY, file TEXT NOT NULL, line INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL,
  content TEXT NOT NULL, source TEXT NOT NULL, domains TEXT NOT NULL, time INTEGER NOT NULL,
  project TEXT NOT NULL, supersedes TEXT NOT NULL,
  name TEXT NOT NULL DEFAULT '', hidden TEXT NOT NULL DEFAULT '', holds INTEGER NOT NULL DEFAULT 0, vector BLOB
);
CREATE UNIQUE INDEX event_place ON event(file, line);
CREATE INDEX event_name ON event(name);

-- The stems of the notes that hold, by the key of the event.
CREATE VIRTUAL TABLE stem USING fts5(words, tokenize = "unicode61 remove_diacritics 0");

-- Places of the log that could not be taken as they stand: by reading a line, or by comparing all.
CREATE TABLE fault(file TEXT NOT NULL, line INTEGER NOT NULL, reason TEXT NOT NULL, lost INTEGER NOT NULL, compared INTEGER NOT NULL);
