package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"patina/bench/eval"
	"patina/scrape/git"
)

// checkout creates the tree of a set, with the history up to its revision only.
func (b *bench) checkout(ctx context.Context, s set) (tree string, err error) {
	gitDir, err := b.clone(ctx, s.Repo)
	if err != nil {
		return "", err
	}
	tree = filepath.Join(b.work, path.Base(s.Repo)+"-"+s.Revision[:12])
	if len(s.Paths) == 0 {
		return tree, eval.Checkout(ctx, gitDir, s.Revision, tree)
	}
	own := filepath.Join(tree, ".git")
	if _, err := os.Stat(filepath.Join(own, "checked-out")); err == nil {
		return tree, nil
	}
	if err := os.RemoveAll(tree); err != nil {
		return "", err
	}
	if _, err := runGit(ctx, "", "init", "-q", "-b", "main", tree); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(own, "objects", "info", "alternates"),
		[]byte(filepath.Join(gitDir, "objects")+"\n"), 0o644); err != nil {
		return "", err
	}
	listed, err := runGit(ctx, own, append([]string{"ls-tree", "-r", "-z", "--name-only", s.Revision, "--"},
		s.Paths...)...)
	if err != nil {
		return "", err
	}
	steps := [][]string{{"update-ref", "refs/heads/main", s.Revision}, {"read-tree", s.Revision}}
	files := strings.FieldsFunc(listed, func(r rune) bool { return r == 0 })
	for part := range slices.Chunk(files, 500) {
		steps = append(steps, append([]string{"--work-tree=" + tree, "checkout-index", "-f", "-q", "--"}, part...))
	}
	for _, args := range steps {
		if _, err := runGit(ctx, own, args...); err != nil {
			return "", fmt.Errorf("check out %q: %w", tree, err)
		}
	}
	return tree, os.WriteFile(filepath.Join(own, "checked-out"), nil, 0o644)
}

// clone returns the clone of a repository. It clones the repository if there is no clone.
func (b *bench) clone(ctx context.Context, repo string) (gitDir string, err error) {
	fetched := filepath.Join(b.work, path.Base(repo)+".git")
	places := []string{fetched}
	if b.clones != "" {
		places = append(places, filepath.Join(b.clones, path.Base(repo)),
			filepath.Join(b.clones, strings.ReplaceAll(repo, "/", "+")))
	}
	for _, p := range places {
		if dir, err := eval.GitDir(p); err == nil {
			return filepath.Abs(dir)
		}
	}
	_, err = runGit(ctx, "", "clone", "-q", "--bare", "https://github.com/"+repo, fetched)
	return fetched, err
}

func runGit(ctx context.Context, gitDir string, args ...string) (string, error) {
	out, err := git.Output(ctx, git.Call{Dir: gitDir, Silence: time.Hour, Longest: time.Hour, Args: args})
	return string(out), err
}
