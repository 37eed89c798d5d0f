// Package transformer embeds texts by a model of the user's own: a transformer as an ONNX graph,
// run by ONNX Runtime. It is the only package that knows the binding of that library.
//
// The library is opened when a model is opened, and never before, so that a program without a
// model does not need it (runtime.go). Inspect reads a folder without it (inspect.go, settings.go).
// A Model cuts texts by their number of tokens into batches (batch.go), which an actor runs in its
// slots (slots.go, run.go). pooling.go makes vectors of their outputs.
//
// ONNX Runtime stops within a batch when the context of its caller ends.
package transformer
