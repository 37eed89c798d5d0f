package nodecmd

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"patina/registry"
)

// A folders says where a node, a front or a user keeps its files to take part.
type folders struct {
	home         string // $PATINA_HOME, with the registry, the clones and their indexes
	config       string // nodes.toml and repositories.toml
	certificates string // tls.key, tls.crt, ca.crt
	ca           string // ca.key, ca.crt, invitations
}

// addFolderFlags adds the flags for the folders. Without a flag, each is a folder of PATINA_HOME.
func addFolderFlags(c *cobra.Command, f *folders) {
	c.Flags().StringVar(&f.config, "config", "", "`folder` of nodes.toml and repositories.toml")
	c.Flags().StringVar(&f.certificates, "certificates", "", "`folder` of tls.key, tls.crt and ca.crt")
}

// addCAFlag adds the flag for the folder of the CA.
func addCAFlag(c *cobra.Command, f *folders) {
	c.Flags().StringVar(&f.ca, "ca", "", "`folder` of the CA's key")
}

// fill sets the folders that no flag has named.
func (f *folders) setDefaults() (err error) {
	if f.home, err = registry.Home(); err != nil {
		return err
	}
	for _, x := range []struct {
		folder *string
		name   string
	}{{&f.config, "cluster"}, {&f.certificates, "certificates"}, {&f.ca, "ca"}} {
		if *x.folder == "" {
			*x.folder = filepath.Join(f.home, x.name)
		}
	}
	return nil
}
