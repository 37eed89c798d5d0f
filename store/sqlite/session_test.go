package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"patina/store/sqlite"
)

// begin begins a session on a database with a table of three rows.
func begin(t testing.TB) (*sqlite.Session, *sql.DB) {
	t.Helper()
	path := database(t)
	writer := one(t, path, sqlite.Update(nil))
	_, err := writer.Exec("INSERT INTO t VALUES(1), ('two'), (NULL)")
	check(t, err)
	db := sqlite.Open(path, sqlite.Read(path, nil))
	t.Cleanup(func() { check(t, db.Close()) })
	s, err := sqlite.Begin(t.Context(), db)
	check(t, err)
	return s, writer
}

type (
	name   string
	number int
)

// Values come back as they went in.
func TestSessionValues(t *testing.T) {
	s, _ := begin(t)
	defer s.End()
	values := []any{
		7, int64(math.MinInt64), 2.5, true, "naïve\x00text", "",
		[]byte{0, 1},
		[]byte{},
		nil, name("n"),
		number(3),
		sql.NullString{String: "s", Valid: true},
	}
	var (
		i      int
		least  int64
		real   float64
		yes    bool
		text   string
		empty  = "not"
		blob   []byte
		none   []byte
		null   = sql.NullInt64{Int64: 1, Valid: true}
		called name
		nth    number
		raw    sql.RawBytes
	)
	rows, err := s.Query(t.Context(), "SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?", values...)
	check(t, err)
	if !rows.Next() {
		t.Fatal(rows.Err())
	}
	check(t, rows.Scan(&i, &least, &real, &yes, &text, &empty, &blob, &none, &null, &called, &nth, &raw))
	got := fmt.Sprintf("%v %v %v %v %q %q %v %v %v %v %v %s", i, least, real, yes, text, empty, blob, none, null,
		called, nth, raw)
	want := `7 -9223372036854775808 2.5 true "naïve\x00text" "" [0 1] [] {0 false} n 3 s`
	if got != want || none == nil {
		t.Errorf("%s, want %s", got, want)
	}
	if rows.Next() || rows.Err() != nil {
		t.Error("another row", rows.Err())
	}
	check(t, rows.Close())
	check(t, s.QueryRow(t.Context(), "SELECT 12, '13', 2.0").Scan(&text, &i, &nth))
	if text != "12" || i != 13 || nth != 2 {
		t.Errorf("converted: %q, %d, %d", text, i, nth)
	}
}

// A value that does not fit is an error. The error is ErrDamaged if the database is to blame.
func TestSessionErrors(t *testing.T) {
	s, _ := begin(t)
	defer s.End()
	var i int
	var b bool
	var small int8
	for query, to := range map[string]any{
		"SELECT 'x'": &i, "SELECT NULL": &i, "SELECT 2": &b, "SELECT 300": &small,
		"SELECT 1.5": &i, "SELECT 1": i,
	} {
		if err := s.QueryRow(t.Context(), query).Scan(to); !errors.Is(err, sqlite.ErrDamaged) {
			t.Errorf("%s into %T: %v", query, to, err)
		}
	}
	if err := s.QueryRow(t.Context(), "SELECT a FROM t WHERE a = 9").Scan(&i); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("no row: %v", err)
	}
	if err := s.QueryRow(t.Context(), "SELECT 1, 2").Scan(&i); err == nil {
		t.Error("two values into one place")
	}
	if _, err := s.Query(t.Context(), "SELECT ?"); err == nil {
		t.Error("a parameter without a value")
	}
	if _, err := s.Query(t.Context(), "SELECT ?", struct{}{}); err == nil {
		t.Error("a value that cannot be stored")
	}
	if _, err := s.Query(t.Context(), ""); err == nil {
		t.Error("no statement")
	}
	if _, err := s.Query(t.Context(), "SELECT none FROM t"); !errors.Is(sqlite.Explain(err), sqlite.ErrDamaged) {
		t.Errorf("no such column: %v", err)
	}
	if _, err := s.Query(t.Context(), "DELETE FROM t"); err == nil {
		t.Error("a reader has written")
	}
	check(t, s.QueryRow(t.Context(), "SELECT count(*) FROM t").Scan(&i))
	if i != 3 {
		t.Errorf("%d rows", i)
	}
}

