// Package beliefcmd is "patina belief": it lists, shows, checks and writes what a project holds to
// be true.
package beliefcmd

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/ask"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver/beliefs"
	"patina/cmd/internal/dialect"
	"patina/cmd/internal/print"
	"patina/code/lookup"
)

// Belief is the group of commands about what a project holds to be true.
func Belief(a *cli.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "belief",
		Short: "List, check and write what the project holds to be true",
		Long: `Beliefs are files in layer/, such as layer/surface/epistemic/beliefs/sync-first.md: one sentence each, with evidence
(docs/knowledge.md). A scrape reads them; these commands show them and check them against the index (docs/knowledge.md).`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return cli.Hint(errors.New("unknown command belief "+cli.Quoted(args[0])), "there are: patina belief list, show, add, proposed, accept, dismiss, audit, graph, verify, reach")
		},
	}
	c.AddCommand(list(a), show(a), audit(a), graph(a), add(a), listProposed(a), accept(a), dismiss(a), verify(a), reachCommand(a))
	return c
}

// reachCommand is the command that lists which code beliefs are about, and the reverse.
func reachCommand(a *cli.App) *cobra.Command {
	s := &command{App: a}
	var path string
	c := &cobra.Command{
		Use:   "reach [ID]...",
		Short: "List the code that beliefs are about",
		Long: `List the files that beliefs are about, of those named or of all, each with a score and the reason: its text cites the file, a
symbol in it or a commit that touched it; a check expects some of its rows; or its words are in the file (docs/knowledge.md).
With --path, list the beliefs about that file.

Exit codes: 0 found, 1 none, 2 error.`,
		Example: `  patina belief reach sync-first
  patina belief reach --path src/main.rs
  patina belief reach --json`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.prepare(c); err != nil {
				return err
			}
			return s.reach(c, beliefIDs(args), path)
		},
	}
	f := c.Flags()
	f.StringVar(&path, "path", "", "only the beliefs about this `file`")
	f.BoolVar(&s.asJSON, "json", false, "print JSON (schema: docs/knowledge.md)")
	f.BoolVar(&s.noRefresh, "no-refresh", false, "answer from the index as it is: do not look for changes since the scrape")
	f.Duration("timeout", time.Minute, "how long to wait for an answer")
	f.Int("budget", 0, "most tokens of the text (bytes / 4); 0 means 1500")
	return c
}

// A command is one call of a command about beliefs.
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

// ask passes an engine to f, which prints. It says if the index is behind.
func (s *command) ask(ctx context.Context, f func(actors.Service) error) error {
	return s.Finish(s.Call.Read(ctx, f))
}

func (s *command) reach(c *cobra.Command, ids []string, path string) error {
	ctx := c.Context()
	return s.ask(ctx, func(e actors.Service) error {
		r := actors.ReachRequest{ReadOptions: s.Call.Within(), IDs: ids}
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
		Long: `Run the checks in the files of beliefs, of those named or of all, and compare each answer with the one expected. A check is
a block in the file:

  ` + "```" + `verify type="sql" label="No async functions" expect="= 0"
  SELECT COUNT(*) FROM function_facts WHERE is_async = 1
  ` + "```" + `

Its query reads copies of views of the index (docs/knowledge.md lists them), and nothing else: it can neither write nor reach a
file, and its time, steps and memory are bounded. Checks of other types are counted as unsupported. Nothing runs unasked.

Exit codes: 0 no check failed, 1 a check failed, 2 error, 3 (with --strict) a check gave no answer or is unsupported.`,
		Example: `  patina belief verify
  patina belief verify sync-first
  patina belief verify --json --strict`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.prepare(c); err != nil {
				return err
			}
			return s.verify(c, beliefIDs(args), strict)
		},
	}
	f := c.Flags()
	f.BoolVar(&s.asJSON, "json", false, "print JSON (schema: docs/knowledge.md)")
	f.BoolVar(&s.noRefresh, "no-refresh", false, "answer from the index as it is: do not look for changes since the scrape")
	f.BoolVar(&strict, "strict", false, "exit with 3 if a check gave no answer or is unsupported")
	f.Duration("timeout", time.Minute, "how long all checks together may take")
	f.Int("budget", 0, "most tokens of the text (bytes / 4); 0 means 1500")
	return c
}

// beliefIDs drops the prefix of doc_ids.
func beliefIDs(args []string) []string {
	ids := make([]string, len(args))
	for i, a := range args {
		ids[i] = strings.TrimPrefix(a, ask.BeliefPrefix)
	}
	return ids
}

func (s *command) verify(c *cobra.Command, ids []string, strict bool) error {
	ctx := c.Context()
	return s.ask(ctx, func(e actors.Service) error {
		found, err := e.Verify(ctx, actors.VerifyRequest{ReadOptions: s.Call.Within(), IDs: ids})
		if err != nil {
			return err
		}
		if len(found.Missing) > 0 {
			return cli.Hint(fmt.Errorf("no belief %s in the index", cli.Quoted(found.Missing[0])), `run "patina belief verify" for all beliefs with checks`)
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
