package eval

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"patina/code/lookup"
	"patina/store/doc"
)

// texts is a corpus in memory. The interface is plain data, so nothing is faked.
type texts []lookup.ChunkText

func (c texts) Chunks(_ context.Context, f func(lookup.ChunkText) error) error {
	for _, t := range c {
		if err := f(t); err != nil {
			return err
		}
	}
	return nil
}

func ids(ps []place) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.id)
	}
	return out
}

// Four chunks have 2, 4, 2 and 4 words, 3 on average. "zebra" is in 2 out of 4: idf = ln(1 +
// 2.5/2.5) = ln 2. Once in 2 words: 2.2 / (1 + 1.2·(0.25 + 0.75·2/3)) = 2.2/1.9; twice in 4 words:
// 4.4 / (2 + 1.2·(0.25 + 0.75·4/3)) = 4.4/3.5.
func TestBM25ByHand(t *testing.T) {
	c := texts{
		{DocID: "a.go", Path: "a.go", Kind: doc.Code, Text: "zebra lion"},
		{DocID: "b.go", Path: "b.go", Kind: doc.Code, Text: "zebra zebra lion tiger"},
		{DocID: "a.go", Path: "a.go", Kind: doc.Code, Text: "lion tiger"},
		{DocID: "commit:1", Kind: doc.Commit, Text: "cat dog cow pig"},
	}
	x, err := newBaseline(t.Context(), c, []Question{{Query: "zebra the dog"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if x.words.average() != 3 || len(x.of) != 4 || len(x.documents) != 3 {
		t.Fatalf("average %v, %d chunks, %d documents", x.words.average(), len(x.of), len(x.documents))
	}
	scores := x.words.BM25("zebra the dog")
	dog := math.Log(1+3.5/1.5) * 2.2 / (1 + 1.2*(0.25+0.75*4/3))
	for i, want := range []float64{math.Ln2 * 2.2 / 1.9, math.Ln2 * 4.4 / 3.5, 0, dog} {
		if math.Abs(scores[i]-want) > 1e-12 {
			t.Errorf("chunk %d scores %v, want %v", i, scores[i], want)
		}
	}
	if got := ids(x.rank("zebra the dog", 10)); !slices.Equal(got, []string{"commit:1", "b.go", "a.go"}) {
		t.Errorf("ranked %v", got)
	}
	if got := ids(x.rank("zebra the dog", 2)); !slices.Equal(got, []string{"commit:1", "b.go"}) {
		t.Errorf("two of them: %v", got)
	}
}

func TestBM25BestChunkTiesAndKinds(t *testing.T) {
	c := texts{
		{DocID: "b.go", Path: "b.go", Kind: doc.Code, Text: "zebra x"},
		{DocID: "a.go", Path: "a.go", Kind: doc.Code, Text: "zebra y"},
		{DocID: "many.go", Path: "many.go", Kind: doc.Code, Text: "zebra z"},
		{DocID: "many.go", Path: "many.go", Kind: doc.Code, Text: "zebra w"},
		{DocID: "commit:1", Kind: doc.Commit, Text: "zebra v"},
	}
	qs := []Question{{Query: "Zebras"}} // stemmed by the index's tokenizer
	x, err := newBaseline(t.Context(), c, qs, []doc.Kind{doc.Code})
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(x.rank("Zebras", 10)); !slices.Equal(got, []string{"a.go", "b.go", "many.go"}) {
		t.Errorf("ranked %v: a second chunk must not add, ties go by doc_id, commits were not asked for", got)
	}
	if got := x.rank("unheard of", 10); len(got) != 0 {
		t.Errorf("words that are not in the corpus found %v", got)
	}
	empty, err := newBaseline(t.Context(), texts{}, qs, nil)
	if err != nil || len(empty.rank("Zebras", 10)) != 0 {
		t.Errorf("an empty corpus: %v", err)
	}
}

type broken struct{}

func (broken) Chunks(context.Context, func(lookup.ChunkText) error) error { return errDisk }

var errDisk = errors.New("disk")

func TestBM25CorpusError(t *testing.T) {
	if _, err := newBaseline(t.Context(), broken{}, nil, nil); !errors.Is(err, errDisk) {
		t.Errorf("got %v", err)
	}
}
