package project

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"patina/scrape/git"
)

// mostFolders bounds the folders that FindBelow looks at.
const mostFolders = 100_000

// ErrTooMany is returned by FindBelow if there are too many folders.
var ErrTooMany = errors.New("too many folders to look at")

// A LeftOut is a folder that FindBelow did not take, with the reason. Failed says that it could not
// be read; otherwise it is left out on purpose.
type LeftOut struct {
	Path   string `json:"path"`
	Why    string `json:"why"`
	Failed bool   `json:"failed"`
}

// FindBelow returns the top folders of the git repositories in and below a folder, in the order of
// their paths. Folders directly in dir have depth 1.
//
// It does not look into a repository, except dir itself, so a nested one is left to the one around
// it. Submodules and linked working trees belong to other repositories and are left out by name.
// Links are not followed, so no folder is found twice. Hidden folders, node_modules and the folder
// home, which is patina's own, are not looked into.
func FindBelow(ctx context.Context, dir, home string, depth int) (found []string, left []LeftOut, err error) {
	root, err := filepath.Abs(dir)
	if err == nil {
		root, err = filepath.EvalSymlinks(root)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("find repositories: %w", err)
	}
	around, _ := git.Find(root) // submodules may be those of a repository around the folder
	seen := 0
	var look func(at string, level int) error
	look = func(at string, level int) error {
		if seen++; seen > mostFolders {
			return fmt.Errorf("find repositories below %q: %w (%d): name a folder below it", root, ErrTooMany, mostFolders)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		switch tree, err := git.FindAt(at); {
		case err == nil && tree.IsSubmoduleOf(around):
			left = append(left, LeftOut{Path: at, Why: "a submodule, which is read with the repository around it"})
			return nil
		case err == nil && !tree.Bare && tree.IsLinked():
			left = append(left, LeftOut{Path: at, Why: "a working tree of another repository: " + filepath.Dir(tree.CommonDir)})
			return nil
		case err == nil:
			found = append(found, at)
			if level > 0 || tree.Bare {
				return nil
			}
		case !errors.Is(err, git.ErrNoGit) || hasGit(at):
			left = append(left, LeftOut{Path: at, Why: whyNot(at, err), Failed: true})
			if level > 0 {
				return nil
			}
		}
		if level == depth {
			return nil
		}
		entries, err := os.ReadDir(at)
		if err != nil {
			left = append(left, LeftOut{Path: at, Why: err.Error(), Failed: true})
			return nil
		}
		for _, e := range entries {
			sub := filepath.Join(at, e.Name())
			if !e.IsDir() || strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules" || sameFolder(sub, home) {
				continue
			}
			if err := look(sub, level+1); err != nil {
				return err
			}
		}
		return nil
	}
	err = look(root, 0)
	return found, left, err
}

// hasGit reports whether a folder has a .git of any kind, and so should be a repository.
func hasGit(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// whyNot explains the error of git.FindAt for a folder that should be a repository.
func whyNot(dir string, err error) string {
	if info, statErr := os.Stat(filepath.Join(dir, ".git")); statErr == nil && info.IsDir() && errors.Is(err, git.ErrNoGit) {
		return "its .git is no git directory: HEAD, objects or refs cannot be read"
	}
	return err.Error()
}
