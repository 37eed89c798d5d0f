package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"patina/code/describe"
	"patina/code/history"
	"patina/oracles"
	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
	"patina/store/text"
)

// renamed is an index with wheel.go, which was rad.go and moved to src with axle.go, and other
// files.
func renamed(t *testing.T, others ...string) *store.Reader {
	ctx := context.Background()
	moves := func(paths ...string) (out []doc.Move) {
		for i := 0; i < len(paths); i += 2 {
			out = append(out, doc.Move{From: paths[i], To: paths[i+1]})
		}
		return out
	}
	dir := t.TempDir()
	w, err := build.New(ctx, dir, build.Options{Root: "/src", Extractor: 1})
	storetest.Check(t, err)
	k := w.Worker()
	for _, path := range append(others, "src/wheel.go", "src/axle.go") {
		storetest.Check(t, k.Put(storetest.FileOf(path, ";F;")))
	}
	for i, v := range []doc.Revision{
		{Subject: "turn smoothly", Files: []string{"rad.go", "axle.go"}},
		{Subject: "rename", Files: []string{"rad.go", "wheel.go"}, Moves: moves("rad.go", "wheel.go")},
		{Subject: "spin faster", Files: []string{"axle.go", "wheel.go"}},
		{Subject: "move to src", Files: []string{"axle.go", "src/axle.go", "src/wheel.go", "wheel.go"}, Moves: moves("wheel.go", "src/wheel.go", "axle.go", "src/axle.go")},
		{Subject: "brake", Files: []string{"src/wheel.go", "other.go"}},
		{Subject: "a branch that knows nothing of it", Files: []string{"axle.go"}},
	} {
		v.SHA, v.Time = fmt.Sprintf("%040x", i+1), theDay(i)
		storetest.Check(t, w.AddRevision(v))
	}
	var later [][]string
	storetest.Check(t, w.Touched(func(then, now []string) { later = append(later, now) }))
	if want := [][]string{
		{"src/wheel.go", "src/axle.go"},
		{"src/wheel.go", "src/wheel.go"},
		{"src/axle.go", "src/wheel.go"},
		{"src/axle.go", "src/axle.go", "src/wheel.go", "src/wheel.go"},
		{"src/wheel.go", "other.go"},
		{"axle.go"},
	}; !slices.EqualFunc(later, want, slices.Equal) {
		t.Errorf("by later paths: %v", later)
	}
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	return storetest.Pin(t, dir)
}

func theDay(n int) time.Time { return time.Unix(1700000000, 0).AddDate(0, 0, n).UTC() }

// A file keeps its history when it is renamed: with its folder, and before that by itself.
func TestRenamedFiles(t *testing.T) {
	ctx := context.Background()
	r := renamed(t, "other.go")
	for path, want := range map[string][]string{
		"src/wheel.go": {
			"2023-11-18 brake", "2023-11-17 move to src", "2023-11-16 as wheel.go: spin faster",
			"2023-11-15 as wheel.go: rename", "2023-11-14 as rad.go: turn smoothly",
		},
		"src/axle.go": {
			"2023-11-19 as axle.go: a branch that knows nothing of it", "2023-11-17 move to src",
			"2023-11-16 as axle.go: spin faster", "2023-11-14 as axle.go: turn smoothly",
		},
		"absent.go": nil,
	} {
		links, total, err := history.Touching(ctx, r, path, 10)
		storetest.Check(t, err)
		var got []string
		for _, l := range links {
			got = append(got, l.Note)
		}
		if total != len(want) || !slices.Equal(got, want) {
			t.Errorf("commits of %s:\n got %q\nwant %q", path, got, want)
		}
	}
	if links, total, err := history.Touching(ctx, r, "src/wheel.go", 3); err != nil || len(links) != 3 || total != 5 || links[2].Note != "2023-11-16 as wheel.go: spin faster" {
		t.Errorf("the newest three: %v, %v", links, err)
	}

	for asked, want := range map[string][]string{"turn smoothly": {"src/axle.go", "src/wheel.go"}, "brake": {"other.go", "src/wheel.go"}} {
		if got := voted(t, r, asked); !slices.Equal(got, want) {
			t.Errorf("%q votes for %q, want %q", asked, got, want)
		}
	}

	survey, err := describe.NewSurvey(ctx, r)
	storetest.Check(t, err)
	o, err := survey.Orient(ctx, r, "", doc.Filter{})
	storetest.Check(t, err)
	if len(o.Central) != 3 {
		t.Errorf("central: %v", o.Central)
	}
	for _, c := range o.Central {
		if want := map[string]int{"src/wheel.go": 5, "src/axle.go": 4, "other.go": 1}[c.Path]; c.Commits != want {
			t.Errorf("%s: %d commits, want %d", c.Path, c.Commits, want)
		}
	}
	p, err := history.Recent(ctx, r, theDay(-1), doc.Filter{Paths: []string{"src/axle.go"}}, 10)
	storetest.Check(t, err)
	if want := []history.Churn{{Path: "src/axle.go", Commits: 4}}; p.Total != 4 || !slices.Equal(p.Files, want) {
		t.Errorf("recent: %d commits, %v", p.Total, p.Files)
	}
}

// A new file may take a renamed file's path. It then answers for that path.
func TestPathTakenAgain(t *testing.T) {
	ctx := context.Background()
	r := renamed(t, "wheel.go")
	links, _, err := history.Touching(ctx, r, "src/wheel.go", 10)
	storetest.Check(t, err)
	if len(links) != 5 || links[4].Note != "2023-11-14 as rad.go: turn smoothly" {
		t.Errorf("commits of src/wheel.go: %v", links)
	}
	links, _, err = history.Touching(ctx, r, "wheel.go", 10)
	storetest.Check(t, err)
	if len(links) != 4 || links[0].Note != "2023-11-17 move to src" {
		t.Errorf("commits of wheel.go: %v", links)
	}
	if got, want := voted(t, r, "spin faster"), []string{"src/axle.go", "wheel.go"}; !slices.Equal(got, want) {
		t.Errorf("votes for %q, want %q", got, want)
	}
}

// voted returns the files that matching commits vote for.
func voted(t *testing.T, r *store.Reader, question string) (paths []string) {
	t.Helper()
	votes, err := oracles.Votes(context.Background(), r, text.ParseQuestion(question), doc.Filter{}, 10)
	storetest.Check(t, err)
	for _, v := range votes {
		if v.Raw > 0 {
			paths = append(paths, v.Path)
		}
	}
	slices.Sort(paths)
	return paths
}
