-- A repository that other machines answer for. Its project has no root and no index.
CREATE TABLE far(
  project INTEGER PRIMARY KEY REFERENCES project(key) ON DELETE CASCADE,
  name    TEXT NOT NULL UNIQUE -- on all machines: host/org/name, or one that was given to it
) STRICT;
-- The sum of a table without rows, unless no table has a sum yet (registry/sum.go).
INSERT INTO sums SELECT 'far', 1449310910991872227 WHERE EXISTS (SELECT 1 FROM sums);
