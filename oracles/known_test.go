package oracles_test

import (
	"context"
	"testing"

	"patina/oracles"
	"patina/store"
	"patina/store/storetest"
	"patina/store/text"
)

// Known is the part of a question's words found anywhere in the project: by parts of identifiers,
// whatever the kind and whether or not the document holds them.
func TestKnown(t *testing.T) {
	c := storetest.NewCorpus(11)
	c.Write("x.go")
	c.Write("y.go")
	c.Files["x.go"].Chunks = c.Files["x.go"].Chunks[:1]
	c.Files["x.go"].Chunks[0].Body = "opens the gate of every harbour"
	c.Files["y.go"].Chunks = c.Files["y.go"].Chunks[:1]
	c.Files["y.go"].Chunks[0].Body = "a lighthouse"
	r := c.PinAll(t)
	for q, want := range map[string]float64{
		"gate":                                  1,
		"the gate":                              1, // a stop word is no word
		"gates of the harbours":                 1, // by stems
		"gate lighthouse":                       1, // in another file
		"gate yolk":                             0.5,
		"gate gate yolk":                        0.5,
		"gate lighthouse yolk fjord":            0.5,
		"yolk":                                  0,
		"gateHarbour":                           1, // nobody has written it, but its parts
		"gateYolk":                              0.5,
		"the of":                                1, // ranked by its stop words
		"where is the":                          1.0 / 3,
		"gate\n```\nyolk lighthouse fjord\n```": 0.5, // a long text
		"":                                      0,
	} {
		ev, err := oracles.Evidence(context.Background(), r, text.ParseQuestion(q), map[store.Kind][]string{store.Code: {"x.go", "y.go"}})
		storetest.Check(t, err)
		for _, path := range []string{"x.go", "y.go"} {
			if got := ev[path].Known; got != want {
				t.Errorf("%q: of %s %v known, want %v", q, path, got, want)
			}
		}
	}
}
