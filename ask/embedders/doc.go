// Package embedders opens the models that users have chosen (registry/models) and shares them
// within the process: among projects, among their oracles, and with the makers of vectors
// (queue.go).
//
// Nothing is opened before a text must be embedded. Without a chosen model a question costs one
// look for the catalog. A model stays open until it was idle for a while (pool.go). The last
// questions are kept with their vectors, so that projects with one model embed a question once
// (questions.go).
package embedders
