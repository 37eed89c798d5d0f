package beliefcmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
)

// The parts of a check.
const (
	linkPart  = "links"  // links between beliefs and their evidence: no query is run
	checkPart = "checks" // the queries in their files
)

// checkCommand is the command that finds flaws in beliefs, and runs their checks.
func checkCommand(a *cli.App) *cobra.Command {
	s := &command{App: a}
	var strict bool
	only := ""
	c := &cobra.Command{
		Use:   "check [ID]...",
		Short: "Find broken links and stale evidence, and run the checks",
		Long: `Find what is wrong with beliefs, and run the checks in their files; of those
named, or of all. First come what is wrong and what to do about it: files that
break the format, two beliefs with one id, broken links, cycles, contradictions
and, as hints, evidence that has changed, none at all, and beliefs nobody uses.

Then come the checks: queries over views of the index (docs/knowledge.md), each
with the answer that it expects. They can neither write nor reach a file.

Exit codes: 0 all holds, 1 something is wrong or a check failed (--strict: or a
hint), 2 error, 3 (--strict) a check gave no answer or is unsupported.`,
		Example: `  patina belief check
  patina belief check sync-first --strict
  patina belief check --only links
  patina belief check --only checks --json`,
		ValidArgsFunction: func(c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return complete(a)(c, nil, typed)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := s.prepare(c); err != nil {
				return err
			}
			ctx, ids := c.Context(), beliefIDs(args)
			switch only {
			case "":
				return s.checkBoth(ctx, ids, strict)
			case linkPart:
				return s.audit(ctx, ids, strict)
			case checkPart:
				return s.verify(ctx, ids, strict)
			}
			return cli.Hint(fmt.Errorf("unknown part %q", only), "there are: "+linkPart+", "+checkPart)
		},
	}
	s.beliefFlags(c)
	c.Flags().StringVar(&only, "only", "", "one `part`: "+linkPart+", or "+checkPart)
	c.Flags().BoolVar(&strict, "strict", false, "exit with 1 or 3 for hints and open checks too")
	_ = c.RegisterFlagCompletionFunc("only",
		cobra.FixedCompletions([]string{linkPart, checkPart}, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// checkBoth prints both parts. A fault found comes before a check that could not be run.
func (s *command) checkBoth(ctx context.Context, ids []string, strict bool) error {
	if !s.asJSON {
		wrong := s.audit(ctx, ids, strict)
		if wrong != nil && !isExit(wrong) {
			return wrong
		}
		fmt.Fprintln(s.Out)
		failed := s.verify(ctx, ids, strict)
		if failed != nil && !isExit(failed) {
			return failed
		}
		return cmp.Or(wrong, failed)
	}
	links, wrong := s.captured(func() error { return s.audit(ctx, ids, strict) })
	if wrong != nil && !isExit(wrong) {
		return wrong
	}
	checks, failed := s.captured(func() error { return s.verify(ctx, ids, strict) })
	if failed != nil && !isExit(failed) {
		return failed
	}
	err := layout.Encode(s.Out, struct {
		Schema int             `json:"schema"`
		Links  json.RawMessage `json:"links"`
		Checks json.RawMessage `json:"checks"`
	}{layout.Schema, links, checks})
	return cmp.Or(err, wrong, failed)
}

// captured returns the output of print. The output must be JSON.
func (s *command) captured(print func() error) (json.RawMessage, error) {
	var b bytes.Buffer
	out := s.App.Out
	s.App.Out = &b
	defer func() { s.App.Out = out }()
	err := print()
	return b.Bytes(), err
}

// isExit reports whether an error is only the exit code of an answer that was printed.
func isExit(err error) bool {
	_, ok := errors.AsType[cli.Exit](err)
	return ok
}
