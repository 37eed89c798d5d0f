package store

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// family is what languages that call each other are known by.
func family(language string) string {
	switch language {
	case "TypeScript", "TSX", "JavaScript", "JSX", "Vue", "Svelte":
		return "JavaScript"
	case "C++", "Objective-C", "CUDA":
		return "C"
	}
	return language
}

// A modules tells where imports lead: to files of one view, by what their languages say of paths. Where a language leaves it
// open, such as which folder a compiler searches, it is the file whose path ends like the import, the nearest one where
// several do; a tie leads nowhere. It is made once a generation and may be used concurrently.
type modules struct {
	files    []listedFile
	byFolder map[string][]int
	probe    sourceProbe // of Go alone: in place of files and byFolder
	packages             // what manifests say

	mu  sync.Mutex // guards what is made when it is asked for
	led map[origin]lead
	// bound are the bindings of files that hand on names.
	bound map[int][]Binding
	places
}

// A sourceProbe looks folders up one by one.
type sourceProbe interface {
	HoldsSources(folder string) bool
	Failed() error // the first error that a look met
}

// places are files by what imports may call them. Go needs none of them.
type places struct {
	byPath   map[string]int
	byModule map[string][]int    // path without extension, and the folder of a file that stands for it
	byStem   map[string][]int    // last part of a module's name
	byBase   map[string][]int    // last part of a path
	above    map[string][]string // last part of a folder's path → folders
}

// packages are the names that manifests give to folders.
type packages struct {
	goModules []goModule
	crates    map[string]string // name of a crate → folder of its sources
	scripts   map[string]string // name of a package of JavaScript → its folder
}

// A goModule is a go.mod: the folder that it lies in ("" for the root) and the path that it gives it ("" for the standard library).
type goModule struct{ folder, path string }

// An origin is what decides where an import leads.
type origin struct{ family, from, target string }

// A lead is where an import leads: to files, or for Go to a folder, and to names that those hold.
type lead struct {
	files  []int
	folder string   // of Go: with its path from the root; valid if found
	names  []string // what is left of the import behind the module
	all    bool     // of Java: a package, of which an import brings the types
	found  bool
}

func newModules(files []listedFile, named packages) *modules {
	m := &modules{files: files, byFolder: make(map[string][]int), packages: named, led: make(map[origin]lead), bound: make(map[int][]Binding)}
	for i, f := range files {
		if isSource(f) {
			m.byFolder[folderOf(f.path)] = append(m.byFolder[folderOf(f.path)], i)
		}
	}
	return m
}

func isSource(f listedFile) bool { return isSourceOf(f.language) }

func isSourceOf(language string) bool { return language != "" && language != "Markdown" }

// holdsSources tells whether a source lies in a folder itself.
func (m *modules) holdsSources(folder string) bool {
	if m.probe != nil {
		return m.probe.HoldsSources(folder)
	}
	return len(m.byFolder[folder]) > 0
}

// failed is the error of a probe, for which a folder may have seemed to hold nothing.
func (m *modules) failed() error {
	if m.probe == nil {
		return nil
	}
	return m.probe.Failed()
}

func newPlaces(m *modules) places {
	n := len(m.files)
	p := places{make(map[string]int, n), make(map[string][]int, n), make(map[string][]int, n), make(map[string][]int, n), make(map[string][]string)}
	for i, f := range m.files {
		p.byPath[f.path] = i
		if !isSource(f) {
			continue
		}
		module, base := withoutExtension(f.path), path.Base(f.path)
		p.byModule[module] = append(p.byModule[module], i)
		if isFront(f.path) {
			p.byModule[folderOf(f.path)] = append(p.byModule[folderOf(f.path)], i)
		}
		p.byBase[base] = append(p.byBase[base], i)
		stem := path.Base(moduleOf(f.path))
		p.byStem[stem] = append(p.byStem[stem], i)
	}
	for folder := range m.byFolder {
		p.above[path.Base(folder)] = append(p.above[path.Base(folder)], folder)
	}
	for _, folders := range p.above {
		slices.Sort(folders)
	}
	return p
}

