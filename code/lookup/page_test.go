package lookup_test

import (
	"database/sql"
	"errors"
	"reflect"
	"testing"

	"patina/code/lookup"
	"patina/store/excerpt"
	"patina/store/storetest"
	"patina/store/text"
)

// A file that was opened before is described as one that is read.
func TestPageIsDescribedAsItsFile(t *testing.T) {
	r := treeOf{"a.go": ";Open T.Rewind Close;", "empty.go": ""}.build(t)
	q := text.ParseQuestion("rewind")
	words := func() *excerpt.Words { return excerpt.NewWords(map[string]float64{"rewind": 2, "close": 1}) }
	for _, found := range [][]excerpt.Found{nil, {{Chunks: []int{0}}}, {{Chunks: []int{1, 0}}, {Chunks: []int{0}, Near: []float64{0.5}}}, {{Chunks: []int{2}}, {}}} {
		page, err := lookup.OpenPage(t.Context(), r, "a.go", words(), found)
		storetest.Check(t, err)
		for _, want := range []lookup.Want{
			{DocID: "a.go", Found: found, Question: q, Words: words()},
			{DocID: "a.go", Found: []excerpt.Found{{Chunks: []int{1}}}, Question: q, Words: words()},
			{DocID: "a.go", Found: found, Question: q, Words: words(), Places: 3},
			{DocID: "a.go::Open", Found: found, Question: q, Words: words()},
			{DocID: "empty.go", Found: []excerpt.Found{{Chunks: []int{0}}}, Question: q, Words: words()},
		} {
			plain, err := lookup.Describe(t.Context(), r, []lookup.Want{want})
			storetest.Check(t, err)
			want.Page = page
			got, err := lookup.Describe(t.Context(), r, []lookup.Want{want})
			storetest.Check(t, err)
			if !reflect.DeepEqual(got, plain) {
				t.Errorf("%+v: described as %+v, want %+v", want, got, plain)
			}
		}
	}
	if _, err := lookup.OpenPage(t.Context(), r, "none.go", words(), nil); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("a file that is not there: %v", err)
	}
	page, err := lookup.OpenPage(t.Context(), r, "empty.go", words(), []excerpt.Found{{Chunks: []int{0}}})
	storetest.Check(t, err)
	if page.Answer() != 0 {
		t.Errorf("an empty file answers %v of the question", page.Answer())
	}
}
