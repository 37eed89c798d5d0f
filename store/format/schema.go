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
const Version = 10

// PageSize must run before the tables are made.
const PageSize = "PRAGMA page_size = 8192"

// SelectVersion reads the version, which covers the schema and every blob.
const SelectVersion = `SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'format'`

// Schema is checked before anything else is read from an index. TestSchemaSum says how to update
// its sum.
var Schema = sqlite.Schema{
	Of:         "an index",
	Statements: PageSize + ";" + Tables + belief.Tables,
	Sum:        "7f86e5975eb0e566bf315ab01bd7495cee2158e1fc94ced90f3d4b3c45ae8b35",
	Table:      "meta",
	Version:    SelectVersion,
	Number:     Version,
}
