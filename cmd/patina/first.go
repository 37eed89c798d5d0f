package main

import (
	"context"
	"fmt"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/scrape"
)

// offer offers a first scrape to somebody at a terminal, in a repository without an index. offered
// is false if there is nobody, no repository, or an index already.
func (a *app) offer(ctx context.Context) (offered bool, err error) {
	if !a.CanAsk() || !cli.Terminal(a.Out) {
		return false, nil
	}
	p, err := a.Here()
	if err != nil || p.Published() {
		return false, nil
	}
	if r, err := p.Repository(); r == nil || err != nil {
		return false, nil
	}
	if !a.Confirm(ctx, "no index for "+cli.Quoted(p.Root)+" yet. Make one now?", true) {
		return false, ctx.Err()
	}
	return true, a.firstAnswer(ctx, p)
}

// firstAnswer scrapes a project, asks one question about it, and prints the answer and the next
// steps.
func (a *app) firstAnswer(ctx context.Context, p project.Place) error {
	s, err := a.Fill(ctx, p, scrape.Options{})
	if err != nil {
		return err
	}
	fmt.Fprintln(a.Out, cli.SummaryLine(s))
	x, err := a.example(ctx, p.Of(p.Root, p.Store))
	if err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "\npatina scry %s\n", layout.OneLine(spelled(x.Question)))
	if err := a.again(ctx, "scry", "--limit", "3", "--", x.Question); err != nil {
		return err
	}
	next := [][2]string{
		{"patina context", "what to know before a change"},
		{"patina orient", "what this repository holds"},
		{"patina agent install", "let a coding agent ask"},
	}
	if x.Symbol != "" {
		next[1] = [2]string{"patina callers " + spelled(x.Symbol), "what calls it"}
	}
	fmt.Fprint(a.Out, "\nNext:\n")
	for _, call := range next {
		fmt.Fprintf(a.Out, "  %-*s  %s\n", max(28, len(next[1][0])), call[0], call[1])
	}
	return nil
}

// example returns a question about a project.
func (a *app) example(ctx context.Context, p project.Place) (project.Example, error) {
	e, err := cli.Open(ctx, p, 0)
	if err != nil {
		return project.Example{}, cli.Explained(err, p)
	}
	defer cli.Closing(e)
	return project.ExampleOf(ctx, e, p.Name)
}

// again runs another command of patina on the same streams. An answer without results is no error.
func (a *app) again(ctx context.Context, args ...string) error {
	root := a.rootFor(args)
	root.SetArgs(args)
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Errs)
	err := root.ExecuteContext(ctx)
	if code, ok := err.(cli.Exit); ok && code == cli.ExitNothing {
		return nil
	}
	return err
}
