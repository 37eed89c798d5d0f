package embed

import (
	_ "embed"
	"sync"
)

//go:embed base.table
var baseTable []byte

// Base is the built-in model. It is read once, when it is first asked for.
var Base = sync.OnceValue(func() *Model {
	table, err := ReadTable(baseTable)
	if err != nil {
		panic("embed: built-in " + err.Error()) // a build that no test has passed
	}
	return New(table)
})
