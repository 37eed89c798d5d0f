package scrape

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"patina/code/manifest"
	"patina/scrape/content"
	"patina/scrape/openat"
)

const (
	maxManifest    = 256 << 10 // bytes; people write no larger one by hand
	maxPackageName = 200       // bytes; a longer text is no name
)

// A packaging is a kind of manifest: a file that makes its folder a package.
type packaging struct {
	name  string // of the file; "*.x" for an extension
	names bool   // it may name the package
	bare  bool   // a folder with it is a package even without a name
}

// packagings are in order, because the first that gives a name wins if a folder has several.
//
// Some kinds make no package without a name. Tools keep settings in pyproject.toml and setup.cfg,
// {"type": "module"} is a package.json, and most CMakeLists.txt belong to the project above.
var packagings = []packaging{
	{"go.mod", true, false},
	{"Cargo.toml", true, true},
	{"pyproject.toml", true, false},
	{"setup.cfg", true, false},
	{"setup.py", true, true},
	{"pom.xml", true, true},
	{"composer.json", true, true},
	{"*.gemspec", true, false},
	{"*.csproj", true, false},
	{"package.json", true, false},
	{"build.gradle", false, true},
	{"build.gradle.kts", false, true},
	{"CMakeLists.txt", true, false},
}

// packagingRanks has the index of each name in packagings.
var packagingRanks = func() map[string]int {
	m := map[string]int{}
	for i, x := range packagings {
		m[x.name] = i
	}
	return m
}()

// rankManifest returns the rank of a file among packagings, or -1.
func rankManifest(base string) int {
	if rank, ok := packagingRanks[base]; ok {
		return rank
	}
	if ext := path.Ext(base); ext != "" && ext != base {
		if rank, ok := packagingRanks["*"+ext]; ok {
			return rank
		}
	}
	return -1
}

// A packageIndex knows the package of each file, which the nearest manifest with a name gives. A
// manifest is read at the first question about a file below it, and ignored if it cannot be read.
// It must not be used concurrently.
type packageIndex struct {
	at    *openat.Folder
	in    map[string][]foundManifest // folder → its manifests
	names map[string]string          // folder → package of its files, once known; may be ""
}

// A foundManifest is a manifest that may name the package of its folder.
type foundManifest struct {
	rank int
	path string
}

// findPackages finds the manifests among files of a folder.
func findPackages(at *openat.Folder, files iter.Seq[string]) packageIndex {
	p := packageIndex{at: at, in: map[string][]foundManifest{}, names: map[string]string{}}
	for f := range files {
		if rank := rankManifest(path.Base(f)); rank >= 0 {
			p.in[openat.Parent(f)] = append(p.in[openat.Parent(f)], foundManifest{rank, f})
		}
	}
	return p
}

// madeBy returns the package that a folder itself makes, or "".
func (p packageIndex) madeBy(folder string) (name string) {
	cs := p.in[folder]
	slices.SortStableFunc(cs, func(a, b foundManifest) int { return cmp.Compare(a.rank, b.rank) })
	for _, c := range cs {
		m := packagings[c.rank]
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
func (m packaging) packageName(at *openat.Folder, name string) string {
	if !m.names {
		return ""
	}
	text, ok := content.ReadText(at, name, maxManifest)
	if !ok {
		return ""
	}
	if s := strings.TrimSpace(manifest.Name(path.Base(name), string(text))); isPackageName(s) {
		return s
	}
	if m.name[0] == '*' { // named like the file
		if stem := strings.TrimSuffix(path.Base(name), path.Ext(name)); isPackageName(stem) {
			return stem
		}
	}
	return ""
}

// isPackageName reports whether a text can be a name. It must not contain variables of a build, or
// blanks.
func isPackageName(s string) bool {
	return s != "" && len(s) <= maxPackageName && utf8.ValidString(s) && !strings.ContainsAny(s, "$<>{}\"'\\") &&
		!strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f })
}

// packageOf returns the package of a file: that of the nearest folder above it, or "".
func (p packageIndex) packageOf(file string) string {
	if len(p.in) == 0 {
		return ""
	}
	dir := openat.Parent(file)
	name, known := p.names[dir]
	if !known {
		if name = p.madeBy(dir); name == "" && dir != "." {
			name = p.packageOf(dir)
		}
		p.names[dir] = name
	}
	return name
}
