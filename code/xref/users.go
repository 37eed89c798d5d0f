package xref

import (
	"slices"
	"strings"

	"patina/code/imports"
	"patina/code/lang"
	"patina/store/doc"
)

// Users returns, for each file of a view, the number of other files that use it. Tests and vendored
// files do not count as users. A file uses the targets of its imports, and in languages whose
// packages are folders also the files of definitions that it certainly calls. The numbers come from
// names alone, so they should only be used for ranking.
func Users(files []*imports.File, r *imports.Resolver) []int {
	at := make(map[string]int, len(files))
	for i, f := range files {
		at[f.Path] = i
	}
	others := func(f doc.ListedFile) Outside {
		of := Outside{Bindings: files[at[f.Path]].Bindings}
		if lang.Named(f.Language).Names().Modules == lang.FolderPackages {
			of.Imports = files[at[f.Path]].Imports
		}
		return of
	}
	defined := definitionsByName(files)
	named := func(name string) []Definition { return defined[name] }
	types := make(map[int][]OuterType)
	typesOf := func(f doc.ListedFile) []OuterType {
		i := at[f.Path]
		if _, ok := types[i]; !ok {
			types[i] = TypesIn(files[i].Entries, files[i].Typed)
		}
		return types[i]
	}
	out := make([]int, len(files))
	for _, f := range files {
		if doc.IsTest(f.Class) || f.Class&doc.Vendored != 0 {
			continue
		}
		used := map[string]bool{f.Path: true}
		s := NewScope(*f, r, others).ReadTypes(typesOf).ReadDefinitions(named)
		for _, t := range s.targets {
			for _, to := range t.At[:min(len(t.At), 1)] { // not a whole package
				used[r.File(to).Path] = true
			}
		}
		if lang.Named(f.Language).Names().SharesFolder {
			s.addCalled(f.Calls, defined, used)
		}
		delete(used, f.Path)
		for p := range used {
			out[at[p]]++
		}
	}
	return out
}

// addCalled adds the files of definitions that calls certainly mean.
func (s *Scope) addCalled(
	calls []doc.Call, defined map[string][]Definition, used map[string]bool,
) {
	seen := make(map[string]bool)
	for _, c := range calls {
		if seen[c.Name] {
			continue
		}
		seen[c.Name] = true
		if d := s.Certain(c, defined[s.Unalias(c.Name)]); d != nil {
			used[d.Path] = true
		}
	}
}

// definitionsByName returns the definitions in languages whose packages are folders, by last name.
func definitionsByName(files []*imports.File) map[string][]Definition {
	out := make(map[string][]Definition)
	for _, f := range files {
		if !lang.Named(f.Language).Names().SharesFolder || doc.IsTest(f.Class) {
			continue
		}
		for i := range f.Entries {
			d := NewDefinition(*f, i)
			out[d.name] = append(out[d.name], d)
		}
	}
	return out
}

// CountUses returns, for each import of a file, the number of calls whose name begins with a name
// of that import.
func CountUses(f imports.File) []int {
	calls := make(map[string]int) // by the first part of the name
	for _, c := range f.Calls {
		if parts := imports.SplitName(c.Name); len(parts) > 0 {
			calls[parts[0]]++
		}
	}
	uses := make([]int, len(f.Imports))
	for i, imported := range f.Imports {
		names := []string{Unqualified(imported)}
		if lang.Named(f.Language).Names().Modules == lang.FolderPackages {
			names[0] = imports.GoName(imported)
		}
		for _, b := range f.Bindings {
			if b.Import != "" && strings.HasPrefix(imported, b.Import) && !slices.Contains(names, b.Name) {
				names = append(names, b.Name)
			}
		}
		for _, name := range names {
			uses[i] += calls[name]
		}
	}
	return uses
}
