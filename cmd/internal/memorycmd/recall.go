package memorycmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
	"patina/memory"
	"patina/memory/recall"
	"patina/store/doc"
)

func (a *app) memoryRecall() *cobra.Command {
	r := &remembering{app: a}
	var q memory.Query
	var in injection
	var asOf string
	var inject, everywhere bool
	c := &cobra.Command{
		Use:   "recall QUERY",
		Short: "Find the notes that answer a question",
		Long: `Find the notes that answer a question, best first, by words, meaning, confidence
and age; then what was said in sessions (layer/sessions), marked [session].
With --everywhere, your notes for all projects.

--inject prints them for the context of a model: whole notes, as many as fit
into a budget that is never exceeded. "-" then reads the task from standard
input. Exit codes: 0 found, 1 none, 2 error.

` + dialect.InLines("For agents: "+dialect.RecallRule, 0),
		Example: `  patina memory recall "why is the pool so small"
  patina memory recall retries --type gotcha --as-of 2026-01-31
  patina memory recall --inject "add a retry to the upload" --max 3
  patina memory recall --everywhere how do I write tests`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) (err error) {
			switch name := firstGiven(c, "budget", "max", "format"); {
			case everywhere:
				return r.recallEverywhere(c, args, q.Filter)
			case name != "" && !inject:
				return cli.Hint(fmt.Errorf("--%s without --inject", name),
					"it goes with notes for a model: patina memory recall --inject QUERY")
			case inject:
				if name := firstGiven(c, "as-of", "limit", "json"); name != "" {
					return cli.Hint(fmt.Errorf("--%s beside --inject", name),
						"want --budget, --max, --format, --type, --tags, --file, --sessions")
				}
				return r.inject(c, args, q, in)
			}
			q.Text = strings.Join(args, " ")
			if asOf != "" {
				if q.Filter.AsOf, err = momentOf(asOf); err != nil {
					return err
				}
			}
			found, err := r.askMemory(c, q)
			switch {
			case err != nil:
				return err
			case r.asJSON:
				err = writeJSON(a.Out, append([]memory.Found{}, found...))
			default:
				err = writeRecalled(a.Out, found, time.Now(), dialect.CLI{})
			}
			if err == nil && len(found) == 0 {
				err = cli.Exit(cli.ExitNothing)
			}
			return err
		},
	}
	c.Flags().StringVar(&asOf, "as-of", "", "what held at the end of a `date`, or at a time (RFC 3339)")
	c.Flags().IntVar(&q.Filter.Limit, "limit", recallLimit, "how many at most (1 to 100)")
	askFlags(c, &q)
	r.sessionFlag(c)
	r.jsonFlag(c)
	c.Flags().BoolVar(&inject, "inject", false, "print them for the context of a model")
	in.flags(c)
	for _, name := range []string{"budget", "max", "format"} {
		f := c.Flags().Lookup(name)
		f.Usage = "with --inject: " + f.Usage
	}
	everywhereFlag(c, &everywhere)
	return c
}

// firstGiven returns the first of some flags that was given, or "".
func firstGiven(c *cobra.Command, names ...string) string {
	for _, name := range names {
		if c.Flags().Changed(name) {
			return name
		}
	}
	return ""
}

func askFlags(c *cobra.Command, q *memory.Query) {
	c.Flags().StringSliceVar(&q.Filter.Tags, "tags", nil, "only with any of these `tags`")
	c.Flags().StringVar(&q.Filter.Path, "file", "", "only about this `file`")
	c.Flags().StringSliceVar(&q.Filter.Types, "type", nil, "only these `types`; session: only what was said")
	types := append(slices.Clone(memory.Types), memory.SessionTurn, memory.TranscriptTurn)
	_ = c.RegisterFlagCompletionFunc("type", cobra.FixedCompletions(types, cobra.ShellCompDirectiveNoFileComp))
}

// checkTypes returns an error for a type that no note or turn has.
func checkTypes(types []string) error {
	for _, t := range types {
		if t != memory.SessionTurn && t != memory.TranscriptTurn && !slices.Contains(memory.Types, t) {
			return fmt.Errorf("unknown type %q, there are: %s, %s, %s", t, strings.Join(memory.Types, ", "),
				memory.SessionTurn, memory.TranscriptTurn)
		}
	}
	return nil
}

// momentOf parses a time or a date. A date means the end of its day.
func momentOf(s string) (time.Time, error) {
	if day, err := time.ParseInLocation(time.DateOnly, s, time.Local); err == nil {
		return day.AddDate(0, 0, 1).Add(-time.Second), nil
	}
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return at, fmt.Errorf("%q is no date: want 2026-01-31 or 2026-01-31T15:04:05Z", s)
	}
	return at, nil
}

// askMemory recalls from the project's memories.
func (r *remembering) askMemory(c *cobra.Command, q memory.Query) ([]memory.Found, error) {
	p, err := r.app.Here()
	if err != nil {
		return nil, err
	}
	s, _, err := r.app.Settings(c, p)
	if err != nil {
		return nil, err
	}
	p.Scoring = recall.Scoring(s.Scoring)
	return r.findIn(c.Context(), p, q)
}

