package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	mostTrees    = 20
	differing    = 28 // changed files in each working tree, one of them new
	wordOfATree  = "qztree%d"
	someFewTrees = 2
)

// commentMarks start a comment in the changed files.
var commentMarks = map[string]string{
	".go": "//", ".py": "#", ".js": "//", ".ts": "//", ".rs": "//", ".java": "//",
	".c": "//", ".rb": "#", ".php": "//",
}

// A linkedTree is a working tree with its own changes.
type linkedTree struct {
	dir   string
	back  int    // commits behind the main tree
	word  string // a word that occurs in its changed files only
	added int64  // the store's growth in bytes
	took  time.Duration
	cpu   time.Duration
}

// worktrees makes up to 20 working trees (-n) of one repository, some commits apart (-apart), each
// with its own changes. It scrapes them into one store and measures how much each adds. Each must
// answer from its own tree. With a set of questions (-q), it also compares the ranking with that of
// a separate store.
func worktrees(ctx context.Context, t *torture) error {
	if err := t.repository(ctx); err != nil {
		return err
	}
	shared := filepath.Join(t.work, "shared")
	first, err := t.linkedScrape(ctx, t.tree, shared)
	if err != nil {
		return err
	}
	fmt.Fprintf(t.out, "  main tree: %.2f s (%.2f CPU s), store %.2f MB\n", first.took.Seconds(), first.cpu.Seconds(),
		megabytes(first.added))
	var trees []linkedTree
	for i := range min(t.n, mostTrees) {
		x, err := t.linked(ctx, i)
		if err != nil {
			return err
		}
		s, err := t.linkedScrape(ctx, x.dir, shared)
		if err != nil {
			return err
		}
		x.added, x.took, x.cpu = s.added, s.took, s.cpu
		if trees = append(trees, x); len(trees) == someFewTrees || len(trees) == min(t.n, mostTrees) {
			t.tellTrees(first, trees)
		}
	}
	if err := t.eachItsOwn(ctx, shared, trees); err != nil {
		return err
	}
	return t.compareRanking(ctx, shared, trees)
}

// repository makes the tree a repository: a clone with the history if -repo has one, otherwise a
// single commit.
func (t *torture) repository(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(t.repo, ".git")); t.repo != "" && err == nil {
		source, err := filepath.Abs(t.repo)
		if err != nil {
			return err
		}
		return errors.Join(os.RemoveAll(t.tree), t.git(ctx, t.work, "clone", "--quiet", "--shared", source, t.tree))
	}
	for _, args := range [][]string{
		{"init", "--quiet"},
		{"add", "--all", "--force"},
		{"commit", "--quiet", "-m", "first"},
	} {
		if err := t.git(ctx, t.tree, args...); err != nil {
			return err
		}
	}
	return nil
}

func (t *torture) git(ctx context.Context, dir string, args ...string) error {
	return t.gitWith(ctx, dir, "", args...)
}

// gitWith is git with one more environment variable, NAME=VALUE. variable may be empty.
func (t *torture) gitWith(ctx context.Context, dir, variable string, args ...string) error {
	c := exec.CommandContext(ctx, "git", append([]string{
		"-c", "user.name=torture", "-c",
		"user.email=torture@example.com", "-c", "gc.auto=0",
	}, args...)...)
	c.Dir = dir
	if variable != "" {
		c.Env = append(os.Environ(), variable)
	}
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, out)
	}
	return nil
}