// Queries may nest, even one query in itself, and more of them than a connection keeps.
func TestSessionNests(t *testing.T) {
	s, _ := begin(t)
	defer s.End()
	n := 0
	const query = "SELECT rowid FROM t ORDER BY rowid"
	outer, err := s.Query(t.Context(), query)
	check(t, err)
	for outer.Next() {
		inner, err := s.Query(t.Context(), query)
		check(t, err)
		for inner.Next() {
			n++
		}
		check(t, errors.Join(inner.Err(), inner.Close()))
	}
	check(t, errors.Join(outer.Err(), outer.Close(), outer.Close()))
	if n != 9 {
		t.Errorf("%d pairs of rows, want 9", n)
	}
	for i := range 200 {
		var got int
		check(t, s.QueryRow(t.Context(), fmt.Sprintf("SELECT %d", i%100)).Scan(&got))
		if got != i%100 {
			t.Errorf("SELECT %d: %d", i%100, got)
		}
	}
}

// A session sees one state until its end, whatever else runs in it.
func TestSessionSeesOneState(t *testing.T) {
	s, writer := begin(t)
	count := func() (n int) {
		check(t, s.QueryRow(t.Context(), "SELECT count(*) FROM t").Scan(&n))
		return n
	}
	before := count()
	_, err := writer.Exec("INSERT INTO t VALUES(4)")
	check(t, err)
	if n := count(); n != before {
		t.Errorf("%d rows, then %d", before, n)
	}
	left, err := s.Query(t.Context(), "SELECT a FROM t")
	check(t, err)
	if !left.Next() {
		t.Error("no row")
	}
	s.End() // a reader in the log would keep it
	if held := 1; writer.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&held, new(int), new(int)) != nil ||
		held != 0 {
		t.Error("an ended session holds the log")
	}
}

const unending = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "

// The end of a context ends its query, within a step and between two steps, and no other query.
func TestSessionStops(t *testing.T) {
	s, _ := begin(t)
	defer s.End()
	outer, err := s.Query(t.Context(), "SELECT rowid FROM t")
	check(t, err)
	n := 0
	for outer.Next() {
		n++
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		if _, err := s.Query(ctx, unending+"SELECT count(*) FROM c"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("an endless step: %v", err)
		}
		if _, err := s.Query(ctx, "SELECT 1"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after the deadline: %v", err)
		}
		cancel()
		ctx, cancel = context.WithCancel(t.Context())
		rows, err := s.Query(ctx, unending+"SELECT x FROM c")
		check(t, err)
		for i := 0; rows.Next(); i++ {
			if i == 10 {
				cancel()
			}
		}
		if !errors.Is(rows.Err(), context.Canceled) {
			t.Errorf("between rows: %v", rows.Err())
		}
		cancel()
	}
	if check(t, outer.Err()); n != 3 {
		t.Errorf("%d rows, want 3", n)
	}
}

// A connection whose query was stopped serves the next session.
func TestStoppedConnectionServesAgain(t *testing.T) {
	path := database(t)
	db := one(t, path, sqlite.Read(path, nil))
	for range 100 {
		ctx, cancel := context.WithCancel(t.Context())
		s, err := sqlite.Begin(ctx, db)
		check(t, err)
		go cancel() // before, during or after the end
		s.End()
		s, err = sqlite.Begin(t.Context(), db)
		check(t, err)
		var n int
		check(t, s.QueryRow(t.Context(), unending+"SELECT count(*) FROM (SELECT x FROM c LIMIT 2000)").Scan(&n))
		s.End()
		<-ctx.Done()
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sqlite.Begin(ended, db); !errors.Is(err, context.Canceled) {
		t.Errorf("begun after the end: %v", err)
	}
}

func BenchmarkQuery(b *testing.B) {
	s, _ := begin(b)
	defer s.End()
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	const query = "SELECT rowid, a FROM t WHERE rowid = ?"
	b.Run("session", func(b *testing.B) {
		for b.Loop() {
			check(b, s.QueryRow(ctx, query, 2).Scan(new(int), new(string)))
		}
	})
	b.Run("database/sql", func(b *testing.B) {
		for b.Loop() {
			check(b, s.Conn().QueryRowContext(ctx, query, 2).Scan(new(int), new(string)))
		}
	})
}
