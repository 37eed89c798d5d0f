// Package self measures an index on questions that its own project answers, so nobody has to write
// any.
//
// Each ground truth pairs a text of the project with the documents that it must find. The text
// itself must not be searched; truths.go lists the truths. A hidden text is cut out of a throw-away
// copy of the tree, or is in commits after the tree that is searched. The copy is scraped and a
// model is fitted to it, so neither knows the hidden text. leak.go checks that.
//
// All pipelines answer the same sample: the engine as users have it, each oracle alone, the engine
// without each one, and plain BM25. chance.go computes the score of a uniform draw. Equal indexes
// and seeds give equal reports, because a report has no times.
//
// tree.go makes the copies. code.go, belief.go, session.go, commits.go and memory.go take questions
// from a project, run.go asks them, metrics.go scores answers, report.go has the figures and
// text.go prints them. The words of a project's own questions are left to package eval.
package self
