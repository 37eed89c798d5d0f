// Package self measures an index on questions that its own project answers, so nobody has to write
// any.
//
// Each ground truth pairs a text of the project with the documents that it must find, and hides
// the text itself from what is searched: truths.go lists them. What is hidden is cut out of a
// throw-away copy of the tree, or lies in commits after the tree that is searched; that copy is
// scraped and its model fitted anew, so nothing hidden is in it. leak.go looks for it all the same.
//
// All pipelines answer the same sample: the engine as users see it, each oracle alone, each one
// off, and plain BM25. chance.go computes what a uniform draw would score. Equal indexes and seeds
// give equal reports; there is no clock in one.
//
// tree.go makes the copies. code.go, belief.go, session.go, commits.go and memory.go take questions
// from a project, run.go asks them, metrics.go judges, report.go keeps the figures and text.go
// prints them. The words of a project's own questions are left to package eval.
package self
