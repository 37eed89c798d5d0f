package beliefcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/ask"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver/beliefs"
	"patina/cmd/internal/dialect"
	"patina/code/lookup"
)

// beliefFlags adds the flags that all questions about beliefs have.
func (s *command) beliefFlags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&s.asJSON, "json", false, "print JSON (schema: docs/knowledge.md)")
	f.BoolVar(&s.noRefresh, "no-refresh", false, "answer from the index as it is: do not look for changes since the scrape")
	f.Duration("timeout", time.Minute, "how long to wait for an answer")
	f.Int("budget", 0, "most tokens of the text (bytes / 4); 0 means 1500")
}

// list is the command that lists what a project holds to be true.
func list(a *cli.App) *cobra.Command {
	s := &command{App: a}
	var status string
	var facets []string
	var all bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List beliefs, those that stand highest first",
		Long: `List the beliefs that hold, those that stand highest first: the statement, how firmly it is held, how it stands against the others
(patina scry why belief:ID), the links of its evidence and how many of them lead to something, and how many beliefs and sessions
name it. Decision records in force are among them; --status and --all list the others too.

Exit codes: 0 found, 1 none, 2 error.`,
		Example: `  patina belief list
  patina belief list --facet testing
  patina belief list --status defeated
  patina belief list --all --json | jq -r '.beliefs[].id'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.prepare(c); err != nil {
				return err
			}
			if strings.EqualFold(status, "all") {
				status, all = "", true
			}
			if status != "" && !slices.Contains(statuses, strings.ToLower(status)) {
				return cli.Hint(fmt.Errorf("unknown status %q", status), "there are: "+strings.Join(statuses, ", ")+", all")
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
	c.Flags().StringVar(&status, "status", "", "only beliefs with this `status`: "+strings.Join(statuses, ", ")+"; or all")
	c.Flags().StringArrayVar(&facets, "facet", nil, "only beliefs with this `word` among their facets; may be repeated")
	c.Flags().BoolVar(&all, "all", false, "also beliefs that hold no more, and proposed ones")
	_ = c.RegisterFlagCompletionFunc("status", cobra.FixedCompletions(append(slices.Clone(statuses), "all"), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// statuses are those of beliefs (docs/knowledge.md).
var statuses = []string{"active", "scoped", "proposed", "defeated", "archived"}

// list prints the beliefs that keep wants.
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
	c := &cobra.Command{
		Use:   "show ID",
		Short: "Show a belief: its evidence and what still holds, its standing, its history",
		Long: `Show one belief or decision record: its statement, each piece of its evidence with what it leads to and whether that has changed
since the belief was dated, its links to other beliefs, its standing line by line (docs/knowledge.md), and its history.

Exit codes: 0 found, 2 no such belief, or another error.`,
		Example: `  patina belief show sync-first
  patina belief show sync-first --json`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: complete(a),
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.prepare(c); err != nil {
				return err
			}
			return s.showPage(c.Context(), beliefIDs(args)[0])
		},
	}
	s.beliefFlags(c)
	return c
}

// shownCommits is the number of commits in a belief's history.
const shownCommits = 5

func (s *command) showPage(ctx context.Context, id string) error {
	return s.ask(ctx, func(e actors.Service) error {
		a, err := e.Beliefs(ctx, actors.BeliefsRequest{ReadOptions: s.Call.Within(), IDs: []string{id}})
		if errors.Is(err, lookup.ErrNoDocument) {
			return cli.Hint(fmt.Errorf("no belief %q in the index", id), "for all: patina belief list --all", "to search: patina scry --content-type beliefs WORDS")
		}
		if err != nil {
			return err
		}
		a.Index = s.Call.State(a.Index)
		a.Beliefs = a.Beliefs[:1]
		p := beliefs.Page{Entry: a.Beliefs[0]}
		if p.Standing, err = e.Standing(ctx, actors.StandingRequest{ReadOptions: s.Call.Within(), ID: p.ID}); err != nil {
			return err
		}
		p.Standing.Index = a.Index
		file, err := e.Detail(ctx, actors.DetailRequest{ReadOptions: s.Call.Within(), DocID: p.Path})
		if err != nil {
			return err
		}
		p.Log, p.Checks = beliefs.RevisionLog(file.Body), strings.Contains(file.Body, "```verify")
		near, err := e.Links(ctx, actors.LinksRequest{ReadOptions: s.Call.Within(), Path: p.Path, Commits: shownCommits})
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

// complete completes the ids of beliefs, without those that a shell could take for more than a
// word.
func complete(a *cli.App) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		s := &command{App: a, noRefresh: true}
		var ids []string
		if len(args) == 0 && s.prepare(c) == nil {
			_ = s.ask(c.Context(), func(e actors.Service) error {
				all, err := e.Beliefs(c.Context(), actors.BeliefsRequest{ReadOptions: actors.ReadOptions{Timeout: time.Second}})
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

// audit is the command that finds what is wrong with beliefs.
func audit(a *cli.App) *cobra.Command {
	s := &command{App: a}
	var strict bool
	c := &cobra.Command{
		Use:   "audit",
		Short: "Find beliefs with broken links, no evidence, or evidence that has changed",
		Long: `Examine all beliefs with files of their own, and say what is wrong and what to do about it:

  not read       a file among the beliefs that breaks the format
  misread        a status, an entrenchment or a link's status without a meaning
  twice          another belief has its id
  broken link    a link to a belief, session, commit or path that the index does not have
  self attack    a belief that attacks or supports itself
  cycle          supports, or attacks, that lead back to where they began
  contradicted   an active belief that stands as high attacks it
  stale          a file of its evidence has changed since the belief was dated
  unverifiable   no evidence that leads to something, and no check
  unused         no belief, session or file names it, it has no check, and is about no known file

The last three are hints: a belief may be new, and changed evidence may still hold.

Exit codes: 0 nothing but hints, 1 something is wrong (with --strict: also a hint), 2 error.`,
		Example: `  patina belief audit
  patina belief audit --strict
  patina belief audit --json | jq -r '.findings[] | "\(.path):\(.line) \(.flaw)"'`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := s.prepare(c); err != nil {
				return err
			}
			return s.audit(c.Context(), strict)
		},
	}
	s.beliefFlags(c)
	c.Flags().BoolVar(&strict, "strict", false, "exit with 1 for hints as well")
	return c
}

func (s *command) audit(ctx context.Context, strict bool) error {
	return s.ask(ctx, func(e actors.Service) error {
		a, err := e.Audit(ctx, actors.AuditRequest{ReadOptions: s.Call.Within()})
		if err != nil {
			return err
		}
		a.Index = s.Call.State(a.Index)
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
