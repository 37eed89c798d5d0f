// Package graphtest writes small ONNX models for tests, and computes in plain Go the vectors that
// they should give.
//
// A Transformer has the shape of BERT: embeddings, attention with a mask, layer normalisation and a
// feed-forward part with GELU. Its weights are random but seeded, so a test knows its vectors and
// needs no file of a stranger.
package graphtest
