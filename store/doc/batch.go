package doc

import "context"

// A BatchEmbedder turns texts into unit vectors by a model for which a text takes milliseconds,
// such as a transformer. It therefore embeds many texts at once, may be canceled, and may fail.
// Implementations must be safe for concurrent use.
type BatchEmbedder interface {
	// Model returns one id for all that decides a vector: the graph, the tokenizer, the pooling and
	// the prefixes. Vectors of two models must not be compared.
	Model() string
	// Dimension returns the length of every vector, which is a multiple of 64. A model whose own
	// vectors are shorter adds zeros.
	Dimension() int
	// EmbedPassages writes the vectors of passages to dst, one after the other, quantised as
	// Embedder.Embed does. dst must have len(passages) · Dimension elements. It returns the
	// context's error if the context ends, also within a batch; dst is then undefined.
	EmbedPassages(ctx context.Context, dst []int8, passages []Passage) error
	// EmbedQuestion returns the unit vector of a question: the weighted sum of its parts' vectors.
	EmbedQuestion(ctx context.Context, parts []QuestionPart) ([]float32, error)
}
