package beliefcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/actors/api"
	"patina/ask"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver/beliefs"
	"patina/cmd/internal/dialect"
	"patina/code/lookup"
)

// beliefFlags adds the flags common to all commands that ask about beliefs.
func (s *command) beliefFlags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&s.asJSON, "json", false, "print JSON (docs/knowledge.md)")
	f.BoolVar(&s.noRefresh, "no-refresh", false, "do not look for changes since the scrape")
	f.Duration("timeout", time.Minute, "how long to wait for an answer")
	f.Int("budget", 0, "most tokens of the text (bytes / 4); 0 means 1500")
}

// list is the command that lists a project's beliefs.
func list(a *cli.App) *cobra.Command {
	s := &command{App: a}
	var status, about, form string
	var facets []string
	var all bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List beliefs, those that stand highest first",
		Long: `List the beliefs that hold, those that stand highest first: the statement, how
firmly it is held, how it stands against the others, the links of its evidence
and how many of them lead to something, and how often it is named. Decision
records in force are among them.

--about lists the beliefs about a file, each with the reason. --graph draws who
supports, attacks or supersedes whom: mermaid, dot, svg or json.

Exit codes: 0 found, 1 none, 2 error.`,
		Example: `  patina belief list --facet testing
  patina belief list --about src/lock.go
  patina belief list --status defeated
  patina belief list --graph svg > beliefs.svg`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.prepare(c); err != nil {
				return err
			}
			switch {
			case form != "":
				return s.graph(c.Context(), "", form)
			case about != "":
				return s.reach(c.Context(), nil, about)
			}
			if strings.EqualFold(status, "all") {
				status, all = "", true
			}
			if status != "" && !slices.Contains(statuses, strings.ToLower(status)) {
				return cli.Hint(fmt.Errorf("unknown status %q", status),
					"there are: "+strings.Join(statuses, ", ")+", all")
			}
			return s.list(c.Context(), func(status_ string, has []string) bool {
				if !all && status == "" && !ask.IsHeld(status_) || status != "" && !strings.EqualFold(status_, status) {
					return false
				}
				return !slices.ContainsFunc(facets, func(f string) bool {
					return !slices.ContainsFunc(has, func(h string) bool { return strings.EqualFold(h, f) })
				})
			})
		},
	}
	s.beliefFlags(c)
	c.Flags().StringVar(&status, "status", "", "only this `status`: "+strings.Join(statuses, ", ")+"; or all")
	c.Flags().StringArrayVar(&facets, "facet", nil, "only with this `word` among their facets")
	c.Flags().BoolVar(&all, "all", false, "also beliefs that hold no more, and proposed ones")
	c.Flags().StringVar(&about, "about", "", "only the beliefs about this `file`")
	c.Flags().StringVar(&form, "graph", "", "draw them in this `form`: "+strings.Join(cli.GraphFormats, ", "))
	c.MarkFlagsMutuallyExclusive("about", "graph", "all")
	c.MarkFlagsMutuallyExclusive("about", "graph", "status")
	c.MarkFlagsMutuallyExclusive("about", "graph", "facet")
	_ = c.RegisterFlagCompletionFunc("graph",
		cobra.FixedCompletions(cli.GraphFormats, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("status",
		cobra.FixedCompletions(append(slices.Clone(statuses), "all"), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// statuses are the statuses of beliefs (docs/knowledge.md).
var statuses = []string{"active", "scoped", "proposed", "defeated", "archived"}

// list prints the beliefs that keep accepts.
func (s *command) list(ctx context.Context, keep func(status string, facets []string) bool) error {
	list, err := ask.ListBeliefs(ctx, s.Call, keep)
	if err != nil {
		return s.Finish(err)
	}
	return s.Finish(s.PrintBeliefs(list))
}

// show is the command that shows all that is known of a belief.
func show(a *cli.App) *cobra.Command {
	s := &command{App: a}
	form := ""
	c := &cobra.Command{
		Use:   "show ID",
		Short: "Show what speaks for a belief, and what still holds",
		Long: `Show what speaks for one belief or decision record: its statement, each piece of
its evidence with what it leads to and whether that has changed since, its
links to other beliefs, its standing line by line, and its history.

Exit codes: 0 found, 2 no such belief, or another error.`,
		Example: `  patina belief show sync-first
  patina belief show sync-first --graph svg > around.svg
  patina belief show sync-first --json`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: complete(a),
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.prepare(c); err != nil {
				return err
			}
			if form != "" {
				return s.graph(c.Context(), beliefIDs(args)[0], form)
			}
			return s.showPage(c.Context(), beliefIDs(args)[0])
		},
	}
	s.beliefFlags(c)
	c.Flags().StringVar(&form, "graph", "", "draw it, with what is at most two links away, in this `form`")
	_ = c.RegisterFlagCompletionFunc("graph",
		cobra.FixedCompletions(cli.GraphFormats, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// shownCommits is the number of commits in a belief's history.
const shownCommits = 5

func (s *command) showPage(ctx context.Context, id string) error {
	return s.ask(ctx, func(e api.Service) error {
		a, err := e.Beliefs(ctx, api.BeliefsRequest{ReadOptions: s.Call.Within(), IDs: []string{id}})
		if errors.Is(err, lookup.ErrNoDocument) {
			return cli.Hint(fmt.Errorf("no belief %q in the index", id), "for all: patina belief list --all",
				"to search: patina scry --content-type beliefs WORDS")
		}
		if err != nil {
			return err
		}
		a.Index = s.Call.State(a.Index)
		a.Beliefs = a.Beliefs[:1]
		p := beliefs.Page{Entry: a.Beliefs[0]}
		if p.Standing, err = e.Standing(ctx, api.StandingRequest{ReadOptions: s.Call.Within(), ID: p.ID}); err != nil {
			return err
		}
		p.Standing.Index = a.Index
		file, err := e.Detail(ctx, api.DetailRequest{ReadOptions: s.Call.Within(), DocID: p.Path})
		if err != nil {
			return err
		}
		p.Log, p.Checks = beliefs.RevisionLog(file.Body), strings.Contains(file.Body, "```verify")
		near, err := e.Links(ctx, api.LinksRequest{ReadOptions: s.Call.Within(), Path: p.Path, Commits: shownCommits})
		if err != nil && !errors.Is(err, lookup.ErrNoDocument) {
			return err
		}
		if err == nil {
			p.Commits, p.Older = near.Links, max(0, near.Commits-shownCommits)
		}
		if s.asJSON {
			return beliefs.ListJSON(s.Out, a, p)
		}
		return beliefs.Show(s.Out, p, s.Options(false))
	})
}

// complete completes the ids of beliefs, except ids that need quoting in a shell.
func complete(a *cli.App) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		s := &command{App: a, noRefresh: true}
		var ids []string
		if len(args) == 0 && s.prepare(c) == nil {
			_ = s.ask(c.Context(), func(e api.Service) error {
				all, err := e.Beliefs(c.Context(),
					api.BeliefsRequest{ReadOptions: api.ReadOptions{Timeout: time.Second}})
				if err != nil {
					return err
				}
				for _, x := range all.Beliefs {
					if strings.HasPrefix(x.ID, typed) && dialect.Command(x.ID) == "patina "+x.ID {
						ids = append(ids, x.ID)
					}
				}
				return nil
			})
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
}

// audit is the command that finds flaws in beliefs.
func audit(a *cli.App) *cobra.Command {
	s := &command{App: a}
	var strict bool
	c := &cobra.Command{
		Use:   "audit",
		Short: "Find beliefs with broken links, no evidence, or evidence that has changed",
		Long: `Find beliefs with broken links, no evidence, or evidence that has changed. This
is an earlier name of "patina belief check --only links".

Exit codes: 0 nothing but hints, 1 something is wrong (with --strict: also a
hint), 2 error.`,
		Example: `  patina belief check --only links
  patina belief check --only links --strict`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.prepare(c); err != nil {
				return err
			}
			return s.audit(c.Context(), nil, strict)
		},
	}
	s.beliefFlags(c)
	c.Flags().BoolVar(&strict, "strict", false, "exit with 1 for hints as well")
	return c
}

// audit prints the flaws of beliefs. Without ids, it prints those of all.
func (s *command) audit(ctx context.Context, ids []string, strict bool) error {
	return s.ask(ctx, func(e api.Service) error {
		a, err := e.Audit(ctx, api.AuditRequest{ReadOptions: s.Call.Within()})
		if err != nil {
			return err
		}
		a.Index = s.Call.State(a.Index)
		if len(ids) > 0 {
			about := a.Findings[:0]
			for _, f := range a.Findings {
				if slices.Contains(ids, f.ID) {
					about = append(about, f)
				}
			}
			a.Findings, a.Beliefs = about, len(ids)
		}
		if s.asJSON {
			err = beliefs.AuditJSON(s.Out, a)
		} else {
			err = beliefs.Audit(s.Out, a, s.Options(false))
		}
		if err != nil {
			return err
		}
		for _, f := range a.Findings {
			if strict || !f.Flaw.Hint() {
				return cli.Exit(cli.ExitNothing)
			}
		}
		return nil
	})
}
