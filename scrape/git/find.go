package git

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Tree is one working tree of a repository, or a bare repository. Its paths are absolute and have
// no symbolic links. It must come from Find or Main, because its methods trust the paths.
type Tree struct {
	Root      string // the working tree's top folder; empty for a bare repository
	GitDir    string // has HEAD, and belongs to this working tree alone
	CommonDir string // has the objects and refs shared by all working trees; GitDir in the main one
	Bare      bool
	Ignored   string // a core.worktree outside this repository, which was not followed
}

// ErrForeign is wrapped by errors about a folder that leads to a git directory which does not know
// it.
var ErrForeign = errors.New("git does not know this working tree")

// Find returns the working tree around a folder, or the git directory that the folder is in. dir
// must exist; it may be relative. Find reads files and does not start git. The error wraps ErrNoGit
// if there is no repository, or if a .git file leads nowhere, as in a copied worktree.
//
// Both ends of a link must agree, because a stranger may have made the folder. A linked working
// tree must be the one that its git directory names, else the error wraps ErrForeign. A
// core.worktree must contain the git directory or lead back to it, else it is ignored and reported
// in Tree.Ignored. The error also wraps ErrForeign if .git leads to another working tree's git
// directory, or to a bare repository. A .git that leads to a git directory without a tree is
// followed (git init --separate-git-dir): see Borrowed. A bare repository inside a working tree is
// part of that tree.
func Find(dir string) (Tree, error) {
	start, err := filepath.Abs(dir)
	if err == nil {
		// As in git, parents are those of the real folder.
		start, err = filepath.EvalSymlinks(start)
	}
	if err != nil {
		return Tree{}, fmt.Errorf("find repository: %w", err)
	}
	for at := start; ; at = filepath.Dir(at) {
		t, found, err := lookAtFolder(at)
		if found || err != nil {
			return t, err
		}
		if at == filepath.Dir(at) {
			return Tree{}, fmt.Errorf("find repository of %q: %w", start, ErrNoGit)
		}
	}
}

// FindAt is Find for a folder that must itself be the top of a working tree or a bare repository.
// It looks at no parent. The error wraps ErrNoGit if the folder is neither.
func FindAt(dir string) (Tree, error) {
	real, err := filepath.Abs(dir)
	if err == nil {
		real, err = filepath.EvalSymlinks(real)
	}
	if err != nil {
		return Tree{}, fmt.Errorf("find repository: %w", err)
	}
	t, found, err := lookAtFolder(real)
	if !found && err == nil {
		err = fmt.Errorf("find repository of %q: %w", real, ErrNoGit)
	}
	return t, err
}

// IsSubmoduleOf reports whether git keeps the tree's git directory in that of another repository.
func (t Tree) IsSubmoduleOf(super Tree) bool {
	modules := filepath.Join(super.CommonDir, "modules") + string(filepath.Separator)
	return super.CommonDir != "" && strings.HasPrefix(t.CommonDir, modules)
}

// IsLinked reports whether the tree shares its repository with a main working tree.
func (t Tree) IsLinked() bool { return t.GitDir != t.CommonDir }

// Main returns the repository's main working tree, or the bare repository. The error wraps ErrNoGit
// if the repository of a linked working tree is gone.
func (t Tree) Main() (Tree, error) {
	if t.CommonDir == t.GitDir {
		return t, nil
	}
	if !isGitDir(t.CommonDir) {
		return Tree{}, fmt.Errorf("follow %q to %q: %w", t.GitDir, t.CommonDir, ErrNoGit)
	}
	return openGitDir(t.CommonDir, "")
}

// lookAtFolder opens a folder that is the top of a working tree or a git directory. found is false
// if it is neither.
func lookAtFolder(dir string) (Tree, bool, error) {
	gitDir, isFile := followGitFile(dir)
	switch {
	case isGitDir(gitDir):
		t, err := openGitDir(gitDir, dir)
		return t, true, err
	case isFile:
		return Tree{}, false, fmt.Errorf("follow %q to %q: %w", filepath.Join(dir, ".git"), gitDir, ErrNoGit)
	case isGitDir(dir) && !isInside(dir):
		t, err := openGitDir(dir, "")
		return t, true, err
	}
	return Tree{}, false, nil
}

// followGitFile returns a folder's .git, or the folder that .git names if it is a file. gitDir is
// "" if that file names no folder.
func followGitFile(dir string) (gitDir string, isFile bool) {
	dot := filepath.Join(dir, ".git")
	info, err := os.Lstat(dot)
	if err == nil && info.Mode()&os.ModeSymlink != 0 {
		dot = physicalPath(dot)
		info, err = os.Lstat(dot)
	}
	if err == nil && info.Mode().IsRegular() {
		return readPointer(dot, "gitdir:"), true
	}
	return dot, false
}

