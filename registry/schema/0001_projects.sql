-- A repository that this user has indexed. A key is never given twice, so that other tables may name
-- a project for good; outside of this file its id does.
CREATE TABLE project(
  key    INTEGER PRIMARY KEY AUTOINCREMENT,
  id     TEXT NOT NULL UNIQUE CHECK (length(id) = 16),
  name   TEXT NOT NULL, -- for display
  root   TEXT NOT NULL,
  copied TEXT NOT NULL  -- the state of projects/<id>/project.json that this row agrees with: copy.go
) STRICT;
CREATE INDEX project_root ON project(root);

-- Its indexes: the one beside the code, and those of --store.
CREATE TABLE store(
  project INTEGER NOT NULL REFERENCES project(key) ON DELETE CASCADE,
  path    TEXT NOT NULL,    -- absolute
  inode   INTEGER NOT NULL, -- of that folder
  secret  TEXT NOT NULL,    -- as the index keeps it; empty: of a version that knew none
  anyone  INTEGER NOT NULL, -- adopted from another user
  PRIMARY KEY (project, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX store_path ON store(path);
