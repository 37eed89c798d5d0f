package describe_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/code/describe"
	"patina/code/lookup"
	"patina/store"
	"patina/store/doc"
	"patina/store/storetest"
)

// orient makes a survey and returns the overview of a folder.
func orient(t *testing.T, r *store.Reader, folder string, f doc.Filter) (describe.Overview, error) {
	t.Helper()
	s, err := describe.NewSurvey(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return s.Orient(t.Context(), r, folder, f)
}

// An import is resolved by the rules of its language.
func TestUsersByImport(t *testing.T) {
	for _, test := range []struct {
		name  string
		files storetest.Tree
		want  string // "path users" of the central files
	}{
		{"go package", storetest.Tree{"go.mod": "module example.org/m\n", "a/a.go": ";Open T.Rewind;", "a/b.go": ";Close;", "x.go": "example.org/m/a;;a.Open", "y.go": "example.org/m/a;;s.Rewind"}, "a/a.go 2"},
		{"go, not exported", storetest.Tree{"go.mod": "module m\n", "a/a.go": ";lines Open;", "x.go": "m/a;;lines a.lines"}, ""},
		{"go, another package's name", storetest.Tree{"go.mod": "module m\n", "a/a.go": ";Cut;", "x.go": "m/a strings;;strings.Cut", "a/y.go": "strings;;strings.Cut"}, ""},
		{"go, same folder", storetest.Tree{"a.go": ";T.state;", "b.go": ";;r.state", "c.go": ";;other"}, "a.go 1"},
		{"go, a name of two files", storetest.Tree{"a.go": ";init;", "b.go": ";init;", "c.go": ";;init"}, ""},
		{"go, tests do not count", storetest.Tree{"a.go": ";state;", "a_test.go": ";;state"}, ""},
		{"python", storetest.Tree{"pkg/__init__.py": ".a", "pkg/a.py": "", "pkg/b.py": "pkg.a pkg", "pkg/sub/c.py": "..a"}, "pkg/a.py 3, pkg/__init__.py 1"},
		{"python, a standard library's name", storetest.Tree{"x/json.py": "", "y/b.py": "json"}, ""},
		{"typescript", storetest.Tree{"src/core/util.ts": "", "src/core/index.ts": "./util.js", "src/a.ts": "./core ./core/util"}, "src/core/util.ts 2, src/core/index.ts 1"},
		{"typescript, a package", storetest.Tree{"src/react.ts": "", "src/a.ts": "react"}, ""},
		{"rust", storetest.Tree{"m/src/de/mod.rs": "", "m/src/lib.rs": "crate::de::Read std::fmt", "m/src/fmt.rs": "", "n/src/x.rs": "m::de"}, "m/src/de/mod.rs 2"},
		{"java", storetest.Tree{"src/main/java/org/x/A.java": "", "src/main/java/org/x/B.java": "org.x.A.m", "other/x/A.java": ""}, "src/main/java/org/x/A.java 1"},
		{"php", storetest.Tree{"src/Log/Level.php": "", "src/Log/Logger.php": `Log\Level`}, "src/Log/Level.php 1"},
		{"ruby", storetest.Tree{"lib/rack/utils.rb": "", "lib/rack.rb": "rack/utils json", "lib/x/json.rb": "./y", "lib/x/y.rb": ""}, "lib/rack/utils.rb 1, lib/x/y.rb 1"},
		{"c", storetest.Tree{"lib/curl.h": "", "lib/curl.c": "curl.h", "src/main.c": "curl.h stdio.h"}, "lib/curl.h 2"},
		{"c, a tie", storetest.Tree{"a/x.h": "", "b/x.h": "", "c/m.c": "x.h"}, ""},
	} {
		o, err := orient(t, test.files.Build(t), "", doc.Filter{})
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
	r := storetest.Tree{
		"README.md": "What it is.", "cmd/x/main.go": ";main;", "examples/demo.go": ";main;", "lib/a.go": ";A;", "lib/b.go": ";B;A", "lib/a_test.go": ";TestA;A",
		"lib/deep/index.ts": "", "LICENSE": "text",
	}.Build(t, commit("lib/b.go", "lib/a.go"), commit("lib/b.go"), commit("lib/b.go", "cmd/x/main.go"))
	o, err := orient(t, r, "", doc.Filter{})
	storetest.Check(t, err)
	if o.Files != 8 || o.Lines != 80 || o.Readme == nil || o.Readme.Summary != "What it is." {
		t.Errorf("%d files, %d lines, README %+v", o.Files, o.Lines, o.Readme)
	}
	want := []describe.Central{{"lib/a.go", 1, 1}, {"lib/b.go", 0, 3}, {"cmd/x/main.go", 0, 1}}
	if !slices.Equal(o.Central, want) {
		t.Errorf("central: %v, want %v", o.Central, want)
	}
	entries := []describe.EntryPoint{{"cmd/x/main.go", "main", 1}, {"lib/deep/index.ts", "", 1}, {"examples/demo.go", "main", 1}}
	if !slices.Equal(o.EntryPoints, entries) {
		t.Errorf("entry points: %v, want %v", o.EntryPoints, entries)
	}
	if want := []describe.Tally{{"lib", 1, 10}}; !slices.Equal(o.Tests, want) {
		t.Errorf("tests: %v", o.Tests)
	}
	if want := []describe.Tally{{"lib", 4, 40}, {"cmd", 1, 10}, {"examples", 1, 10}}; !slices.Equal(o.Folders, want) {
		t.Errorf("folders: %v", o.Folders)
	}

	o, err = orient(t, r, "lib", doc.Filter{Languages: []string{"go"}})
	storetest.Check(t, err)
	if want := []describe.Tally{{"Go", 3, 30}}; !slices.Equal(o.Languages, want) || len(o.EntryPoints) != 0 || o.Readme != nil {
		t.Errorf("lib: %+v", o)
	}
	if _, err := orient(t, r, "li", doc.Filter{}); !errors.Is(err, lookup.ErrNoDocument) {
		t.Errorf("half a folder's name: %v", err)
	}
	if _, err := orient(t, r, "", doc.Filter{Paths: []string{"[a"}}); err == nil {
		t.Error("a broken glob passed")
	}
}
