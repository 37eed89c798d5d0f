package oracles_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"patina/oracles"
	"patina/store"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

// asWritten pins an index of files with one chunk each.
func asWritten(t *testing.T, bodies map[string]string) *store.Reader {
	t.Helper()
	c := storetest.NewCorpus(11)
	for _, path := range slices.Sorted(maps.Keys(bodies)) {
		c.Write(path)
		c.Files[path].Chunks = c.Files[path].Chunks[:1]
		c.Files[path].Chunks[0].Body = bodies[path]
	}
	return c.PinAll(t)
}

// A word that finds nothing is looked for as code writes it. What only a translation finds has no
// share of the question, so it is not taken for an answer, and its words stay unknown.
func TestWordsThatFindLittleAreTranslated(t *testing.T) {
	r := asWritten(t, map[string]string{"x.go": "rand rand seed", "y.go": "harbour", "z.go": "lighthouse"})
	q := text.ParseQuestion("random")
	ranked, err := oracles.BM25(t.Context(), r, q, doc.Filter{}, 10)
	storetest.Check(t, err)
	if hits := ranked[doc.Code]; len(hits) != 1 || hits[0].DocID != "x.go" {
		t.Errorf("random finds %v, want x.go", hits)
	}
	said, err := oracles.Translations(t.Context(), r, q)
	storetest.Check(t, err)
	if said != "random: rand" {
		t.Errorf("the translations are %q, want only the one that the code holds", said)
	}
	ev, err := oracles.Evidence(t.Context(), r, q, map[doc.Kind][]string{doc.Code: {"x.go"}})
	storetest.Check(t, err)
	if e := ev["x.go"]; e.Share != 0 || e.Known != 0 {
		t.Errorf("share %v, known %v, want 0", e.Share, e.Known)
	}
}

// Where the words themselves find a chunk, nothing is translated. In a long text nothing is.
func TestWordsThatFindEnoughAreNotTranslated(t *testing.T) {
	r := asWritten(t, map[string]string{"x.go": "rand", "y.go": "random random", "z.go": "lighthouse"})
	for _, q := range []string{"random", "lighthouse", "", "the of", "random\n```\nrandom\n```"} {
		said, err := oracles.Translations(t.Context(), r, text.ParseQuestion(q))
		storetest.Check(t, err)
		if said != "" {
			t.Errorf("%q is translated: %s", q, said)
		}
	}
}

// A share is the same with translations as without them: to rounding, that of the own words.
func TestSharesDoNotCountTranslations(t *testing.T) {
	bodies := map[string]string{"x.go": "rand harbour", "y.go": "harbour"}
	for _, path := range []string{"a.go", "b.go", "c.go", "d.go"} {
		bodies[path] = "harbour"
	}
	r := asWritten(t, bodies)
	q := text.ParseQuestion("random directory iterator harbour")
	if said, err := oracles.Translations(t.Context(), r, q); err != nil || !strings.Contains(said, "random: rand") {
		t.Fatalf("the translations are %q, %v", said, err)
	}
	ev, err := oracles.Evidence(t.Context(), r, q, map[doc.Kind][]string{doc.Code: {"x.go", "y.go"}})
	storetest.Check(t, err)
	// The files differ in length by a few words, so the shares are not equal.
	if x, y := ev["x.go"].Share, ev["y.go"].Share; y <= 0 || x > 1.1*y || x < 0.9*y {
		t.Errorf("shares %v and %v of one common word", x, y)
	}
	ranked, err := oracles.BM25(t.Context(), r, q, doc.Filter{}, 10)
	storetest.Check(t, err)
	if hits := ranked[doc.Code]; len(hits) < 2 || hits[0].DocID != "x.go" || hits[0].Raw <= hits[1].Raw {
		t.Errorf("the best is %v, want x.go, which has the translation, too", hits)
	}
}
