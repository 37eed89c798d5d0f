package assay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"patina/code/history"
	"patina/code/lookup"
	"patina/store"
	"patina/store/doc"
)

func assaySymbols(
	ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts, sorts ...doc.Sort,
) error {
	add := func(p string, e doc.Entry) {
		if slices.Contains(sorts, e.Sort) {
			out.Facts = append(out.Facts, Fact{
				DocID: doc.SymbolID(p, e.Name), Path: p, Line: e.Line,
				Symbol: e.Name, Sort: e.Sort, Title: e.Title,
			})
		}
	}
	if !strings.Contains(out.Pattern, "::") {
		files, err := filesMeant(ctx, r, snap, out.Pattern)
		if err != nil {
			return err
		}
		if fromPath(out.Pattern, files) {
			rows, err := sortedFacts(ctx, r, snap, files)
			for _, f := range rows {
				out.name(f.Path)
				for _, e := range f.Entries {
					add(f.Path, e)
				}
			}
			return err
		}
	}
	meant, _, err := findMeant(ctx, r, snap, out)
	for _, ds := range meant {
		for _, d := range ds {
			add(d.Path, d.Entry)
		}
	}
	slices.SortFunc(out.Facts, func(a, b Fact) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), a.Line-b.Line)
	})
	return err
}

// fromPath reports whether files were found by their path rather than by a symbol's name.
func fromPath(pattern string, files []doc.ListedFile) bool {
	pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	if len(files) == 0 {
		return false
	}
	return pattern == "." || pattern == "" || files[0].Path == pattern ||
		isGlob(pattern) && strings.ContainsAny(pattern, "/.") ||
		strings.HasPrefix(files[0].Path, pattern+"/") || strings.HasSuffix(files[0].Path, "/"+pattern)
}

func assayInventory(ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts) error {
	files, err := filesMeant(ctx, r, snap, out.Pattern)
	if err != nil {
		return err
	}
	rows, err := sortedFacts(ctx, r, snap, files)
	for _, f := range rows {
		out.name(f.Path)
		n := make(map[doc.Sort]int)
		for _, e := range f.Entries {
			n[e.Sort]++
		}
		var parts []string
		for _, s := range doc.Sorts {
			if n[s] > 0 {
				parts = append(parts, countNoun(n[s], string(s)))
			}
		}
		if len(f.Imports) > 0 {
			parts = append(parts, countNoun(len(f.Imports), "import"))
		}
		if len(f.Calls) > 0 {
			parts = append(parts, countNoun(len(f.Calls), "call"))
		}
		out.Facts = append(out.Facts, Fact{
			DocID: f.Path, Path: f.Path, Count: len(f.Entries), Title: strings.Join(parts, ", "),
			Written: cmp.Or(f.Language, strings.TrimPrefix(path.Ext(f.Path), ".")),
		})
	}
	return err
}

func countNoun(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// maxTogether bounds the co-changed files listed for a file.
const maxTogether = 200

func assayCoChanges(ctx context.Context, r *store.Reader, snap *store.Snapshot, out *Facts) error {
	files, err := filesMeant(ctx, r, snap, out.Pattern)
	if err != nil {
		return err
	}
	if len(files) > maxMeant {
		out.addNote("the first %d files that match", maxMeant)
		files = files[:maxMeant]
	}
	for _, f := range files {
		out.name(f.Path)
		links, err := history.CoChanged(ctx, r, f.Path, maxTogether)
		if err != nil && !errors.Is(err, lookup.ErrNoDocument) {
			return err
		}
		for _, l := range links {
			x := Fact{DocID: l.Target, Path: l.Target, Target: f.Path, Reason: l.Note}
			_, _ = fmt.Sscan(l.Note, &x.Count)
			out.Facts = append(out.Facts, x)
		}
	}
	return nil
}