// leads finds where a file's import leads; not found is outside of the view.
func (m *modules) leads(lang, from, target string) lead {
	o := origin{family(lang), from, target}
	switch o.family {
	case "Go":
		o.from = ""
	case "Rust":
	default:
		o.from = folderOf(from)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	l, ok := m.led[o]
	if !ok {
		o.target = strings.Clone(target) // which is kept
		l = m.follow(o.family, from, o.target)
		m.led[o] = l
	}
	return l
}

func (m *modules) follow(family, from, target string) lead {
	if family == "Go" {
		return m.followGo(target)
	}
	if m.byPath == nil {
		m.places = newPlaces(m)
	}
	switch family {
	case "Python":
		return m.followPython(from, target)
	case "JavaScript":
		return m.followScript(from, target)
	case "Rust":
		return m.followRust(from, target)
	case "Java":
		return m.followDotted(from, "Java", strings.Split(target, "."))
	case "PHP":
		return m.followPHP(from, target)
	case "C":
		return m.followInclude(from, target)
	case "C#": // a namespace is no file
		return lead{}
	case "Ruby":
		return m.followRuby(from, target)
	}
	return m.oneOf(family, path.Join(folderOf(from), target), target)
}

// oneOf is the first of some paths that is a file, with or without its extension.
func (m *modules) oneOf(lang string, places ...string) lead {
	for _, p := range places {
		if i, ok := m.byPath[p]; ok && family(m.files[i].language) == lang {
			return lead{files: []int{i}, found: true}
		}
		if fs := m.at(lang, p); len(fs) > 0 {
			return lead{files: fs, found: true}
		}
	}
	return lead{}
}

// at finds the files whose module lies at a place: those named like it before those that stand for the folder.
func (m *modules) at(lang, place string) []int {
	var named, fronts []int
	for _, i := range m.byModule[place] {
		switch {
		case family(m.files[i].language) != lang:
		case withoutExtension(m.files[i].path) == place:
			named = append(named, i)
		default:
			fronts = append(fronts, i)
		}
	}
	if len(named) > 0 {
		return named
	}
	return fronts
}

// nearest finds the file whose module ends with parts and whose folder shares most with the file's own. A module of one word
// must lie where its language looks: a standard library's "json" is not some folder's json.rb.
func (m *modules) nearest(lang, from, parts string, ok func(p string) bool) lead {
	var ends []int
	for _, i := range m.byStem[path.Base(parts)] {
		name := moduleOf(m.files[i].path)
		if family(m.files[i].language) != lang || name != parts && !strings.HasSuffix(name, "/"+parts) || ok != nil && !ok(m.files[i].path) {
			continue
		}
		if ok == nil && !strings.Contains(parts, "/") && name != parts && name != "lib/"+parts {
			continue
		}
		ends = append(ends, i)
	}
	return m.nearestOf(from, ends)
}

// nearestOf is the one file of several that shares most folders with another; none if two do.
func (m *modules) nearestOf(from string, files []int) lead {
	best, shared, tie := -1, -1, false
	for _, i := range files {
		switch n := commonFolders(m.files[i].path, from); {
		case n > shared:
			best, shared, tie = i, n, false
		case n == shared:
			tie = true
		}
	}
	if best < 0 || tie {
		return lead{}
	}
	return lead{files: []int{best}, found: true}
}

func commonFolders(a, b string) int {
	as, bs := strings.Split(folderOf(a), "/"), strings.Split(folderOf(b), "/")
	n := 0
	for n < min(len(as), len(bs)) && as[n] == bs[n] {
		n++
	}
	return n
}

// isFront tells whether a file stands for its folder: index.ts, __init__.py, mod.rs.
func isFront(p string) bool {
	base := path.Base(p)
	return slices.Contains([]string{"index", "__init__", "mod", "lib"}, strings.TrimSuffix(base, path.Ext(base)))
}

// moduleOf is a file's name as imports spell it: no extension, no front's own name, no "src" folders.
func moduleOf(p string) string {
	m := withoutExtension(p)
	if isFront(p) {
		m = folderOf(p)
	}
	m = strings.TrimPrefix("/"+m, "/src/")
	return strings.Trim(strings.ReplaceAll("/"+m+"/", "/src/", "/"), "/")
}

func folderOf(p string) string {
	i := strings.LastIndexByte(p, '/')
	return p[:max(i, 0)]
}

func withoutExtension(p string) string {
	if i := strings.LastIndexByte(p, '.'); i > strings.LastIndexByte(p, '/')+1 {
		return p[:i]
	}
	return p
}

// lastOf is the last component of a name as any language writes it: "F" of "x.F", "x::F", "x->F", `X\F`, "x?.F".
func lastOf(s string) string {
	return s[strings.LastIndexAny(s, `.:>\/`)+1:]
}

// qualifierOf is what a name is written behind, without the separator: "a.b" of "a.b.F"; "" for a bare name.
func qualifierOf(s string) string {
	last := lastOf(s)
	return strings.TrimRight(s[:len(s)-len(last)], `.:->\?!`)
}
