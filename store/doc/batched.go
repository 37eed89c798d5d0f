package doc

import "context"

// Batched returns an Embedder as a BatchEmbedder, or nil for nil. Its methods fail only if the
// context has ended.
func Batched(e Embedder) BatchEmbedder {
	if e == nil {
		return nil
	}
	return batched{e}
}

// batched is an Embedder as a BatchEmbedder.
type batched struct{ Embedder }

// EmbedPassages implements BatchEmbedder.
func (b batched) EmbedPassages(ctx context.Context, dst []int8, passages []Passage) error {
	n := b.Dimension()
	var encoded []byte
	for i, p := range passages {
		if err := ctx.Err(); err != nil {
			return err
		}
		encoded = b.Encode(encoded[:0], p)
		b.Embed(dst[i*n:(i+1)*n], encoded)
	}
	return nil
}

// EmbedQuestion implements BatchEmbedder.
func (b batched) EmbedQuestion(ctx context.Context, parts []QuestionPart) ([]float32, error) {
	return b.Question(parts), ctx.Err()
}
