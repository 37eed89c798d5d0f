//go:build !sqlite_fts5

package main

// Without the build tag sqlite_fts5, the compiled-in SQLite lacks full-text search. The compiler's
// error about this name is the message.
var _ = run_make_instead_of_go_build__see_README
