package memory

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"patina/store/sqlite"
)

// ErrNoRun means that no consolidation has the id, or that it was already undone.
var ErrNoRun = errors.New("no such consolidation to undo")

// ErrChanged means that a consolidation cannot be undone because its memories have changed since.
var ErrChanged = errors.New("changed since")

// A Run is a consolidation that Undo can undo.
type Run struct {
	ID       string    `json:"id"`
	At       time.Time `json:"at"`
	Memories int       `json:"memories"` // number of changed memories
}

// Runs returns the consolidations, newest first.
func (s *Store) Runs(ctx context.Context) (out []Run, err error) {
	rows, err := s.db.QueryContext(ctx, `SELECT id, at, first, last, memories, sum, (SELECT summed FROM corpus)
		FROM consolidation ORDER BY key DESC`)
	if err != nil {
		return nil, sqlite.Explain(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var r Run
		var at, first, last int64
		var kept keptSum
		if err := rows.Scan(&r.ID, &at, &first, &last, &r.Memories, &kept.sum, &kept.summed); err != nil {
			return nil, sqlite.Explain(err)
		}
		if kept.differs(sumOfRun(r.ID, at, first, last, int64(r.Memories))) {
			return nil, damageError(fmt.Sprintf("consolidation %q", r.ID))
		}
		r.At = time.Unix(at, 0).UTC()
		out = append(out, r)
	}
	return out, sqlite.Explain(rows.Err())
}

// A Proposal is a pair of memories, of which one can replace the other.
type Proposal struct {
	Keep   string `json:"keep"` // its id
	Drop   string `json:"drop"`
	Kept   string `json:"keep_content"`
	Gone   string `json:"drop_content"`
	Reason string `json:"reason"`
	Likely bool   `json:"likely,omitempty"` // found by Likely, and less certain

	keep, drop Memory
}

// A Consolidation is the result of Propose or Consolidate.
type Consolidation struct {
	ID        string     `json:"id"` // empty for a dry run, or if there was nothing to do
	Proposals []Proposal `json:"proposals"`
	Rest      int        `json:"rest"` // proposals left for the next run
	// number of memories that were not compared with all those that have the same words
	Uncompared int `json:"uncompared"`
}

// maxApplied bounds the proposals of one run. Other writers must wait for it.
const maxApplied = 1000

// Consolidate lets one memory replace others that say the same. They are superseded, and it takes
// their tags and the highest confidence. Pinned memories are never superseded. A run is one
// transaction of at most 1,000 proposals, and Undo undoes it. Proposals whose memories are changed
// before the transaction are dropped. tell is called with the progress, and may be nil.
func (s *Store) Consolidate(ctx context.Context, tell func(done, total int)) (Consolidation, error) {
	plan, err := s.Propose(ctx, tell)
	if err != nil {
		return plan, err
	}
	return s.Apply(ctx, plan)
}

// Apply does what a plan proposes, as Consolidate does.
func (s *Store) Apply(ctx context.Context, plan Consolidation) (Consolidation, error) {
	if n := len(plan.Proposals); n > maxApplied {
		plan.Proposals, plan.Rest = plan.Proposals[:maxApplied], n-maxApplied
	}
	c := plan
	err := s.change(ctx, func(tx *sql.Tx) error {
		c = plan
		var err error
		if c.Proposals, err = dropOutdated(ctx, tx, plan.Proposals); err != nil || len(c.Proposals) == 0 {
			return err
		}
		c.ID = "c" + newID()[1:]
		return s.consolidate(ctx, tx, c)
	})
	return c, err
}

// dropOutdated returns the proposals whose memories have not changed since.
func dropOutdated(ctx context.Context, tx *sql.Tx, proposals []Proposal) ([]Proposal, error) {
	out := []Proposal{}
	still := func(m Memory) (bool, error) {
		found, err := listMemories(ctx, tx, ` WHERE id = ?`, m.ID)
		return len(found) == 1 && reflect.DeepEqual(found[0], m), err
	}
	for _, p := range proposals {
		keep, err := still(p.keep)
		if err != nil {
			return nil, err
		}
		drop, err := still(p.drop)
		if err != nil {
			return nil, err
		}
		if keep && drop {
			out = append(out, p)
		}
	}
	return out, nil
}

func (s *Store) consolidate(ctx context.Context, tx *sql.Tx, c Consolidation) error {
	was, is := map[string]Memory{}, map[string]Memory{}
	now := s.now().UTC()
	var order []string
	touch := func(m Memory) Memory {
		if had, ok := is[m.ID]; ok {
			return had
		}
		was[m.ID] = m
		order = append(order, m.ID)
		return m
	}
	first, err := lastEvent(ctx, tx)
	if err != nil {
		return err
	}
	for _, p := range c.Proposals {
		keep, drop := touch(p.keep), touch(p.drop)
		if keep.Tags, err = cleanTags(slices.Concat(keep.Tags, drop.Tags)); err != nil {
			return err
		}
		if keep.Aliases, err = cleanAliases(slices.Concat(keep.Aliases, drop.Aliases)); err != nil {
			return err
		}
		keep.Confidence = max(keep.Confidence, drop.Confidence)
		drop.Ended, drop.SupersededBy = now, keep.ID
		is[keep.ID], is[drop.ID] = keep, drop
		if err := noteEvent(ctx, tx, keep.ID, now, "consolidated",
			c.ID+": stands for "+drop.ID+", "+p.Reason); err != nil {
			return err
		}
		if err := noteEvent(ctx, tx, drop.ID, now, "superseded", keep.ID+", by "+c.ID); err != nil {
			return err
		}
	}
	for _, id := range order {
		if err := rewriteMemory(ctx, tx, is[id]); err != nil {
			return err
		}
	}
	last, err := lastEvent(ctx, tx)
	if err != nil {
		return err
	}
	return recordUndo(ctx, tx, c.ID, now.Unix(), first+1, last, was)
}

// recordUndo stores the data for Undo.
func recordUndo(ctx context.Context, tx *sql.Tx, id string, at, first, last int64, was map[string]Memory) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO consolidation(id, at, first, last, memories, sum)
		VALUES(?, ?, ?, ?, ?, ?)`,
		id, at, first, last, len(was), sumOfRun(id, at, first, last, int64(len(was))))
	if err != nil {
		return err
	}
	for _, m := range was {
		b, err := json.Marshal(m)
		if err == nil {
			_, err = tx.ExecContext(ctx, `INSERT INTO consolidated SELECT
				(SELECT key FROM consolidation WHERE id = ?), key, ?, ? FROM memory WHERE id = ?`, id, string(b), sumOfText(string(b)), m.ID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func lastEvent(ctx context.Context, tx *sql.Tx) (n int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT coalesce(max(key), 0) FROM event`).Scan(&n)
	return n, err
}

