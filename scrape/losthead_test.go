package scrape

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"patina/scrape/scrapetest"
)

// Without the commit of HEAD the files must still be read, and the known history kept. When the
// commit is there again, the rest of the history must be read.
func TestCommitOfHeadIsMissing(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	commit := func(name string) (object string) {
		scrapetest.Tree(t, root, map[string]string{name: "package a\n"})
		scrapetest.Git(t, root, "add", "-A")
		scrapetest.Git(t, root, "commit", "-qm", "add "+name)
		out, err := exec.Command("git", "-C", root, "rev-parse", "HEAD").Output()
		scrapetest.Must(t, err)
		id := strings.TrimSpace(string(out))
		return filepath.Join(root, ".git", "objects", id[:2], id[2:])
	}
	read := func(dir, history string, commits int) {
		t.Helper()
		s := scrape(t, Options{Root: root, StoreDir: dir})
		if g := s.Generation; g.History != history || g.Commits != commits ||
			(history != "") != strings.Contains(strings.Join(s.Notes, "\n"), "git fsck") {
			t.Errorf("%+v\n%q", g, s.Notes)
		}
	}
	commit("a.go")
	read(dir, "", 1)
	object, kept := commit("b.go"), filepath.Join(t.TempDir(), "object")
	scrapetest.Must(t, os.Rename(object, kept))
	read(dir, lostHead, 1)
	if _, held := files(t, dir)["b.go"]; !held {
		t.Error("a new file was not read")
	}
	read(t.TempDir(), lostHead, 0)
	scrapetest.Must(t, os.Rename(kept, object))
	read(dir, "", 2)
	scrapetest.Must(t, os.Rename(object, kept)) // with an index that has read it
	read(dir, lostHead, 2)
}
