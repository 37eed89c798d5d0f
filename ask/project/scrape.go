package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"patina/oracles/embed"
	"patina/registry"
	"patina/scrape"
	"patina/scrape/git"
	"patina/store"
)

// A TakenError means that a store holds the index of another project.
type TakenError struct{ Store, Root string }

// Error implements error.
func (e *TakenError) Error() string { return fmt.Sprintf("%q holds the index of %q", e.Store, e.Root) }

// A MakeError means that a store cannot be made.
type MakeError struct{ Cause error }

// Error implements error.
func (e *MakeError) Error() string { return "make store: " + e.Cause.Error() }

// Unwrap returns the cause.
func (e *MakeError) Unwrap() error { return e.Cause }

// Claimed reports whether an error of Claim is only a warning: the home cannot be written, or its
// mother.db cannot be used. The caller should go on.
func Claimed(err error) bool {
	return errors.Is(err, registry.ErrNotNoted) || errors.Is(err, registry.ErrUnused)
}

// Claim makes the store folder and registers the project. The returned place is also valid if
// Claimed returns true for the error.
func (p Place) Claim() (Place, error) {
	main := p.Root // all working trees of a repository are one project
	if tree, err := git.Find(p.Root); err == nil {
		main = cmp.Or(tree.RootOf(store.MainView), p.Root)
	}
	if other, ok := registry.Whereabouts(p.Home, p.Store); ok && other.Root != main && exists(other.Root) {
		return p, &TakenError{p.Store, other.Root}
	}
	if trusting() && registry.Lookup(p.Home, main, p.Store).Doubt != "" {
		if project, err := registry.Adopt(p.Home, main, p.Store); err == nil || Claimed(err) {
			p.Project = project
			return p, nil
		}
	}
	project, err := registry.Register(p.Home, main, p.Store)
	if err != nil && !Claimed(err) {
		return p, &MakeError{err}
	}
	project.Root = p.Root
	p.Project = project
	return p, err
}

// prepare sets the options of a scrape that depend on the place.
func (p Place) prepare(o scrape.Options, notNoted func(error)) scrape.Options {
	o.Root, o.StoreDir, o.Cloned = p.Root, p.Store, registry.IsClone(p.Home, p.Root)
	o.Claim = func() (scrape.Ownership, error) {
		claimed, err := p.Claim()
		if Claimed(err) {
			notNoted(err)
			err = nil
		}
		own := scrape.Ownership{ProjectID: claimed.ID, Seal: claimed.Seal()}
		if claimed.Doubt != "" {
			own.Distrust = "the index was not believed: " + claimed.Doubt
		}
		return own, err
	}
	o.Embedder, o.Load = embed.Base(), embed.Load
	return o
}

// Scrape reads the project into its store. It passes an error for which Claimed returns true to
// notNoted, which must not be nil.
func Scrape(ctx context.Context, p Place, o scrape.Options, notNoted func(error)) (scrape.Summary, error) {
	if err := narrow(p.Root); err != nil {
		return scrape.Summary{}, err
	}
	summary, err := scrape.Run(ctx, p.prepare(o, notNoted))
	if err != nil {
		return summary, err
	}
	now, changed := p.Of(p.Root, p.Store), summary.Added+summary.Changed+summary.Removed
	if s := now.Sketch(); now.ID != "" && (changed > 0 || s == nil || s.LacksStatements()) {
		if err := now.sketch(ctx, changed > summary.Generation.Files/100); err != nil {
			summary.Notes = append(summary.Notes, "other projects do not find their way here: "+err.Error())
		}
	}
	return summary, nil
}
