package sqlite

/*
#cgo noescape patina_prepare
#cgo nocallback patina_prepare
#cgo noescape patina_first
#cgo nocallback patina_first
#cgo nocallback patina_next
#cgo nocallback patina_rest
#include "session.h"
*/
import "C"

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"sync"
	"syscall"
	"unsafe"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// A question about an index makes some sixty small queries. Through database/sql each takes 10 µs,
// mostly because a goroutine waits for the end of the context. A Session calls SQLite directly and
// watches a context once for all queries under it, which takes 3 µs (BenchmarkQuery).

// A Session is a connection of a pool, with a read transaction. It must be used by one goroutine at
// a time, and must be ended with End.
type Session struct {
	conn *sql.Conn
	of   *connection // nil before the beginning and after the end

	arguments []C.patina_argument // of the last query, with their bytes
	bytes     []byte

	watched <-chan struct{} // done channel of the context that stops queries; nil: no context
	unwatch func() bool
	mu      sync.Mutex
	watch   int // number of the watch; a context that ends late must stop nothing
}

// Begin takes a connection from db and begins a transaction, which sees the database as of its
// first query. db must come from Open.
func Begin(ctx context.Context, db *sql.DB) (*Session, error) {
	c, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	s := &Session{conn: c}
	err = c.Raw(func(conn any) error {
		of := conn.(*connection)
		if err := of.takeHandle(); err != nil {
			return err
		}
		s.of = of
		return nil
	})
	if err == nil {
		err = s.runStatement(ctx, "BEGIN")
	}
	if err != nil {
		s.giveBack()
		return nil, err
	}
	return s, nil
}

// End ends the transaction with all queries in it, and returns the connection to the pool. Rows
// that are still open end with sql.ErrConnDone. A second call does nothing.
func (s *Session) End() {
	if s.of == nil {
		return
	}
	s.of.endRunning()
	if s.runStatement(context.Background(), "ROLLBACK") != nil {
		// The connection may still be in its transaction. It is closed, because its next user could
		// not begin another.
		_ = s.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
	s.giveBack()
}

// giveBack returns the connection to the pool.
func (s *Session) giveBack() {
	s.unfollow()
	s.of = nil
	_ = s.conn.Close()
}

// Conn returns the session's connection, for rare queries through database/sql. Callers must call
// Conn again for each use, because the context of an earlier query could stop the new one
// otherwise.
func (s *Session) Conn() *sql.Conn {
	s.unfollow()
	return s.conn
}

func (s *Session) runStatement(ctx context.Context, statement string) error {
	rows, err := s.Query(ctx, statement)
	if err != nil {
		return err
	}
	return rows.Close()
}

// stopWith makes the end of ctx stop queries, instead of the end of another context.
func (s *Session) stopWith(ctx context.Context) {
	s.unfollow()
	this, handle := s.watch, s.of.handle
	s.watched = ctx.Done()
	s.unwatch = context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.watch == this {
			C.patina_stop(handle, 1)
		}
	})
}

// unfollow stops following a context.
func (s *Session) unfollow() {
	if s.unwatch != nil && !s.unwatch() { // it has ended, or is just ending
		s.mu.Lock()
		s.watch++
		C.patina_stop(s.of.handle, 0)
		s.mu.Unlock()
	}
	s.watched, s.unwatch = nil, nil
}

// followed follows ctx if it can end, and returns its error.
func (s *Session) followed(ctx context.Context) error {
	switch done := ctx.Done(); {
	case done == s.watched:
	case done == nil:
		s.unfollow()
	default:
		s.stopWith(ctx)
	}
	return ctx.Err()
}

