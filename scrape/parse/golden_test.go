package parse

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"patina/scrape/chunk"
	"patina/store/doc"
)

var update = flag.Bool("update", false, "rewrite golden files")

// goldenNames are the samples of testdata/golden that are read under another name. The inputs of Go
// end in .txt, so that no tool takes them for sources.
var goldenNames = map[string]string{
	"service.go.txt": "service.go", "broken.go.txt": "broken.go", "generated.go.txt": "generated.go",
	"guide.md": "docs/guide.md", "guide.rst": "docs/guide.rst", "tool.txt": "tool", "env.sample": ".env.sample",
	"cache.go.txt": "cache.go", // a syntax error: by tree-sitter
}

// TestGolden shows what is found in each file of testdata/golden.
func TestGolden(t *testing.T) {
	files, err := os.ReadDir("testdata/golden")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range files {
		file := entry.Name()
		if strings.HasSuffix(file, ".golden") {
			continue
		}
		name := cmp.Or(goldenNames[file], file)
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata/golden", file))
			if err != nil {
				t.Fatal(err)
			}
			f, trouble := Parse(Input{Path: name, Text: text})
			checkFile(t, f)
			got := render(f) + "trouble " + string(trouble) + "\n"
			golden := filepath.Join("testdata/golden", file+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func render(f *doc.File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s class %b, %d lines, %d functions\nimports %q\n",
		f.Kind, f.Language, f.Class, f.Lines, f.Functions, f.Imports)
	for _, x := range f.Bindings {
		fmt.Fprintf(&b, "binding %q: %q of %q\n", x.Name, x.Of, x.Import)
	}
	for i, e := range f.Entries {
		announced := ""
		if e.Declares {
			announced = ", a prototype"
		}
		fmt.Fprintf(&b, "entry %d %s %s %d/%d-%d parent %d%s\n  %s\n  %s\n",
			i, e.Sort, e.Name, e.First, e.Line, e.Last, e.Parent, announced, e.Title, e.Summary)
	}
	for _, c := range f.Chunks {
		fmt.Fprintf(&b, "chunk of %d, %d-%d, names %q\n  doc %q\n  body %q\n",
			c.Entry, c.First, c.Last, c.Names, c.Doc, c.Body)
	}
	for _, c := range f.Calls {
		fmt.Fprintf(&b, "call %d: %s in %d\n", c.Line, c.Name, c.Caller)
	}
	for _, y := range f.Typed {
		fmt.Fprintf(&b, "typed %s: %s in %d\n", y.Name, y.Type, y.Entry)
	}
	return b.String()
}

// checkFile checks the promises on which the store relies.
func checkFile(t *testing.T, f *doc.File) {
	t.Helper()
	lines := max(1, f.Lines)
	names := map[string]bool{}
	for i, e := range f.Entries {
		if e.First < 1 || e.First > e.Line || e.Line > e.Last || e.Last > lines {
			t.Fatalf("%s: entry %q at %d/%d-%d of %d lines", f.Path, e.Name, e.First, e.Line, e.Last, lines)
		}
		if e.Name == "" || names[e.Name] {
			t.Fatalf("%s: name %q is empty or not unique", f.Path, e.Name)
		}
		names[e.Name] = true
		if i > 0 && e.First < f.Entries[i-1].First {
			t.Fatalf("%s: entry %q is out of order", f.Path, e.Name)
		}
		if e.Parent < -1 || e.Parent >= i || e.Parent >= 0 && f.Entries[e.Parent].Last < e.Last {
			t.Fatalf("%s: entry %q lies in %d", f.Path, e.Name, e.Parent)
		}
	}
	for _, c := range f.Calls {
		if c.Caller < -1 || c.Caller >= len(f.Entries) || c.Line < 1 || c.Line > lines {
			t.Fatalf("%s: call %+v", f.Path, c)
		}
	}
	for _, y := range f.Typed {
		if y.Entry < -1 || y.Entry >= len(f.Entries) || y.Name == "" || y.Type == "" {
			t.Fatalf("%s: typed %+v", f.Path, y)
		}
	}
	checkChunks(t, f, lines)
}

// checkChunks checks that every line that is not blank is in exactly one chunk, and that no chunk
// is too long. Files that are indexed by names alone are exempt.
func checkChunks(t *testing.T, f *doc.File, lines int) {
	t.Helper()
	src := chunk.NewSource(f.Body)
	whole := len(f.Chunks) == 1 && f.Chunks[0].Body == "" && f.Chunks[0].Doc == ""
	covered := make([]int, lines+1)
	last := 0
	for _, c := range f.Chunks {
		if c.First <= last || c.Last < c.First || c.Last > lines || c.Entry >= len(f.Entries) || c.Entry < -1 {
			t.Fatalf("%s: chunk %d-%d of entry %d after line %d of %d", f.Path, c.First, c.Last, c.Entry, last, lines)
		}
		if last = c.Last; !whole && c.Last-c.First >= chunk.MaxLines {
			t.Fatalf("%s: chunk %d-%d is too long", f.Path, c.First, c.Last)
		}
		if len(c.Names) > chunk.MaxBytes || len(c.Doc) > chunk.MaxBytes || len(c.Body) > chunk.MaxBytes {
			t.Fatalf("%s: chunk %d-%d holds too much text", f.Path, c.First, c.Last)
		}
		for n := c.First; n <= c.Last; n++ {
			covered[n]++
		}
	}
	if len(f.Chunks) == 0 {
		t.Fatalf("%s: no chunk", f.Path)
	}
	for n := 1; n <= src.Lines(); n++ {
		if covered[n] > 1 || covered[n] == 0 && !src.Blank(n) {
			t.Fatalf("%s: line %d lies in %d chunks", f.Path, n, covered[n])
		}
	}
}
