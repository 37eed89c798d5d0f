package embed

import (
	_ "embed"
	"sync"
)

//go:embed base.table
var baseTable []byte

// Base returns the built-in model. The first call reads it.
var Base = sync.OnceValue(func() *Model {
	table, err := ReadTable(baseTable)
	if err != nil {
		panic("embed: built-in " + err.Error()) // no test has passed with this build
	}
	return New(table)
})
