package walk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"patina/scrape/git"
	"patina/scrape/scrapetest"
)

func uncommitted(t *testing.T, root string) Work {
	t.Helper()
	tree, err := git.Find(root)
	scrapetest.Must(t, err)
	w, err := Uncommitted(context.Background(), tree, time.Minute, 3)
	scrapetest.Must(t, err)
	return w
}

func TestUncommitted(t *testing.T) {
	root := t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	if w := uncommitted(t, root); w.Total() != 0 {
		t.Errorf("an empty repository has %+v", w)
	}
	scrapetest.Tree(t, root, map[string]string{
		".gitignore": "*.log\n", "a.go": "a", "b.go": "b", "c.go": "c", "d/e.go": "e", "touched.go": "x",
	})
	if w := uncommitted(t, root); w.Untracked != 6 || len(w.Paths) != 3 {
		t.Errorf("before the first commit: %+v", w)
	}
	scrapetest.Git(t, root, "add", ".")
	scrapetest.Git(t, root, "commit", "-q", "-m", "x")
	if w := uncommitted(t, root); w.Total() != 0 || w.More {
		t.Errorf("after a commit: %+v", w)
	}
	scrapetest.Tree(t, root, map[string]string{
		"a.go": "changed", "new.go": "n", "x.log": "ignored", "excluded": "x", "d/n/1": "1", "d/n/2": "2", "日 本.go": "s",
		".git/info/exclude": "/excluded\n",
	})
	scrapetest.Git(t, root, "add", "日 本.go")
	scrapetest.Must(t, os.Remove(filepath.Join(root, "b.go")))
	scrapetest.Must(t, os.Chtimes(filepath.Join(root, "touched.go"), time.Now(), time.Now().Add(-time.Hour)))
	w := uncommitted(t, root)
	if w.Changed != 1 || w.Deleted != 1 || w.Added != 1 || w.Untracked != 2 || w.Paths[0] != "a.go" {
		t.Errorf("%+v", w)
	}
	scrapetest.Git(t, root, "update-index", "--split-index")
	if again := uncommitted(t, root); again.Total() != w.Total() {
		t.Errorf("with a split index: %+v, without it %+v", again, w)
	}
}

// Many files are counted up to a bound, and git that is late is an error.
func TestUncommittedIsBounded(t *testing.T) {
	root := t.TempDir()
	scrapetest.Git(t, root, "init", "-q")
	for i := range mostUncommitted + 5 {
		scrapetest.Must(t, os.WriteFile(filepath.Join(root, strconv.Itoa(i)), nil, 0o600))
	}
	if w := uncommitted(t, root); w.Total() != mostUncommitted || !w.More {
		t.Errorf("%d of more files, more %v", w.Total(), w.More)
	}
	tree, err := git.Find(root)
	scrapetest.Must(t, err)
	if _, err := Uncommitted(context.Background(), tree, time.Nanosecond, 3); !errors.Is(err, ErrGit) {
		t.Errorf("too late: %v", err)
	}
}

// Git must not run a filter that a repository names, even if it must read the content to see if a
// file has changed. A plain "git status" does run it.
func TestUncommittedRunsNoFilter(t *testing.T) {
	root, trace := t.TempDir(), filepath.Join(t.TempDir(), "trace")
	scrapetest.Git(t, root, "init", "-q")
	scrapetest.Tree(t, root, map[string]string{"a.go": "a", ".gitattributes": "* filter=evil\n"})
	scrapetest.Git(t, root, "add", ".")
	scrapetest.Git(t, root, "commit", "-q", "-m", "x")
	scrapetest.Git(t, root, "config", "filter.evil.clean", "touch "+trace+"; cat")
	scrapetest.Tree(t, root, map[string]string{".git/info/attributes": "* filter=evil\n", "a.go": "b"})
	if w := uncommitted(t, root); w.Changed != 1 {
		t.Errorf("%+v", w)
	}
	if _, err := os.Lstat(trace); err == nil {
		t.Fatal("the filter ran")
	}
	scrapetest.Git(t, root, "status")
	if _, err := os.Lstat(trace); err != nil {
		t.Error("the plant does nothing under a plain git")
	}
}
