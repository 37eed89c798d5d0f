package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/print"
	"patina/registry/querylog"
)

// showDocument is the command that shows one thing whole.
func (a *app) showDocument() *cobra.Command {
	s := &askFlags{app: a}
	var coChanges, source, code bool
	c := &cobra.Command{
		Use:   "show QUERY_ID RANK|NAME",
		Short: "Show a result, a file, a symbol, a commit or a belief whole",
		Long: `Show one thing whole: a result of an answer, or what NAME names.

  show QUERY_ID RANK      a result of an earlier answer, from any folder
  show src/lock.go        a file; src/lock.go:120 is the symbol around a line
  show Lock.Acquire       a symbol that one place defines
  show 1f6e90a            a commit with its diff, by the beginning of its id
  show belief:sync-first  a belief: its evidence, and the code it is about
  show DOC_ID             any document, by its id as answers print it

--co-changes shows instead which files change together with a file.`,
		Example: `  patina show q_260202143000_abc 1
  patina show src/lock.go --page 2
  patina show src/lock.go --co-changes
  patina show belief:sync-first --code`,
		Args:              cobra.RangeArgs(1, 2),
		ValidArgsFunction: completeFiles,
		RunE: func(c *cobra.Command, args []string) error {
			r := s.narrowed
			name, isBelief := strings.CutPrefix(args[0], ask.BeliefPrefix)
			switch {
			case (code || source) && !isBelief:
				return cli.Hint(fmt.Errorf("%q is no belief", args[0]), "name one: patina show belief:ID --code")
			case len(args) > 1 && (coChanges || isBelief):
				return cli.Hint(fmt.Errorf("unexpected %q after %q", args[1], args[0]), "want one name")
			case coChanges:
				r.Form, r.Name = ask.Neighbours, args[0]
			case isBelief && !source:
				r.Form, r.Name = ask.Belief, name
				if code {
					r.Kinds = []string{"code"}
				}
			default:
				var err error
				if r, err = documentRequest(r, "show", args[0], args[1:]); err != nil {
					return err
				}
			}
			return s.lookUp(c, r)
		},
	}
	f := c.Flags()
	f.BoolVar(&coChanges, "co-changes", false, "the files that change together with a file")
	f.BoolVar(&code, "code", false, "the code that a belief is about")
	f.BoolVar(&source, "source", false, "the file of a belief as it is written")
	f.IntVar(&s.page, "page", 1, "page of a long document")
	f.IntP("limit", "n", 10, "with --co-changes: most files")
	c.MarkFlagsMutuallyExclusive("co-changes", "code", "source")
	s.repoFlag(c)
	s.outputFlags(c)
	return c
}

// documentRequest returns the request for a result of an earlier answer, or for a document. form is
// the flag or command that the user typed.
func documentRequest(r ask.Request, form, name string, args []string) (ask.Request, error) {
	r.Form = ask.Detail
	if querylog.IsID(name) {
		var err error
		r.QueryID = name
		r.Rank, err = rankOf(args, form)
		return r, err
	}
	if _, err := strconv.Atoi(strings.Join(args, " ")); err == nil {
		call := "patina show DOC_ID"
		if form == "--detail" {
			call = "patina scry --detail DOC_ID"
		}
		return r, print.NotQueryID(name, call)
	}
	if len(args) > 0 {
		return r, cli.Hint(fmt.Errorf("unexpected %q after a doc_id", args[0]),
			fmt.Sprintf("want %s QUERY_ID RANK, or %[1]s DOC_ID", form))
	}
	r.Name = name
	return r, nil
}

// rankOf parses the rank after a query id. form is the flag or command that the user typed.
func rankOf(args []string, form string) (int, error) {
	usage := fmt.Sprintf("want %s QUERY_ID RANK, such as %[1]s q_260202143000_abc 1", form)
	if len(args) != 1 {
		return 0, cli.Hint(errors.New("no rank after the query id"), usage)
	}
	rank, err := strconv.Atoi(args[0])
	if err != nil || rank < 1 {
		return 0, cli.Hint(fmt.Errorf("rank %q is no number from 1", args[0]), usage)
	}
	return rank, nil
}
