package doc

import "context"

// An Embedder turns texts into unit vectors. Passages and questions have methods of their own,
// since some models treat them differently. Implementations are safe for concurrent use.
type Embedder interface {
	// Model names the model, its version and, once adapted, the adaptation. Vectors from two models
	// are never compared.
	Model() string
	// Dimension is every vector's length, a multiple of 64.
	Dimension() int
	// Encode appends a passage to dst in the model's own compact form. The texts can then be
	// dropped before the model is ready. The built-in model appends word-piece numbers.
	Encode(dst []byte, p Passage) []byte
	// Embed writes an encoded passage's vector into dst, quantised: dst[i] = round(VectorScale ·
	// x[i]), clipped to ±127. The vector is zero if no word is known.
	Embed(dst []int8, encoded []byte)
	// Question returns a question's unit vector, or a zero vector if no word is known.
	Question(parts []QuestionPart) []float32
}

// VectorScale multiplies a unit vector's components before they become bytes, so 127 stands for a
// third. At 256 dimensions, components are about 1/16. With one scale for all, two rows' cosine is
// their integer product / VectorScale².
const VectorScale = 384

// A Passage is a chunk or a file's card, as read by an Embedder.
type Passage struct {
	Path string // its last components help; empty for commits
	Doc  string // comment, heading path, or a commit's subject
	Body string // code, section text, or a commit's body
}

// A QuestionPart is a part with its weight in the question's meaning. A short question has one
// part, a long text one a zone.
type QuestionPart struct {
	Text   string
	Weight float32
}

// An Adapter is an Embedder that can be fitted to one repository.
type Adapter interface {
	Embedder
	// Adapt returns an embedder fitted to c, or itself if c has nothing to learn from. Encoded
	// passages stay valid.
	Adapt(ctx context.Context, c Corpus) (Adapter, error)
	// Table returns the data to keep beside the vectors for later questions; nil for the base
	// model.
	Table() []byte
}

// A Corpus is the material for fitting a table: encoded passages, file by file, and the history.
type Corpus struct {
	Passages [][]byte
	Files    []int32  // each passage's file; passages from one file are adjacent
	Commits  []Change // newest first
}

// A Change is a commit, for adaptation.
type Change struct {
	Subject []byte  // encoded as a Passage's Doc
	Files   []int32 // touched files that still exist, 1 to 20, numbered as in Corpus.Files
}
