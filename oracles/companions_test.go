package oracles_test

import (
	"fmt"
	"slices"
	"testing"

	"patina/oracles"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
)

// A path alone asks for the files that changed with it. Those of commits with few files and of the
// newest commits come first. Any other question searches commits by its words.
func TestPathAsksForItsCompanions(t *testing.T) {
	dir := t.TempDir()
	w, err := build.New(t.Context(), dir, build.Options{Root: "/src", Extractor: 1})
	storetest.Check(t, err)
	k := w.Worker()
	paths := []string{"a/one.go", "b/two.go", "c/three.go", "d/four.go", "e/five.go", "f/six.go", "g/one.go", "bin/run"}
	for i := range 20 {
		paths = append(paths, fmt.Sprintf("many/%02d.go", i))
	}
	for _, path := range paths {
		storetest.Check(t, k.Put(storetest.FileOf(path, ";F;")))
	}
	for i, files := range [][]string{
		{"a/old.go", "c/three.go"},
		{"a/old.go", "a/one.go"}, // a rename: both paths are touched
		{"a/one.go", "c/three.go", "d/four.go", "e/five.go", "b/two.go"},
		{"a/one.go", "b/two.go", "gone.go"},
		append([]string{"a/one.go"}, paths[8:]...), // too many to mean anything
		{"f/six.go", "bin/run"},
	} {
		v := doc.Revision{SHA: fmt.Sprintf("%040x", i+1), Subject: "change six", Files: files}
		if i == 1 {
			v.Moves = []doc.Move{{From: "a/old.go", To: "a/one.go"}}
		}
		storetest.Check(t, w.AddRevision(v))
	}
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	for _, test := range []struct {
		asked string
		want  []string // nil: the commits vote
	}{
		{"a/one.go", []string{"b/two.go", "c/three.go", "d/four.go", "e/five.go"}},
		{" ./a/one.go\n", []string{"b/two.go", "c/three.go", "d/four.go", "e/five.go"}},
		{"two.go", []string{"a/one.go", "c/three.go", "d/four.go", "e/five.go"}},
		{"bin/run", []string{"f/six.go"}},
		{"one.go", nil}, // two files have that name
		{"g/one.go", nil},
		{"six", nil},
		{"gone.go", nil},
		{"change a/one.go", nil},
	} {
		lists, err := ask(t, dir, oracles.Temporal{}, test.asked)
		storetest.Check(t, err)
		var got []string
		for _, h := range lists[0].Hits {
			got = append(got, h.Path)
		}
		if lists[0].Companions != (test.want != nil) || test.want != nil && !slices.Equal(got, test.want) {
			t.Errorf("%q: %v (companions: %v), want %v", test.asked, got, lists[0].Companions, test.want)
		}
	}
}
