package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"patina/actors"
	"patina/cmd/internal/cli"
	"patina/store"
)

// namedPackages is how many packages a hint names.
const namedPackages = 8

// completeWithin is how long a user waits for a completion.
const completeWithin = time.Second

// checkPackages refuses a package missing from the index. A question about it would find nothing
// and not say why.
func (s *scrying) checkPackages(ctx context.Context, e actors.Service) error {
	if len(s.packages) == 0 {
		return nil
	}
	all, err := e.Packages(ctx, actors.PackagesRequest{ReadOptions: s.within()})
	if err != nil {
		return err
	}
	for _, p := range s.packages {
		if !slices.ContainsFunc(all.Packages, store.Filter{Packages: []string{p}}.Belongs) {
			return cli.Hint(fmt.Errorf("unknown package %q", p), nearPackages(all.Packages, p))
		}
	}
	return nil
}

// nearPackages names the packages with the word in their name, or the first ones.
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

// completePackages completes --package in a shell. It never prompts: the terminal belongs to the
// shell.
func (s *scrying) completePackages(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	p, err := s.Indexed()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	e, err := cli.Open(c.Context(), p, completeWithin)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	defer cli.Closing(e)
	all, err := e.Packages(c.Context(), actors.PackagesRequest{ReadOptions: actors.ReadOptions{Timeout: completeWithin}})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return all.Packages, cobra.ShellCompDirectiveNoFileComp
}
