package sqlite

import (
	"crypto/sha256"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// A Schema describes the tables that a database must have before anything else is read. Each
// version of the program has its own. All versions keep their number in the same table.
type Schema struct {
	Of         string // the database, in errors: "an index"
	Statements string // that create the schema
	Sum        string // SumOf(Statements), precomputed
	Table      string // the table with the version's number
	Version    string // the query for that number
	Number     int64  // the number of this version
}

// Queries for the rows of sqlite_schema: all in one value, or one row for each object. Our schemas
// have fewer than 100 objects.
const (
	allObjects = `SELECT group_concat(quote(name) || quote(type) || quote(tbl_name) || quote(rootpage) || quote(sql)) FROM (SELECT * FROM sqlite_schema LIMIT 100)`
	eachObject = `SELECT name, quote(type) || quote(tbl_name) || quote(rootpage) || quote(sql) FROM sqlite_schema LIMIT 100`
	oneObject  = `SELECT quote(type) || quote(tbl_name) || quote(sql) FROM sqlite_schema WHERE name = ? LIMIT 1`
)

// SumOf returns the SHA-256, in hexadecimal, of the schema that statements create in an empty
// database.
func SumOf(statements string) (string, error) {
	conn, err := makeDatabase(statements)
	if err != nil {
		return "", err
	}
	sum, err := schemaSum(conn)
	return sum, errors.Join(err, conn.Close())
}

func schemaSum(conn *sqlite3.SQLiteConn) (string, error) {
	var rows string
	err := oneRow(conn, allObjects, &rows)
	sum := sha256.Sum256([]byte(rows))
	return hex.EncodeToString(sum[:]), err
}

// compareWith returns an error unless a database has this schema, or that of another version.
func (s *Schema) compareWith(conn *sqlite3.SQLiteConn) error {
	if sum, err := schemaSum(conn); err != nil || sum == s.Sum {
		return err
	}
	return s.judge(conn)
}

// judge decides about a different schema. That of another version is accepted, because the caller
// must be able to read its number. The shared table with the number must be exactly ours. Otherwise
// the error wraps ErrDamaged.
func (s *Schema) judge(conn *sqlite3.SQLiteConn) error {
	fresh, err := makeDatabase(s.Statements)
	if err != nil {
		return err
	}
	defer func() { _ = fresh.Close() }()
	var have, want string
	if err := errors.Join(oneRow(conn, oneObject, &have, s.Table),
		oneRow(fresh, oneObject, &want, s.Table)); err != nil {
		return err
	}
	if have != want {
		return s.foreignError(s.Table)
	}
	var number int64
	if err := oneRow(conn, s.Version, &number); err != nil || number != s.Number && number != 0 {
		return err
	}
	name, err := firstDifference(conn, fresh)
	if err != nil {
		return err
	}
	return s.foreignError(name)
}

func (s *Schema) foreignError(object string) error {
	return damage{fmt.Errorf("its schema is not that of %s: %q", s.Of, object)}
}

// makeDatabase runs statements on a new database in memory. The caller must close it.
func makeDatabase(statements string) (*sqlite3.SQLiteConn, error) {
	c, err := (&sqlite3.SQLiteDriver{}).Open(":memory:")
	if err != nil {
		return nil, err
	}
	conn := c.(*sqlite3.SQLiteConn)
	if _, err := conn.Exec(statements, nil); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// firstDifference returns the name of the first object that differs between the databases, "" if
// there is no difference.
func firstDifference(conn, fresh *sqlite3.SQLiteConn) (string, error) {
	have, err := listObjects(conn)
	if err != nil {
		return "", err
	}
	want, err := listObjects(fresh)
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

func listObjects(conn *sqlite3.SQLiteConn) (out [][2]string, err error) {
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

// oneRow reads the single value of a query into to. Without a row, or with a value of another type,
// *to is unchanged.
func oneRow[T any](conn *sqlite3.SQLiteConn, query string, to *T, values ...driver.Value) error {
	rows, err := conn.Query(query, values)
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
