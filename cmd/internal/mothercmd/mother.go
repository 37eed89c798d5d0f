package mothercmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/drawing"
	"patina/cmd/internal/layout"
	"patina/graph"
	"patina/registry/mother"
)

// Mother is "patina mother", the earlier name of Repo for the commands about links.
func Mother(shared *cli.App) *cobra.Command {
	a := &app{shared}
	c := &cobra.Command{
		Use:   "mother",
		Short: "Link repositories, so that a question finds what others know",
		Long: `Link repositories, so that a question finds what others know. This is an earlier
name of "patina repo": the commands of both are the same.`,
		Example: `  patina repo link app library USES --evidence "go.mod"
  patina repo sync`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return cli.Hint(errors.New("unknown command mother "+cli.Quoted(args[0])),
				"there are: patina mother link, unlink, sync, suggest, graph, stats, learn")
		},
	}
	c.AddCommand(a.commands()...)
	return c
}

// edgeLine returns an edge on one line.
func edgeLine(e mother.Edge, names map[string]string) string {
	line := fmt.Sprintf("%s %s %s  weight %.2f", layout.Plain(names[e.From]), e.Relation, layout.Plain(names[e.To]),
		e.Weight)
	if e.Evidence != "" {
		line += "  (" + layout.Plain(e.Evidence) + ")"
	}
	return line
}

// names returns the names of all projects, by id.
func (m *repos) names(ctx context.Context) (map[string]string, error) {
	all, err := m.knownRepositories(ctx)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, r := range all {
		names[r.ID] = r.Name
	}
	return names, nil
}

// completeEdge completes two repositories and a relation.
func (a *app) completeEdge(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 2 {
		return mother.Relations(), cobra.ShellCompDirectiveNoFileComp
	}
	return a.completeRepos(c, args, begun)
}

// ends returns the two repositories of an edge.
func (m *repos) ends(ctx context.Context, from, to string) (a, b mother.Repository, err error) {
	if a, err = m.find(ctx, from); err == nil {
		b, err = m.find(ctx, to)
	}
	return a, b, err
}

