// Package vector keeps a store's vectors and finds the nearest ones.
//
// A File is flat: a header, the table that embeds questions, then rows of bytes in the order in
// which they were written. It only grows. A generation in the store records the number of rows that
// count. Later rows are remains of a crash.
//
// Dots scans rows exactly. From 50,000 rows on, Signs select the rows that are worth multiplying; a
// process keeps them in memory if it answers more than one question. Above half a million rows, an
// Index (HNSW) provides the candidates. It is built beside the file after publishing. All of them
// work on int8 rows, which Quantise makes.
//
// The package knows nothing about documents, generations or models. No other package links USearch
// and SimSIMD, which "make" compiles into third_party/build.
package vector
