package xref

import (
	"path"
	"slices"
	"strings"
	"sync"

	"patina/store"
)

// Family returns a name for languages that call each other.
func Family(language string) string {
	switch language {
	case "TypeScript", "TSX", "JavaScript", "JSX", "Vue", "Svelte":
		return "JavaScript"
	case "C++", "Objective-C", "CUDA":
		return "C"
	}
	return language
}

// Modules resolves imports to files in one view, by each language's rules for paths. If a language
// leaves it open, as with a compiler's search path, the nearest file whose path ends like the
// import is taken; a tie leads nowhere. It is made once a generation and is safe for concurrent
// use.
type Modules struct {
	Files    []store.ListedFile
	byFolder map[string][]int
	Probe    sourceProbe // for Go alone: replaces files and byFolder
	Packages             // from manifests

	Mu  sync.Mutex // guards fields filled on demand
	led map[origin]Lead
	// bound are the bindings of files with re-exports.
	Bound map[int][]store.Binding
	places
}

// A sourceProbe looks up folders one by one.
type sourceProbe interface {
	HoldsSources(folder string) bool
	Failed() error // the first error in a look-up
}

// places index files by the forms that imports use. Go needs none.
type places struct {
	byPath   map[string]int
	byModule map[string][]int    // path without extension, or the folder a file stands for
	byStem   map[string][]int    // last part of a module's name
	byBase   map[string][]int    // last part of a path
	above    map[string][]string // last part of a folder's path → folders
}

// Packages are folders by the names that manifests give them.
type Packages struct {
	goModules []goModule
	Crates    map[string]string // crate → folder with its sources
	Scripts   map[string]string // JavaScript package → folder
}

// A goModule is a go.mod: its folder ("" for the root) and its module path ("" for the standard
// library).
type goModule struct{ folder, path string }

// An origin is all that decides where an import leads.
type origin struct{ family, from, target string }

// A Lead is an import's target: files, or in Go a folder, and names in them.
type Lead struct {
	Files  []int
	Folder string   // Go only: from the root; valid if found
	names  []string // the rest of the import path, after the module
	All    bool     // Java only: the import brings a package's types
	Found  bool
}

func NewModules(files []store.ListedFile, named Packages) *Modules {
	m := &Modules{Files: files, byFolder: make(map[string][]int), Packages: named, led: make(map[origin]Lead), Bound: make(map[int][]store.Binding)}
	for i, f := range files {
		if isSource(f) {
			m.byFolder[FolderOf(f.Path)] = append(m.byFolder[FolderOf(f.Path)], i)
		}
	}
	return m
}

func isSource(f store.ListedFile) bool { return IsSourceOf(f.Language) }

func IsSourceOf(language string) bool { return language != "" && language != "Markdown" }

// holdsSources reports whether a folder itself holds a source.
func (m *Modules) holdsSources(folder string) bool {
	if m.Probe != nil {
		return m.Probe.HoldsSources(folder)
	}
	return len(m.byFolder[folder]) > 0
}

// Failed returns a probe's error: a folder may have seemed empty for it.
func (m *Modules) Failed() error {
	if m.Probe == nil {
		return nil
	}
	return m.Probe.Failed()
}

