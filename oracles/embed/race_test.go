//go:build race

package embed

// raced says that the race detector watches: it lets pools forget what they hold.
const raced = true
