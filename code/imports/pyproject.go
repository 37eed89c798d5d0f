package imports

import (
	"path"
	"slices"
	"strings"

	"patina/code/manifest"
)

// A pythonProject has the package folders in the manifests of one folder.
type pythonProject struct {
	roots  []string          // folders in which absolute imports begin
	places map[string]string // from a package to its folder
}

// project adds a folder as a Python project. By default, imports begin in it and in its "src".
func (m *Manifests) project(folder string) *pythonProject {
	if m.pythonProjects == nil {
		m.pythonProjects = make(map[string]*pythonProject)
	}
	p := m.pythonProjects[folder]
	if p == nil {
		p = &pythonProject{places: make(map[string]string)}
		m.pythonProjects[folder] = p
		for _, usual := range []string{"src", "", "lib", "python"} {
			p.roots = append(p.roots, path.Join(folder, usual))
		}
	}
	return p
}

// root adds a folder from a manifest. It comes before the default ones.
func (p *pythonProject) root(folder, place string) {
	at := path.Join(folder, place)
	if strings.ContainsAny(place, "*{$") || strings.HasPrefix(at, "..") || slices.Contains(p.roots, at) ||
		len(p.roots) > maxPlaces {
		return
	}
	p.roots = slices.Insert(p.roots, 0, at)
}

// putPackage adds the folder of a package. If name is "", it is the folder of all packages.
func (p *pythonProject) putPackage(folder, name, place string) {
	if name == "" {
		p.root(folder, place)
	} else if len(p.places) < maxPlaces {
		p.places[name] = path.Join(folder, place)
	}
}

// python adds a Python manifest and its package folders.
func (m *Manifests) python(folder string, places []manifest.PythonPlace) {
	p := m.project(folder)
	for _, x := range places {
		p.putPackage(folder, x.Package, x.Folder)
	}
}
