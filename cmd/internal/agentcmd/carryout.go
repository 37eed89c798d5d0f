package agentcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
)

// carryOut shows a plan, asks for consent, and writes it.
func (s *agentCall) carryOut(ctx context.Context, env Env, plan *Plan) error {
	steps := slices.DeleteFunc(slices.Clone(plan.Steps), func(p Step) bool {
		return s.verb == "uninstall" && p.Action == Nothing
	})
	writes := plan.Changes() && !s.dry
	if !s.json {
		s.show(env, steps)
	}
	if writes && !s.yes {
		if err := s.confirm(ctx); err != nil {
			return err
		}
	}
	if !s.dry {
		if err := plan.Apply(); err != nil {
			return err
		}
	}
	if s.json {
		return s.encode(steps, writes)
	}
	if writes {
		fmt.Fprintln(s.Out, "written; a client that runs must be started again")
	}
	return nil
}

// encode prints a plan as JSON.
func (s *agentCall) encode(steps []Step, written bool) error {
	return layout.Encode(s.Out, struct {
		Schema  int    `json:"schema"`
		Call    string `json:"call"`
		Scope   string `json:"scope"`
		Written bool   `json:"written"`
		Steps   []Step `json:"steps"`
	}{layout.Schema, s.verb, s.scope, written, append([]Step{}, steps...)})
}

// confirm asks once. Without a terminal it returns an error with the flag to add.
func (s *agentCall) confirm(ctx context.Context) error {
	if !s.CanAsk() {
		return cli.Hint(errors.New("nothing is written: there is no terminal to ask on"),
			"to write this plan, add --yes", "to see it alone, add --dry-run")
	}
	if !s.Confirm(ctx, "write this?", false) {
		return errors.New("nothing is written")
	}
	return nil
}

// show prints a plan for people.
func (s *agentCall) show(env Env, steps []Step) {
	if len(steps) == 0 {
		fmt.Fprintln(s.Out, "nothing to do")
	}
	for _, p := range steps {
		place := layout.OneLine(env.Show(p.File))
		if p.At != "" {
			place += ": " + p.At
		}
		fmt.Fprintf(s.Out, "%-7s  %-11s  %-12s  %s\n", p.Action, p.Client, p.What, place)
		if p.Why != "" {
			fmt.Fprintf(s.Out, "         %s\n", layout.OneLine(p.Why))
		}
		switch {
		case p.Action == Refuse && s.verb == "install":
			fmt.Fprintf(s.Out, "         to copy by hand:\n%s", indented(p.Text))
		case p.Action != Add && p.Action != Renew:
		case p.What == Skill:
			fmt.Fprintf(s.Out, "         %s; --print shows them\n", cli.Plural(strings.Count(p.Text, "\n"), "line"))
		default:
			fmt.Fprint(s.Out, indented(p.Text))
		}
	}
}

func indented(text string) string {
	return "         | " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n         | ") + "\n"
}

// printed writes the texts to copy by hand.
func (s *agentCall) printed(env Env, steps []Step) error {
	if s.json {
		return s.encode(steps, false)
	}
	for i, p := range steps {
		if i > 0 {
			fmt.Fprintln(s.Out)
		}
		fmt.Fprintf(s.Out, "# %s, %s: %s\n", p.Client, p.What, layout.OneLine(cmp.Or(env.Show(p.File), p.Why)))
		if p.Text != "" {
			fmt.Fprintln(s.Out, strings.TrimSuffix(p.Text, "\n"))
		}
	}
	return nil
}
