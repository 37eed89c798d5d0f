package store

// A surveyed file is what an overview reads of one file.
type surveyed struct {
	factRow
	kind      Kind
	pkg       string
	functions int
	lines     int
}

func (f *surveyed) folder() string { return folderOf(f.path) }

// users counts for each file the others that use it, tests left out: those whose imports lead to it, and for languages whose
// packages are folders, those that certainly call what it defines. It is built from names, so it is a count to rank by and no proof.
func users(files []surveyed, m *modules) []int {
	at := make(map[string]int, len(files))
	for i := range files {
		at[files[i].path] = i
	}
	defs := defined(files)
	out := make([]int, len(files))
	for i := range files {
		f := &files[i]
		if f.kind != Code || isTest(f.class, 0) {
			continue
		}
		used := map[string]bool{f.path: true}
		s := newSite(f.factRow, m, func(i int) []Binding { return files[at[m.files[i].path]].bindings })
		for _, l := range s.reached {
			for _, to := range l.files[:min(len(l.files), 1)] { // not a whole package
				used[m.files[to].path] = true
			}
		}
		if packaged[f.lang] {
			s.calledFiles(f.calls, defs, used)
		}
		delete(used, f.path)
		for p := range used {
			out[at[p]]++
		}
	}
	return out
}

// calledFiles marks the files of what calls certainly mean.
func (s *site) calledFiles(calls []Call, defs map[string][]definition, used map[string]bool) {
	seen := make(map[string]bool)
	for _, c := range calls {
		if seen[c.Name] {
			continue
		}
		seen[c.Name] = true
		for _, e := range s.resolve(c, defs[s.meant(c.Name)]) {
			if e.certain {
				used[e.path] = true
			}
		}
	}
}

// defined collects the definitions of languages whose packages are folders, by their last name.
func defined(files []surveyed) map[string][]definition {
	out := make(map[string][]definition)
	for i := range files {
		f := &files[i]
		if f.kind != Code || !packaged[f.lang] || isTest(f.class, 0) {
			continue
		}
		for n, e := range f.entries {
			d := definition{file: f.key, path: f.path, class: f.class, lang: f.lang, ordinal: n, entry: e}
			if e.Parent >= 0 && e.Parent < len(f.entries) {
				d.parent, d.local = &f.entries[e.Parent], insideFunction(f.entries, f.entries[e.Parent].Parent)
			}
			d.derive()
			out[d.name] = append(out[d.name], d)
		}
	}
	return out
}
