package oracles

import (
	"maps"
	"testing"

	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

// Evidence is the same on the board of an earlier ranking as on a new one.
func TestEvidenceAfterAList(t *testing.T) {
	ctx := t.Context()
	c := storetest.NewCorpus(5)
	c.Fill()
	for range 40 {
		c.Commit()
	}
	for _, question := range []string{"retry the oracle", "lexical index of a server", "http"} {
		q := text.ParseQuestion(question)
		all, err := BM25(ctx, c.PinAll(t), q, doc.Filter{}, 10)
		storetest.Check(t, err)
		ids := map[doc.Kind][]string{}
		for kind, hits := range all {
			for _, h := range hits {
				ids[kind] = append(ids[kind], kind.Identity(h))
			}
		}
		want, err := Evidence(ctx, c.PinAll(t), q, ids)
		storetest.Check(t, err)
		if len(want) < 10 {
			t.Fatalf("%q: evidence of %d documents", question, len(want))
		}
		for _, kinds := range [][]doc.Kind{nil, {doc.Code}, {doc.Pattern, doc.Commit}} {
			r := c.PinAll(t)
			for range 2 { // the second time no scores of the first may be left
				_, err := BM25(ctx, r, q, doc.Filter{Kinds: kinds}, 10)
				storetest.Check(t, err)
				got, err := Evidence(ctx, r, q, ids)
				storetest.Check(t, err)
				if !maps.Equal(got, want) {
					t.Errorf("%q after a list of %q: %v, want %v", question, kinds, got, want)
				}
			}
		}
	}
}

// A count is kept separately for chunks and for files.
func TestCountsAreKeptByWhatIsCounted(t *testing.T) {
	c := &counts{}
	c.keepCount(counted{"", "file"}, 3)
	if _, ok := c.get(counted{string(doc.Code), "file"}); ok {
		t.Error("chunks are taken for files")
	}
	for n := range 2 * maxCounts {
		c.keepCount(counted{"", string(rune(n))}, n)
	}
	if len(c.of) > maxCounts {
		t.Errorf("%d counts are kept", len(c.of))
	}
	if n, ok := c.get(counted{"", string(rune(2*maxCounts - 1))}); !ok || n != 2*maxCounts-1 {
		t.Errorf("the last count is %d, %v", n, ok)
	}
}

// A question whose words the code has, or whose words have no translation, fills no board before
// its lists.
func TestOnlyWordsToTranslateFillABoard(t *testing.T) {
	c := storetest.NewCorpus(11)
	for path, body := range map[string]string{"x.go": "rand seed", "y.go": "harbour"} {
		c.Write(path)
		c.Files[path].Chunks = c.Files[path].Chunks[:1]
		c.Files[path].Chunks[0].Body = body
	}
	r := c.PinAll(t)
	for question, want := range map[string]bool{"harbour seed": false, "harbour": false, "zzzz": false, "random": true} {
		found, err := findingOf(t.Context(), r, text.ParseQuestion(question))
		storetest.Check(t, err)
		if got := found.filled.Load() != nil; got != want {
			t.Errorf("%q fills a board: %v, want %v", question, got, want)
		}
		if got := found.scoring.renderings != nil; got != want {
			t.Errorf("%q is translated: %v, want %v", question, got, want)
		}
	}
}
