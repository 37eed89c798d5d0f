package oracles_test

import (
	"fmt"
	"slices"
	"testing"

	"patina/oracles"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

// A commit of very many files votes if few of them still exist, wherever these are among the
// others.
func TestCommitsOfManyFilesVoteByWhatIsLeft(t *testing.T) {
	var gone, left []string
	for i := range 1000 {
		gone = append(gone, fmt.Sprintf("gone/%04d.go", i))
	}
	for i := range 30 {
		left = append(left, fmt.Sprintf("left/%02d.go", i))
	}
	dir := t.TempDir()
	w, err := build.New(t.Context(), dir, build.Options{Root: "/src", Extractor: 1})
	storetest.Check(t, err)
	k := w.Worker()
	for _, path := range left {
		storetest.Check(t, k.Put(storetest.FileOf(path, ";F;")))
	}
	for i, v := range []doc.Revision{
		{Subject: "few remain", Files: slices.Concat(gone[:600], left[:3], gone[600:], left[3:5])},
		{Subject: "many remain", Files: slices.Concat(gone, left)},
		{Subject: "none remains", Files: gone},
	} {
		v.SHA = fmt.Sprintf("%040x", i+1)
		storetest.Check(t, w.AddRevision(v))
	}
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	r := storetest.Pin(t, dir)
	for asked, want := range map[string]int{"few": 5, "many": 0, "none": 0} {
		votes, err := oracles.Votes(t.Context(), r, text.ParseQuestion(asked), doc.Filter{}, 100)
		storetest.Check(t, err)
		voted := 0
		for _, v := range votes {
			if v.Raw > 0 {
				voted++
			}
		}
		if voted != want {
			t.Errorf("%q votes for %d files, want %d", asked, voted, want)
		}
	}
}
