package memorycmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/memory"
	"patina/store/doc"
)

func (a *app) memoryConsolidate() *cobra.Command {
	r := &remembering{app: a}
	var dry, apply, likely, runs bool
	var undo string
	c := &cobra.Command{
		Use:   "consolidate",
		Short: "Find notes that say the same, and let one stand for them",
		Long: `Find notes that say the same, apart from filler and the order of their parts
(docs/memory.md has the rule), and print each pair with the reason. With --apply
one note stands for the others, with their tags and the highest confidence. A
pinned note is never superseded. Pairs that only probably say the same, because
one has an abbreviation and the other its words, are printed too; --apply leaves
them unless --likely is given. --undo takes a run back.

Exit codes: 0 found or undone, 1 nothing to do, 2 error.`,
		Example: "  patina memory consolidate\n  patina memory consolidate --apply\n  patina memory consolidate --undo c-1f6e90ab12cd",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			ctx := c.Context()
			var done memory.Consolidation
			var err error
			tell, cleared := a.compared()
			switch {
			case runs:
				return r.runs(ctx)
			case undo != "":
				return r.change(ctx, func(s *memory.Store) error {
					n, err := s.Undo(ctx, undo)
					switch {
					case err != nil:
						return err
					case r.asJSON:
						return writeJSON(a.Out, map[string]any{"undone": undo, "memories": n})
					}
					_, err = fmt.Fprintf(a.Out, "%s undone: %s as before\n", undo, cli.Plural(n, "note"))
					return err
				})
			case apply:
				err = r.change(ctx, func(s *memory.Store) (err error) {
					if !likely {
						done, err = s.Consolidate(ctx, tell)
						return err
					}
					if done, err = r.plan(ctx, s, tell); err == nil {
						done, err = s.Apply(ctx, done)
					}
					return err
				})
			case likely:
				return cli.Hint(errors.New("--likely without --apply"), "the likely pairs are always printed")
			default:
				err = r.look(ctx, func(s *memory.Store) (err error) {
					done, err = r.plan(ctx, s, tell)
					return err
				})
			}
			cleared()
			if err == nil {
				err = r.consolidated(done)
			}
			return err
		},
	}
	c.Flags().BoolVar(&apply, "apply", false, "do it")
	c.Flags().BoolVar(&likely, "likely", false, "with --apply: do it for likely pairs, too")
	c.Flags().BoolVar(&dry, "dry-run", false, "only print what would be done (the default)")
	c.Flags().StringVar(&undo, "undo", "", "take back the run with this `id`")
	c.Flags().BoolVar(&runs, "runs", false, "list the runs that --undo takes back")
	c.MarkFlagsMutuallyExclusive("apply", "dry-run", "undo", "runs")
	r.jsonFlag(c)
	return c
}

// plan returns the pairs that say the same, and those that probably do.
func (r *remembering) plan(ctx context.Context, s *memory.Store, tell func(done, total int)) (memory.Consolidation, error) {
	plan, err := s.Propose(ctx, tell)
	if err != nil {
		return plan, err
	}
	p, err := r.app.Here()
	if err != nil {
		return plan, err
	}
	return plan, project.WithNotesModel(ctx, p, r.app.Warn, func(m doc.BatchEmbedder) error {
		return s.AddLikely(ctx, m, &plan)
	})
}

// runs prints the consolidations, newest first.
func (r *remembering) runs(ctx context.Context) error {
	all := []memory.Run{}
	err := r.look(ctx, func(s *memory.Store) error {
		found, err := s.Runs(ctx)
		all = append([]memory.Run{}, found...)
		return err
	})
	if err == nil && r.asJSON {
		err = writeJSON(r.app.Out, all)
	} else if err == nil {
		err = writeRuns(r.app.Out, all)
	}
	if err == nil && len(all) == 0 {
		err = cli.Exit(cli.ExitNothing)
	}
	return err
}

// compared returns a function that draws the progress of a comparison, and one that clears it. The
// first is nil if there is no terminal.
func (a *app) compared() (tell func(done, total int), cleared func()) {
	if !cli.Terminal(a.Errs) {
		return nil, func() {}
	}
	b := cli.NewBar(a.Errs, time.Now)
	return func(done, total int) { b.Show("notes", done, total) }, b.Clear
}

func (r *remembering) consolidated(done memory.Consolidation) (err error) {
	if r.asJSON {
		done.Proposals = append([]memory.Proposal{}, done.Proposals...)
		err = writeJSON(r.app.Out, done)
	} else {
		err = writeConsolidation(r.app.Out, done)
	}
	if len(done.Proposals) == 0 {
		err = errors.Join(err, cli.Exit(cli.ExitNothing))
	}
	return err
}
