package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/deliver"
	"patina/store/lookup"
	"patina/store/reach"
)

// belief is the group of commands about what a project holds to be true.
func (a *app) belief() *cobra.Command {
	c := &cobra.Command{
		Use:   "belief",
		Short: "List, check and write what the project holds to be true",
		Long: `Beliefs are files in layer/, such as layer/surface/epistemic/beliefs/sync-first.md: one sentence each, with evidence
(docs/knowledge.md). A scrape reads them; these commands show them and check them against the index (docs/beliefs.md).`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return cli.Hint(errors.New("unknown command belief "+cli.Quoted(args[0])), "there are: patina belief list, show, add, proposed, accept, dismiss, audit, graph, verify, reach")
		},
	}
	c.AddCommand(a.beliefList(), a.beliefShow(), a.beliefAudit(), a.beliefGraph(), a.beliefAdd(), a.beliefProposed(), a.beliefAccept(), a.beliefDismiss(), a.beliefVerify(), a.beliefReach())
	return c
}

// beliefReach is the command that lists which code beliefs are about, and the reverse.
func (a *app) beliefReach() *cobra.Command {
	s := &scrying{app: a}
	var path string
	c := &cobra.Command{
		Use:   "reach [ID]...",
		Short: "List the code that beliefs are about",
		Long: `List the files that beliefs are about, of those named or of all, each with a score and the reason: its text cites the file, a
symbol in it or a commit that touched it; a check expects some of its rows; or its words are in the file (docs/verification.md).
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
	f.BoolVar(&s.asJSON, "json", false, "print JSON (schema: docs/verification.md)")
	f.BoolVar(&s.noRefresh, "no-refresh", false, "answer from the index as it is: do not look for changes since the scrape")
	f.Duration("timeout", time.Minute, "how long to wait for an answer")
	f.Int("budget", 0, "most tokens of the text (bytes / 4); 0 means 1500")
	return c
}

// prepare finds the index and the settings of a command about beliefs.
func (s *scrying) prepare(c *cobra.Command) (err error) {
	if s.place, err = s.Indexed(); err != nil {
		return err
	}
	if err := s.settle(cli.Given(c)); err != nil {
		return err
	}
	if s.settings.Timeout, err = c.Flags().GetDuration("timeout"); err != nil {
		return err
	}
	s.ceiling(cli.Given(c), 0)
	return nil
}

func (s *scrying) reach(c *cobra.Command, ids []string, path string) error {
	ctx := c.Context()
	return s.asking(ctx, func(e actors.Service) error {
		r := actors.ReachRequest{ReadOptions: s.within(), IDs: ids}
		if path != "" {
			found, err := s.find(ctx, e, path, false)
			if err != nil {
				return s.notFound(ctx, e, err, "file", path)
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
		found.Index = s.lagged(found.Index)
		if s.asJSON {
			err = deliver.ReachJSON(s.Out, found)
		} else {
			err = deliver.Reach(s.Out, found, path != "", s.options(false))
		}
		if err == nil && len(found.Beliefs) == 0 {
			return cli.Exit(cli.ExitNothing)
		}
		return err
	})
}

// beliefVerify is the command that runs the checks in beliefs.
func (a *app) beliefVerify() *cobra.Command {
	s := &scrying{app: a}
	var strict bool
	c := &cobra.Command{
		Use:   "verify [ID]...",
		Short: "Run the checks that beliefs bring along",
		Long: `Run the checks in the files of beliefs, of those named or of all, and compare each answer with the one expected. A check is
a block in the file:

  ` + "```" + `verify type="sql" label="No async functions" expect="= 0"
  SELECT COUNT(*) FROM function_facts WHERE is_async = 1
  ` + "```" + `

Its query reads copies of views of the index (docs/verification.md lists them), and nothing else: it can neither write nor reach a
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
	f.BoolVar(&s.asJSON, "json", false, "print JSON (schema: docs/verification.md)")
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
		ids[i] = strings.TrimPrefix(a, beliefPrefix)
	}
	return ids
}

func (s *scrying) verify(c *cobra.Command, ids []string, strict bool) error {
	ctx := c.Context()
	return s.asking(ctx, func(e actors.Service) error {
		found, err := e.Verify(ctx, actors.VerifyRequest{ReadOptions: s.within(), IDs: ids})
		if err != nil {
			return err
		}
		if len(found.Missing) > 0 {
			return cli.Hint(fmt.Errorf("no belief %s in the index", cli.Quoted(found.Missing[0])), `run "patina belief verify" for all beliefs with checks`)
		}
		v := deliver.Verified{Beliefs: found.Beliefs, Index: s.lagged(found.Index)}
		if s.asJSON {
			err = deliver.VerifiedJSON(s.Out, v)
		} else {
			err = deliver.Verification(s.Out, v, s.options(false))
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

// showBelief prints one belief, or with --content-type code the code that it is about.
func (s *scrying) showBelief(ctx context.Context, args []string) error {
	if len(args) > 0 {
		return cli.Hint(fmt.Errorf("unexpected %q beside --belief", args[0]), cli.Asking("to search beliefs: ", "--content-type belief "+strings.Join(args, " ")))
	}
	kinds, err := kindsNamed(s.kinds)
	if err != nil {
		return err
	}
	id := strings.TrimPrefix(s.believed, beliefPrefix)
	return s.asking(ctx, func(e actors.Service) error {
		found, err := e.Detail(ctx, actors.DetailRequest{ReadOptions: s.within(), DocID: beliefPrefix + id})
		if err == nil && found.Description.Belief == nil {
			err = lookup.ErrNoDocument
		}
		if errors.Is(err, lookup.ErrNoDocument) {
			return cli.Hint(fmt.Errorf("no belief %q in the index", id), "to search beliefs: "+s.either("patina scry --content-type belief WORDS", `scry(content_type="beliefs", query=…)`))
		}
		if err != nil {
			return err
		}
		about, err := e.Reach(ctx, actors.ReachRequest{ReadOptions: s.within(), IDs: []string{found.Description.Belief.ID}})
		if errors.Is(err, lookup.ErrNoDocument) {
			about, err = &actors.ReachAnswer{Index: found.Index}, nil // a decision that holds no more
		}
		if err != nil {
			return err
		}
		about.Index = s.lagged(about.Index)
		return s.tellBelief(found, about, len(kinds) > 0)
	})
}

// tellBelief prints a belief with the code that it is about, or that alone.
func (s *scrying) tellBelief(found *actors.DetailAnswer, about *actors.ReachAnswer, codeAlone bool) (err error) {
	o := s.options(false)
	var reached []reach.Reached
	for _, b := range about.Beliefs {
		reached = append(reached, b.Reached...)
	}
	switch {
	case codeAlone && s.asJSON:
		err = deliver.ReachJSON(s.Out, about)
	case codeAlone:
		err = deliver.Reach(s.Out, about, false, o)
	case s.asJSON:
		return deliver.DetailJSON(s.Out, deliver.Document{Description: found.Description})
	default:
		return deliver.Believed(s.Out, found.Description, reached, o)
	}
	if err == nil && len(reached) == 0 {
		return cli.Exit(cli.ExitNothing)
	}
	return err
}
