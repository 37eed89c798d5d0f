package imports

import (
	"path"
	"slices"
	"strings"

	"patina/code/manifest"
)

// A pythonProject is what the manifests of a folder say of its packages.
type pythonProject struct {
	roots  []string          // folders in which absolute imports begin
	places map[string]string // a package → its folder, where it is named
}

// project enters a folder as a project of Python. Without more, imports begin in it and its "src".
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

// root adds a folder that a manifest names. It comes before the usual ones.
func (p *pythonProject) root(folder, place string) {
	at := path.Join(folder, place)
	if strings.ContainsAny(place, "*{$") || strings.HasPrefix(at, "..") || slices.Contains(p.roots, at) || len(p.roots) > maxPlaces {
		return
	}
	p.roots = slices.Insert(p.roots, 0, at)
}

// putPackage says where a package lies; "" is all of them.
func (p *pythonProject) putPackage(folder, name, place string) {
	if name == "" {
		p.root(folder, place)
	} else if len(p.places) < maxPlaces {
		p.places[name] = path.Join(folder, place)
	}
}

// python enters a manifest of Python, and where it says that packages lie.
func (m *Manifests) python(folder string, places []manifest.PythonPlace) {
	p := m.project(folder)
	for _, x := range places {
		p.putPackage(folder, x.Package, x.Folder)
	}
}
