package store

import (
	_ "embed"

	"patina/belief"
	"patina/store/sqlite"
)

//go:embed schema/0001.sql
var tables string

// pageSize must run before the tables are made.
const pageSize = "PRAGMA page_size = 8192"

// selectFormat reads the version, which covers the schema and every blob.
const selectFormat = `SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'format'`

// schema is checked before anything else is read from an index. TestSchemaSum says how to update
// its sum.
var schema = sqlite.Schema{
	Of:         "an index",
	Statements: pageSize + ";" + tables + belief.Tables,
	Sum:        "cc2dce8180ffe64706c8412edec52fcb1f065a542641e6b04d54b8dbcf2aebb7",
	Table:      "meta",
	Version:    selectFormat,
	Number:     format,
}
