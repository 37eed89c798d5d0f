package impact_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"patina/code/impact"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/store"
	"patina/store/storetest"
)

// scrapedCommits commits trees one after the other, scrapes the last one and opens the index.
func scrapedCommits(t *testing.T, commits ...map[string]string) *store.Reader {
	t.Helper()
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "store")
	scrapetest.Git(t, root, "init", "-q")
	for i, files := range commits {
		scrapetest.Tree(t, root, files)
		scrapetest.Git(t, root, "add", "-A")
		scrapetest.Git(t, root, "commit", "-q", "-m", fmt.Sprintf("feat: step %d", i))
	}
	_, err := scrape.Run(t.Context(), scrape.Options{Root: root, StoreDir: dir})
	storetest.Check(t, err)
	return storetest.Pin(t, dir)
}

var project = map[string]string{
	"go.mod":              "module example.org/app\n",
	"queue/queue.go":      "package queue\n\n// Push adds.\nfunc Push() { grow() }\n\nfunc grow() {}\n\nfunc Pop() {}\n",
	"queue/queue_test.go": "package queue\n\nimport \"testing\"\n\nfunc TestPush(t *testing.T) { Push() }\n\nfunc TestGrow(t *testing.T) {}\n",
	"main.go":             "package main\n\nimport \"example.org/app/queue\"\n\nfunc main() { serve() }\n\nfunc serve() { queue.Push() }\n",
	"main_test.go":        "package main\n\nimport \"testing\"\n\nfunc TestServe(t *testing.T) { start() }\n\nfunc start() { serve() }\n",
	"docs/queue.md":       "# Queue\n\nHow the queue grows.\n",
	"script.vb":           "Sub grow()\nEnd Sub\n",
}

func askOf(t *testing.T, r *store.Reader, changes ...impact.Change) *impact.Impact {
	t.Helper()
	found, err := impact.Of(t.Context(), r, impact.Query{Changes: changes, Diff: true})
	storetest.Check(t, err)
	return found
}

func TestCallersAndTests(t *testing.T) {
	r := scrapedCommits(t, project)
	found := askOf(t, r, impact.Change{Path: "queue/queue.go", Symbol: "grow"})
	if len(found.Callers) != 1 || found.Callers[0].Symbol != "Push" || found.Callers[0].Candidate || found.Callers[0].Test {
		t.Errorf("callers %+v", found.Callers)
	}
	var tests []string
	for _, x := range found.Tests {
		tests = append(tests, fmt.Sprintf("%s %d", x.DocID, x.Hops))
	}
	// TestGrow is only named after it; TestServe reaches it through a helper of tests.
	for _, want := range []string{"queue/queue_test.go::TestPush 2", "queue/queue_test.go::TestGrow 0", "main_test.go::TestServe 4"} {
		if !slices.Contains(tests, want) {
			t.Errorf("no test %q in %q", want, tests)
		}
	}
	if len(tests) != 3 || found.Tests[2].DocID != "main_test.go::TestServe" {
		t.Errorf("tests %q", tests)
	}
	if !slices.Equal(found.Unknown, []string{"Visual Basic"}) {
		t.Errorf("unknown %q", found.Unknown)
	}
	if len(found.Changed) != 1 || !slices.Equal(found.Changed[0].Symbols, []string{"grow"}) || found.Changed[0].Commits != 1 {
		t.Errorf("changed %+v", found.Changed)
	}
}

// A file without callers in a language that no parser reads has unknown ones, not zero.
func TestUnparsedLanguage(t *testing.T) {
	r := scrapedCommits(t, project)
	if found := askOf(t, r, impact.Change{Path: "script.vb"}); !slices.Equal(found.Unknown, []string{"Visual Basic"}) || len(found.Callers) > 0 {
		t.Errorf("%+v", found)
	}
}

