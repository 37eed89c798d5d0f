package graphtest

import (
	"math"
	"slices"
)

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

// epsilon keeps a layer norm from dividing by zero.
const epsilon = 1e-5

// Write writes the graph, as model.onnx is to be called.
func (t *Transformer) Write(path string) error { return t.Graph().Write(path) }

// Graph returns the graph with its inputs and outputs.
func (t *Transformer) Graph() *Graph {
	g := NewGraph(t.Form == Float16, t.External)
	declare := g.Int64Input
	if t.Narrow {
		declare = g.Int32Input
	}
	for _, name := range []string{"input_ids", "attention_mask", "token_type_ids"} {
		declare(name, 0, 0)
	}
	states := t.states(g)
	g.Output("last_hidden_state", 0, 0, int64(t.Hidden))
	g.Name(states, "last_hidden_state")
	if t.Pooled {
		g.Output("sentence_embedding", 0, int64(t.Hidden))
		g.Name(t.mean(g, states), "sentence_embedding")
	}
	return g
}

// states adds the encoder.
func (t *Transformer) states(g *Graph) string {
	h := int64(t.Hidden)
	words := g.Node("Gather", []string{g.Floats(t.words, int64(t.Vocabulary), h), "input_ids"})
	types := g.Node("Gather", []string{g.Floats(t.types, 2, h), "token_type_ids"})
	length := g.Node("Gather", []string{g.Node("Shape", []string{"input_ids"}), g.Int64s([]int64{1})})
	places := g.Node("Range", []string{g.Int64s([]int64{0}), length, g.Int64s([]int64{1})})
	positions := g.Node("Gather", []string{g.Floats(t.positions, int64(t.Positions), h), places})
	x := g.Node("Add", []string{g.Node("Add", []string{words, types}), positions})
	x = t.norm(g, x, t.begin)
	mask := g.Node("Cast", []string{"attention_mask"}, Int("to", int64(g.float)))
	mask = g.Node("Unsqueeze", []string{mask, g.Int64s([]int64{1, 2}, 2)})
	mask = g.Node("Sub", []string{g.Floats([]float32{1}), mask})
	mask = g.Node("Mul", []string{mask, g.Floats([]float32{-10000})})
	for _, l := range t.layers {
		x = t.norm(g, g.Node("Add", []string{x, t.attention(g, x, mask, l)}), l.afterAttention)
		x = t.norm(g, g.Node("Add", []string{x, t.inner(g, x, l)}), l.afterInner)
	}
	return x
}

func (t *Transformer) norm(g *Graph, x string, n norm) string {
	h := int64(len(n.gain))
	return g.Node("LayerNormalization", []string{x, g.Floats(n.gain, h), g.Floats(n.bias, h)},
		Int("axis", -1), Float("epsilon", epsilon))
}

func (t *Transformer) attention(g *Graph, x, mask string, l layer) string {
	size := t.Hidden / t.Heads
	heads := func(part linear, order ...int64) string {
		split := g.Node("Reshape", []string{t.linear(g, x, part), g.Int64s([]int64{0, 0, int64(t.Heads), int64(size)}, 4)})
		return g.Node("Transpose", []string{split}, Ints("perm", order...))
	}
	query, key, value := heads(l.query, 0, 2, 1, 3), heads(l.key, 0, 2, 3, 1), heads(l.value, 0, 2, 1, 3)
	scores := g.Node("Div", []string{g.Node("MatMul", []string{query, key}), g.Floats([]float32{sqrt(float32(size))})})
	weights := g.Node("Softmax", []string{g.Node("Add", []string{scores, mask})}, Int("axis", -1))
	read := g.Node("Transpose", []string{g.Node("MatMul", []string{weights, value})}, Ints("perm", 0, 2, 1, 3))
	read = g.Node("Reshape", []string{read, g.Int64s([]int64{0, 0, int64(t.Hidden)}, 3)})
	return t.linear(g, read, l.out)
}

// inner adds the feed-forward part: GELU is x · (1 + erf(x/√2)) / 2.
func (t *Transformer) inner(g *Graph, x string, l layer) string {
	y := t.linear(g, x, l.first)
	erf := g.Node("Erf", []string{g.Node("Div", []string{y, g.Floats([]float32{math.Sqrt2})})})
	y = g.Node("Mul", []string{y, g.Node("Add", []string{erf, g.Floats([]float32{1})})})
	return t.linear(g, g.Node("Mul", []string{y, g.Floats([]float32{.5})}), l.second)
}

func (t *Transformer) linear(g *Graph, x string, l linear) string {
	dims := []int64{int64(l.in), int64(l.out)}
	var product string
	if t.Form == Int8 {
		product = t.quantised(g, x, l, dims)
	} else {
		product = g.Node("MatMul", []string{x, g.Floats(l.weight, dims...)})
	}
	return g.Node("Add", []string{product, g.Floats(l.bias, int64(l.out))})
}

// quantised multiplies bytes, as dynamic quantisation does: the range of x is measured in each run.
func (t *Transformer) quantised(g *Graph, x string, l linear, dims []int64) string {
	bytes, scale := roundBytes(l.weight)
	x3 := g.Nodes("DynamicQuantizeLinear", []string{x}, 3)
	sum := g.Node("MatMulInteger", []string{x3[0], g.Int8s(bytes, dims...), x3[2], g.Int8s([]int8{0})})
	both := g.Node("Mul", []string{x3[1], g.Floats([]float32{scale})})
	return g.Node("Mul", []string{g.Node("Cast", []string{sum}, Int("to", typeFloat)), both})
}

// roundBytes returns weights as multiples of one scale.
func roundBytes(weights []float32) ([]int8, float32) {
	var most float64
	for _, x := range weights {
		most = max(most, math.Abs(float64(x)))
	}
	bytes := make([]int8, len(weights))
	for i, x := range weights {
		bytes[i] = int8(math.Round(float64(x) / most * 127))
	}
	return bytes, float32(most / 127)
}

// mean adds the mean of the states over the mask.
func (t *Transformer) mean(g *Graph, states string) string {
	mask := g.Node("Cast", []string{"attention_mask"}, Int("to", int64(g.float)))
	mask = g.Node("Unsqueeze", []string{mask, g.Int64s([]int64{2}, 1)})
	axis := []string{g.Int64s([]int64{1}, 1)}
	sum := g.Node("ReduceSum", slices.Concat([]string{g.Node("Mul", []string{states, mask})}, axis), Int("keepdims", 0))
	return g.Node("Div", []string{sum, g.Node("ReduceSum", slices.Concat([]string{mask}, axis), Int("keepdims", 0))})
}
