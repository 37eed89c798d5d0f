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

// A database may have been put there by a stranger. So every connection is guarded as it is opened,
// before SQLite reads the schema (defend.c): defensive mode, no trusted schema, no views, no
// triggers, no attached databases, no value longer than LongestValue, and no statement of more than
// a few milliseconds until the schema has been looked at. Then the rows of sqlite_schema are
// compared with those that a fresh database has: a view or a trigger under the name of a table
// would answer instead of it.

// LongestValue bounds what one planted row costs. The largest values of real indexes are far below
// it: the posting list of a word in each of a million chunks, which is the largest segment, has 2
// MiB, their groups and the packed calls of a file of 2 MiB have 4 MiB at most. The members of a
// view reach it with 134 million keys.
const LongestValue = C.PATINA_LENGTH

// Released is the statement that lets the statements of a connection be long. A pool of Open has
// said it; who opens a file by the driver's name says it himself.
const Released = `SELECT patina_released()`

func init() {
	if code := C.patina_defend(); code != 0 {
		panic(fmt.Sprintf("sqlite: connections cannot be guarded: error %d", code))
	}
}

// A guard looks at the schema of the connections to one database that were just opened, and then
// lets them go on. It looks at the first of a pool; at another one only where SQLite says that the
// schema has changed since.
type guard struct {
	schema  *Schema
	version atomic.Int64 // of the schema that was looked at: 1 and more
}

func (g *guard) admit(conn *sqlite3.SQLiteConn) error {
	if g.schema == nil {
		return release(conn)
	}
	var version int64
	if err := oneRow(conn, `PRAGMA schema_version`, &version); err != nil {
		return err
	}
	if version <= 0 || g.version.Load() != version {
		if err := g.schema.compare(conn); err != nil {
			return err
		}
		g.version.Store(version)
	}
	return release(conn)
}

// release lets statements be long.
func release(conn *sqlite3.SQLiteConn) error {
	_, err := conn.Exec(Released, nil)
	return err
}
