package store

import (
	_ "embed"

	"patina/store/sqlite"
)

//go:embed schema/0001.sql
var tables string

// pageSize is said before the tables are made.
const pageSize = "PRAGMA page_size = 8192"

// selectFormat asks for the version of the schema and of every blob.
const selectFormat = `SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'format'`

// schema is what an index must hold before anything else is read from it. TestSchemaSum says what
// its sum must be.
var schema = sqlite.Schema{
	Of:         "an index",
	Statements: pageSize + ";" + tables,
	Sum:        "f667d31909ca56fba20afe765998b64868cfe20ab7e645d9c94c2aeddf0b3282",
	Table:      "meta",
	Version:    selectFormat,
	Number:     format,
}
