package nodecmd

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"patina/cmd/internal/layout"
	"patina/internal/lazyregexp"
	"patina/wire/config"
)

// serialNumber matches serial numbers of certificates, which have some 40 digits.
var serialNumber = lazyregexp.New(`^[0-9A-Fa-f:]{24,60}$`)

func (a *app) revoke() *cobra.Command {
	var f folders
	c := &cobra.Command{
		Use:   "revoke NAME|SERIAL",
		Short: "Never accept the certificates of a name again",
		Long: `Never accept the certificates of a user, node or front again: write the name
into [revoked] in nodes.toml. Each node and front that reads the file refuses
them from the next call on, also on connections that are open.

With a serial number, that certificate alone is refused. Its holder may have
renewed it, so after a theft revoke the name, and invite its owner by another.`,
		Example: `  patina node revoke anna
  patina node revoke 58e1a4fd0c3b72961f20d5a8b7c4e6f901234567`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.setDefaults(); err != nil {
				return err
			}
			name, serial, what := args[0], "", "name"
			if serialNumber().MatchString(name) {
				name, serial, what = "", strings.ToLower(strings.ReplaceAll(name, ":", "")), "serial number"
			}
			changed, err := config.Revoke(f.config, name, serial)
			if err != nil {
				return err
			}
			said := "is revoked now"
			if !changed {
				said = "was revoked before"
			}
			fmt.Fprintf(a.Out, "the %s %s %s\n", what, layout.Plain(name+serial), said)
			if changed {
				fmt.Fprintf(a.Out, "note: it holds where this %s is read: commit it, and bring it to each node and front\n",
					config.NodesFile)
			}
			return nil
		},
	}
	c.Flags().StringVar(&f.config, "config", "", "`folder` of nodes.toml and repositories.toml")
	return c
}
