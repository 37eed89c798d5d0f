package embed

import (
	_ "embed"
	"sync"
)

//go:embed base.table
var baseTable []byte

// Base returns the built-in model, which the first call reads. It may be called concurrently.
var Base = sync.OnceValue(func() *Model {
	table, err := ReadTable(baseTable)
	if err != nil {
		panic("embed: built-in " + err.Error()) // never in a build that has passed its tests
	}
	return New(table)
})
