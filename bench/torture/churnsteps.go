package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	churned  = 12 // files that git tracks, each with a number in two places
	ignoring = 20 // another file, which git ignores at times
	pair     = 21 // two more files, which are exchanged in one step
)

// A churnStep is a kind of edit. Weights are relative.
type churnStep struct {
	name   string
	weight int
	do     func(*churning, context.Context) error
}

var churnSteps = []churnStep{
	{"save", 40, (*churning).save},
	{"rewrite", 15, (*churning).rewrite},
	{"exchange", 10, (*churning).exchange},
	{"move", 8, (*churning).move},
	{"replace", 4, (*churning).replace},
	{"ignore", 3, (*churning).ignore},
	{"commit", 6, (*churning).commit},
	{"branch", 6, (*churning).branch},
	{"stash", 4, (*churning).stash},
	{"rebase", 3, (*churning).rebase},
	{"gc", 1, (*churning).gc},
}

// step chooses the next edit. Before a comparison the history is reset, because it must stay small.
// Halfway between two comparisons, the index is removed every other time.
func (c *churning) step(between int) (string, func(context.Context) error) {
	switch at := c.number % (2 * between); {
	case at%between == 0:
		return "reset", c.reset
	case at == between/2:
		return "remove", c.remove
	}
	all := 0
	for _, s := range churnSteps {
		all += s.weight
	}
	at := c.r.Intn(all)
	for _, s := range churnSteps {
		if at -= s.weight; at < 0 {
			return s.name, func(ctx context.Context) error { return s.do(c, ctx) }
		}
	}
	panic("weights")
}

// begin writes the files and creates the repository.
func (c *churning) begin(ctx context.Context) error {
	for i := range churned {
		if err := c.put(c.file(i), i); err != nil {
			return err
		}
	}
	if err := c.git(ctx, "init", "-q", "-b", "main"); err != nil {
		return err
	}
	if err := errors.Join(c.git(ctx, "add", "-A"), c.git(ctx, "commit", "-qm", "begin"),
		c.git(ctx, "tag", "begin")); err != nil {
		return err
	}
	if err := c.put(c.beyond("maybe.go"), ignoring); err != nil {
		return err
	}
	return c.pair(c.beyond("pair"))
}

func (c *churning) path(name string) string {
	return filepath.Join(c.tree, "churn", filepath.FromSlash(name))
}

// file returns the path of a file, in its own folder or in the one that it was moved to.
func (c *churning) file(i int) string {
	at := c.path(fmt.Sprintf("of%d/file%d.go", i%4, i))
	if _, err := os.Lstat(at); err != nil {
		if moved := c.path(fmt.Sprintf("moved%d/deep/file%d.go", i%4, i)); exists(moved) {
			return moved
		}
	}
	return at
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// half returns a function with the number of the edit in its name.
func (c *churning) half(file int, which string) string {
	return fmt.Sprintf("// Churn%d%sAt%d is written with its other half.\nfunc Churn%d%sAt%d() {}\n", file, which,
		c.number, file, which, c.number)
}

func (c *churning) content(file int) []byte {
	return []byte("package churn\n\n" + c.half(file, "Head") + strings.Repeat("\nvar _ = 0\n", 20) + "\n" + c.half(file,
		"Tail"))
}

// put writes a file as editors do: it writes another file and renames it.
func (c *churning) put(path string, file int) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	beside := filepath.Join(c.work, "beside")
	return errors.Join(os.WriteFile(beside, c.content(file), 0o644), os.Rename(beside, path))
}

// pair fills a folder with two files that have one number.
func (c *churning) pair(dir string) error {
	return errors.Join(os.MkdirAll(dir, 0o755),
		os.WriteFile(filepath.Join(dir, "left.go"), []byte("package pair\n\n"+c.half(pair, "Head")), 0o644),
		os.WriteFile(filepath.Join(dir, "right.go"), []byte("package pair\n\n"+c.half(pair, "Tail")), 0o644))
}

func (c *churning) save(context.Context) error {
	i := c.r.Intn(churned)
	return c.put(c.file(i), i)
}

func (c *churning) rewrite(context.Context) error {
	i := c.r.Intn(churned)
	return os.WriteFile(c.file(i), c.content(i), 0o644)
}

// exchange replaces two files by two new ones in one step.
func (c *churning) exchange(context.Context) error {
	next := filepath.Join(c.work, "next")
	return errors.Join(os.RemoveAll(next), c.pair(next), exchange(next, c.beyond("pair")))
}

