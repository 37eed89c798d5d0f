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

	"patina/wire/config"
)

// A source is a folder with real code, which becomes a repository.
type source struct {
	name string // on the wire
	dir  string
}

// sources returns folders of Go's standard library and of modules that this one needs, so that each
// machine that builds patina has them. They come as they are needed, the ones to measure first.
func sources(ctx context.Context) ([]source, error) {
	root, err := output(ctx, ".", "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	modules, err := output(ctx, ".", "go", "list", "-m", "-f", "{{if .Dir}}{{.Path}} {{.Dir}}{{end}}", "all")
	if err != nil {
		return nil, err
	}
	std := func(name string) source {
		return source{"go.dev/std/" + name, filepath.Join(root, "src", filepath.FromSlash(name))}
	}
	all := []source{std("net")}
	for line := range strings.Lines(modules) {
		path, dir, ok := strings.Cut(strings.TrimSpace(line), " ")
		if ok && path != "patina" && (path == "github.com/spf13/cobra" || path == "github.com/pelletier/go-toml/v2") {
			all = append(all, source{path, dir})
		}
	}
	if len(all) < 3 {
		return nil, errors.New("the modules cobra and go-toml are not in the module cache: go mod download")
	}
	for _, name := range []string{
		"encoding", "compress", "text", "html", "image", "archive", "container", "database", "debug", "hash", "index", "io",
		"log", "math", "mime", "os", "path", "regexp", "sort", "strconv", "strings", "sync", "testing", "time", "unicode",
		"bytes", "bufio", "context", "errors", "expvar", "flag", "fmt", "maps", "slices", "reflect", "embed", "iter",
		"encoding/json", "encoding/xml", "text/template",
	} {
		all = append(all, std(name))
	}
	return all, nil
}

// makeRepository makes a git repository of a folder, with a commit for each of its folders.
func makeRepository(ctx context.Context, s source, dir string) error {
	byFolder := map[string][]string{}
	err := filepath.WalkDir(s.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(s.dir, p)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && (d.Name() == "testdata" || d.Name() == ".git") {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(dir, name), 0o755)
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			return err
		}
		content, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		byFolder[filepath.Dir(name)] = append(byFolder[filepath.Dir(name)], name)
		return os.WriteFile(filepath.Join(dir, name), content, 0o644)
	})
	if err != nil {
		return err
	}
	if _, err := output(ctx, dir, "git", "init", "-q", "-b", "main"); err != nil {
		return err
	}
	var folders []string
	for f := range byFolder {
		folders = append(folders, f)
	}
	slices.Sort(folders)
	for i, f := range folders {
		if err := commit(ctx, dir, fmt.Sprintf("%s: what is in it", f), i, byFolder[f]...); err != nil {
			return err
		}
	}
	return nil
}

// commit commits files, at the nth hour of a fixed day, so that commits are the same in each run.
func commit(ctx context.Context, dir, subject string, hour int, files ...string) error {
	if _, err := output(ctx, dir, "git", append([]string{"add", "-f", "--"}, files...)...); err != nil {
		return err
	}
	date := fmt.Sprintf("@%d +0000", 1735689600+hour*3600)
	c := exec.CommandContext(ctx, "git", "-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "-q", "-m", subject)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date, "GIT_CONFIG_GLOBAL=/dev/null")
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("git commit: %w: %s", err, out)
	}
	return nil
}

// output runs a program and returns what it prints, without spaces around it.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, errs.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// makeRepositories makes repositories of the first n sources. They are kept for later parts.
func (b *bench) makeRepositories(ctx context.Context, n int) ([]config.Repository, error) {
	all, err := sources(ctx)
	if err != nil {
		return nil, err
	}
	if n > len(all) {
		return nil, fmt.Errorf("there are %d sources of repositories, not %d", len(all), n)
	}
	var out []config.Repository
	for _, s := range all[:n] {
		dir := filepath.Join(b.work, "origins", filepath.FromSlash(s.name))
		if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return nil, err
			}
			if err := makeRepository(ctx, s, dir); err != nil {
				return nil, fmt.Errorf("make repository %s: %w", s.name, err)
			}
		}
		out = append(out, config.Repository{URL: "file://" + dir, Name: s.name})
	}
	return out, nil
}
