package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// Errors about a stranger's query.
var (
	// ErrForbidden reports that a query does more than read the sandbox's tables.
	ErrForbidden = errors.New("forbidden")
	// ErrLimit reports that a query, or the sandbox's content, reached a limit.
	ErrLimit = errors.New("limit reached")
)

const (
	longestQuery   = 64 << 10  // bytes
	longestAnswer  = 64 << 10  // bytes in one value
	longestPattern = 1000      // bytes in a LIKE or GLOB pattern
	largestSandbox = 256 << 20 // bytes in all tables together
	pageSize       = 4096
)

// Limits bound one query. Each must be positive.
type Limits struct {
	Steps int64         // of SQLite's virtual machine, counted by the thousand
	Time  time.Duration // from the start, including preparation
	Bytes int64         // by which SQLite's memory in the whole process may grow
	Rows  int           // rows that are returned; the query stops after one more
}

// A Sandbox runs queries by strangers. It is a database in memory with copies of the data that they
// may see, so no file can be reached from it. An authorizer permits only SELECTs on its tables with
// harmless functions; nothing can write, attach, set or load. A Sandbox must be used by one
// goroutine at a time, and must be closed.
type Sandbox struct {
	conn    *sqlite3.SQLiteConn
	tables  []string
	modules []string
}

// OpenSandbox runs statements, which must create the tables, and returns a sandbox that permits
// reading the named ones.
func OpenSandbox(statements string, tables []string) (*Sandbox, error) {
	conn, err := makeDatabase(Released + "; PRAGMA temp_store = MEMORY; " +
		fmt.Sprintf("PRAGMA page_size = %d; PRAGMA max_page_count = %d; ", pageSize, largestSandbox/pageSize) +
		statements)
	if err != nil {
		return nil, err
	}
	var modules string
	if err := oneRow(conn, `SELECT group_concat(lower(name), ' ') FROM pragma_module_list`, &modules); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return &Sandbox{conn, tables, strings.Fields(modules)}, nil
}

// Close frees the sandbox.
func (s *Sandbox) Close() error { return s.conn.Close() }

// Fill adds rows to a table. Each row must have as many values as the table has columns, of the
// types int, int64, float64, bool, string, []byte or nil. Fill stops at the first error among the
// rows, returns it, and leaves the table unchanged. The error wraps ErrLimit if the sandbox is
// full.
func (s *Sandbox) Fill(table string, columns int, rows iter.Seq2[[]any, error]) error {
	if _, err := s.conn.Exec(`BEGIN`, nil); err != nil {
		return err
	}
	err := s.insertRows(`INSERT INTO `+table+` VALUES(?`+strings.Repeat(", ?", columns-1)+`)`, columns, rows)
	end := `COMMIT`
	if err != nil {
		end = `ROLLBACK`
	}
	_, ended := s.conn.Exec(end, nil)
	var e sqlite3.Error
	if errors.As(err, &e) && e.Code == sqlite3.ErrFull {
		return fmt.Errorf("%w: %q is larger than %d MB", ErrLimit, table, largestSandbox>>20)
	}
	return errors.Join(err, ended)
}

