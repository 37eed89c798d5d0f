package walk

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"patina/store"
	"patina/store/scrape/history"
)

// ErrTracked says that git tracks the folder of an index, or something in it. It would come with a
// clone, and be believed.
var ErrTracked = errors.New("an index must never come with a clone")

// Untracked returns an error that wraps ErrTracked if git tracks the folder of an index in the
// tree, or storeDir.
func Untracked(ctx context.Context, root, storeDir string) error {
	tree, err := history.Find(root)
	if err != nil {
		return nil // the listing says what is wrong
	}
	trees := []history.Tree{tree}
	if main, err := tree.Main(); err == nil && main != tree {
		trees = append(trees, main)
	}
	for _, t := range trees {
		if t.Root == "" {
			continue
		}
		for _, folder := range storesIn(t.Root, storeDir) {
			tracked, err := t.Tracks(ctx, folder)
			if err != nil && t != tree {
				continue // the index of another tree is broken: it is not what is scraped
			}
			if err != nil {
				return fmt.Errorf("%w: %w (hint: git status, or remove .git/index and git reset)", ErrGit, err)
			}
			if tracked {
				return fmt.Errorf("%w: git tracks %q in %q%s", ErrTracked, folder, t.Root, hint("git rm -r --cached -- ", folder))
			}
		}
	}
	return nil
}

// storesIn returns the folders in a tree that an index may lie in, relative with slashes: the usual
// one and the one in use.
func storesIn(root, storeDir string) []string {
	folders := []string{store.FolderName}
	if real, err := filepath.EvalSymlinks(storeDir); err == nil {
		storeDir = real
	}
	rel, err := filepath.Rel(root, storeDir)
	if rel = filepath.ToSlash(rel); err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, "../") && !strings.EqualFold(rel, store.FolderName) {
		folders = append(folders, rel)
	}
	return folders
}
