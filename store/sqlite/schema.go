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

// A Schema is what the tables of a database must be before anything else is read from it. Versions
// differ in it; each keeps its number where all find it, in a table that stays as it is.
type Schema struct {
	Of         string // what has this schema, as errors name it: "an index"
	Statements string // that make it
	Sum        string // SumOf(Statements), so that it need not be made to compare with
	Table      string // with the number of the version
	Version    string // a query of that number
	Number     int64  // of this version
}

// Rows of sqlite_schema, of which ours have fewer than 100: all in one, or one for each object.
const (
	allObjects = `SELECT group_concat(quote(name) || quote(type) || quote(tbl_name) || quote(rootpage) || quote(sql)) FROM (SELECT * FROM sqlite_schema LIMIT 100)`
	eachObject = `SELECT name, quote(type) || quote(tbl_name) || quote(rootpage) || quote(sql) FROM sqlite_schema LIMIT 100`
	oneObject  = `SELECT quote(type) || quote(tbl_name) || quote(sql) FROM sqlite_schema WHERE name = ? LIMIT 1`
)

// SumOf returns the SHA-256 of the schema that statements make in an empty database.
func SumOf(statements string) (string, error) {
	conn, err := made(statements)
	if err != nil {
		return "", err
	}
	sum, err := sumOf(conn)
	return sum, errors.Join(err, conn.Close())
}

func sumOf(conn *sqlite3.SQLiteConn) (string, error) {
	var rows string
	err := oneRow(conn, allObjects, &rows)
	sum := sha256.Sum256([]byte(rows))
	return hex.EncodeToString(sum[:]), err
}

// compare is an error unless a database has the schema, or that of another version.
func (s *Schema) compare(conn *sqlite3.SQLiteConn) error {
	if sum, err := sumOf(conn); err != nil || sum == s.Sum {
		return err
	}
	return s.judge(conn)
}

// judge says what another schema means. It is no error if another version has made it: who asks for
// the number is told. That stands in a table that all versions share, which must be one.
func (s *Schema) judge(conn *sqlite3.SQLiteConn) error {
	fresh, err := made(s.Statements)
	if err != nil {
		return err
	}
	defer func() { _ = fresh.Close() }()
	var have, want string
	if err := errors.Join(oneRow(conn, oneObject, &have, s.Table), oneRow(fresh, oneObject, &want, s.Table)); err != nil {
		return err
	}
	if have != want {
		return s.foreign(s.Table)
	}
	var number int64
	if err := oneRow(conn, s.Version, &number); err != nil || number != s.Number && number != 0 {
		return err
	}
	name, err := differing(conn, fresh)
	if err != nil {
		return err
	}
	return s.foreign(name)
}

func (s *Schema) foreign(object string) error {
	return damage{fmt.Errorf("its schema is not that of %s: %q", s.Of, object)}
}

// made opens a database in memory that statements have filled.
func made(statements string) (*sqlite3.SQLiteConn, error) {
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

// differing names the first object of either database that is not the other's.
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
