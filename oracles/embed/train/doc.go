// Package train makes the built-in table of package embed from public source code.
//
// The road has these steps, a file each: sources.go reads the committed list of sources, refused.go keeps out what the project
// is measured on, fetch.go and modules.go bring each source at its commit, licence.go lets in permissive licences only, mine.go
// finds documented functions, comments and sections in a file, windows.go drops what stands in an evaluation file too, pieces.go
// builds the vocabulary, lessons.go turns examples into batches, run.go trains, evaluate.go measures and manifest.go records.
//
// The same list, seed and number of steps give the same table, on however many cores.
package train
