package archtest

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every test named in docs/security.md must exist. Every promise there must name a test, or the
// make target that checks it.
func TestPromisesHaveTests(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("docs", "security.md"))
	if err != nil {
		t.Fatal(err)
	}
	known := testNames(t)
	named := regexp.MustCompile("`([^`]+)`")
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) != 3 || cells[0] == "| promise" {
			continue
		}
		rows++
		names := named.FindAllStringSubmatch(cells[2], -1)
		if len(names) == 0 {
			t.Errorf("no test: %s", line)
		}
		for _, m := range names {
			if !known[m[1]] && !strings.HasPrefix(m[1], "make ") {
				t.Errorf("no test %q: %s", m[1], line)
			}
		}
	}
	if rows < 30 {
		t.Errorf("%d promises", rows)
	}
}

// testNames returns this module's tests: functions, and scripts by file name.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	for _, file := range goFiles(t) {
		if !strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range function.FindAllSubmatch(source, -1) {
			known[string(m[1])] = true
		}
	}
	stories, err := filepath.Glob(filepath.Join("cmd", "patina", "testdata", "script", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stories {
		known[path.Base(filepath.ToSlash(s))] = true
	}
	return known
}
