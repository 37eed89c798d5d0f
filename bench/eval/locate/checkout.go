package locate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Checkout makes dir a working tree of a repository as it was at a commit. It borrows the objects but has a reference to
// that commit only, so that nothing later can be read. What is at dir already is taken to be that.
func Checkout(ctx context.Context, gitDir, commit, dir string) error {
	if head, err := git(ctx, filepath.Join(dir, ".git"), "rev-parse", "HEAD"); err == nil && strings.TrimSpace(head) == commit {
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
	if _, err := git(ctx, "", "init", "-q", "-b", "main", dir); err != nil {
		return fmt.Errorf("check out %q: %w", dir, err)
	}
	if err := os.WriteFile(filepath.Join(own, "objects", "info", "alternates"), []byte(objects+"\n"), 0o644); err != nil {
		return fmt.Errorf("check out %q: %w", dir, err)
	}
	for _, args := range [][]string{
		{"update-ref", "refs/heads/main", commit},
		{"read-tree", commit},
		{"--work-tree=" + dir, "checkout-index", "-a", "-f", "-q"},
	} {
		if _, err := git(ctx, own, args...); err != nil {
			return fmt.Errorf("check out %q: %w", dir, err)
		}
	}
	return nil
}

// git runs git and returns what it prints. Its own configuration is all that counts: a user's could change what a log shows.
func git(ctx context.Context, gitDir string, args ...string) (string, error) {
	if gitDir != "" {
		args = append([]string{"--git-dir=" + gitDir}, args...)
	}
	c := exec.CommandContext(ctx, "git", args...)
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_NO_LAZY_FETCH=1")
	var out, trouble bytes.Buffer
	c.Stdout, c.Stderr = &out, &trouble
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(trouble.Bytes()))
	}
	return out.String(), nil
}

// GitDir finds the git directory that a path means: itself, its .git or its repo.
func GitDir(path string) (string, error) {
	for _, x := range []string{path, filepath.Join(path, ".git"), filepath.Join(path, "repo"), filepath.Join(path, "repo", ".git")} {
		if info, err := os.Stat(filepath.Join(x, "objects")); err == nil && info.IsDir() {
			return x, nil
		}
	}
	return "", fmt.Errorf("find git directory %q: no folder of objects", path)
}
