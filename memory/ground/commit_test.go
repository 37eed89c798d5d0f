package ground

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A commit's ground moves only when the content of a file changes that the commit changed.
func TestCommitGround(t *testing.T) {
	dir, run := repository(t)
	head := func() string {
		t.Helper()
		out, err := exec.Command("git", "-C", dir, "rev-parse", "HEAD").Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	written := time.Now().Add(-98 * time.Hour)
	first := head()
	write(t, dir, "b.go", "package a\n\nvar b = 1\n")
	run("add", ".")
	run("commit", "-qm", "second")
	open := func() *Tree {
		t.Helper()
		tree, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(tree.Close)
		return tree
	}
	hash := open().HashCommit(t.Context(), first)
	if hash == "" || strings.Contains(hash, ",") {
		t.Fatalf("ground %q", hash)
	}
	for _, none := range []string{"", "HEAD", "--all", "00000000", first + "x"} {
		if got := open().HashCommit(t.Context(), none); got != "" {
			t.Errorf("%q has the ground %q", none, got)
		}
	}
	moved := func() *Move { return open().MovedCommit(t.Context(), first, hash, written) }
	write(t, dir, "b.go", "package a\n\nvar b = 2\n")
	write(t, dir, "a.go", strings.ReplaceAll(before, "+ n", "+  n // sum"))
	if m := moved(); m != nil {
		t.Errorf("another file and formatting: %+v", m)
	}
	run("commit", "-qam", "third")
	run("mv", "a.go", "c.go")
	run("commit", "-qm", "renamed")
	if m := moved(); m != nil {
		t.Errorf("a rename: %+v", m)
	}
	write(t, dir, "c.go", strings.ReplaceAll(before, "+ n", "- n"))
	run("commit", "-qam", "minus")
	if m := moved(); m == nil || m.Commits != 1 || m.Gone {
		t.Errorf("a change: %+v", m)
	}
	run("rm", "-q", "c.go")
	run("commit", "-qm", "gone")
	if m := moved(); m == nil || !m.Gone {
		t.Errorf("a removal: %+v", m)
	}
	for i := range mostFiles + 1 {
		write(t, dir, fmt.Sprintf("f%d.go", i), "package a\n")
	}
	run("add", ".")
	run("commit", "-qm", "many")
	if got := open().HashCommit(t.Context(), head()); got != "" {
		t.Errorf("a commit of many files has the ground %q", got)
	}
}
