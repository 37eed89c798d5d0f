package evalcmd

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"patina/actors/api"
	"patina/ask"
	"patina/ask/project"
	"patina/bench/eval"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
)

// openAt opens an engine on a place, passes it to f and closes it.
func (a *app) openAt(ctx context.Context, p project.Place, f func(api.Service, dialect.Dialect) error) error {
	err := ask.Open(ctx, cli.Engines{App: a.App}, &p, 0, func() {},
		func(e api.Service) error { return f(e, a.spelling(p)) })
	return cli.Explained(err, p)
}

// spelling returns the dialect for calls about a place in a shell.
func (a *app) spelling(p project.Place) dialect.Dialect {
	if a.Store == "" {
		return dialect.CLI{}
	}
	return dialect.CLI{Store: p.Store}
}

// retrieval is "patina eval retrieval".
func (a *app) retrieval() *cobra.Command {
	var file, old string
	var kinds []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "retrieval -q FILE",
		Short: "Ask questions whose answers are known",
		Long: `Ask questions whose answers are known, of the engine, of each oracle alone, of
all but one, and of a plain BM25, and print how high the expected answers stand,
with 95% intervals. This is an earlier name of "patina eval -q FILE".
"expect": [] marks a question that should be refused.`,
		Example: `  patina eval -q questions.json
  patina eval -q questions.json --compare before.json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if file == "" {
				return cli.Hint(fmt.Errorf("no questions"), "name a set: patina eval retrieval -q FILE")
			}
			return a.askQuestions(c.Context(), file, old, kinds, asJSON)
		},
	}
	c.Flags().StringVarP(&file, "questions", "q", "", "set of questions")
	c.Flags().StringVar(&old, "compare", "", "earlier report (--json) to compare with")
	c.Flags().StringArrayVar(&kinds, "content-type", nil, "rank only this `kind`: "+ask.Kinds())
	c.Flags().BoolVar(&asJSON, "json", false, "print the whole report as JSON")
	return c
}

// askQuestions measures the questions in a file, over some kinds of documents. If old is not empty,
// the report is compared with that earlier one.
func (a *app) askQuestions(ctx context.Context, file, old string, kinds []string, asJSON bool) error {
	questions, err := eval.Load(file)
	if err != nil {
		return err
	}
	o := eval.Options{}
	if o.Filter.Kinds, err = ask.KindsNamed(kinds); err != nil {
		return err
	}
	if old != "" {
		if o.Compare, err = eval.ReadReport(old); err != nil {
			return err
		}
	}
	return a.measure(ctx, questions, o, asJSON)
}

// lines is "patina eval lines".
func (a *app) lines() *cobra.Command {
	var file, name string
	var asJSON bool
	c := &cobra.Command{
		Use:   "lines -q FILE",
		Short: "Ask questions whose answers are lines",
		Long: `Ask questions whose answers are lines, as a user would, and print how often the
result shows the lines that answer, how often its file is right, how often such
a line is in the printed text, and the tokens of the text (bytes / 4).

The set is a JSON list of repositories {"name", "questions": [{"kind", "query",
"expect": ["path:first-last", "path" or "commit:sha"]}]}. The one named like
this project's folder is asked. Each expected place is enough.`,
		Example: `  patina eval lines -q lines.json
  patina eval lines -q lines.json --name redis --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if file == "" {
				return cli.Hint(fmt.Errorf("no questions"), "name a set: patina eval lines -q FILE")
			}
			sets, err := eval.LoadLines(file)
			if err != nil {
				return err
			}
			p, err := a.Indexed()
			if err != nil {
				return err
			}
			if name == "" {
				name = filepath.Base(p.Root)
			}
			i := slices.IndexFunc(sets, func(s eval.LineSet) bool { return s.Name == name })
			if i < 0 {
				return cli.Hint(fmt.Errorf("no questions about %q in %q", name, file),
					"name a repository of the set with --name")
			}
			return a.measureLines(c.Context(), p, sets[i], asJSON)
		},
	}
	c.Flags().StringVarP(&file, "questions", "q", "", "set of questions")
	c.Flags().StringVar(&name, "name", "", "the repository in the set, if not this folder's `name`")
	c.Flags().BoolVar(&asJSON, "json", false, "print a row a question as JSON")
	return c
}

func (a *app) measureLines(ctx context.Context, p project.Place, set eval.LineSet, asJSON bool) error {
	printed := func(answer *api.Answer) (string, error) {
		var text strings.Builder
		err := deliver.Snippets(&text, answer, deliver.Options{Dialect: a.spelling(p), Logged: true})
		return text.String(), err
	}
	return a.openAt(ctx, p, func(e api.Service, _ dialect.Dialect) error {
		rows, err := eval.Lines(ctx, e, set.Questions, printed)
		if err != nil {
			return err
		}
		if asJSON {
			return layout.Encode(a.Out, rows)
		}
		return eval.LinesText(a.Out, set.Name, rows)
	})
}

func (a *app) measure(ctx context.Context, questions []eval.Question, o eval.Options, asJSON bool) error {
	p, err := a.Indexed()
	if err != nil {
		return err
	}
	all, err := project.Inspect(ctx, p)
	if err != nil {
		return cli.Explained(err, p)
	}
	defer func() { _ = all.Close() }()
	o.Baseline = all
	if cli.Terminal(a.Errs) {
		o.OnProgress = func(done, total int) { fmt.Fprintf(a.Errs, "\r\x1b[Kasked %d/%d", done, total) }
		defer fmt.Fprint(a.Errs, "\r\x1b[K")
	}
	return a.openAt(ctx, p, func(e api.Service, _ dialect.Dialect) error {
		report, err := eval.Run(ctx, e, questions, o)
		if err != nil {
			return err
		}
		if asJSON {
			return layout.Encode(a.Out, report)
		}
		return report.Text(a.Out)
	})
}
