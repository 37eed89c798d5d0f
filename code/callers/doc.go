// Package callers finds the users of a symbol or a file in one generation: its callers, and the
// files that import it.
//
// It reads bindings, calls and manifests from the index and resolves them with package xref. A
// caller is certain if the language's rules of scope and imports lead to the definition, otherwise
// it is a candidate. Functions leave nothing open in the store.Reader. They may be called
// concurrently if each caller has a reader of its own. A corrupt store gives store.ErrDamaged.
package callers
