package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"patina/cmd/internal/cli"
)

func (a *app) man() *cobra.Command {
	return &cobra.Command{
		Use:    "man",
		Short:  "Print the manual page",
		Long:   "Print the manual page of patina, as troff: one page for all commands, made from\ntheir help.",
		Hidden: true, // called by "make install"
		Example: `  patina man > patina.1
  patina man | man -l -`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			_, err := io.WriteString(a.Out, manual(c.Root()))
			return err
		},
	}
}

// manual writes one troff page (man(7)) for a command tree. It has no date, so that equal trees
// give equal pages.
func manual(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"%s %s\" \"User Commands\"\n", strings.ToUpper(root.Name()), root.Name(),
		troff(cli.Version))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", troff(root.Name()), troff(root.Short))
	b.WriteString(".SH SYNOPSIS\n")
	eachCommand(root, func(c *cobra.Command) {
		if c.Runnable() && c != root {
			fmt.Fprintf(&b, ".B %s\n.br\n", troff(c.UseLine()))
		}
	})
	b.WriteString(".SH DESCRIPTION\n" + verbatim(root.Long))
	b.WriteString(".SH OPTIONS OF EVERY COMMAND\n" + options(root.PersistentFlags()))
	b.WriteString(".SH COMMANDS\n")
	eachCommand(root, func(c *cobra.Command) {
		if c == root {
			return
		}
		text := c.Long
		if text == "" {
			text = c.Short + "."
		}
		fmt.Fprintf(&b, ".SS %s\n%s", troff(c.CommandPath()), verbatim(text))
		b.WriteString(options(c.LocalNonPersistentFlags()))
		if c.Example != "" {
			b.WriteString(".PP\nExamples:\n" + verbatim(c.Example))
		}
	})
	return b.String()
}

// eachCommand calls f with a command and then its visible subcommands, in the order of the help.
func eachCommand(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		if !sub.Hidden {
			eachCommand(sub, f)
		}
	}
}

func options(flags *pflag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		kind, usage := pflag.UnquoteUsage(f)
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", troff(strings.TrimSpace(name+" "+kind)), troff(usage))
	})
	return b.String()
}

// verbatim returns a text as troff, with its lines unchanged.
func verbatim(text string) string {
	var b strings.Builder
	b.WriteString(".PP\n.nf\n")
	for _, line := range strings.Split(strings.Trim(text, "\n"), "\n") {
		b.WriteString(troff(line) + "\n")
	}
	b.WriteString(".fi\n")
	return b.String()
}

// special holds the characters that troff interprets or replaces.
var special = map[rune]string{
	'\\': `\e`, '-': `\-`, '~': `\(ti`, '^': `\(ha`, '`': `\(ga`, '\'': `\(aq`, '\n': " ", '\t': " ",
}

// troff escapes one line, so that troff prints each character as it is and takes no line as a
// request.
func troff(s string) string {
	var b strings.Builder
	if strings.HasPrefix(s, ".") {
		b.WriteString(`\&`)
	}
	for _, r := range s {
		switch escaped, ok := special[r]; {
		case ok:
			b.WriteString(escaped)
		case r > '~':
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