func (a *app) motherLink() *cobra.Command {
	var e mother.Edge
	var remove bool
	c := &cobra.Command{
		Use:   "link A B " + strings.Join(mother.Relations(), "|"),
		Short: "Link one repository to another",
		Long: `Link repository A to B: a question asked in A with --all-repos may follow the
link. Linking them again with the same relation changes weight and evidence.

  USES         A depends on B
  LEARNS_FROM  A takes its ideas from B
  TESTS_WITH   A needs B for its tests alone
  SIBLING      A belongs together with B
  DOMAIN       A and B are about the same matters

--remove takes the links from A to B away: all, or that of one relation.`,
		Example: `  patina repo link app library USES --evidence "go.mod requires it"
  patina repo link app old-app LEARNS_FROM --weight 0.7
  patina repo link app library --remove`,
		Args: func(c *cobra.Command, args []string) error {
			if remove {
				return cobra.RangeArgs(2, 3)(c, args)
			}
			return cobra.ExactArgs(3)(c, args)
		},
		ValidArgsFunction: a.completeEdge,
		RunE: a.run(nil, func(c *cobra.Command, m *repos, args []string) error {
			if remove {
				return m.unlink(c.Context(), args)
			}
			from, to, err := m.ends(c.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			if c.Flags().Changed("weight") && e.Weight == 0 {
				return cli.Hint(fmt.Errorf("weight 0: %w", mother.ErrWeight),
					"to take the edge away: patina mother unlink")
			}
			e.From, e.To, e.Relation = from.ID, to.ID, strings.ToUpper(args[2])
			if err := mother.Link(c.Context(), m.home, e); err != nil {
				return Unlinked(err)
			}
			fmt.Fprintf(a.Out, "linked %s %s %s\n", layout.Plain(from.Name), e.Relation, layout.Plain(to.Name))
			return nil
		}),
	}
	c.Flags().Float64Var(&e.Weight, "weight", 0, fmt.Sprintf("above 0, at most 1.5 (default %v)", mother.StartWeight))
	c.Flags().StringVar(&e.Evidence, "evidence", "", "why, in a few `words`")
	c.Flags().BoolVar(&remove, "remove", false, "take the links from A to B away")
	for _, name := range []string{"weight", "evidence"} {
		c.MarkFlagsMutuallyExclusive(name, "remove")
	}
	return c
}

func (a *app) motherUnlink() *cobra.Command {
	return &cobra.Command{
		Use:               "unlink A B [RELATION]",
		Short:             "Take the links from one repository to another away",
		Long:              "Take the links from repository A to B away: all, or that of one relation. This\nis an earlier name of \"patina repo link A B --remove\".",
		Example:           `  patina repo link app library USES --remove`,
		Args:              cobra.RangeArgs(2, 3),
		ValidArgsFunction: a.completeEdge,
		RunE: a.run(nil,
			func(c *cobra.Command, m *repos, args []string) error { return m.unlink(c.Context(), args) }),
		Hidden: true,
	}
}

// unlink removes the edges from one repository to another: all, or those of the relation in
// args[2].
func (m *repos) unlink(ctx context.Context, args []string) error {
	from, to, err := m.ends(ctx, args[0], args[1])
	if err != nil {
		return err
	}
	relation := ""
	if len(args) == 3 {
		relation = strings.ToUpper(args[2])
	}
	n, err := mother.Unlink(ctx, m.home, from.ID, to.ID, relation)
	if errors.Is(err, mother.ErrNoEdge) {
		return cli.Hint(fmt.Errorf("unlink %s and %s: %w", from.Name, to.Name, err), "for all: patina mother stats")
	}
	if err != nil {
		return Unlinked(err)
	}
	fmt.Fprintf(m.Out, "removed %s\n", cli.Plural(n, "edge"))
	return nil
}

func (a *app) motherGraph() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "graph",
		Short: "Draw the graph of repositories",
		Long: `Draw the graph of registered repositories and their links. This is an earlier
name of "patina repo list --graph".

Formats: mermaid (for Markdown), dot (for Graphviz), svg (a drawing), json.`,
		Example: `  patina repo list --graph svg > graph.svg`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			m, err := a.repositories(false)
			if err != nil {
				return err
			}
			return m.graph(c.Context(), format)
		},
		Hidden: true,
	}
	c.Flags().StringVar(&format, "format", "mermaid", "the `form`: "+strings.Join(cli.GraphFormats, ", "))
	_ = c.RegisterFlagCompletionFunc("format",
		cobra.FixedCompletions(cli.GraphFormats, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// nodes returns the repositories in the graph, registered or linked, and the edges.
func (m *repos) nodes(ctx context.Context) (nodes []mother.Repository, edges []mother.Edge, err error) {
	if edges, err = mother.Edges(ctx, m.home, ""); err != nil {
		return nil, nil, Unlinked(err)
	}
	registered, err := mother.Repositories(ctx, m.home)
	if err != nil {
		return nil, nil, Unlinked(err)
	}
	all, err := m.knownRepositories(ctx)
	for _, r := range all {
		if slices.ContainsFunc(registered, func(x mother.Repository) bool { return x.ID == r.ID }) ||
			slices.ContainsFunc(edges, func(e mother.Edge) bool { return e.From == r.ID || e.To == r.ID }) {
			nodes = append(nodes, r)
		}
	}
	return nodes, edges, err
}

// graph draws the repositories and their edges in one of cli.GraphFormats.
func (m *repos) graph(ctx context.Context, format string) error {
	if !slices.Contains(cli.GraphFormats, format) {
		return cli.Hint(fmt.Errorf("unknown format %q", format), "there are: "+strings.Join(cli.GraphFormats, ", "))
	}
	m.asJSON = format == "json"
	nodes, edges, err := m.nodes(ctx)
	if err != nil {
		return err
	}
	if m.asJSON {
		out := []jsonRepository{}
		for _, r := range nodes {
			out = append(out, jsonRepository{r, state(r)})
		}
		err = layout.Encode(m.Out, struct {
			Schema int              `json:"schema"`
			Nodes  []jsonRepository `json:"nodes"`
			Edges  []mother.Edge    `json:"edges"`
		}{layout.Schema, out, append([]mother.Edge{}, edges...)})
	} else {
		err = m.drawNodes(ctx, nodes, format)
	}
	return m.endList(err, len(nodes), "")
}

// drawNodes draws some repositories and the edges between them.
func (m *repos) drawNodes(ctx context.Context, nodes []mother.Repository, format string) error {
	all, err := ask.MotherGraph(ctx, m.home)
	if err != nil {
		return Unlinked(err)
	}
	g := &graph.Graph{Title: all.Title, Edges: all.Edges}
	for _, r := range nodes {
		if n, ok := all.Node(r.ID); ok {
			if s := state(r); s != "" {
				n.Faint, n.Under = true, s
			}
			g.Nodes = append(g.Nodes, n)
		}
	}
	g.Tidy()
	return drawing.Write(m.Out, g, format)
}

func (a *app) motherStats() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "stats",
		Short: "Show what each link was worth",
		Long: `Show what each link was worth. This is an earlier name of
"patina repo list --edges".`,
		Example: `  patina repo list --edges`,
		Args:    cobra.NoArgs,
		RunE: a.run(&asJSON, func(c *cobra.Command, m *repos, _ []string) error {
			return m.stats(c.Context())
		}),
		Hidden: true,
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON (schema: docs/repositories.md)")
	return c
}

// shownWeights is the number of earlier weights on a line.
const shownWeights = 5

func (m *repos) stats(ctx context.Context) error {
	edges, err := mother.Edges(ctx, m.home, "")
	if err != nil {
		return Unlinked(err)
	}
	names, err := m.names(ctx)
	if err != nil {
		return err
	}
	type edgeStats struct {
		mother.Edge
		FromName string          `json:"from_name"`
		ToName   string          `json:"to_name"`
		History  []mother.Weight `json:"history"`
	}
	out := []edgeStats{}
	histories, err := mother.Histories(ctx, m.home)
	if err != nil {
		return Unlinked(err)
	}
	for _, e := range edges {
		out = append(out, edgeStats{e, names[e.From], names[e.To], append([]mother.Weight{}, histories[e.Way()]...)})
	}
	if m.asJSON {
		err = layout.Encode(m.Out, struct {
			Schema int         `json:"schema"`
			Edges  []edgeStats `json:"edges"`
		}{layout.Schema, out})
	} else {
		for _, e := range out {
			var had []string
			for _, w := range e.History[max(0, len(e.History)-shownWeights):] {
				had = append(had, fmt.Sprintf("%.2f", w.Weight))
			}
			fmt.Fprintf(m.Out, "%s\n  asked %d, shown %d, used %d; weights %s; made %s\n",
				edgeLine(e.Edge, names), e.Asked, e.Shown, e.Used, strings.Join(had, " → "),
				e.Made.Format(time.DateOnly))
		}
	}
	return m.endList(err, len(out), "no edge: patina mother link A B USES, or patina mother suggest")
}

func (a *app) motherLearn() *cobra.Command {
	var forget bool
	c := &cobra.Command{
		Use:   "learn",
		Short: "Move the weights of links by what was used",
		Long: `Move the weights of links by what was used. A link with at least five results
shown goes a tenth of the way to 0.5 + used / shown: a useless one falls to
0.5, one whose every result is used rises to 1.5. The weight orders the links
that a question may follow; among results it counts 1 at most.

Exit codes: 0 moved, 1 nothing to learn, 2 error.`,
		Example: `  patina repo learn
  patina repo learn --forget     # the weights are as you gave them`,
		Args: cobra.NoArgs,
		RunE: a.run(nil, func(c *cobra.Command, m *repos, _ []string) error {
			if forget {
				if err := mother.Forget(c.Context(), m.home); err != nil {
					return Unlinked(err)
				}
				fmt.Fprintln(a.Out, "forgotten: the weights are as you gave them")
				return nil
			}
			return m.learn(c.Context())
		}),
		Hidden: true,
	}
	c.Flags().BoolVar(&forget, "forget", false, "take back all that was learned")
	return c
}

func (m *repos) learn(ctx context.Context) error {
	steps, err := mother.Learn(ctx, m.home)
	if err != nil {
		return Unlinked(err)
	}
	names, err := m.names(ctx)
	if err != nil {
		return err
	}
	for _, s := range steps {
		fmt.Fprintf(m.Out, "%s %s %s: %.2f → %.2f (used %d of %d shown)\n",
			layout.Plain(names[s.From]), s.Relation, layout.Plain(names[s.To]), s.Before, s.Weight, s.Used, s.Shown)
	}
	return m.endList(nil, len(steps), "nothing to learn: no edge has shown five results since the last time")
}
