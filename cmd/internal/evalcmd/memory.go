package evalcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/bench/eval"
	"patina/bench/eval/conversation"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/oracles/embed"
	"patina/store/doc"
)

// memory is "patina eval memory".
func (a *app) memory() *cobra.Command {
	var file, beam, questions string
	var names []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "memory -q FILE|--locomo FILE|--beam FOLDER",
		Short: "Ask questions about your notes, or about long conversations",
		Long: `Ask questions that your own notes answer, with notes alone as answers: -q names
a JSON list of {"id", "query", "expect": ["memory:ID", ...]}, where [] marks one
that no note answers.

Or ask those of LoCoMo (--locomo) or BEAM (--beam) about long conversations, and
print how much of the evidence is among the best 5, 10 and 20 turns, by words,
by vectors, by both, by plain BM25 and by the formulas of the specification.
Their licences forbid copies, so fetch them yourself (docs/evaluation.md).`,
		Example: `  patina eval memory -q notes.json
  patina eval memory --locomo locomo10.json --conversations conv-26 --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			load, path := conversation.Load, file
			switch {
			case len(slices.DeleteFunc([]string{file, beam, questions}, func(s string) bool { return s == "" })) != 1:
				return cli.Hint(errors.New("want one set of questions"),
					"name a file: patina eval memory -q FILE, or --locomo FILE")
			case questions != "":
				return a.askNotes(c.Context(), questions, asJSON)
			case beam != "":
				load, path = conversation.LoadBEAM, beam
			}
			list, err := load(path)
			if err != nil {
				return err
			}
			for _, n := range names {
				if !slices.ContainsFunc(list, func(c conversation.Conversation) bool { return c.Name == n }) {
					return fmt.Errorf("no conversation %q in %q", n, path)
				}
			}
			if len(names) > 0 {
				list = slices.DeleteFunc(list,
					func(c conversation.Conversation) bool { return !slices.Contains(names, c.Name) })
			}
			rows := conversation.Run(list, embed.Base())
			if asJSON {
				return layout.Encode(a.Out, rows)
			}
			return conversation.Text(a.Out, rows)
		},
	}
	c.Flags().StringVarP(&questions, "questions", "q", "", "set of questions about your notes, a `file`")
	c.Flags().StringVar(&file, "locomo", "", "the conversations, a `file` or folder")
	c.Flags().StringVar(&beam, "beam", "", "BEAM's chats, a `folder`")
	c.Flags().StringSliceVar(&names, "conversations", nil, "only these, by name")
	c.Flags().BoolVar(&asJSON, "json", false, "print a row a question as JSON")
	return c
}

// askNotes asks the questions in a file. Only this project's notes count as answers.
func (a *app) askNotes(ctx context.Context, file string, asJSON bool) error {
	questions, err := eval.Load(file)
	if err != nil {
		return err
	}
	notes, err := ask.KindsNamed([]string{"memory"})
	if err != nil {
		return err
	}
	for _, q := range questions {
		for _, x := range q.Expect {
			if doc.KindOf(x) != notes[0] {
				return cli.Hint(fmt.Errorf("question %q of %q expects %q, which is no note", q.ID, file, x),
					"patina memory list names them: memory:ID")
			}
		}
	}
	return a.measure(ctx, questions, eval.Options{Filter: doc.Filter{Kinds: notes}}, asJSON)
}
