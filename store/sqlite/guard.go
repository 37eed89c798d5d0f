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

// A stranger may have planted the database. So every connection is guarded as it opens, before
// SQLite reads the schema (defend.c): defensive mode, no trusted schema, no views, no triggers, no
// attached databases, no value over LongestValue. No statement may run over a few milliseconds
// until the schema is checked.
//
// Then the rows in sqlite_schema are compared with a fresh database's. A view or trigger with a
// table's name would otherwise answer for it.

// LongestValue bounds the cost of one planted row. The largest values in real indexes are far below
// it. The largest segment has a million chunks: a word in each takes 2 MiB. Groups, and the packed
// calls for a 2 MiB file, take 4 MiB at most. A view's members reach it with 134 million keys.
const LongestValue = C.PATINA_LENGTH

// Released is the statement that permits long statements on a connection. Open's pools run it;
// whoever opens a file by the driver's name must run it.
const Released = `SELECT patina_released()`

func init() {
	if code := C.patina_defend(); code != 0 {
		panic(fmt.Sprintf("sqlite: connections cannot be guarded: error %d", code))
	}
}

// A guard checks the schema on new connections to one database, then releases them. In a pool, it
// checks the first connection, and later ones only if SQLite says that the schema has changed.
type guard struct {
	schema  *Schema
	version atomic.Int64 // the checked schema's version, from 1
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
