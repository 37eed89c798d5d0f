-- One key space: a file has a key, each section of a document the next ones, each commit one. Keys are given upward and
-- never used again within one database file; outside it only doc_ids are known.

CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- number is raised by every publication that changes what is found, in whatever view.
CREATE TABLE generation(one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL, next_key INTEGER NOT NULL);

-- A working tree: bit k of members says that the tree sees the document with key k.
CREATE TABLE view(
  id         INTEGER PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE, -- of its git directory below the common one; empty for the main tree
  root       TEXT NOT NULL,
  members    BLOB NOT NULL,
  head       TEXT NOT NULL,
  branch     TEXT NOT NULL,
  scraped_at INTEGER NOT NULL, -- unix seconds
  files      INTEGER NOT NULL,
  chunks     INTEGER NOT NULL,
  commits    INTEGER NOT NULL,
  beliefs    INTEGER NOT NULL,
  history    TEXT NOT NULL,    -- why the history cannot be searched; empty where it can
  shallow    INTEGER NOT NULL,
  last_read  TEXT NOT NULL,    -- the commit whose history it sees
  mostly_tests INTEGER NOT NULL,
  copies     BLOB NOT NULL     -- bits of the files that repeat others
);

CREATE TABLE file(
  key       INTEGER PRIMARY KEY,
  path      TEXT NOT NULL,
  kind      TEXT NOT NULL,
  language  TEXT NOT NULL,
  package   TEXT NOT NULL,    -- of the nearest manifest; empty for none
  class     INTEGER NOT NULL,
  functions INTEGER NOT NULL,
  lines     INTEGER NOT NULL,
  hash      TEXT NOT NULL,
  entries   BLOB NOT NULL,    -- codec.go
  chunks    BLOB NOT NULL,
  facts     BLOB NOT NULL
);
CREATE INDEX file_path ON file(path);

-- The files of each view, as they lay in its tree when they were read.
CREATE TABLE seen(
  view  INTEGER NOT NULL,
  key   INTEGER NOT NULL,
  size  INTEGER NOT NULL,
  mtime INTEGER NOT NULL, -- nanoseconds
  ctime INTEGER NOT NULL, -- nanoseconds
  inode INTEGER NOT NULL,
  PRIMARY KEY (view, key)
) WITHOUT ROWID;

CREATE TABLE body(key INTEGER PRIMARY KEY, frame BLOB NOT NULL); -- one zstd frame a file

-- The last component of each symbol's name, so that a definition is one look-up.
CREATE TABLE symbol(
  name    TEXT NOT NULL COLLATE NOCASE,
  file    INTEGER NOT NULL,
  ordinal INTEGER NOT NULL, -- index into file.entries
  PRIMARY KEY (name, file, ordinal)
) WITHOUT ROWID;

CREATE TABLE import(target TEXT NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (target, file)) WITHOUT ROWID;

CREATE TABLE path(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE); -- every path that the history names

CREATE TABLE revision(
  key     INTEGER PRIMARY KEY,
  sha     TEXT NOT NULL UNIQUE,
  merge   INTEGER NOT NULL,
  author  TEXT NOT NULL,
  email   TEXT NOT NULL,
  time    INTEGER NOT NULL,
  subject TEXT NOT NULL,
  body    TEXT NOT NULL,
  files   BLOB NOT NULL -- path ids, codec.go
);
CREATE TABLE tag(name TEXT PRIMARY KEY, sha TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE touch(path INTEGER NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (path, revision)) WITHOUT ROWID;
-- What commits renamed, so that a file keeps the history of its earlier paths.
CREATE TABLE move(old INTEGER NOT NULL, new INTEGER NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (old, revision, new)) WITHOUT ROWID;
CREATE INDEX move_new ON move(new);
-- Both directions are stored.
CREATE TABLE cochange(a INTEGER NOT NULL, b INTEGER NOT NULL, n INTEGER NOT NULL, lift REAL NOT NULL, PRIMARY KEY (a, b)) WITHOUT ROWID;

-- A segment is immutable: its groups (documents, by key) in order, each with its number of chunks. Its vectors stand in the
-- file beside the database: those of its chunks, then for code those of its groups.
CREATE TABLE segment(
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  space       TEXT NOT NULL,
  chunks      INTEGER NOT NULL,
  groups      BLOB NOT NULL,
  vectors     INTEGER, -- its first row there; NULL without vectors
  vectors_sum INTEGER  -- of its rows (store/vector: Sum)
);
CREATE TABLE posting(
  segment INTEGER NOT NULL,
  term    TEXT NOT NULL,
  n       INTEGER NOT NULL, -- chunks that hold the term
  list    BLOB NOT NULL,    -- store/text: EncodeList
  PRIMARY KEY (segment, term)
) WITHOUT ROWID;

-- What string literals may print, by hashes of words (store/text: Message), so that a pasted text finds the files that print it.
CREATE TABLE message(head INTEGER NOT NULL, whole INTEGER NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (head, whole, file)) WITHOUT ROWID;
CREATE INDEX message_file ON message(file);

-- Samples of the lines of code (store/text: Shingles), by which copies are found.
CREATE TABLE shingle(hash INTEGER NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (hash, file)) WITHOUT ROWID;
CREATE INDEX shingle_file ON shingle(file);
