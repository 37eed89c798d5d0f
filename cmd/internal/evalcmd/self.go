package evalcmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"patina/actors/api"
	"patina/ask/project"
	"patina/bench/eval/record"
	"patina/bench/eval/self"
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
		Long: `Measure how well this index answers, on questions that the project answers by
itself (a function's comment must find its file, a commit's subject the files it
changed, a bullet of evidence its belief, ...), or on yours with -q: a JSON list
of {"id", "query", "expect": [path or doc_id, ...]}. What is asked is hidden: it
is cut out of a throw-away copy, or is newer than the tree that is searched.

Further measurements have a --help each (docs/evaluation.md):
  eval history               what was measured here before
  eval tokens [sessions]     what answers cost, or what an agent's did cost
  eval act                   what hooks do at an edit or a command
  eval ab, lines, memory, routing

Exit codes: 0 measured, 1 nothing here to measure, 2 error, 130 interrupted
(what was measured is printed and kept).`,
		Example: `  patina eval
  patina eval --dimension temporal --sample 50
  patina eval -q questions.json --json > before.json
  patina eval -q questions.json --compare before.json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && own.file != "":
				return own.askOwn(c)
			case len(args) == 0 && len(own.kinds) > 0:
				return cli.Hint(errors.New("--content-type without -q"),
					"it goes with questions of yours: patina eval -q FILE --content-type KIND")
			case len(args) == 0:
				return own.run(c.Context())
			}
			return cli.Hint(fmt.Errorf("unknown measurement %q", args[0]),
				"run \"patina eval --help\" for what there is")
		},
	}
	own.flags(c)
	for _, part := range []*cobra.Command{
		a.retrieval(), a.lines(), a.memory(), AB(a.App, a.openAt), a.history(),
		a.routing(), a.tokens(), a.act(),
	} {
		part.Hidden = true
		c.AddCommand(part)
	}
	return c
}

// selfEval is one call of "patina eval", with its flags.
type selfEval struct {
	*app
	options self.Options
	file    string   // with the questions
	kinds   []string // with a file: the kinds to rank
	old     string
	asJSON  bool
}

func (s *selfEval) flags(c *cobra.Command) {
	c.Flags().StringVarP(&s.file, "questions", "q", "", "ask the questions in this `file` instead")
	c.Flags().StringArrayVar(&s.kinds, "content-type", nil, "with -q: rank only this `kind`")
	c.Flags().StringArrayVar(&s.options.Dimensions, "dimension", nil,
		"only this `part`: semantic, temporal, belief, memory")
	_ = c.RegisterFlagCompletionFunc("dimension",
		cobra.FixedCompletions(self.Dimensions(), cobra.ShellCompDirectiveNoFileComp))
	c.Flags().IntVar(&s.options.Sample, "sample", self.DefaultSample, "most questions of each sort")
	c.Flags().Uint64Var(&s.options.Seed, "seed", 1, "of the sample and of the intervals")
	c.Flags().StringVar(&s.old, "compare", "", "earlier report (--json) to compare with")
	c.Flags().BoolVar(&s.asJSON, "json", false, "print the whole report as JSON (docs/evaluation.md)")
}

// askOwn asks the questions in a file.
func (s *selfEval) askOwn(c *cobra.Command) error {
	for _, name := range []string{"dimension", "sample", "seed"} {
		if c.Flags().Changed(name) {
			return cli.Hint(fmt.Errorf("--%s beside -q", name),
				"it goes with the questions of the project itself: patina eval")
		}
	}
	return s.askQuestions(c.Context(), s.file, s.old, s.kinds, s.asJSON)
}

// run measures, keeps the means and prints the report. After an interrupt, the partial report is
// kept and printed too.
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

// measure makes the throw-away trees in a folder of their own, and removes it.
func (s *selfEval) measure(ctx context.Context, p project.Place) (report *self.Report, err error) {
	index, err := project.Inspect(ctx, p)
	if err != nil {
		return nil, cli.Explained(err, p)
	}
	defer func() { _ = index.Close() }()
	o := s.options
	o.Root, o.Index, o.Head, o.Oracles = p.Root, index, index.Generation().Head, api.Channels()
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

// memoriesOf returns the current memories of a project, or nil if it has none.
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
