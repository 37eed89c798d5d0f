// Package manifest says which package a file belongs to, by the manifests above it.
//
// A manifest is a go.mod, a package.json and the like. The nearest one that names a package counts.
// One that cannot be read or understood counts for nothing.
package manifest

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"patina/store/scrape/content"
	"patina/store/scrape/openat"
)

const (
	maxManifest    = 256 << 10 // bytes; what is larger was not written by hand
	maxPackageName = 200       // bytes; a longer name is none
)

// A manifest is a kind of file that makes a package of the folder it lies in.
type manifest struct {
	name string                // of the file; "*.x" for an extension
	read func(b []byte) string // the name that it gives the package; empty where it gives none
	bare bool                  // a folder with it is a package even without a name
}

// manifests are ordered: where a folder has several, the first that gives a name wins.
//
// Some kinds make no package without a name. Tools keep settings in pyproject.toml and setup.cfg,
// {"type": "module"} is a package.json, and most CMakeLists.txt belong to the project above.
var manifests = []manifest{
	{"go.mod", goModName, false},
	{"Cargo.toml", cargoName, true},
	{"pyproject.toml", pyprojectName, false},
	{"setup.cfg", setupCfgName, false},
	{"setup.py", setupPyName, true},
	{"pom.xml", pomName, true},
	{"composer.json", jsonName, true},
	{"*.gemspec", gemspecName, false},
	{"*.csproj", csprojName, false},
	{"package.json", jsonName, false},
	{"build.gradle", nil, true},
	{"build.gradle.kts", nil, true},
	{"CMakeLists.txt", cmakeName, false},
}

// ranks gives the place of each name among manifests.
var ranks = func() map[string]int {
	m := map[string]int{}
	for i, x := range manifests {
		m[x.name] = i
	}
	return m
}()

// manifestOf is the rank of a file among manifests, or -1.
func manifestOf(base string) int {
	if rank, ok := ranks[base]; ok {
		return rank
	}
	if ext := path.Ext(base); ext != "" && ext != base {
		if rank, ok := ranks["*"+ext]; ok {
			return rank
		}
	}
	return -1
}

// Is reports whether a file is a manifest by its name without folders.
func Is(base string) bool { return manifestOf(base) >= 0 }

// Packages knows the package of each file. A manifest is read when a file below it is asked for.
type Packages struct {
	at    *openat.Folder
	in    map[string][]candidate // folder → its manifests
	names map[string]string      // folder → package of its files, once known; "" for none
}

// A candidate is a manifest that may name the package of its folder.
type candidate struct {
	rank int
	path string
}

// Find finds the manifests among files of a folder.
func Find(at *openat.Folder, files iter.Seq[string]) Packages {
	p := Packages{at: at, in: map[string][]candidate{}, names: map[string]string{}}
	for f := range files {
		if rank := manifestOf(path.Base(f)); rank >= 0 {
			p.in[openat.Parent(f)] = append(p.in[openat.Parent(f)], candidate{rank, f})
		}
	}
	return p
}

// makes returns the package that a folder itself makes, or "".
func (p Packages) makes(folder string) (name string) {
	cs := p.in[folder]
	slices.SortStableFunc(cs, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) })
	for _, c := range cs {
		m := manifests[c.rank]
		if said := m.packageName(p.at, c.path); said != "" {
			return said
		}
		if m.bare {
			name = folder
		}
	}
	return name
}

// packageName returns the name that a manifest gives, or "".
func (m manifest) packageName(at *openat.Folder, name string) string {
	if m.read == nil {
		return ""
	}
	text, ok := content.ReadText(at, name, maxManifest)
	if !ok {
		return ""
	}
	if s := strings.TrimSpace(m.read(text)); isPackageName(s) {
		return s
	}
	if m.name[0] == '*' { // called like the file
		if stem := strings.TrimSuffix(path.Base(name), path.Ext(name)); isPackageName(stem) {
			return stem
		}
	}
	return ""
}

// isPackageName reports whether a text can be a name. Variables of a build are none, nor is a text
// with blanks.
func isPackageName(s string) bool {
	return s != "" && len(s) <= maxPackageName && utf8.ValidString(s) && !strings.ContainsAny(s, "$<>{}\"'\\") &&
		!strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f })
}

// Of returns the package of a file: that of the nearest folder above it, or "".
func (p Packages) Of(file string) string {
	if len(p.in) == 0 {
		return ""
	}
	dir := openat.Parent(file)
	name, known := p.names[dir]
	if !known {
		if name = p.makes(dir); name == "" && dir != "." {
			name = p.Of(dir)
		}
		p.names[dir] = name
	}
	return name
}
