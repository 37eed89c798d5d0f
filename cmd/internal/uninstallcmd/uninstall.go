package uninstallcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"patina/cmd/internal/agentcmd"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/registry"
	"patina/wire/local"
)

// A call is one call of the command.
type call struct {
	*cli.App
	home                         string
	all, authored, yes, dry, out bool // out: as JSON
	items                        []Item
	plans                        []*agentcmd.Plan
}

// Uninstall is the command that lists and removes everything that patina has written.
func Uninstall(a *cli.App) *cobra.Command {
	s := &call{App: a}
	c := &cobra.Command{
		Use:   "uninstall",
		Short: "Remove what patina has written, after showing it",
		Long: `Remove what patina has written, after showing it: the indexes of all your
projects, its entries in the settings of coding agents, the log of questions and
everything else in PATINA_HOME that can be made again. What you wrote (notes,
settings, your repositories and their links) stays, and is named.

--all also takes clones, the program and its manual page, and asks a second time
for what you wrote. Without a terminal, --yes and --authored answer. What is not
certainly patina's is left, and named. Exit codes: 0 done or nothing to do,
2 something could not be removed.`,
		Example: `  patina uninstall --dry-run
  patina uninstall
  patina uninstall --all --yes --authored`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return s.uninstall(c.Context()) },
	}
	f := c.Flags()
	f.BoolVar(&s.all, "all", false, "clones, the program and what you wrote, too")
	f.BoolVar(&s.authored, "authored", false, "with --all: what you wrote, without the second question")
	f.BoolVar(&s.yes, "yes", false, "remove without asking")
	f.BoolVar(&s.dry, "dry-run", false, "show what there is, and remove nothing")
	f.BoolVar(&s.out, "json", false, "print JSON (docs/json.md)")
	return c
}

func (s *call) uninstall(ctx context.Context) (err error) {
	if s.authored && !s.all {
		return cli.Hint(errors.New("--authored is for --all"), "patina uninstall --all --authored")
	}
	if s.home, err = registry.Home(); err != nil {
		return err
	}
	if _, err := local.Ask(ctx, s.home, cli.Version); err == nil && !s.dry {
		return cli.Hint(errors.New("uninstall: patina serve is at work"), "stop it first, then run this again")
	}
	if err := s.collect(); err != nil {
		return err
	}
	if !s.out {
		s.showItems()
	}
	if s.dry || !slices.ContainsFunc(s.items, func(x Item) bool { return x.Action == remove }) && !s.asksMore() {
		return s.report(false)
	}
	if err := s.consent(ctx); err != nil {
		return err
	}
	return s.carryOut(ctx)
}

// collect lists everything.
func (s *call) collect() error {
	env, err := agentcmd.Machine()
	if err != nil {
		return err
	}
	agents, plans, err := agentPlans(env, s.home)
	if err != nil {
		return err
	}
	indexes, err := indexItems(s.home)
	if err != nil {
		return err
	}
	home, err := homeItems(s.home, s.all, s.authored)
	if err != nil {
		return err
	}
	s.items, s.plans = slices.Concat(agents, indexes, home), plans
	if socket, err := local.Socket(s.home); err == nil && filepath.Dir(filepath.Dir(socket)) != s.home && exists(socket) {
		s.items = append(s.items, Item{What: derivedItem, Path: socket, Action: remove, take: removeFile(socket)})
	}
	program, err := os.Executable()
	if err != nil {
		return nil // an unknown program is not removed
	}
	s.items = append(s.items, programItems(program, env.Home, s.all)...)
	return nil
}

// asksMore reports whether there is something that a second question may remove.
func (s *call) asksMore() bool {
	return s.all && !s.authored && slices.ContainsFunc(s.items, func(x Item) bool { return x.Authored })
}

// consent asks, unless flags have answered. Without a terminal it returns an error with the flag to
// add.
func (s *call) consent(ctx context.Context) error {
	if !s.yes {
		if !s.CanAsk() {
			return cli.Hint(errors.New("nothing is removed: there is no terminal to ask on"),
				"to remove what is listed, add --yes", "to see it alone, add --dry-run")
		}
		if !s.Confirm(ctx, "remove what is marked so?", false) {
			return errors.New("nothing is removed")
		}
	}
	if !s.asksMore() || !s.CanAsk() || s.yes {
		return nil
	}
	if s.Confirm(ctx, "remove what you wrote as well (yours)? Nothing makes it again.", false) {
		for i := range s.items {
			if s.items[i].Authored {
				s.items[i].Action = remove
			}
		}
	}
	return nil
}

// carryOut removes the items, agents first, so that no client starts patina meanwhile. After an
// interrupt nothing more is begun.
func (s *call) carryOut(ctx context.Context) error {
	unchanged := applyPlans(s.plans)
	for i := range s.items {
		x := &s.items[i]
		if x.What == agentItem && x.Action == remove && unchanged != nil {
			x.Error = unchanged.Error() + " (patina agent uninstall goes on)"
		}
		if x.Action != remove || x.take == nil {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err := x.take()
		if kept, ok := errors.AsType[keptError](err); ok {
			x.Why = kept.Error()
			fmt.Fprintf(s.textOut(), "%s: %s\n", layout.Plain(x.Path), layout.Plain(x.Why))
		} else if err != nil {
			x.Error = err.Error()
		}
	}
	removeEmpty(s.home)
	return s.report(true)
}

// textOut returns where text for people goes: nowhere, if the output is JSON.
func (s *call) textOut() io.Writer {
	if s.out {
		return io.Discard
	}
	return s.Out
}

// showItems prints the items for people.
func (s *call) showItems() {
	for _, x := range s.items {
		place := x.Path
		if x.At != "" {
			place += ": " + x.At
		}
		line := fmt.Sprintf("%-6s  %-7s  %s", x.Action, x.What, layout.OneLine(place))
		if x.Bytes > 0 {
			line += fmt.Sprintf("  %.1f MB", float64(x.Bytes)/1e6)
		}
		if x.Why != "" {
			line += "  (" + layout.OneLine(x.Why) + ")"
		}
		fmt.Fprintln(s.Out, line)
	}
}

// report prints the outcome. It returns ExitError if something could not be removed.
func (s *call) report(removed bool) (err error) {
	failed, taken, yours := 0, 0, false
	for _, x := range s.items {
		if x.Error != "" {
			failed++
		} else if x.Action == remove {
			taken++
		}
		yours = yours || x.Authored && x.Action == keep
	}
	if s.out {
		err = layout.Encode(s.Out, struct {
			Schema  int    `json:"schema"`
			Removed bool   `json:"removed"`
			Items   []Item `json:"items"`
		}{layout.Schema, removed, append([]Item{}, s.items...)})
	} else {
		switch {
		case removed:
			fmt.Fprintf(s.Out, "removed %s\n", cli.Plural(taken, "item"))
		case taken == 0:
			fmt.Fprintln(s.Out, "nothing to remove")
		}
		if yours {
			fmt.Fprintf(s.Out, "what you wrote stays in %s: patina uninstall --all\n", layout.Plain(filepath.Clean(s.home)))
		}
	}
	for _, x := range s.items {
		if x.Error != "" {
			s.Warn("not removed: %s: %s", x.Path, x.Error)
		}
	}
	if err == nil && failed > 0 {
		return cli.Exit(cli.ExitError)
	}
	return err
}

// sameFile reports whether two paths lead to one file.
func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
