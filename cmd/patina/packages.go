package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"patina/store"
	"patina/store/lookup"
)

// namedPackages is how many packages a hint names.
const namedPackages = 8

// checkPackages refuses a package that the index does not know: a question about it would find nothing, and not say why.
func (s *scrying) checkPackages(ctx context.Context) error {
	if len(s.packages) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.settings.Timeout)
	defer cancel()
	all, err := s.knownPackages(ctx)
	if errors.Is(err, store.ErrNoIndex) { // said, or mended, when it is asked
		return nil
	}
	if err != nil {
		return err
	}
	for _, p := range s.packages {
		if !slices.ContainsFunc(all, store.Filter{Packages: []string{p}}.Belongs) {
			return hint(fmt.Errorf("unknown package %q", p), nearPackages(all, p))
		}
	}
	return nil
}

func (s *scrying) knownPackages(ctx context.Context) (all []string, err error) {
	err = s.withReader(ctx, func(r *store.Reader) error {
		all, err = lookup.Packages(ctx, r)
		return err
	})
	return all, err
}

// nearPackages names those that hold the word, or the first ones.
func nearPackages(all []string, word string) string {
	near := slices.DeleteFunc(slices.Clone(all), func(p string) bool { return !strings.Contains(strings.ToLower(p), strings.ToLower(word)) })
	if word == "" || len(near) == 0 {
		near = all
	}
	if len(near) == 0 {
		return "this project has none: a package has a manifest such as go.mod or package.json"
	}
	text := "there are: " + strings.Join(near[:min(len(near), namedPackages)], ", ")
	if more := len(near) - namedPackages; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// completePackages completes --package in a shell.
func (s *scrying) completePackages(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	var err error
	if s.place, err = s.indexed(); err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	all, err := s.knownPackages(c.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}
