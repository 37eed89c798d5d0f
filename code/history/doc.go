// Package history answers questions about the commits in one generation of an index: which commits
// touched a file under any of its names, what changed since a time, and which files change
// together.
//
// Functions leave nothing open in the store.Reader. They may be called concurrently if each caller
// has a reader of its own. A corrupt store gives store.ErrDamaged. Package git runs git.
package history