// Query runs a query. The rows must be closed, or read to their end. The error is sql.ErrConnDone
// after End, and ctx's error if ctx has ended.
func (s *Session) Query(ctx context.Context, query string, values ...any) (*Rows, error) {
	if s.of == nil {
		return nil, sql.ErrConnDone
	}
	if err := s.followed(ctx); err != nil {
		return nil, err
	}
	x, err := s.of.statement(ctx, query)
	if err != nil {
		return nil, err
	}
	if err := s.marshal(values); err != nil {
		return nil, err
	}
	x.busy = true
	r := &Rows{session: s, ctx: ctx, of: x, first: true}
	code := C.patina_first(x.c, unsafe.SliceData(s.arguments), C.int(len(s.arguments)),
		(*C.char)(unsafe.Pointer(unsafe.SliceData(s.bytes))))
	if !r.stepped(code) && r.err != nil {
		return nil, r.err
	}
	return r, nil
}

// QueryRow runs a query for one row. Errors are returned by the row's Scan.
func (s *Session) QueryRow(ctx context.Context, query string, values ...any) *Row {
	rows, err := s.Query(ctx, query, values...)
	return &Row{rows, err}
}

// marshal writes the values of a query's parameters where SQLite reads them. It returns an error if
// a value has a type that database/sql does not accept.
func (s *Session) marshal(values []any) error {
	s.arguments, s.bytes = s.arguments[:0], s.bytes[:0]
	for i, v := range values {
		switch v.(type) {
		case nil, int64, float64, bool, string, []byte:
		case int:
		default:
			var err error
			if v, err = driver.DefaultParameterConverter.ConvertValue(v); err != nil {
				return fmt.Errorf("parameter %d: %w", i+1, err)
			}
		}
		a := C.patina_argument{_type: C.PATINA_NULL}
		switch v := v.(type) {
		case int64:
			a._type, a.integer = C.PATINA_INTEGER, C.longlong(v)
		case int:
			a._type, a.integer = C.PATINA_INTEGER, C.longlong(v)
		case bool:
			a._type = C.PATINA_INTEGER
			if v {
				a.integer = 1
			}
		case float64:
			a._type, a.real = C.PATINA_REAL, C.double(v)
		case string:
			a._type, a.integer, a.length = C.PATINA_TEXT, C.longlong(len(s.bytes)), C.int(len(v))
			s.bytes = append(s.bytes, v...)
		case []byte:
			if v != nil {
				a._type, a.integer, a.length = C.PATINA_BLOB, C.longlong(len(s.bytes)), C.int(len(v))
				s.bytes = append(s.bytes, v...)
			}
		case nil:
		default:
			return fmt.Errorf("parameter %d: a %T cannot be stored", i+1, v)
		}
		s.arguments = append(s.arguments, a)
	}
	return nil
}

// Rows are the rows of a query. Next must be called before the first one. They must be used by one
// goroutine at a time.
type Rows struct {
	session *Session
	ctx     context.Context
	of      *statement // nil at the end, and when closed
	first   bool       // whether the first row was read already
	err     error
}

// Next goes to the next row. It returns false after the last row and after an error; Err tells them
// apart.
func (r *Rows) Next() bool {
	r.lapse()
	if r.first {
		r.first = false
		return r.of != nil
	}
	if r.of == nil {
		return false
	}
	if err := r.session.followed(r.ctx); err != nil {
		r.endRun(err)
		return false
	}
	return r.stepped(C.patina_next(r.of.c))
}

// stepped reports whether a step reached a row.
func (r *Rows) stepped(code C.int) bool {
	switch code {
	case C.PATINA_ROW:
		return true
	case C.PATINA_DONE:
		r.of.busy = false
		r.of = nil
	default:
		r.endRun(r.session.of.fault(r.ctx, code))
	}
	return false
}

// lapse ends rows whose session has ended, because their statement may belong to another query by
// now, or be gone.
func (r *Rows) lapse() {
	if r.of != nil && r.session.of == nil {
		r.of, r.err = nil, sql.ErrConnDone
	}
}

// endRun ends the run of the statement. err may be nil.
func (r *Rows) endRun(err error) {
	if r.of != nil {
		C.patina_rest(r.of.c)
		r.of.busy = false
	}
	r.of, r.err = nil, err
}

