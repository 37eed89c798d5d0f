package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A repository is the copy that is measured.
type repository struct {
	root  string
	files []file // by path
	bytes int64
	git   bool // whether it has a history
}

// A file has a path relative to the root, with slashes.
type file struct {
	path string
	size int64
}

// chosen returns the folder to measure, and its name in reports, which must not reveal its place on
// this machine.
func chosen(ctx context.Context) (dir, name string, err error) {
	if dir = os.Getenv("BENCH_REPO"); dir != "" {
		if dir, err = filepath.Abs(dir); err != nil {
			return "", "", err
		}
		if dir, err = filepath.EvalSymlinks(dir); err != nil {
			return "", "", fmt.Errorf("open BENCH_REPO: %w", err)
		}
		return dir, filepath.Base(dir), nil
	}
	root, err := output(ctx, "", "go", "env", "GOROOT", "GOVERSION")
	if err != nil {
		return "", "", fmt.Errorf("find GOROOT (or set BENCH_REPO): %w", err)
	}
	goroot, version, _ := strings.Cut(root, "\n")
	dir, err = filepath.EvalSymlinks(filepath.Join(goroot, "src"))
	return dir, "GOROOT/src of " + version, err
}

// copied copies the files in a folder that patina would read. From a git working tree it takes
// every file that is not ignored, and the history by reference. From any other folder it takes all
// regular files. It leaves out nested repositories, like patina.
func copied(ctx context.Context, source, root string) (*repository, error) {
	r := &repository{root: root}
	top, err := output(ctx, source, "git", "rev-parse", "--show-toplevel")
	if err == nil && top == source {
		_, err = output(ctx, source, "git", "rev-parse", "--verify", "--quiet", "HEAD")
		r.git = err == nil
	}
	var names []string
	if r.git {
		names, err = r.clone(ctx, source)
	} else {
		names, err = walked(source)
	}
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := r.take(source, name); err != nil {
			return nil, err
		}
	}
	if len(r.files) == 0 {
		return nil, errors.New("no files")
	}
	if r.git {
		return r, nil
	}
	// This makes the copy the top of a project, wherever the temporary folder is.
	return r, os.Mkdir(filepath.Join(root, ".patina"), 0o755)
}

// clone makes the copy a repository with the source's history, and lists the files to copy. A copy
// of .git would not be enough, because in a linked worktree it is a file that names a folder to
// which git writes.
func (r *repository) clone(ctx context.Context, source string) ([]string, error) {
	if _, err := output(ctx, "", "git", "clone", "--quiet", "--shared", "--no-checkout", source, r.root); err != nil {
		return nil, err
	}
	if _, err := output(ctx, r.root, "git", "read-tree", "HEAD"); err != nil {
		return nil, err
	}
	list, err := output(ctx, source, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	names := strings.Split(strings.TrimSuffix(list, "\x00"), "\x00")
	slices.Sort(names)
	return slices.Compact(names), nil
}

// walked lists the regular files in a folder without git.
func walked(source string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(source, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".git" || d.Name() == ".patina" || p != source && exists(filepath.Join(p, ".git")) {
				return filepath.SkipDir
			}
			return nil
		}
		name, err := filepath.Rel(source, p)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	slices.Sort(names)
	return names, err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// take copies one file. It skips files that are not regular.
func (r *repository) take(source, name string) error {
	info, err := os.Lstat(filepath.Join(source, name))
	if errors.Is(err, os.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil // deleted, a link, or a submodule
	}
	if err != nil {
		return err
	}
	content, err := os.ReadFile(filepath.Join(source, name))
	if err != nil {
		return err
	}
	to := filepath.Join(r.root, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	r.files = append(r.files, file{name, int64(len(content))})
	r.bytes += int64(len(content))
	return os.WriteFile(to, content, 0o644)
}

// output runs a command and returns its output, without the last line end.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	out, err := c.Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) && len(failed.Stderr) > 0 {
			err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(failed.Stderr)))
		}
		return "", fmt.Errorf("run %s: %w", name, err)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}
