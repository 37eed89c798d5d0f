package archtest

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

// Every path named on the tour must exist, and every package must be on the tour.
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
	const text = "fusion/ and store/text/; see store/doc/types.go, README.md. In cmd/patina/testdata/script/."
	got := pathPattern.FindAllString(text, -1)
	want := []string{"fusion/", "store/text/", "store/doc/types.go", "README.md", "cmd/patina/testdata/script/"}
	if !slices.Equal(got, want) {
		t.Errorf("paths %q, want %q", got, want)
	}
}

// contributedPath matches the paths of this tree in CONTRIBUTING.md.
var contributedPath = regexp.MustCompile(`^(?:[\w-]+/[\w./-]+|[\w-]+\.(?:go|md|mod)|Makefile)$`)

// Every path in CONTRIBUTING.md must exist.
func TestContributingNamesWhatExists(t *testing.T) {
	page, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	paths := 0
	for _, code := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(string(page), -1) {
		name := code[1]
		if !contributedPath.MatchString(name) {
			continue
		}
		paths++
		if _, err := os.Stat(filepath.FromSlash(name)); err != nil {
			t.Errorf("CONTRIBUTING.md names %q: %v", name, err)
		}
	}
	if paths < 25 {
		t.Errorf("CONTRIBUTING.md names %d files", paths)
	}
}

// Each step of the walks in doc.go must be a function of the file that it names, described in one
// sentence.
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

var (
	pageLink    = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	fencedBlock = regexp.MustCompile("(?ms)^ *(````*)[^\n]*\n.*?^ *````*\\n")
	headingLine = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *$`)
	notInAnchor = regexp.MustCompile(`[^\pL\pN _-]`)
	namedPage   = regexp.MustCompile(`\bdocs/([\w-]+)\.md\b`)
)

// Links between the pages must lead to a file, and to a heading if they name one.
func TestLinksLead(t *testing.T) {
	links := 0
	for _, page := range pages(t) {
		text := fencedBlock.ReplaceAllString(readFile(t, page), "")
		for _, m := range pageLink.FindAllStringSubmatch(text, -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, ":") {
				continue // an address
			}
			links++
			name := path.Join(path.Dir(page), target)
			if target == "" {
				name = page
			}
			if _, err := os.Stat(filepath.FromSlash(name)); err != nil {
				t.Errorf("%s links to %q: %v", page, m[1], err)
			} else if anchor != "" && !slices.Contains(anchors(readFile(t, name)), anchor) {
				t.Errorf("%s links to %q: no such heading", page, m[1])
			}
		}
	}
	if links < 50 {
		t.Errorf("%d links", links)
	}
}

// pages returns the Markdown pages for people.
func pages(t *testing.T) (list []string) {
	t.Helper()
	for _, pattern := range []string{
		"*.md", "docs/*.md", "store/*.md", "bench/*.md", "bench/eval/*.md", "bench/mcp/*.md", "bench/history/*.md",
	} {
		found, err := filepath.Glob(filepath.FromSlash(pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			list = append(list, filepath.ToSlash(f))
		}
	}
	return list
}

// anchors returns the anchors of a page's headings, as GitHub spells them.
func anchors(page string) (list []string) {
	for _, m := range headingLine.FindAllStringSubmatch(fencedBlock.ReplaceAllString(page, ""), -1) {
		list = append(list, strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return list
}

func TestAnchors(t *testing.T) {
	got := anchors("# What is shown, and why\n\n```sh\n# a comment\n```\n\n## `patina doctor`: a look\n")
	if want := []string{"what-is-shown-and-why", "patina-doctor-a-look"}; !slices.Equal(got, want) {
		t.Errorf("anchors %q, want %q", got, want)
	}
}

// Every page in docs that code, a make target or a page names must exist.
func TestNamedPagesExist(t *testing.T) {
	files := append(pages(t), "Makefile")
	for _, f := range goFiles(t) {
		if !strings.HasSuffix(f, "_test.go") {
			files = append(files, f)
		}
	}
	named := 0
	for _, f := range files {
		if strings.HasPrefix(f, "bench/history/") || strings.HasPrefix(f, "bench/eval/") || f == "docs/evaluation.md" {
			continue // they name pages of other projects, earlier versions, and invented ones
		}
		for _, m := range namedPage.FindAllString(readFile(t, f), -1) {
			named++
			if _, err := os.Stat(filepath.FromSlash(m)); err != nil {
				t.Errorf("%s names %q: %v", f, m, err)
			}
		}
	}
	if named < 30 {
		t.Errorf("%d pages are named", named)
	}
}

// No long line of a document may be there twice, and none of CHANGELOG.md may begin as another one:
// two branches that change one line are merged into both.
func TestNoLineIsThereTwice(t *testing.T) {
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	const changelog, long = "CHANGELOG.md", 60
	for _, page := range append(pages, changelog, "README.md", "bench/RESULTS.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		first := map[string]int{}
		for i, line := range strings.Split(string(text), "\n") {
			if len(line) < long {
				continue
			}
			if page == changelog {
				line = line[:long]
			}
			if at := first[line]; at > 0 {
				t.Errorf("%s: line %d is line %d again: %s", page, i+1, at, line)
			}
			first[line] = i + 1
		}
	}
}
