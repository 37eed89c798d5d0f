-- Beliefs, by the key of their file. Links are kept as written: what they lead to is looked up when they are read.
CREATE TABLE belief(
  key          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL,
  number       TEXT NOT NULL,  -- of a decision record
  statement    TEXT NOT NULL,
  status       TEXT NOT NULL,
  entrenchment REAL NOT NULL,
  endorsed     INTEGER,        -- NULL where the file does not say
  facets       TEXT NOT NULL,  -- joined by spaces
  extracted    TEXT NOT NULL,
  revised      TEXT NOT NULL,
  revisions    INTEGER NOT NULL,
  source       TEXT NOT NULL,  -- belief, decision
  line         INTEGER NOT NULL,
  last         INTEGER NOT NULL
);
CREATE INDEX belief_id ON belief(id);
CREATE TABLE belief_edge(
  belief     INTEGER NOT NULL,
  ordinal    INTEGER NOT NULL,
  relation   TEXT NOT NULL,     -- supports, attacks, attacked-by
  target     TEXT NOT NULL,
  status     TEXT NOT NULL,
  reason     TEXT NOT NULL,
  scope      TEXT NOT NULL,
  confidence REAL NOT NULL,     -- negative where the file does not say
  line       INTEGER NOT NULL,
  PRIMARY KEY (belief, ordinal)
) WITHOUT ROWID;
CREATE TABLE belief_evidence(
  belief  INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  section TEXT NOT NULL,        -- evidence, applied
  target  TEXT NOT NULL,
  weight  REAL NOT NULL,        -- negative where the file does not say
  line    INTEGER NOT NULL,
  PRIMARY KEY (belief, ordinal)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE belief_fts USING fts5(id, statement, facets, content, tokenize='porter unicode61');

-- Sessions, by the key of their file. Their blocks are the file's entries.
CREATE TABLE session(
  key     INTEGER PRIMARY KEY,
  id      TEXT NOT NULL,
  title   TEXT NOT NULL,
  started TEXT NOT NULL,
  branch  TEXT NOT NULL,
  head    TEXT NOT NULL         -- the commit at which it began
);
CREATE INDEX session_id ON session(id);

-- What beliefs and sessions cite: names in wikilinks, and for beliefs paths, "::" and a symbol, "commit-" and a sha.
CREATE TABLE citation(target TEXT NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (target, file)) WITHOUT ROWID;
CREATE INDEX citation_file ON citation(file);
