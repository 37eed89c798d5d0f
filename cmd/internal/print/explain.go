package print

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patina/ask"
	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/dialect"
)

// ExplainError adds hints to the error of a call, in the words of a dialect. It returns an error
// that already has hints unchanged.
func ExplainError(err error, c *ask.Call, d dialect.Dialect) error {
	if _, known := errors.AsType[project.HintedError](err); known {
		return err
	}
	words := d.Words()
	if _, ok := errors.AsType[*ask.MendError](err); ok {
		return cli.Explained(err, c.Place)
	}
	if e, ok := errors.AsType[*ask.NotFoundError](err); ok {
		return cli.Hint(e, notFoundHints(e, words)...)
	}
	if e, ok := errors.AsType[*ask.UnknownQueryError](err); ok {
		return cli.Hint(e, "ask again, or show a document by its id: "+words.Document)
	}
	if e, ok := errors.AsType[*ask.RankError](err); ok {
		again := ""
		if call := d.Ask(e.Question); call != "" {
			again = "it was: " + call
		}
		return cli.Hint(e, again)
	}
	if e, ok := errors.AsType[*ask.FolderError](err); ok {
		return cli.Hint(e, "name a file; what changes with each file in it: "+d.Assay("co-changes", e.Folder),
			"what the folder holds: "+d.Orient(e.Folder))
	}
	if e, ok := errors.AsType[*ask.UndatedKindError](err); ok {
		return cli.Hint(e, "commits have dates and authors, sessions have dates",
			"the files that changed most: "+d.Recent(30))
	}
	if e, ok := errors.AsType[*ask.NoBeliefError](err); ok {
		return cli.Hint(e, "to search beliefs: "+words.SearchBeliefs)
	}
	if e, ok := errors.AsType[*ask.DaysError](err); ok {
		return cli.Hint(fmt.Errorf("%s %d is out of range", words.Days, e.Days),
			fmt.Sprintf("give 1 to %d: %s", ask.MaxDays, d.Recent(30)))
	}
	if _, late := errors.AsType[*ask.LateError](err); late || errors.Is(err, context.DeadlineExceeded) {
		return cli.Hint(err, words.Wait)
	}
	return cli.Explained(err, c.Place)
}

// NotQueryID returns the error for a text that cannot be a query id. call shows a document by its
// id.
func NotQueryID(text, call string) error {
	return cli.Hint(fmt.Errorf("%q is no query id", text),
		"a query id stands at the beginning of each answer, such as q_260202143000_abc",
		"or show a document by its id: "+call)
}

// notFoundHints returns other things that a name may mean, and where to look names up.
func notFoundHints(e *ask.NotFoundError, words dialect.Words) (hints []string) {
	if e.Count > 1 {
		return []string{
			fmt.Sprintf("%d places define it: %s", e.Count, strings.Join(e.Places, ", ")),
			"give the doc_id of one",
		}
	}
	switch e.Form {
	case ask.Detail:
		hints = []string{words.DocIDs, "if the file is new or has changed: patina scrape"}
	case ask.Why:
		hints = []string{words.DocIDs}
	case ask.Neighbours:
		hints = []string{
			"paths are relative to the root of the project, or to this folder",
			"if the file is new: patina scrape",
		}
	}
	if len(e.Near) > 0 {
		hints = slices.Insert(hints, 0, "did you mean "+strings.Join(e.Near, ", "))
	}
	return hints
}
