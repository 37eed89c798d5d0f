package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/print"
)

// grep is the command that finds lines of files.
func (a *app) grep() *cobra.Command {
	s := &askFlags{app: a}
	var literal bool
	c := &cobra.Command{
		Use:   "grep PATTERN",
		Short: "Find the lines that match an expression, or hold a text",
		Long: `Find the lines of files that match PATTERN, a regular expression (RE2, as in
Go), or with -F hold it letter for letter. Code comes first, and each line is
shown with the symbol around it.

The texts are those of the scrape and of what changed since. Better with rg:
files that the index leaves out, and expressions over several lines.`,
		Example: `  patina grep -F 'defer f.mu.Unlock()' --path 'src/**'
  patina grep 'func \(s \*Store\) [A-Z]\w+' --lang go -n 30
  patina grep -l 'TODO|FIXME'
  vim -q <(patina grep --vimgrep 'func Test')`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			pattern, err := patternOf(args, literal)
			if err != nil {
				return err
			}
			r, text, expression := s.narrowed, pattern, ""
			if !literal {
				text, expression = "", pattern
			}
			r.Fallback = s.list.Kinds()
			r = s.linesRequest(r, text, expression)
			return s.run(c, "lines", true, func(p *print.Printer) error {
				a, err := p.Call.Ask(c.Context(), r)
				return p.Print(a, err)
			})
		},
	}
	f := c.Flags()
	f.BoolVarP(&literal, "fixed-strings", "F", false, "PATTERN is a text, not an expression")
	f.IntP("limit", "n", 10, "most places")
	s.kindFlag(c)
	s.repoFlag(c)
	s.filterFlags(c)
	s.listFlags(c)
	s.outputFlags(c)
	hideFlags(c, "symbols", "null")
	c.ValidArgsFunction = cobra.NoFileCompletions
	return c
}

// patternOf returns the only pattern among arguments. Unless literal is set, it must be a valid
// expression.
func patternOf(args []string, literal bool) (string, error) {
	switch {
	case len(args) > 1:
		return "", cli.Hint(fmt.Errorf("unexpected %q after the pattern", args[1]),
			"quote a pattern of several words: patina grep -F 'cannot open file'")
	case len(args) == 0 || args[0] == "":
		return "", cli.Hint(fmt.Errorf("no pattern"),
			"give one: patina grep 'func Open', or a text: patina grep -F 'mu.Lock()'")
	case literal:
		return args[0], nil
	}
	if _, err := regexp.Compile(args[0]); err != nil {
		return "", cli.Hint(fmt.Errorf("read the expression %q: %w", args[0], err),
			print.SyntaxHint, "for the characters themselves: patina grep -F TEXT")
	}
	return args[0], nil
}

// linesRequest returns the request for lines that contain a text or match an expression. One of the
// two must be empty.
func (s *askFlags) linesRequest(r ask.Request, text, expression string) ask.Request {
	flag := "--literal"
	if expression != "" {
		flag = "--regex"
	}
	r.Form, r.Literal, r.Regex, r.Text = ask.Lines, text, expression,
		strings.Join([]string{flag, text + expression}, " ")
	r.Listing, r.Symbols, r.Starts = s.list.Flag() != "", s.list.Symbols, s.list.Vimgrep
	return r
}
