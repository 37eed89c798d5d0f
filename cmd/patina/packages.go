package main

import (
	"time"

	"github.com/spf13/cobra"

	"patina/actors/api"
	"patina/cmd/internal/cli"
)

// completeWithin bounds the time of a completion.
const completeWithin = time.Second

// completePackages completes --package in a shell. It must never prompt, because the terminal
// belongs to the shell.
func (a *app) completePackages(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	p, err := a.Indexed()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	e, done, err := a.Borrowing(p.Home, cli.Engines{App: a.App}).Open(c.Context(), p, completeWithin)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	defer done()
	all, err := e.Packages(c.Context(), api.PackagesRequest{ReadOptions: api.ReadOptions{Timeout: completeWithin}})
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return all.Packages, cobra.ShellCompDirectiveNoFileComp
}
