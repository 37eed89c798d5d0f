-- Turns of conversations with agents, derived from their transcripts, without secrets.
CREATE TABLE source(
  key     INTEGER PRIMARY KEY,
  path    TEXT NOT NULL UNIQUE,
  agent   TEXT NOT NULL,    -- the form of the transcript: "Codex"
  session TEXT NOT NULL,    -- its id
  mark    TEXT NOT NULL,    -- sizes and times of the files when they were read
  size    INTEGER NOT NULL, -- bytes read, up to the end of a line
  sum     BLOB NOT NULL,    -- SHA-256 of those bytes
  state   BLOB NOT NULL,    -- of the parser, for the rest of the file
  began   INTEGER NOT NULL, -- time of the first turn, in seconds; 0: unknown
  ended   INTEGER NOT NULL, -- time of the last turn
  bytes   INTEGER NOT NULL  -- of the texts of its turns
) STRICT;

CREATE TABLE turn(
  key     INTEGER PRIMARY KEY,
  source  INTEGER NOT NULL REFERENCES source(key) ON DELETE CASCADE,
  segment INTEGER NOT NULL, -- that has its words
  line    INTEGER NOT NULL, -- of the transcript
  role    INTEGER NOT NULL, -- its place in the list of roles (turns.go)
  at      INTEGER NOT NULL,
  text    TEXT NOT NULL
) STRICT;
CREATE INDEX turn_source ON turn(source);
CREATE INDEX turn_segment ON turn(segment);

-- A segment holds the words of some thousand turns, in the order of its keys. It is never changed:
-- if a turn goes, its segment is made anew. segment.go has the form of the columns.
CREATE TABLE segment(
  key     INTEGER PRIMARY KEY,
  turns   INTEGER NOT NULL,
  words   INTEGER NOT NULL, -- in the texts of them all
  keys    BLOB NOT NULL,
  lengths BLOB NOT NULL,
  roles   BLOB NOT NULL,
  runs    BLOB NOT NULL
) STRICT;

CREATE TABLE posting(
  segment INTEGER NOT NULL,
  word    TEXT NOT NULL,
  n       INTEGER NOT NULL, -- turns with the word
  list    BLOB NOT NULL,    -- store/text.EncodeList
  PRIMARY KEY(segment, word)
) STRICT, WITHOUT ROWID;

-- The bytes of all texts, so that the bound costs no scan.
CREATE TABLE total(
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  turns INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
INSERT INTO total VALUES(1, 0, 0);
