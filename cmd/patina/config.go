package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"patina/cmd/internal/layout"
	"patina/registry"
)

func (a *app) config() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "config",
		Short: "Show the settings and where each came from",
		Long: `Show each setting, its value and where the value came from: a flag, a PATINA_*
variable, .patina.toml at the root (for a team), config.toml in $PATINA_HOME
(for you), or the default, in this order. A .patina.toml may only lower limits.

Settings (defaults: patina config; in full: patina config --json):
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

// settingsHelp returns a line for each setting, for the help page. Text that does not fit into the
// line is in "config --json".
func settingsHelp() string {
	var lines []string
	for _, d := range registry.DefaultSettings() {
		lines = append(lines, shorten(fmt.Sprintf("  %-14s  %s", d.Key, d.About)))
	}
	return strings.Join(lines, "\n")
}

// shorten cuts clauses off the end of a line until it fits into a help page.
func shorten(line string) string {
	for len(line) > helpColumns {
		line = line[:max(strings.LastIndex(line, ", "), strings.LastIndex(line, " ("), strings.LastIndex(line, ": "),
			0)]
	}
	return line
}
