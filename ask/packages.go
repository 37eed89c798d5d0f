package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"patina/actors/api"
	"patina/ask/project"
	"patina/store/doc"
)

// namedPackages is the number of packages that a hint names.
const namedPackages = 8

// checkPackages returns an error if a package is not in the index, because a question about it
// would find nothing and not say why.
func checkPackages(ctx context.Context, c *Call, e api.Service, packages []string) error {
	if len(packages) == 0 {
		return nil
	}
	all, err := e.Packages(ctx, api.PackagesRequest{ReadOptions: c.Within()})
	if err != nil {
		return err
	}
	for _, p := range packages {
		if !slices.ContainsFunc(all.Packages, doc.Filter{Packages: []string{p}}.Belongs) {
			return project.AddHint(fmt.Errorf("unknown package %q", p), namePackages(all.Packages, p))
		}
	}
	return nil
}

// namePackages returns a hint with the packages whose name holds the word, or with the first ones.
func namePackages(all []string, word string) string {
	near := slices.DeleteFunc(slices.Clone(all), func(p string) bool {
		return !strings.Contains(strings.ToLower(p), strings.ToLower(word))
	})
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
