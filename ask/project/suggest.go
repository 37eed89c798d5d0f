package project

import (
	"context"

	"patina/registry/mother/suggest"
	"patina/store"
	"patina/store/imports"
)

// Declared returns what the place's index says of the packages that it provides, declares and
// imports: the files for suggest.Edges.
func (p Place) Declared(ctx context.Context) ([]suggest.File, error) {
	i, err := Inspect(ctx, p)
	if err != nil {
		return nil, err
	}
	defer func() { _ = i.Close() }()
	files, err := imports.Files(ctx, i.reader, func(path, language string) bool {
		return suggest.IsManifest(path) || suggest.ReadsImports(language)
	})
	if err != nil {
		return nil, err
	}
	all := make([]suggest.File, len(files))
	for i, f := range files {
		all[i] = suggest.File{
			Path: f.Path, Language: f.Language, Imports: f.Imports, Text: f.Text,
			Test: store.IsTest(f.Class), Vendored: f.Class&store.Vendored != 0,
		}
	}
	return all, nil
}
