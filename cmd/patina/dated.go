package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/cmd/internal/cli"
	"patina/period"
	"patina/store"
)

// datedFlags are the flags for times and people.
type datedFlags struct {
	since, until, author string
	asWritten            bool
}

func (d *datedFlags) register(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&d.since, "since", "", "only commits and sessions since this `date`: 2024, 2024-03, \"3 months ago\", \"last month\"")
	f.StringVar(&d.until, "until", "", "only commits and sessions until this `date`, with it")
	f.StringVar(&d.author, "author", "", "only commits of this `author`: a part of the name or of the address")
	f.BoolVar(&d.asWritten, "as-written", false, "search for all words: read no time, author or wish for the newest from them")
	for _, name := range []string{"since", "until"} {
		_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(
			[]string{"today", "yesterday", "last week", "last month", "last year", "3 months ago"}, cobra.ShellCompDirectiveNoFileComp))
	}
	_ = c.RegisterFlagCompletionFunc("author", cobra.NoFileCompletions)
}

// when reads the flags.
func (d *datedFlags) when(now time.Time) (w store.When, err error) {
	read := func(flag, value string) (period.Span, error) {
		if value == "" {
			return period.Span{}, nil
		}
		s, err := period.Parse(value, now)
		if err != nil {
			return s, cli.Hint(fmt.Errorf("read --%s: %w", flag, err), period.Forms)
		}
		return s, nil
	}
	from, err := read("since", d.since)
	if err != nil {
		return w, err
	}
	to, err := read("until", d.until)
	if err != nil {
		return w, err
	}
	if d.until != "" && to.Until.IsZero() { // "this week", "last 3 days": they end now
		to.Until = now
	}
	w.Since, w.Until, w.Only = from.Since, to.Until, true
	if w.Author = strings.TrimSpace(d.author); w.Author == "" && d.author != "" {
		return w, cli.Hint(errors.New("--author is blank"), "give a part of a name or of an address: --author ann@example.com")
	}
	if !w.Since.IsZero() && !w.Until.IsZero() && !w.Since.Before(w.Until) {
		return w, cli.Hint(fmt.Errorf("--since %q is after --until %q", d.since, d.until), "the day of --until is with it")
	}
	return w, nil
}

// nobody says that no commit passes the flags, in their words; "" where one does.
func (d *datedFlags) nobody(read actors.FromWords) string {
	if !read.Counted || read.Commits > 0 {
		return ""
	}
	var of []string
	for _, f := range [][2]string{{"--author", d.author}, {"--since", d.since}, {"--until", d.until}} {
		if f[1] != "" {
			of = append(of, f[0]+" "+strconv.Quote(f[1]))
		}
	}
	if len(of) == 0 {
		return ""
	}
	return "no commit in the index has " + strings.Join(of, " and ")
}

// narrow puts the flags into a request. They leave the kinds with dates alone, and --author leaves
// commits.
func (d *datedFlags) narrow(r *actors.Request) (err error) {
	r.Now, r.AsWritten = time.Now(), d.asWritten
	if r.Filter.When, err = d.when(r.Now); err != nil || !r.Filter.When.Set() {
		return err
	}
	var dated []store.Kind
	for _, k := range store.Kinds() {
		if t := k.Traits().Dates; t == store.Moment || t == store.Day && d.author == "" {
			dated = append(dated, k)
		}
	}
	flag := "--until"
	switch {
	case d.author != "":
		flag = "--author"
	case d.since != "":
		flag = "--since"
	}
	if len(r.Filter.Kinds) == 0 {
		r.Filter.Kinds = dated
	}
	for _, k := range r.Filter.Kinds {
		if !slices.Contains(dated, k) {
			return cli.Hint(fmt.Errorf("%s with --content-type %s", flag, k), "commits have dates and authors, sessions have dates",
				"the files that changed most: patina scry recent --since DATE")
		}
	}
	return nil
}
