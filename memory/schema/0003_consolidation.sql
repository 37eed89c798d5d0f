-- The hash of what a memory is about, when it was written; empty for none.
ALTER TABLE memory ADD COLUMN ground TEXT NOT NULL DEFAULT '';

-- A run of consolidate that can be undone. Its events have the keys first to last.
CREATE TABLE consolidation(
  key      INTEGER PRIMARY KEY AUTOINCREMENT,
  id       TEXT NOT NULL UNIQUE,
  at       INTEGER NOT NULL,
  first    INTEGER NOT NULL,
  last     INTEGER NOT NULL,
  memories INTEGER NOT NULL -- it changed so many
) STRICT;

-- The memories that a run changed, as they were before.
CREATE TABLE consolidated(
  consolidation INTEGER NOT NULL REFERENCES consolidation(key) ON DELETE CASCADE,
  memory        INTEGER NOT NULL REFERENCES memory(key) ON DELETE CASCADE,
  was           TEXT NOT NULL, -- JSON, without its log
  PRIMARY KEY (consolidation, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX consolidated_memory ON consolidated(memory);
