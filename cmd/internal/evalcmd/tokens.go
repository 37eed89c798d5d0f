package evalcmd

import (
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"patina/actors/api"
	"patina/ask/project"
	"patina/bench/eval"
	"patina/bench/eval/spend"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/layout"
)

// tokensSample is the number of questions made from a project's commits.
const tokensSample = 50

// tokens is the command that compares the cost of answers in several forms.
func (a *app) tokens() *cobra.Command {
	var file string
	var asJSON bool
	var o spend.Options
	c := &cobra.Command{
		Use:   "tokens [-q FILE]",
		Short: "Count the tokens of answers in several forms",
		Long: `Ask questions, of a set or from the project's own commits, and count the tokens
(bytes / 4) of the answer as printed, with the first result in detail, of the
same results in full, of their files read whole, and of what rg prints for the
question's rarest word, alone and with 60 lines around a hit.

What sessions have really cost: patina eval tokens sessions.
Exit codes: 0 counted, 1 no question to ask, 2 error.`,
		Example: "  patina eval tokens\n  patina eval tokens -q questions.json --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if file != "" {
				qs, err := eval.Load(file)
				if err != nil {
					return err
				}
				for _, q := range qs {
					o.Questions = append(o.Questions, q.Query)
				}
			}
			p, err := a.Indexed()
			if err != nil {
				return err
			}
			index, err := project.Inspect(c.Context(), p)
			if err != nil {
				return cli.Explained(err, p)
			}
			defer func() { _ = index.Close() }()
			e, err := cli.Open(c.Context(), p, 0)
			if err != nil {
				return cli.Explained(err, p)
			}
			defer cli.Closing(e)
			o.Index, o.Engine = index, e
			o.Snippets = func(w io.Writer, answer *api.Answer) error {
				return deliver.Snippets(w, answer, deliver.Options{Dialect: dialect.CLI{}, Logged: true})
			}
			o.Detail = func(w io.Writer, d *api.DetailAnswer) error {
				return deliver.Detail(w,
					deliver.Document{Description: d.Description, Body: d.Body, Next: func(page int) string {
						return dialect.CLI{}.Describe(d.DocID, page)
					}}, 1, deliver.Options{Dialect: dialect.CLI{}})
			}
			if cli.Terminal(a.Errs) {
				b := cli.NewBar(a.Errs, time.Now)
				o.OnProgress = func(done, total int) { b.Show("asked", done, total) }
				defer b.Clear()
			}
			report, err := spend.Run(c.Context(), o)
			switch {
			case errors.Is(err, spend.ErrNoQuestions):
				a.Warn("%v: name a set, patina eval tokens -q FILE", err)
				return cli.Exit(cli.ExitNothing)
			case err != nil:
				return err
			case asJSON:
				return layout.Encode(a.Out, report)
			}
			return report.Text(a.Out)
		},
	}
	c.Flags().StringVarP(&file, "questions", "q", "", "set of questions, a `file`")
	c.Flags().IntVar(&o.Sample, "sample", tokensSample, "most questions, without a set")
	c.Flags().Uint64Var(&o.Seed, "seed", 1, "of the sample")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON (docs/evaluation.md)")
	c.AddCommand(a.sessions())
	return c
}
