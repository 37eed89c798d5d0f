// Package imports resolves imports: a Resolver follows them to files of one view, by the paths of
// the files, the manifests of their projects and the rules of their languages.
//
// The package is pure: it uses no database, files or clock. Equal input gives equal output. An
// import that leads out of the view has no Target.
//
// It leaves to others: reading imports from source (scrape), reading manifests (code/manifest), and
// resolving the names that an import binds (code/xref).
package imports

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"

	"patina/code/lang"
	"patina/store/doc"
)

// A Resolver finds the targets of imports in one view, by the rules of their languages. If a
// language leaves the folder open, an import leads to the nearest file whose path ends like it, and
// to nothing if two are equally near. It is safe for concurrent use.
type Resolver struct {
	manifests Manifests
	files     []doc.ListedFile
	byFolder  map[string][]int           // sources, by folder
	probe     func(string) (bool, error) // only for Go, instead of files and byFolder
	probed    map[string]bool            // results of probe

	mu        sync.Mutex // guards the fields below, which are made when needed
	probeErr  error      // the first error of probe
	targets   map[origin]Target
	packages  map[string]*declared // of Java, Kotlin and Scala, set by Declare
	packageOf map[int]string       // from a file to its package
	places
}

// places are files by their possible names in imports. Go does not need them.
type places struct {
	byPath   map[string]int
	byModule map[string][]int    // path without extension, and the folder of its index file
	byStem   map[string][]int    // last part of a module's name
	byBase   map[string][]int    // last part of a path
	parents  map[string]bool     // parents of folders with sources; nil until needed
	above    map[string][]string // from the last part of a path to folders
	swift    []int               // sources of Swift, by path
	auto     bool                // a build imports undeclared names of JavaScript
}

// An origin is all on which the target of an import depends.
type origin struct{ family, from, imported string }

// A Target is the place in the view to which an import leads. The zero value leads nowhere. Its
// slices belong to the Resolver and must not be changed.
type Target struct {
	resolver *Resolver
	family   string
	rules    *lang.Scope // of the family
	At       []int       // the numbers of its files; nil for a package of Go
	Folder   string      // in Go: the folder of the package; "" for the root
	Names    []string    // the rest of the import, after the module
	Whole    bool        // in Java: a package, whose types are imported
	found    bool
}

// NewResolver returns the resolver for a view of these files, with the manifests of the view. The
// number of a file is its place in files, which may not be changed.
func NewResolver(files []doc.ListedFile, named Manifests) *Resolver {
	r := &Resolver{
		manifests: named, files: files,
		byFolder: make(map[string][]int), targets: make(map[origin]Target),
	}
	for i, f := range files {
		if IsSource(f.Language) {
			r.byFolder[FolderOf(f.Path)] = append(r.byFolder[FolderOf(f.Path)], i)
		}
	}
	return r
}

// NewGoResolver returns a resolver for Go imports alone, which needs no list of files. holds must
// report whether a source is directly in a folder.
func NewGoResolver(named Manifests, holds func(folder string) (bool, error)) *Resolver {
	return &Resolver{
		manifests: named, probe: holds,
		probed: make(map[string]bool), targets: make(map[origin]Target),
	}
}

// Err returns the first error of the function that was given to NewGoResolver, or nil. After an
// error, folders may wrongly seem empty.
func (r *Resolver) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.probeErr
}

// IsSource reports whether files of a language can be imported without their extension.
func IsSource(language string) bool {
	return language != "" && !lang.Named(language).NotImported
}

// Family returns the family of a language. Languages of one family can call each other.
func Family(language string) string {
	if l := lang.Named(language); l.Family != "" {
		return l.Family
	}
	return language
}

// holdsSources reports whether a source is directly in a folder.
func (r *Resolver) holdsSources(folder string) bool {
	if r.probe == nil {
		return len(r.byFolder[folder]) > 0
	}
	holds, ok := r.probed[folder]
	if ok || r.probeErr != nil {
		return holds
	}
	holds, r.probeErr = r.probe(folder)
	r.probed[folder] = holds
	return holds
}

