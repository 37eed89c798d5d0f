package doc

import "context"

// An Embedder turns texts into unit vectors. Passages and questions have methods of their own
// because some models treat them differently. Implementations must be safe for concurrent use.
type Embedder interface {
	// Model returns the name of the model, with its version and, once adapted, its adaptation.
	// Vectors of two models must not be compared.
	Model() string
	// Dimension returns the length of every vector, which must be a multiple of 64.
	Dimension() int
	// Encode appends a passage to dst, which may be nil, in the model's own compact form. Texts are
	// encoded so that they can be dropped before the model is ready. The built-in model appends
	// word-piece numbers.
	Encode(dst []byte, p Passage) []byte
	// Embed writes the vector of an encoded passage to dst, quantised: dst[i] = round(VectorScale ·
	// x[i]), clipped to ±127. dst must have Dimension elements. The vector is zero if no word is
	// known.
	Embed(dst []int8, encoded []byte)
	// Question returns the unit vector of a question, or a zero vector if no word is known.
	Question(parts []QuestionPart) []float32
}

// VectorScale multiplies a unit vector's components before they become bytes, so that 127 means a
// third. At 256 dimensions, components are about 1/16. All vectors must have one scale, because
// then the cosine of two rows is their integer product / VectorScale².
const VectorScale = 384

// A Passage is a chunk, or the card of a file, in the form that an Embedder reads.
type Passage struct {
	Path string // only its last components matter; empty for commits
	Doc  string // comment, heading path, or a commit's subject
	Body string // code, section text, or a commit's body
}

// A QuestionPart is a part of a question, with its weight in the question's meaning. A short
// question has one part, a long text one for each zone.
type QuestionPart struct {
	Text   string
	Weight float32
}

// An Adapter is an Embedder that can be fitted to a repository.
type Adapter interface {
	Embedder
	// Adapt returns an embedder fitted to c, or the receiver if c has nothing to learn from.
	// Passages that are already encoded must stay valid.
	Adapt(ctx context.Context, c Corpus) (Adapter, error)
	// Table returns the data that must be kept beside the vectors for later questions, or nil for
	// the base model.
	Table() []byte
}

// A Corpus is the material for fitting an Adapter: encoded passages, file by file, and the history.
type Corpus struct {
	Passages [][]byte
	Files    []int32  // the file of each passage; passages of one file must be adjacent
	Commits  []Change // newest first
}

// A Change is a commit as an Adapter reads it.
type Change struct {
	Subject []byte  // encoded as a Passage's Doc
	Files   []int32 // touched files that still exist, 1 to 20, by their number in Corpus.Files
}
