package transformer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"patina/oracles/transformer/onnx"
	"patina/oracles/transformer/tokenize"
)

// graphNames are looked for if Options names no graph, in this order.
var graphNames = []string{"model.onnx", "onnx/model.onnx"}

// Inspect describes the model in a folder as its own files do. The ID is the folder's name and a
// hash of everything that decides a vector: the graph with its external weights, the tokenizer, the
// pooling, the prefixes and the number of tokens. It reads all of these files.
func Inspect(dir string) (Description, error) { return Describe(Options{Dir: dir}) }

// Describe is Inspect under options, which come before the files' settings. It does not look at
// Runtime, Threads and Slots.
func Describe(o Options) (Description, error) {
	d, _, _, err := describe(o)
	return d, err
}

// describe also returns the outline of the graph and the tokenizer.
func describe(o Options) (Description, *onnx.Outline, *tokenize.Tokenizer, error) {
	fail := func(err error) (Description, *onnx.Outline, *tokenize.Tokenizer, error) {
		return Description{}, nil, nil, err
	}
	graph, err := findGraph(o.Dir, o.Graph)
	if err != nil {
		return fail(err)
	}
	d := Description{Dir: o.Dir, Graph: graph, Files: []string{graph}}
	outline, err := onnx.ReadFile(filepath.Join(o.Dir, graph))
	if err != nil {
		return fail(err)
	}
	shape, err := shapeOf(outline)
	if err != nil {
		return fail(fmt.Errorf("model %q: graph %q: %w", o.Dir, graph, err))
	}
	for _, name := range outline.Files {
		d.Files = append(d.Files, filepath.Join(filepath.Dir(graph), name))
	}
	if d.Bytes, err = sizeOf(o.Dir, d.Files); err != nil {
		return fail(err)
	}
	words, err := tokenize.Load(o.Dir)
	if err != nil {
		return fail(err)
	}
	s, err := readSettings(o.Dir)
	if err != nil {
		return fail(err)
	}
	if err := d.applySettings(o, s, shape.pooled >= 0, words.MaxTokens(), shape.tokens); err != nil {
		return fail(err)
	}
	for _, prefix := range []string{d.QueryPrefix, d.PassagePrefix} {
		if n := len(words.Encode(prefix, d.MaxTokens)); n >= d.MaxTokens {
			return fail(fmt.Errorf("model %q: special tokens and the prefix %.40q leave no room for a text of %d tokens",
				o.Dir, prefix, d.MaxTokens))
		}
	}
	if d.Pooling != Graph && shape.states < 0 {
		return fail(fmt.Errorf("model %q: graph %q has no vectors of tokens for pooling %q", o.Dir, graph, d.Pooling))
	}
	d.Type, d.Tokenizer, d.Dimension = shape.kind, words.Kind(), shape.dimension(d.Pooling)
	if d.Dimension == 0 {
		d.Dimension = s.hidden
	}
	if err := d.identify(o.ID, o.Stamp, words.Hash()); err != nil {
		return fail(err)
	}
	return d, outline, words, nil
}

// findGraph returns the file of the graph, relative to dir.
func findGraph(dir, asked string) (string, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", errors.Join(err, fmt.Errorf("model %q: not a folder", dir))
	}
	names := graphNames
	if asked != "" {
		name := filepath.Clean(asked)
		if !filepath.IsLocal(name) {
			return "", fmt.Errorf("model %q: graph %q is outside of the folder", dir, asked)
		}
		names = []string{name, filepath.Join("onnx", name)}
	}
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
			return filepath.FromSlash(name), nil
		}
	}
	err := fmt.Errorf("model %q: no %s: %w", dir, strings.Join(names, " and no "), fs.ErrNotExist)
	if found := otherGraphs(dir); asked == "" && len(found) > 0 {
		err = fmt.Errorf("%w; there is %s: name one as the graph", err, strings.Join(found, ", "))
	}
	return "", err
}

// otherGraphs returns the graphs in a folder and its folder onnx.
func otherGraphs(dir string) []string {
	var found []string
	for _, pattern := range []string{"*.onnx", "onnx/*.onnx"} {
		paths, _ := filepath.Glob(filepath.Join(escapeGlob(dir), pattern))
		for _, p := range paths {
			if name, err := filepath.Rel(dir, p); err == nil {
				found = append(found, name)
			}
		}
	}
	return found[:min(len(found), 10)]
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

func sizeOf(dir string, names []string) (int64, error) {
	var sum int64
	for _, name := range names {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return 0, fmt.Errorf("model %q: weights: %w", dir, err)
		}
		sum += info.Size()
	}
	return sum, nil
}

