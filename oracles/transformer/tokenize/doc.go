// Package tokenize turns texts into the numbers that a transformer model takes: the ids of pieces
// of words, as the model's own tokenizer.json or vocab.txt says.
package tokenize