// Undo undoes a consolidation: its memories get their former state and history. It returns their
// number. It returns ErrNoRun if there is no such consolidation, and ErrChanged if one of the
// memories was changed or removed since. Then nothing is changed.
func (s *Store) Undo(ctx context.Context, id string) (n int, err error) {
	err = s.change(ctx, func(tx *sql.Tx) error {
		var key, at, first, last int64
		var kept keptSum
		err := tx.QueryRowContext(ctx, `SELECT key, at, first, last, memories, sum, (SELECT summed FROM corpus)
			FROM consolidation WHERE id = ?`, id).
			Scan(&key, &at, &first, &last, &n, &kept.sum, &kept.summed)
		if errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("%w: %q", ErrNoRun, id)
		}
		if err == nil && kept.differs(sumOfRun(id, at, first, last, int64(n))) {
			err = damageError(fmt.Sprintf("consolidation %q", id))
		}
		if err != nil {
			return err
		}
		was, err := readFormer(ctx, tx, key)
		if err != nil {
			return err
		}
		if len(was) != n {
			return fmt.Errorf("undo %q: a memory was removed, %w", id, ErrChanged)
		}
		return restoreFormer(ctx, tx, id, was, first, last)
	})
	return n, err
}

func readFormer(ctx context.Context, tx *sql.Tx, key int64) (was []Memory, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT was, sum, (SELECT summed FROM corpus) FROM consolidated
		WHERE consolidation = ? ORDER BY memory`, key)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var b []byte
		var m Memory
		var kept keptSum
		if err := rows.Scan(&b, &kept.sum, &kept.summed); err != nil {
			return nil, err
		}
		if kept.differs(sumOfText(string(b))) {
			return nil, damageError("what a consolidation keeps")
		}
		if err := json.Unmarshal(b, &m); err != nil {
			return nil, err
		}
		was = append(was, m)
	}
	return was, sqlite.Explain(rows.Err())
}

func restoreFormer(ctx context.Context, tx *sql.Tx, id string, was []Memory, first, last int64) error {
	for _, m := range was {
		var changed bool
		err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM event WHERE key > ? AND memory = (SELECT key
			FROM memory WHERE id = ?))`,
			last, m.ID).Scan(&changed)
		if err == nil && changed {
			err = fmt.Errorf("undo %q: memory %q was %w", id, m.ID, ErrChanged)
		}
		if err == nil {
			err = rewriteMemory(ctx, tx, m)
		}
		if err != nil {
			return err
		}
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM event WHERE key BETWEEN ? AND ?`, first, last)
	if err == nil {
		_, err = tx.ExecContext(ctx, `DELETE FROM consolidation WHERE id = ?`, id)
	}
	return err
}
