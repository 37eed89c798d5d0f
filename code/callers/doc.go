// Package callers finds who uses a symbol or a file in one generation: its callers, and the files
// that import it.
//
// It reads the bindings, calls and manifests that the index holds, and asks package xref what they
// mean. A caller is one only where the language's rules of scope and imports lead to the
// definition, so an empty answer means that no caller is certain. Each function reads through a
// store.Reader, of which it leaves nothing open, and may be called concurrently with a reader for
// each caller. A store that contradicts itself is store.ErrDamaged.
package callers
