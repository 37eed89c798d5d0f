package mothercmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/registry/mother"
	"patina/scrape"
)

// The depths of "repo add --each".
const (
	defaultDepth = 2
	maxDepth     = 16
)

// mostSuggested is the most suggestions that "repo add --each" prints as text.
const mostSuggested = 10

// An eachCall holds the flags of "repo add --each".
type eachCall struct {
	on, asJSON bool
	depth      int
}

// The states of an addedJSON.
const (
	stateAdded   = "added"   // it was not registered before
	stateKnown   = "known"   // it was
	stateFailed  = "failed"  // Error says why
	stateWaiting = "waiting" // the call was interrupted, or makes no indexes
)

// An addedJSON is a repository that "repo add --each" has found: docs/repositories.md.
type addedJSON struct {
	ID    string `json:"id,omitempty"`
	Name  string `json:"name"`
	Root  string `json:"root"`
	State string `json:"state"`
	Files int    `json:"files,omitempty"` // in the index
	Read  int    `json:"read"`            // files that were new or changed
	Error string `json:"error,omitempty"`
}

// addEach registers every repository in and below a folder, makes their indexes, and lists the
// edges that follow. All are registered before the first is read, so the same call, or "repo sync",
// goes on where one was interrupted. The failure of one leaves the others.
func (m *repos) addEach(ctx context.Context, dir string, depth int, noScrape bool) error {
	if depth < 1 || depth > maxDepth {
		return cli.Hint(fmt.Errorf("--depth %d: want 1 to %d", depth, maxDepth), "1 means the folders directly in DIR")
	}
	if scrape.IsURL(dir) {
		return cli.Hint(fmt.Errorf("%q is an address", dir), "--each wants a folder on this machine")
	}
	found, left, err := project.FindBelow(ctx, dir, m.home, depth)
	if err != nil {
		return err
	}
	before, err := mother.Repositories(ctx, m.home)
	if err != nil {
		return Unlinked(err)
	}
	added := make([]addedJSON, len(found))
	var wanted []mother.Repository
	var places []int // of wanted in added
	for i, root := range found {
		p, err := m.register(ctx, root, mother.Repository{})
		added[i] = addedJSON{ID: p.ID, Name: p.Name, Root: root, State: stateAdded}
		known := slices.IndexFunc(before, func(r mother.Repository) bool { return r.ID == p.ID })
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			added[i].State, added[i].Error = stateFailed, err.Error()
			continue
		case known >= 0:
			added[i].State, added[i].Name = stateKnown, before[known].Name
		}
		wanted = append(wanted, mother.Repository{ID: p.ID, Name: added[i].Name, Root: p.Root})
		places = append(places, i)
	}
	if !noScrape {
		out := m.Out
		if m.asJSON {
			out = io.Discard
		}
		all := m.syncAll(ctx, wanted, false, out)
		for i, s := range all {
			x := &added[places[i]]
			switch {
			case s.err != nil && ctx.Err() == nil:
				x.State, x.Error = stateFailed, s.err.Error()
			case !s.done:
				x.State = stateWaiting
			default:
				x.Files, x.Read = s.summary.Generation.Files, s.summary.Added+s.summary.Changed
			}
		}
		if ctx.Err() != nil {
			m.stopped(all, "the same call goes on")
			return ctx.Err()
		}
	}
	suggested, err := m.suggestedAmong(ctx, wanted, noScrape)
	if err != nil {
		return err
	}
	return m.tellEach(dir, added, left, suggested)
}

// suggestedAmong returns the suggested edges from or to some repositories. The list is empty if no
// index was made.
func (m *repos) suggestedAmong(ctx context.Context, some []mother.Repository, unmade bool) ([]jsonSuggestion, error) {
	if unmade || len(some) == 0 {
		return []jsonSuggestion{}, nil
	}
	among := func(id string) bool {
		return slices.ContainsFunc(some, func(r mother.Repository) bool { return r.ID == id })
	}
	out, _, _, err := m.suggestions(ctx,
		func(s mother.Suggestion) bool { return among(s.From) || among(s.To) }, nil)
	return out, err
}

// tellEach prints the outcome for the repositories in a folder. It returns ExitNothing if there
// are no repositories, or if one of them failed.
func (m *repos) tellEach(dir string, added []addedJSON, left []project.LeftOut, suggested []jsonSuggestion) error {
	count := map[string]int{}
	for _, x := range added {
		count[x.State]++
	}
	failed := count[stateFailed]
	for _, x := range left {
		if x.Failed {
			failed++
		}
	}
	end := error(nil)
	if failed > 0 || len(added) == 0 {
		end = cli.Exit(cli.ExitNothing)
	}
	if m.asJSON {
		return errors.Join(layout.Encode(m.Out, struct {
			Schema       int               `json:"schema"`
			Folder       string            `json:"folder"`
			Repositories []addedJSON       `json:"repositories"`
			LeftOut      []project.LeftOut `json:"left_out"`
			Suggestions  []jsonSuggestion  `json:"suggestions"`
		}{layout.Schema, dir, added, append([]project.LeftOut{}, left...), suggested}), end)
	}
	for _, x := range left {
		if !x.Failed {
			fmt.Fprintf(m.Out, "left out %s: %s\n", layout.Plain(x.Path), layout.Plain(x.Why))
		}
	}
	for i, s := range suggested {
		if i == mostSuggested {
			fmt.Fprintf(m.Out, "and %d more\n", len(suggested)-i)
			break
		}
		fmt.Fprintln(m.Out, "suggested: "+s.line())
	}
	if len(suggested) > 0 {
		fmt.Fprintln(m.Out, "none is made yet: patina repo suggest --accept")
	}
	if len(added) == 0 {
		fmt.Fprintf(m.Out, "no repository in or below %s: look deeper with --depth\n", layout.Plain(dir))
	} else {
		fmt.Fprintf(m.Out, "%d added, %d known before, %d failed\n", count[stateAdded], count[stateKnown], failed)
	}
	for _, x := range added {
		if x.State == stateFailed {
			m.Warn("%s: %s", x.Root, x.Error)
		}
	}
	for _, x := range left {
		if x.Failed {
			m.Warn("%s: %s", x.Path, x.Why)
		}
	}
	return end
}
