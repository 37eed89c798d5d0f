package nodecmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/wire/pki"
)

func (a *app) ca() *cobra.Command {
	c := &cobra.Command{
		Use:   "ca",
		Short: "Prepare the CA that signs the certificates of a cluster",
		Long: `Prepare the CA that signs the certificates of one cluster. Its key stays in one
folder. A front on that machine lets others join: "patina node invite" and
"patina node join". Without one, every certificate is written there.`,
		Example: `  patina node ca init
  patina node ca issue front-0 --role front --host front.example.com`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return cli.Hint(errors.New("unknown command node ca "+cli.Quoted(args[0])), `run "patina node ca --help"`)
		},
	}
	c.AddCommand(a.caInit(), a.caIssue())
	return c
}

func (a *app) caInit() *cobra.Command {
	var f folders
	c := &cobra.Command{
		Use:   "init",
		Short: "Write the key and the certificate of a new CA",
		Long: `Write the key and the certificate of a new CA, and print its fingerprint. A
folder that has a CA is refused, because all certificates of a CA that is
overwritten would be lost. Keep a copy of the key where nobody else reads it.`,
		Example: `  patina node ca init
  patina node ca init --ca /media/key/ca`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := f.setDefaults(); err != nil {
				return err
			}
			ca, err := pki.InitCA(f.ca)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.Out, "made a CA in %s, valid until %s\n", layout.Plain(f.ca), day(ca.Certificate().NotAfter))
			fmt.Fprintf(a.Out, "fingerprint: %s\n", ca.Fingerprint())
			return nil
		},
	}
	addCAFlag(c, &f)
	return c
}

func (a *app) caIssue() *cobra.Command {
	var f folders
	var in pki.Invitation
	var replace bool
	c := &cobra.Command{
		Use:   "issue NAME",
		Short: "Write a key and its certificate on the machine of the CA",
		Long: `Write a key, its certificate and the CA's certificate into a folder, on the
machine of the CA. The first front needs it, because there is no front yet that
could answer "patina node join". Whoever can join should, because then the key
does not leave its machine.`,
		Example: `  patina node ca issue front-0 --role front --host front.example.com
  patina node ca issue node-0 --role node --certificates /tmp/node-0`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			in.Name = args[0]
			if err := f.setDefaults(); err != nil {
				return err
			}
			if err := addHosts(&in, f.config); err != nil {
				return err
			}
			ca, err := pki.OpenCA(f.ca)
			if err != nil {
				return err
			}
			if err := refuseToReplace(f.certificates, replace); err != nil {
				return err
			}
			id, err := issue(ca, in, f.certificates)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.Out, "wrote the certificate of %s into %s, valid until %s\n",
				id, layout.Plain(f.certificates), day(id.NotAfter))
			return nil
		},
	}
	addFolderFlags(c, &f)
	addCAFlag(c, &f)
	addInvitationFlags(c, &in, pki.Node)
	c.Flags().BoolVar(&replace, "replace", false, "replace a certificate that the folder has")
	return c
}

// issue writes a key and the certificate that a CA signs for it into a folder.
func issue(ca *pki.CA, in pki.Invitation, dir string) (pki.Identity, error) {
	csr, err := pki.NewRequest(dir)
	if err != nil {
		return pki.Identity{}, err
	}
	chain, err := ca.Sign(in, csr)
	if err != nil {
		return pki.Identity{}, err
	}
	if err := pki.SaveJoined(dir, chain, ca.PEM(), ca.Fingerprint()); err != nil {
		return pki.Identity{}, err
	}
	return pki.ChainIdentity(chain)
}
