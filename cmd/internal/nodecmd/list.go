package nodecmd

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
)

func (a *app) list() *cobra.Command {
	var f folders
	var fronts []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List the repositories that you may ask, with their nodes",
		Long: `List the repositories of the cluster that you may ask, with the nodes that have
them, the commit of the newest index, and when that was made.

Exit codes: 0 there are some, 1 there is none, 2 no front could be asked.`,
		Example: `  patina node list
  patina node list --json | jq -r '.repositories[].name'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := f.setDefaults(); err != nil {
				return err
			}
			m, err := askStatus(c.Context(), &f, fronts, true)
			if err != nil {
				return err
			}
			all := replicatedOf(m.GetRepositories())
			if asJSON {
				err = layout.Encode(a.Out, struct {
					Schema       int          `json:"schema"`
					Repositories []replicated `json:"repositories"`
				}{layout.Schema, all})
			} else {
				err = a.printReplicated(all, time.Now())
			}
			if err == nil && len(all) == 0 {
				err = cli.Exit(cli.ExitNothing)
			}
			return err
		},
	}
	addAskFlags(c, &f, &fronts, &asJSON)
	return c
}

// shortHead is how much of a commit is printed.
const shortHead = 12

// printReplicated prints a line a repository.
func (a *app) printReplicated(all []replicated, now time.Time) error {
	if len(all) == 0 {
		_, err := fmt.Fprintln(a.Errs, "patina: there is no repository that you may ask")
		return err
	}
	w := tabwriter.NewWriter(a.Out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "REPOSITORY\tHEAD\tAGE\tNODES")
	for _, r := range all {
		head, age := "-", "-"
		if x := r.newest(); x != nil {
			head, age = x.Head[:min(shortHead, len(x.Head))], ageText(now.Sub(*x.ScrapedAt))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", layout.Plain(r.Name), layout.Plain(head), age, r.nodes())
	}
	return w.Flush()
}

// newest returns the replica with the newest index, or nil.
func (r replicated) newest() (newest *replica) {
	for i, x := range r.Replicas {
		if x.ScrapedAt != nil && (newest == nil || x.ScrapedAt.After(*newest.ScrapedAt)) {
			newest = &r.Replicas[i]
		}
	}
	return newest
}
