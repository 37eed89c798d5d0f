package memory

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"slices"
	"strings"
	"time"

	"patina/store/sqlite"
)

// Each authored row has a sum. It is compared whenever the row is read, so that a flipped bit on
// the disk is an error and never a changed text. The first eight bytes of SHA-256 are enough,
// because the sum does not protect from an attacker who can write the file.

// A summer hashes values. Texts are hashed with their lengths, so that different rows never give
// the same bytes.
type summer struct{ h hash.Hash }

func newSummer() summer { return summer{sha256.New()} }

func (s summer) sumNumber(n int64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	s.h.Write(b[:])
}

func (s summer) sumText(t string) {
	s.sumNumber(int64(len(t)))
	s.h.Write([]byte(t))
}

func (s summer) sum() int64 { return int64(binary.LittleEndian.Uint64(s.h.Sum(nil))) }

// memorySum returns the sum of a stored memory.
func memorySum(m Memory) int64 {
	s := newSummer()
	for _, t := range []string{
		m.ID, m.Content, m.Type, m.Source, m.Session, m.Commit, m.Path, m.Symbol, m.SupersededBy,
		m.Origin, m.Ground,
	} {
		s.sumText(t)
	}
	s.sumText(strings.Join(m.Aliases, "\n"))
	s.sumText(strings.Join(slices.Sorted(slices.Values(m.Tags)), ","))
	s.sumNumber(int64(math.Float64bits(m.Confidence)))
	s.sumNumber(int64(boolToInt(m.Pinned)))
	s.sumNumber(m.Created.Unix())
	s.sumNumber(nullableEnd(m).Int64 * int64(boolToInt(!m.Current())))
	if m.Scope == ScopeUser { // the sums of a project's memories are older than scopes
		s.sumText(m.Scope)
	}
	return s.sum()
}

// sumOfEvent returns the sum of an event of a memory.
func sumOfEvent(id string, at int64, action, detail string) int64 {
	s := newSummer()
	s.sumText(id)
	s.sumNumber(at)
	s.sumText(action)
	s.sumText(detail)
	return s.sum()
}

// sumOfRun returns the sum of a consolidation.
func sumOfRun(id string, at, first, last, memories int64) int64 {
	s := newSummer()
	s.sumText(id)
	for _, n := range []int64{at, first, last, memories} {
		s.sumNumber(n)
	}
	return s.sum()
}

// sumOfText returns the sum of a memory stored for Undo.
func sumOfText(text string) int64 {
	s := newSummer()
	s.sumText(text)
	return s.sum()
}

// A keptSum is the stored sum of a row, and whether every row must have one.
type keptSum struct {
	sum    sql.NullInt64
	summed bool
}

// differs reports whether a row is damaged: it has another sum, or lacks a required one.
func (k keptSum) differs(sum int64) bool {
	return k.sum.Valid && k.sum.Int64 != sum || !k.sum.Valid && k.summed
}

// damageError returns the error for a damaged row. It wraps sqlite.ErrDamaged.
func damageError(what string) error {
	return fmt.Errorf("%s is not as it was written: %w", what, sqlite.ErrDamaged)
}

