package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"patina/internal/safeio"
)

// A folder that claims to be a working tree must be refused if the repository does not know it,
// however it makes the claim.
func TestFakeWorktree(t *testing.T) {
	victim := newRepo(t)
	commit(t, victim, "one", "a", "x")
	real := filepath.Join(physicalPath(t.TempDir()), "real")
	git(t, victim, "worktree", "add", "-q", real)
	admin := filepath.Join(victim, ".git/worktrees/real")
	for name, fake := range map[string]func(dir string){
		"a .git file of another tree": func(dir string) {
			historyWrite(t, filepath.Join(dir, ".git"), "gitdir: "+admin+"\n")
		},
		"a link to that file": func(dir string) {
			if err := os.Symlink(filepath.Join(real, ".git"), filepath.Join(dir, ".git")); err != nil {
				t.Fatal(err)
			}
		},
		"a link to its git directory": func(dir string) {
			if err := os.Symlink(admin, filepath.Join(dir, ".git")); err != nil {
				t.Fatal(err)
			}
		},
		"a git directory of its own": func(dir string) {
			historyWrite(t, filepath.Join(dir, ".git"), "gitdir: g\n")
			historyWrite(t, filepath.Join(dir, "g/HEAD"), "ref: refs/heads/main\n")
			historyWrite(t, filepath.Join(dir, "g/commondir"), filepath.Join(victim, ".git")+"\n")
			historyWrite(t, filepath.Join(dir, "g/gitdir"), filepath.Join(dir, ".git")+"\n")
		},
		"a .git folder that shares": func(dir string) {
			historyWrite(t, filepath.Join(dir, ".git/HEAD"), "ref: refs/heads/main\n")
			historyWrite(t, filepath.Join(dir, ".git/commondir"), filepath.Join(victim, ".git")+"\n")
			historyWrite(t, filepath.Join(dir, ".git/gitdir"), filepath.Join(dir, ".git")+"\n")
		},
		"called worktrees": func(dir string) {
			historyWrite(t, filepath.Join(dir, ".git"), "gitdir: worktrees/g\n")
			historyWrite(t, filepath.Join(dir, "worktrees/g/HEAD"), "ref: refs/heads/main\n")
			historyWrite(t, filepath.Join(dir, "worktrees/g/commondir"), filepath.Join(victim, ".git")+"\n")
			historyWrite(t, filepath.Join(dir, "worktrees/g/gitdir"), filepath.Join(dir, ".git")+"\n")
		},
		"a bare folder that shares": func(dir string) {
			historyWrite(t, filepath.Join(dir, "HEAD"), "ref: refs/heads/main\n")
			historyWrite(t, filepath.Join(dir, "commondir"), filepath.Join(victim, ".git")+"\n")
		},
	} {
		dir := physicalPath(t.TempDir())
		fake(dir)
		if tree, err := Find(dir); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %+v, %v", name, tree, err)
		}
	}
	if tree := find(t, real); tree.Root != real {
		t.Errorf("the real one: %+v", tree)
	}
}

// Each kind of working tree made by git is still found, as git sees it.
func TestFindWhatGitMakes(t *testing.T) {
	main := newRepo(t)
	commit(t, main, "one", "a", "x")
	away := physicalPath(t.TempDir())
	at := func(name string) string { return filepath.Join(away, name) }
	git(t, away, "clone", "-q", "--separate-git-dir", at("apart.git"), main, "apart")
	git(t, away, "clone", "-q", main, "outer")
	git(t, at("outer"), "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", main, "libs/sub")
	git(t, at("outer"), "commit", "-q", "-m", "sub")
	git(t, at("outer/libs/sub"), "worktree", "add", "-q", at("of a submodule"), "-b", "s")
	git(t, at("outer"), "clone", "-q", main, "old") // old submodules have a .git folder
	git(t, at("outer"), "-c", "advice.addEmbeddedRepo=false", "add", "old")
	git(t, away, "clone", "-q", "--bare", main, "bare.git")
	git(t, at("bare.git"), "worktree", "add", "-q", at("of bare"), "main")
	git(t, at("apart"), "worktree", "add", "-q", at("of apart"), "-b", "p")
	git(t, main, "worktree", "add", "-q", at("outer/linked below"), "-b", "l")
	git(t, main, "worktree", "add", "-q", at("before"))
	git(t, main, "worktree", "move", at("before"), at("moved"))
	git(t, main, "worktree", "add", "-q", at("before"), "-b", "again")
	if err := errors.Join(os.Rename(at("before"), at("by hand")), os.Symlink(away, away+"-link")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(away + "-link") })
	if _, err := Find(at("by hand")); !errors.Is(err, ErrForeign) {
		t.Errorf("a tree that was moved by hand: %v", err)
	}
	git(t, at("by hand"), "worktree", "repair")
	for _, name := range []string{
		"apart", "outer", "outer/libs/sub", "of a submodule", "outer/old", "of bare", "of apart", "outer/linked below",
		"moved", "by hand",
	} {
		for _, dir := range []string{at(name), filepath.Join(away+"-link", name)} {
			tree, err := Find(dir)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			check(t, name+": its top", tree.Root, git(t, at(name), "rev-parse", "--show-toplevel"))
			check(t, name+": its git directory", tree.GitDir,
				physicalPath(git(t, at(name), "rev-parse", "--absolute-git-dir")))
			if tree.Ignored != "" {
				t.Errorf("%s: %q is ignored", name, tree.Ignored)
			}
		}
	}
	main2, err := find(t, at("of bare")).Main()
	check(t, "main of a bare repository's tree", fmt.Sprint(main2, err),
		fmt.Sprint(Tree{GitDir: at("bare.git"), CommonDir: at("bare.git"), Bare: true}, nil))
	copied := at("copy of moved")
	if err := os.CopyFS(copied, os.DirFS(at("moved"))); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(copied); !errors.Is(err, ErrForeign) || !strings.Contains(err.Error(), "git worktree add") {
		t.Errorf("a copy of a linked tree: %v", err)
	}
}

