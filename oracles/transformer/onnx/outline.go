package onnx

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// Limits on an outline. Real transformers have 3 inputs, 2 outputs, some 30 kinds of operators and
// one file of weights.
const (
	maxValues    = 256
	maxRank      = 16
	maxKinds     = 1024
	maxFiles     = 4096
	maxReadNodes = 1 << 20
	maxWeights   = 1 << 16
	maxName      = 1 << 10
)

// A Type is the type of a tensor's elements, by its number in the format.
type Type int

// The types that matter to a caller.
const (
	Float   Type = 1
	Int32   Type = 6
	Int64   Type = 7
	Float16 Type = 10
)

// A Value is an input or output of a graph.
type Value struct {
	Name string
	Type Type
	// Shape holds the dimensions; one that is not fixed is −1. It is nil if the file says nothing.
	Shape []int64
}

// An Outline describes a graph without its weights.
type Outline struct {
	Inputs    []Value  // without those that have a weight of the same name
	Outputs   []Value  // in their order
	Operators []string // kinds of nodes, each once, in the order of their first node
	Files     []string // external files of weights, relative to the folder of the graph, sorted
}

// ReadFile reads the outline of a file.
func ReadFile(path string) (*Outline, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read graph %q: not a regular file", path)
	}
	outline, err := Read(file, info.Size())
	if err != nil {
		return nil, fmt.Errorf("read graph %q: %w", path, err)
	}
	return outline, nil
}

// Read reads an outline from a file of size bytes, from its beginning.
func Read(file io.ReadSeeker, size int64) (*Outline, error) {
	r := reader{kinds: map[string]bool{}, files: map[string]bool{}, weights: map[string]bool{}}
	model := message{newSource(file), size}
	found := false
	err := model.each(func(f field) error {
		if f.number != 7 || f.kind != bytesType {
			return model.pass(f)
		}
		found = true
		return r.graph(model.nested(f))
	})
	if err != nil {
		return nil, fmt.Errorf("not an ONNX file: %w", err)
	}
	if !found {
		return nil, errors.New("not an ONNX file: it holds no graph")
	}
	r.outline.Inputs = slices.DeleteFunc(r.outline.Inputs, func(v Value) bool { return r.weights[v.Name] })
	for name := range r.files {
		r.outline.Files = append(r.outline.Files, name)
	}
	slices.Sort(r.outline.Files)
	return &r.outline, nil
}

// each calls f with every field. f must read or skip the bytes of the field.
func (m message) each(f func(field) error) error {
	for {
		next, ok, err := m.nextField()
		if err != nil || !ok {
			return err
		}
		if err := f(next); err != nil {
			return err
		}
	}
}

type reader struct {
	outline Outline
	kinds   map[string]bool
	files   map[string]bool
	weights map[string]bool // names of weights among the inputs
	nodes   int
}

// graph reads a GraphProto.
func (r *reader) graph(m message) error {
	return m.each(func(f field) error {
		if f.kind != bytesType {
			return nil
		}
		var err error
		switch f.number {
		case 1:
			return r.node(m.nested(f))
		case 5:
			return r.readWeight(m.nested(f))
		case 11:
			r.outline.Inputs, err = readValue(r.outline.Inputs, m.nested(f))
			return err
		case 12:
			r.outline.Outputs, err = readValue(r.outline.Outputs, m.nested(f))
			return err
		}
		return m.pass(f)
	})
}

// node reads a NodeProto: the kind of its operator.
func (r *reader) node(m message) error {
	if r.nodes++; r.nodes > maxReadNodes {
		return fmt.Errorf("more than %d nodes", maxReadNodes)
	}
	return m.each(func(f field) error {
		if f.number != 4 {
			return m.pass(f)
		}
		kind, err := m.bytes(f)
		if err != nil {
			return err
		}
		if !r.kinds[string(kind)] {
			if len(r.kinds) == maxKinds {
				return fmt.Errorf("more than %d kinds of operators", maxKinds)
			}
			r.kinds[string(kind)] = true
			r.outline.Operators = append(r.outline.Operators, string(kind))
		}
		return nil
	})
}

// readWeight reads a TensorProto: its name, and the file that holds its data.
func (r *reader) readWeight(m message) error {
	return m.each(func(f field) error {
		switch f.number {
		case 8:
			name, err := m.bytes(f)
			if len(name) <= maxName && len(r.weights) < maxWeights {
				r.weights[string(name)] = true
			}
			return err
		case 13:
			return r.external(m, f)
		}
		return m.pass(f)
	})
}

// external reads a StringStringEntryProto of external data. Its file must lie in the folder of the
// graph.
func (r *reader) external(m message, f field) error {
	entry := m.nested(f)
	var key, value string
	err := entry.each(func(f field) error {
		data, err := entry.bytes(f)
		if err != nil {
			return err
		}
		switch f.number {
		case 1:
			key = string(data)
		case 2:
			value = string(data)
		}
		return nil
	})
	if err != nil || key != "location" {
		return err
	}
	name := filepath.Clean(filepath.FromSlash(value))
	if !filepath.IsLocal(name) {
		return fmt.Errorf("weights in %q, outside of the folder of the graph", value)
	}
	if r.files[name] = true; len(r.files) > maxFiles {
		return fmt.Errorf("weights in more than %d files", maxFiles)
	}
	return nil
}

// readValue reads a ValueInfoProto.
func readValue(values []Value, m message) ([]Value, error) {
	if len(values) == maxValues {
		return nil, fmt.Errorf("more than %d inputs or outputs", maxValues)
	}
	var v Value
	err := m.each(func(f field) error {
		switch {
		case f.number == 1 && f.kind == bytesType:
			name, err := m.bytes(f)
			v.Name = string(name)
			return err
		case f.number == 2 && f.kind == bytesType:
			return readType(&v, m.nested(f))
		}
		return m.pass(f)
	})
	return append(values, v), err
}

// readType reads a TypeProto that is a tensor: field 1 holds its type (1) and its shape (2).
func readType(v *Value, m message) error {
	return m.each(func(f field) error {
		if f.number != 1 || f.kind != bytesType {
			return m.pass(f)
		}
		tensor := m.nested(f)
		return tensor.each(func(f field) error {
			switch {
			case f.number == 1 && f.kind == varintType:
				v.Type = Type(f.value)
			case f.number == 2 && f.kind == bytesType:
				v.Shape = []int64{}
				return readShape(v, tensor.nested(f))
			}
			return tensor.pass(f)
		})
	})
}

// readShape reads a TensorShapeProto: each dimension (1) has a value (1) or a name (2).
func readShape(v *Value, m message) error {
	return m.each(func(f field) error {
		if f.number != 1 || f.kind != bytesType {
			return m.pass(f)
		}
		if len(v.Shape) == maxRank {
			return fmt.Errorf("a shape of more than %d dimensions", maxRank)
		}
		size, dimension := int64(-1), m.nested(f)
		err := dimension.each(func(f field) error {
			if f.number == 1 && f.kind == varintType {
				if size = int64(f.value); size <= 0 {
					size = -1
				}
			}
			return dimension.pass(f)
		})
		v.Shape = append(v.Shape, size)
		return err
	})
}
