// Package assay answers questions about facts: who calls a symbol, where it is read and written,
// what a file imports, what is defined, what changes together.
//
// Answers come from what a scrape has kept, judged by the scopes of code/xref; what a scrape does
// not keep, uses that are no calls, is read from the kept text when it is asked for. An answer says
// what is certain, what names alone leave open, and what the parser of a language does not give:
// a question that cannot be answered is never answered with nothing.
//
// It leaves to others: the rows behind the facts (code/lookup), reading source (scrape) and
// printing (cmd/internal/deliver).
package assay
