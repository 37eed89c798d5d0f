package describe_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"patina/code/describe"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/store"
	"patina/store/doc"
	"patina/store/excerpt"
	"patina/store/storetest"
)

// reasoned returns a repository whose commits and comments state reasons.
func reasoned(t *testing.T) *store.Reader {
	t.Helper()
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "store")
	scrapetest.Reasoned(t, root)
	_, err := scrape.Run(t.Context(), scrape.Options{Root: root, StoreDir: dir})
	storetest.Check(t, err)
	return storetest.Pin(t, dir)
}

func TestReasons(t *testing.T) {
	r := reasoned(t)
	const (
		first  = "5 We must take the lock before the list is read, because another process may change the list."
		second = "16 The order of calls is never changed here, because rows know their number."
		take   = "0 Take waits rather than fails, because most locks are short."
		all    = "0 All of it is Go rather than C, because nobody wants to free memory."
	)
	for _, test := range []struct {
		path, symbol string
		limit        int
		want         []string
	}{
		{"lock.go", "Table.Take", 4, []string{first, second, take, all}},
		{"lock.go", "", 4, []string{first, second, take, all}},
		{"lock.go", "", 2, []string{first, take}},
		{"part1.go", "", 4, []string{all}},
		{"none.go", "", 4, nil},
		{"lock.go", "Table.Take", 0, nil},
	} {
		found, err := describe.Reasons(t.Context(), r, test.path, test.symbol, test.limit)
		storetest.Check(t, err)
		var got []string
		for _, x := range found {
			got = append(got, fmt.Sprint(x.Line, " ", x.Text))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s %s: %q, want %q", test.path, test.symbol, got, test.want)
		}
	}
}

// The reason of a result is the comment with most of the question's words, unless that is shown
// anyway.
func TestResultsSayWhy(t *testing.T) {
	r := reasoned(t)
	for _, test := range []struct {
		word string
		line int
		want int
	}{
		{"number", 17, 16}, // the word is only in the comment
		{"count", 17, 16},  // beside the best line
		{"zyzzyva", 1, 0},  // in no comment, and far from both
	} {
		words := excerpt.NewWords(map[string]float64{test.word: 1})
		ds, err := describe.Describe(t.Context(), r, []describe.Want{{DocID: "lock.go", Words: words, Line: test.line}})
		storetest.Check(t, err)
		shown := slices.ContainsFunc(ds[0].Lines, func(l doc.Line) bool { return l.Number == test.want })
		if ds[0].Why.Number != test.want && !shown {
			t.Errorf("%s: %+v, lines %+v, want %d", test.word, ds[0].Why, ds[0].Lines, test.want)
		}
	}
}
