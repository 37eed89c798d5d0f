package scrape

import (
	"context"
	"errors"
	"fmt"

	"patina/store"
	"patina/store/scrape/history"
)

// Why the temporal channel cannot answer, as the generation keeps it.
const (
	noHistory  = "no git history"
	notRead    = "git history not read yet"
	noCommits  = "no commits yet"
	brokenHead = "git cannot read HEAD"
)

// history fills in what the generation says of git, and reads the commits that the store does not have yet.
func (r *run) history(ctx context.Context, g *store.Generation) error {
	tree, err := history.Find(r.o.Root)
	if err == nil && tree.Sparse() {
		r.tell("sparse checkout: only the files that are checked out are indexed (git sparse-checkout disable)")
	}
	if errors.Is(err, history.ErrNoGit) {
		g.History = noHistory
		return r.forget(ctx, store.HistoryState{})
	}
	if err != nil {
		return err
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
		return r.forget(ctx, state)
	case r.o.Only == "code":
		if g.Shallow = state.Shallow; state.Commits == 0 {
			g.History = notRead
		}
		return nil
	}
	if g.Shallow {
		r.tell("shallow history: older commits are not there (git fetch --unshallow)")
	}
	return r.commits(ctx, tree, g, state)
}

// forget drops the commits of a repository that has none any more.
func (r *run) forget(ctx context.Context, state store.HistoryState) error {
	if state.Commits == 0 || r.o.Only == "code" {
		return ctx.Err()
	}
	return r.w.ResetHistory()
}

// commits reads from where the last scrape ended, or everything if that commit is no ancestor any more, or if the history was
// shallow and is not now.
func (r *run) commits(ctx context.Context, tree history.Tree, g *store.Generation, state store.HistoryState) error {
	since, err := r.since(ctx, tree, g, state)
	if err != nil {
		return err
	}
	if since == "" && state.Head != "" {
		if err := r.w.ResetHistory(); err != nil {
			return err
		}
		if !r.o.Full && !state.Shallow {
			r.tell("the history was rewritten: all of it is read again")
		}
		state.Commits = 0
	}
	var known []string
	if since != "" {
		known = []string{since}
	}
	err = tree.Log(ctx, g.Head, known, func(v store.Revision) error {
		if r.s.Commits++; r.s.Commits%reportEvery == 0 {
			r.report("history", r.s.Commits, 0)
		}
		return r.w.AddRevision(v)
	})
	switch {
	case errors.Is(err, history.ErrIncomplete):
		r.tell(err.Error())
	case err != nil:
		return err
	}
	state = store.HistoryState{Head: g.Head, Shallow: g.Shallow, Commits: state.Commits + r.s.Commits}
	if err := r.w.SetHistory(state); err != nil {
		return err
	}
	return r.relate(ctx, tree)
}

func (r *run) since(ctx context.Context, tree history.Tree, g *store.Generation, state store.HistoryState) (string, error) {
	if state.Head == "" || r.o.Full || state.Shallow && !g.Shallow {
		return "", nil
	}
	if state.Head == g.Head {
		return state.Head, nil
	}
	kept, err := tree.Ancestor(ctx, state.Head, g.Head)
	if err != nil || !kept {
		return "", err
	}
	return state.Head, nil
}

// relate sets the tags, which may move without a commit, and what changed together, if there are new commits.
func (r *run) relate(ctx context.Context, tree history.Tree) error {
	tags, err := tree.Tags(ctx)
	if err != nil {
		return err
	}
	if err := r.w.SetTags(tags); err != nil || r.s.Commits == 0 {
		return err
	}
	var together history.CoChanges
	if err := r.w.Touched(together.Add); err != nil {
		return err
	}
	return r.w.SetCoChanges(together.Pairs())
}
