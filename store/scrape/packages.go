package scrape

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxManifest    = 1 << 20 // bytes; what is larger was not written by hand
	maxPackageName = 200     // bytes; a longer name is none
)

// A manifest is a kind of file that makes a package of the folder it lies in.
type manifest struct {
	name string                // of the file; "*.x" for an extension
	read func(b []byte) string // the name that it gives the package; empty where it gives none
	bare bool                  // it makes a package without a name too, which is called by its folder
}

// manifests in the order in which they are asked where a folder has several: the first that gives a name wins.
//
// Some kinds without a name make no package: tools keep their settings in pyproject.toml and setup.cfg, {"type": "module"} is
// a package.json, and most CMakeLists.txt belong to the project above.
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

// manifestOf is the rank of a file among manifests, or -1.
func manifestOf(base string) int {
	return slices.IndexFunc(manifests, func(m manifest) bool {
		ext, ok := strings.CutPrefix(m.name, "*")
		return ok && path.Ext(base) == ext && base != ext || base == m.name
	})
}

// packages maps each folder that is one to the name of its package.
type packages map[string]string

// packagesOf reads the manifests among the files of a folder. A manifest that cannot be read or understood gives no name.
func packagesOf(root string, files []found) packages {
	type candidate struct {
		rank int
		path string
	}
	in := map[string][]candidate{}
	for _, f := range files {
		if rank := manifestOf(path.Base(f.path)); rank >= 0 {
			in[path.Dir(f.path)] = append(in[path.Dir(f.path)], candidate{rank, f.path})
		}
	}
	p := packages{}
	for folder, cs := range in {
		slices.SortStableFunc(cs, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) })
		for _, c := range cs {
			m := manifests[c.rank]
			if name := m.packageName(root, c.path); name != "" {
				p[folder] = name
				break
			}
			if _, ok := p[folder]; m.bare && !ok {
				p[folder] = folder
			}
		}
	}
	return p
}

// packageName is what a manifest calls its package, or empty.
func (m manifest) packageName(root, name string) string {
	if m.read == nil {
		return ""
	}
	raw, _, err := readRegular(filepath.Join(root, name), maxManifest)
	if err != nil {
		return ""
	}
	text, ok := decode(raw)
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

// isPackageName refuses what is no name: variables of a build, and what does not fit into a line.
func isPackageName(s string) bool {
	return s != "" && len(s) <= maxPackageName && utf8.ValidString(s) && !strings.ContainsAny(s, "$<>{}\"'\\") &&
		!strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f })
}

// of is the package that a file belongs to: that of the nearest folder above it; empty for none.
func (p packages) of(file string) string {
	if len(p) == 0 {
		return ""
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if name, ok := p[dir]; ok || dir == "." {
			return name
		}
	}
}
