package callers

import (
	"context"
	"path"
	"slices"
	"strings"

	"patina/code/imports"
	"patina/code/xref"
	"patina/store"
	"patina/store/doc"
)

// These bound one search for other names of a definition.
const (
	maxOtherNames = 16 // names, including names of names
	maxNamesake   = 12 // wanted definitions; with more, no other names are searched
)

// otherNames finds the names by which other files may call one of the wanted definitions: names
// from exports, imports and assignments, and further names of those. It returns nil if no
// definition is wanted, or too many.
func otherNames(
	ctx context.Context, r *store.Reader, snap *store.Snapshot,
	last string, wanted []xref.Definition, m *imports.Resolver,
) (names []string, err error) {
	if len(wanted) == 0 || len(wanted) > maxNamesake {
		return nil, nil
	}
	queue, defaults := []string{last}, []string{}
	add := func(s *xref.Scope, name string) {
		bare := xref.Unqualified(name)
		if bare != last && !slices.Contains(names, bare) && len(names) < maxOtherNames && s.GivesName(name, wanted) {
			names, queue = append(names, bare), append(queue, bare)
		}
	}
	for i := 0; i < len(queue); i++ {
		keys, err := Mentioning(ctx, r, queue[i])
		if err != nil {
			return nil, err
		}
		err = FactRows(ctx, r, snap, keys, queue[i], func(f imports.File) error {
			var s *xref.Scope
			for _, b := range f.Bindings {
				if !xref.Renames(b, queue[i]) {
					continue
				}
				if s == nil {
					s = ScopeOf(ctx, r, snap, f, m)
				}
				if b.Name != doc.DefaultName {
					add(s, strings.Clone(b.Name))
				} else if stem := moduleName(f.Path); !slices.Contains(defaults, stem) && s.GivesName(b.Name, wanted) {
					defaults = append(defaults, stem)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for _, stem := range defaults { // the importer of a default export names it
		keys, err := Mentioning(ctx, r, stem)
		if err != nil {
			return nil, err
		}
		err = FactRows(ctx, r, snap, keys, doc.DefaultName, func(f imports.File) error {
			var s *xref.Scope
			for _, b := range f.Bindings {
				if b.Of != doc.DefaultName || b.Import == "" {
					continue
				}
				if s == nil {
					s = ScopeOf(ctx, r, snap, f, m)
				}
				add(s, strings.Clone(b.Name))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return names, nil
}

// moduleName returns the last part of a module's name, which is the folder for an index file.
func moduleName(p string) string {
	if imports.IsIndex(p) {
		return path.Base(path.Dir(p))
	}
	base := path.Base(p)
	stem, _, _ := strings.Cut(base, ".")
	return stem
}

// callersByOtherNames finds calls of the wanted definitions by other names.
func callersByOtherNames(
	ctx context.Context, r *store.Reader, snap *store.Snapshot,
	last string, wanted []xref.Definition, m *imports.Resolver, families map[string]bool,
) (out []Called, err error) {
	names, err := otherNames(ctx, r, snap, last, wanted, m)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		keys, err := Mentioning(ctx, r, name)
		if err != nil {
			return nil, err
		}
		err = FactRows(ctx, r, snap, keys, name, func(f imports.File) error {
			if !families[imports.Family(f.Language)] {
				return nil
			}
			var s *xref.Scope
			for _, c := range f.Calls {
				if xref.Unqualified(c.Name) != name {
					continue
				}
				if s == nil {
					s = ScopeOf(ctx, r, snap, f, m)
				}
				if e, ok := s.ResolveByName(c, wanted); ok {
					out = append(out, Called{&f, c, e})
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
