package lookup

import (
	"strings"
	"testing"

	"patina/store/doc"
	"patina/store/text"
)

// A path in an installed package must mean only files of that package.
func TestMeantByPath(t *testing.T) {
	files := Named{
		"lib.rs":   {{Key: 1, Path: "crates/globset/src/lib.rs", Pkg: "globset"}, {Key: 2, Path: "crates/ignore/src/lib.rs", Pkg: "ignore"}},
		"index.js": {{Key: 3, Path: "lib/index.js", Pkg: "mocha"}},
		"exec.go":  {{Key: 4, Path: "util/regexp/exec.go", Pkg: "github.com/a/b"}},
		"main.js":  {{Key: 7, Path: "main.js", Pkg: "express"}},
		"query.ts": {{Key: 8, Path: "src/core/query.ts", Pkg: "kys"}, {Key: 9, Path: "src/old/query.ts", Pkg: "kys"}},
		"pool.js":  {{Key: 10, Path: "src/core/pool.js", Pkg: "kys"}},
		"pool.ts":  {{Key: 11, Path: "src/core/pool.ts", Pkg: "kys"}},
		"run.py":   {{Key: 5, Path: "run.py"}, {Key: 6, Path: "app/run.py"}},
	}
	for path, want := range map[string]string{
		"home/u/.cargo/registry/src/index.crates.io-1/globset-0.4.16/src/lib.rs": "crates/globset/src/lib.rs",
		"home/u/.cargo/registry/src/index.crates.io-1/regex-1.2.0/src/lib.rs":    "",
		"src/lib.rs":                                  "crates/globset/src/lib.rs crates/ignore/src/lib.rs",
		"home/u/node_modules/mocha/lib/index.js":      "lib/index.js",
		"home/u/node_modules/diff/lib/index.js":       "",
		"usr/local/go/src/regexp/exec.go":             "",
		"home/u/src/b/util/regexp/exec.go":            "util/regexp/exec.go",
		"x/app/run.py":                                "app/run.py",
		"x/y/run.py":                                  "run.py",
		"usr/lib/python3/site-packages/app/run.py":    "app/run.py",
		"app/node_modules/express/main.js":            "main.js",
		"app/node_modules/express/lib/x/main.js":      "", // of a folder that this version has not
		"app/node_modules/kys/dist/esm/core/query.js": "src/core/query.ts",
		"app/node_modules/other/dist/core/query.js":   "",
		"app/node_modules/kys/dist/esm/core/pool.js":  "src/core/pool.js",
		"none.py": "",
	} {
		var got []string
		for _, f := range files.Meant(path) {
			got = append(got, f.Path)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s means %q, want %q", path, got, want)
		}
	}
}

// The name of the function decides before the line, which may be of another version.
func TestFrameEntry(t *testing.T) {
	entries := []doc.Entry{
		{Name: "T", First: 1, Last: 40},
		{Name: "T.get", First: 3, Last: 9},
		{Name: "T.set", First: 11, Last: 20},
		{Name: "T.get#2", First: 30, Last: 33},
	}
	for _, c := range []struct {
		frame text.Frame
		want  string
	}{
		{text.Frame{Line: 12}, "T.set"},
		{text.Frame{Line: 25}, "T"},
		{text.Frame{Line: 99}, ""},
		{text.Frame{Line: 12, Func: "T.get"}, "T.get"},
		{text.Frame{Line: 27, Func: "get"}, "T.get#2"},
		{text.Frame{Line: 12, Func: "gone"}, "T.set"},
		{text.Frame{Func: "set"}, "T.set"},
	} {
		got := ""
		if i := FrameEntry(entries, c.frame); i >= 0 {
			got = entries[i].Name
		}
		if got != c.want {
			t.Errorf("%+v lies in %q, want %q", c.frame, got, c.want)
		}
	}
}
