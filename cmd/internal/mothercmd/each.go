package mothercmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
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
	stateWaiting = "waiting" // the call was interrupted
)

// An addedJSON is a repository that "repo add --each" has found: docs/repositories.md.
type addedJSON struct {
	ID    string   `json:"id,omitempty"`
	Name  string   `json:"name"`
	Root  string   `json:"root"`
	State string   `json:"state"`
	Files int      `json:"files,omitempty"` // in the index
	Read  int      `json:"read"`            // files that were new or changed
	Notes []string `json:"notes,omitempty"` // what a scrape could not read
	Error string   `json:"error,omitempty"`

	cause error // of Error
}

func (a *addedJSON) fail(cause error) {
	a.State, a.Error, a.cause = stateFailed, cause.Error(), cause
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
	x := &adding{dir: dir, left: left}
	if err := m.registerEach(ctx, x, found); err != nil {
		return err
	}
	if !noScrape && ctx.Err() == nil {
		m.readEach(ctx, x)
	}
	if ctx.Err() != nil {
		return errors.Join(ctx.Err(), m.tellStopped(x))
	}
	var unlisted error
	x.suggested, unlisted = m.suggestedAmong(ctx, x, noScrape)
	err = m.tellEach(x)
	switch {
	case unlisted == nil:
		return err
	case ctx.Err() != nil:
		m.Warn("the links were not looked for: patina repo suggest")
	}
	return unlisted
}

// An adding is the state of "repo add --each".
type adding struct {
	dir       string
	added     []addedJSON
	wanted    []mother.Repository // those of added that were registered
	places    []int               // of wanted in added
	left      []project.LeftOut
	suggested []jsonSuggestion
}

// registerEach registers repositories, until ctx ends.
func (m *repos) registerEach(ctx context.Context, x *adding, found []string) error {
	before, err := mother.Repositories(ctx, m.home)
	if err != nil {
		return Unlinked(err)
	}
	for _, root := range found {
		x.added = append(x.added, addedJSON{Name: filepath.Base(root), Root: root, State: stateWaiting})
	}
	for i, root := range found {
		p, err := m.register(ctx, root, mother.Repository{})
		if ctx.Err() != nil {
			return nil
		}
		a := &x.added[i]
		if err != nil {
			a.fail(err)
			continue
		}
		a.ID, a.Name, a.State = p.ID, p.Name, stateAdded
		if known := slices.IndexFunc(before, func(r mother.Repository) bool { return r.ID == p.ID }); known >= 0 {
			a.State, a.Name = stateKnown, before[known].Name
		}
		x.wanted = append(x.wanted, mother.Repository{ID: p.ID, Name: a.Name, Root: p.Root})
		x.places = append(x.places, i)
	}
	return nil
}

// readEach makes the indexes of registered repositories. If ctx ends, the rest are waiting.
func (m *repos) readEach(ctx context.Context, x *adding) {
	out := m.Out
	if m.asJSON {
		out = io.Discard
	}
	for i, s := range m.syncAll(ctx, x.wanted, false, out) {
		a := &x.added[x.places[i]]
		a.Notes = s.summary.Notes
		switch {
		case s.done:
			a.Files, a.Read = s.summary.Generation.Files, s.summary.Added+s.summary.Changed
		case s.err == nil, errors.Is(s.err, context.Canceled):
			a.State = stateWaiting
		default:
			a.fail(s.err)
		}
	}
}

// tellStopped prints what an interrupted call has done, and how to go on.
func (m *repos) tellStopped(x *adding) error {
	var waiting []string
	for _, a := range x.added {
		if a.State == stateWaiting || a.State == stateFailed {
			waiting = append(waiting, a.Name)
		}
	}
	m.stopped(waiting, len(x.added), "the same call goes on")
	if m.asJSON {
		return m.encodeEach(x)
	}
	m.tellFailed(x)
	return nil
}

// suggestedAmong returns the suggested edges from or to the repositories. The list is empty if no
// index was made.
func (m *repos) suggestedAmong(ctx context.Context, x *adding, unmade bool) ([]jsonSuggestion, error) {
	if unmade || len(x.wanted) == 0 {
		return []jsonSuggestion{}, nil
	}
	among := func(id string) bool {
		return slices.ContainsFunc(x.wanted, func(r mother.Repository) bool { return r.ID == id })
	}
	out, _, _, err := m.suggestions(ctx,
		func(s mother.Suggestion) bool { return among(s.From) || among(s.To) }, nil)
	return out, err
}

// tellEach prints the outcome for the repositories in a folder. It returns ExitNothing if there
// are no repositories, or if one of them failed.
func (m *repos) tellEach(x *adding) error {
	count := map[string]int{}
	for _, a := range x.added {
		count[a.State]++
	}
	failed := count[stateFailed]
	for _, l := range x.left {
		if l.Failed {
			failed++
		}
	}
	end := error(nil)
	if failed > 0 || len(x.added) == 0 {
		end = cli.Exit(cli.ExitNothing)
	}
	if m.asJSON {
		return errors.Join(m.encodeEach(x), end)
	}
	for _, l := range x.left {
		if !l.Failed {
			fmt.Fprintf(m.Out, "left out %s: %s\n", layout.Plain(l.Path), layout.Plain(l.Why))
		}
	}
	for i, s := range x.suggested {
		if i == mostSuggested {
			fmt.Fprintf(m.Out, "and %d more\n", len(x.suggested)-i)
			break
		}
		fmt.Fprintln(m.Out, "suggested: "+s.line())
	}
	if len(x.suggested) > 0 {
		fmt.Fprintln(m.Out, "none is made yet: patina repo suggest --accept")
	}
	if len(x.added) == 0 {
		fmt.Fprintf(m.Out, "no repository in or below %s: look deeper with --depth\n", layout.Plain(x.dir))
	} else {
		fmt.Fprintf(m.Out, "%d added, %d known before, %d failed\n", count[stateAdded], count[stateKnown], failed)
	}
	m.tellFailed(x)
	return end
}

// tellFailed prints the reason for each failure.
func (m *repos) tellFailed(x *adding) {
	for _, a := range x.added {
		if a.State == stateFailed {
			m.Complain(fmt.Errorf("%s: %w", a.Root, a.cause))
		}
	}
	for _, l := range x.left {
		if l.Failed {
			m.Warn("%s: %s", l.Path, l.Why)
		}
	}
}

// encodeEach prints the repositories in a folder as JSON.
func (m *repos) encodeEach(x *adding) error {
	return layout.Encode(m.Out, struct {
		Schema       int               `json:"schema"`
		Folder       string            `json:"folder"`
		Repositories []addedJSON       `json:"repositories"`
		LeftOut      []project.LeftOut `json:"left_out"`
		Suggestions  []jsonSuggestion  `json:"suggestions"`
	}{
		layout.Schema, x.dir, append([]addedJSON{}, x.added...), append([]project.LeftOut{}, x.left...),
		append([]jsonSuggestion{}, x.suggested...),
	})
}
