package graphtest

import (
	"encoding/binary"
	"math"
	"os"

	"google.golang.org/protobuf/encoding/protowire"
)

// Types of elements in the format.
const (
	typeFloat   = 1
	typeInt8    = 3
	typeInt32   = 6
	typeInt64   = 7
	typeFloat16 = 10
)

// A Graph is an ONNX graph that is being written. Its parts may be in any order that the format
// allows; nothing is checked, so that a test can write wrong ones.
type Graph struct {
	float    int // type of numbers that are not whole
	parts    []byte
	external []byte // weights for another file
	apart    bool   // whether weights go there
	names    int

	// External is the graph's name for the file of its external weights.
	External string
}

// NewGraph returns an empty graph. Its numbers have 16 bits if half, and its weights go to a file
// of their own if external.
func NewGraph(half, external bool) *Graph {
	g := &Graph{float: typeFloat, apart: external, External: "model.onnx.data"}
	if half {
		g.float = typeFloat16
	}
	return g
}

// Write writes the graph to path, and its external weights to path.data, which a graph called
// model.onnx names.
func (g *Graph) Write(path string) error {
	var model []byte
	model = appendInt(model, 1, 8) // version of the format
	model = appendText(model, 2, "patina graphtest")
	model = appendBytes(model, 7, appendText(g.parts, 2, "g"))
	model = appendBytes(model, 8, appendInt(appendText(nil, 1, ""), 2, 17)) // operators
	if g.apart {
		if err := os.WriteFile(path+".data", g.external, 0o600); err != nil {
			return err
		}
	}
	return os.WriteFile(path, model, 0o600)
}

// Int64Input declares an input of whole numbers. A dimension of 0 is open.
func (g *Graph) Int64Input(name string, dims ...int64) {
	g.parts = appendBytes(g.parts, 11, valueInfo(name, typeInt64, dims))
}

// Int32Input is Int64Input for numbers of 32 bits.
func (g *Graph) Int32Input(name string, dims ...int64) {
	g.parts = appendBytes(g.parts, 11, valueInfo(name, typeInt32, dims))
}

// Output declares an output of numbers. A dimension of 0 is open.
func (g *Graph) Output(name string, dims ...int64) {
	g.parts = appendBytes(g.parts, 12, valueInfo(name, g.float, dims))
}

func valueInfo(name string, kind int, dims []int64) []byte {
	var shape []byte
	for i, d := range dims {
		var dim []byte
		if d > 0 {
			dim = appendInt(dim, 1, uint64(d))
		} else {
			dim = appendText(dim, 2, name+string(rune('a'+i)))
		}
		shape = appendBytes(shape, 1, dim)
	}
	tensor := appendBytes(appendInt(nil, 1, uint64(kind)), 2, shape)
	return appendBytes(appendText(nil, 1, name), 2, appendBytes(nil, 1, tensor))
}

// Floats adds a weight and returns its name.
func (g *Graph) Floats(data []float32, dims ...int64) string {
	var raw []byte
	for _, x := range data {
		if g.float == typeFloat16 {
			raw = binary.LittleEndian.AppendUint16(raw, toHalf(x))
		} else {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
		}
	}
	return g.addWeight(g.float, raw, dims)
}

// Int64s adds a constant of whole numbers and returns its name.
func (g *Graph) Int64s(data []int64, dims ...int64) string {
	var raw []byte
	for _, x := range data {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(x))
	}
	return g.addWeight(typeInt64, raw, dims)
}

// Int8s adds a weight of bytes and returns its name.
func (g *Graph) Int8s(data []int8, dims ...int64) string {
	raw := make([]byte, len(data))
	for i, x := range data {
		raw[i] = byte(x)
	}
	return g.addWeight(typeInt8, raw, dims)
}

// addWeight adds a TensorProto. Small ones stay in the graph, as the usual exporters have it.
func (g *Graph) addWeight(kind int, raw []byte, dims []int64) string {
	name := g.newName()
	var t []byte
	for _, d := range dims {
		t = appendInt(t, 1, uint64(d))
	}
	t = appendInt(t, 2, uint64(kind))
	t = appendText(t, 8, name)
	if !g.apart || len(raw) < 64 {
		t = appendBytes(t, 9, raw)
	} else {
		t = appendBytes(t, 13, entry("location", g.External))
		t = appendBytes(t, 13, entry("offset", itoa(len(g.external))))
		t = appendBytes(t, 13, entry("length", itoa(len(raw))))
		t = appendInt(t, 14, 1)
		g.external = append(g.external, raw...)
	}
	g.parts = appendBytes(g.parts, 5, t)
	return name
}

// Node adds an operator with one output, and returns the name of that.
func (g *Graph) Node(operator string, inputs []string, attributes ...Attribute) string {
	return g.Nodes(operator, inputs, 1, attributes...)[0]
}

// Nodes adds an operator with n outputs.
func (g *Graph) Nodes(operator string, inputs []string, n int, attributes ...Attribute) []string {
	outputs := make([]string, n)
	for i := range outputs {
		outputs[i] = g.newName()
	}
	g.node(operator, inputs, outputs, attributes)
	return outputs
}

// Name gives a value another name, such as that of an output.
func (g *Graph) Name(value, name string) { g.node("Identity", []string{value}, []string{name}, nil) }

func (g *Graph) node(operator string, inputs, outputs []string, attributes []Attribute) {
	var n []byte
	for _, name := range inputs {
		n = appendText(n, 1, name)
	}
	for _, name := range outputs {
		n = appendText(n, 2, name)
	}
	n = appendText(n, 4, operator)
	for _, a := range attributes {
		n = appendBytes(n, 5, a)
	}
	g.parts = appendBytes(g.parts, 1, n)
}

func (g *Graph) newName() string {
	g.names++
	return "v" + itoa(g.names)
}

// An Attribute is a setting of an operator.
type Attribute []byte

// Int returns a whole number as a setting.
func Int(name string, value int64) Attribute {
	return appendInt(appendInt(appendText(nil, 1, name), 3, uint64(value)), 20, 2)
}

// Ints returns whole numbers as a setting.
func Ints(name string, values ...int64) Attribute {
	a := appendText(nil, 1, name)
	for _, x := range values {
		a = appendInt(a, 8, uint64(x))
	}
	return appendInt(a, 20, 7)
}

// Float returns a number as a setting.
func Float(name string, value float32) Attribute {
	a := protowire.AppendTag(appendText(nil, 1, name), 2, protowire.Fixed32Type)
	return appendInt(protowire.AppendFixed32(a, math.Float32bits(value)), 20, 1)
}
