package parse

import (
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"patina/scrape/chunk"
	"patina/scrape/content"
	"patina/store/doc"
)

var all = flag.Bool("all", false, "compare both readers of Go on all of the standard library: 30 s of CPU")

// Go files with syntax errors are read by tree-sitter, all others by go/parser. On the latter both
// must find the same symbols. -all checks the whole standard library and its tests.
func TestBothReadersOfGo(t *testing.T) {
	least := [2]int{7_000, 200_000}
	folders := []string{"."}
	if !*all {
		least = [2]int{300, 10_000}
		folders = []string{"net/http", "go/types", "runtime", "encoding/json"}
	}
	var files, symbols, byParser, byTree atomic.Int64
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(goroot(t), "src", folder),
			func(name string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() || path.Ext(name) != ".go" {
					return err
				}
				group.Go(func() error {
					p, q := readTwice(t, name)
					if p != nil {
						files.Add(1)
						symbols.Add(int64(len(p.Entries)))
						byParser.Add(int64(len(p.Calls)))
						byTree.Add(int64(len(q.Calls)))
					}
					return nil
				})
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	_ = group.Wait()
	if files.Load() < int64(least[0]) || symbols.Load() < int64(least[1]) {
		t.Errorf("compared %d symbols in %d files", symbols.Load(), files.Load())
	}
	// Without types, f[T](x) may be a conversion, so the calls may differ a little.
	if n, m := byParser.Load(), byTree.Load(); m < n*99/100 || m > n*101/100 {
		t.Errorf("%d calls by go/parser, %d by tree-sitter", n, m)
	}
	t.Logf("%d symbols in %d files; %d calls by go/parser, %d by tree-sitter",
		symbols.Load(), files.Load(), byParser.Load(), byTree.Load())
}

// readTwice reads a file without syntax errors with both readers and compares. It returns nil for
// files that are too large for tree-sitter, and for those in which only tree-sitter finds errors:
// 'var b = ~a' is an error to a type checker only.
func readTwice(t *testing.T, name string) (byParser, byTree *doc.File) {
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Error(err)
		return nil, nil
	}
	text, ok := content.Decode(raw)
	if _, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution); !ok || err != nil ||
		len(text) > 1<<20 {
		return nil, nil
	}
	byParser, byTree = &doc.File{Language: "Go"}, &doc.File{Language: "Go"}
	src := chunk.NewSource(text)
	if readGo(byParser, src) {
		t.Errorf("%s: syntax errors", name)
	}
	switch broken, ok := readOutline(byTree, src); {
	case !ok:
		t.Errorf("%s is too costly", name)
		return nil, nil
	case broken:
		t.Logf("%s: syntax errors by tree-sitter alone", name)
		return nil, nil
	}
	bothFind(t, name, symbolLines(byParser), symbolLines(byTree))
	if !strings.Contains(name, "testdata") { // paths that are wrong on purpose
		bothFind(t, name, byParser.Imports, byTree.Imports)
	}
	if !slices.Equal(byParser.Bindings, byTree.Bindings) {
		t.Errorf("%s: bindings %q and %q", name, byParser.Bindings, byTree.Bindings)
	}
	return byParser, byTree
}

func symbolLines(f *doc.File) []string {
	var list []string
	for _, e := range f.Entries {
		if e.Parent < 0 {
			list = append(list, fmt.Sprintf("%s %s %d/%d-%d", e.Sort, strings.SplitN(e.Name, "#", 2)[0], e.First,
				e.Line, e.Last))
		}
	}
	slices.Sort(list)
	return list
}

func bothFind(t *testing.T, name string, want, got []string) {
	t.Helper()
	for _, s := range want {
		if !slices.Contains(got, s) {
			t.Errorf("%s: tree-sitter does not find %q", name, s)
		}
	}
	for _, s := range got {
		if !slices.Contains(want, s) {
			t.Errorf("%s: tree-sitter alone finds %q", name, s)
		}
	}
}
