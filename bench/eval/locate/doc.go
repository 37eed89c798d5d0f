// Package locate measures rankings on questions that nobody wrote for a measurement: the subject of a commit must find the
// files that it changed, and the first sentence of a doc comment the function below it.
//
// It ranks by plain means of its own (BM25, TF-IDF, history, vectors of an embedder, reciprocal rank fusion) over every chunk
// of a tree, and asks the engine the same questions, so that what the engine adds to its parts shows. It is written for
// clearness and shares with the product the reading of files, the words and the embedder, nothing else.
//
// commits.go chooses the questions and what may be known when they are asked, tree.go reads the chunks, words.go,
// votes.go, vectors.go and engine.go rank, rank.go joins rankings, report.go is the figures and text.go prints them;
// functions.go is the second measurement. Equal input gives equal reports: nothing is drawn but from a fixed seed.
package locate
