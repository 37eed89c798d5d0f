// Package vector keeps a store's vectors and finds the nearest ones.
//
// A File is flat: a header, the table that embeds questions, then rows of bytes in the order
// written. It only grows. A generation in the store names the rows that count; rows behind them are
// left from a crash.
//
// Dots scans rows exactly. From 50,000 rows on, Signs say which rows are worth it: they are kept in
// the memory of a process that is asked more than once. Above half a million an Index (HNSW) gives
// candidates. It is built beside the file after publishing. All work on int8 rows, made by
// Quantise.
//
// The package knows nothing about documents, generations or models. It alone links USearch and
// SimSIMD, which "make" compiles into third_party/build.
package vector
