package oracles_test

import (
	"context"
	"math"
	"testing"

	"patina/oracles"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

// Known is the part of a question's words that the project holds anywhere. It counts parts of
// identifiers, whatever the kind, and whether or not the document holds them.
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
		"the gate":                              1, // a stop word does not count
		"gates of the harbours":                 1, // by stems
		"gate lighthouse":                       1, // in another file
		"gate yolk":                             0.5,
		"gate gate yolk":                        0.5,
		"gate lighthouse yolk fjord":            0.5,
		"yolk":                                  0,
		"gateHarbour":                           1, // nobody has written it, but its parts occur
		"gateYolk":                              0.5,
		"the of":                                1, // only stop words, which count then
		"where is the":                          1.0 / 3,
		"gate\n```\nyolk lighthouse fjord\n```": 0.5, // a long text
		"":                                      0,
	} {
		ids := map[doc.Kind][]string{doc.Code: {"x.go", "y.go"}}
		ev, err := oracles.Evidence(context.Background(), r, text.ParseQuestion(q), ids)
		storetest.Check(t, err)
		for _, path := range []string{"x.go", "y.go"} {
			if got := ev[path].Known; got != want {
				t.Errorf("%q: of %s %v known, want %v", q, path, got, want)
			}
		}
	}
}

// A document with one of two words, however often, stays below Lone, and one with both is above,
// even if they are in different chunks. Lone rises with the square of the words that a document
// lacks. A question of one word and a long text have no such bound.
func TestLone(t *testing.T) {
	c := storetest.NewCorpus(11)
	for path, body := range map[string]string{
		"x.go": "gate gate gate gate", "y.go": "gate harbour gate harbour gate harbour", "z.go": "harbour",
	} {
		c.Write(path)
		c.Files[path].Chunks = c.Files[path].Chunks[:1]
		c.Files[path].Chunks[0].Body = body
	}
	c.Write("w.go")
	apart := c.Files["w.go"]
	apart.Chunks = apart.Chunks[:2]
	apart.Chunks[0].Body, apart.Chunks[1].Body = "gate", "harbour"
	r := c.PinAll(t)
	ask := func(q string) map[string]doc.Evidence {
		ids := map[doc.Kind][]string{doc.Code: {"w.go", "x.go", "y.go"}}
		ev, err := oracles.Evidence(t.Context(), r, text.ParseQuestion(q), ids)
		storetest.Check(t, err)
		return ev
	}
	ev := ask("gate and harbour")
	for path, want := range map[string]float64{"w.go": 0.25, "x.go": 1, "y.go": 0.25} {
		if got := ev[path].Lone; math.Abs(got-want) > 0.02 {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
	if ev["x.go"].Share >= ev["x.go"].Lone || ev["y.go"].Share <= ev["y.go"].Lone || ev["w.go"].Share <= ev["w.go"].Lone {
		t.Errorf("one word %v, both %v, apart %v", ev["x.go"].Share, ev["y.go"].Share, ev["w.go"].Share)
	}
	for _, q := range []string{"gate", "gate\n```\nyolk harbour fjord\n```"} {
		if ev := ask(q); ev["x.go"].Lone != 0 {
			t.Errorf("%q: %v", q, ev["x.go"].Lone)
		}
	}
}
