-- What its user says of a repository, beside its index.
CREATE TABLE repository(
  project   INTEGER PRIMARY KEY REFERENCES project(key) ON DELETE CASCADE,
  name      TEXT NOT NULL,    -- that its user has given; empty: the project's
  url       TEXT NOT NULL,    -- that patina has cloned it from; empty: a folder of the user's own
  domains   TEXT NOT NULL,    -- one a line
  packages  TEXT NOT NULL,    -- names by which others depend on it, one a line
  languages TEXT NOT NULL,    -- of its code, most first, one a line
  added     INTEGER NOT NULL, -- seconds since 1970
  synced    INTEGER NOT NULL  -- when the index was last brought up to date by sync; 0: never
) STRICT;

-- What one repository has to do with another: a question asked in the first may follow it.
CREATE TABLE edge(
  key      INTEGER PRIMARY KEY AUTOINCREMENT,
  source   INTEGER NOT NULL REFERENCES project(key) ON DELETE CASCADE,
  target   INTEGER NOT NULL REFERENCES project(key) ON DELETE CASCADE,
  relation TEXT NOT NULL CHECK (relation IN ('USES', 'LEARNS_FROM', 'TESTS_WITH', 'SIBLING', 'DOMAIN')),
  weight   REAL NOT NULL CHECK (weight > 0 AND weight <= 1.5),
  evidence TEXT NOT NULL,    -- in the words of whoever made it
  made     INTEGER NOT NULL, -- seconds since 1970
  asked    INTEGER NOT NULL DEFAULT 0, -- questions that followed it
  shown    INTEGER NOT NULL DEFAULT 0, -- results shown because of it
  used     INTEGER NOT NULL DEFAULT 0, -- of those: opened, or marked good
  learned  INTEGER NOT NULL DEFAULT 0, -- of those shown: already in the weight
  UNIQUE (source, target, relation)
) STRICT;
CREATE INDEX edge_target ON edge(target);

-- How a weight came about.
CREATE TABLE weight(
  edge   INTEGER NOT NULL REFERENCES edge(key) ON DELETE CASCADE,
  time   INTEGER NOT NULL,
  weight REAL NOT NULL,
  cause  TEXT NOT NULL -- link, learn, forget
) STRICT;
CREATE INDEX weight_edge ON weight(edge, time);
