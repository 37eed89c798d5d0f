// Package vector keeps the vectors of a store and finds the nearest ones.
//
// A File is flat: a header, the table that the model needs to embed questions, then rows of bytes in the order in which they
// were written. It only grows. Which rows count is not for the file to say but for the generation of the store that names
// them: what stands behind them is what a crash left.
//
// Dots scans rows exactly and is what a search uses up to half a million rows; above that an Index (HNSW), built beside the
// file after it was published, gives candidates. Both work on int8 rows: Quantise makes them of floats.
//
// It knows nothing of documents, generations or models. It is the only package that links USearch and SimSIMD, which
// "make" compiles into third_party/build.
package vector