func TestChangedSymbols(t *testing.T) {
	r := scrapedCommits(t, project)
	for _, test := range []struct {
		change impact.Change
		want   string
	}{
		{impact.Change{Path: "queue/queue.go"}, "Push grow Pop"},
		{impact.Change{Path: "queue/queue.go", Lines: []impact.Lines{{3, 3}}}, "Push"},
		{impact.Change{Path: "queue/queue.go", Lines: []impact.Lines{{4, 6}}}, "Push grow"},
		{impact.Change{Path: "queue/queue.go", Lines: []impact.Lines{{1, 1}}}, ""},
		{impact.Change{Path: "queue/queue.go", Lines: []impact.Lines{{7, 6}}}, ""},
		{impact.Change{Path: "queue/queue.go", Lines: []impact.Lines{{4, 3}}}, "Push"},
		{impact.Change{Path: "queue/queue.go", Lines: []impact.Lines{}}, ""},
		{impact.Change{Path: "none.go"}, ""},
		{impact.Change{Path: "gone.go", Removed: true}, ""},
	} {
		found := askOf(t, r, test.change)
		if got := strings.Join(found.Changed[0].Symbols, " "); got != test.want {
			t.Errorf("%+v: %q, want %q", test.change, got, test.want)
		}
		if isNoted := len(found.Notes) > 0; isNoted != (test.change.Path == "none.go") {
			t.Errorf("%+v: notes %q", test.change, found.Notes)
		}
	}
}

func TestCompanions(t *testing.T) {
	var commits []map[string]string
	commits = append(commits, project)
	for i := range 4 {
		files := map[string]string{"queue/queue.go": project["queue/queue.go"] + fmt.Sprintf("// step %d\n", i)}
		if i < 3 {
			files["docs/queue.md"] = fmt.Sprintf("# Queue\n\nStep %d.\n", i)
		}
		if i == 3 {
			files["main.go"] = project["main.go"] + "// changed\n"
		}
		commits = append(commits, files)
	}
	r := scrapedCommits(t, commits...)
	found := askOf(t, r, impact.Change{Path: "queue/queue.go"})
	if len(found.Missing) != 1 || found.Missing[0] != (impact.Missing{Path: "docs/queue.md", With: "queue/queue.go", Commits: 4, Of: 5}) {
		t.Errorf("missing %+v", found.Missing)
	}
	if len(found.Files) < 3 || found.Files[0].Path != "docs/queue.md" || found.Files[0].Score <= found.Files[1].Score {
		t.Errorf("files %+v", found.Files)
	}
	if len(found.Owners) > 0 || len(found.Authors) != 1 || found.Authors[0].Commits != 5 {
		t.Errorf("authors %+v", found.Authors)
	}
	if found = askOf(t, r, impact.Change{Path: "queue/queue.go"}, impact.Change{Path: "docs/queue.md"}); len(found.Missing) > 0 {
		t.Errorf("missing from a change that has it: %+v", found.Missing)
	}
}

func TestOwners(t *testing.T) {
	files := map[string]string{".github/CODEOWNERS": "* @all\nqueue/ @queues\n", "queue/a.go": "package queue\n\nfunc F() {}\n"}
	found := askOf(t, scrapedCommits(t, files), impact.Change{Path: "queue/a.go"})
	if len(found.Owners) != 1 || found.Owners[0].Text != "@queues" || len(found.Authors) > 0 {
		t.Errorf("%+v, %+v", found.Owners, found.Authors)
	}
}

// Without time no caller is searched, and a note says so.
func TestDeadline(t *testing.T) {
	r := scrapedCommits(t, project)
	var many []impact.Change
	for i := range 60 {
		many = append(many, impact.Change{Path: fmt.Sprintf("%d.go", i)})
	}
	found := askOf(t, r, many...)
	if len(found.Changed) != 50 || !strings.HasPrefix(found.Notes[0], "the first 50 of 60 changed files") {
		t.Errorf("%d files, %q", len(found.Changed), found.Notes)
	}
	if _, err := impact.Of(contextUntil(t, time.Now().Add(-time.Second)), r, impact.Query{Changes: many}); err == nil {
		t.Error("a context that has ended: no error")
	}
}
