package patina_test

import (
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// pathPattern matches the paths named on the tour: a/b, a/, a/b.go, a.go.
var pathPattern = regexp.MustCompile(`[\w.-]+/[\w./-]*\w/?|[\w-]+/|[\w-]+\.(?:go|md)\b`)

// Every path named on the tour exists, and every package is on the tour.
func TestTour(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	named := pathPattern.FindAllString(file.Doc.Text(), -1)
	for _, p := range named {
		info, err := os.Stat(filepath.FromSlash(p))
		switch {
		case err != nil:
			t.Errorf("doc.go names %q: %v", p, err)
		case strings.HasSuffix(p, "/") != info.IsDir():
			t.Errorf("doc.go names %q: folders end in a slash, files do not", p)
		}
	}
	for _, f := range goFiles(t) {
		if dir := path.Dir(f); dir != "." && !slices.Contains(named, dir+"/") {
			t.Errorf("the tour in doc.go leaves out %s/", dir)
		}
	}
}

func TestTourPattern(t *testing.T) {
	got := pathPattern.FindAllString("fusion/ and store/text/; see store/types.go, README.md. In cmd/patina/testdata/script/.", -1)
	want := []string{"fusion/", "store/text/", "store/types.go", "README.md", "cmd/patina/testdata/script/"}
	if !slices.Equal(got, want) {
		t.Errorf("paths %q, want %q", got, want)
	}
}

// Every path in docs/extending.md exists, and every word it attributes to a file is in it.
func TestExtendingNamesWhatExists(t *testing.T) {
	page, err := os.ReadFile("docs/extending.md")
	if err != nil {
		t.Fatal(err)
	}
	paths := 0
	for _, code := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(string(page), -1) {
		name := code[1]
		if !strings.Contains(name, "/") && !strings.HasSuffix(name, ".go") || strings.Contains(name, " ") {
			continue
		}
		paths++
		if _, err := os.Stat(filepath.FromSlash(name)); err != nil {
			t.Errorf("docs/extending.md names %q: %v", name, err)
		}
	}
	if paths < 25 {
		t.Errorf("docs/extending.md names %d files", paths)
	}
}
