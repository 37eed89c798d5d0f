package git

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestFind(t *testing.T) {
	main := newRepo(t)
	commit(t, main, "one", "a/b/c.txt", "x")
	dot := filepath.Join(main, ".git")
	worktree := filepath.Join(physicalPath(t.TempDir()), "linked")
	git(t, main, "worktree", "add", "-q", worktree)
	bare := filepath.Join(physicalPath(t.TempDir()), "bare.git")
	git(t, main, "clone", "-q", "--bare", main, bare)
	super := newRepo(t)
	git(t, super, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", main, "sub")
	git(t, super, "commit", "-q", "-m", "sub")
	link := filepath.Join(physicalPath(t.TempDir()), "link")
	if err := os.Symlink(filepath.Join(main, "a/b"), link); err != nil {
		t.Fatal(err)
	}
	// A bare repository in .bare, with .git leading to it, is a common layout for worktrees.
	hidden := physicalPath(t.TempDir())
	git(t, hidden, "clone", "-q", "--bare", main, ".bare")
	historyWrite(t, filepath.Join(hidden, ".git"), "gitdir: ./.bare\n")
	git(t, hidden, "worktree", "add", "-q", "-b", "x", "x")
	snapshot := filepath.Join(physicalPath(t.TempDir()), "snapshot") // without a config
	git(t, main, "clone", "-q", "--bare", main, snapshot)
	if err := os.Remove(filepath.Join(snapshot, "config")); err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(physicalPath(t.TempDir()))
	git(t, main, "clone", "-q", main, filepath.Join(elsewhere, "r"))
	git(t, filepath.Join(elsewhere, "r"), "config", "core.worktree", elsewhere)

	whole := Tree{Root: main, GitDir: dot, CommonDir: dot}
	linked := Tree{Root: worktree, GitDir: filepath.Join(dot, "worktrees/linked"), CommonDir: dot}
	isBare := Tree{GitDir: bare, CommonDir: bare, Bare: true}
	module := filepath.Join(super, ".git/modules/sub")
	sub := Tree{Root: filepath.Join(super, "sub"), GitDir: module, CommonDir: module}
	hiddenBare := filepath.Join(hidden, ".bare")
	tests := map[string]struct {
		dir  string
		want Tree
	}{
		"top":                   {main, whole},
		"below":                 {filepath.Join(main, "a/b"), whole},
		"in .git":               {dot, whole},
		"deep in .git":          {filepath.Join(dot, "refs/heads"), whole},
		"through a link":        {link, whole},
		"worktree":              {worktree, linked},
		"below a worktree":      {filepath.Join(worktree, "a"), linked},
		"in a worktree's .git":  {filepath.Join(dot, "worktrees/linked"), linked},
		"bare":                  {bare, isBare},
		"in bare":               {filepath.Join(bare, "objects"), isBare},
		"snapshot":              {snapshot, Tree{GitDir: snapshot, CommonDir: snapshot, Bare: true}},
		"submodule":             {filepath.Join(super, "sub", "a"), sub},
		"in a submodule's .git": {filepath.Join(module, "refs"), sub},
		"super": {super, Tree{
			Root: super, GitDir: filepath.Join(super, ".git"), CommonDir: filepath.Join(super, ".git"),
		}},
		".git leads to bare": {hidden, Tree{GitDir: hiddenBare, CommonDir: hiddenBare, Bare: true}},
		"its worktree": {
			filepath.Join(hidden, "x"), Tree{
				Root: filepath.Join(hidden, "x"), GitDir: filepath.Join(hiddenBare, "worktrees/x"),
				CommonDir: hiddenBare,
			},
		},
		"core.worktree": {
			filepath.Join(elsewhere, "r"),
			Tree{
				Root: elsewhere, GitDir: filepath.Join(elsewhere, "r/.git"),
				CommonDir: filepath.Join(elsewhere, "r/.git"),
			},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := find(t, test.dir)
			if got != test.want {
				t.Fatalf("Find(%q):\n got %+v\nwant %+v", test.dir, got, test.want)
			}
			if id, _, err := got.Head(); err != nil || !isID(id) && test.dir != super {
				t.Errorf("Head() = %q, %v", id, err)
			}
			// Compare with git itself, if it has a working tree to report.
			if got.Bare {
				check(t, "git says bare", git(t, test.dir, "rev-parse", "--is-bare-repository"), "true")
			} else if git(t, test.dir, "rev-parse", "--is-inside-work-tree") == "true" {
				check(t, "git says", git(t, test.dir, "rev-parse", "--show-toplevel"), got.Root)
			}
		})
	}
}

func TestFindWithout(t *testing.T) {
	dir := t.TempDir()
	historyWrite(t, filepath.Join(dir, "copied/.git"), "gitdir: /no/such/repository\n")
	historyWrite(t, filepath.Join(dir, "odd/.git"), "hello")
	// Without objects git looks further up.
	historyWrite(t, filepath.Join(dir, "empty/.git/HEAD"), "ref: refs/heads/main\n")
	for _, sub := range []string{"", "copied", "odd", "empty"} {
		if tree, err := Find(filepath.Join(dir, sub)); !errors.Is(err, ErrNoGit) {
			t.Errorf("Find(%q) = %+v, %v", sub, tree, err)
		}
	}
	if _, err := Find(filepath.Join(dir, "none")); err == nil || errors.Is(err, ErrNoGit) {
		t.Errorf("Find of no folder: %v", err)
	}
}
