package embedders

import (
	"context"
	"fmt"
	"strings"

	"patina/registry/models"
	"patina/store/doc"
)

// Chosen returns the models that are chosen for a project, by the kinds of documents that they
// embed. It is empty where nothing is chosen. The notes for all projects have the model that is
// chosen for all, because they have one set of vectors. Nothing is opened.
func (p *Pool) Chosen(home, projectID string) (map[doc.Kind]doc.BatchEmbedder, error) {
	choice, err := models.ChoiceOf(home, projectID)
	if err != nil {
		return nil, err
	}
	everywhere := choice
	if projectID != "" {
		if everywhere, err = models.ChoiceOf(home, ""); err != nil {
			return nil, err
		}
	}
	if len(choice)+len(everywhere) == 0 {
		return nil, nil
	}
	all, err := models.List(home)
	if err != nil {
		return nil, err
	}
	byName := make(map[string]*shared, len(all))
	for _, m := range all {
		byName[m.Name] = &shared{p, m, home}
	}
	out := map[doc.Kind]doc.BatchEmbedder{}
	for _, k := range doc.Kinds() {
		name := choice.Of(k)
		if k == doc.Persona {
			name = everywhere.Of(k)
		}
		if name == "" {
			continue
		}
		m := byName[name]
		if m == nil {
			group := models.GroupOf(k)
			return nil, fmt.Errorf("%w: %q, chosen for %s: patina model use built-in --for %s", models.ErrUnknown, name, group, group)
		}
		out[k] = m
	}
	return out, nil
}

// Signature returns a text that changes with the models that are chosen for a project.
func (p *Pool) Signature(home, projectID string) string {
	chosen, err := p.Chosen(home, projectID)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, k := range doc.Kinds() {
		if m := chosen[k]; m != nil {
			fmt.Fprintf(&b, "%s %s\n", k, m.Model())
		}
	}
	return b.String()
}

// For returns a function for oracles.Project.Embedders, which returns the models that are chosen
// for a project when it is called.
func (p *Pool) For(home, projectID string) func(context.Context) (map[doc.Kind]doc.BatchEmbedder, error) {
	return func(context.Context) (map[doc.Kind]doc.BatchEmbedder, error) { return p.Chosen(home, projectID) }
}
