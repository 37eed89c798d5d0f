package turns

import (
	"database/sql"
	"errors"
	"maps"
	"slices"

	"patina/store/text"
)

// writeSegment writes the index of some turns.
func writeSegment(tx *sql.Tx, key int64, rows []row) error {
	b := newBuilder(key, rows)
	_, err := tx.Exec(`INSERT INTO segment VALUES(?, ?, ?, ?, ?, ?, ?)`, key, len(b.lengths), b.words, b.keys,
		b.lengths, b.roles, encodeRuns(b.runs))
	if err != nil {
		return err
	}
	insert, err := tx.Prepare(`INSERT INTO posting VALUES(?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	defer func() { _ = insert.Close() }()
	var buffer []byte
	for _, w := range slices.Sorted(maps.Keys(b.lists)) {
		list := b.lists[w]
		buffer = text.EncodeList(list, buffer[:0])
		if _, err := insert.Exec(key, w, len(list), buffer); err != nil {
			return err
		}
	}
	return nil
}

// readRows returns the turns of a segment.
func readRows(tx *sql.Tx, segment int64) (out []row, err error) {
	rows, err := tx.Query(`SELECT key, source, role, line, at, text FROM turn WHERE segment = ?`, segment)
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.key, &r.source, &r.role, &r.line, &r.at, &r.text); err != nil {
			return nil, errors.Join(err, rows.Close())
		}
		out = append(out, r)
	}
	return out, errors.Join(rows.Err(), rows.Close())
}

// dropSegment deletes a segment. Its turns stay.
func dropSegment(tx *sql.Tx, key int64) error {
	_, err := tx.Exec(`DELETE FROM posting WHERE segment = ?`, key)
	if err == nil {
		_, err = tx.Exec(`DELETE FROM segment WHERE key = ?`, key)
	}
	return err
}

// rebuildSegment makes a segment of the turns that it still has.
func rebuildSegment(tx *sql.Tx, key int64) error {
	if err := dropSegment(tx, key); err != nil {
		return err
	}
	rows, err := readRows(tx, key)
	if err != nil || len(rows) == 0 {
		return err
	}
	return writeSegment(tx, key, rows)
}
