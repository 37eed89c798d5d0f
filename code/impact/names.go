package impact

import (
	"context"
	"database/sql"
	"errors"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"patina/code/lang"
	"patina/store"
	"patina/store/doc"
	"patina/store/text"
)

// isTest reports whether the file at a path is a test. It returns false for a
// path outside of the index.
func (g *gathering) isTest(ctx context.Context, path string) (bool, error) {
	row, err := g.r.FileNamed(ctx, g.snap, path)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil && doc.IsTest(row.Class), store.Damaged(err)
}

func languageOf(path string) string { return lang.Of(path, nil).Name }

// isTestName reports whether a runner of tests calls a function of a test file by its name.
func isTestName(language, name string) bool {
	name = doc.LastName(name)
	starts := lang.Named(language).TestNames
	if starts == nil {
		return strings.HasPrefix(strings.ToLower(name), "test")
	}
	return slices.ContainsFunc(starts, func(start string) bool {
		rest, ok := strings.CutPrefix(name, start)
		first, _ := utf8.DecodeRuneInString(rest)
		return ok && !unicode.IsLower(first)
	})
}

// inTestModule reports whether a symbol is in a module for tests inside of product code, as in
// Rust.
func inTestModule(symbol string) bool {
	parts := strings.Split(doc.BareName(symbol), ".")
	return slices.ContainsFunc(parts[:len(parts)-1], func(p string) bool { return p == "tests" || p == "test" })
}

// splitID returns the path and the symbol of a doc_id of code.
func splitID(id string) (path, symbol string) {
	path, symbol, _ = strings.Cut(id, "::")
	return path, symbol
}

// subjectOf returns the words of a file's name without those that mark a test.
func subjectOf(p string) string {
	words := slices.DeleteFunc(slices.Clone(text.FileNameOf(p).Words), func(w string) bool {
		return w == "test" || w == "spec"
	})
	return strings.Join(words, " ")
}

// findNamedFiles marks the files that are named like a changed one, and those in its folder.
func (g *gathering) findNamedFiles(ctx context.Context) error {
	files, err := g.r.Files(ctx, g.snap)
	if err != nil {
		return err
	}
	subjects, folders := make(map[string]bool), make(map[string]bool)
	for _, x := range g.changed {
		if s := subjectOf(x.Path); len(s) > 1 {
			subjects[s] = true
		}
		folders[path.Dir(x.Path)] = true
	}
	beside := 0
	for _, f := range files {
		isNamed, isBeside := subjects[subjectOf(f.Path)], folders[path.Dir(f.Path)]
		if isBeside && beside >= maxBeside {
			isBeside = false
		}
		if !isNamed && !isBeside {
			continue
		}
		if to := g.evidenceFor(f.Path); to != nil {
			to.Named, to.Beside = to.Named || isNamed, to.Beside || isBeside
			if isBeside {
				beside++
			}
		}
	}
	return nil
}
