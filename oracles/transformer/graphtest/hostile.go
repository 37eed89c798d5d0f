package graphtest

import "math"

// typeBool is the type of conditions.
const typeBool = 9

// Spread adds a state of width numbers for each token: its id, width times.
func (g *Graph) Spread(width int64) string {
	ids := g.Node("Cast", []string{"input_ids"}, Int("to", int64(g.float)))
	ids = g.Node("Unsqueeze", []string{ids, g.Int64s([]int64{2}, 1)})
	return g.Node("Tile", []string{ids, g.Int64s([]int64{1, 1, width}, 3)})
}

// Endless returns a graph that does not end by itself for a text with an id but 0.
func Endless() *Graph {
	g := NewGraph(false, false)
	g.Int64Input("input_ids", 0, 0)
	g.Output("last_hidden_state", 0, 0, 4)
	largest := g.Node("ReduceMax", []string{"input_ids"}, Int("keepdims", 0))
	times := g.Node("Mul", []string{largest, g.Int64s([]int64{math.MaxInt64 / 1000})})
	body := NewGraph(false, false)
	body.Int64Input("turn")
	body.parts = appendBytes(body.parts, 11, valueInfo("go on", typeBool, nil))
	body.parts = appendBytes(body.parts, 11, valueInfo("state", typeFloat, []int64{0, 0, 4}))
	body.parts = appendBytes(body.parts, 12, valueInfo("still", typeBool, nil))
	body.parts = appendBytes(body.parts, 12, valueInfo("sum", typeFloat, []int64{0, 0, 4}))
	body.Name("go on", "still")
	body.node("Add", []string{"state", "state"}, []string{"sum"}, nil)
	inside := appendBytes(appendText(nil, 1, "body"), 6, appendText(body.parts, 2, "body"))
	g.node("Loop", []string{times, "", g.Spread(4)}, []string{"last_hidden_state"}, []Attribute{appendInt(inside, 20, 5)})
	return g
}
