package scrape

import (
	"context"

	"patina/code/lang"
	"patina/scrape/parse"
	"patina/scrape/walk"
	"patina/store/doc"
)

// Language finds a language by its name in any case, or by an extension without its dot.
func Language(s string) (name string, ok bool) {
	l, ok := lang.Find(s)
	return l.Name, ok
}

// GitVersion returns the version of the git on PATH, or an error if none runs.
func GitVersion(ctx context.Context) (string, error) { return walk.GitVersion(ctx) }

// Untracked returns an error if git tracks an index's folder in the tree, or storeDir.
func Untracked(ctx context.Context, root, storeDir string) error {
	return walk.Untracked(ctx, root, storeDir)
}

// Extract reads one text as Run would, without .gitattributes and without class bits from other
// files. It is for measurements on chunk texts, which a store does not keep.
func Extract(path string, text []byte) *doc.File {
	file, _ := parse.Parse(parse.Input{Path: path, Text: text})
	return file
}
