package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpColumns is the width of a help page. Texts must fit into it, and flags are wrapped to it.
const helpColumns = 80

// groups are the headings of the top help, in order. A command without one is hidden.
var groups = []*cobra.Group{
	{ID: "ask", Title: "Ask and look up"},
	{ID: "keep", Title: "Keep and share"},
	{ID: "index", Title: "Manage the index"},
	{ID: "connect", Title: "Agents and shells"},
}

// codes ends the top help.
const codes = `Exit codes: 0 found, 1 nothing relevant, 2 error, 3 incomplete, 130 interrupted.
Environment: PATINA_HOME (~/.patina), NO_COLOR, others: patina config --help.
`

// writeHelp writes the help page of a command: its description, its usage, its commands or
// examples, and its flags.
func writeHelp(w io.Writer, c *cobra.Command) error {
	var b strings.Builder
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	fmt.Fprintf(&b, "%s\n", strings.TrimSpace(text))
	switch {
	case !c.HasParent():
	case c.HasAvailableSubCommands():
		fmt.Fprintf(&b, "\nUsage:\n  %s COMMAND\n", c.CommandPath())
	default:
		fmt.Fprintf(&b, "\nUsage:\n  %s\n", c.UseLine())
	}
	b.WriteString(listCommands(c))
	if c.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", strings.TrimRight(c.Example, "\n"))
	}
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, set := range []*pflag.FlagSet{c.LocalFlags(), c.InheritedFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			if c.HasParent() || f.Name != "help" { // the top help names it in its description
				flags.AddFlag(f)
			}
		})
	}
	fmt.Fprintf(&b, "\nFlags:\n%s\n", strings.TrimRight(flags.FlagUsagesWrapped(helpColumns), "\n"))
	if !c.HasParent() {
		b.WriteString(codes)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// listCommands returns the visible subcommands, under the headings of their groups if there are
// any.
func listCommands(c *cobra.Command) string {
	var b strings.Builder
	b.WriteByte('\n')
	under := func(title, group string) {
		var lines strings.Builder
		for _, sub := range c.Commands() {
			if !sub.Hidden && sub.GroupID == group {
				fmt.Fprintf(&lines, "  %-10s  %s\n", sub.Name(), sub.Short)
			}
		}
		if lines.Len() > 0 {
			fmt.Fprintf(&b, "%s:\n%s", title, lines.String())
		}
	}
	under("Commands", "")
	for _, g := range c.Groups() {
		under(g.Title, g.ID)
	}
	if b.Len() == 1 {
		return ""
	}
	return b.String()
}
