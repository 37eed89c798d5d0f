package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/cmd/internal/deliver"
	"patina/store"
	"patina/store/lookup"
)

// assay is the command that answers questions about facts.
func (a *app) assay() *cobra.Command {
	s := &scrying{app: a}
	var query lookup.AssayQuery
	types := lookup.AssayTypes()
	c := &cobra.Command{
		Use:   "assay QUERY_TYPE PATTERN",
		Short: "Ask for facts: callers, callees, imports, types",
		Long: `Ask what calls, imports, defines or changes with what. The answer is a table of facts that a scrape has read, by name: a line
that begins with "?" is a candidate, since names alone do not tell what a variable is.

  assay callers PATTERN      who calls it          assay functions PATTERN   functions and methods
  assay callees PATTERN      what it calls         assay types PATTERN       types
  assay imports PATTERN      what a file imports   assay inventory PATTERN   what each file holds
  assay importers PATTERN    who imports it        assay co-changes PATTERN  what changes with a file

PATTERN is a name (Open), Type.method, a glob of names ('*Handler'), or a doc_id as answers print it; where files are asked for, a
path, a folder, or a glob of paths ('src/**/*.go'); "." is all of them.
Exit code 1 says that there is no such fact.`,
		Example: `  patina assay callers Writer.Publish
  patina assay --query-type callees --pattern store/segment.go::Writer.merge
  patina assay importers store/text
  patina assay --json functions '*Handler'`,
		RunE: func(c *cobra.Command, args []string) (err error) {
			if query, err = assayed(query, args, types); err != nil {
				return err
			}
			if s.place, err = s.indexed(); err != nil {
				return err
			}
			if s.settings, _, err = s.app.settings(c, s.place); err != nil {
				return err
			}
			if !c.Flags().Changed("budget") {
				s.settings.Budget = 0
			}
			return s.assay(c.Context(), query)
		},
	}
	f := c.Flags()
	f.StringVar(&query.Type, "query-type", "", "the `question`: "+strings.Join(types, ", "))
	f.StringVar(&query.Pattern, "pattern", "", "what is asked about: a `name`, a glob, a path or a doc_id")
	f.BoolVar(&s.asJSON, "json", false, "print JSON (schema: docs/assay.md)")
	f.Int("budget", 0, "most tokens of the table (bytes / 4); 0 means 1500")
	_ = c.RegisterFlagCompletionFunc("query-type", cobra.FixedCompletions(types, cobra.ShellCompDirectiveNoFileComp))
	c.ValidArgs = types
	return c
}

// assayed joins flags and words to one question.
func assayed(q lookup.AssayQuery, args, types []string) (lookup.AssayQuery, error) {
	for _, at := range []*string{&q.Type, &q.Pattern} {
		if *at == "" && len(args) > 0 {
			*at, args = args[0], args[1:]
		}
	}
	there := "there are: " + strings.Join(types, ", ")
	switch {
	case q.Type == "":
		return q, hint(errors.New("no query type"), there, "such as: patina assay callers NAME")
	case !slices.Contains(types, q.Type):
		return q, hint(fmt.Errorf("unknown query type %q", q.Type), there)
	case q.Pattern == "" && q.Type == "inventory":
		q.Pattern = "."
	case q.Pattern == "":
		return q, hint(fmt.Errorf("no pattern for %s", q.Type), "such as: patina assay "+q.Type+" NAME", `"." stands for all files`)
	}
	if len(args) > 0 {
		return q, hint(fmt.Errorf("unexpected %q after the pattern", args[0]), "want one pattern; a glob between quotes: patina assay "+q.Type+" '*Handler'")
	}
	return q, nil
}

// assay asks the store and prints facts.
func (s *scrying) assay(ctx context.Context, q lookup.AssayQuery) error {
	// The engine is opened for what it offers where there is no index.
	return s.withEngine(ctx, 0, func(*actors.Engine) error {
		found, err := s.facts(ctx, q)
		if err != nil {
			return err
		}
		if len(found.Facts.Facts) == 0 {
			if rel, ok := s.fromHere(q.Pattern); ok { // a path from the working folder
				if found, err = s.facts(ctx, lookup.AssayQuery{Type: q.Type, Pattern: rel}); err != nil {
					return err
				}
			}
		}
		if s.asJSON {
			err = deliver.AssayJSON(s.out, found)
		} else {
			err = deliver.Assay(s.out, found, s.options(false))
		}
		if err != nil || len(found.Facts.Facts) > 0 {
			return err
		}
		if near, err := s.near(ctx, q.Pattern); err != nil {
			return err
		} else if len(near) > 0 {
			s.warn("hint: did you mean %s", strings.Join(near, ", "))
		}
		return exit(exitNothing)
	})
}

// facts asks the store, and how far it is behind: of files, those that an answer names are looked at.
func (s *scrying) facts(ctx context.Context, q lookup.AssayQuery) (out deliver.Assayed, err error) {
	err = s.withReader(ctx, func(r *store.Reader) error {
		if out.Facts, err = lookup.Assay(ctx, r, q); err != nil {
			return err
		}
		out.Index = s.indexState(r)
		var paths []string
		for _, f := range out.Facts.Facts {
			paths = append(paths, f.Path)
		}
		stats, err := r.Stats(ctx, paths)
		for p, stat := range stats {
			if actors.Changed(s.place.Root, p, stat) {
				out.Index.ChangedFiles++
			}
		}
		return err
	})
	return out, err
}

// fromHere is a path from the working folder as one from the root, if it names something below the root or is a glob.
func (s *scrying) fromHere(name string) (string, bool) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", false
	}
	if _, err := os.Lstat(full); err != nil && !strings.ContainsAny(name, "*?[") {
		return "", false
	}
	rel, err := filepath.Rel(s.place.Root, full)
	return filepath.ToSlash(rel), err == nil && rel != name && !strings.HasPrefix(rel, "..")
}
