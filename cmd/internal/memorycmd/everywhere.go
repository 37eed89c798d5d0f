package memorycmd

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/memory"
	"patina/memory/persona"
)

// everywhereFlag adds the flag that selects the user's notes for all projects.
func everywhereFlag(c *cobra.Command, is *bool) {
	c.Flags().BoolVar(is, "everywhere", false, "your notes for all projects")
}

// acceptEverywhere allows --everywhere before the name of a command. It returns an error if the
// command has no such flag.
func acceptEverywhere(group *cobra.Command) {
	group.PersistentFlags().Bool("everywhere", false, "your notes for all projects")
	_ = group.PersistentFlags().MarkHidden("everywhere")
	group.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		if f := c.Flags().Lookup("everywhere"); f != nil && f.Changed && f.Hidden && c != group {
			return cli.Hint(fmt.Errorf("--everywhere beside memory %s", c.Name()), "it goes with add, list and recall")
		}
		return nil
	}
}

// refuseOthers returns an error for the first given flag that notes for all projects do not have.
func refuseOthers(c *cobra.Command, names ...string) error {
	if name := firstGiven(c, names...); name != "" {
		return cli.Hint(fmt.Errorf("--%s beside --everywhere", name), "it goes with notes about one project")
	}
	return nil
}

// addEverywhere adds a note for all projects.
func (r *remembering) addEverywhere(c *cobra.Command, args []string, supersedes string) error {
	if err := refuseOthers(c, "type", "alias", "confidence", "path", "symbol", "commit", "session", "pin"); err != nil {
		return err
	}
	e := persona.Event{
		Source: cmp.Or(r.memory.Source, directSource), Domains: r.memory.Tags, Supersedes: supersedes,
		Time: time.Now(),
	}
	return addNote(c.Context(), r.app.App, args, e, r.allowSecret, r.asJSON)
}

// listEverywhere lists the notes for all projects.
func (r *remembering) listEverywhere(c *cobra.Command, f memory.Filter) error {
	if err := refuseOthers(c, "type", "path", "moved"); err != nil {
		return err
	}
	if !c.Flags().Changed("limit") {
		f.Limit = listLimit
	}
	return printNotes(c.Context(), r.app.App, wantedNotes{Domains: f.Tags, Limit: f.Limit, All: f.All, JSON: r.asJSON})
}

// recallEverywhere searches the notes for all projects.
func (r *remembering) recallEverywhere(c *cobra.Command, args []string, f memory.Filter) error {
	err := refuseOthers(c, "type", "file", "as-of", "sessions", "inject", "budget", "max", "format")
	if err != nil {
		return err
	}
	if len(args) == 0 {
		return errors.New("no question")
	}
	return printFoundNotes(c.Context(), r.app.App, args, wantedNotes{Domains: f.Tags, Limit: f.Limit, JSON: r.asJSON})
}
