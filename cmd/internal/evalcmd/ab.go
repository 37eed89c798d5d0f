package evalcmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/actors/api"
	"patina/ask/project"
	"patina/bench/eval/ab"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
)

// An abCall is one call of eval ab, with its flags.
type abCall struct {
	*cli.App
	open    Opener
	file    string
	specs   []string
	judge   ab.Judge
	sample  int
	options ab.Options
	asJSON  bool
}

// An Opener opens an engine on a place, passes it to f and closes it.
type Opener func(ctx context.Context, p project.Place, f func(api.Service, dialect.Dialect) error) error

// AB is "patina eval ab": it compares two or more configurations of answers on one file of tasks.
// Package bench/eval/ab measures.
func AB(shared *cli.App, open Opener) *cobra.Command {
	x := &abCall{App: shared, open: open}
	c := &cobra.Command{
		Use:   "ab -q TASKS",
		Short: "Compare two configurations of answers",
		Long: `Ask each task of a file in two configurations (arms) or more, and print how much
of the knowledge and code it needs the first results show, the tokens spent, and
the differences to the first arm with 95% intervals. TASKS is a JSON list of
{"id", "kind": "task"|"knowledge", "query", "knowledge": [...], "code": [...]}.

An arm is a preset (beliefs-on, snippets, beliefs-off, annotations, channel,
full), or NAME:key=value,... with beliefs, annotations, view, limit, budget,
rule, oracles, weight.NAME, place.KIND (docs/evaluation.md says what each is).

--judge runs a command of yours (sh -c) over shuffled pairs of answers. Every
answer and judgement is kept under $PATINA_HOME/eval/ab.`,
		Example: `  patina eval ab -q tasks.json --arm snippets --arm full --json
  patina eval ab -q tasks.json --arm now:beliefs-on --arm more:weight.belief=1.5
  patina eval ab -q tasks.json --judge ./judge.sh --judge-timeout 5m`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return x.run(c.Context()) },
	}
	f := c.Flags()
	f.StringVarP(&x.file, "tasks", "q", "", "the tasks, a `file`")
	f.StringArrayVar(&x.specs, "arm", []string{"annotations", "beliefs-on"},
		"an `arm`; the first is compared with the others")
	f.IntVarP(&x.options.K, "k", "k", 10, "results that count")
	f.IntVar(&x.sample, "sample", 0, "ask only so many tasks, drawn by the seed; 0: all")
	f.Uint64Var(&x.options.Seed, "seed", 1, "of samples and of the order of pairs")
	f.StringVar(&x.judge.Command, "judge", "", "let this `command` judge the answers")
	f.DurationVar(&x.judge.Silence, "judge-timeout", 2*time.Minute, "how long to wait for its next answer")
	f.BoolVar(&x.asJSON, "json", false, "print the whole report as JSON")
	_ = c.RegisterFlagCompletionFunc("arm", cobra.FixedCompletions(ab.Presets(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

func (x *abCall) run(ctx context.Context) error {
	if x.file == "" {
		return cli.Hint(errors.New("no tasks"), "name a file: patina eval ab -q TASKS")
	}
	tasks, err := ab.Load(x.file)
	if err != nil {
		return err
	}
	var arms []ab.Arm
	for _, spec := range x.specs {
		arm, err := ab.ParseArm(spec)
		if err != nil {
			return cli.Hint(err, "see: patina eval ab --help")
		}
		arms = append(arms, arm)
	}
	if x.judge.Command != "" {
		x.options.Judge = &x.judge
	}
	p, err := x.Indexed()
	if err != nil {
		return err
	}
	if x.options.Record, err = ab.NewRecord(filepath.Join(p.Home, "eval", "ab"), time.Now()); err != nil {
		x.Warn("%v", err)
	}
	tasks = ab.Sample(tasks, x.sample, x.options.Seed)
	x.options.Record.Begin(x.file, tasks, arms, x.options)
	err = x.open(ctx, p, func(e api.Service, dialect dialect.Dialect) error {
		x.options.Print = func(a *api.Answer, budget int) (string, error) {
			var text strings.Builder
			err := deliver.Snippets(&text, a, deliver.Options{Dialect: dialect, Budget: budget, Logged: true})
			return text.String(), err
		}
		return x.compare(ctx, e, tasks, arms)
	})
	if bad := x.options.Record.Close(err); bad != nil {
		x.Warn("%v", bad)
	}
	if err != nil && x.options.Record.Kept() {
		x.Warn("what was done until then is kept: %s", x.options.Record.Path())
	}
	return err
}

func (x *abCall) compare(ctx context.Context, e api.Service, tasks []ab.Task, arms []ab.Arm) error {
	if cli.Terminal(x.Errs) {
		began := time.Now()
		draw := func(what string) func(done, total int) {
			return func(done, total int) {
				if time.Since(began) > time.Second {
					fmt.Fprintf(x.Errs, "\r\x1b[K%s %d/%d", what, done, total)
				}
			}
		}
		x.options.OnProgress, x.options.OnJudged = draw("asked"), draw("judged")
		defer fmt.Fprint(x.Errs, "\r\x1b[K")
	}
	report, err := ab.Run(ctx, e, tasks, arms, x.options)
	switch {
	case errors.Is(err, ab.ErrOther):
		return cli.Hint(err, "ask from the project that they are about, and scrape it first: patina scrape")
	case err != nil:
		return err
	case x.asJSON:
		return layout.Encode(x.Out, report)
	}
	return report.Text(x.Out)
}
