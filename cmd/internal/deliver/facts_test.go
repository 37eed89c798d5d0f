package deliver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"patina/actors/api"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
	"patina/cmd/internal/layout/layouttest"
	"patina/code/assay"
	"patina/store/doc"
)

// someFacts returns n plausible facts for a question; every third is a candidate.
func someFacts(question string, n int) *assay.Facts {
	f := &assay.Facts{
		Query: assay.Query{Type: question, Pattern: "merge"},
		Meant: []string{"store/segment.go::Writer.merge", "store/text/merge.go::Merge"},
	}
	for i := range n {
		x := assay.Fact{
			DocID: fmt.Sprintf("store/caller%d.go::Writer.compact", i), Path: fmt.Sprintf("store/caller%d.go", i),
			Line: 10 + 7*i, Symbol: "Writer.compact", Sort: doc.Method,
			Title: "func (w *Writer) compact() error", Written: "w.merge", Target: "store/segment.go::Writer.merge",
			Count: 1 + i%2, Of: 1, Reason: "own type",
		}
		if i%3 == 2 {
			x.Candidate, x.Of, x.Reason = true, 2, "receiver unknown"
		}
		f.Facts = append(f.Facts, x)
	}
	return f
}

func TestAssayGolden(t *testing.T) {
	callees := someFacts("callees", 2)
	callees.Facts = append(callees.Facts, assay.Fact{
		Path: "store/segment.go", Line: 9, Written: "fmt.Errorf",
		Target: "store/segment.go::Writer.merge", Count: 1, Reason: "not defined in the index",
	})
	var b bytes.Buffer
	behind := api.IndexState{
		Project: "patina", Generation: doc.Generation{Number: 7, Head: "0123"}, Behind: 2,
		ChangedFiles: 3,
	}
	for _, f := range []*assay.Facts{
		someFacts("callers", 4), callees, someFacts("functions", 1),
		someFacts("types", 0),
	} {
		if err := FactsTable(&b, FactsAnswer{Facts: f, Index: behind}, Options{Dialect: dialect.CLI{}}); err != nil {
			t.Fatal(err)
		}
		b.WriteString("\n")
	}
	layouttest.Golden(t, "assay.txt", b.Bytes())
	b.Reset()
	if err := FactsJSON(&b, FactsAnswer{Facts: someFacts("callers", 3), Index: behind}); err != nil {
		t.Fatal(err)
	}
	layouttest.Golden(t, "assay.json", b.Bytes())
}

// For any names, a table stays under its ceiling and says how much it left out. Nothing in it may
// act on a terminal.
func TestAssayKeepsItsPromises(t *testing.T) {
	for seed := range int64(150) {
		r := rand.New(rand.NewSource(seed))
		types := assay.Types()
		f := someFacts(types[r.Intn(len(types))], r.Intn(900))
		f.Pattern = layouttest.Nasty(r)
		for range r.Intn(3) {
			f.Notes = append(f.Notes, layouttest.Nasty(r))
		}
		for i := range min(len(f.Facts), 40) {
			x := &f.Facts[i]
			x.DocID, x.Path, x.Symbol, x.Title, x.Written, x.Target = layouttest.Nasty(r), layouttest.Nasty(r),
				layouttest.Nasty(r), layouttest.Nasty(r), layouttest.Nasty(r), layouttest.Nasty(r)
		}
		index := api.IndexState{Project: layouttest.Nasty(r), Behind: r.Intn(3), ChangedFiles: r.Intn(3)}
		o, limit := Options{Dialect: dialect.CLI{Store: layouttest.Nasty(r)}}, layout.PageBytes
		if r.Intn(2) == 0 {
			o.Budget = MinBudget + r.Intn(2000)
			limit = 4 * o.Budget
		}
		var b bytes.Buffer
		if err := FactsTable(&b, FactsAnswer{Facts: f, Index: index}, o); err != nil {
			t.Fatal(err)
		}
		got := b.String()
		if err := layouttest.Harmless(got); err != nil || len(got) > limit {
			t.Fatalf("seed %d: %d of %d bytes, %v:\n%s", seed, len(got), limit, err, got)
		}
		shown := strings.Count(got, "\n  ") + strings.Count(got, "\n? ")
		if shown < len(f.Facts) && !strings.Contains(got, fmt.Sprintf("\n%d more: ", len(f.Facts)-shown)) {
			t.Fatalf("seed %d: %d of %d facts, and nothing says so:\n%s", seed, shown, len(f.Facts), got)
		}
		b.Reset()
		if err := FactsJSON(&b, FactsAnswer{Facts: f}); err != nil {
			t.Fatal(err)
		}
		var back jsonFacts
		if err := json.Unmarshal(b.Bytes(), &back); err != nil || len(back.Facts) != len(f.Facts) {
			t.Fatalf("seed %d: %d facts of %d, %v", seed, len(back.Facts), len(f.Facts), err)
		}
	}
}
