// Package train makes the built-in table for package embed from public source code.
//
// The steps are one file each. sources.go reads the committed list of sources, and refused.go keeps
// out everything the project is measured on. fetch.go and modules.go fetch each source at its
// commit, and licence.go admits permissive licences only. mine.go finds documented functions,
// comments and sections in a file. windows.go drops text shared with an evaluation file. pieces.go
// builds the vocabulary, lessons.go turns examples into batches, run.go trains, evaluate.go
// measures and manifest.go records.
//
// It promises the same table for the same list, seed and number of steps, on however many cores.
// The table's format, and embedding with it, are left to package embed.
package train
