package mothercmd

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/registry/mother"
)

// state returns the fault of a repository in a few words, or "".
func state(r mother.Repository) string {
	if r.Far != "" { // its own machines say
		return ""
	}
	info, err := os.Stat(r.Root)
	switch {
	case err != nil:
		return "its folder is gone or has moved"
	case !info.IsDir():
		return "it is no folder any more"
	}
	p, err := project.At(r.Root, "")
	switch {
	case err != nil:
		return err.Error()
	case p.ID != r.ID:
		return "another repository lies there now"
	case !p.Published():
		return "it has no index"
	case p.Doubt != "":
		return "its index is not believed: " + p.Doubt
	}
	return ""
}

func (a *app) repoList() *cobra.Command {
	var asJSON, edges, fromMother bool
	var graph string
	c := &cobra.Command{
		Use:   "list",
		Short: "List the repositories, their links, and what is wrong",
		Long: `List the repositories by name: their languages, when each was last synced, its
folder, and what is wrong with it. --edges lists the links instead, the heaviest
first: how often each was followed, how many results it showed, how many of
them were used, and its weights. --graph draws both. --from-mother lists what
other machines offer to you.

Exit codes: 0 found, 1 none, 2 error.`,
		Example: `  patina repo list
  patina repo list --edges
  patina repo list --graph svg > graph.svg
  patina repo list --json | jq -r '.repositories[].root'`,
		Args: cobra.NoArgs,
		RunE: a.run(&asJSON, func(c *cobra.Command, m *repos, _ []string) error {
			switch {
			case fromMother:
				return m.listOffered(c.Context())
			case graph != "":
				return m.graph(c.Context(), graph)
			case edges:
				return m.stats(c.Context())
			}
			return m.list(c.Context())
		}),
	}
	c.Flags().BoolVar(&edges, "edges", false, "list the links, and what each was worth")
	c.Flags().StringVar(&graph, "graph", "", "draw them in this `form`: "+strings.Join(cli.GraphFormats, ", "))
	_ = c.RegisterFlagCompletionFunc("graph",
		cobra.FixedCompletions(cli.GraphFormats, cobra.ShellCompDirectiveNoFileComp))
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/repositories.md)")
	c.Flags().BoolVar(&fromMother, "from-mother", false, "list what other machines offer")
	c.MarkFlagsMutuallyExclusive("edges", "graph", "from-mother")
	c.MarkFlagsMutuallyExclusive("json", "graph")
	return c
}

// A jsonRepository is a repository in JSON: docs/repositories.md.
type jsonRepository struct {
	mother.Repository
	State string `json:"state"` // empty: no fault
}

func (m *repos) list(ctx context.Context) error {
	all, err := mother.Repositories(ctx, m.home)
	if err != nil {
		return Unlinked(err)
	}
	if m.asJSON {
		out := []jsonRepository{}
		for _, r := range all {
			out = append(out, jsonRepository{r, state(r)})
		}
		err = layout.Encode(m.Out, struct {
			Schema       int              `json:"schema"`
			Repositories []jsonRepository `json:"repositories"`
		}{layout.Schema, out})
	} else {
		for _, r := range all {
			fmt.Fprintln(m.Out, repositoryLine(r))
		}
	}
	return m.endList(err, len(all), noRepository)
}

func repositoryLine(r mother.Repository) string {
	parts := []string{layout.Plain(r.Name)}
	if len(r.Languages) > 0 {
		parts = append(parts, layout.Plain(strings.Join(r.Languages[:min(3, len(r.Languages))], ", ")))
	}
	synced := "never synced"
	if !r.Synced.IsZero() {
		synced = "synced " + r.Synced.Format(time.DateOnly)
	}
	if r.Far != "" {
		parts = append(parts, "from mother: "+layout.Plain(r.Far))
	} else {
		parts = append(parts, synced, layout.Plain(r.Root))
	}
	if s := state(r); s != "" {
		parts = append(parts, "! "+layout.Plain(s))
	}
	return strings.Join(parts, "  ")
}

func (a *app) repoShow() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "show NAME",
		Short: "Show a repository and its links",
		Long: `Show a repository: its folder or address, domains, packages, languages, state,
and the links that lead from and to it.

Exit codes: 0 found, 2 error.`,
		Example:           `  patina repo show cobra`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeRepos,
		RunE: a.run(&asJSON, func(c *cobra.Command, m *repos, args []string) error {
			return m.show(c.Context(), args[0])
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/repositories.md)")
	return c
}

func (m *repos) show(ctx context.Context, name string) error {
	r, err := m.find(ctx, name)
	if err != nil {
		return err
	}
	edges, err := mother.Edges(ctx, m.home, "")
	if err != nil {
		return Unlinked(err)
	}
	edges = slices.DeleteFunc(edges, func(e mother.Edge) bool { return e.From != r.ID && e.To != r.ID })
	if m.asJSON {
		return layout.Encode(m.Out, struct {
			Schema int `json:"schema"`
			jsonRepository
			Edges []mother.Edge `json:"edges"`
		}{layout.Schema, jsonRepository{r, state(r)}, append([]mother.Edge{}, edges...)})
	}
	fmt.Fprintln(m.Out, repositoryLine(r))
	for _, row := range []struct {
		what  string
		words []string
	}{
		{"id", []string{r.ID}},
		{"cloned from", []string{r.URL}},
		{"domains", r.Domains},
		{"packages", r.Packages},
		{"languages", r.Languages},
	} {
		if text := strings.Join(row.words, ", "); text != "" {
			fmt.Fprintf(m.Out, "  %s: %s\n", row.what, layout.Plain(text))
		}
	}
	names, err := m.names(ctx)
	if err != nil {
		return err
	}
	for _, e := range edges {
		fmt.Fprintln(m.Out, "  "+edgeLine(e, names))
	}
	return nil
}
