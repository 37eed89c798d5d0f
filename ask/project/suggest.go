package project

import (
	"context"

	"patina/registry/mother"
	"patina/store"
	"patina/store/doc"
)

// Declared returns the files of the place's index for mother.Suggest, which declare, provide or
// import packages.
func (p Place) Declared(ctx context.Context) ([]mother.File, error) {
	i, err := Inspect(ctx, p)
	if err != nil {
		return nil, err
	}
	defer func() { _ = i.Close() }()
	files, err := store.Files(ctx, i.reader, func(path, language string) bool {
		return mother.IsManifest(path) || mother.ReadsImports(language)
	})
	if err != nil {
		return nil, err
	}
	all := make([]mother.File, len(files))
	for i, f := range files {
		all[i] = mother.File{
			Path: f.Path, Language: f.Language, Imports: f.Imports, Text: f.Text,
			Test: doc.IsTest(f.Class), Vendored: f.Class&doc.Vendored != 0,
		}
	}
	return all, nil
}
