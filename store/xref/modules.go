package xref

import (
	"path"
	"slices"
	"strings"
	"sync"

	"patina/store"
)

// Family is what languages that call each other are known by.
func Family(language string) string {
	switch language {
	case "TypeScript", "TSX", "JavaScript", "JSX", "Vue", "Svelte":
		return "JavaScript"
	case "C++", "Objective-C", "CUDA":
		return "C"
	}
	return language
}

// A Modules tells where imports lead: to files of one view, by what their languages say of paths. Where a language leaves it
// open, such as which folder a compiler searches, it is the file whose path ends like the import, the nearest one where
// several do; a tie leads nowhere. It is made once a generation and may be used concurrently.
type Modules struct {
	Files    []store.ListedFile
	byFolder map[string][]int
	Probe    sourceProbe // of Go alone: in place of files and byFolder
	Packages             // what manifests say

	Mu  sync.Mutex // guards what is made when it is asked for
	led map[origin]Lead
	// bound are the bindings of files that hand on names.
	Bound map[int][]store.Binding
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

// Packages are the names that manifests give to folders.
type Packages struct {
	goModules []goModule
	Crates    map[string]string // name of a crate → folder of its sources
	Scripts   map[string]string // name of a package of JavaScript → its folder
}

// A goModule is a go.mod: the folder that it lies in ("" for the root) and the path that it gives it ("" for the standard library).
type goModule struct{ folder, path string }

// An origin is what decides where an import leads.
type origin struct{ family, from, target string }

// A Lead is where an import leads: to files, or for Go to a folder, and to names that those hold.
type Lead struct {
	Files  []int
	Folder string   // of Go: with its path from the root; valid if found
	names  []string // what is left of the import behind the module
	All    bool     // of Java: a package, of which an import brings the types
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

// holdsSources tells whether a source lies in a folder itself.
func (m *Modules) holdsSources(folder string) bool {
	if m.Probe != nil {
		return m.Probe.HoldsSources(folder)
	}
	return len(m.byFolder[folder]) > 0
}

// Failed is the error of a probe, for which a folder may have seemed to hold nothing.
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

// Leads finds where a file's import leads; not found is outside of the view.
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
		o.target = strings.Clone(target) // which is kept
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

// oneOf is the first of some paths that is a file, with or without its extension.
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

// at finds the files whose module lies at a place: those named like it before those that stand for the folder.
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

// nearest finds the file whose module ends with parts and whose folder shares most with the file's own. A module of one word
// must lie where its language looks: a standard library's "json" is not some folder's json.rb.
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

// nearestOf is the one file of several that shares most folders with another; none if two do.
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

// IsFront tells whether a file stands for its folder: index.ts, __init__.py, mod.rs.
func IsFront(p string) bool {
	base := path.Base(p)
	return slices.Contains([]string{"index", "__init__", "mod", "lib"}, strings.TrimSuffix(base, path.Ext(base)))
}

// moduleOf is a file's name as imports spell it: no extension, no front's own name, no "src" folders.
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

// LastOf is the last component of a name as any language writes it: "F" of "x.F", "x::F", "x->F", `X\F`, "x?.F".
func LastOf(s string) string {
	return s[strings.LastIndexAny(s, `.:>\/`)+1:]
}

// QualifierOf is what a name is written behind, without the separator: "a.b" of "a.b.F"; "" for a bare name.
func QualifierOf(s string) string {
	last := LastOf(s)
	return strings.TrimRight(s[:len(s)-len(last)], `.:->\?!`)
}
