package imports

import (
	"slices"
	"strings"

	"patina/code/lang"
	"patina/store/doc"
)

// Imports reports whether files of one family may import files of another, as families with
// declared packages may.
func Imports(from, to string) bool { return from == to || HasPackages(from) && HasPackages(to) }

// HasPackages reports whether files of a language declare packages. Declare must be called before
// their imports are resolved.
func HasPackages(language string) bool {
	return lang.Named(language).Names().Modules == lang.DeclaredPackages
}

// PackagedLanguages returns the names of the languages whose files declare packages, sorted.
func PackagedLanguages() (names []string) {
	for l := range lang.All {
		if HasPackages(l.Name) {
			names = append(names, l.Name)
		}
	}
	slices.Sort(names)
	return names
}

// declared are the files that declare a package, and its top-level names.
type declared struct {
	files []int
	names map[string][]int
}

// Declare records the packages that files of Java, Kotlin and Scala declare, and their top-level
// names. Other files are found only by their paths.
func (r *Resolver) Declare(files []File) {
	at := make(map[int64]int, len(r.files))
	for i, f := range r.files {
		at[f.Key] = i
	}
	packages, packageOf := make(map[string]*declared), make(map[int]string)
	for _, f := range files {
		i, ok := at[f.Key]
		name := strings.Clone(f.packageName()) // kept in packageOf
		if !ok || !HasPackages(f.Language) || name == "" {
			continue
		}
		p := packages[name]
		if p == nil {
			p = &declared{names: make(map[string][]int)}
			packages[name] = p
		}
		packageOf[i] = name
		p.files = append(p.files, i)
		for _, e := range f.Entries {
			last := doc.LastName(e.Name)
			if e.Parent < 0 && !slices.Contains(p.names[last], i) {
				p.names[strings.Clone(last)] = append(p.names[last], i)
			}
		}
	}
	for _, p := range packages {
		slices.Sort(p.files)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.packages, r.packageOf = packages, packageOf
	clear(r.targets) // resolved only by paths
}

// packageName returns the package that a file declares, or "". In Scala several consecutive lines
// declare one.
func (f *File) packageName() string {
	var parts []string
	for _, b := range f.Bindings {
		if b.Name == doc.PackageName && b.Import == "" {
			parts = append(parts, b.Of)
		}
	}
	return strings.Join(parts, ".")
}

// followPackaged returns the file that declares the package and the name of an import, or all files
// of a package. A name that no file declares is from outside.
func (r *Resolver) followPackaged(rules *lang.Scope, from, family, imported string) Target {
	imported = strings.TrimPrefix(imported, "_root_.")
	if len(r.packages) == 0 {
		return r.followDotted(from, family, strings.Split(imported, "."))
	}
	t := r.inPackages(rules, from, imported, 1)
	i, ok := r.byPath[from]
	if t.found || !ok || !rules.RelativePackages {
		return t
	}
	// Names of Scala may be relative to the packages around the file.
	for own := r.packageOf[i]; own != "" && !t.found; own, _, _ = cutLast(own, ".") {
		least := 1 + strings.Count(own, ".")
		if t = r.inPackages(rules, from, own+"."+imported, least); least == 1 {
			break
		}
	}
	return t
}

// inPackages resolves the longest beginning of a name that is a package with at least least parts.
func (r *Resolver) inPackages(rules *lang.Scope, from, imported string, least int) Target {
	name, all := strings.CutSuffix(imported, "."+doc.AllNames)
	parts := strings.Split(name, ".")
	for n := len(parts); n >= least; n-- {
		p := r.packages[strings.Join(parts[:n], ".")]
		switch {
		case p == nil:
		case n == len(parts) && (all || rules.RelativePackages) && r.holdsMore(name, p):
			return Target{At: p.files, Whole: true, found: true}
		case n < len(parts):
			if t := r.inPackage(rules, from, p, parts[n:]); t.found {
				return t
			}
		}
	}
	return Target{}
}

// holdsMore reports whether a package defines more than packages, because a package object of Scala
// is in the package around it, which may be another project's.
func (r *Resolver) holdsMore(name string, p *declared) bool {
	for n := range p.names {
		if r.packages[name+"."+n] == nil {
			return true
		}
	}
	return false
}

// sharedParts returns the number of folders of a file that also occur in the path from: "native",
// "jvm".
func (r *Resolver) sharedParts(i int, from string) (n int) {
	for _, s := range strings.Split(FolderOf(r.files[i].Path), "/") {
		if strings.Contains("/"+FolderOf(from)+"/", "/"+s+"/") {
			n++
		}
	}
	return n
}

// inPackage returns the nearest file of a package that defines a name. If there are versions for
// several platforms, it returns all.
func (r *Resolver) inPackage(rules *lang.Scope, from string, p *declared, names []string) Target {
	files := p.names[names[0]]
	for _, i := range p.files { // the parser may not read the definition
		if len(p.names[names[0]]) == 0 && StemOf(r.files[i].Path) == names[0] {
			files = append(files, i)
		}
	}
	t := r.nearestOf(from, files)
	if !t.found && len(files) > 0 && !rules.StrictPackages {
		files = slices.Clone(files)
		slices.SortStableFunc(files, func(i, j int) int {
			return r.sharedParts(j, from) - r.sharedParts(i, from)
		})
		t = Target{At: files, found: true}
	}
	t.Names = names
	if t.found && lang.Named(r.files[t.At[0]].Language).Names().FileIsClass &&
		StemOf(r.files[t.At[0]].Path) == names[0] {
		t.Names = names[1:] // the file is the class
	}
	return t
}
