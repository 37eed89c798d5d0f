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
	rows := namedTests(t, filepath.Join("docs", "security.md"), func(name string) bool {
		return strings.HasPrefix(name, "make ")
	})
	if rows < 30 {
		t.Errorf("%d promises", rows)
	}
}

// Every criterion of the published specification must name a test that exists, or say that it is
// open.
func TestCriteriaHaveTests(t *testing.T) {
	rows := namedTests(t, filepath.Join("layer", "surface", "specification.md"), func(name string) bool {
		return name == "open"
	})
	if rows < 60 {
		t.Errorf("%d criteria", rows)
	}
}

// namedTests checks the tables of three columns on a page: the last one must name tests of this
// module in code spans, or names that other allows. It returns the number of rows.
func namedTests(t *testing.T, page string, other func(name string) bool) (rows int) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	known := testNames(t)
	named := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "| ") && strings.Contains(line, "| |") {
			t.Errorf("%s: an empty cell: %s", page, line)
		}
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) != 3 || cells[0] == "| promise" || cells[0] == "| criterion" {
			continue
		}
		rows++
		names := named.FindAllStringSubmatch(cells[2], -1)
		if len(names) == 0 {
			t.Errorf("%s: no test: %s", page, line)
		}
		for _, m := range names {
			if !known[m[1]] && !other(m[1]) {
				t.Errorf("%s: no test %q: %s", page, m[1], line)
			}
		}
	}
	return rows
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
