package transformer_test

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"patina/oracles/transformer"
	"patina/oracles/transformer/graphtest"
	"patina/store/doc"
)

// writeGraph writes a model of one graph into a new folder.
func writeGraph(t *testing.T, g *graphtest.Graph) string {
	t.Helper()
	dir := t.TempDir()
	if err := g.Write(filepath.Join(dir, "model.onnx")); err != nil {
		t.Fatal(err)
	}
	graphtest.WriteVocabulary(t, dir, words...)
	return dir
}

// A graph that is no encoder must be an error when it is opened, whatever it does.
func TestHostileGraphs(t *testing.T) {
	spread := func(g *graphtest.Graph) { g.Name(g.Spread(8), "last_hidden_state") }
	for want, build := range map[string]func(g *graphtest.Graph){
		"no input input_ids, but none": func(g *graphtest.Graph) { g.Output("x", 0, 0, 8) },
		`input "pixel_values" is none of`: func(g *graphtest.Graph) {
			g.Int64Input("input_ids", 0, 0)
			g.Int64Input("pixel_values", 0, 0)
			g.Output("last_hidden_state", 0, 0, 8)
			spread(g)
		},
		"has 1 dimensions, want 2": func(g *graphtest.Graph) {
			g.Int64Input("input_ids", 0)
			g.Output("last_hidden_state", 0, 0, 8)
		},
		"has a fixed shape of 1099511627776": func(g *graphtest.Graph) {
			g.Int64Input("input_ids", 1<<40, 1<<40)
			g.Output("last_hidden_state", 0, 0, 8)
		},
		"has a fixed shape of 4096 × 4096": func(g *graphtest.Graph) {
			g.Int64Input("input_ids", 1<<12, 1<<12)
			g.Output("last_hidden_state", 0, 0, 8)
		},
		`no output with vectors of tokens or texts, but "logits"`: func(g *graphtest.Graph) {
			g.Int64Input("input_ids", 0, 0)
			g.Output("logits", 0, 8)
			g.Name(g.Spread(8), "logits")
		},
		"no output with vectors of tokens or texts, but none": func(g *graphtest.Graph) { g.Int64Input("input_ids", 0, 0) },
		"vectors of dimension 2147483647, want at most": func(g *graphtest.Graph) {
			g.Int64Input("input_ids", 0, 0)
			g.Output("last_hidden_state", 0, 0, 1<<40)
			spread(g)
		},
		"not finite": func(g *graphtest.Graph) {
			g.Int64Input("input_ids", 0, 0)
			g.Output("last_hidden_state", 0, 0, 8)
			g.Name(g.Node("Log", []string{g.Node("Sub", []string{g.Spread(8), g.Floats([]float32{1})})}), "last_hidden_state")
		},
		"gave an output of shape": func(g *graphtest.Graph) {
			g.Int64Input("input_ids", 0, 0)
			g.Output("last_hidden_state", 0, 0, 0)
			g.Name(g.Node("Concat", []string{g.Spread(8), g.Spread(8)}, graphtest.Int("axis", 1)), "last_hidden_state")
		},
		"NoSuchOperator": func(g *graphtest.Graph) {
			g.Int64Input("input_ids", 0, 0)
			g.Output("last_hidden_state", 0, 0, 8)
			g.Name(g.Node("NoSuchOperator", []string{g.Spread(8)}), "last_hidden_state")
		},
		"shape verification": func(g *graphtest.Graph) { // it says 8 and gives 16
			g.Int64Input("input_ids", 0, 0)
			g.Output("last_hidden_state", 0, 0, 8)
			twice := g.Node("Add", []string{g.Node("ReduceMax", []string{"input_ids"}, graphtest.Int("keepdims", 0)), g.Int64s([]int64{2}, 1)})
			repeats := g.Node("Concat", []string{g.Int64s([]int64{1, 1}, 2), twice}, graphtest.Int("axis", 0))
			g.Name(g.Node("Tile", []string{g.Spread(8), repeats}), "last_hidden_state")
		},
		"ConstantOfShape": func(g *graphtest.Graph) {
			g.Int64Input("input_ids", 0, 0)
			g.Output("last_hidden_state", 0, 0, 0)
			big := g.Node("ConstantOfShape", []string{g.Node("Add", []string{g.Int64s([]int64{1 << 30, 1 << 20}, 2), g.Node("ReduceMax", []string{"input_ids"}, graphtest.Int("keepdims", 0))})})
			sum := g.Node("ReduceSum", []string{big}, graphtest.Int("keepdims", 0))
			g.Name(g.Node("Add", []string{g.Spread(8), sum}), "last_hidden_state")
		},
	} {
		g := graphtest.NewGraph(false, false)
		build(g)
		m, err := transformer.Open(transformer.Options{Dir: writeGraph(t, g), Runtime: graphtest.Library(t)})
		if err == nil {
			_ = m.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A graph with fixed axes must be fed what it wants: the vectors are those of the open axes.
func TestFixedAxes(t *testing.T) {
	g := graphtest.NewGraph(false, false)
	g.Int64Input("input_ids", 3, 16)
	g.Int64Input("position_ids", 3, 16)
	g.Output("last_hidden_state", 3, 16, 8)
	g.Name(g.Spread(8), "last_hidden_state")
	m := open(t, transformer.Options{Dir: writeGraph(t, g)})
	if d := m.Description(); d.MaxTokens != 16 {
		t.Errorf("%d tokens", d.MaxTokens)
	}
	passages := make([]doc.Passage, 7)
	for i := range passages {
		passages[i].Body = strings.Repeat("store ", 1+i*4)
	}
	got := make([]int8, len(passages)*m.Dimension())
	if err := m.EmbedPassages(t.Context(), got, passages); err != nil {
		t.Fatal(err)
	}
	for i := range passages {
		if x := got[i*m.Dimension()]; x != 127 { // each component is 1/√8, which is more than a third
			t.Errorf("text %d: %d", i, x)
		}
	}
}

// waitForRun returns when a call is within the library.
func waitForRun() {
	for stacks := make([]byte, 1<<20); ; runtime.Gosched() {
		if bytes.Contains(stacks[:runtime.Stack(stacks, true)], []byte("RunOrtSessionWithOptions")) {
			return
		}
	}
}

// The end of a context must end a batch that would not end by itself, and the wait for its slot. A
// question must not wait for that slot, and the model must stay usable.
func TestCancellationWithinABatch(t *testing.T) {
	m := open(t, transformer.Options{Dir: writeGraph(t, graphtest.Endless())})
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		results := make(chan error)
		embed := func() {
			results <- m.EmbedPassages(ctx, make([]int8, 2*m.Dimension()), []doc.Passage{{Body: "store"}, {Body: "query"}})
		}
		go embed()
		waitForRun()
		go embed() // waits for the only slot
		if _, err := m.EmbedQuestion(t.Context(), nil); err != nil {
			t.Error(err)
		}
		cancel()
		for range 2 {
			if err := <-results; !errors.Is(err, context.Canceled) {
				t.Errorf("%v, want a canceled context", err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error)
	go func() {
		_, err := m.EmbedQuestion(ctx, []doc.QuestionPart{{Text: "store", Weight: 1}})
		result <- err
	}()
	waitForRun()
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("a question: %v", err)
	}
}