// findIn recalls from the memories of a project.
func (r *remembering) findIn(ctx context.Context, p project.Place, q memory.Query) ([]memory.Found, error) {
	if strings.TrimSpace(q.Text) == "" {
		return nil, errors.New("no question")
	}
	if q.Filter.Limit < 1 || q.Filter.Limit > 100 {
		return nil, fmt.Errorf("limit %d is not 1 to 100", q.Filter.Limit)
	}
	if err := checkTypes(q.Filter.Types); err != nil {
		return nil, err
	}
	notes, sessions, err := r.searched(q)
	if err != nil {
		return nil, err
	}
	q.Scoring, q.Defined = p.Scoring, project.Definitions(p)
	q.Filter.Tags = slices.Clone(q.Filter.Tags)
	for i, t := range q.Filter.Tags {
		q.Filter.Tags[i] = strings.ToLower(strings.TrimSpace(t))
	}
	if q.Filter.Path != "" {
		q.Filter.Path = filepath.ToSlash(filepath.Clean(q.Filter.Path))
	}
	var found []memory.Found
	file := memory.File(p.Home, p.ID)
	if notes && p.ID != "" {
		err = project.WithNotesModel(ctx, p, r.app.Warn, func(m doc.BatchEmbedder) (err error) {
			q.Model = m
			found, err = memory.Ask(ctx, file, q)
			return err
		})
	}
	if err == nil && sessions {
		found, err = withTurns(ctx, p, q, found)
	}
	return found, taughtMemory(err, file)
}

func (a *app) memoryInject() *cobra.Command {
	r := &remembering{app: a}
	in := injection{}
	var q memory.Query
	c := &cobra.Command{
		Use:   "inject QUERY|-",
		Short: "Print the notes for a task, within a budget",
		Long: `Print the notes that help with a task, to put into the context of a model. This
is an earlier name of "patina memory recall --inject".

Exit codes: 0 found, 1 nothing relevant, 2 error.`,
		Example: `  patina memory recall --inject "add a retry to the upload" --max 3
  patina memory recall --inject - --budget 1000 --format json <task.txt`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return r.inject(c, args, q, in) },
	}
	in.flags(c)
	askFlags(c, &q)
	r.sessionFlag(c)
	return c
}

// flags adds the flags for the size and the form of an injection.
func (in *injection) flags(c *cobra.Command) {
	c.Flags().IntVar(&in.Budget, "budget", InjectTokens, "most tokens, bytes / 4")
	c.Flags().IntVar(&in.Max, "max", InjectMax, "most notes; 0 means as many as fit")
	c.Flags().StringVar(&in.Format, "format", "bullets", "the `form`: "+strings.Join(injectFormats, ", "))
	_ = c.RegisterFlagCompletionFunc("format",
		cobra.FixedCompletions(injectFormats, cobra.ShellCompDirectiveNoFileComp))
}

// inject prints the notes for a task, within a budget.
func (r *remembering) inject(c *cobra.Command, args []string, q memory.Query, in injection) (err error) {
	if !slices.Contains(injectFormats, in.Format) {
		return fmt.Errorf("unknown format %q, there are: %s", in.Format, strings.Join(injectFormats, ", "))
	}
	if in.Budget < leastInjected || in.Max < 0 {
		return errInjection
	}
	if q.Text, err = r.question(args); err != nil {
		return err
	}
	q.Filter.Limit = injectCandidates
	if in.Found, err = r.askMemory(c, q); err != nil {
		return err
	}
	in.Narrowed, in.Dialect = typedFlags(c, "type", "tags", "file", "sessions"), dialect.CLI{}
	return writeFoundFor(r.app.Out, q.Text, in)
}

// writeFoundFor prints the memories found for a task. Without memories it returns cli.ExitNothing.
func writeFoundFor(w io.Writer, question string, in injection) (err error) {
	if len(in.Found) > 0 {
		in.Question, in.Now = question, time.Now()
		return writeInjected(w, in)
	}
	if in.Format == "json" {
		_, err = fmt.Fprintln(w, `{"memories":[],"left_out":0,"rest":""}`)
	} else {
		_, err = fmt.Fprintln(w, "no relevant memories")
	}
	return errors.Join(err, cli.Exit(cli.ExitNothing))
}

// typedFlags returns the given flags of some names, as arguments.
func typedFlags(c *cobra.Command, names ...string) (out []string) {
	for _, name := range names {
		switch f := c.Flags().Lookup(name); {
		case f == nil || !f.Changed:
		case f.Value.Type() == "stringSlice":
			values, _ := c.Flags().GetStringSlice(name)
			for _, v := range values {
				out = append(out, "--"+name, v)
			}
		default:
			out = append(out, "--"+name, f.Value.String())
		}
	}
	return out
}

// question returns the arguments as one text, or standard input for "-".
func (r *remembering) question(args []string) (string, error) {
	if len(args) != 1 || args[0] != "-" {
		return strings.Join(args, " "), nil
	}
	b, err := io.ReadAll(io.LimitReader(r.app.In, cli.MaxQuestion))
	return strings.ToValidUTF8(string(b), " "), err
}
