package scrape

import (
	"context"

	"patina/code/lang"
	"patina/scrape/parse"
	"patina/scrape/walk"
	"patina/store/doc"
)

// Language finds a language by its name in any case, or by an extension without its dot. ok is
// false if there is no such language.
func Language(s string) (name string, ok bool) {
	l, ok := lang.Find(s)
	return l.Name, ok
}

// GitVersion returns the version of the git on PATH, or an error if git does not run.
func GitVersion(ctx context.Context) (string, error) { return walk.GitVersion(ctx) }

// Untracked returns an error if git tracks an index's folder in the tree, or storeDir: see
// walk.Untracked.
func Untracked(ctx context.Context, root, storeDir string) error {
	return walk.Untracked(ctx, root, storeDir)
}

// Extract reads one text as Run would, without .gitattributes and without class bits from other
// files. It is for measurements on chunk texts, because a store does not keep them.
func Extract(path string, text []byte) *doc.File {
	file, _ := parse.Parse(parse.Input{Path: path, Text: text})
	return file
}
