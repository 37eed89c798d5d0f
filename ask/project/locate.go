package project

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"patina/registry"
	"patina/scrape/git"
	"patina/store/folder"
)

// StoreName is the name of the folder with an index, in the working tree that it describes.
const StoreName = folder.DefaultName

// ErrHome means that a folder cannot hold an index because it is patina's home.
var ErrHome = errors.New("is the home of patina, and no place for an index")

// locate finds the project around dir: the git working tree, else the nearest parent with a store,
// else dir itself. The store is in the main working tree, so that all worktrees of a repository
// share one. A bare repository holds its store itself. If given is not empty, it is the store's
// folder.
//
// Patina's home folder is not a store, although it has the same name in ~.
func locate(dir, given, home string) (root, storeDir string, err error) {
	root, storeDir, err = around(dir, home)
	if err != nil {
		return "", "", err
	}
	if given != "" {
		if storeDir, err = filepath.Abs(given); err != nil {
			return "", "", err
		}
	}
	if sameFolder(storeDir, home) {
		return "", "", fmt.Errorf("%q %w", storeDir, ErrHome)
	}
	return root, storeDir, nil
}

func around(dir, home string) (root, storeDir string, err error) {
	tree, err := git.Find(dir)
	switch {
	case errors.Is(err, git.ErrNoGit):
		root, err = withoutGit(dir, home)
		return root, filepath.Join(root, StoreName), err
	case err != nil:
		return "", "", err
	case tree.Bare:
		return tree.CommonDir, filepath.Join(tree.CommonDir, StoreName), nil
	}
	if super, ok := superproject(tree); ok {
		return around(super, home)
	}
	main, err := tree.Main()
	if err != nil {
		return "", "", err
	}
	if main.Root == "" {
		return tree.Root, filepath.Join(main.CommonDir, StoreName), nil
	}
	return tree.Root, filepath.Join(main.Root, StoreName), nil
}

// superproject returns the folder above a submodule, if the repository around it has an index and
// the submodule has no index of its own, because a scrape of a repository reads its submodules,
// too. It recognises a submodule by its git directory, which git keeps in that of the repository
// around it.
func superproject(tree git.Tree) (dir string, ok bool) {
	above := filepath.Dir(tree.Root)
	super, err := git.Find(above)
	if err != nil || super.Root == "" || !tree.IsSubmoduleOf(super) {
		return "", false
	}
	main, err := super.Main()
	if err != nil || isFolder(filepath.Join(tree.Root, StoreName)) ||
		!isFolder(filepath.Join(cmp.Or(main.Root, main.CommonDir), StoreName)) {
		return "", false
	}
	return above, true
}

// withoutGit returns dir, or the nearest parent with a store that this user has registered. The
// search ends at folders that other users own or may write, because whoever put a store there would
// see everything below.
func withoutGit(dir, home string) (string, error) {
	start, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("find project: %w", err)
	}
	for at := start; ; at = filepath.Dir(at) {
		candidate := filepath.Join(at, StoreName)
		if isFolder(candidate) && !sameFolder(candidate, home) {
			if known, ok := registry.Whereabouts(home, candidate); ok && known.Root == at || trusting() {
				return at, nil
			}
		}
		if up := filepath.Dir(at); up == at || !ownFolder(up) {
			return start, nil
		}
	}
}

func isFolder(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.IsDir()
}

// ownFolder reports whether this user owns a folder and not everybody may write it.
func ownFolder(dir string) bool {
	info, err := os.Lstat(dir)
	const others = 0o002
	return err == nil && info.IsDir() && folder.OwnedByUser(info) && info.Mode().Perm()&others == 0
}

// sameFolder reports whether two names lead to the same folder.
func sameFolder(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
