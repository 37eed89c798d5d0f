package memory

import (
	"context"
	"database/sql"
	"fmt"
	"math"

	"patina/store/doc"
	"patina/store/sqlite"
)

// The least cosine of similar memories. It does not say whether they agree.
const (
	similarFrom = .7
	maxSimilar  = 20
	linkBatch   = 500 // memories linked by one call; each is compared with all
)

// A Likeness is a memory similar to another one.
type Likeness struct {
	ID     string  `json:"id"`
	Cosine float64 `json:"cosine"`
}

// Link makes the missing vectors, and links the memories written since the last call to similar
// ones. After a large import some are left for the next calls.
func (s *Store) Link(ctx context.Context, model doc.BatchEmbedder) error {
	if err := s.Embed(ctx, model); err != nil {
		return err
	}
	keys, err := readIntegers(ctx, s.db, `SELECT memory FROM unlinked ORDER BY memory LIMIT ?`, linkBatch)
	if err != nil || len(keys) == 0 {
		return sqlite.Explain(err)
	}
	found := map[int64][]near{}
	for _, key := range keys {
		if found[key], err = s.nearTo(ctx, model, key); err != nil {
			return sqlite.Explain(err)
		}
	}
	return s.change(ctx, func(tx *sql.Tx) error {
		for _, key := range keys {
			for _, n := range found[key] {
				if err := linkPair(ctx, tx, key, n); err != nil {
					return err
				}
			}
			if _, err := tx.ExecContext(ctx, `DELETE FROM unlinked WHERE memory = ?`, key); err != nil {
				return err
			}
		}
		return nil
	})
}

// nearTo returns the current memories that are similar to one, the nearest first.
func (s *Store) nearTo(ctx context.Context, model doc.BatchEmbedder, key int64) (out []near, err error) {
	m, err := listMemories(ctx, s.db, ` WHERE key = ? AND valid_to IS NULL`, key)
	if err != nil || len(m) == 0 {
		return nil, err
	}
	allowed, err := s.allowed(ctx, Filter{})
	if err != nil {
		return nil, err
	}
	v, err := vectorOf(ctx, model, m[0])
	if err != nil {
		return nil, err
	}
	found, err := s.nearestMemories(ctx, model, v, 2*maxSimilar, allowed)
	for _, n := range found {
		if n.cosine >= similarFrom && n.key != key && len(out) < maxSimilar {
			out = append(out, n)
		}
	}
	return out, err
}

// linkPair stores a link, unless it is stored in the other direction. It does nothing if a memory
// no longer exists.
func linkPair(ctx context.Context, tx *sql.Tx, key int64, n near) error {
	_, err := tx.ExecContext(ctx,
		`INSERT OR IGNORE INTO similar SELECT ?1, ?2, ?3, ?1 * 1000003 + ?2 * 1009 + CAST(round(?3 * 1000) AS INTEGER)
		WHERE (SELECT count(*) FROM memory WHERE key IN (?1, ?2)) = 2
		AND NOT EXISTS (SELECT 1 FROM similar WHERE memory = ?2 AND other = ?1)`,
		key, n.key, math.Round(n.cosine*1000)/1000)
	return err
}

// unlinkMemory removes the links of a memory whose text has changed, and marks it to be linked
// again.
func unlinkMemory(ctx context.Context, tx *sql.Tx, key int64) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM similar WHERE memory = ?1 OR other = ?1`, key)
	if err == nil {
		_, err = tx.ExecContext(ctx, `INSERT OR IGNORE INTO unlinked VALUES(?)`, key)
	}
	return err
}

// Similar returns the current memories similar to one, the nearest first. It reads the stored
// links. For a memory not yet linked it computes them, unless model is nil.
func (s *Store) Similar(ctx context.Context, model doc.BatchEmbedder, m Memory) ([]Likeness, error) {
	var key int64
	var waits bool
	err := s.db.QueryRowContext(ctx, `SELECT key, key IN (SELECT memory FROM unlinked) FROM memory
		WHERE id = ?`, m.ID).Scan(&key, &waits)
	if err != nil {
		return nil, sqlite.Explain(err)
	}
	if !waits {
		return readLikenesses(ctx, s.db, `SELECT id, cosine, sound FROM (SELECT other AS key, cosine, `+soundLink+
			` AS sound FROM similar WHERE memory = ?1
			UNION ALL SELECT memory, cosine, `+soundLink+` FROM similar WHERE other = ?1) JOIN memory USING (key)
			WHERE valid_to IS NULL ORDER BY cosine DESC, id LIMIT ?2`, key, maxSimilar)
	}
	if model == nil {
		return nil, nil
	}
	found, err := s.nearTo(ctx, model, key)
	if err != nil {
		return nil, sqlite.Explain(err)
	}
	var out []Likeness
	for _, n := range found {
		other, err := listMemories(ctx, s.db, ` WHERE key = ?`, n.key)
		if err != nil {
			return nil, err
		}
		if len(other) > 0 {
			out = append(out, Likeness{other[0].ID, n.cosine})
		}
	}
	return out, nil
}

// linksOf returns the links stored with a memory, for an export.
func linksOf(ctx context.Context, q querier, id string) ([]Likeness, error) {
	return readLikenesses(ctx, q, `SELECT other.id, cosine, `+soundLink+
		` FROM memory JOIN similar ON similar.memory = memory.key
		JOIN memory AS other ON other.key = similar.other WHERE memory.id = ? ORDER BY other.id`, id)
}

// relinkExported stores the links of an export, if both memories exist.
func relinkExported(ctx context.Context, tx *sql.Tx, m Memory) error {
	for _, n := range m.Similar {
		_, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO similar
			SELECT a.key, b.key, ?1, a.key * 1000003 + b.key * 1009 + CAST(round(?1 * 1000) AS INTEGER) FROM memory AS a, memory AS b
			WHERE a.id = ?2 AND b.id = ?3 AND a.key != b.key
			AND NOT EXISTS (SELECT 1 FROM similar WHERE memory = b.key AND other = a.key)`, math.Round(n.Cosine*1000)/1000, m.ID, n.ID)
		if err != nil {
			return err
		}
	}
	return nil
}

// soundLink is an SQL expression that is true for a link that is not damaged.
const soundLink = `similar.sum IS similar.memory * 1000003 + similar.other * 1009 + CAST(round(similar.cosine * 1000) AS INTEGER)`

func readLikenesses(ctx context.Context, q querier, query string, args ...any) (out []Likeness, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, sqlite.Explain(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var n Likeness
		var sound bool
		if err := rows.Scan(&n.ID, &n.Cosine, &sound); err != nil {
			return nil, sqlite.Explain(err)
		}
		if !sound {
			return nil, damageError(fmt.Sprintf("a link to memory %q", n.ID))
		}
		n.Cosine = math.Round(n.Cosine*1000) / 1000 // the sum covers only three digits
		out = append(out, n)
	}
	return out, sqlite.Explain(rows.Err())
}
