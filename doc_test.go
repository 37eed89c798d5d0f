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

// Each step of the walks in doc.go is a function of the file that it names, said in one sentence.
func TestWalksNameFunctions(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	steps := regexp.MustCompile(`(?m)^ +\d+\. (\w+) in (\S+\.go) (.+)$`).FindAllStringSubmatch(file.Doc.Text(), -1)
	if n := len(regexp.MustCompile(`(?m)^ +\d+\. `).FindAllString(file.Doc.Text(), -1)); n != len(steps) || n < 20 {
		t.Errorf("%d steps of %d name a function and its file", len(steps), n)
	}
	for _, step := range steps {
		source, err := os.ReadFile(filepath.FromSlash(step[2]))
		if err != nil {
			t.Error(err)
			continue
		}
		if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + step[1] + `\(`).Match(source) {
			t.Errorf("%s has no function %s", step[2], step[1])
		}
		if strings.Count(step[3], ". ") > 0 || !strings.HasSuffix(step[3], ".") {
			t.Errorf("the step %q is not one sentence", step[0])
		}
	}
}
