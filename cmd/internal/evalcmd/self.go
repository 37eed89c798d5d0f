package evalcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/ask/project"
	"patina/bench/eval/record"
	"patina/bench/eval/self"
	"patina/cmd/internal/abcmd"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/cmd/internal/memorycmd"
	"patina/memory"
)

// Command is "patina eval", with the measurements of this package.
func Command(streams *cli.App) *cobra.Command {
	a := &app{streams}
	own := &selfEval{app: a}
	c := &cobra.Command{
		Use:   "eval",
		Short: "Measure how well the index answers",
		Long: `Measure this project's index on questions that the project answers by itself: nobody has to write any.

  code → same file      a function's comment or name must find the rest of its file
  block → session       a block of a session's record must find its other blocks
  file → co-changed     a path must find the files that later commits change with it
  commit → files        a later commit's subject must find the files it changed
  evidence → belief     a bullet of evidence must find its belief
  commit → decision     a later commit's message must find the decision it cites
  transcript → memory   the words around a note in a transcript must find the note

What is asked is hidden: it is cut out of a throw-away copy, or lies in commits after the older tree that is searched; the copy is
scraped and its model fitted anew. The same questions go to the engine as users see it, to each oracle alone, with each one off, and
to plain BM25. "vs random" is P@10 over that of a uniform draw. The means are kept for patina eval history.

Exit codes: 0 measured, 1 nothing here to measure, 2 error, 130 interrupted (what was measured is printed and kept).`,
		Example: `  patina eval
  patina eval --dimension temporal --sample 50
  patina eval --json > before.json
  patina eval --compare before.json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return own.run(c.Context())
			}
			return cli.Hint(fmt.Errorf("unknown measurement %q", args[0]), "run \"patina eval --help\" for what there is")
		},
	}
	own.flags(c)
	c.AddCommand(a.retrieval(), a.lines(), a.memory(), abcmd.AB(a.App, a.openAt), a.history(), a.routing(), a.tokens())
	return c
}

// selfEval is what "patina eval" measures without a set of questions.
type selfEval struct {
	*app
	options self.Options
	old     string
	asJSON  bool
}

func (s *selfEval) flags(c *cobra.Command) {
	c.Flags().StringArrayVar(&s.options.Dimensions, "dimension", nil, "only these `tests`: semantic, temporal, belief, memory (repeatable)")
	_ = c.RegisterFlagCompletionFunc("dimension", cobra.FixedCompletions(self.Dimensions(), cobra.ShellCompDirectiveNoFileComp))
	c.Flags().IntVar(&s.options.Sample, "sample", self.DefaultSample, "most questions of each sort")
	c.Flags().Uint64Var(&s.options.Seed, "seed", 1, "of the sample and of the intervals")
	c.Flags().StringVar(&s.old, "compare", "", "earlier report (--json) to compare with")
	c.Flags().BoolVar(&s.asJSON, "json", false, "print the whole report as JSON (schema: docs/evaluation.md)")
}

// run measures, keeps the means and prints the report. What was measured before an interrupt is
// kept and printed as well.
func (s *selfEval) run(ctx context.Context) error {
	var old *self.Report
	var err error
	if s.old != "" {
		if old, err = self.Read(s.old); err != nil {
			return err
		}
	}
	p, err := s.Indexed()
	if err != nil {
		return err
	}
	report, err := s.measure(ctx, p)
	if report == nil || err != nil && !report.Partial {
		return err
	}
	report.Project, report.Version = p.Name, cli.Version
	if report.Asked() > 0 && p.ID != "" {
		if kept := record.Add(p.Home, p.ID, record.Of(report, time.Now())); kept != nil {
			s.Warn("not kept for patina eval history: %v", kept)
		}
	}
	if old != nil {
		report.Compare(old)
	}
	if s.asJSON {
		err = errors.Join(err, layout.Encode(s.Out, report))
	} else {
		err = errors.Join(err, report.Text(s.Out))
	}
	if err == nil && report.Asked() == 0 {
		return cli.Exit(cli.ExitNothing)
	}
	return err
}

// measure makes the throw-away trees in a folder of their own, which it removes.
func (s *selfEval) measure(ctx context.Context, p project.Place) (report *self.Report, err error) {
	index, err := project.Inspect(ctx, p)
	if err != nil {
		return nil, cli.Explained(err, p)
	}
	defer func() { _ = index.Close() }()
	o := s.options
	o.Root, o.Index, o.Head, o.Oracles = p.Root, index, index.Generation().Head, actors.Channels()
	if o.Memories, err = memoriesOf(ctx, p); err != nil {
		return nil, err
	}
	said, faults := memorycmd.Said(p.Root)
	for _, f := range faults {
		s.Warn("transcript not read: %v", f)
	}
	o.Said = said
	if o.Work, err = os.MkdirTemp("", "patina-eval-"); err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(o.Work) }()
	if cli.Terminal(s.Errs) {
		b := cli.NewBar(s.Errs, time.Now)
		o.OnProgress = b.Show
		defer b.Clear()
	}
	e, err := cli.Open(ctx, p, 0)
	if err != nil {
		return nil, cli.Explained(err, p)
	}
	defer cli.Closing(e)
	o.Engine = e
	return self.Run(ctx, o)
}

// memoriesOf lists the current memories of a project.
func memoriesOf(ctx context.Context, p project.Place) (all []memory.Memory, err error) {
	if p.ID == "" {
		return nil, nil
	}
	err = memory.Look(ctx, memory.File(p.Home, p.ID), func(s *memory.Store) (err error) {
		all, err = s.List(ctx, memory.Filter{})
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return all, err
}
