package visit

import (
	"testing"

	"patina/store/text"
)

// A word of everyday code must be common and an unused name rare, however few projects are
// registered. Their counts are added.
func TestBackground(t *testing.T) {
	q := text.ParseQuestion("the function of the zyxquor reads strings")
	got := overBackground(text.Frequencies{Chunks: 10, Terms: map[string]int{"zyxquor": 7}}, q)
	if got.Chunks != backgroundChunks+10 {
		t.Errorf("%d chunks", got.Chunks)
	}
	common, rare := got.Terms[text.Stem("function")], got.Terms["zyxquor"]
	if rare != 7+backgroundChunks*rareShare || common < 5*rare || common > backgroundChunks*mostShare {
		t.Errorf("function in %d, zyxquor in %d", common, rare)
	}
	for _, term := range q.Terms {
		if idf := text.IDF(got.Terms[term], got.Chunks); idf <= 0 {
			t.Errorf("%s weighs %g", term, idf)
		}
	}
}