// isInside reports whether a git directory is among a working tree's files, not in its own git
// directory. It may have come with a clone. Git refuses it too, with safe.bareRepository=explicit.
func isInside(dir string) bool {
	for up := dir; up != filepath.Dir(up); {
		up = filepath.Dir(up)
		outer, _ := followGitFile(up)
		if !isGitDir(outer) {
			continue
		}
		outer = physicalPath(outer)
		return !isAtOrAbove(outer, dir) && !isAtOrAbove(commonDir(outer), dir)
	}
	return false
}

// isAtOrAbove reports whether folder is other or a parent of it.
func isAtOrAbove(folder, other string) bool {
	const separator = string(filepath.Separator)
	return folder == other || strings.HasPrefix(other, strings.TrimSuffix(folder, separator)+separator)
}

// openGitDir describes a git directory. top is the folder whose .git led to it. top must be "" if
// the search began inside the git directory.
func openGitDir(gitDir, top string) (Tree, error) {
	t := Tree{GitDir: physicalPath(gitDir)}
	t.CommonDir = commonDir(t.GitDir)
	c, err := t.settings()
	if err != nil {
		return Tree{}, err
	}
	if t.CommonDir != t.GitDir { // core.bare and core.worktree apply to the main one
		return t.completeLinked(top)
	}
	if work := c["core.worktree"]; work != "" { // submodules have it
		if work = physicalPath(resolvePath(t.GitDir, work)); t.worksIn(work) {
			t.Root = work
			if !t.isOwn(top) && !sameFolder(work, top) {
				return Tree{}, t.foreignError(top, work)
			}
			return t, nil
		}
		t.Ignored = work
	}
	switch {
	case t.isOwn(top):
	case c.is("core.bare"):
		return Tree{}, fmt.Errorf("find repository: %w: %q leads to %q, a bare repository (hint: git worktree add)",
			ErrForeign, filepath.Join(top, ".git"), t.GitDir)
	case filepath.Base(t.GitDir) == ".git":
		return Tree{}, t.foreignError(top, filepath.Dir(t.GitDir))
	}
	switch {
	case c.is("core.bare"):
		top, t.Bare = "", true
	case top == "" && filepath.Base(t.GitDir) == ".git":
		top = filepath.Dir(t.GitDir)
	case top == "":
		t.Bare = true // git's guess if nothing is set
	}
	if top != "" {
		t.Root = physicalPath(top)
	}
	return t, nil
}

// isOwn reports whether the git directory is in top, or top is "".
func (t Tree) isOwn(top string) bool { return top == "" || isAtOrAbove(physicalPath(top), t.GitDir) }

// foreignError returns the error for a .git in top that leads to the git directory of another
// working tree. It is refused because that tree's history would be read as the history of top.
func (t Tree) foreignError(top, owner string) error {
	return fmt.Errorf("find repository: %w: %q leads to %q, which belongs to %q "+
		"(hint: for another tree of that repository: git worktree add)",
		ErrForeign, filepath.Join(top, ".git"), t.GitDir, owner)
}

// completeLinked completes a linked working tree. The repository must name both ends, because the
// tree shares its index: the git directory as one of its own, and the folder as the tree's place. A
// folder moved by hand is no exception, because any folder could claim to have been moved.
func (t Tree) completeLinked(top string) (Tree, error) {
	if filepath.Dir(t.GitDir) != filepath.Join(t.CommonDir, worktreesDir) {
		return Tree{}, fmt.Errorf("find repository: %w: %q is none of the working trees of %q",
			ErrForeign, t.GitDir, t.CommonDir)
	}
	back := readPointer(filepath.Join(t.GitDir, "gitdir"), "")
	switch {
	case back == "":
		return Tree{}, fmt.Errorf("find repository: %w: %q names no folder (hint: git worktree repair)",
			ErrForeign, t.GitDir)
	case top == "":
		top = filepath.Dir(back)
	case !isFile(filepath.Join(top, ".git")), filepath.Base(back) != ".git", !sameFolder(filepath.Dir(back), top):
		return Tree{}, fmt.Errorf("find repository: %w: %q leads to %q, which belongs to %q "+
			"(hint: if it was moved: git worktree repair; for a tree of its own: git worktree add)",
			ErrForeign, filepath.Join(top, ".git"), t.GitDir, filepath.Dir(back))
	}
	t.Root = physicalPath(top)
	return t, nil
}

// worksIn reports whether a folder may be the working tree named by a git directory. It must lead
// back to that directory, or contain it. It must not contain the home folder, because all the
// user's files would then belong to it.
func (t Tree) worksIn(work string) bool {
	if gitDir, _ := followGitFile(work); isGitDir(gitDir) && physicalPath(gitDir) == t.GitDir {
		return true
	}
	home, err := os.UserHomeDir()
	return isAtOrAbove(work, t.GitDir) && (err != nil || !isAtOrAbove(work, physicalPath(home)))
}

// isGitDir reports whether a folder passes git's own test: it has HEAD, objects and refs.
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

// isFile reports whether a name is a regular file, and not a link to one.
func isFile(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().IsRegular()
}

func sameFolder(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
