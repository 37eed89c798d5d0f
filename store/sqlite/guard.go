package sqlite

/*
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#include "defend.h"
*/
import "C"

import (
	"fmt"
	"sync/atomic"

	sqlite3 "github.com/mattn/go-sqlite3"
)

// A stranger may have planted the database. Every connection is therefore guarded when it opens,
// before SQLite reads the schema (defend.c): it is in defensive mode, does not trust the schema,
// and permits no views, triggers or attached databases, and no value over LongestValue. No
// statement may run for more than a few milliseconds until the schema is checked.
//
// Then the rows in sqlite_schema are compared with those of a fresh database, because a view or
// trigger with a table's name would otherwise be used instead of the table.

// LongestValue is the greatest length of a value, in bytes. It bounds the cost of a planted row.
// Values in real indexes are far shorter: a word in each chunk of the largest segment, of a million
// chunks, takes 2 MiB; groups, and the packed calls of a 2 MiB file, take 4 MiB at most. A view's
// members would need 134 million keys to exceed it.
const LongestValue = C.PATINA_LENGTH

// Released is the statement that permits long statements on a connection. The pools of Open run it.
// Code that opens a file by the driver's name must run it itself.
const Released = `SELECT patina_released()`

func init() {
	if code := C.patina_defend(); code != 0 {
		panic(fmt.Sprintf("sqlite: connections cannot be guarded: error %d", code))
	}
}

// A guard checks the schema on new connections to one database, then permits long statements on
// them. In a pool, it checks the first connection. It checks later ones only if SQLite reports that
// the schema has changed.
type guard struct {
	schema  *Schema
	version atomic.Int64 // the version of the schema that was checked; versions begin at 1
}

func (g *guard) admit(conn *sqlite3.SQLiteConn) error {
	if g.schema == nil {
		return permitLong(conn)
	}
	var version int64
	if err := oneRow(conn, `PRAGMA schema_version`, &version); err != nil {
		return err
	}
	if version <= 0 || g.version.Load() != version {
		if err := g.schema.compareWith(conn); err != nil {
			return err
		}
		g.version.Store(version)
	}
	return permitLong(conn)
}

// permitLong permits long statements.
func permitLong(conn *sqlite3.SQLiteConn) error {
	_, err := conn.Exec(Released, nil)
	return err
}
