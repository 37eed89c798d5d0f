package main

import (
	"testing"

	"patina/cmd/internal/cli"
)

// If the arguments begin with a subcommand, the root must have only that one, under its name in the
// table. Commands that list subcommands must have all.
func TestRootFor(t *testing.T) {
	a := &app{new(cli.App)}
	for _, x := range a.commands() {
		want := 1
		if x.name == "man" || x.name == "completion" {
			want = len(a.commands())
		}
		root := a.rootFor([]string{x.name, "--help"})
		if n := len(root.Commands()); n != want {
			t.Errorf("%s: %d subcommands, want %d", x.name, n, want)
		}
		if found, _, err := root.Find([]string{x.name}); err != nil || found.Name() != x.name {
			t.Errorf("%s: found %q, %v", x.name, found.Name(), err)
		}
	}
	for _, args := range [][]string{
		nil,
		{"--help"},
		{"help", "scry"},
		{"scri"},
		{"--store", "x", "scry"},
		{"__complete", ""},
	} {
		if n := len(a.rootFor(args).Commands()); n != len(a.commands()) {
			t.Errorf("%q: %d subcommands", args, n)
		}
	}
}
