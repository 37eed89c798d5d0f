-- What recall reads: posting lists of words, and vectors. Derived from the memories, and kept with
-- them in every transaction.
CREATE TABLE word(
  key  INTEGER PRIMARY KEY,
  word TEXT NOT NULL UNIQUE
) STRICT;

-- The memories that have a word, in blocks of 1,024 keys: memory/posting.go has the form.
CREATE TABLE posting(
  key  INTEGER PRIMARY KEY, -- word << 24 | block
  list BLOB NOT NULL
) STRICT;

CREATE TABLE corpus(
  one      INTEGER PRIMARY KEY CHECK (one = 1),
  memories INTEGER NOT NULL, -- in the posting lists
  words    INTEGER NOT NULL, -- in the texts of them all
  upto     INTEGER NOT NULL  -- the highest key in the lists
) STRICT;
INSERT INTO corpus VALUES(1, 0, 0, 0);

-- Vectors are made when they are first asked for, and again when the project's table changes.
CREATE TABLE vector(
  memory INTEGER PRIMARY KEY REFERENCES memory(key) ON DELETE CASCADE,
  list   BLOB NOT NULL
) STRICT;

-- The signs of vectors, in blocks of 256 keys, to find the near ones.
CREATE TABLE sketch(
  block INTEGER PRIMARY KEY,
  list  BLOB NOT NULL
) STRICT;

CREATE TABLE model(
  one  INTEGER PRIMARY KEY CHECK (one = 1),
  name TEXT NOT NULL,   -- made the vectors
  turn INTEGER NOT NULL -- how often vectors were changed
) STRICT;

-- The memories whose vectors are to be made.
CREATE TABLE unembedded(
  memory INTEGER PRIMARY KEY REFERENCES memory(key) ON DELETE CASCADE
) STRICT;
INSERT INTO unembedded SELECT key FROM memory;

CREATE INDEX memory_ended ON memory(key) WHERE valid_to IS NOT NULL;
CREATE INDEX memory_path ON memory(path) WHERE path != '';
