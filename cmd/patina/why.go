package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/print"
)

// why is the command that prints the reasons for a document, or for its rank.
func (a *app) why() *cobra.Command {
	s := &askFlags{app: a}
	c := &cobra.Command{
		Use:   "why NAME [QUESTION...]",
		Short: "Say why something is as it is: its commits, its rank",
		Long: `Say why something is as it is. NAME is a path, a symbol or a doc_id, as answers
print it.

  why NAME               the commits that made it, and what changes with it
  why FILE::SYMBOL       the commits that changed the lines of a symbol
  why belief:ID          how well a belief holds up against the others
  why NAME QUESTION...   how it got its rank for the question, by numbers

Words that name no document are asked as a question: why do we use sqlite.`,
		Example: `  patina why src/lock.go
  patina why src/lock.go::Lock.Acquire
  patina why belief:sync-first
  patina why src/lock.go how does the lock expire
  patina why do we use sqlite`,
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeFiles,
		RunE: func(c *cobra.Command, args []string) error {
			words := append([]string{"why"}, args...)
			return s.run(c, "why", len(args) == 1, func(p *print.Printer) error {
				return s.explainOrAsk(c, p, whyRequest(s.narrowed, args), words)
			})
		},
	}
	c.Flags().IntP("limit", "n", 10, "most commits")
	s.repoFlag(c)
	s.outputFlags(c)
	return c
}

// whyRequest returns the request for the reasons for a document, which the first word names. If
// there are more words, it is for the document's rank for this question.
func whyRequest(r ask.Request, words []string) ask.Request {
	r.Form, r.Name, r.Text, r.MayAsk = ask.Why, words[0], strings.Join(words[1:], " "), true
	return r
}

// explainOrAsk answers a request for reasons. If the name is not a document, all words are asked as
// a question.
func (s *askFlags) explainOrAsk(c *cobra.Command, p *print.Printer, r ask.Request, words []string) error {
	a, err := p.Call.Ask(c.Context(), r)
	if err != nil || !a.Unknown {
		return orAsked(p.Print(a, err), words)
	}
	p.ReportLag()
	if r, err = s.question(c, words); err != nil {
		return err
	}
	a, err = p.Call.Ask(c.Context(), r)
	return p.Print(a, err)
}

// orAsked adds a hint to the error for a path outside the project: how to ask the words as a
// question. Other errors, and nil, are returned unchanged.
func orAsked(err error, args []string) error {
	if _, ok := errors.AsType[*project.OutsideError](err); ok {
		return cli.Hint(err, cli.Asking("to ask a question: ", strings.Join(args, " ")))
	}
	return err
}
