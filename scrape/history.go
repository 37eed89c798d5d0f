package scrape

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"patina/scrape/git"
	"patina/store/doc"
)

// Reasons why the temporal channel cannot answer, as stored in the generation.
const (
	noHistory  = "no git history"
	notRead    = "git history not read yet"
	noCommits  = "no commits yet"
	brokenHead = "git cannot read HEAD"
	lostHead   = "the commit of HEAD is missing"
)

// history fills in the generation's git fields, and reads the commits missing from the store. If
// HEAD cannot be read, it leaves the history as it was and tells the user.
func (r *run) history(ctx context.Context, g *doc.Generation) error {
	tree, err := git.Find(r.o.Root)
	if err == nil && tree.Sparse() {
		r.tell("sparse checkout: only the files that are checked out are indexed (git sparse-checkout disable)")
	}
	if errors.Is(err, git.ErrNoGit) {
		g.History = noHistory
		return r.forgetHistory(ctx, doc.HistoryState{})
	}
	if err != nil {
		return err
	}
	if from := tree.Borrowed(); len(from) > 0 {
		r.tell(borrowedNote(from))
	}
	state, err := r.w.History()
	if err != nil {
		return err
	}
	if g.Head, g.Branch, err = tree.Head(); err != nil {
		g.History = brokenHead
		r.tell(fmt.Sprintf("history left as it was: %v", err))
		return ctx.Err()
	}
	g.Shallow = tree.Shallow()
	switch {
	case g.Head == "":
		g.History = noCommits
		return r.forgetHistory(ctx, state)
	case r.o.Only == "code":
		if g.Shallow = state.Shallow; state.Commits == 0 {
			g.History = notRead
		}
		return nil
	}
	if g.Shallow {
		r.tell("shallow history: older commits are not there (git fetch --unshallow)")
	}
	err = r.commits(ctx, tree, g, state)
	if err == nil || ctx.Err() != nil {
		return err
	}
	if held, unknown := tree.Has(ctx, g.Head); held || unknown != nil {
		return err
	}
	g.History = lostHead
	r.tell(fmt.Sprintf("history left as it was: the commit of HEAD, %.12s, is missing from the repository (git fsck)",
		g.Head))
	return ctx.Err()
}

// namedBorrowed is the most places that a note names.
const namedBorrowed = 3

func borrowedNote(from []string) string {
	var names []string
	for _, p := range from[:min(len(from), namedBorrowed)] {
		names = append(names, strconv.Quote(p))
	}
	return fmt.Sprintf("the history is read from %s too, as this repository says (alternates, links or a git "+
		"directory apart: docs/security.md)", strings.Join(names, ", "))
}

// forgetHistory drops the commits of a tree that has no history any more.
func (r *run) forgetHistory(ctx context.Context, state doc.HistoryState) error {
	if state.Commits == 0 || r.o.Only == "code" {
		return ctx.Err()
	}
	return r.w.ForgetHistory()
}

// commits brings the view to HEAD's history. It hides commits that are not in it, and shows or
// reads the others. If the history was shallow and no longer is, all commits are read again.
func (r *run) commits(ctx context.Context, tree git.Tree, g *doc.Generation, state doc.HistoryState) error {
	if state.Shallow && !g.Shallow {
		if err := r.w.ResetHistory(); err != nil {
			return err
		}
		state = doc.HistoryState{}
	}
	since, moved, err := r.hideCommits(ctx, tree, g.Head, state)
	if err != nil {
		return err
	}
	shown := 0
	show := func(sha string) (bool, error) {
		held, err := r.w.Show(sha)
		if held {
			shown++
		}
		return held, err
	}
	err = tree.Log(ctx, g.Head, since, show, func(v doc.Revision) error {
		if r.s.Commits++; r.s.Commits%reportEvery == 0 {
			r.report("history", r.s.Commits, 0)
		}
		return r.w.AddRevision(v)
	})
	switch {
	case errors.Is(err, git.ErrIncomplete) && !r.leading:
		r.tell(err.Error())
	case err != nil:
		return err
	}
	if err := r.w.SetHistory(doc.HistoryState{Head: g.Head, Shallow: g.Shallow, Borrowed: r.leading}); err != nil ||
		r.leading {
		return err
	}
	return r.relate(ctx, tree, moved || r.based || shown+r.s.Commits > 0)
}

// hideCommits hides commits that are in the view but not in HEAD's history. since has the commits
// after which to read on; nil means the whole history. moved is true if anything was hidden.
func (r *run) hideCommits(
	ctx context.Context, tree git.Tree, head string, state doc.HistoryState,
) (since []string, moved bool, err error) {
	switch state.Head {
	case "":
		return nil, false, nil
	case head:
		return []string{head}, false, nil
	}
	gone, err := tree.Only(ctx, state.Head, head)
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	if err != nil {
		if held, unknown := tree.Has(ctx, head); !held {
			return nil, false, errors.Join(err, unknown)
		}
		r.tell("the history was rewritten: it is compared from its beginning")
		return nil, true, r.w.ForgetHistory()
	}
	if len(gone) > 0 && !state.Borrowed {
		r.tell(fmt.Sprintf("%d %s no longer in the history of HEAD", len(gone),
			countNoun(len(gone), "commit is", "commits are")))
	}
	return []string{state.Head}, len(gone) > 0, r.w.Hide(gone)
}

// relate sets the tags, which may move without a commit. If moved is true, it counts co-changes
// again, because the commits have changed.
func (r *run) relate(ctx context.Context, tree git.Tree, moved bool) error {
	tags, err := tree.Tags(ctx)
	if err != nil {
		return err
	}
	if err := r.w.SetTags(tags); err != nil || !moved {
		return err
	}
	var together git.CoChanges
	if err := r.w.Touched(together.Add); err != nil {
		return err
	}
	return r.w.SetCoChanges(together.Pairs())
}
