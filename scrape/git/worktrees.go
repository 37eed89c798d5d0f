package git

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// worktreesDir has a folder for each linked working tree, in the common git directory.
const worktreesDir = "worktrees"

// View returns the name of a working tree within its repository: "" for the main one, else
// "worktrees/" and its git directory's name. It stays the same when the tree is moved.
func (t Tree) View() string {
	if t.GitDir == t.CommonDir {
		return ""
	}
	return path.Join(worktreesDir, filepath.Base(t.GitDir))
}

// Views returns the names of the repository's working trees, the main one first. A tree whose
// folder is gone does not count unless it is locked, because it may be on a removable disk.
func (t Tree) Views() []string {
	views := []string{""}
	entries, err := os.ReadDir(filepath.Join(t.CommonDir, worktreesDir))
	if err != nil {
		return views
	}
	for _, e := range entries {
		dir := filepath.Join(t.CommonDir, worktreesDir, e.Name())
		if fileExists(readPointer(filepath.Join(dir, "gitdir"), "")) || fileExists(filepath.Join(dir, "locked")) ||
			dir == t.GitDir {
			views = append(views, path.Join(worktreesDir, e.Name()))
		}
	}
	return views
}

// RootOf returns the folder of one of Views, or "" if the view is unknown or its folder is gone.
func (t Tree) RootOf(view string) string {
	if view == "" {
		if main, err := t.Main(); err == nil {
			return main.Root
		}
		return ""
	}
	dot := readPointer(filepath.Join(t.CommonDir, filepath.FromSlash(view), "gitdir"), "")
	if !fileExists(dot) {
		return ""
	}
	return physicalPath(filepath.Dir(dot))
}

// Leader returns the folder of the working tree that the others follow: the main one, or the tree
// on a bare repository's own branch. It returns "" if there is no such tree.
func (t Tree) Leader() string {
	main, err := t.Main()
	if err != nil || !main.Bare {
		return main.Root
	}
	_, branch, err := main.Head()
	if err != nil || branch == "" {
		return ""
	}
	for _, view := range main.Views()[1:] {
		root := main.RootOf(view)
		if linked, err := Find(root); root != "" && err == nil {
			if _, on, err := linked.Head(); err == nil && on == branch {
				return linked.Root
			}
		}
	}
	return ""
}

func fileExists(name string) bool {
	if name == "" {
		return false
	}
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}
