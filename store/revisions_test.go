package store_test

import (
	"context"
	"fmt"
	"testing"

	"patina/code/describe"
	"patina/code/history"
	"patina/oracles"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

// A commit's paths are words that find it. A commit that adds a whole tree is an exception: it
// would hold every word in every path.
func TestCommitOfManyFiles(t *testing.T) {
	ctx := context.Background()
	for files, found := range map[int]bool{60: true, 61: false} {
		dir := t.TempDir()
		w, err := build.New(ctx, dir, build.Options{Root: "/src", Extractor: 1, Embedder: storetest.Hashed{}})
		storetest.Check(t, err)
		v := doc.Revision{SHA: fmt.Sprintf("%040x", 1), Subject: "begin", Time: theDay(0)}
		for i := range files {
			v.Files = append(v.Files, fmt.Sprintf("kettle/spout%d.go", i))
			storetest.Check(t, w.Worker().Put(storetest.FileOf(v.Files[i], ";F;")))
		}
		storetest.Check(t, w.AddRevision(v))
		_, err = w.Publish(storetest.Generation)
		storetest.Check(t, err)
		r := storetest.Pin(t, dir)
		for asked, want := range map[string]bool{"kettle spout7": found, "begin": true} {
			q := text.ParseQuestion(asked)
			words, err := oracles.BM25(ctx, r, q, doc.Filter{Kinds: []doc.Kind{doc.Commit}}, 10)
			storetest.Check(t, err)
			if got := len(words[doc.Commit]) == 1; got != want {
				t.Errorf("%d files: %q finds %v", files, asked, words)
			}
			near, err := oracles.Nearest(ctx, r, storetest.Hashed{}.Question([]doc.QuestionPart{{Text: asked, Weight: 1}}), doc.Filter{Kinds: []doc.Kind{doc.Commit}}, 10)
			storetest.Check(t, err)
			// One word among many scores low.
			if got := len(near[doc.Commit]) == 1 && near[doc.Commit][0].Raw > 0.3; got != want && asked != "begin" {
				t.Errorf("%d files: %q is near to %v", files, asked, near)
			}
		}
		d, err := describe.Describe(ctx, r, []describe.Want{{DocID: doc.CommitID(v.SHA), Kind: doc.Commit}})
		storetest.Check(t, err)
		p, err := history.Recent(ctx, r, theDay(-1), doc.Filter{}, 10)
		storetest.Check(t, err)
		for _, x := range []doc.Description{d[0], p.Commits[0]} {
			if len(x.Links) != 50 || x.Unlinked != files-50 {
				t.Errorf("%d files: %d linked, %d not", files, len(x.Links), x.Unlinked)
			}
		}
	}
}
