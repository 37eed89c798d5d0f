package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"patina/scrape/git"
)

// ErrNoDiff is wrapped by errors about a project that has no working tree of git to compare.
var ErrNoDiff = errors.New("nothing to compare")

// A Diff lists the files that differ between two states of a project.
type Diff struct {
	Label string // the states, as in git diff; "HEAD" for uncommitted work
	Files []ChangedFile
	// AtTree reports whether the new state is that of the index: the working tree, or its commit.
	AtTree bool

	tree   git.Tree
	base   string // commit of the old state
	prefix string // from the top of the working tree to the project, with a slash at its end
}

// A ChangedFile is a file of a Diff, by its path from the root of the project.
type ChangedFile struct {
	Path           string
	Added, Removed bool
}

// Uncommitted returns the files of the working tree that differ from its commit.
func (p Place) Uncommitted(ctx context.Context) (*Diff, error) {
	return p.compareStates(ctx, "HEAD", "")
}

// Compare returns the files that differ between two states. A range is A..B, A...B for the changes
// of B since its merge base with A, or A for the working tree against A. The empty range compares
// the working tree with its merge base with the default branch.
func (p Place) Compare(ctx context.Context, states string) (*Diff, error) {
	if from, to, ok := strings.Cut(states, "..."); ok {
		d, err := p.newDiff()
		if err != nil {
			return nil, err
		}
		from, to = cmp.Or(from, "HEAD"), cmp.Or(to, "HEAD")
		base, err := d.mergeBase(ctx, from, to)
		if err != nil {
			return nil, err
		}
		return p.compareAs(ctx, states, base, to)
	}
	if from, to, ok := strings.Cut(states, ".."); ok {
		return p.compareAs(ctx, states, cmp.Or(from, "HEAD"), cmp.Or(to, "HEAD"))
	}
	if states != "" {
		return p.compareStates(ctx, states, "")
	}
	d, err := p.newDiff()
	if err != nil {
		return nil, err
	}
	branch, err := d.tree.DefaultBranch(ctx)
	if err != nil {
		return nil, AddHint(err, "name the states: --diff=main...HEAD")
	}
	base, err := d.mergeBase(ctx, branch, "HEAD")
	if err != nil {
		return nil, err
	}
	short := strings.TrimPrefix(strings.TrimPrefix(branch, "refs/remotes/"), "refs/heads/")
	return p.compareAs(ctx, short+"...", base, "")
}

// IsRevision reports whether a word means a commit of the project's repository.
func (p Place) IsRevision(ctx context.Context, word string) bool {
	d, err := p.newDiff()
	if err != nil {
		return false
	}
	_, err = d.tree.Commit(ctx, word)
	return err == nil
}

// Before returns the text that a file had in the old state. The error wraps git.ErrNotCommitted if
// it is not known, or too large.
func (d *Diff) Before(ctx context.Context, path string) (string, error) {
	text, err := d.tree.Blob(ctx, d.base, d.prefix+path, maxDiff)
	return string(text), err
}

// newDiff returns a Diff without files.
func (p Place) newDiff() (*Diff, error) {
	if p.Far != "" {
		return nil, AddHint(fmt.Errorf("%w: %q is on another machine", ErrNoDiff, p.Far), "name a file or a symbol of it")
	}
	tree, err := git.Find(p.Root)
	if err != nil || tree.Root == "" {
		return nil, AddHint(fmt.Errorf("%w: %q has no working tree of git", ErrNoDiff, p.Root), "name a file or a symbol")
	}
	d := &Diff{tree: tree, AtTree: true}
	if inner, err := filepath.Rel(tree.Root, p.Root); err == nil && inner != "." {
		d.prefix = filepath.ToSlash(inner) + "/"
	}
	return d, nil
}

func (d *Diff) mergeBase(ctx context.Context, a, b string) (string, error) {
	from, err := d.tree.Commit(ctx, a)
	if err != nil {
		return "", err
	}
	to, err := d.tree.Commit(ctx, b)
	if err != nil {
		return "", err
	}
	base, err := d.tree.MergeBase(ctx, from, to)
	if errors.Is(err, git.ErrRevision) && d.tree.Shallow() {
		return "", AddHint(err, "the clone is shallow: git fetch --unshallow")
	}
	return base, err
}

// compareStates compares a revision with another one, or with the working tree if to is empty.
func (p Place) compareStates(ctx context.Context, from, to string) (*Diff, error) {
	return p.compareAs(ctx, from, from, to)
}

// compareAs is compareStates with a label.
func (p Place) compareAs(ctx context.Context, label, from, to string) (*Diff, error) {
	d, err := p.newDiff()
	if err != nil {
		return nil, err
	}
	d.Label = label
	if d.base, err = d.tree.Commit(ctx, from); err != nil {
		return nil, err
	}
	var files []git.FileChange
	if to == "" {
		files, err = d.tree.Uncommitted(ctx, d.base)
	} else {
		var tip, head string
		if tip, err = d.tree.Commit(ctx, to); err != nil {
			return nil, err
		}
		if head, _, err = d.tree.Head(); err != nil {
			return nil, err
		}
		d.AtTree = tip == head
		files, err = d.tree.Between(ctx, d.base, tip)
	}
	for _, f := range files {
		if path, ok := strings.CutPrefix(f.Path, d.prefix); ok {
			d.Files = append(d.Files, ChangedFile{Path: path, Added: f.Status == git.Added, Removed: f.Status == git.Deleted})
		}
	}
	return d, err
}