// A shape says how a graph is fed and read.
type shape struct {
	inputs []onnx.Value
	tokens int    // length that every text must have; 0 means any
	texts  int    // number of texts that every batch must have; 0 means any
	states int    // output with a vector for each token, or −1
	pooled int    // output with a vector for each text, or −1
	kind   string // Description.Type
	alone  bool   // the vector of a text depends on the others of its batch
	output []onnx.Value
}

// inputNames are the inputs that a graph may have.
var inputNames = []string{"input_ids", "attention_mask", "token_type_ids", "position_ids"}

// shapeOf reads the outline, or says why patina cannot use the graph.
func shapeOf(o *onnx.Outline) (shape, error) {
	s := shape{inputs: o.Inputs, output: o.Outputs, states: -1, pooled: -1, kind: "float32"}
	if !slices.ContainsFunc(o.Inputs, func(v onnx.Value) bool { return v.Name == "input_ids" }) {
		return s, fmt.Errorf("no input input_ids, but %s", names(o.Inputs))
	}
	for _, in := range o.Inputs {
		if err := s.takeInput(in); err != nil {
			return s, err
		}
	}
	for i, out := range o.Outputs {
		if out.Type != onnx.Float && out.Type != onnx.Float16 {
			continue
		}
		rank := len(out.Shape)
		switch {
		case out.Name == "sentence_embedding" && (rank == 2 || out.Shape == nil):
			s.pooled = i
		case out.Name == "last_hidden_state" || out.Name == "token_embeddings":
			s.states = i
		case rank == 3 && s.states < 0:
			s.states = i
		}
	}
	if s.states < 0 && s.pooled < 0 {
		return s, fmt.Errorf("no output with vectors of tokens or texts, but %s", names(o.Outputs))
	}
	s.takeKind(o)
	return s, nil
}

func (s *shape) takeInput(in onnx.Value) error {
	switch {
	case !slices.Contains(inputNames, in.Name):
		return fmt.Errorf("input %q is none of %s", in.Name, strings.Join(inputNames, ", "))
	case in.Type != onnx.Int64 && in.Type != onnx.Int32:
		return fmt.Errorf("input %q is neither int64 nor int32", in.Name)
	case in.Shape == nil:
		return nil
	case len(in.Shape) != 2:
		return fmt.Errorf("input %q has %d dimensions, want 2", in.Name, len(in.Shape))
	}
	s.texts = int(max(in.Shape[0], int64(s.texts), 0))
	s.tokens = int(max(in.Shape[1], int64(s.tokens), 0))
	if s.texts > maxFixed || s.tokens > maxFixed || max(s.texts, 1)*max(s.tokens, 1) > maxFixed {
		return fmt.Errorf("input %q has a fixed shape of %d × %d", in.Name, in.Shape[0], in.Shape[1])
	}
	return nil
}

// maxFixed bounds the size of an input of fixed shape.
const maxFixed = 1 << 17

// takeKind sets the type of the arithmetic. A graph that measures the range of its activations does
// so over a whole batch.
func (s *shape) takeKind(o *onnx.Outline) {
	has := func(kinds ...string) bool {
		return slices.ContainsFunc(kinds, func(k string) bool { return slices.Contains(o.Operators, k) })
	}
	switch {
	case has("MatMulInteger", "QLinearMatMul", "DynamicQuantizeMatMul", "QAttention", "DequantizeLinear"):
		s.kind = "int8"
	case slices.ContainsFunc(o.Outputs, func(v onnx.Value) bool { return v.Type == onnx.Float16 }):
		s.kind = "float16"
	}
	s.alone = has("DynamicQuantizeLinear", "DynamicQuantizeMatMul", "QAttention")
}

// outputFor returns the output that a pooling reads.
func (s *shape) outputFor(p Pooling) int {
	if p == Graph {
		return s.pooled
	}
	return s.states
}

// dimension returns the dimension of the output that a pooling reads, or 0 if it is not fixed.
func (s *shape) dimension(p Pooling) int {
	out := s.output[s.outputFor(p)].Shape
	if len(out) == 0 || out[len(out)-1] < 0 {
		return 0
	}
	return int(min(out[len(out)-1], 1<<31-1))
}

func names(values []onnx.Value) string {
	if len(values) == 0 {
		return "none"
	}
	var all []string
	for _, v := range values[:min(len(values), 8)] {
		all = append(all, fmt.Sprintf("%q", v.Name))
	}
	return strings.Join(all, ", ")
}
