package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"patina/store/scrape/history"
)

// storeName is the folder of an index in the working tree that it describes.
const storeName = ".patina"

// locate finds the project around dir: the git working tree; else the nearest parent that holds a store; else dir itself.
// The store is that of the main working tree, so that all worktrees of a repository share one; a bare repository holds
// its store itself. given is --store.
//
// The home folder of patina is no store, although it bears the same name in ~.
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
	if same(storeDir, home) {
		return "", "", hint(fmt.Errorf("%s is the home of patina, and no place for an index", quoted(storeDir)),
			"name another folder with --store DIR")
	}
	return root, storeDir, nil
}

func around(dir, home string) (root, storeDir string, err error) {
	tree, err := history.Find(dir)
	switch {
	case errors.Is(err, history.ErrNoGit):
		root, err = withoutGit(dir, home)
		return root, filepath.Join(root, storeName), err
	case err != nil:
		return "", "", err
	case tree.Bare:
		return tree.CommonDir, filepath.Join(tree.CommonDir, storeName), nil
	}
	main := tree
	if tree.CommonDir != tree.GitDir { // a linked worktree
		if main, err = history.Find(tree.CommonDir); err != nil {
			return "", "", err
		}
	}
	if main.Root == "" {
		return tree.Root, filepath.Join(main.CommonDir, storeName), nil
	}
	return tree.Root, filepath.Join(main.Root, storeName), nil
}

func withoutGit(dir, home string) (string, error) {
	start, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("find project: %w", err)
	}
	for at := start; ; at = filepath.Dir(at) {
		candidate := filepath.Join(at, storeName)
		if info, err := os.Stat(candidate); err == nil && info.IsDir() && !same(candidate, home) {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return start, nil
		}
	}
}

// same tells whether two names lead to one folder.
func same(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func quoted(s string) string { return strconv.Quote(s) }
