package xref

import (
	"patina/store"
)

// A File is a file with its calls and imports.
type File struct {
	Key      int64
	Path     string
	Language string
	Class    store.Class
	Entries  []store.Entry
	store.FileFacts
}

// Caller returns the doc_id of the symbol around a call, or of the file.
func (f File) Caller(i int) string {
	if i < 0 || i >= len(f.Entries) {
		return f.Path
	}
	return store.SymbolID(f.Path, f.Entries[i].Name)
}

// A Surveyed file has all that an overview reads from it.
type Surveyed struct {
	File
	Kind      store.Kind
	Pkg       string
	Functions int
	Lines     int
}

func (f *Surveyed) Folder() string { return FolderOf(f.Path) }

// Users counts, for each file, the other files that use it, without tests: by imports, and in
// languages with folders as packages by certain calls. It is built from names: a count to rank by,
// and no proof.
func Users(files []Surveyed, m *Modules) []int {
	at := make(map[string]int, len(files))
	for i := range files {
		at[files[i].Path] = i
	}
	defs := defined(files)
	out := make([]int, len(files))
	for i := range files {
		f := &files[i]
		if f.Kind != store.Code || store.IsTest(f.Class, 0) {
			continue
		}
		used := map[string]bool{f.Path: true}
		s := NewSite(f.File, m, func(i int) []store.Binding { return files[at[m.Files[i].Path]].Bindings })
		for _, l := range s.reached {
			for _, to := range l.Files[:min(len(l.Files), 1)] { // not a whole package
				used[m.Files[to].Path] = true
			}
		}
		if packaged[f.Language] {
			s.calledFiles(f.Calls, defs, used)
		}
		delete(used, f.Path)
		for p := range used {
			out[at[p]]++
		}
	}
	return out
}

// calledFiles marks the files with certain callees.
func (s *Site) calledFiles(calls []store.Call, defs map[string][]Definition, used map[string]bool) {
	seen := make(map[string]bool)
	for _, c := range calls {
		if seen[c.Name] {
			continue
		}
		seen[c.Name] = true
		for _, e := range s.Resolve(c, defs[s.Meant(c.Name)]) {
			if e.Certain {
				used[e.Path] = true
			}
		}
	}
}

// defined collects definitions by last name, in languages with folders as packages.
func defined(files []Surveyed) map[string][]Definition {
	out := make(map[string][]Definition)
	for i := range files {
		f := &files[i]
		if f.Kind != store.Code || !packaged[f.Language] || store.IsTest(f.Class, 0) {
			continue
		}
		for n, e := range f.Entries {
			d := Definition{File: f.Key, Path: f.Path, Class: f.Class, Language: f.Language, Ordinal: n, Entry: e}
			if e.Parent >= 0 && e.Parent < len(f.Entries) {
				d.Parent, d.Local = &f.Entries[e.Parent], InsideFunction(f.Entries, f.Entries[e.Parent].Parent)
			}
			d.Derive()
			out[d.name] = append(out[d.name], d)
		}
	}
	return out
}
