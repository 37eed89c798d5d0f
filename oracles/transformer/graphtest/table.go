package graphtest

// Table returns a graph that adds up the rows of a table for the tokens of a text, as the built-in
// embedder does with its pieces. rows holds a row for each id. With roots an id that occurs n times
// counts √n times rather than n times.
func Table(rows []float32, ids, dim int, roots bool) *Graph {
	g := NewGraph(false, false)
	g.Int64Input("input_ids", 0, 0)
	g.Int64Input("attention_mask", 0, 0)
	g.Output("sentence_embedding", 0, int64(dim))
	read := g.Node("Gather", []string{g.Floats(rows, int64(ids), int64(dim)), "input_ids"})
	weight := g.Node("Cast", []string{"attention_mask"}, Int("to", typeFloat))
	if roots {
		same := g.Node("Equal", []string{
			g.Node("Unsqueeze", []string{"input_ids", g.Int64s([]int64{1}, 1)}),
			g.Node("Unsqueeze", []string{"input_ids", g.Int64s([]int64{2}, 1)}),
		})
		counted := g.Node("Mul", []string{
			g.Node("Cast", []string{same}, Int("to", typeFloat)), g.Node("Unsqueeze", []string{weight, g.Int64s([]int64{1}, 1)}),
		})
		count := g.Node("ReduceSum", []string{counted, g.Int64s([]int64{2}, 1)}, Int("keepdims", 0))
		// Padding occurs no time: its weight of 0 is divided by 1.
		count = g.Node("Max", []string{count, g.Floats([]float32{1})})
		weight = g.Node("Div", []string{weight, g.Node("Sqrt", []string{count})})
	}
	weighed := g.Node("Mul", []string{read, g.Node("Unsqueeze", []string{weight, g.Int64s([]int64{2}, 1)})})
	g.Name(g.Node("ReduceSum", []string{weighed, g.Int64s([]int64{1}, 1)}, Int("keepdims", 0)), "sentence_embedding")
	return g
}
