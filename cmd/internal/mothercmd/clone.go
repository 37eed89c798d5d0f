package mothercmd

import (
	"context"
	"fmt"

	"patina/ask/clones"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
)

// clone clones an address into a folder of patina's, unless it is there, and returns the folder.
func (m *repos) clone(ctx context.Context, url string) (string, error) {
	dir, err := clones.Make(ctx, m.home, url, func() {
		if cli.Terminal(m.Errs) {
			fmt.Fprintf(m.Errs, "cloning %s\n", layout.Plain(url))
		}
	})
	if err != nil {
		return "", cli.Hint(fmt.Errorf("clone: %w", err), "try it yourself: git clone", cli.ProxyHint())
	}
	return dir, nil
}
