package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"patina/store/sqlite"
)

// Rows that outlive their session end. They touch neither the query of the next session, which uses
// a compiled statement, nor a closed connection.
func TestRowsEndWithTheirSession(t *testing.T) {
	path := database(t)
	_, err := one(t, path, sqlite.Update(nil)).Exec("INSERT INTO t VALUES(1), (2), (3)")
	check(t, err)
	db := one(t, path, sqlite.Read(path, nil))
	const query = "SELECT rowid FROM t ORDER BY rowid"
	first, err := sqlite.Begin(t.Context(), db)
	check(t, err)
	left := firstOf(t, first, query)
	first.End()
	second, err := sqlite.Begin(t.Context(), db)
	check(t, err)
	rows := firstOf(t, second, query)
	if left.Next() || !errors.Is(left.Err(), sql.ErrConnDone) {
		t.Errorf("rows of an ended session go on: %v", left.Err())
	}
	if err := left.Scan(new(int)); !errors.Is(err, sql.ErrConnDone) {
		t.Errorf("a row of an ended session: %v", err)
	}
	check(t, left.Close())
	first.End() // a second time
	for want := 2; rows.Next(); want++ {
		var got int
		check(t, rows.Scan(&got))
		if got != want {
			t.Errorf("row %d, want %d", got, want)
		}
	}
	check(t, errors.Join(rows.Err(), rows.Close()))
	left = firstOf(t, second, query)
	second.End()
	check(t, db.Close())
	if err := left.Scan(new(int)); !errors.Is(err, sql.ErrConnDone) {
		t.Errorf("a row of a closed connection: %v", err)
	}
	check(t, left.Close())
	if _, err := second.Query(t.Context(), "SELECT 1"); !errors.Is(err, sql.ErrConnDone) {
		t.Errorf("a query of an ended session: %v", err)
	}
	if err := second.QueryRow(t.Context(), "SELECT 1").Scan(new(int)); !errors.Is(err, sql.ErrConnDone) {
		t.Errorf("a row of an ended session: %v", err)
	}
}

// firstOf runs a query and returns its rows, at the first one.
func firstOf(t *testing.T, s *sqlite.Session, query string) *sqlite.Rows {
	t.Helper()
	rows, err := s.Query(t.Context(), query)
	check(t, err)
	if !rows.Next() {
		t.Fatal("no row", rows.Err())
	}
	return rows
}

// A connection whose transaction could not be ended must serve nobody again, because it may still
// be in the transaction.
func TestConnectionThatCannotBeEndedIsClosed(t *testing.T) {
	path := database(t)
	db := one(t, path, sqlite.Read(path, nil))
	s, err := sqlite.Begin(t.Context(), db)
	check(t, err)
	_, err = s.Conn().ExecContext(t.Context(), "ROLLBACK")
	check(t, err)
	s.End()
	if n := db.Stats().OpenConnections; n != 0 {
		t.Errorf("%d connections are kept", n)
	}
	s, err = sqlite.Begin(t.Context(), db)
	check(t, err)
	s.End()
	if n := db.Stats().OpenConnections; n != 1 {
		t.Errorf("%d connections are kept of a session that ended well", n)
	}
}

// A connection that cannot even return its handle is an error.
func TestSessionThatCannotBegin(t *testing.T) {
	path := database(t)
	db := one(t, path, sqlite.Read(path, nil))
	c, err := db.Conn(t.Context())
	check(t, err)
	check(t, c.Raw(func(conn any) error {
		const sqlLength = 1 // SQLITE_LIMIT_SQL_LENGTH
		conn.(interface{ SetLimit(id, n int) int }).SetLimit(sqlLength, 4)
		return nil
	}))
	check(t, c.Close())
	if _, err := sqlite.Begin(t.Context(), db); err == nil {
		t.Error("a session has begun without a handle")
	}
	if n := db.Stats().InUse; n != 0 {
		t.Errorf("%d connections are still in use", n)
	}
}

// The end of a context stops no query that uses the connection under another context.
func TestEndedContextSparesTheConnection(t *testing.T) {
	s, _ := begin(t)
	defer s.End()
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := s.Query(ctx, unending+"SELECT count(*) FROM c"); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("an endless step: %v", err)
	}
	var n int
	const long = unending + "SELECT count(*) FROM (SELECT x FROM c LIMIT 20000)"
	check(t, s.Conn().QueryRowContext(t.Context(), long).Scan(&n))
	if n != 20000 {
		t.Errorf("%d rows", n)
	}
}

// If a context ends while a query is compiled, the error is the context's, too.
func TestCompilingEndsWithTheContext(t *testing.T) {
	s, _ := begin(t)
	defer s.End()
	// SQLite renames equal columns one after another, which takes long.
	columns := strings.TrimSuffix(strings.Repeat("1 AS a,", 1900), ",")
	for i := range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		query := fmt.Sprintf("SELECT count(*) FROM (SELECT %s) WHERE %d >= 0", columns, i)
		if err := s.QueryRow(ctx, query).Scan(new(int)); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("query %d: %v", i, err)
		}
	}
}

// The error names the fault in a query, even if SQLite has not noticed one.
func TestSessionSaysWhatIsWrong(t *testing.T) {
	s, _ := begin(t)
	defer s.End()
	for query, want := range map[string]string{"SELECT ?": "out of range", "": "", "SELECT nothing": "nothing"} {
		_, err := s.Query(t.Context(), query)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "not an error") {
			t.Errorf("%q: %v", query, err)
		}
	}
}
