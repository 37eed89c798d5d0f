package describe_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"patina/code/describe"
	"patina/scrape"
	"patina/scrape/scrapetest"
	"patina/store/doc"
	"patina/store/storetest"
)

// A section is linked to the first file that it links to or names: by a path from its own folder,
// from the root, by the end of a path that only one file has, and by a symbol that one place
// defines. A section that names no file is linked to the newest commit of its file.
func TestSectionsAreLinkedToFilesTheyName(t *testing.T) {
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "store")
	scrapetest.Tree(t, root, map[string]string{
		"src/lock.go":   "package src\n\nfunc TakeLock() {}\n",
		"src/a/same.go": "package a\n", "src/b/same.go": "package b\n",
		"docs/other.md": "# Other\n\nText.\n",
		"docs/guide.md": "# Guide\n\n" +
			"## Beside\n\nRead [the other](other.md#other) and `src/lock.go`.\n\n" +
			"## Path\n\nIt is in src/lock.go, not in src/lock.go again.\n\n" +
			"## End\n\nSee `lock.go`, but `same.go` means two.\n\n" +
			"## Symbol\n\nCall `TakeLock()` first.\n\n" +
			"## Itself\n\nSee [this](guide.md) and [that](https://example.org/src/lock.html) and [up](../../../etc/passwd).\n",
	})
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Git(t, root, "add", "-A")
	scrapetest.Git(t, root, "commit", "-q", "-m", "feat: a guide")
	_, err := scrape.Run(t.Context(), scrape.Options{Root: root, StoreDir: dir})
	storetest.Check(t, err)
	r := storetest.Pin(t, dir)
	for section, want := range map[string]string{
		"beside": "names docs/other.md (+1 file)", "path": "names src/lock.go ()", "end": "names src/lock.go ()",
		"symbol": "names src/lock.go::TakeLock ()", "itself": "commit",
	} {
		id := doc.Pattern.PartID("docs/guide.md", section)
		found, err := describe.Describe(t.Context(), r, []describe.Want{{DocID: id, Kind: doc.Pattern, Usage: true}})
		storetest.Check(t, err)
		if len(found) != 1 || len(found[0].Links) != 1 {
			t.Fatalf("%s: %+v", section, found)
		}
		l := found[0].Links[0]
		if got := fmt.Sprintf("%s %s (%s)", l.Relation, l.Target, l.Note); got != want && l.Relation != want {
			t.Errorf("%s: %s, want %s", section, got, want)
		}
	}
}
