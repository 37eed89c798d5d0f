// Package history answers from the commits that one generation of an index holds: which of them
// touched a file under any of its names, what changed since a time, and which files change
// together.
//
// Each function reads through a store.Reader, of which it leaves nothing open, and may be called
// concurrently with a reader for each caller. A path that the history does not know is
// lookup.ErrNoDocument; a store that contradicts itself is store.ErrDamaged. Running git is left to
// package git.
package history
