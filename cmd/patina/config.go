package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"patina/cmd/internal/layout"
	"patina/registry"
)

func (a *app) config() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "config",
		Short: "Show each setting and where it came from",
		Long: `Show each setting, its value and where the value came from: a flag, a PATINA_* variable, .patina.toml at the root of the
project (for a team, committed), config.toml in $PATINA_HOME (for a user), or the default, in this order.

A repository may be a stranger's, so its .patina.toml only lowers limits: what raises timeout, limit, budget or refresh, or switches
log.queries on, against what the user or the default says, does not count, and is noted here.

Settings:
` + settingsHelp(),
		Example: `  patina config
  PATINA_LIMIT=20 patina config
  echo 'log.queries = false' >> ~/.patina/config.toml`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			p, err := a.Here()
			if err != nil {
				return err
			}
			_, list, err := a.Settings(c, p)
			if err != nil {
				return err
			}
			if asJSON {
				return layout.Encode(a.Out, struct {
					Schema   int                `json:"schema"`
					Home     string             `json:"home"`
					Root     string             `json:"root"`
					Store    string             `json:"store"`
					Settings []registry.Setting `json:"settings"`
				}{layout.Schema, p.Home, p.Root, p.Store, list})
			}
			w := tabwriter.NewWriter(a.Out, 0, 8, 2, ' ', 0)
			for _, s := range list {
				from := s.Origin
				if s.Note != "" {
					from += " (not counted: " + s.Note + ")"
				}
				fmt.Fprintf(w, "%s\t%s\t%s\n", s.Key, layout.Plain(s.Value), layout.Plain(from))
			}
			fmt.Fprintln(w)
			for _, folder := range [][2]string{{"home", p.Home}, {"root", p.Root}, {"store", p.Store}} {
				fmt.Fprintf(w, "%s\t%s\n", folder[0], layout.Plain(folder[1]))
			}
			return w.Flush()
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

func settingsHelp() string {
	s := ""
	for _, d := range registry.DefaultSettings() {
		s += fmt.Sprintf("  %-12s %s; default %s\n", d.Key, d.About, d.Value)
	}
	return s[:len(s)-1]
}
