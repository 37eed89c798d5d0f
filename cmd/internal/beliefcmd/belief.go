// Package beliefcmd is "patina belief": it lists, shows, checks and writes a project's beliefs.
package beliefcmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"patina/actors/api"
	"patina/ask"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver/beliefs"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/print"
	"patina/code/lookup"
)

// Belief is the group of commands about a project's beliefs.
func Belief(a *cli.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "belief",
		Short: "List, check and write what the project holds to be true",
		Long: `List, check and write what the project holds to be true. A belief is a file in
layer/ of one sentence with its evidence (docs/knowledge.md). A question finds
it, and patina show belief:ID shows it with the code that it is about.`,
		Example: `  patina belief list
  patina belief show sync-first
  patina belief add no-mocks --statement "Tests run the real server."
  patina belief check`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return cli.Hint(errors.New("unknown command belief "+cli.Quoted(args[0])),
				"there are: patina belief list, show, add, check, proposed")
		},
	}
	c.AddCommand(list(a), show(a), add(a), checkCommand(a), listProposed(a))
	for _, earlier := range []*cobra.Command{accept(a), dismiss(a), audit(a), verify(a), graph(a), reachCommand(a)} {
		earlier.Hidden = true
		c.AddCommand(earlier)
	}
	return c
}

// reachCommand is the command that lists the code of beliefs, and the beliefs about a file.
func reachCommand(a *cli.App) *cobra.Command {
	s := &command{App: a}
	var path string
	c := &cobra.Command{
		Use:   "reach [ID]...",
		Short: "List the code that beliefs are about",
		Long: `List the files that beliefs are about, of those named or of all, each with a
score and the reason: its text cites the file, a symbol in it or a commit that
touched it; a check expects some of its rows; or its words are in the file.
For one belief also: patina show belief:ID --code. With --path, list the beliefs
about that file, as patina belief list --about does.

Exit codes: 0 found, 1 none, 2 error.`,
		Example: `  patina belief reach sync-first
  patina belief reach --json`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.prepare(c); err != nil {
				return err
			}
			return s.reach(c.Context(), beliefIDs(args), path)
		},
	}
	f := c.Flags()
	f.StringVar(&path, "path", "", "only the beliefs about this `file`")
	s.beliefFlags(c)
	return c
}

// A command is one call of a command about beliefs. Its Printer is nil until prepare is called.
type command struct {
	*cli.App
	*print.Printer
	asJSON, noRefresh bool
}

// prepare finds the index and the settings.
func (s *command) prepare(c *cobra.Command) error {
	place, err := s.App.Indexed()
	if err != nil {
		return err
	}
	timeout, err := c.Flags().GetDuration("timeout")
	if err != nil {
		return err
	}
	given := cli.Given(c)
	given["timeout"] = timeout.String()
	call, err := ask.Begin(s.App.CallOptions(place, given, s.noRefresh))
	if err != nil {
		return err
	}
	s.Printer = &print.Printer{
		App: s.App, Call: call, Budget: call.Budget(0),
		Dialect: func(c *ask.Call) dialect.Dialect { return print.ShellDialect(c, s.App.Store) },
	}
	if s.asJSON {
		s.JSON = print.Brief
	}
	return nil
}

// ask passes an engine to f, which must print the answer. It also reports whether the index is
// behind.
func (s *command) ask(ctx context.Context, f func(api.Service) error) error {
	return s.Finish(s.Call.Read(ctx, f))
}

// reach prints the code that beliefs are about. If path is not empty, it prints the beliefs about
// that file.
func (s *command) reach(ctx context.Context, ids []string, path string) error {
	return s.ask(ctx, func(e api.Service) error {
		r := api.ReachRequest{ReadOptions: s.Call.Within(), IDs: ids}
		if path != "" {
			found, err := s.Call.Document(ctx, e, path, false)
			if err != nil {
				return s.Call.NotFound(ctx, e, err, "file", path)
			}
			r.Path = found.Path
		}
		found, err := e.Reach(ctx, r)
		if errors.Is(err, lookup.ErrNoDocument) {
			return cli.Hint(errors.New("no such belief in the index"), `run "patina belief reach" for all`)
		}
		if err != nil {
			return err
		}
		found.Index = s.Call.State(found.Index)
		if s.asJSON {
			err = beliefs.ReachJSON(s.Out, found)
		} else {
			err = beliefs.Reach(s.Out, found, path != "", s.Options(false))
		}
		if err == nil && len(found.Beliefs) == 0 {
			return cli.Exit(cli.ExitNothing)
		}
		return err
	})
}

// verify is the command that runs the checks in beliefs.
func verify(a *cli.App) *cobra.Command {
	s := &command{App: a}
	var strict bool
	c := &cobra.Command{
		Use:   "verify [ID]...",
		Short: "Run the checks that beliefs bring along",
		Long: `Run the checks in the files of beliefs, of those named or of all, and compare
each answer with the one expected. This is an earlier name of
"patina belief check --only checks".

Exit codes: 0 no check failed, 1 a check failed, 2 error, 3 (with --strict) a
check gave no answer or is unsupported.`,
		Example: `  patina belief check --only checks
  patina belief check sync-first --only checks`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.prepare(c); err != nil {
				return err
			}
			return s.verify(c.Context(), beliefIDs(args), strict)
		},
	}
	s.beliefFlags(c)
	c.Flags().BoolVar(&strict, "strict", false, "exit with 3 if a check gave no answer or is unsupported")
	return c
}

// beliefIDs returns ids without the prefix of doc_ids.
func beliefIDs(args []string) []string {
	ids := make([]string, len(args))
	for i, a := range args {
		ids[i] = strings.TrimPrefix(a, ask.BeliefPrefix)
	}
	return ids
}

// verify runs the checks of beliefs and prints their outcomes. Without ids, it runs all.
func (s *command) verify(ctx context.Context, ids []string, strict bool) error {
	return s.ask(ctx, func(e api.Service) error {
		found, err := e.Verify(ctx, api.VerifyRequest{ReadOptions: s.Call.Within(), IDs: ids})
		if err != nil {
			return err
		}
		if len(found.Missing) > 0 {
			return cli.Hint(fmt.Errorf("no belief %s in the index", cli.Quoted(found.Missing[0])),
				`run "patina belief verify" for all beliefs with checks`)
		}
		v := beliefs.Verified{Beliefs: found.Beliefs, Index: s.Call.State(found.Index)}
		if s.asJSON {
			err = beliefs.VerifiedJSON(s.Out, v)
		} else {
			err = beliefs.Verification(s.Out, v, s.Options(false))
		}
		n := v.Counts()
		switch {
		case err != nil:
			return err
		case n.Failed > 0:
			return cli.Exit(cli.ExitNothing)
		case strict && n.Broken+n.Unsupported > 0:
			return cli.Exit(cli.ExitPartial)
		}
		return nil
	})
}
