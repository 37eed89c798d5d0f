package describe_test

import (
	"database/sql"
	"errors"
	"reflect"
	"testing"

	"patina/code/describe"
	"patina/store/excerpt"
	"patina/store/storetest"
	"patina/store/text"
)

// Describing an opened page must give the same as describing its file.
func TestPageIsDescribedAsItsFile(t *testing.T) {
	r := storetest.Tree{"a.go": ";Open T.Rewind Close;", "empty.go": ""}.Build(t)
	q := text.ParseQuestion("rewind")
	words := func() *excerpt.Words { return excerpt.NewWords(map[string]float64{"rewind": 2, "close": 1}) }
	for _, found := range [][]excerpt.Found{nil, {{Chunks: []int{0}}}, {{Chunks: []int{1, 0}}, {Chunks: []int{0}, Near: []float64{0.5}}}, {{Chunks: []int{2}}, {}}} {
		page, err := describe.OpenPage(t.Context(), r, "a.go", words(), found)
		storetest.Check(t, err)
		for _, want := range []describe.Want{
			{DocID: "a.go", Found: found, Question: q, Words: words()},
			{DocID: "a.go", Found: []excerpt.Found{{Chunks: []int{1}}}, Question: q, Words: words()},
			{DocID: "a.go", Found: found, Question: q, Words: words(), Places: 3},
			{DocID: "a.go::Open", Found: found, Question: q, Words: words()},
			{DocID: "empty.go", Found: []excerpt.Found{{Chunks: []int{0}}}, Question: q, Words: words()},
		} {
			plain, err := describe.Describe(t.Context(), r, []describe.Want{want})
			storetest.Check(t, err)
			want.Page = page
			got, err := describe.Describe(t.Context(), r, []describe.Want{want})
			storetest.Check(t, err)
			if !reflect.DeepEqual(got, plain) {
				t.Errorf("%+v: described as %+v, want %+v", want, got, plain)
			}
		}
	}
	if _, err := describe.OpenPage(t.Context(), r, "none.go", words(), nil); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("a file that is not there: %v", err)
	}
	page, err := describe.OpenPage(t.Context(), r, "empty.go", words(), []excerpt.Found{{Chunks: []int{0}}})
	storetest.Check(t, err)
	if page.Answer() != 0 {
		t.Errorf("an empty file answers %v of the question", page.Answer())
	}
}
