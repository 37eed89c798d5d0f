package imports

import (
	"path"
	"slices"
	"strings"

	"patina/code/manifest"
	"patina/internal/glob"
)

// A scriptPackage is the content of a package.json.
type scriptPackage struct {
	folder, name string
	mains        []string          // paths of its own module: source, types, main
	exports      []manifest.Export // nil if there is no "exports"
	imports      []manifest.Export // names that begin with "#"
	linked       map[string]string // from dependencies in the tree to their folders
	renamed      map[string]string // from aliases of dependencies to packages
	members      []string          // globs of the folders of its workspace
	closed       bool              // it has "exports", so no other path leads into it
}

// maxPlaces bounds the work for one import, far above real manifests.
const maxPlaces = 40

// packageJSON adds a package.json.
func (m *Manifests) packageJSON(folder, body string) {
	said, ok := manifest.ReadPackageJSON(body)
	if !ok {
		return
	}
	p := scriptPackage{
		folder: folder, name: said.Name, mains: said.Mains, exports: said.Exports, imports: said.Imports,
		members: said.Workspaces,
		closed:  len(said.Exports) > 0,
	}
	for _, v := range said.Versions {
		p.depends(v)
	}
	m.addPackage(p)
}

// addPackage adds a package, or adds the workspace of a pnpm-workspace.yaml to it.
func (m *Manifests) addPackage(p scriptPackage) {
	if m.packages == nil {
		m.packages, m.packagesNamed = make(map[string]scriptPackage), make(map[string][]string)
	}
	if old, ok := m.packages[p.folder]; ok {
		p.members = append(p.members, old.members...)
		if p.name == "" {
			old.members, p = p.members, old
		}
	}
	m.packages[p.folder] = p
	if p.name != "" && !slices.Contains(m.packagesNamed[p.name], p.folder) {
		m.packagesNamed[p.name] = append(m.packagesNamed[p.name], p.folder)
		slices.Sort(m.packagesNamed[p.name])
	}
}

// depends adds a dependency that is a folder of the tree or an alias.
func (p *scriptPackage) depends(v manifest.NPMVersion) {
	switch kind, rest, _ := strings.Cut(v.Version, ":"); kind {
	case "file", "link", "portal":
		if p.linked == nil {
			p.linked = make(map[string]string)
		}
		p.linked[v.Name] = path.Join(p.folder, rest)
	case "npm", "workspace":
		real, _, ok := cutLast(rest, "@")
		if !ok || real == "" || real == v.Name {
			return
		}
		if p.renamed == nil {
			p.renamed = make(map[string]string)
		}
		p.renamed[v.Name] = real
	}
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// exportedPlaces returns the paths of an export by the rules of Node: the line that equals written,
// otherwise the one with the longest text before its "*".
func exportedPlaces(list []manifest.Export, written string) (places []string, ok bool) {
	best, middle := -1, ""
	for i, x := range list {
		before, after, star := strings.Cut(x.Written, "*")
		switch {
		case x.Written == written:
			return x.Places, true
		case !star && strings.HasSuffix(x.Written, "/"):
			before, star = x.Written, true
		}
		rest, begins := strings.CutPrefix(written, before)
		rest, ends := strings.CutSuffix(rest, after)
		if !star || !begins || !ends || rest == "" {
			continue
		}
		if best >= 0 && len(before) <= len(strings.SplitN(list[best].Written, "*", 2)[0]) {
			continue
		}
		best, middle = i, rest
	}
	if best < 0 {
		return nil, false
	}
	for _, p := range list[best].Places {
		if strings.HasSuffix(list[best].Written, "/") && strings.HasSuffix(p, "/") {
			p += "*"
		}
		places = append(places, strings.ReplaceAll(p, "*", middle))
	}
	return places, true
}

// hasMember reports whether a folder belongs to the workspace of a package. The last glob that
// matches counts.
func (p *scriptPackage) hasMember(folder string) bool {
	rest, below := strings.CutPrefix(folder, p.folder)
	if !below || p.folder != "" && !strings.HasPrefix(rest, "/") {
		return false
	}
	rest = strings.Trim(rest, "/")
	is := false
	for _, g := range p.members[:min(len(p.members), maxPlaces)] {
		g, not := strings.CutPrefix(g, "!")
		if g = strings.Trim(strings.TrimPrefix(g, "./"), "/"); glob.Bounded(g) && glob.Match(g, rest) {
			is = !not
		}
	}
	return is
}

// packageFor returns the package in the tree that a file means by a name: its own, one that its
// manifest links, one installed above it, or a member of its workspace. Without a workspace, it is
// the nearest package of that name.
func (m *Manifests) packageFor(from, name string) (p scriptPackage, ok bool) {
	named := m.packagesNamed[name]
	workspace := false
	var members []string
	for folder := FolderOf(from); ; folder = FolderOf(folder) {
		if p, ok = m.packages[path.Join(folder, "node_modules", name)]; ok {
			return p, true
		}
		if p, ok = m.packages[folder]; ok {
			if p.name == name {
				return p, true
			}
			if place := p.linked[name]; place != "" {
				to, ok := m.packages[place]
				return to, ok
			}
			if real := p.renamed[name]; real != "" {
				name, named = real, m.packagesNamed[real]
			}
			workspace = workspace || len(p.members) > 0
			for _, at := range named {
				if p.hasMember(at) {
					members = append(members, at)
				}
			}
			if len(members) > 0 {
				break
			}
		}
		if folder == "" {
			break
		}
	}
	if !workspace {
		for _, at := range named {
			if !strings.Contains("/"+at+"/", "/node_modules/") {
				members = append(members, at)
			}
		}
	}
	if slices.ContainsFunc(members, func(at string) bool { return !isStray(at) }) {
		members = slices.DeleteFunc(members, isStray) // a test may have a package of the same name
	}
	best, shared := "", -1
	for _, at := range members {
		switch n := CommonFolders(at+"/x", from); {
		case n > shared:
			best, shared = at, n
		case n == shared:
			return scriptPackage{}, false
		}
	}
	p, ok = m.packages[best]
	return p, ok && shared >= 0
}
