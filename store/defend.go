package store

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#include "defend.h"
*/
import "C"

import (
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// A database may have been put there by a stranger. So every connection is guarded as it is opened,
// before SQLite reads the schema (defend.c): defensive mode, no trusted schema, no views, no
// triggers, no attached databases, no value longer than longestValue, and no statement of more than
// a few milliseconds until the schema has been looked at. Then the rows of sqlite_schema are
// compared with those of a fresh index: a view or a trigger under the name of a table would answer
// instead of it.

// longestValue bounds what one planted row costs. The largest values of real indexes are far below
// it: the posting list of a word in each of a million chunks, which is the largest segment, has 2
// MiB, their groups and the packed calls of a file of 2 MiB have 4 MiB at most. The members of a
// view reach it with 134 million keys (maxKey).
const longestValue = C.PATINA_LENGTH

// schemaSum is the SHA-256 of the rows of sqlite_schema in a fresh index. TestSchemaSum says what
// it must be.
const schemaSum = "f667d31909ca56fba20afe765998b64868cfe20ab7e645d9c94c2aeddf0b3282"

func init() {
	if code := C.patina_defend(); code != 0 {
		panic(fmt.Sprintf("store: SQLite cannot be guarded: error %d", code))
	}
}

// selectSchema gives one row of all objects, eachObject a row of each. A fresh index has fewer than
// maxObjects.
const (
	selectSchema = `SELECT group_concat(quote(name) || quote(type) || quote(tbl_name) || quote(rootpage) || quote(sql)) FROM (SELECT * FROM sqlite_schema LIMIT 100)`
	eachObject   = `SELECT name, quote(type) || quote(tbl_name) || quote(rootpage) || quote(sql) FROM sqlite_schema LIMIT 100`
	selectMeta   = `SELECT quote(type) || quote(tbl_name) || quote(sql) FROM sqlite_schema WHERE name = 'meta' LIMIT 1`
	selectFormat = `SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'format'`
)

// A guard looks at the schema of the connections to one database that were just opened, and then
// lets them go on. It looks at the first of a pool; at another one only where SQLite says that the
// schema has changed since.
type guard struct {
	made    bool         // the database is being made: it has no schema yet
	version atomic.Int64 // of the schema that was looked at: 1 and more
}

func (g *guard) admit(conn *sqlite3.SQLiteConn) error {
	if g.made {
		return release(conn)
	}
	var version int64
	if err := oneRow(conn, `PRAGMA schema_version`, &version); err != nil {
		return err
	}
	if version <= 0 || g.version.Load() != version {
		if err := compareSchema(conn); err != nil {
			return err
		}
		g.version.Store(version)
	}
	return release(conn)
}

// compareSchema is an error unless the schema is that of an index, of this version or another.
func compareSchema(conn *sqlite3.SQLiteConn) error {
	var rows string
	if err := oneRow(conn, selectSchema, &rows); err != nil {
		return err
	}
	if sum := sha256.Sum256([]byte(rows)); hex.EncodeToString(sum[:]) != schemaSum {
		return judgeSchema(conn)
	}
	return nil
}

// release lets statements be long.
func release(conn *sqlite3.SQLiteConn) error {
	_, err := conn.Exec(`SELECT patina_released()`, nil)
	return err
}

// judgeSchema says what a schema that is not ours means. It is no error if another version of
// patina has made it: who asks for the format is told. That stands in a table that all versions
// share, which must be one.
func judgeSchema(conn *sqlite3.SQLiteConn) error {
	fresh, err := freshSchema()
	if err != nil {
		return err
	}
	defer func() { _ = fresh.Close() }()
	var meta, ours string
	var version int64
	if err := errors.Join(oneRow(conn, selectMeta, &meta), oneRow(fresh, selectMeta, &ours)); err != nil {
		return err
	}
	if meta != ours {
		return fmt.Errorf("its schema is not that of an index: %q: %w", "meta", ErrDamaged)
	}
	if err := oneRow(conn, selectFormat, &version); err != nil || version != format && version != 0 {
		return err
	}
	name, err := differing(conn, fresh)
	if err != nil {
		return err
	}
	return fmt.Errorf("its schema is not that of an index: %q: %w", name, ErrDamaged)
}

// freshSchema opens a database in memory that has the schema of a fresh index.
func freshSchema() (*sqlite3.SQLiteConn, error) {
	c, err := (&sqlite3.SQLiteDriver{}).Open(":memory:")
	if err != nil {
		return nil, err
	}
	conn := c.(*sqlite3.SQLiteConn)
	if _, err := conn.Exec(pageSize+";"+schema, nil); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// differing names the first object of either schema that is not the other's.
func differing(conn, fresh *sqlite3.SQLiteConn) (string, error) {
	have, err := objects(conn)
	if err != nil {
		return "", err
	}
	want, err := objects(fresh)
	if err != nil {
		return "", err
	}
	for i := range max(len(have), len(want)) {
		switch {
		case i >= len(have):
			return want[i][0], nil
		case i >= len(want) || have[i] != want[i]:
			return have[i][0], nil
		}
	}
	return "", nil
}

func objects(conn *sqlite3.SQLiteConn) (out [][2]string, err error) {
	rows, err := conn.Query(eachObject, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for row := make([]driver.Value, 2); ; {
		if err := rows.Next(row); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		out = append(out, [2]string{fmt.Sprint(row[0]), fmt.Sprint(row[1])})
	}
}

// oneRow reads the one value of a query into to, which keeps what it has if there is no row or the
// value is of another type.
func oneRow[T any](conn *sqlite3.SQLiteConn, query string, to *T) error {
	rows, err := conn.Query(query, nil)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	row := make([]driver.Value, 1)
	if err := rows.Next(row); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if v, ok := row[0].(T); ok {
		*to = v
	}
	return nil
}
