// Package rankings ranks the files and functions of repositories by plain means, beside the engine.
//
// Its questions come from the repository itself: a commit's subject must find the changed files, a
// comment's first sentence the function below it, a string of the source the line that it is on.
// The rankings are written for clarity. They share file reading, words and the embedder with the
// product, and nothing else. Nothing here ranks for users, and nothing is linked into patina.
//
// It promises equal reports for equal answers: draws use fixed seeds, and the clock only times a
// fit. The commits themselves are read by package eval.
//
// tree.go reads the files of an index. localise.go ranks them in every way: tfidf.go, history.go
// and vectors.go by themselves. functions.go ranks functions, literals.go draws strings, and
// macro.go computes figures over repositories.
package rankings
