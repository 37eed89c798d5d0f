package modelcmd

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"patina/ask/project"
	"patina/cmd/internal/cli"
	"patina/cmd/internal/layout"
	"patina/registry/models"
)

// removeModel is the command that takes a model out of the catalog.
func removeModel(a *cli.App) *cobra.Command {
	s := &command{App: a}
	var yes bool
	c := &cobra.Command{
		Use:   "remove NAME",
		Short: "Take a model out again; its files stay",
		Long: `Take a model out again. Its files stay where they are. If projects use it, give
--yes: the built-in model embeds their texts again, and the vectors of this
project are removed. Those of other projects are, by their next scrape.

Exit codes: 0 removed, 2 error.`,
		Example: `  patina model remove minilm
  patina model remove e5-base-v2 --yes`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeModels(false),
		RunE:              s.prepared(func(ctx context.Context, args []string) error { return s.removeNamed(ctx, args[0], yes) }),
	}
	c.Flags().BoolVarP(&yes, "yes", "y", false, "also if projects use it")
	s.jsonFlag(c)
	return c
}

func (s *command) removeNamed(ctx context.Context, name string, yes bool) error {
	m, err := s.findModel(name)
	if err != nil {
		return err
	}
	uses, err := s.uses(name)
	if err != nil {
		return err
	}
	if len(uses) > 0 && !yes {
		var where []string
		for _, u := range uses {
			where = append(where, u.where()+", for "+strings.Join(u.Groups, ", "))
		}
		return cli.Hint(fmt.Errorf("%s is used in %s", name, strings.Join(where, "; ")),
			"the built-in model takes over: patina model remove "+name+" --yes")
	}
	if err := models.Remove(s.home, name); err != nil {
		return err
	}
	vectors, err := s.removeVectors(ctx, m)
	if err != nil {
		s.Warn("the vectors of this project stay: %v (the next patina scrape removes them)", err)
	}
	if s.asJSON {
		return s.writeRemovedJSON(m, uses, vectors)
	}
	fmt.Fprintf(s.Out, "removed %s; its files stay: %s\n", m.Name, layout.Plain(filepath.Join(m.Dir, m.Graph)))
	for _, u := range uses {
		fmt.Fprintf(s.Out, "  built-in again: %s, for %s\n", layout.Plain(u.where()), strings.Join(u.Groups, ", "))
	}
	if vectors {
		fmt.Fprintln(s.Out, "  its vectors are gone from the index of this project")
	}
	return nil
}

// removeVectors removes the vectors of a model from the index of this project, unless the catalog
// has the same model under another name. It reports whether there were some.
func (s *command) removeVectors(ctx context.Context, m models.Model) (bool, error) {
	all, err := models.List(s.home)
	if err != nil {
		return false, err
	}
	for _, other := range all {
		if other.ID == m.ID {
			return false, nil
		}
	}
	p, err := s.Here()
	if err != nil || !p.Published() || !p.IsWritable() {
		return false, nil
	}
	return project.RemoveVectors(ctx, p, m.ID)
}
