package print

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"patina/ask"
	"patina/cmd/internal/cli"
)

// SyntaxHint names the syntax of expressions.
const SyntaxHint = "the syntax is RE2, as in Go: no look-around, no back-references"

// Feedback records whether an earlier answer, or its result at a rank, was "good" or "bad", and
// prints what was counted. Rank 0 means the best result of each other project. It returns
// cli.ExitNothing if nothing was counted.
func (p *Printer) Feedback(ctx context.Context, queryID, verdict string, rank int) error {
	usage := "such as " + p.Dialect(p.Call).Words().Feedback
	if queryID == "" || !slices.Contains([]string{"good", "bad"}, verdict) || rank < 0 {
		return cli.Hint(errors.New("feedback wants a query id, good or bad, and perhaps a rank"), usage)
	}
	edges, err := p.Call.Judge(ctx, queryID, verdict == "good", rank)
	if _, unknown := errors.AsType[*ask.UnknownQueryError](err); unknown {
		return cli.Hint(err, usage)
	}
	switch {
	case err != nil:
		return err
	case edges == 0:
		fmt.Fprintln(p.Out, "nothing to learn: no result of another project is meant")
		return cli.Exit(cli.ExitNothing)
	}
	fmt.Fprintf(p.Out, "counted for %s; the weights move with patina mother learn\n", cli.Plural(edges, "edge"))
	return nil
}
