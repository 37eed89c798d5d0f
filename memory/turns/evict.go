package turns

import (
	"database/sql"
	"errors"
	"maps"
	"math"
	"slices"
)

// evict deletes the oldest sessions if the texts exceed the limit, until they are a tenth below it.
// Their sources stay, so that they are not read again. If the last session alone is too large, its
// oldest turns go.
func (in *ingestion) evict() error {
	var bytes int64
	if err := in.tx.QueryRow(`SELECT bytes FROM total`).Scan(&bytes); err != nil || bytes <= in.limit {
		return err
	}
	target := in.limit - in.limit/10
	rows, err := in.tx.Query(`SELECT key, bytes FROM source WHERE bytes > 0 ORDER BY ended, key`)
	if err != nil {
		return err
	}
	var old []int64
	var last, size int64
	for bytes > target && rows.Next() {
		if err := rows.Scan(&last, &size); err != nil {
			return errors.Join(err, rows.Close())
		}
		old = append(old, last)
		bytes -= size
	}
	isLast := !rows.Next()
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return err
	}
	upto := int64(math.MaxInt64)
	if isLast && len(old) > 0 { // of the last session the newest turns stay
		if len(old) > 1 {
			n, err := deleteTurns(in.tx, old[:len(old)-1], upto)
			if in.report.Dropped += n; err != nil {
				return err
			}
		}
		old = old[len(old)-1:]
		err = in.tx.QueryRow(`SELECT coalesce(max(key), 0) FROM (SELECT key, sum(length(CAST(text AS BLOB)))
			OVER (ORDER BY key DESC) AS size FROM turn WHERE source = ?) WHERE size > ?`, last, target).Scan(&upto)
		if err != nil {
			return err
		}
	}
	n, err := deleteTurns(in.tx, old, upto)
	in.report.Dropped += n
	return err
}

// deleteTurns deletes the turns of sources with keys up to one, and makes their segments anew.
func deleteTurns(tx *sql.Tx, sources []int64, upto int64) (n int, err error) {
	touched := map[int64]bool{}
	for _, source := range sources {
		if err := segmentsOf(tx, source, touched); err != nil {
			return n, err
		}
		var bytes, turns int64
		err := tx.QueryRow(`SELECT coalesce(sum(length(CAST(text AS BLOB))), 0), count(*) FROM turn
			WHERE source = ? AND key <= ?`, source, upto).Scan(&bytes, &turns)
		if err == nil {
			_, err = tx.Exec(`DELETE FROM turn WHERE source = ? AND key <= ?`, source, upto)
		}
		if err == nil {
			_, err = tx.Exec(`UPDATE total SET bytes = bytes - ?, turns = turns - ?`, bytes, turns)
		}
		if err == nil {
			_, err = tx.Exec(`UPDATE source SET bytes = bytes - ? WHERE key = ?`, bytes, source)
		}
		if err != nil {
			return n, err
		}
		n += int(turns)
	}
	for _, key := range slices.Sorted(maps.Keys(touched)) {
		if err := rebuildSegment(tx, key); err != nil {
			return n, err
		}
	}
	return n, nil
}

// segmentsOf adds the segments with turns of a source to a set.
func segmentsOf(tx *sql.Tx, source int64, touched map[int64]bool) error {
	rows, err := tx.Query(`SELECT DISTINCT segment FROM turn WHERE source = ?`, source)
	if err != nil {
		return err
	}
	for rows.Next() {
		var key int64
		if err := rows.Scan(&key); err != nil {
			return errors.Join(err, rows.Close())
		}
		touched[key] = true
	}
	return errors.Join(rows.Err(), rows.Close())
}
