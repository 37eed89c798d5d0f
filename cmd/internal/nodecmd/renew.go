package nodecmd

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"patina/cmd/internal/layout"
	"patina/registry"
	"patina/wire/config"
	"patina/wire/enrol"
	"patina/wire/pki"
)

func (a *app) renew() *cobra.Command {
	var f folders
	var fronts []string
	c := &cobra.Command{
		Use:   "renew",
		Short: "Take a new certificate while the old one is valid",
		Long: `Take a new key and certificate from a front, while the old certificate is
valid. Nodes and fronts do it by themselves at half of its life, and so do the
commands of a user, so this is for whoever wants it earlier: after a change of
the clock, or to see that it works. Nothing is started anew.

With --ca the certificate is signed here, on the machine of the CA.`,
		Example: `  patina node renew
  patina node renew --front front.example.com:7470`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			byCA := f.ca != ""
			if err := f.setDefaults(); err != nil {
				return err
			}
			if byCA {
				ca, err := pki.OpenCA(f.ca)
				if err != nil {
					return err
				}
				if err := enrol.RenewHere(c.Context(), f.certificates, ca); err != nil {
					return err
				}
			} else {
				if len(fronts) == 0 {
					var err error
					if fronts, err = frontsOf(&f); err != nil {
						return err
					}
				}
				if err := enrol.Renew(c.Context(), f.certificates, fronts); err != nil {
					return err
				}
			}
			folder, err := pki.OpenFolder(f.certificates)
			if err != nil {
				return err
			}
			id := folder.Identity()
			fmt.Fprintf(a.Out, "the certificate of %s is valid until %s now\n", layout.Plain(id.String()), day(id.NotAfter))
			return nil
		},
	}
	addFolderFlags(c, &f)
	addCAFlag(c, &f)
	c.Flags().StringSliceVar(&fronts, "front", nil, "`host:port` of fronts (default: as in nodes.toml, or your setting mother)")
	return c
}

// frontsOf returns the addresses of fronts: those of nodes.toml where it is, and else those of the
// user.
func frontsOf(f *folders) (all []string, err error) {
	c, err := readOptional(f.config)
	if err != nil {
		return nil, err
	}
	for _, n := range c.Fronts {
		all = append(all, n.Address)
	}
	if len(all) > 0 {
		return all, nil
	}
	settings, _, err := registry.SettingSources{Home: f.home}.Read()
	return settings.Fronts(), err
}

// keepCertificate renews the certificate of a node or front until ctx ends: with the CA, if it is
// here, and else with the help of the fronts that are declared. certificates is nil for a process
// without any, and then it returns at once.
func (f *folders) keepCertificate(
	ctx context.Context, certificates *pki.Folder, live *config.Live, ca *pki.CA, log *slog.Logger,
) {
	if certificates == nil {
		return
	}
	how := enrol.ByCA(f.certificates, ca)
	if ca == nil {
		how = enrol.ByFronts(f.certificates, func() (all []string) {
			for _, n := range live.Config().Fronts {
				all = append(all, n.Address)
			}
			return all
		})
	}
	(&enrol.Keeper{Dir: f.certificates, Renew: how, Log: log}).Run(ctx)
}
