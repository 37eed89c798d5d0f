-- Other words for what a memory is about, one a line.
ALTER TABLE memory ADD COLUMN aliases TEXT NOT NULL DEFAULT '';

-- A memory and those that were near when it was written.
CREATE TABLE similar(
  memory INTEGER NOT NULL REFERENCES memory(key) ON DELETE CASCADE,
  other  INTEGER NOT NULL REFERENCES memory(key) ON DELETE CASCADE,
  cosine REAL NOT NULL,
  PRIMARY KEY (memory, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX similar_other ON similar(other);

-- The memories whose near ones are to be found.
CREATE TABLE unlinked(
  memory INTEGER PRIMARY KEY REFERENCES memory(key) ON DELETE CASCADE
) STRICT;
INSERT INTO unlinked SELECT key FROM memory WHERE valid_to IS NULL;
