package store

import "context"

// An Embedder turns texts into unit vectors of one dimension. Passages and questions are two sides, for models that treat
// them differently. Implementations are safe for concurrent use.
type Embedder interface {
	// Model names the model, its version and, once adapted, the adaptation. Vectors of two models are never compared.
	Model() string
	// Dimension is the length of every vector, a multiple of 64.
	Dimension() int
	// Encode appends to dst what the model reads of a passage, in a compact form of its own (for the built-in model the
	// numbers of its word pieces), so that texts need not be kept until the model is ready.
	Encode(dst []byte, p Passage) []byte
	// Embed writes the vector of an encoded passage into dst, quantised: dst[i] = round(VectorScale · x[i]), clipped to
	// ±127. The vector of a passage without any known word is zero.
	Embed(dst []int8, encoded []byte)
	// Question returns the unit vector of a question, or a zero vector if no word of it is known.
	Question(parts []QuestionPart) []float32
}

// VectorScale is what a unit vector's components are multiplied with as they become bytes: 127 stands for a third. Components of
// 256 dimensions are about 1/16; one scale for all makes a cosine of two rows their integer product / VectorScale².
const VectorScale = 384

// A Passage is a chunk, or a file's card, as an Embedder reads it.
type Passage struct {
	Path string // its last components help; empty for commits
	Doc  string // comment; the heading path of a section; the subject of a commit
	Body string // code, text of a section, body of a commit
}

// A QuestionPart is a part of a question with what its meaning counts: a question has one part, a long text one a zone.
type QuestionPart struct {
	Text   string
	Weight float32
}

// An Adapter is an Embedder that can be fitted to one repository.
type Adapter interface {
	Embedder
	// Adapt returns an embedder fitted to c, or itself if c has nothing to learn from. Encoded passages stay valid.
	Adapt(ctx context.Context, c Corpus) (Adapter, error)
	// Table is what must be kept beside the vectors so that questions can be embedded later; nil for the base model.
	Table() []byte
}

// A Corpus is what a table is fitted to: encoded passages, file by file, and the history.
type Corpus struct {
	Passages [][]byte
	Files    []int32  // the file of each passage: those of one file stand together
	Commits  []Change // newest first
}

// A Change is a commit as adaptation needs it.
type Change struct {
	Subject []byte  // encoded as the Doc of a Passage
	Files   []int32 // numbers as in Corpus.Files, of the files it touched that still exist; 1 to 20
}
