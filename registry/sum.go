package registry

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"patina/store/sqlite"
)

// mother.db keeps a sum of each of its tables. It is compared before each reading and each change,
// so that a flipped bit on the disk is an error and never a different answer. The first eight bytes
// of SHA-256 are enough, because the sum does not protect against somebody who can write the file.

// A summedTable is a table with a sum: the key that groups its rows, their order, and all its
// columns.
type summedTable struct{ name, key, order, columns string }

// summed lists the tables with a sum, among them those whose rows the records beside mother.db
// repeat.
var summed = []summedTable{
	{"project", "key", "key", "key id name root copied"},
	{"store", "project", "project, path", "project path inode secret anyone"},
	{"repository", "project", "project", "project name url domains packages languages added synced"},
	{"edge", "key", "key", "key source target relation weight evidence made asked shown used learned"},
	{"far", "project", "project", "project name"},
	{"weight", "rowid", "rowid", "edge time weight cause"},
}

// literalQuery returns a query for the rows of a table as SQL literals, with 4,096 keys in one
// text, because SQLite joins rows ten times faster than database/sql reads them.
func (t summedTable) literalQuery() string {
	literals := "quote(" + strings.Join(strings.Fields(t.columns), ") || ',' || quote(") + ")"
	return fmt.Sprintf("SELECT group_concat(%s, char(10) ORDER BY %s) FROM %s NOT INDEXED "+
		"GROUP BY %s >> 12 ORDER BY %s >> 12",
		literals, t.order, t.name, t.key, t.key)
}

// checkSums returns an error that wraps sqlite.ErrDamaged if a table is not as it was last written.
// A database without sums passes.
func checkSums(q querier) error {
	kept, err := keptSums(q)
	if err != nil || len(kept) == 0 {
		return err
	}
	for _, t := range summed {
		sum, err := sumOfRows(q, t.literalQuery())
		if err != nil {
			return err
		}
		if was, ok := kept[t.name]; !ok || was != sum {
			return fmt.Errorf("the table %s is not as it was written: %w", t.name, sqlite.ErrDamaged)
		}
	}
	return nil
}

// sealTables writes the sums of the tables as they are now.
func sealTables(tx *sql.Tx) error {
	for _, t := range summed {
		sum, err := sumOfRows(tx, t.literalQuery())
		if err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT INTO sums VALUES(?1, ?2)
			ON CONFLICT DO UPDATE SET sum = ?2 WHERE sum <> ?2`, t.name, sum)
		if err != nil {
			return sqlite.Explain(err)
		}
	}
	return nil
}

func keptSums(q querier) (map[string]int64, error) {
	rows, err := q.QueryContext(context.Background(), `SELECT name, sum FROM sums`)
	if err != nil {
		return nil, sqlite.Explain(err)
	}
	defer func() { _ = rows.Close() }()
	kept := map[string]int64{}
	for rows.Next() {
		var name string
		var sum int64
		if err := rows.Scan(&name, &sum); err != nil {
			return nil, sqlite.Explain(err)
		}
		kept[name] = sum
	}
	return kept, sqlite.Explain(rows.Err())
}

// sumOfRows returns the sum of the texts that a query returns.
func sumOfRows(q querier, query string) (int64, error) {
	rows, err := q.QueryContext(context.Background(), query)
	if err != nil {
		return 0, sqlite.Explain(err)
	}
	defer func() { _ = rows.Close() }()
	h := sha256.New()
	for rows.Next() {
		var text sql.RawBytes
		if err := rows.Scan(&text); err != nil {
			return 0, sqlite.Explain(err)
		}
		h.Write(text)
		h.Write([]byte{'\n'})
	}
	if err := rows.Err(); err != nil {
		return 0, sqlite.Explain(err)
	}
	return int64(binary.LittleEndian.Uint64(h.Sum(nil))), nil
}

// changeMother runs do in a transaction on mother.db, whose sums must agree before it and agree
// after it. An error of do is wrapped in own.
func changeMother(ctx context.Context, db *sql.DB, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return sqlite.Explain(err)
	}
	defer func() { _ = tx.Rollback() }()          // does nothing after a commit
	if err := sqlite.Check(ctx, tx); err != nil { // in a damaged index a row could be written twice
		return err
	}
	if err := checkSums(tx); err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return own{err}
	}
	if err := sealTables(tx); err != nil {
		return err
	}
	return sqlite.Explain(tx.Commit())
}

// own marks an error of a change, as opposed to an error of its database.
type own struct{ error }

func (o own) Unwrap() error { return o.error }

// ownOf returns the error of a change. It reports false for other errors, and for nil.
func ownOf(err error) (error, bool) {
	o, ok := errors.AsType[own](err)
	return o.error, ok
}
