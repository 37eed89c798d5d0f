package lookup_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/code/lookup"
	"patina/store"
	"patina/store/build"
	"patina/store/doc"
	"patina/store/storetest"
)

// A tree is files by path, each written as "imports; symbols; calls", words separated by blanks.
type treeOf map[string]string

func (files treeOf) build(t *testing.T, commits ...doc.Revision) *store.Reader {
	t.Helper()
	dir := t.TempDir()
	w, err := build.New(context.Background(), dir, build.Options{Root: "/src", Extractor: 1})
	storetest.Check(t, err)
	k := w.Worker()
	for path, content := range files {
		storetest.Check(t, k.Put(storetest.FileOf(path, content)))
	}
	for i, v := range commits {
		v.SHA = fmt.Sprintf("%040x", i+1)
		storetest.Check(t, w.AddRevision(v))
	}
	_, err = w.Publish(storetest.Generation)
	storetest.Check(t, err)
	return storetest.Pin(t, dir)
}

// orient lists a folder from a survey of its own.
func orient(t *testing.T, r *store.Reader, folder string, f doc.Filter) (lookup.Overview, error) {
	t.Helper()
	s, err := lookup.NewSurvey(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return s.Orient(t.Context(), r, folder, f)
}

// Who uses whom, by language: the import as it is written there, and the file that it means.
func TestUsersByImport(t *testing.T) {
	for _, test := range []struct {
		name  string
		files treeOf
		want  string // "path users" of the central files
	}{
		{"go package", treeOf{"go.mod": "module example.org/m\n", "a/a.go": ";Open T.Rewind;", "a/b.go": ";Close;", "x.go": "example.org/m/a;;a.Open", "y.go": "example.org/m/a;;s.Rewind"}, "a/a.go 2"},
		{"go, not exported", treeOf{"go.mod": "module m\n", "a/a.go": ";lines Open;", "x.go": "m/a;;lines a.lines"}, ""},
		{"go, another package's name", treeOf{"go.mod": "module m\n", "a/a.go": ";Cut;", "x.go": "m/a strings;;strings.Cut", "a/y.go": "strings;;strings.Cut"}, ""},
		{"go, same folder", treeOf{"a.go": ";T.state;", "b.go": ";;r.state", "c.go": ";;other"}, "a.go 1"},
		{"go, a name of two files", treeOf{"a.go": ";init;", "b.go": ";init;", "c.go": ";;init"}, ""},
		{"go, tests do not count", treeOf{"a.go": ";state;", "a_test.go": ";;state"}, ""},
		{"python", treeOf{"pkg/__init__.py": ".a", "pkg/a.py": "", "pkg/b.py": "pkg.a pkg", "pkg/sub/c.py": "..a"}, "pkg/a.py 3, pkg/__init__.py 1"},
		{"python, a standard library's name", treeOf{"x/json.py": "", "y/b.py": "json"}, ""},
		{"typescript", treeOf{"src/core/util.ts": "", "src/core/index.ts": "./util.js", "src/a.ts": "./core ./core/util"}, "src/core/util.ts 2, src/core/index.ts 1"},
		{"typescript, a package", treeOf{"src/react.ts": "", "src/a.ts": "react"}, ""},
		{"rust", treeOf{"m/src/de/mod.rs": "", "m/src/lib.rs": "crate::de::Read std::fmt", "m/src/fmt.rs": "", "n/src/x.rs": "m::de"}, "m/src/de/mod.rs 2"},
		{"java", treeOf{"src/main/java/org/x/A.java": "", "src/main/java/org/x/B.java": "org.x.A.m", "other/x/A.java": ""}, "src/main/java/org/x/A.java 1"},
		{"php", treeOf{"src/Log/Level.php": "", "src/Log/Logger.php": `Log\Level`}, "src/Log/Level.php 1"},
		{"ruby", treeOf{"lib/rack/utils.rb": "", "lib/rack.rb": "rack/utils json", "lib/x/json.rb": "./y", "lib/x/y.rb": ""}, "lib/rack/utils.rb 1, lib/x/y.rb 1"},
		{"c", treeOf{"lib/curl.h": "", "lib/curl.c": "curl.h", "src/main.c": "curl.h stdio.h"}, "lib/curl.h 2"},
		{"c, a tie", treeOf{"a/x.h": "", "b/x.h": "", "c/m.c": "x.h"}, ""},
	} {
		o, err := orient(t, test.files.build(t), "", doc.Filter{})
		storetest.Check(t, err)
		var got []string
		for _, c := range o.Central {
			got = append(got, fmt.Sprintf("%s %d", c.Path, c.Users))
		}
		if s := strings.Join(got, ", "); s != test.want {
			t.Errorf("%s: %q, want %q", test.name, s, test.want)
		}
	}
}

func TestOrient(t *testing.T) {
	commit := func(paths ...string) doc.Revision {
		return doc.Revision{Subject: "x", Files: paths, Time: time.Unix(1, 0)}
	}
	r := treeOf{
		"README.md": "What it is.", "cmd/x/main.go": ";main;", "examples/demo.go": ";main;", "lib/a.go": ";A;", "lib/b.go": ";B;A", "lib/a_test.go": ";TestA;A",
		"lib/deep/index.ts": "", "LICENSE": "text",
	}.build(t, commit("lib/b.go", "lib/a.go"), commit("lib/b.go"), commit("lib/b.go", "cmd/x/main.go"))
	o, err := orient(t, r, "", doc.Filter{})
	storetest.Check(t, err)
	if o.Files != 8 || o.Lines != 80 || o.Readme == nil || o.Readme.Summary != "What it is." {
		t.Errorf("%d files, %d lines, README %+v", o.Files, o.Lines, o.Readme)
	}
	want := []lookup.Central{{"lib/a.go", 1, 1}, {"lib/b.go", 0, 3}, {"cmd/x/main.go", 0, 1}}
	if !slices.Equal(o.Central, want) {
		t.Errorf("central: %v, want %v", o.Central, want)
	}
	entries := []lookup.EntryPoint{{"cmd/x/main.go", "main", 1}, {"lib/deep/index.ts", "", 1}, {"examples/demo.go", "main", 1}}
	if !slices.Equal(o.EntryPoints, entries) {
		t.Errorf("entry points: %v, want %v", o.EntryPoints, entries)
	}
	if want := []lookup.Tally{{"lib", 1, 10}}; !slices.Equal(o.Tests, want) {
		t.Errorf("tests: %v", o.Tests)
	}
	if want := []lookup.Tally{{"lib", 4, 40}, {"cmd", 1, 10}, {"examples", 1, 10}}; !slices.Equal(o.Folders, want) {
		t.Errorf("folders: %v", o.Folders)
	}

	o, err = orient(t, r, "lib", doc.Filter{Languages: []string{"go"}})
	storetest.Check(t, err)
	if want := []lookup.Tally{{"Go", 3, 30}}; !slices.Equal(o.Languages, want) || len(o.EntryPoints) != 0 || o.Readme != nil {
		t.Errorf("lib: %+v", o)
	}
	if _, err := orient(t, r, "li", doc.Filter{}); !errors.Is(err, lookup.ErrNoDocument) {
		t.Errorf("half a folder's name: %v", err)
	}
	if _, err := orient(t, r, "", doc.Filter{Paths: []string{"[a"}}); err == nil {
		t.Error("a broken glob passed")
	}
}

func TestRecent(t *testing.T) {
	day := func(n int) time.Time { return time.Unix(1700000000, 0).AddDate(0, 0, n).UTC() }
	r := treeOf{"a.go": ";A;", "b.py": "", "new.go": ";N;"}.build(
		t,
		doc.Revision{Subject: "first", Files: []string{"a.go", "b.py", "old.go"}, Time: day(0)},
		doc.Revision{Subject: "second", Files: []string{"a.go", "old.go"}, Time: day(5)},
		doc.Revision{Subject: "merge", Merge: true, Time: day(6)},
		doc.Revision{Subject: "late but older", Files: []string{"b.py"}, Time: day(4)},
		doc.Revision{Subject: "newest", Files: []string{"a.go", "new.go"}, Time: day(7)},
	)
	for _, test := range []struct {
		name     string
		since    time.Time
		filter   doc.Filter
		limit    int
		subjects string
		files    []lookup.Churn
		merges   int
		total    int
		newest   time.Time
	}{
		{"all", day(-1), doc.Filter{}, 10, "newest second late but older first", []lookup.Churn{{"a.go", 3, false}, {"b.py", 2, false}, {"old.go", 2, true}, {"new.go", 1, false}}, 1, 4, day(7)},
		{"on the second", day(5), doc.Filter{}, 10, "newest second", []lookup.Churn{{"a.go", 2, false}, {"new.go", 1, false}, {"old.go", 1, true}}, 1, 2, day(7)},
		{"limit", day(-1), doc.Filter{}, 1, "newest", []lookup.Churn{{"a.go", 3, false}}, 1, 4, day(7)},
		{"path", day(-1), doc.Filter{Paths: []string{"*.py"}}, 10, "late but older first", []lookup.Churn{{"b.py", 2, false}}, 0, 2, day(4)},
		{"language", day(-1), doc.Filter{Languages: []string{"go"}}, 10, "newest second first", []lookup.Churn{{"a.go", 3, false}, {"new.go", 1, false}}, 0, 3, day(7)},
		{"nothing, the newest before", day(8), doc.Filter{}, 10, "", nil, 0, 0, day(7)},
		{"nothing of a path", day(6), doc.Filter{Paths: []string{"*.py"}}, 10, "", nil, 0, 0, day(4)},
		{"nothing ever", day(-1), doc.Filter{Paths: []string{"*.c"}}, 10, "", nil, 0, 0, time.Time{}},
	} {
		p, err := lookup.Recent(context.Background(), r, test.since, test.filter, test.limit)
		storetest.Check(t, err)
		var subjects []string
		for _, c := range p.Commits {
			subjects = append(subjects, c.Title)
		}
		if s := strings.Join(subjects, " "); s != test.subjects || !slices.Equal(p.Files, test.files) || p.Merges != test.merges || p.Total != test.total || !p.Newest.Equal(test.newest) {
			t.Errorf("%s: %q, %+v", test.name, s, p)
		}
	}
}

func TestSymbolsAndLines(t *testing.T) {
	r := treeOf{"a.go": ";f T.m;", "b.md": "text"}.build(t)
	ss, err := lookup.Symbols(context.Background(), r, []lookup.Symbol{{Path: "a.go", Name: "T.m"}, {Path: "a.go", Name: "gone"}, {Path: "gone.go", Name: "f"}, {Path: "a.go", Name: "f"}})
	storetest.Check(t, err)
	if want := []lookup.Symbol{{"a.go", "T.m", doc.Function, 1}, {"a.go", "f", doc.Function, 1}}; !slices.Equal(ss, want) {
		t.Errorf("symbols: %v", ss)
	}
	for _, test := range []struct {
		path string
		n    int
		want string
	}{{"a.go", 1, ";f T.m;"}, {"a.go", 2, ""}, {"gone.go", 1, ""}} {
		got, err := lookup.Line(context.Background(), r, test.path, test.n)
		if storetest.Check(t, err); got != test.want {
			t.Errorf("line %d of %s: %q", test.n, test.path, got)
		}
	}
}
