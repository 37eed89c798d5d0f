-- Sums of what was written by people: a changed bit is an error, and never another text. Null: the
-- row is of before this migration, and is summed when the store is next opened (memory/sum.go).
ALTER TABLE memory ADD COLUMN sum INTEGER;
ALTER TABLE event ADD COLUMN sum INTEGER;
ALTER TABLE consolidation ADD COLUMN sum INTEGER;
ALTER TABLE consolidated ADD COLUMN sum INTEGER;

-- Links are derived, but an export holds them. Their sum needs no more than SQL.
ALTER TABLE similar ADD COLUMN sum INTEGER;
UPDATE similar SET sum = memory * 1000003 + other * 1009 + CAST(round(cosine * 1000) AS INTEGER);

-- Whether every row has its sum: then one without is damaged.
ALTER TABLE corpus ADD COLUMN summed INTEGER NOT NULL DEFAULT 0;
