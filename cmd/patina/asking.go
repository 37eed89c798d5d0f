package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/ask"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/print"
)

// askFlags are the flags of a command that asks the project.
type askFlags struct {
	*app
	narrowed        ask.Request // filled in by its flags
	json            jsonFlag
	list            print.Listing
	page            int
	explain, strict bool
	noRefresh       bool
}

// run begins the call and passes a printer to do, which must ask and print. mode is the form of the
// answer in the query log. With isLookup, the call is a look-up in one project, without a question.
func (s *askFlags) run(c *cobra.Command, mode string, isLookup bool, do func(*print.Printer) error) error {
	place, err := s.Indexed()
	if err != nil {
		return err
	}
	o := s.CallOptions(place, cli.Given(c), s.noRefresh)
	o.LooksUp = isLookup
	o.Sent.Tool, o.Sent.Mode = "scry", mode
	call, err := ask.Begin(o)
	if err != nil {
		return err
	}
	if err := s.list.Check(s.json != ""); err != nil {
		return err
	}
	p := s.printer(call)
	p.JSON, p.List, p.Page, p.Explain, p.Strict, p.Budget = string(s.json), s.list, s.page, s.explain, s.strict,
		call.Settings.Budget
	return p.CountOutput(func() error { return do(p) })
}

// lookUp answers one request without a question.
func (s *askFlags) lookUp(c *cobra.Command, r ask.Request) error {
	return s.run(c, string(r.Form), true, func(p *print.Printer) error {
		a, err := p.Call.Ask(c.Context(), r)
		return p.Print(a, err)
	})
}

// outputFlags adds the flags for the form and the size of an answer.
func (s *askFlags) outputFlags(c *cobra.Command) {
	f := c.Flags()
	f.Var(&s.json, "json", "print JSON, or all of it with =full (docs/json.md)")
	f.Lookup("json").NoOptDefVal = "true"
	f.Int("budget", 0, "most tokens of the text (bytes / 4); 0 means 900")
	f.BoolVar(&s.noRefresh, "no-refresh", false, "do not look for changes since the scrape")
	f.Duration("timeout", 10*time.Second, "longest wait on a busy machine")
}

// repoFlag adds the flag that names another project.
func (s *askFlags) repoFlag(c *cobra.Command) {
	c.Flags().StringArrayVar(&s.Repos, "repo", nil, "in this project: its `name`, or its path")
}

// kindFlag adds the flag that limits an answer to kinds of documents.
func (s *askFlags) kindFlag(c *cobra.Command) {
	c.Flags().StringArrayVar(&s.narrowed.Kinds, "content-type", nil, "only this `kind`: "+ask.Kinds())
	_ = c.RegisterFlagCompletionFunc("content-type",
		cobra.FixedCompletions(strings.Split(ask.Kinds(), ", "), cobra.ShellCompDirectiveNoFileComp))
}

// filterFlags adds the flags that limit an answer to some files.
func (s *askFlags) filterFlags(c *cobra.Command) {
	f := c.Flags()
	f.StringArrayVar(&s.narrowed.Paths, "path", nil, "only this file, folder or `glob`; !GLOB excludes")
	f.StringArrayVar(&s.narrowed.Languages, "lang", nil, "only this `language`")
	f.StringArrayVar(&s.narrowed.Packages, "package", nil, "only this `package`, as its manifest names it")
	_ = c.RegisterFlagCompletionFunc("package", s.completePackages)
}

// listFlags adds the flags for forms of one line a result, for other programs.
func (s *askFlags) listFlags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&s.list.Symbols, "symbols", false, "print definitions only: path:line kind name")
	f.BoolVar(&s.list.Vimgrep, "vimgrep", false, "print path:line:column:text, for an editor")
	f.BoolVarP(&s.list.Paths, "files-with-matches", "l", false, "print paths only")
	f.BoolVarP(&s.list.NUL, "null", "0", false, "with -l: end each path with NUL, and print it as it is")
	f.StringVar(&s.list.Format, "format", "", "print each result by a `template` over its JSON")
}

// hideFlags hides flags from the help. They still work. It panics if c lacks a flag.
func hideFlags(c *cobra.Command, names ...string) {
	for _, name := range names {
		if err := c.Flags().MarkHidden(name); err != nil {
			panic(fmt.Sprintf("%s: %v", c.Name(), err))
		}
	}
}

// question returns the request for a question in words, or on standard input for "-".
func (s *askFlags) question(c *cobra.Command, args []string) (ask.Request, error) {
	r := s.narrowed
	if c.Flags().Changed("page") {
		return r, cli.Hint(errors.New("--page goes with --detail alone"), "more results: --limit N")
	}
	if c.Flags().Changed("days") {
		return r, cli.Hint(errors.New("--days goes with recent alone"),
			"to list what changed: patina scry recent --days N")
	}
	if len(args) == 0 && s.list.Flag() == "" && ask.WantsBeliefs(r.Kinds) {
		r.Form = ask.Beliefs
		return r, nil
	}
	text := strings.Join(args, " ")
	if text == "-" {
		b, err := cli.UnlessOver(c.Context(),
			func() ([]byte, error) { return io.ReadAll(io.LimitReader(s.In, cli.MaxQuestion)) })
		if err != nil {
			return r, fmt.Errorf("read question: %w", err)
		}
		text = string(b)
	}
	if strings.TrimSpace(text) == "" {
		return r, cli.Hint(errors.New("no question"),
			`ask one: patina scry "how are rows locked"`, `or name a file: patina scry --file PATH`)
	}
	r.Form, r.Text, r.Fallback = ask.Find, text, s.list.Kinds()
	r.Listing, r.Symbols, r.Starts = s.list.Flag() != "", s.list.Symbols, s.list.Vimgrep
	return r, nil
}