func (s *Sandbox) insertRows(statement string, columns int, rows iter.Seq2[[]any, error]) error {
	prepared, err := s.conn.Prepare(statement)
	if err != nil {
		return err
	}
	defer func() { _ = prepared.Close() }()
	values := make([]driver.NamedValue, columns)
	for row, err := range rows {
		for i := range row {
			values[i] = driver.NamedValue{Ordinal: i + 1, Value: row[i]}
			if n, ok := row[i].(int); ok {
				values[i].Value = int64(n)
			}
		}
		if err == nil {
			_, err = prepared.(driver.StmtExecContext).ExecContext(context.Background(), values)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Reads lists the sandbox's tables that a query reads, without running it. The error may wrap
// ErrForbidden or ErrLimit. Otherwise it is about the query's text.
func (s *Sandbox) Reads(ctx context.Context, query string, l Limits) ([]string, error) {
	var read []string
	err := s.confined(l, query, func(g *gate, statement string) error {
		prepared, err := s.conn.PrepareContext(ctx, statement)
		if err == nil {
			err = prepared.Close()
		}
		read = g.read
		return err
	})
	return read, err
}

// A Table is the result of a query. Values are int64, float64, string, []byte or nil.
type Table struct {
	Columns []string
	Rows    [][]any
	More    bool // whether rows were left out
}

// Ask runs one query. The error is as for Reads, or from ctx.
//
// Besides the limit on steps, a timer interrupts the query, because SQLite counts steps by the
// thousand and a single step may compare long texts. The timer ends the query at its next row.
func (s *Sandbox) Ask(ctx context.Context, query string, l Limits) (t Table, err error) {
	timed, cancel := context.WithTimeout(ctx, l.Time)
	defer cancel()
	err = s.confined(l, query, func(_ *gate, statement string) error {
		rows, err := s.conn.QueryContext(timed, statement, nil)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		t.Columns = slices.Clone(rows.Columns())
		for {
			row := make([]driver.Value, len(t.Columns))
			switch err := rows.Next(row); {
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				return err
			case len(t.Rows) == l.Rows:
				t.More = true
				return nil
			}
			t.Rows = append(t.Rows, toAny(row))
		}
	})
	switch {
	case err == nil || errors.Is(err, ErrLimit) && ctx.Err() == nil:
		return t, err
	case ctx.Err() != nil:
		return t, ctx.Err()
	case timed.Err() != nil:
		return t, fmt.Errorf("%w: %s", ErrLimit, l.nameLimit(2))
	}
	return t, err
}

func toAny(row []driver.Value) []any {
	out := make([]any, len(row))
	for i, v := range row {
		out[i] = v
	}
	return out
}

// confined calls f with the query's one statement, within the limits and behind a gate.
func (s *Sandbox) confined(l Limits, query string, f func(g *gate, statement string) error) error {
	statement, err := singleStatement(query)
	if err != nil {
		return err
	}
	g := &gate{tables: s.tables, modules: s.modules}
	lengths := map[int]int{
		sqlite3.SQLITE_LIMIT_LENGTH: longestAnswer, sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: longestPattern,
	}
	for limit, n := range lengths {
		before := s.conn.SetLimit(limit, n)
		defer s.conn.SetLimit(limit, before)
	}
	bounds := []driver.Value{l.Steps, l.Time.Milliseconds(), l.Bytes}
	if _, err := s.conn.Exec(`SELECT patina_confine(?, ?, ?)`, bounds); err != nil {
		return err
	}
	s.conn.RegisterAuthorizer(g.authorize)
	err = f(g, statement)
	s.conn.RegisterAuthorizer(nil)
	var stopped int64
	if e := oneRow(s.conn, `SELECT patina_stopped()`, &stopped); e != nil {
		return errors.Join(err, e)
	}
	switch {
	case err == nil:
		return nil
	case stopped > 0:
		return fmt.Errorf("%w: %s", ErrLimit, l.nameLimit(stopped))
	case g.refused != "":
		return fmt.Errorf("%w: %s", ErrForbidden, g.refused)
	}
	return err
}

// nameLimit describes a limit by its number in defend.c.
func (l Limits) nameLimit(stopped int64) string {
	switch stopped {
	case 1:
		return fmt.Sprintf("it took over %d steps", l.Steps)
	case 2:
		return fmt.Sprintf("it ran for over %s", l.Time)
	}
	return fmt.Sprintf("it used over %d MB", l.Bytes>>20)
}

// singleStatement returns the one statement of a query. The error wraps ErrLimit if the query is
// too long, and ErrForbidden if it has another number of statements or does not read.
func singleStatement(query string) (string, error) {
	if len(query) > longestQuery {
		return "", fmt.Errorf("%w: the query has %d bytes, over %d", ErrLimit, len(query), longestQuery)
	}
	if strings.IndexByte(query, 0) >= 0 {
		return "", fmt.Errorf("%w: a NUL byte", ErrForbidden)
	}
	found := ""
	for query != "" {
		var statement string
		statement, query = cutStatement(query)
		switch {
		case statement == "":
		case found != "":
			return "", fmt.Errorf("%w: more than one statement", ErrForbidden)
		case !isSelect(statement):
			return "", fmt.Errorf("%w: anything but SELECT", ErrForbidden)
		default:
			found = statement
		}
	}
	if found == "" {
		return "", errors.New("the query is empty")
	}
	return found, nil
}