// move moves a file to another folder, or back.
func (c *churning) move(context.Context) error {
	i := c.r.Intn(churned)
	from, to := c.file(i), c.path(fmt.Sprintf("moved%d/deep/file%d.go", i%4, i))
	if from == to {
		to = c.path(fmt.Sprintf("of%d/file%d.go", i%4, i))
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o755), os.Rename(from, to)); err != nil {
		return err
	}
	left, err := os.ReadDir(filepath.Dir(from))
	if err == nil && len(left) == 0 {
		err = os.Remove(filepath.Dir(from))
	}
	return err
}

// replace removes a folder with all files in it, and writes some of them again.
func (c *churning) replace(context.Context) error {
	k := c.r.Intn(4)
	var errs []error
	for i := k; i < churned; i += 4 {
		errs = append(errs, os.Remove(c.file(i)))
	}
	errs = append(errs, os.RemoveAll(c.path(fmt.Sprintf("of%d", k))), os.RemoveAll(c.path(fmt.Sprintf("moved%d", k))))
	for i := k; i < churned; i += 4 {
		errs = append(errs, c.put(c.path(fmt.Sprintf("of%d/file%d.go", k, i)), i))
	}
	return errors.Join(errs...)
}

// ignore makes git ignore a file, or stop ignoring it.
func (c *churning) ignore(context.Context) error {
	c.hidden = !c.hidden
	rules := ""
	if c.hidden {
		rules = "/maybe.go\n"
	}
	return os.WriteFile(c.beyond(".gitignore"), []byte(rules), 0o644)
}

func (c *churning) commit(ctx context.Context) error {
	return errors.Join(c.save(ctx), c.git(ctx, "add", "-A", "--", "churn"),
		c.git(ctx, "commit", "-q", "--allow-empty", "-m", fmt.Sprintf("edit %d", c.number)))
}

// branch commits and changes to the other branch.
func (c *churning) branch(ctx context.Context) error {
	if err := c.commit(ctx); err != nil {
		return err
	}
	if c.away = !c.away; !c.away {
		return c.git(ctx, "checkout", "-q", "main")
	}
	return c.git(ctx, "checkout", "-q", "-B", "other", "begin")
}

func (c *churning) stash(ctx context.Context) error {
	if err := errors.Join(c.save(ctx), c.git(ctx, "add", "-A", "--", "churn"), c.git(ctx, "stash", "-q")); err != nil {
		return err
	}
	if c.r.Intn(2) == 0 {
		return c.git(ctx, "stash", "drop", "-q")
	}
	return c.git(ctx, "stash", "pop", "-q")
}

// rebase rewrites the commits of this branch.
func (c *churning) rebase(ctx context.Context) error {
	if err := c.commit(ctx); err != nil {
		return err
	}
	if err := c.git(ctx, "branch", "-f", "base", "begin"); err != nil {
		return err
	}
	return c.git(ctx, "rebase", "-q", "--force-rebase", "-X", "theirs", "base")
}

func (c *churning) gc(ctx context.Context) error {
	return errors.Join(c.save(ctx), c.git(ctx, "gc", "-q", "--prune=now"))
}

// reset returns to the first commit and drops all later ones.
func (c *churning) reset(ctx context.Context) error {
	c.away = false
	if err := errors.Join(c.git(ctx, "checkout", "-q", "-f", "-B", "main", "begin"),
		c.git(ctx, "clean", "-qfd", "--", "churn")); err != nil {
		return err
	}
	return errors.Join(c.git(ctx, "reflog", "expire", "--expire=now", "--all"), c.gc(ctx))
}

// remove removes the index.
func (c *churning) remove(ctx context.Context) error {
	var err error
	for range 20 { // a scrape may write into the folder while it is being emptied
		if err = os.RemoveAll(filepath.Join(c.tree, ".patina")); !errors.Is(err, syscall.ENOTEMPTY) {
			break
		}
	}
	return errors.Join(err, c.save(ctx))
}

// beyond returns the path of a file that git never tracks.
func (c *churning) beyond(name string) string { return filepath.Join(c.tree, "beyond", name) }

// git runs git on the tree.
func (c *churning) git(ctx context.Context, args ...string) error {
	p := exec.CommandContext(ctx, "git", append([]string{
		"-c", "user.name=Churn", "-c", "user.email=churn@example.org",
		"-c", "gc.auto=0",
	}, args...)...)
	p.Dir = c.tree
	if out, err := p.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// written reads the numbers from the tree itself.
func (c *churning) written() (map[string]string, error) {
	texts := map[string]string{}
	read := func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || c.hidden && d.Name() == "maybe.go" {
			return err
		}
		text, err := os.ReadFile(file)
		rel, outside := filepath.Rel(c.tree, file)
		texts[filepath.ToSlash(rel)] = string(text)
		return errors.Join(err, outside)
	}
	if err := errors.Join(filepath.WalkDir(c.path("."), read), filepath.WalkDir(c.beyond("."), read)); err != nil {
		return nil, err
	}
	return pairs(texts)
}
