package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"patina/scrape/git"
)

// Checkout makes dir a working tree of a repository at a commit. It borrows the objects but has a
// reference to that commit only, so that nothing later can be read. If dir exists, it must be that
// tree, otherwise Checkout returns an error. Files whose blobs the repository lacks, like a partial
// clone, are left out.
func Checkout(ctx context.Context, gitDir, commit, dir string) error {
	if head, err := runGit(ctx, filepath.Join(dir, ".git"), "rev-parse", "HEAD"); err == nil &&
		strings.TrimSpace(head) == commit {
		return nil
	}
	if _, err := os.Stat(dir); err == nil {
		return fmt.Errorf("check out %q: %w", dir, errors.New("is there, but not at "+commit))
	}
	objects, err := filepath.Abs(filepath.Join(gitDir, "objects"))
	if err != nil {
		return fmt.Errorf("check out %q: %w", dir, err)
	}
	own := filepath.Join(dir, ".git")
	if _, err := runGit(ctx, "", "init", "-q", "-b", "main", dir); err != nil {
		return fmt.Errorf("check out %q: %w", dir, err)
	}
	if err := os.WriteFile(filepath.Join(own, "objects", "info", "alternates"), []byte(objects+"\n"),
		0o644); err != nil {
		return fmt.Errorf("check out %q: %w", dir, err)
	}
	for _, args := range [][]string{
		{"update-ref", "refs/heads/main", commit},
		{"read-tree", commit},
		{"--work-tree=" + dir, "checkout-index", "-a", "-f", "-q"},
	} {
		_, err := runGit(ctx, own, args...)
		if err != nil && args[0] == "--work-tree="+dir {
			err = onlyBlobsLack(ctx, own, dir, err)
		}
		if err != nil {
			return fmt.Errorf("check out %q: %w", dir, err)
		}
	}
	return nil
}

// onlyBlobsLack returns nil if a checkout failed only because blobs are missing; git writes the
// other files nevertheless. Otherwise it returns failure.
func onlyBlobsLack(ctx context.Context, own, dir string, failure error) error {
	out, err := runGit(ctx, own, "--work-tree="+dir, "diff-files", "-z", "--no-abbrev", "--diff-filter=D")
	if err != nil || out == "" {
		return failure
	}
	parts := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00") // facts and a path, alternating
	for i := 0; i < len(parts); i += 2 {
		facts := strings.Fields(parts[i]) // modes, blobs, status
		if len(facts) < 5 {
			return failure
		}
		if _, err := runGit(ctx, own, "cat-file", "-e", facts[2]); err == nil || ctx.Err() != nil {
			return failure
		}
	}
	return nil
}

// runGit runs git in a git directory and returns its output. It ignores system and user settings,
// because they could change a log. The deadline is long because repositories may be large.
func runGit(ctx context.Context, gitDir string, args ...string) (string, error) {
	out, err := git.Output(ctx, git.Call{Dir: gitDir, Silence: time.Hour, Longest: time.Hour, Args: args})
	return string(out), err
}

// GitDir returns the git directory of a path: the path itself, its .git or its repo. It returns an
// error if none of them has objects.
func GitDir(path string) (string, error) {
	for _, x := range []string{
		path, filepath.Join(path, ".git"), filepath.Join(path, "repo"),
		filepath.Join(path, "repo", ".git"),
	} {
		if info, err := os.Stat(filepath.Join(x, "objects")); err == nil && info.IsDir() {
			return x, nil
		}
	}
	return "", fmt.Errorf("find git directory %q: no folder of objects", path)
}
