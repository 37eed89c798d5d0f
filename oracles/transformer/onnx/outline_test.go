package onnx_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"patina/oracles/transformer/graphtest"
	"patina/oracles/transformer/onnx"
)

func outlineOf(t testing.TB, c graphtest.Config) (*onnx.Outline, []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.onnx")
	if err := graphtest.New(c).Write(path); err != nil {
		t.Fatal(err)
	}
	outline, err := onnx.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return outline, data
}

func TestOutline(t *testing.T) {
	c := graphtest.Tiny
	c.Form, c.External = graphtest.Float16, true
	got, _ := outlineOf(t, c)
	open := []int64{-1, -1}
	want := []onnx.Value{{"input_ids", onnx.Int64, open}, {"attention_mask", onnx.Int64, open}, {"token_type_ids", onnx.Int64, open}}
	if !reflect.DeepEqual(got.Inputs, want) {
		t.Errorf("inputs %v, want %v", got.Inputs, want)
	}
	want = []onnx.Value{{"last_hidden_state", onnx.Float16, []int64{-1, -1, 48}}}
	if !reflect.DeepEqual(got.Outputs, want) {
		t.Errorf("outputs %v, want %v", got.Outputs, want)
	}
	if !slices.Equal(got.Files, []string{"model.onnx.data"}) || !slices.Contains(got.Operators, "LayerNormalization") {
		t.Errorf("files %q, operators %q", got.Files, got.Operators)
	}
}

// An input that has a weight of its name is a constant, as older exporters list them.
func TestWeightsAreNoInputs(t *testing.T) {
	g := graphtest.NewGraph(false, false)
	g.Int64Input("input_ids", 0, 0)
	g.Int64Input(g.Int64s([]int64{1}), 1)
	path := filepath.Join(t.TempDir(), "model.onnx")
	if err := g.Write(path); err != nil {
		t.Fatal(err)
	}
	got, err := onnx.ReadFile(path)
	if err != nil || len(got.Inputs) != 1 || got.Inputs[0].Name != "input_ids" {
		t.Errorf("%v, %v", got, err)
	}
}

// A graph that is cut off anywhere must be an error or lack what came later.
func TestTruncated(t *testing.T) {
	c := graphtest.Tiny
	c.Layers = 1
	_, data := outlineOf(t, c)
	if len(data) < 1000 {
		t.Fatalf("%d bytes", len(data))
	}
	for n := 0; n < len(data); n += 1 + n/50 {
		if o, err := onnx.Read(bytes.NewReader(data[:n]), int64(n)); err == nil {
			t.Errorf("%d of %d bytes gave %v", n, len(data), o)
		}
	}
}

func TestRefusals(t *testing.T) {
	outside := graphtest.NewGraph(false, true)
	outside.External = "../model.data"
	outside.Floats(make([]float32, 100), 100)
	many := graphtest.NewGraph(false, false)
	for range 300 {
		many.Output("x")
	}
	deep := graphtest.NewGraph(false, false)
	deep.Output("x", make([]int64, 40)...)
	for want, g := range map[string]*graphtest.Graph{
		"outside of the folder":         outside,
		"more than 256":                 many,
		"more than 16 dimensions":       deep,
		"not an ONNX file":              nil,
		"not a regular file":            nil,
		"no such file":                  nil,
		"not an ONNX file: it holds no": nil,
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "model.onnx")
		var err error
		switch {
		case g != nil:
			err = g.Write(path)
		case want == "not an ONNX file":
			err = os.WriteFile(path, []byte("%PDF-1.7 is none"), 0o600)
		case want == "not a regular file":
			path = dir
		case want == "not an ONNX file: it holds no":
			err = os.WriteFile(path, nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if o, err := onnx.ReadFile(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want %q", o, err, want)
		}
	}
}

// Any bytes must give an error or an outline within its limits.
func FuzzRead(f *testing.F) {
	c := graphtest.Tiny
	c.Layers, c.Hidden, c.Heads, c.Inner, c.Vocabulary, c.Positions = 1, 4, 1, 4, 4, 4
	_, data := outlineOf(f, c)
	f.Add(data)
	c.External = true
	_, data = outlineOf(f, c)
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := onnx.Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		for _, name := range o.Files {
			if !filepath.IsLocal(name) {
				t.Errorf("file %q", name)
			}
		}
		if len(o.Inputs) > 256 || len(o.Outputs) > 256 || len(o.Files) > 4096 {
			t.Errorf("%d inputs, %d outputs, %d files", len(o.Inputs), len(o.Outputs), len(o.Files))
		}
	})
}
