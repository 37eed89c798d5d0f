-- A sum of all rows of each table: a changed bit is an error, and never another answer. No row: the
-- table is of before this migration, and is summed with the next change (registry/sum.go).
CREATE TABLE sums(
  name TEXT PRIMARY KEY, -- of a table
  sum  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
