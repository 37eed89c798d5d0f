package transformer

// A Pooling makes one vector of a text from those of its tokens.
type Pooling string

// The poolings. Graph is for graphs whose output is one vector a text.
const (
	Mean  Pooling = "mean" // the mean over the text's tokens
	CLS   Pooling = "cls"  // the vector of the first token
	Graph Pooling = "graph"
)

// NoPrefix as a prefix in Options means no prefix, where the model's files or family name one.
const NoPrefix = "-"

// Options say what to open. Only Dir must be set: the others, if unset, are read from the files
// of the model, as Inspect describes it.
type Options struct {
	Dir     string // holds the graph, the tokenizer and their settings
	Graph   string // file below Dir; "" means the first of model.onnx and onnx/model.onnx
	Runtime string // absolute path of libonnxruntime; "" means where ErrNoRuntime says

	Pooling       Pooling // "" means as the files say, else Mean
	QueryPrefix   string  // goes before questions; "" means as the files say, NoPrefix means none
	PassagePrefix string  // goes before passages; likewise
	MaxTokens     int     // tokens read from a text; 0 means as the files say, but at most 512

	// ID and Stamp may hold those of an earlier Description. Open then returns an error if the
	// files have become another model. With an equal stamp the files are not read to find out.
	ID, Stamp string

	// Slots is the number of batches of passages that run at once, Threads that of the threads of
	// each. Those that are 0 are chosen so that their product is GOMAXPROCS, with one thread a slot
	// if both are. Questions have as many slots of their own, and never wait for passages.
	Slots, Threads int
}

// A Description describes the model of a folder, without opening it in the runtime.
type Description struct {
	ID    string // of everything that decides a vector: see Inspect
	Stamp string // changes with the sizes and times of the files behind ID

	Dir, Graph string   // Graph is relative to Dir
	Files      []string // the graph and its external weights, relative to Dir
	Bytes      int64    // of Files
	Tokenizer  string   // its algorithm: WordPiece, BPE or Unigram
	Type       string   // of the arithmetic: float32, float16 or int8

	Pooling                    Pooling
	QueryPrefix, PassagePrefix string // "" means none
	PoolingFrom, PrefixFrom    string // the file or family that said so; "default" or "options"
	Dimension                  int    // of the model's own vectors; 0 means only the runtime can tell
	MaxTokens                  int
}
