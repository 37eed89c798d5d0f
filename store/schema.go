package store

import (
	_ "embed"

	"patina/belief"
	"patina/store/sqlite"
)

// Tables makes the tables of an index. Those of beliefs are made by package belief.
//
//go:embed schema/0001.sql
var Tables string

// version is the version of the schema and of every blob in it.
const version = 8

// PageSize must run before the tables are made.
const PageSize = "PRAGMA page_size = 8192"

// SelectVersion reads the version, which covers the schema and every blob.
const SelectVersion = `SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'format'`

// Schema is checked before anything else is read from an index. TestSchemaSum says how to update
// its sum.
var Schema = sqlite.Schema{
	Of:         "an index",
	Statements: PageSize + ";" + Tables + belief.Tables,
	Sum:        "cc2dce8180ffe64706c8412edec52fcb1f065a542641e6b04d54b8dbcf2aebb7",
	Table:      "meta",
	Version:    SelectVersion,
	Number:     version,
}
