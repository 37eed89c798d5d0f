package walk

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"patina/scrape/git"
	"patina/store/folder"
)

// ErrTracked is wrapped by the error if git tracks the folder of an index, or a file in it. It is
// refused because it would come with a clone, and be believed.
var ErrTracked = errors.New("an index must never come with a clone")

// Untracked returns an error that wraps ErrTracked if git tracks the folder of the index, or
// anything in it. The error wraps ErrGit if git's index cannot be read. It is nil if root is in no
// repository.
func Untracked(ctx context.Context, root, storeDir string) error {
	tree, err := git.Find(root)
	if err != nil {
		return nil // the listing reports it
	}
	trees := []git.Tree{tree}
	if main, err := tree.Main(); err == nil && main != tree {
		trees = append(trees, main)
	}
	for _, t := range trees {
		folder := storeIn(t.Root, storeDir)
		if t.Root == "" || folder == "" {
			continue
		}
		tracked, err := t.Tracks(ctx, folder)
		if err != nil && t != tree {
			continue // the index of another tree is broken, and that tree is not scraped
		}
		if err != nil {
			return fmt.Errorf("%w: %w (hint: git status, or remove .git/index and git reset)", ErrGit, err)
		}
		if tracked {
			return fmt.Errorf("%w: git tracks %q in %q%s", ErrTracked, folder, t.Root,
				hintAt("git rm -r --cached -- ", folder))
		}
	}
	return nil
}

// storeIn returns the folder of the index in a tree, relative with slashes, or "" if it is not in
// the tree. Another folder of the usual name is not checked, because nothing reads it.
func storeIn(root, storeDir string) string {
	if real, err := filepath.EvalSymlinks(storeDir); err == nil {
		storeDir = real
	}
	rel, err := filepath.Rel(root, storeDir)
	switch rel = filepath.ToSlash(rel); {
	case err != nil, rel == ".", rel == "..", strings.HasPrefix(rel, "../"):
		return ""
	case strings.EqualFold(rel, folder.DefaultName):
		return folder.DefaultName
	}
	return rel
}
