package nodecmd

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/wire/config"
	"patina/wire/pki"
)

// usualTTL is how long an invitation is valid: long enough to send it and to paste it.
const usualTTL = 10 * time.Minute

// addInvitationFlags adds the flags that say who gets a certificate.
func addInvitationFlags(c *cobra.Command, in *pki.Invitation, role pki.Role) {
	in.Role = role
	c.Flags().StringVar((*string)(&in.Role), "role", string(role), "`role` in the cluster: user, node or front")
	c.Flags().StringSliceVar(&in.Hosts, "host", nil, "`host` name or IP address of a node or front (default: as in nodes.toml)")
}

// addHosts adds the host that nodes.toml has for a node or front, if none is given.
func addHosts(in *pki.Invitation, dir string) error {
	if len(in.Hosts) > 0 || in.Role == pki.User {
		return nil
	}
	c, err := readOptional(dir)
	if err != nil {
		return err
	}
	for _, n := range slices.Concat(c.Nodes, c.Fronts) {
		if host, _, err := net.SplitHostPort(n.Address); err == nil && n.Name == in.Name {
			in.Hosts = []string{host}
		}
	}
	return nil
}

// readOptional reads the configuration in a folder. Without nodes.toml it is empty.
func readOptional(dir string) (*config.Config, error) {
	c, err := config.Read(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return &config.Config{}, nil
	}
	return c, err
}

func (a *app) invite() *cobra.Command {
	var f folders
	var in pki.Invitation
	var groups, fronts []string
	var ttl time.Duration
	var asJSON bool
	c := &cobra.Command{
		Use:   "invite NAME",
		Short: "Write a token by which a user, node or front joins",
		Long: `Write a token for someone who is to join, on the machine of the CA, and the
command to paste for its receiver. It is valid once and for a short time. What
its holder may ask is in nodes.toml: --groups adds a user to groups there.

Send a token where nobody else reads it. Who joins with it is NAME.`,
		Example: `  patina node invite anna --groups backend
  patina node invite node-3 --role node --host node-3.example.com
  patina node invite anna --front front.example.com:7470 --ttl 1h`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			in.Name = args[0]
			if err := f.setDefaults(); err != nil {
				return err
			}
			i := &invited{Schema: layout.Schema, Name: in.Name, Role: in.Role, Groups: groups, Expires: time.Now().Add(ttl).UTC()}
			if err := i.make(&f, in, fronts, ttl); err != nil {
				return err
			}
			if asJSON {
				return layout.Encode(a.Out, i)
			}
			a.printInvited(i)
			return nil
		},
	}
	addFolderFlags(c, &f)
	addCAFlag(c, &f)
	addInvitationFlags(c, &in, pki.User)
	c.Flags().StringSliceVar(&groups, "groups", nil, "`groups` of nodes.toml that a user is added to")
	c.Flags().StringSliceVar(&fronts, "front", nil, "`host:port` of fronts that answer (default: as in nodes.toml)")
	c.Flags().DurationVar(&ttl, "ttl", usualTTL, "how long the token is valid")
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

// An invited is an invitation as it is printed.
type invited struct {
	Schema  int       `json:"schema"`
	Token   string    `json:"token"`
	Name    string    `json:"name"`
	Role    pki.Role  `json:"role"`
	Groups  []string  `json:"groups"`
	Fronts  []string  `json:"fronts"`
	Expires time.Time `json:"expires"`
	edited  bool      // nodes.toml was
}

// make opens the invitation. Groups are added before, so that the receiver may ask at once.
func (i *invited) make(f *folders, in pki.Invitation, fronts []string, ttl time.Duration) error {
	c, err := readOptional(f.config)
	if err != nil {
		return err
	}
	if i.Fronts = fronts; len(fronts) == 0 {
		for _, n := range c.Fronts {
			i.Fronts = append(i.Fronts, n.Address)
		}
	}
	if i.Groups == nil {
		i.Groups = []string{}
	}
	switch {
	case len(i.Fronts) == 0:
		return cli.Hint(fmt.Errorf("invite %s: no front is in %s", in.Name, config.NodesFile),
			"name who will answer: --front HOST:PORT", "or name the folder of nodes.toml: --config DIR")
	case c.IsRevoked(in.Name, ""):
		return cli.Hint(fmt.Errorf("invite %s: the name is revoked in %s, so its certificate would be refused",
			in.Name, config.NodesFile), "invite it by another name, or remove this one from [revoked]")
	case len(i.Groups) > 0 && in.Role != pki.User:
		return fmt.Errorf("invite %s %s: groups are of users: leave --groups out", in.Role, in.Name)
	}
	if err := addHosts(&in, f.config); err != nil {
		return err
	}
	ca, err := pki.OpenCA(f.ca)
	if err != nil {
		return err
	}
	if len(i.Groups) > 0 {
		if i.edited, err = config.AddUser(f.config, in.Name, i.Groups); err != nil {
			return err
		}
	}
	token, err := ca.Invite(in, i.Fronts, ttl)
	if err != nil {
		return err
	}
	i.Token, err = token.Text()
	return err
}

func (a *app) printInvited(i *invited) {
	fmt.Fprintf(a.Out, "patina node join %s\n", i.Token)
	fmt.Fprintf(a.Out, "note: it lets one machine join as %s/%s until %s\n", i.Role, layout.Plain(i.Name), minute(i.Expires))
	fmt.Fprintf(a.Out, "note: \"patina node join -\" reads it from standard input, so that it is in no shell's history\n")
	if i.edited {
		fmt.Fprintf(a.Out, "note: %s was added to %s in %s: commit it\n",
			layout.Plain(i.Name), layout.Plain(strings.Join(i.Groups, ", ")), config.NodesFile)
	}
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

func minute(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
