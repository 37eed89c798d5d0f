package scrape

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"patina/store"
)

// Go files with syntax errors are read by tree-sitter, all others by go/parser: on those both must find the same symbols.
func TestBothReadersOfGo(t *testing.T) {
	files, symbols, calls := 0, 0, [2]int{}
	for _, folder := range []string{"net/http", "go/types", "runtime", "encoding/json"} {
		names, err := filepath.Glob(filepath.Join(goroot(t), "src", folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			text, ok := decode(raw)
			if _, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution); !ok || err != nil {
				continue
			}
			byParser, byTree := &store.File{Language: "Go"}, &store.File{Language: "Go"}
			src := newSource(text)
			if readGo(byParser, src) {
				t.Fatalf("%s: syntax errors", name)
			}
			if _, ok := readOutline(byTree, src); !ok {
				t.Errorf("%s is too costly", name)
				continue
			}
			files, symbols = files+1, symbols+len(byParser.Entries)
			bothFind(t, name, symbolLines(byParser), symbolLines(byTree))
			bothFind(t, name, byParser.Imports, byTree.Imports)
			if !slices.Equal(byParser.Bindings, byTree.Bindings) {
				t.Errorf("%s: bindings %q and %q", name, byParser.Bindings, byTree.Bindings)
			}
			calls[0], calls[1] = calls[0]+len(byParser.Calls), calls[1]+len(byTree.Calls)
		}
	}
	if files < 300 || symbols < 10_000 {
		t.Errorf("compared %d symbols in %d files", symbols, files)
	}
	// Without types, f[T](x) may be a conversion: there they differ.
	if n, m := calls[0], calls[1]; m < n*99/100 || m > n*101/100 {
		t.Errorf("%d calls by go/parser, %d by tree-sitter", n, m)
	}
}

func symbolLines(f *store.File) []string {
	var list []string
	for _, e := range f.Entries {
		if e.Parent < 0 {
			list = append(list, fmt.Sprintf("%s %s %d/%d-%d", e.Sort, strings.SplitN(e.Name, "#", 2)[0], e.First, e.Line, e.Last))
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
