package oracles_test

import (
	"slices"
	"testing"

	"patina/oracles"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

// Projects that are asked together weigh words alike in shares. The order of a list must stay the
// project's own.
func TestOtherProjectsChangeSharesAlone(t *testing.T) {
	ctx := t.Context()
	c := storetest.NewCorpus(11)
	for path, body := range map[string]string{
		"x.go": "opens the gate", "y.go": "a harbour", "z.go": "another harbour",
	} {
		c.Write(path)
		c.Files[path].Chunks = c.Files[path].Chunks[:1]
		c.Files[path].Chunks[0].Body = body
	}
	r := c.PinAll(t)
	ask := func(wide text.Frequencies) (order []string, x, y float64) {
		q := text.ParseQuestion("gate of a harbour")
		q.Wide = wide
		lists, err := oracles.BM25(ctx, r, q, doc.Filter{Kinds: []doc.Kind{doc.Code}}, 10)
		storetest.Check(t, err)
		for _, hit := range lists[doc.Code] {
			order = append(order, hit.Path)
		}
		ev, err := oracles.Evidence(ctx, r, q, map[doc.Kind][]string{doc.Code: {"x.go", "y.go"}})
		storetest.Check(t, err)
		return order, ev["x.go"].Share, ev["y.go"].Share
	}
	alone, x, y := ask(text.Frequencies{})
	if alone[0] != "x.go" || x <= y {
		t.Fatalf("alone: %v, shares %v and %v", alone, x, y)
	}
	together, wx, wy := ask(text.Frequencies{Chunks: 1000, Terms: map[string]int{"gate": 900}})
	if !slices.Equal(together, alone) {
		t.Errorf("together %v, alone %v", together, alone)
	}
	if wx >= wy {
		t.Errorf("a word that is common elsewhere still counts most: %v and %v", wx, wy)
	}
}