func newPlaces(r *Resolver) places {
	n := len(r.files)
	p := places{
		byPath: make(map[string]int, n), byModule: make(map[string][]int, n),
		byStem: make(map[string][]int, n), byBase: make(map[string][]int, n),
		above: make(map[string][]string),
	}
	for i, f := range r.files {
		p.byPath[f.Path] = i
		if base := path.Base(f.Path); strings.HasPrefix(base, "nuxt.config.") || base == "auto-imports.d.ts" {
			p.auto = true
		}
		if !IsSource(f.Language) || path.Ext(f.Path) == ".ipynb" { // notebooks are not imported
			continue
		}
		if lang.Named(f.Language).Names().Modules == lang.SourceFolders {
			p.swift = append(p.swift, i)
		}
		module, base := WithoutExtension(f.Path), path.Base(f.Path)
		p.byModule[module] = append(p.byModule[module], i)
		if IsIndex(f.Path) {
			p.byModule[FolderOf(f.Path)] = append(p.byModule[FolderOf(f.Path)], i)
		}
		p.byBase[base] = append(p.byBase[base], i)
		stem := path.Base(moduleOf(f.Path))
		p.byStem[stem] = append(p.byStem[stem], i)
	}
	slices.SortFunc(p.swift, func(i, j int) int { return strings.Compare(r.files[i].Path, r.files[j].Path) })
	for folder := range r.byFolder {
		p.above[path.Base(folder)] = append(p.above[path.Base(folder)], folder)
	}
	for _, folders := range p.above {
		slices.Sort(folders)
	}
	return p
}

// Resolve returns the target of an import in the file from. ok is false if it is outside the view.
func (r *Resolver) Resolve(language, from, imported string) (t Target, ok bool) {
	o, rules := origin{Family(language), from, imported}, lang.Named(language).Names()
	switch rules.Modules {
	case lang.FolderPackages, lang.SourceFolders:
		o.from = ""
	case lang.CrateModules:
	default:
		o.from = FolderOf(from)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	t, ok = r.targets[o]
	if !ok {
		o.imported = strings.Clone(imported) // kept in targets
		t = r.followImport(o.family, rules, from, o.imported)
		t.resolver, t.family, t.rules = r, o.family, rules
		r.targets[o] = t
	}
	return t, t.found
}

// AutoImports reports whether the configuration of a build in the view imports undeclared names of
// JavaScript.
func (r *Resolver) AutoImports() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.findPlaces()
	return r.auto
}

// findPlaces reads the paths of all files, once. The caller holds mu.
func (r *Resolver) findPlaces() {
	if r.byPath == nil {
		r.places = newPlaces(r)
	}
}

// File returns the file of a number that a Target, Number, Enter or ModulesNamed gave. It panics on
// any other number.
func (r *Resolver) File(number int) doc.ListedFile { return r.files[number] }

// Number returns the number of the file at a path. ok is false if the view has no such file.
func (r *Resolver) Number(path string) (number int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.findPlaces()
	number, ok = r.byPath[path]
	return number, ok
}

// Enter is Number, but a resolver of NewGoResolver, which has no list of files, adds the file and
// returns true.
func (r *Resolver) Enter(f doc.ListedFile) (number int, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.findPlaces()
	number, ok = r.byPath[f.Path]
	if !ok && r.probe != nil {
		number, ok = len(r.files), true
		r.files = append(r.files, f)
		r.byPath[f.Path] = number
	}
	return number, ok
}

// ModulesNamed returns the numbers of the files whose module has this last name, or nil.
func (r *Resolver) ModulesNamed(name string) []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.findPlaces()
	return r.byStem[name]
}

// oneOf returns the first place that is a file, with or without its extension.
func (r *Resolver) oneOf(family string, places ...string) Target {
	for _, p := range places {
		if i, ok := r.byPath[p]; ok && Family(r.files[i].Language) == family {
			return Target{At: []int{i}, found: true}
		}
		if t := r.placed(family, p); t.found {
			return t
		}
	}
	return Target{}
}

// placed returns the module at a place.
func (r *Resolver) placed(family, place string) Target {
	files := r.filesAt(family, place)
	return Target{At: files, found: len(files) > 0}
}