// A bare repository is itself unless it lies among a working tree's files.
func TestFindBareBelow(t *testing.T) {
	main := newRepo(t)
	commit(t, main, "one", "a", "x")
	bare := filepath.Join(main, "docs/bare")
	git(t, main, "clone", "-q", "--bare", main, bare)
	linked := filepath.Join(physicalPath(t.TempDir()), "linked")
	git(t, main, "worktree", "add", "-q", linked)
	git(t, main, "clone", "-q", "--bare", main, filepath.Join(linked, "bare"))
	of := filepath.Join(physicalPath(t.TempDir()), "of")
	git(t, bare, "worktree", "add", "-q", of)
	for dir, want := range map[string]string{
		bare: main, filepath.Join(bare, "refs/heads"): main, filepath.Join(main, "docs"): main,
		filepath.Join(linked, "bare"): linked, of: of, filepath.Join(main, ".git/refs"): main,
	} {
		if tree := find(t, dir); tree.Root != want {
			t.Errorf("Find(%q) = %+v, want %q", dir, tree, want)
		}
	}
	if tree, err := find(t, of).Main(); err != nil || !tree.Bare || tree.GitDir != bare {
		t.Errorf("the repository of its working tree: %+v, %v", tree, err)
	}
}

// core.worktree is followed if it contains the git directory or leads back to it, and never above
// the user's home.
func TestCoreWorktree(t *testing.T) {
	parent := physicalPath(t.TempDir())
	home := filepath.Join(parent, "home")
	dir := filepath.Join(home, "src/r")
	victim := newRepo(t)
	historyWrite(t, filepath.Join(dir, "a"), "x")
	git(t, dir, "init", "-q", "-b", "main")
	t.Setenv("HOME", home)
	for work, followed := range map[string]bool{
		filepath.Join(home, "src"): true, dir: true, "..": true, "../..": true, "../../..": false, home: false,
		parent: false, "/": false, victim: false, filepath.Join(victim, ".git"): false, "/nowhere": false,
		filepath.Join(dir, "sub"): false,
	} {
		git(t, dir, "config", "core.worktree", work)
		want := physicalPath(resolvePath(filepath.Join(dir, ".git"), work))
		got := find(t, dir)
		if followed && (got.Root != want || got.Ignored != "") ||
			!followed && (got.Root != dir || got.Ignored != want) {
			t.Errorf("%q: %+v", work, got)
		}
	}
}

