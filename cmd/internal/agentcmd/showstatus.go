package agentcmd

import (
	"cmp"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
)

func (a *app) agentStatus() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "status",
		Short: "Show which coding agents have patina",
		Long: `Show which coding agents are found on this machine, and how what "patina agent
install" adds stands in their files: intact, edited (somebody has changed it),
missing, or unreadable.`,
		Example: `  patina agent status
  patina agent status --json | jq -r '.standings[].file'`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			env, err := a.agentEnv(false)
			if err != nil {
				return err
			}
			standings := env.Status()
			if asJSON {
				return layout.Encode(a.Out, struct {
					Schema    int        `json:"schema"`
					Version   string     `json:"version"`
					OnPath    string     `json:"on_path"`
					Standings []Standing `json:"standings"`
				}{layout.Schema, cli.Version, env.OnPath("patina"), standings})
			}
			return a.showStatus(env, standings)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print it as JSON, file by file")
	return c
}

func (a *app) showStatus(env Env, standings []Standing) error {
	at := env.OnPath("patina")
	fmt.Fprintf(a.Out, "patina %s, %s\n\n", cli.Version,
		cmp.Or(layout.OneLine(prefixed("on PATH as ", at)), "not on PATH, by which clients start it"))
	w := tabwriter.NewWriter(a.Out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "client\tfound\tuser\tproject")
	for _, c := range Clients() {
		found := "no"
		if env.Detected(c) {
			found = "yes"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", c.Name, found, entryState(standings, c, User),
			entryState(standings, c, Project))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, s := range standings {
		if s.State == Missing || s.State == Intact && s.What == Entry {
			continue
		}
		state := string(s.State)
		if s.Why != "" {
			state = "unreadable, " + s.Why
		}
		fmt.Fprintf(a.Out, "%s, %s in %s: %s\n", s.Client, s.What, layout.OneLine(env.Show(s.File)),
			layout.OneLine(state))
	}
	return nil
}

func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// entryState returns the state of a client's entry in a scope, or "-".
func entryState(all []Standing, c Client, scope Scope) string {
	for _, s := range all {
		if s.Client == c.Name && s.Scope == scope && s.What == Entry {
			return cmp.Or(string(s.State), "unreadable")
		}
	}
	return "-"
}
