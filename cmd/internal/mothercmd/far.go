package mothercmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/code/lookup"
	"patina/registry"
	"patina/registry/mother"
	fronts "patina/wire/mother"
)

// frontTime bounds a call to the fronts.
const frontTime = 10 * time.Second

// offered returns the repositories that other machines offer, by name.
func (m *repos) offered(ctx context.Context) ([]fronts.Offered, error) {
	ctx, cancel := context.WithTimeout(ctx, frontTime)
	defer cancel()
	all, err := m.Mother(m.home).Repositories(ctx)
	if err != nil {
		return nil, unreached(err)
	}
	return all, nil
}

// unreached adds what to do to the error of a call to the fronts.
func unreached(err error) error {
	err = fmt.Errorf("ask the front: %w", err)
	if errors.Is(err, fronts.ErrNoFront) {
		return err // it says so itself
	}
	return cli.Hint(err, fronts.Advice(err), "the addresses of your fronts: patina config, the setting mother")
}

// addFar registers a repository that other machines answer for.
func (m *repos) addFar(ctx context.Context, name string, r mother.Repository) error {
	far, err := m.findOffered(ctx, name)
	if err != nil {
		return err
	}
	if at, ok, err := m.copyOf(far); err != nil || ok {
		if err == nil {
			err = cli.Hint(fmt.Errorf("%q is registered here, in %q", far, at),
				"it is asked here; to ask it there, take it out first: patina repo remove NAME")
		}
		return err
	}
	if r.ID, err = mother.AddFar(ctx, m.home, far); err != nil {
		return Unlinked(err)
	}
	if err := mother.Put(ctx, m.home, r); err != nil {
		return Unlinked(err)
	}
	fmt.Fprintf(m.Out, "added %s (from mother: %s)\n", layout.Plain(cmp.Or(r.Name, mother.ShortName(far))),
		layout.Plain(far))
	ctx, cancel := context.WithTimeout(ctx, frontTime)
	defer cancel()
	if err := m.Mother(m.home).Fetch(ctx, far); err != nil {
		m.Warn("its sketch could not be read, so no question follows a link to it yet: %v", err)
	}
	here, err := project.At("", "")
	if err != nil {
		return nil
	}
	return m.addHere(ctx, project.Place{Project: registry.Project{ID: r.ID}, Home: here.Home})
}

// findOffered returns the name on all machines of a repository that other machines offer, from that
// name or the end of it.
func (m *repos) findOffered(ctx context.Context, name string) (string, error) {
	within, cancel := context.WithTimeout(ctx, frontTime)
	defer cancel()
	if ok, err := m.Mother(m.home).Offers(within, name); err != nil || ok {
		if err != nil {
			err = unreached(err)
		}
		return name, err
	}
	all, err := m.offered(ctx)
	if err != nil {
		return "", err
	}
	return pick(all, name)
}

// copyOf returns the root of a registered project that is a repository of other machines.
func (m *repos) copyOf(far string) (root string, ok bool, err error) {
	here, err := registry.Listed(m.home)
	if err != nil {
		return "", false, Unlinked(err)
	}
	i := slices.IndexFunc(here, func(x registry.Project) bool {
		return project.Place{Project: x}.RepositoryName() == far
	})
	if i < 0 {
		return "", false, nil
	}
	return here[i].Root, true, nil
}

// mostNear is how many names are offered in place of an unknown one.
const mostNear = 5

// pick returns the offered repository with a name, or the only one whose name ends with it.
func pick(all []fronts.Offered, name string) (string, error) {
	var ending, near []string
	low := strings.ToLower(mother.ShortName(name))
	for _, o := range all {
		switch {
		case o.Name == name:
			return name, nil
		case strings.HasSuffix(o.Name, "/"+name):
			ending = append(ending, o.Name)
		case strings.Contains(strings.ToLower(o.Name), low), isNear(o.Name, low):
			near = append(near, o.Name)
		}
	}
	switch {
	case len(ending) == 1:
		return ending[0], nil
	case len(ending) > 1:
		return "", cli.Hint(fmt.Errorf("%d repositories of other machines end in %q", len(ending), name),
			"name one: "+strings.Join(ending[:min(len(ending), mostNear)], ", "))
	}
	err := fmt.Errorf("no repository %q on other machines", name)
	if len(near) > 0 {
		return "", cli.Hint(err, "did you mean: "+strings.Join(near[:min(len(near), mostNear)], ", "))
	}
	return "", cli.Hint(err, "for all: patina repo list --from-mother")
}

// isNear reports whether the last part of a name is a mistyped word, which must be in lower case.
func isNear(name, word string) bool {
	return lookup.EditDistance(strings.ToLower(mother.ShortName(name)), word) <= 2
}

// An offer is a repository of other machines in JSON: docs/repositories.md.
type offer struct {
	fronts.Offered
	Registered string `json:"registered,omitempty"` // the name by which the user has registered it
}

// line returns an offer on one line.
func (o offer) line(now time.Time) string {
	parts := []string{layout.Plain(o.Name)}
	if o.Head != "" {
		parts = append(parts, "at "+layout.Plain(o.Head[:min(12, len(o.Head))]))
	}
	if !o.ScrapedAt.IsZero() {
		parts = append(parts, "read "+now.Sub(o.ScrapedAt).Round(time.Minute).String()+" ago")
	}
	if o.Registered != "" {
		parts = append(parts, "registered as "+layout.Plain(o.Registered))
	}
	return strings.Join(parts, "  ")
}

// listOffered lists what other machines offer.
func (m *repos) listOffered(ctx context.Context) error {
	all, err := m.offered(ctx)
	if err != nil {
		return err
	}
	known, err := mother.Repositories(ctx, m.home)
	if err != nil {
		return Unlinked(err)
	}
	out := []offer{}
	for _, o := range all {
		x := offer{Offered: o}
		if i := slices.IndexFunc(known, func(r mother.Repository) bool { return r.Far == o.Name }); i >= 0 {
			x.Registered = known[i].Name
		}
		out = append(out, x)
	}
	if m.asJSON {
		err = layout.Encode(m.Out, struct {
			Schema       int     `json:"schema"`
			Repositories []offer `json:"repositories"`
		}{layout.Schema, out})
	} else {
		for _, o := range out {
			fmt.Fprintln(m.Out, o.line(time.Now()))
		}
	}
	return m.endList(err, len(out), "other machines offer no repository to you")
}

// passOver says that a repository of other machines is not synced.
func (m *repos) passOver(r mother.Repository) {
	fmt.Fprintf(m.Out, "left to other machines: %s\n", layout.Plain(r.Name))
}
