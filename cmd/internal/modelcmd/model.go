// Package modelcmd is "patina model": it adds models of the user's own, and chooses which texts of
// a project they embed.
package modelcmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/registry"
	"patina/registry/models"
)

// A command is one call of a command about models.
type command struct {
	*cli.App
	home   string
	asJSON bool
}

// Model is the group of commands about models of the user's own.
func Model(a *cli.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "model",
		Short: "Add a model of your own, and choose what it embeds",
		Long: `Add a model of your own, and choose which texts it embeds: beliefs, notes,
sessions, documents, commits, code. A model is a folder with an ONNX graph and
its tokenizer, which ONNX Runtime runs on this machine (docs/models.md). All
else, and all until you choose one, is embedded by the built-in model.`,
		Example: `  patina model add ~/models/e5-base-v2
  patina model test e5-base-v2
  patina model use e5-base-v2 --for beliefs,notes
  patina model use built-in`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return cli.Hint(errors.New("unknown command model "+cli.Quoted(args[0])),
				"there are: patina model add, list, show, use, test, remove")
		},
	}
	c.AddCommand(addModel(a), listModels(a), showModel(a), useModel(a), testModel(a), removeModel(a))
	return c
}

// prepared returns a function that prepares a call and makes it. Errors get hints.
func (s *command) prepared(do func(ctx context.Context, args []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) (err error) {
		if s.home, err = registry.Home(); err != nil {
			return err
		}
		return explained(do(c.Context(), args))
	}
}

func (s *command) jsonFlag(c *cobra.Command) {
	c.Flags().BoolVar(&s.asJSON, "json", false, "print JSON (docs/models.md)")
}

// findModel returns a model of the catalog.
func (s *command) findModel(name string) (models.Model, error) {
	if isBuiltIn(name) {
		return models.Model{}, cli.Hint(errors.New("the built-in model is in every patina, and not in the list"),
			"for yours: patina model list")
	}
	return models.Find(s.home, name)
}

// explained adds hints to an error of the catalog.
func explained(err error) error {
	switch {
	case errors.Is(err, models.ErrUnknown):
		return cli.Hint(err, "for all: patina model list", "add one: patina model add DIR")
	case errors.Is(err, models.ErrGroup):
		return cli.Hint(err, "want some of: "+strings.Join(models.Groups(), ","))
	case errors.Is(err, models.ErrTaken):
		return cli.Hint(err, "give another: --name NAME", "or remove that one: patina model remove NAME")
	case errors.Is(err, models.ErrName):
		return cli.Hint(err, "give another: --name NAME")
	case errors.Is(err, models.ErrDamaged):
		return cli.Hint(err, "mend the file, or move it away and add your models again; until then the built-in model answers")
	case errors.Is(err, models.ErrNewer):
		return cli.Hint(err, "use the newer patina; the file is left as it is")
	}
	return err
}

// completeModels completes the name of a model, and with builtIn also that of the built-in one.
func completeModels(builtIn bool) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		home, err := registry.Home()
		if err != nil || len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		all, _ := models.List(home)
		var names []string
		for _, m := range all {
			names = append(names, m.Name)
		}
		if builtIn {
			names = append(names, models.BuiltIn)
		}
		return slices.DeleteFunc(names, func(n string) bool { return !strings.HasPrefix(n, begun) }),
			cobra.ShellCompDirectiveNoFileComp
	}
}

// completeGroups completes a list of groups with commas between.
func completeGroups(_ *cobra.Command, _ []string, begun string) (out []string, d cobra.ShellCompDirective) {
	before, last := "", begun
	if i := strings.LastIndexByte(begun, ','); i >= 0 {
		before, last = begun[:i+1], begun[i+1:]
	}
	for _, g := range models.Groups() {
		if strings.HasPrefix(g, last) && !slices.Contains(strings.Split(before, ","), g) {
			out = append(out, before+g)
		}
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// sizeText writes a number of bytes for people.
func sizeText(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.0f kB", float64(n)/1e3)
}

// prefixText writes the prefixes of a model for people, or "none".
func prefixText(m models.Model) string {
	if m.QueryPrefix == "" && m.PassagePrefix == "" {
		return "none"
	}
	return fmt.Sprintf("%s before a question, %s before a text", layout.Plain(fmt.Sprintf("%q", m.QueryPrefix)),
		layout.Plain(fmt.Sprintf("%q", m.PassagePrefix)))
}
