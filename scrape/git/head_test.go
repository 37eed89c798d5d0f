package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestHead(t *testing.T) {
	dir := newRepo(t)
	tree := find(t, dir)
	t.Setenv("PATH", os.Getenv("PATH"))
	head := func(name, wantID, wantBranch string) {
		t.Helper()
		path := os.Getenv("PATH")
		os.Setenv("PATH", "") // git cannot be started
		id, branch, err := tree.Head()
		os.Setenv("PATH", path)
		if id != wantID || branch != wantBranch || err != nil {
			t.Errorf("%s: Head() = %q, %q, %v, want %q, %q", name, id, branch, err, wantID, wantBranch)
		}
	}
	head("unborn", "", "main")
	one := commit(t, dir, "one", "a", "1")
	head("loose", one, "main")
	git(t, dir, "branch", "mainly")
	git(t, dir, "pack-refs", "--all")
	head("packed", one, "main")
	two := commit(t, dir, "two", "a", "2")
	head("loose over packed", two, "main")
	git(t, dir, "pack-refs", "--all")
	git(t, dir, "checkout", "-q", "-b", "deep/er/branch")
	head("slashes", two, "deep/er/branch")
	git(t, dir, "pack-refs", "--all")
	historyWrite(t, filepath.Join(dir, ".git/refs/heads/deep/er/branch/x"), "")
	os.Remove(filepath.Join(dir, ".git/refs/heads/deep/er/branch/x"))
	head("packed under an empty folder of its name", two, "deep/er/branch")
	os.RemoveAll(filepath.Join(dir, ".git/refs/heads/deep"))
	git(t, dir, "checkout", "-q", "--detach", one)
	head("detached", one, "")
	git(t, dir, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
	git(t, dir, "symbolic-ref", "HEAD", "refs/heads/alias")
	head("alias", two, "main")
	os.Remove(filepath.Join(dir, ".git/HEAD"))
	os.Symlink("refs/heads/mainly", filepath.Join(dir, ".git/HEAD"))
	head("symbolic link", one, "mainly")
	git(t, dir, "symbolic-ref", "HEAD", "refs/heads/main")

	linked := filepath.Join(t.TempDir(), "linked")
	git(t, dir, "worktree", "add", "-q", "-b", "side", linked, one)
	tree = find(t, linked)
	head("worktree", one, "side")
	git(t, linked, "update-ref", "refs/worktree/own", two)
	git(t, linked, "symbolic-ref", "HEAD", "refs/heads/side")
	historyWrite(t, filepath.Join(tree.GitDir, "HEAD"), "ref: refs/worktree/own\n")
	head("a ref of this worktree", two, "refs/worktree/own")
}

func TestHeadDamaged(t *testing.T) {
	dir := newRepo(t)
	commit(t, dir, "one", "a", "1")
	tree := find(t, dir)
	ref := filepath.Join(dir, ".git/refs/heads/main")
	head := filepath.Join(dir, ".git/HEAD")
	for name, file := range map[string][2]string{
		"empty ref":   {ref, ""},
		"no id":       {ref, strings.Repeat("x", 40)},
		"empty HEAD":  {head, ""},
		"escaping":    {head, "ref: ../../../etc/passwd"},
		"outside":     {head, "ref: refs/../../x"},
		"circle":      {ref, "ref: refs/heads/main"},
		"short of it": {ref, "0123456789"},
	} {
		t.Run(name, func(t *testing.T) {
			before, err := os.ReadFile(file[0])
			if err != nil {
				t.Fatal(err)
			}
			defer historyWrite(t, file[0], string(before))
			historyWrite(t, file[0], file[1])
			if id, branch, err := tree.Head(); err == nil {
				t.Errorf("Head() = %q, %q, no error", id, branch)
			}
		})
	}
	if _, _, err := tree.Head(); err != nil {
		t.Errorf("repaired: %v", err)
	}
	historyWrite(t, filepath.Join(dir, ".git/packed-refs"), "xyz refs/heads/gone\n")
	historyWrite(t, head, "ref: refs/heads/gone\n")
	if id, _, err := tree.Head(); err == nil {
		t.Errorf("damaged packed-refs: Head() = %q, no error", id)
	}
}

// The stub for HEAD in reftable format sends the question to git. The test uses a ref with the
// stub's name, because git 2.39 knows no reftable.
func TestHeadAsksGit(t *testing.T) {
	dir := newRepo(t)
	one := commit(t, dir, "one", "a", "1")
	historyWrite(t, filepath.Join(dir, ".git/HEAD"), "ref: refs/heads/.invalid\n")
	if id, branch, err := find(t, dir).Head(); err == nil {
		t.Errorf("Head() = %q, %q, want an error of a git that does not know .invalid", id, branch)
	}
	historyWrite(t, filepath.Join(dir, ".git/HEAD"), one+"\n")
	id, branch, err := find(t, dir).askHead(errReftable)
	if id != one || branch != "" || err != nil {
		t.Errorf("askHead, detached: %q, %q, %v", id, branch, err)
	}
	historyWrite(t, filepath.Join(dir, ".git/HEAD"), "ref: refs/heads/new\n")
	if id, branch, err = find(t, dir).askHead(errReftable); id != "" || branch != "new" || err != nil {
		t.Errorf("askHead, unborn: %q, %q, %v", id, branch, err)
	}
}
