package project

import (
	"context"
	"fmt"
	"os"

	"patina/registry"
	"patina/scrape"
	"patina/store"
)

// trusting reports whether this process trusts any index.
func trusting() bool { return os.Getenv("PATINA_TRUST_STORE") == "1" }

// believed returns the project, with its index trusted if the environment says so.
func believed(p registry.Project) registry.Project {
	if trusting() {
		p.Anyone = true
		if p.Doubt != "" {
			p.Secret, p.Doubt = "", ""
		}
	}
	return p
}

// A doubted is an error that says why an index is not trusted.
type doubted struct{ store, why string }

func (d doubted) Error() string {
	return fmt.Sprintf("the index at %q is not believed: %s", d.store, d.why)
}
func (doubted) Unwrap() error { return store.ErrForeign }

// Trust adopts the place's index as it is. It reports whether the index was already trusted.
func (p Place) Trust(ctx context.Context) (already bool, err error) {
	if err := scrape.Untracked(ctx, p.Root, p.Store); err != nil {
		return false, err
	}
	if p.Doubt == "" && p.Secret != "" {
		return true, nil
	}
	if _, err := registry.Adopt(p.Home, p.Root, p.Store); err != nil {
		return false, fmt.Errorf("trust: %w", err)
	}
	return false, nil
}