// filesAt returns the files of the module at a place: files of that name, otherwise index files of
// that folder.
func (r *Resolver) filesAt(family, place string) []int {
	var named, indexes []int
	for _, i := range r.byModule[place] {
		switch {
		case Family(r.files[i].Language) != family:
		case WithoutExtension(r.files[i].Path) == place:
			named = append(named, i)
		default:
			indexes = append(indexes, i)
		}
	}
	if len(named) > 0 {
		return named
	}
	return indexes
}

// nearestModule returns the file whose module ends with parts and whose folder shares most with
// that of from. A module of one word must be where its language searches, because a standard
// library's "json" is not some folder's json.rb. ok filters files and may be nil.
func (r *Resolver) nearestModule(family, from, parts string, ok func(p string) bool) Target {
	var ends []int
	for _, i := range r.byStem[path.Base(parts)] {
		name := moduleOf(r.files[i].Path)
		switch whole := name == parts; {
		case Family(r.files[i].Language) != family:
		case !whole && !strings.HasSuffix(name, "/"+parts):
		case ok != nil && !ok(r.files[i].Path):
		case ok == nil && !strings.Contains(parts, "/") && !whole && name != "lib/"+parts:
		default:
			ends = append(ends, i)
		}
	}
	return r.nearestOf(from, ends)
}

// nearestOf returns the file that shares most folders with from, or no target if two do.
func (r *Resolver) nearestOf(from string, files []int) Target {
	best, shared, tie := -1, -1, false
	for _, i := range files {
		switch n := CommonFolders(r.files[i].Path, from); {
		case n > shared:
			best, shared, tie = i, n, false
		case n == shared:
			tie = true
		}
	}
	if best < 0 || tie {
		return Target{}
	}
	return Target{At: []int{best}, found: true}
}

// Path returns the path of a target: a file, or the folder of a package of Go or Java.
func (t Target) Path() string {
	switch {
	case len(t.At) == 0:
		return cmp.Or(t.Folder, ".")
	case t.Whole:
		return FolderOf(t.resolver.files[t.At[0]].Path)
	}
	return t.resolver.files[t.At[0]].Path
}

// Files returns the files of a target. It returns nil for a package of Go.
func (t Target) Files() (files []doc.ListedFile) {
	for _, i := range t.At {
		files = append(files, t.resolver.files[i])
	}
	return files
}

// A Reach is the certainty that an import leads to a file.
type Reach int

// These are the grades of a Reach, in rising order.
const (
	Unreached Reach = iota
	Nearby          // through an index file above it, or only by its name
	Exact           // the import leads to the file or to its package
)

// Reach returns how surely an import leads to a file of the same family.
func (t Target) Reach(to string) Reach {
	if t.rules != nil && t.rules.Modules == lang.FolderPackages {
		if t.found && t.Folder == FolderOf(to) {
			return Exact
		}
		return Unreached
	}
	most := Unreached
	for _, i := range t.At {
		p := t.resolver.files[i].Path
		switch isC := t.rules.Modules == lang.HeaderIncludes; {
		case p == to, isC && WithoutExtension(p) == WithoutExtension(to): // a header and its source
			return Exact
		case IsIndex(p) && strings.HasPrefix(to, FolderOf(p)+"/"),
			isC && StemOf(p) == StemOf(to) && IsHeader(p) && !IsHeader(to):
			most = Nearby
		}
	}
	return most
}

// ResolveBinding returns where a binding of the file from leads, with rest, the names that are
// written after it, behind the names of the target. It returns nil if that is outside of the view.
func (r *Resolver) ResolveBinding(language, from string, b doc.Binding, rest []string) []Target {
	imported := b.Import
	var names []string
	switch modules := lang.Named(language).Names().Modules; {
	case modules == lang.CrateModules:
		imported = strings.TrimSuffix(imported, "::"+doc.AllNames)
	case b.Of == "" || b.Of == doc.AllNames:
	case modules == lang.DottedModules: // a name of the module, or a module below it
		if strings.Trim(imported, ".") != "" {
			imported += "."
		}
		imported += b.Of
	default:
		names = SplitName(b.Of)
	}
	t, ok := r.Resolve(language, from, imported)
	if !ok {
		return nil
	}
	t.Names = slices.Concat(t.Names, names, rest)
	return []Target{t}
}
