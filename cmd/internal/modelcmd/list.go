package modelcmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask/embedders"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/oracles/transformer"
	"patina/registry"
	"patina/registry/models"
)

// listModels is the command that lists the catalog.
func listModels(a *cli.App) *cobra.Command {
	s := &command{App: a}
	c := &cobra.Command{
		Use:   "list",
		Short: "List your models, and what each embeds here",
		Long: `List your models, and for which texts of this project each is chosen. What no
line names is embedded by the built-in model.

Exit codes: 0 found, 1 none, 2 error.`,
		Example: `  patina model list
  patina model list --json`,
		Args: cobra.NoArgs,
		RunE: s.prepared(func(_ context.Context, _ []string) error { return s.printList() }),
	}
	s.jsonFlag(c)
	return c
}

func (s *command) printList() error {
	all, err := models.List(s.home)
	if err != nil {
		return err
	}
	chosen, err := models.ChoiceOf(s.home, s.projectID())
	if err != nil {
		return err
	}
	if s.asJSON {
		err = s.writeListJSON(all, chosen)
	} else {
		for _, m := range all {
			fmt.Fprintln(s.Out, modelLine(m, chosen))
		}
		if len(all) == 0 {
			fmt.Fprintln(s.Out, "no model of yours: patina model add DIR")
		}
	}
	if err == nil && len(all) == 0 {
		return cli.Exit(cli.ExitNothing)
	}
	return err
}

// projectID returns the id of the project around the working folder, or "" without one.
func (s *command) projectID() string {
	p, err := s.Here()
	if err != nil {
		return ""
	}
	return p.ID
}

func modelLine(m models.Model, chosen models.Choice) string {
	parts := []string{fmt.Sprintf("%-20s", m.Name), fmt.Sprintf("%4d dimensions", m.Dimension), fmt.Sprintf("%7s", sizeText(m.Bytes))}
	if groups := chosen.For(m.Name); len(groups) > 0 {
		parts = append(parts, "for "+strings.Join(groups, ", "))
	} else {
		parts = append(parts, "not used here")
	}
	if !m.Tested {
		parts = append(parts, "! not tested")
	}
	if _, err := filepath.EvalSymlinks(filepath.Join(m.Dir, m.Graph)); err != nil {
		parts = append(parts, "! its graph is gone")
	}
	return strings.Join(parts, "  ")
}

// showModel is the command that shows one model.
func showModel(a *cli.App) *cobra.Command {
	s := &command{App: a}
	c := &cobra.Command{
		Use:   "show NAME",
		Short: "Show a model, whether it has changed, and who uses it",
		Long: `Show a model: its files, whether they have changed since it was added, how it
embeds, and which projects use it for what.

Exit codes: 0 as it was added, 1 its files have changed or are gone, 2 error.`,
		Example:           `  patina model show e5-base-v2`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeModels(false),
		RunE:              s.prepared(func(ctx context.Context, args []string) error { return s.showOne(ctx, args[0]) }),
	}
	s.jsonFlag(c)
	return c
}

func (s *command) showOne(ctx context.Context, name string) error {
	m, err := s.findModel(name)
	if err != nil {
		return err
	}
	d, changed := s.describeFiles(ctx, embedders.Options(m))
	if ctx.Err() != nil {
		return ctx.Err()
	}
	uses, err := s.uses(name)
	if err != nil {
		return err
	}
	if s.asJSON {
		err = s.writeShownJSON(m, d, uses, changed)
	} else {
		s.writeShown(m, d, uses, changed)
	}
	if err == nil && changed != nil {
		return cli.Exit(cli.ExitNothing)
	}
	return err
}

func (s *command) writeShown(m models.Model, d transformer.Description, uses []use, changed error) {
	rows := [][2]string{
		{"graph", filepath.Join(m.Dir, m.Graph) + ", " + strings.TrimSpace(sizeText(m.Bytes)+" "+d.Type)},
		{"id", m.ID},
		{"vectors", fmt.Sprintf("%d dimensions, %s pooling", m.Dimension, m.Pooling)},
		{"tokens", strings.TrimSpace(fmt.Sprintf("at most %d %s", m.MaxTokens, d.Tokenizer))},
		{"prefixes", prefixText(m)},
		{"runtime", m.Runtime},
		{"added", layout.Day(m.Added)},
	}
	fmt.Fprintln(s.Out, m.Name)
	for _, row := range rows {
		if row[1] != "" {
			fmt.Fprintf(s.Out, "  %-9s %s\n", row[0], layout.Plain(row[1]))
		}
	}
	if !m.Tested {
		fmt.Fprintln(s.Out, "  not tested: there was no ONNX Runtime when it was added (patina model test "+m.Name+")")
	}
	for _, u := range uses {
		fmt.Fprintf(s.Out, "  %-9s %s, for %s\n", "used in", layout.Plain(u.where()), strings.Join(u.Groups, ", "))
	}
	if len(uses) == 0 {
		fmt.Fprintln(s.Out, "  used nowhere")
	}
	if changed != nil {
		fmt.Fprintf(s.Out, "  ! %s\n", layout.OneLine(changed.Error()))
	}
}

// A use is a project in which a model is chosen.
type use struct {
	Project string   `json:"project"` // the id; empty: all projects that choose nothing themselves
	Name    string   `json:"name"`
	Root    string   `json:"root"`
	Groups  []string `json:"groups"`
}

func (u use) where() string {
	switch {
	case u.Project == "":
		return "all projects that choose nothing themselves"
	case u.Root == "":
		return "project " + u.Project
	}
	return fmt.Sprintf("%s (%s)", u.Name, u.Root)
}

// uses returns where a model is chosen, with the names of the projects that the registry knows.
func (s *command) uses(name string) ([]use, error) {
	found, err := models.Uses(s.home, name)
	if err != nil {
		return nil, err
	}
	projects, err := registry.Listed(s.home)
	if err != nil && !errors.Is(err, registry.ErrUnused) {
		return nil, err
	}
	uses := []use{}
	for _, f := range found {
		u := use{Project: f.Project, Groups: f.Groups}
		for _, p := range projects {
			if p.ID == f.Project {
				u.Name, u.Root = p.Name, p.Root
			}
		}
		uses = append(uses, u)
	}
	return uses, nil
}
