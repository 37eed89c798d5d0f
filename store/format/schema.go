// Package format is the stored form of an index: its schema, the columns packed into blobs, the
// compressed texts, and the checksums beside the database.
//
// A decoder trusts no byte: what is not as written gives doc.ErrDamaged. Every change here needs a
// higher Version.
package format

import (
	_ "embed"

	"patina/belief"
	"patina/store/sqlite"
)

// Tables makes the tables of an index. Those of beliefs are made by package belief.
//
//go:embed schema/0001.sql
var Tables string

// Version is the version of the schema and of every blob in it.
const Version = 8

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
	Number:     Version,
}