// sealMemory stores a memory's sum.
func sealMemory(ctx context.Context, tx *sql.Tx, id string) error {
	found, err := readSoundRows(ctx, tx, ` WHERE id = ?`, id)
	if err != nil || len(found) == 0 {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE memory SET sum = ? WHERE id = ?`, memorySum(found[0].Memory), id)
	return err
}

// sumAll adds sums to the rows that an older version wrote.
func sumAll(ctx context.Context, tx *sql.Tx) error {
	found, err := readSoundRows(ctx, tx, ` WHERE sum IS NULL`)
	if err != nil {
		return err
	}
	for _, r := range found {
		if _, err := tx.ExecContext(ctx, `UPDATE memory SET sum = ?
			WHERE id = ?`, memorySum(r.Memory), r.ID); err != nil {
			return err
		}
	}
	for _, table := range []struct {
		read, write string
		sum         func(key int64, texts [3]string, numbers [4]int64) int64
	}{
		{
			`SELECT e.key, 0, m.id, e.action, e.detail, e.at, 0, 0, 0 FROM event e JOIN memory m ON m.key = e.memory
				WHERE e.sum IS NULL`,
			`UPDATE event SET sum = ?1 WHERE key = ?2 AND ?3 = 0`,
			func(_ int64, t [3]string, n [4]int64) int64 { return sumOfEvent(t[0], n[0], t[1], t[2]) },
		},
		{
			`SELECT key, 0, id, '', '', at, first, last, memories FROM consolidation WHERE sum IS NULL`,
			`UPDATE consolidation SET sum = ?1 WHERE key = ?2 AND ?3 = 0`,
			func(_ int64, t [3]string, n [4]int64) int64 { return sumOfRun(t[0], n[0], n[1], n[2], n[3]) },
		},
		{
			`SELECT consolidation, memory, was, '', '', 0, 0, 0, 0 FROM consolidated WHERE sum IS NULL`,
			`UPDATE consolidated SET sum = ?1 WHERE consolidation = ?2 AND memory = ?3`,
			func(_ int64, t [3]string, _ [4]int64) int64 { return sumOfText(t[0]) },
		},
	} {
		type row struct{ key, second, sum int64 }
		var all []row
		found, err := tx.QueryContext(ctx, table.read)
		if err != nil {
			return err
		}
		for found.Next() {
			var r row
			var t [3]string
			var n [4]int64
			if err := found.Scan(&r.key, &r.second, &t[0], &t[1], &t[2], &n[0], &n[1], &n[2], &n[3]); err != nil {
				_ = found.Close()
				return err
			}
			r.sum = table.sum(r.key, t, n)
			all = append(all, r)
		}
		if err := found.Err(); err != nil {
			return err
		}
		for _, r := range all {
			if _, err := tx.ExecContext(ctx, table.write, r.sum, r.key, r.second); err != nil {
				return err
			}
		}
	}
	_, err = tx.ExecContext(ctx, `UPDATE corpus SET summed = 1`)
	return err
}

// A row is a memory with its stored sum.
type row struct {
	Memory
	kept keptSum
}

// readSoundRows returns the memories that meet a condition, damaged or not. With an error, it
// returns the rows read before it.
func readSoundRows(ctx context.Context, q querier, condition string, args ...any) (out []row, err error) {
	found, err := q.QueryContext(ctx, `SELECT `+columns+`, sum, (SELECT summed FROM corpus),
		coalesce((SELECT group_concat(tag) FROM tag WHERE memory = key), '') FROM memory`+condition, args...)
	if err != nil {
		return nil, sqlite.Explain(err)
	}
	defer func() { _ = found.Close() }()
	for found.Next() {
		var m row
		var created int64
		var end sql.NullInt64
		var tags, aliases string
		err := found.Scan(&m.ID, &m.Content, &m.Type, &m.Confidence, &m.Pinned, &m.Source, &m.Session, &m.Commit,
			&m.Path,
			&m.Symbol, &created, &end, &m.SupersededBy, &m.Origin, &m.Ground, &aliases, &m.Scope, &m.kept.sum,
			&m.kept.summed, &tags)
		if err != nil {
			return out, sqlite.Explain(err)
		}
		m.Created, m.Tags = time.Unix(created, 0).UTC(), []string{}
		if end.Valid {
			m.Ended = time.Unix(end.Int64, 0).UTC()
		}
		if aliases != "" {
			m.Aliases = strings.Split(aliases, "\n")
		}
		if tags != "" {
			m.Tags = strings.Split(tags, ",")
			slices.Sort(m.Tags)
		}
		out = append(out, m)
	}
	return out, sqlite.Explain(found.Err())
}