// Err returns the error that ended the rows, nil after the last row.
func (r *Rows) Err() error { return r.err }

// Close ends the query. It always returns nil, and may be called again.
func (r *Rows) Close() error {
	if r.lapse(); r.of != nil {
		r.endRun(r.err)
	}
	return nil
}

// A Row is the first row of a query.
type Row struct {
	rows *Rows
	err  error
}

// Scan copies the row's values, as Rows.Scan does. It returns sql.ErrNoRows if there is no row.
func (r *Row) Scan(to ...any) error {
	if r.err != nil {
		return r.err
	}
	defer func() { _ = r.rows.Close() }()
	if !r.rows.Next() {
		if r.rows.err != nil {
			return r.rows.err
		}
		return sql.ErrNoRows
	}
	return r.rows.Scan(to...)
}

// kept is the number of compiled statements that a connection keeps for sessions.
const kept = 64

// A connection is a connection of the driver, with the state that sessions keep on it.
type connection struct {
	*sqlite3.SQLiteConn
	handle     C.longlong // 0 before the first session
	statements []*statement
	clock      int
}

// A statement is compiled once for a connection. It runs for one Rows at a time.
type statement struct {
	c     *C.patina_statement
	query string
	busy  bool
	used  int // the time of its last use
}

// takeHandle gets the handle from SQLite, once.
func (c *connection) takeHandle() error {
	if c.handle != 0 {
		return nil
	}
	var handle int64
	err := oneRow(c.SQLiteConn, `SELECT patina_handle()`, &handle)
	c.handle = C.longlong(handle)
	return err
}

// statement returns a compiled statement that is not running. If the connection has too many
// statements, it drops the one unused for longest. Compiling stops at the end of ctx, too.
func (c *connection) statement(ctx context.Context, query string) (*statement, error) {
	c.clock++
	oldest := -1
	for i, x := range c.statements {
		if x.busy {
			continue
		}
		if x.query == query {
			x.used = c.clock
			return x, nil
		}
		if oldest < 0 || x.used < c.statements[oldest].used {
			oldest = i
		}
	}
	var code C.int
	compiled := C.patina_prepare(c.handle, (*C.char)(unsafe.Pointer(unsafe.StringData(query))), C.int(len(query)),
		&code)
	if compiled == nil {
		return nil, c.fault(ctx, code)
	}
	x := &statement{c: compiled, query: query, used: c.clock}
	if len(c.statements) < kept || oldest < 0 {
		c.statements = append(c.statements, x)
		return x, nil
	}
	C.patina_finalize(c.statements[oldest].c)
	c.statements[oldest] = x
	return x, nil
}

// endRunning ends all running statements.
func (c *connection) endRunning() {
	for _, x := range c.statements {
		if x.busy {
			C.patina_rest(x.c)
			x.busy = false
		}
	}
}

// Close implements driver.Conn.
func (c *connection) Close() error {
	for _, x := range c.statements {
		C.patina_finalize(x.c)
	}
	c.statements = nil
	return c.SQLiteConn.Close()
}

// A fault is an error from SQLite, with SQLite's message.
type fault struct {
	codes   sqlite3.Error
	message string
}

func (f fault) Error() string { return f.message }
func (f fault) Unwrap() error { return f.codes }

// fault returns the error for a code. After an interrupt it is the context's error, if the context
// has ended.
func (c *connection) fault(ctx context.Context, code C.int) error {
	var extended, system C.int
	f := fault{message: C.GoString(C.patina_fault(c.handle, code, &extended, &system))}
	f.codes.Code, f.codes.ExtendedCode = sqlite3.ErrNo(extended&0xff), sqlite3.ErrNoExtended(extended)
	switch f.codes.Code {
	case sqlite3.ErrInterrupt:
		if ctx.Err() != nil {
			return ctx.Err()
		}
	case sqlite3.ErrCantOpen, sqlite3.ErrIoErr:
		f.codes.SystemErrno = syscall.Errno(system)
	}
	return f
}
