package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"patina/registry"
	"patina/store"
	"patina/store/scrape"
)

// trust adopts an index that no scrape of this user has made.
func (a *app) trust() *cobra.Command {
	return &cobra.Command{
		Use:   "trust",
		Short: "Believe an index that somebody else has made",
		Long: `Believe the index of this project as it is, although no scrape of yours has made it: one that a cache of CI has brought back,
that was moved or copied with its folder, or that a team shares.

An index is believed where the home of patina knows its folder and a secret that the index bears. An index that comes with a
clone is not: whoever has made it could answer what he likes. "patina scrape" builds one of your own in its place.

Where no home is kept, as in a container, PATINA_TRUST_STORE=1 in the environment does the same for one call.`,
		Example: `  patina trust
  patina trust --store /srv/team/index
  PATINA_TRUST_STORE=1 patina scry how are rows locked`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			p, err := a.indexed()
			if err != nil {
				return err
			}
			if err := scrape.Untracked(c.Context(), p.Root, p.Store); err != nil {
				return err
			}
			if p.Doubt == "" && p.Secret != "" {
				fmt.Fprintf(a.out, "%s is trusted already\n", quoted(p.Store))
				return nil
			}
			if _, err := registry.Adopt(p.home, p.Root, p.Store); errors.Is(err, registry.ErrUnused) {
				a.warn("%v (%s)", err, registryMend)
			} else if err != nil {
				return explained(fmt.Errorf("trust: %w", err), p)
			}
			fmt.Fprintf(a.out, "%s is trusted from now on\n", quoted(p.Store))
			return nil
		},
	}
}

// trusting reports whether this call believes any index.
func trusting() bool { return os.Getenv("PATINA_TRUST_STORE") == "1" }

// believed is a project whose index is to be believed where the environment says so.
func believed(p registry.Project) registry.Project {
	if trusting() {
		p.Anyone = true
		if p.Doubt != "" {
			p.Secret, p.Doubt = "", ""
		}
	}
	return p
}

// A doubted error says why an index is not believed.
type doubted struct{ store, why string }

func (d doubted) Error() string {
	return "the index at " + quoted(d.store) + " is not believed: " + d.why
}
func (doubted) Unwrap() error { return store.ErrForeign }

// sealed returns how the index of a place is known, or the error that it is not believed. It is
// not, either, where git tracks the folder: a change of branch would put another index there.
func (p place) sealed(ctx context.Context) (store.Seal, error) {
	if p.Doubt != "" {
		return store.Seal{}, doubted{p.Store, p.Doubt}
	}
	return p.Seal(), scrape.Untracked(ctx, p.Root, p.Store)
}