// Nothing in the place of git's small files may block a question or be read without end.
func TestOddFiles(t *testing.T) {
	for name, odd := range map[string]func(file string) error{
		"a pipe":   func(file string) error { return syscall.Mkfifo(file, 0o600) },
		"a device": func(file string) error { return os.Symlink("/dev/zero", file) },
		"a large file": func(file string) error {
			return errors.Join(os.WriteFile(file, nil, 0o600), os.Truncate(file, 1<<40))
		},
	} {
		for _, file := range []string{"config", "HEAD", "packed-refs", "shallow", "commondir", "refs/heads/main"} {
			dir := newRepo(t)
			commit(t, dir, "one", "a", "x")
			full := filepath.Join(dir, ".git", file)
			if err := errors.Join(os.RemoveAll(full), odd(full)); err != nil {
				t.Fatal(err)
			}
			tree, err := Find(dir)
			if file == "config" {
				if !errors.Is(err, safeio.ErrIrregular) && !errors.Is(err, safeio.ErrTooLarge) {
					t.Errorf("%s in place of config: %v", name, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s in place of %s: %v", name, file, err)
				continue
			}
			if _, _, err := tree.Head(); file != "shallow" && file != "commondir" && file != "packed-refs" &&
				err == nil {
				t.Errorf("%s in place of %s passes for a HEAD", name, file)
			}
			tree.Shallow()
			tree.Views()
		}
	}
}

// Links to regular git files are read, as git-new-workdir makes them.
func TestLinkedFiles(t *testing.T) {
	main := newRepo(t)
	commit(t, main, "one", "a", "x")
	git(t, main, "pack-refs", "--all")
	dir := physicalPath(t.TempDir())
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"config", "refs", "objects", "info", "packed-refs"} {
		if err := os.Symlink(filepath.Join(main, ".git", name), filepath.Join(dir, ".git", name)); err != nil {
			t.Fatal(err)
		}
	}
	historyWrite(t, filepath.Join(dir, ".git/HEAD"), "ref: refs/heads/main\n")
	tree := find(t, dir)
	id, branch, err := tree.Head()
	check(t, "root and HEAD", fmt.Sprint(tree.Root, id, branch, err),
		fmt.Sprint(dir, git(t, main, "rev-parse", "HEAD"), "main", error(nil)))
}

// A megabyte of settings is read once, however it is written.
func FuzzConfigSize(f *testing.F) {
	f.Add("[core]\n\tbare = true\n[remote \"a\\\"b\"] x = \"y\\n\" ; z\n")
	f.Add(strings.Repeat("[a]", 1000))
	f.Add(strings.Repeat("[a \"", 1000))
	f.Add("[a \"\\\n]b=c\\\n d")
	f.Fuzz(func(t *testing.T, text string) {
		c := config{}
		c.parse(text)
		for k, v := range c {
			if len(k)+len(v) > 2*len(text)+8 {
				t.Errorf("%q = %q of %q", k, v, text)
			}
		}
	})
}

func FuzzPointer(f *testing.F) {
	f.Add("gitdir: ../x\n")
	f.Add("gitdir:\x00\n../..")
	dir := physicalPath(f.TempDir())
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{".git", "commondir", "gitdir", "HEAD"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if tree, err := Find(dir); err == nil && !isAtOrAbove(tree.Root, dir) && !isAtOrAbove(dir, tree.Root) {
			t.Errorf("%q leads to %+v", text, tree)
		}
	})
}

func TestConfigInOneLine(t *testing.T) {
	c := config{}
	c.parse(strings.Repeat("[a]", maxConfig/3) + "\n[b]c=d\n")
	check(t, "what follows", c["b.c"], "d")
	c.parse(strings.Repeat("[a \"", maxConfig/4) + "\n[e]c=d\n")
	check(t, "what follows", c["e.c"], "d")
}

// The history of another repository is refused, or reported where git follows it too.
func TestHistoryOfAnother(t *testing.T) {
	victim, bare := newRepo(t), filepath.Join(physicalPath(t.TempDir()), "bare.git")
	commit(t, victim, "one", "a", "x")
	git(t, filepath.Dir(bare), "clone", "-q", "--bare", victim, bare)
	dot := filepath.Join(victim, ".git")
	for name, lead := range map[string]func(dir string) error{
		"a file that leads to a tree's": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+dot+"\n"), 0o644)
		},
		"a link that leads to a tree's": func(dir string) error { return os.Symlink(dot, filepath.Join(dir, ".git")) },
		"a file that leads to a bare one": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: "+bare+"\n"), 0o644)
		},
	} {
		dir := physicalPath(t.TempDir())
		if err := lead(dir); err != nil {
			t.Fatal(err)
		}
		if tree, err := Find(dir); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %+v, %v", name, tree, err)
		}
	}
	at := physicalPath(t.TempDir())
	git(t, at, "clone", "-q", "--shared", victim, "shared")
	git(t, at, "clone", "-q", victim, "own")
	git(t, at, "clone", "-q", "--separate-git-dir", filepath.Join(at, "apart.git"), victim, "apart")
	git(t, filepath.Join(at, "own"), "worktree", "add", "-q", filepath.Join(at, "linked"))
	for name, want := range map[string]string{
		"shared": filepath.Join(dot, "objects"), "own": "", "linked": "", "apart": filepath.Join(at, "apart.git"),
	} {
		tree, err := Find(filepath.Join(at, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(tree.Borrowed(), " "); got != want {
			t.Errorf("%s: borrows from %q, want %q", name, got, want)
		}
	}
	if err := errors.Join(os.RemoveAll(filepath.Join(at, "own/.git/refs")),
		os.Symlink(filepath.Join(dot, "refs"), filepath.Join(at, "own/.git/refs"))); err != nil {
		t.Fatal(err)
	}
	if tree, err := Find(filepath.Join(at, "own")); err != nil ||
		strings.Join(tree.Borrowed(), " ") != filepath.Join(dot, "refs") {
		t.Errorf("linked refs: %q, %v", tree.Borrowed(), err)
	}
}
