package history

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Tree is one working tree of a repository, or a bare repository. All its paths are absolute, without symbolic links.
type Tree struct {
	Root      string // the working tree's top folder; empty for a bare repository
	GitDir    string // holds HEAD: of this working tree alone
	CommonDir string // holds objects and refs: shared by all working trees; equals GitDir in the main one
	Bare      bool
}

// Find says where the working tree around a folder and its git directory are. The folder may lie anywhere inside, also
// in the git directory itself. It reads files and does not start git. Without a repository the error wraps ErrNoGit;
// so it does where a .git file leads nowhere, as in a copied worktree.
func Find(dir string) (Tree, error) {
	start, err := filepath.Abs(dir)
	if err == nil {
		start, err = filepath.EvalSymlinks(start) // as git does: parents are those of the real folder
	}
	if err != nil {
		return Tree{}, fmt.Errorf("find repository: %w", err)
	}
	for at := start; ; at = filepath.Dir(at) {
		t, found, err := look(at)
		if found || err != nil {
			return t, err
		}
		if at == filepath.Dir(at) {
			return Tree{}, fmt.Errorf("find repository of %q: %w", start, ErrNoGit)
		}
	}
}

// look tells whether one folder is the top of a working tree or a git directory.
func look(dir string) (Tree, bool, error) {
	dot := filepath.Join(dir, ".git")
	if info, err := os.Stat(dot); err == nil && info.Mode().IsRegular() {
		gitDir := pointer(dot, "gitdir:")
		if !isGitDir(gitDir) {
			return Tree{}, false, fmt.Errorf("follow %q to %q: %w", dot, gitDir, ErrNoGit)
		}
		return open(gitDir, dir), true, nil
	}
	if isGitDir(dot) {
		return open(dot, dir), true, nil
	}
	if isGitDir(dir) {
		return open(dir, ""), true, nil
	}
	return Tree{}, false, nil
}

// open describes a git directory; top is the folder whose .git led to it, empty if the search began inside.
func open(gitDir, top string) Tree {
	t := Tree{GitDir: physical(gitDir)}
	t.CommonDir = commonDir(t.GitDir)
	c := t.config()
	switch work := c["core.worktree"]; {
	case t.CommonDir != t.GitDir: // a linked worktree: core.bare and core.worktree speak of the main one
		if top == "" {
			top = filepath.Dir(pointer(filepath.Join(t.GitDir, "gitdir"), ""))
		}
	case work != "": // submodules have it
		top = resolve(t.GitDir, work)
	case c.is("core.bare"):
		top, t.Bare = "", true
	case top == "" && filepath.Base(t.GitDir) == ".git":
		top = filepath.Dir(t.GitDir)
	case top == "":
		t.Bare = true // as git guesses where nothing is set
	}
	if top != "" {
		t.Root = physical(top)
	}
	return t
}

// isGitDir uses git's own test: HEAD, objects and refs.
func isGitDir(dir string) bool {
	if dir == "" {
		return false
	}
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	common := commonDir(dir)
	return isDir(filepath.Join(common, "objects")) && isDir(filepath.Join(common, "refs"))
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// commonDir is what the file "commondir" of a linked worktree names, else the git directory itself.
func commonDir(gitDir string) string {
	if dir := pointer(filepath.Join(gitDir, "commondir"), ""); dir != "" {
		return physical(dir)
	}
	return gitDir
}

// pointer reads a file that holds one path, after a prefix, relative to the file's folder. It is empty where there is
// no such file or it holds something else.
func pointer(name, prefix string) string {
	data, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	path, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), prefix)
	if path = strings.TrimLeft(path, " "); !ok || path == "" {
		return ""
	}
	return resolve(filepath.Dir(name), path)
}

func resolve(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// physical is a path without symbolic links, or the path itself where it does not exist.
func physical(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}
