package parse

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"patina/scrape/chunk"
	"patina/scrape/content"
	"patina/store/doc"
)

// TestStandardLibrary checks the invariants on real code. All lines of every chunk must be in its
// texts.
func TestStandardLibrary(t *testing.T) {
	root := filepath.Join(goroot(t), "src", "net")
	files := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		text, ok := content.Decode(raw)
		if !ok {
			return nil
		}
		files++
		f, _ := Parse(Input{Path: filepath.Base(name), Text: text})
		checkFile(t, f)
		if f.Class&doc.Generated == 0 {
			checkTexts(t, f)
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Skipf("no sources of the standard library: %v", err)
	}
}

// checkTexts compares each chunk with the slow obvious version: its lines, sorted by hand into doc
// and body.
func checkTexts(t *testing.T, f *doc.File) {
	t.Helper()
	src := chunk.NewSource(f.Body)
	for _, c := range f.Chunks {
		doc, body := c.Doc, c.Body
		for n := c.First; n <= c.Last; n++ {
			line := string(src.Line(n)) + "\n"
			if rest, ok := strings.CutPrefix(body, line); ok && !strings.HasPrefix(strings.TrimSpace(line), "//") {
				body = rest
			} else if rest, ok := strings.CutPrefix(doc, line); ok {
				doc = rest
			} else if rest, ok := strings.CutPrefix(body, line); ok { // a comment mark inside a string
				body = rest
			} else if !inNotice(f.Body, n) {
				t.Fatalf("%s:%d is in neither text", f.Path, n)
			}
		}
		if doc != "" || body != "" {
			t.Fatalf("%s:%d-%d holds more than its lines", f.Path, c.First, c.Last)
		}
	}
}

// inNotice reports whether a line, from 1, is in a legal notice above the code.
func inNotice(body []byte, line int) bool {
	above, _, _ := strings.Cut("\n"+string(body), "\npackage ")
	if line > strings.Count(above, "\n") {
		return false
	}
	from, to := line-1, line
	lines := strings.Split(above[1:], "\n")
	isText := func(n int) bool { return strings.ContainsFunc(lines[n], unicode.IsLetter) }
	for from > 0 && isText(from-1) {
		from--
	}
	for to < len(lines) && isText(to) {
		to++
	}
	paragraph := strings.ToLower(strings.Join(lines[from:to], "\n"))
	return slices.ContainsFunc([]string{"copyright", "license", "permission", "rights", "liab", "as is", "warrant"},
		func(word string) bool { return strings.Contains(paragraph, word) })
}

func goroot(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip(err)
	}
	return strings.TrimSpace(string(out))
}
