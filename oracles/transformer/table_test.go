package transformer_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/oracles/embed"
	"patina/oracles/transformer"
	"patina/oracles/transformer/graphtest"
	"patina/store/doc"
)

// writeBuiltIn writes the built-in table as a model, with a vocabulary of its pieces.
func writeBuiltIn(t *testing.T, table *embed.Table, roots bool) string {
	t.Helper()
	dir := t.TempDir()
	pieces, dim := table.Vocabulary(), table.Dimension()
	special := []string{"[PAD]", "[CLS]", "[SEP]"} // with rows of zeros, as [UNK] has
	rows := make([]float32, (pieces.Len()+len(special))*dim)
	var all []string
	for id := range pieces.Len() {
		all = append(all, pieces.Piece(uint16(id)))
		if id > 0 {
			table.Row(rows[id*dim:(id+1)*dim], uint16(id))
		}
	}
	all = append(all, special...)
	if err := graphtest.Table(rows, len(all), dim, roots).Write(filepath.Join(dir, "model.onnx")); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "vocab.txt", strings.Join(all, "\n")+"\n")
	put(t, dir, "tokenizer_config.json", `{"do_lower_case": false, "tokenizer_class": "BertTokenizer"}`)
	return dir
}

// sentences returns paragraphs of this repository's pages, as the words that the built-in model
// reads, at most 25 each.
func sentences(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, page := range []string{"README.md", "DESIGN.md", "CONTRIBUTING.md", "store/DESIGN.md"} {
		data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(page)))
		if err != nil {
			t.Fatal(err)
		}
		for _, paragraph := range strings.Split(string(data), "\n") {
			var words []string
			for word := range embed.Words(paragraph) {
				if words = append(words, string(word)); len(words) == 25 {
					break
				}
			}
			if len(words) > 3 {
				all = append(all, strings.Join(words, " "))
			}
		}
	}
	if len(all) < 200 {
		t.Fatalf("only %d paragraphs", len(all))
	}
	return all
}

// The built-in model as a graph must give the vectors that it gives in Go: tokenizer, table,
// weighing and length.
func TestBuiltInTableAsGraph(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "embed", "base.table"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := embed.ReadTable(data)
	if err != nil {
		t.Fatal(err)
	}
	builtIn, all := embed.New(table), sentences(t)
	sum := open(t, transformer.Options{Dir: writeBuiltIn(t, table, false)})
	roots := open(t, transformer.Options{Dir: writeBuiltIn(t, table, true)})
	if d := roots.Description(); d.Pooling != transformer.Graph || roots.Dimension() != 256 {
		t.Fatalf("pooling %s, dimension %d", d.Pooling, roots.Dimension())
	}
	var farQuestion, farPassage float64
	want, exact := make([]float64, 256), make([]float32, 256)
	for _, text := range all {
		for i, x := range builtIn.Question([]doc.QuestionPart{{Text: text, Weight: 1}}) {
			want[i] = float64(x)
		}
		farQuestion = max(farQuestion, farthest(embedOne(t, sum, text), want))
		builtIn.Exact(exact, builtIn.Encode(nil, doc.Passage{Body: text}))
		for i, x := range exact {
			want[i] = float64(x)
		}
		farPassage = max(farPassage, farthest(embedOne(t, roots, text), want))
	}
	t.Logf("%d paragraphs: questions differ by %.2g, passages by %.2g", len(all), farQuestion, farPassage)
	if farQuestion > 1e-5 || farPassage > 1e-5 {
		t.Errorf("questions differ by %g, passages by %g", farQuestion, farPassage)
	}
	passages := make([]doc.Passage, len(all))
	for i, text := range all {
		passages[i].Body = text
	}
	got, one := make([]int8, len(all)*256), make([]int8, 256)
	if err := roots.EmbedPassages(t.Context(), got, passages); err != nil {
		t.Fatal(err)
	}
	for i, p := range passages {
		builtIn.Embed(one, builtIn.Encode(nil, p))
		for k, x := range one {
			if math.Abs(float64(x)-float64(got[i*256+k])) > 1 {
				t.Fatalf("%q: component %d is %d, want %d", p.Body, k, got[i*256+k], x)
			}
		}
	}
}
