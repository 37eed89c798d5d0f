package embedders

import (
	"context"
	"fmt"

	"patina/registry/models"
	"patina/store/doc"
)

// Chosen returns the models that are chosen for a project, by the kinds of documents that they
// embed. It is empty where nothing is chosen. Nothing is opened.
func (p *Pool) Chosen(home, projectID string) (map[doc.Kind]doc.BatchEmbedder, error) {
	choice, err := models.ChoiceOf(home, projectID)
	if err != nil || len(choice) == 0 {
		return nil, err
	}
	all, err := models.List(home)
	if err != nil {
		return nil, err
	}
	byName := make(map[string]*shared, len(all))
	for _, m := range all {
		byName[m.Name] = &shared{p, m}
	}
	out := map[doc.Kind]doc.BatchEmbedder{}
	for group, name := range choice {
		m := byName[name]
		if m == nil {
			return nil, fmt.Errorf("%w: %q, chosen for %s: patina model use built-in --for %s", models.ErrUnknown, name, group, group)
		}
		for _, k := range models.Kinds(group) {
			out[k] = m
		}
	}
	return out, nil
}

// For returns a function for oracles.Project.Embedders, which returns the models that are chosen
// for a project when it is called.
func (p *Pool) For(home, projectID string) func(context.Context) (map[doc.Kind]doc.BatchEmbedder, error) {
	return func(context.Context) (map[doc.Kind]doc.BatchEmbedder, error) { return p.Chosen(home, projectID) }
}
