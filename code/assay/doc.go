// Package assay answers questions about facts: who calls a symbol, where it is read and written,
// which imports a file has, which symbols it defines, and which files change together.
//
// Answers come from the facts that a scrape has stored, judged by the scopes of code/xref. Uses
// other than calls are not stored, so the text is read again for each question. An answer tells
// certain facts from those that rest on a name alone, and lists the languages whose parsers do not
// find such facts. A question that cannot be answered must never get an empty answer without a
// reason.
//
// It leaves to others: the rows behind the facts (code/lookup), parsing (scrape) and printing
// (cmd/internal/deliver).
package assay
