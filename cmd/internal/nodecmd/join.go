package nodecmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/registry"
	"patina/wire/enrol"
	"patina/wire/pki"
)

// maxTokenInput is the longest token on standard input, in bytes.
const maxTokenInput = 64 << 10

func (a *app) join() *cobra.Command {
	var f folders
	var replace bool
	c := &cobra.Command{
		Use:   "join TOKEN",
		Short: "Take part with a token of \"patina node invite\"",
		Long: `Take part in a cluster with a token of "patina node invite". The key is made
here and stays here. A front that belongs to the CA named in the token signs
it. As a user, the addresses of the fronts become your setting "mother".

With "-" the token is read from standard input. A certificate is renewed by
itself, as long as its holder takes part at least once in half of its life.`,
		Example: `  patina node join patina-join-AZbJ...
  wl-paste | patina node join -`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.setDefaults(); err != nil {
				return err
			}
			text := args[0]
			if text == "-" {
				input, err := io.ReadAll(io.LimitReader(a.In, maxTokenInput))
				if err != nil {
					return fmt.Errorf("read token: %w", err)
				}
				text = string(input)
			}
			token, err := pki.ParseToken(text)
			if err != nil {
				return fmt.Errorf("read token: %w", err)
			}
			if err := refuseToReplace(f.certificates, replace); err != nil {
				return err
			}
			id, err := enrol.Join(c.Context(), token, f.certificates)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.Out, "joined as %s, with a certificate until %s in %s\n",
				layout.Plain(id.String()), day(id.NotAfter), layout.Plain(f.certificates))
			if id.Role == pki.User {
				return a.setMother(f.home, token.Addresses)
			}
			return nil
		},
	}
	c.Flags().StringVar(&f.certificates, "certificates", "", "`folder` of tls.key, tls.crt and ca.crt")
	c.Flags().BoolVar(&replace, "replace", false, "replace a certificate that the folder has")
	return c
}

// setMother makes fronts those that the user asks.
func (a *app) setMother(home string, fronts []string) error {
	value := strings.Join(fronts, ",")
	if err := registry.SetUser(home, motherKey, value); err != nil {
		return cli.Hint(fmt.Errorf("you have joined, and the front is not in your settings yet: %w", err),
			"set it yourself: export PATINA_MOTHER="+value)
	}
	fmt.Fprintf(a.Out, "your setting %s is %s now\n", motherKey, layout.Plain(value))
	return nil
}

// motherKey is the setting with the addresses of fronts.
const motherKey = "mother"

// refuseToReplace returns an error for a folder with a certificate that is valid, because it may be
// another one's.
func refuseToReplace(dir string, replace bool) error {
	f, err := pki.OpenFolder(dir)
	switch {
	case replace, errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	if c := f.Certificate(); time.Now().Before(c.NotAfter) {
		return cli.Hint(fmt.Errorf("%s has the certificate of %s, valid until %s", dir, f.Identity(), day(c.NotAfter)),
			"replace it: --replace", "or name another folder: --certificates DIR")
	}
	return nil
}
