//go:build race

package embed

// raced means that the race detector is on, which lets pools drop their contents.
const raced = true
