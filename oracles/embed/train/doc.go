// Package train makes the built-in table of package embed from public source code.
//
// The steps are one file each. sources.go reads the committed list of sources, and refused.go keeps
// out everything on which the project is measured. fetch.go and modules.go fetch each source at its
// commit, and licence.go admits only permissive licences. mine.go finds documented functions,
// comments and sections in a file. windows.go drops text that an evaluation file shares. pieces.go
// builds the vocabulary, lessons.go turns examples into batches, run.go trains, evaluate.go
// measures and manifest.go records.
//
// The same list, seed and number of steps must give the same table on any number of cores. Package
// embed defines the table's format, and embeds with it.
package train
