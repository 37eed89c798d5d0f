package main

import (
	"github.com/spf13/cobra"

	"patina/ask"
)

// dateFlags adds the flags for times and authors.
func dateFlags(c *cobra.Command, r *ask.Request) {
	f := c.Flags()
	f.StringVar(&r.Since, "since", "", "only commits and sessions since this `date`")
	f.StringVar(&r.Until, "until", "", "only those until this `date`, with it")
	f.StringVar(&r.Author, "author", "", "only commits by this `author`: a part of the name")
	f.BoolVar(&r.AsWritten, "as-written", false,
		"search for all words: read no time, author or wish for the newest from them")
	for _, name := range []string{"since", "until"} {
		_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(
			[]string{"today", "yesterday", "last week", "last month", "last year", "3 months ago"},
			cobra.ShellCompDirectiveNoFileComp))
	}
	_ = c.RegisterFlagCompletionFunc("author", cobra.NoFileCompletions)
}