// linked makes a working tree with its own changes. Each is at an older commit, if there are enough
// commits.
func (t *torture) linked(ctx context.Context, number int) (linkedTree, error) {
	x := linkedTree{dir: filepath.Join(t.work, fmt.Sprintf("tree%d", number)), word: fmt.Sprintf(wordOfATree, number)}
	if back := number * t.apart; t.git(ctx, t.tree, "rev-parse", "--verify", "--quiet", behind(back)) == nil {
		x.back = back
	}
	if err := t.git(ctx, t.tree, "worktree", "add", "--quiet", "--detach", x.dir, behind(x.back)); err != nil {
		return x, err
	}
	var files []string
	err := filepath.WalkDir(x.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && commentMarks[filepath.Ext(path)] != "" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return x, err
	}
	r := rand.New(rand.NewSource(t.seed + int64(number)))
	r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	for _, path := range files[:min(differing-1, len(files))] {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return x, err
		}
		_, err = fmt.Fprintf(f, "\n%s %s is of this tree\n", commentMarks[filepath.Ext(path)], x.word)
		if err := errors.Join(err, f.Close()); err != nil {
			return x, err
		}
	}
	return x, os.WriteFile(filepath.Join(x.dir, x.word+".md"),
		[]byte("# "+x.word+"\n\nA document of this tree alone.\n"), 0o644)
}

func behind(commits int) string { return fmt.Sprintf("HEAD~%d", commits) }

// linkedScrape scrapes a working tree into a store and returns its cost and the store's growth.
func (t *torture) linkedScrape(ctx context.Context, dir, store string) (x linkedTree, err error) {
	before, err := bytesIn(store)
	if err != nil {
		return x, err
	}
	c := t.command(ctx, store, "scrape")
	c.Dir = dir
	began := time.Now()
	if out, err := c.CombinedOutput(); err != nil {
		return x, fmt.Errorf("scrape: %w: %s", err, out)
	}
	x.took, x.cpu = time.Since(began), c.ProcessState.UserTime()+c.ProcessState.SystemTime()
	after, err := bytesIn(store)
	x.added = after - before
	return x, err
}

// bytesIn returns the total size of a store's files. It is 0 if there is no store.
func bytesIn(dir string) (total int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return total, err
}

func megabytes(n int64) float64 { return float64(n) / 1e6 }

func (t *torture) tellTrees(first linkedTree, trees []linkedTree) {
	var sum linkedTree
	for _, x := range trees {
		sum.added, sum.took, sum.cpu = sum.added+x.added, sum.took+x.took, sum.cpu+x.cpu
	}
	n := float64(len(trees))
	fmt.Fprintf(t.out, "  %d linked trees, %d files differing each: %.2f MB, %.2f s, %.2f CPU s each; one store of %.2f MB, against some %.0f MB of %d stores\n",
		len(trees), differing, megabytes(sum.added)/n, sum.took.Seconds()/n, sum.cpu.Seconds()/n,
		megabytes(first.added+sum.added),
		megabytes(first.added)*(n+1), len(trees)+1)
}

// eachItsOwn asks every tree for its own word, which must be found, and for another tree's word,
// which must not.
func (t *torture) eachItsOwn(ctx context.Context, store string, trees []linkedTree) error {
	for i, x := range trees {
		for _, asked := range []struct {
			dir  string
			want bool
		}{{x.dir, true}, {t.tree, false}, {trees[(i+1)%len(trees)].dir, len(trees) == 1}} {
			c := t.command(ctx, store, "scry", "--json", "--strict", "--oracle", "lexical", "--timeout", "20s", x.word)
			c.Dir = asked.dir
			out, err := c.Output()
			var failed *exec.ExitError
			if err != nil && (!errors.As(err, &failed) || failed.ExitCode() != 1) {
				return fmt.Errorf("ask %q: %w", x.word, err)
			}
			var a struct{ Results []struct{ Path string } }
			if err := json.Unmarshal(out, &a); err != nil {
				return fmt.Errorf("ask %q: %w", x.word, err)
			}
			if (len(a.Results) > 0) != asked.want {
				return fmt.Errorf("%q, asked in %s: %d results", x.word, filepath.Base(asked.dir), len(a.Results))
			}
		}
	}
	fmt.Fprintf(t.out, "  each of %d linked trees finds its own word; neither the main tree nor its neighbour does\n",
		len(trees))
	return nil
}
