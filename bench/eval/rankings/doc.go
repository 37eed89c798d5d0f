// Package rankings ranks the files and functions of repositories by plain methods, for comparison
// with the engine.
//
// Its questions come from the repository itself: a commit's subject must find the changed files, a
// comment's first sentence the function below it, and a string of the source its line. The rankings
// are written for clarity. They share file reading, words and the embedder with the product, and
// nothing else. Nothing here ranks for users, and the package must not be linked into patina.
//
// Equal answers give equal reports, because draws use fixed seeds and the clock only times a fit.
// Package eval reads the commits.
//
// tree.go reads the files of an index. localise.go ranks them in every way, with tfidf.go,
// history.go and vectors.go. functions.go ranks functions, literals.go draws strings, and macro.go
// computes figures over repositories.
package rankings