func newPlaces(m *Modules) places {
	n := len(m.Files)
	p := places{make(map[string]int, n), make(map[string][]int, n), make(map[string][]int, n), make(map[string][]int, n), make(map[string][]string)}
	for i, f := range m.Files {
		p.byPath[f.Path] = i
		if !isSource(f) {
			continue
		}
		module, base := withoutExtension(f.Path), path.Base(f.Path)
		p.byModule[module] = append(p.byModule[module], i)
		if IsFront(f.Path) {
			p.byModule[FolderOf(f.Path)] = append(p.byModule[FolderOf(f.Path)], i)
		}
		p.byBase[base] = append(p.byBase[base], i)
		stem := path.Base(moduleOf(f.Path))
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

// Leads resolves a file's import. A lead that is not found is outside the view.
func (m *Modules) Leads(lang, from, target string) Lead {
	o := origin{Family(lang), from, target}
	switch o.family {
	case "Go":
		o.from = ""
	case "Rust":
	default:
		o.from = FolderOf(from)
	}
	m.Mu.Lock()
	defer m.Mu.Unlock()
	l, ok := m.led[o]
	if !ok {
		o.target = strings.Clone(target) // the origin outlives target
		l = m.follow(o.family, from, o.target)
		m.led[o] = l
	}
	return l
}

func (m *Modules) follow(family, from, target string) Lead {
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
		return Lead{}
	case "Ruby":
		return m.followRuby(from, target)
	}
	return m.oneOf(family, path.Join(FolderOf(from), target), target)
}

// oneOf returns the first path that is a file, with or without its extension.
func (m *Modules) oneOf(lang string, places ...string) Lead {
	for _, p := range places {
		if i, ok := m.byPath[p]; ok && Family(m.Files[i].Language) == lang {
			return Lead{Files: []int{i}, Found: true}
		}
		if fs := m.at(lang, p); len(fs) > 0 {
			return Lead{Files: fs, Found: true}
		}
	}
	return Lead{}
}

// at finds the files for a module at a place: files named like it before those that stand for the
// folder.
func (m *Modules) at(lang, place string) []int {
	var named, fronts []int
	for _, i := range m.byModule[place] {
		switch {
		case Family(m.Files[i].Language) != lang:
		case withoutExtension(m.Files[i].Path) == place:
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

// nearest finds the module that ends with parts and shares most folders with the file. A one-word
// module must lie where its language looks: the standard library's "json" is not some folder's
// json.rb.
func (m *Modules) nearest(lang, from, parts string, ok func(p string) bool) Lead {
	var ends []int
	for _, i := range m.byStem[path.Base(parts)] {
		name := moduleOf(m.Files[i].Path)
		if Family(m.Files[i].Language) != lang || name != parts && !strings.HasSuffix(name, "/"+parts) || ok != nil && !ok(m.Files[i].Path) {
			continue
		}
		if ok == nil && !strings.Contains(parts, "/") && name != parts && name != "lib/"+parts {
			continue
		}
		ends = append(ends, i)
	}
	return m.nearestOf(from, ends)
}

// nearestOf returns the file that shares most folders with another; none if two do.
func (m *Modules) nearestOf(from string, files []int) Lead {
	best, shared, tie := -1, -1, false
	for _, i := range files {
		switch n := commonFolders(m.Files[i].Path, from); {
		case n > shared:
			best, shared, tie = i, n, false
		case n == shared:
			tie = true
		}
	}
	if best < 0 || tie {
		return Lead{}
	}
	return Lead{Files: []int{best}, Found: true}
}

func commonFolders(a, b string) int {
	as, bs := strings.Split(FolderOf(a), "/"), strings.Split(FolderOf(b), "/")
	n := 0
	for n < min(len(as), len(bs)) && as[n] == bs[n] {
		n++
	}
	return n
}

// IsFront reports whether a file stands for its folder: index.ts, __init__.py, mod.rs.
func IsFront(p string) bool {
	base := path.Base(p)
	return slices.Contains([]string{"index", "__init__", "mod", "lib"}, strings.TrimSuffix(base, path.Ext(base)))
}

// moduleOf returns a file's name as imports spell it: no extension, no front's own name, no "src"
// folders.
func moduleOf(p string) string {
	m := withoutExtension(p)
	if IsFront(p) {
		m = FolderOf(p)
	}
	m = strings.TrimPrefix("/"+m, "/src/")
	return strings.Trim(strings.ReplaceAll("/"+m+"/", "/src/", "/"), "/")
}

func FolderOf(p string) string {
	i := strings.LastIndexByte(p, '/')
	return p[:max(i, 0)]
}

func withoutExtension(p string) string {
	if i := strings.LastIndexByte(p, '.'); i > strings.LastIndexByte(p, '/')+1 {
		return p[:i]
	}
	return p
}

// LastOf returns a name's last component in any language: "F" for "x.F", "x::F", "x->F", `X\F`,
// "x?.F".
func LastOf(s string) string {
	return s[strings.LastIndexAny(s, `.:>\/`)+1:]
}

// QualifierOf returns the part before the last separator: "a.b" for "a.b.F"; "" for a bare name.
func QualifierOf(s string) string {
	last := LastOf(s)
	return strings.TrimRight(s[:len(s)-len(last)], `.:->\?!`)
}
