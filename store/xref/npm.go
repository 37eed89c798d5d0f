package xref

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"patina/store/glob"
)

// A scriptPackage is a package.json.
type scriptPackage struct {
	folder, name string
	mains        []string          // places of its own module: source, types, main
	exports      []export          // nil without "exports"
	imports      []export          // names that begin with "#"
	linked       map[string]string // names of dependencies that are folders → the folder
	renamed      map[string]string // names of dependencies → the package they stand for
	members      []string          // globs of the folders of its workspace
	closed       bool              // it has "exports": no other path leads into it
}

// An export is one line of "exports" or "imports" with the places that its conditions give.
type export struct {
	written string // "." or "./sub" or "#name", perhaps with a "*"
	places  []string
}

// Bounds of one manifest, far above those of real ones: the widest of trpc and vitest have 60
// lines of exports, six conditions each.
const (
	maxExports = 2000
	maxPlaces  = 40
	maxNested  = 8
)

// packageJSON reads what a package.json says of the modules of its folder.
func (m *Manifests) packageJSON(folder, body string) {
	var said struct {
		Name, Source, Types, Typings, Module, Main, Exports, Imports, Workspaces json.RawMessage

		Dependencies, DevDependencies, PeerDependencies, OptionalDependencies json.RawMessage
	}
	if json.Unmarshal([]byte(body), &said) != nil {
		return
	}
	p := scriptPackage{folder: folder, name: jsonText(said.Name)}
	for _, main := range []json.RawMessage{said.Source, said.Types, said.Typings, said.Module, said.Main} {
		if s := jsonText(main); s != "" {
			p.mains = append(p.mains, s)
		}
	}
	p.exports, p.imports = exportsOf(said.Exports), exportsOf(said.Imports)
	p.closed = len(p.exports) > 0
	if p.members = jsonTexts(said.Workspaces); p.members == nil {
		var yarn struct{ Packages json.RawMessage }
		_ = json.Unmarshal(said.Workspaces, &yarn)
		p.members = jsonTexts(yarn.Packages)
	}
	for _, list := range []json.RawMessage{said.Dependencies, said.DevDependencies, said.PeerDependencies, said.OptionalDependencies} {
		p.depends(list)
	}
	m.addPackage(p)
}

// addPackage enters a package, or adds the workspace of a pnpm-workspace.yaml to it.
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

// depends reads the dependencies that are folders of the tree, or have another name there.
func (p *scriptPackage) depends(list json.RawMessage) {
	var said map[string]json.RawMessage
	if json.Unmarshal(list, &said) != nil {
		return
	}
	for name, v := range said {
		kind, rest, _ := strings.Cut(jsonText(v), ":")
		switch kind {
		case "file", "link", "portal":
			if p.linked == nil {
				p.linked = make(map[string]string)
			}
			p.linked[name] = path.Join(p.folder, rest)
		case "npm", "workspace":
			real, _, ok := cutLast(rest, "@")
			if !ok || real == "" || real == name {
				continue
			}
			if p.renamed == nil {
				p.renamed = make(map[string]string)
			}
			p.renamed[name] = real
		}
	}
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func jsonText(b json.RawMessage) (s string) {
	_ = json.Unmarshal(b, &s) // what is no text is none
	return s
}

func jsonTexts(b json.RawMessage) (list []string) {
	_ = json.Unmarshal(b, &list)
	return list
}

// exportsOf reads "exports" or "imports": one place, a list, conditions, or one of these for each
// path.
func exportsOf(b json.RawMessage) (list []export) {
	var lines map[string]json.RawMessage
	if json.Unmarshal(b, &lines) == nil {
		for _, written := range slices.Sorted(maps.Keys(lines)) {
			if strings.HasPrefix(written, ".") || strings.HasPrefix(written, "#") {
				x := export{written: written}
				x.add(lines[written], 0)
				list = append(list, x)
			}
		}
	}
	if len(list) == 0 {
		x := export{written: "."}
		if x.add(b, 0); len(x.places) > 0 {
			list = append(list, x)
		}
	}
	return list[:min(len(list), maxExports)]
}

// conditions are those that lead to the source itself, or lie nearest to it. The others follow by
// their names, and byDefault last.
var conditions = []string{"source", "development", "types", "import", "module", "node", "require", "browser"}

const byDefault = "default"

// add collects the places of all conditions: they are builds of one source.
func (x *export) add(b json.RawMessage, depth int) {
	if place := jsonText(b); place != "" && len(x.places) < maxPlaces {
		if !slices.Contains(x.places, place) {
			x.places = append(x.places, place)
		}
		return
	}
	if depth == maxNested {
		return
	}
	var list []json.RawMessage
	if json.Unmarshal(b, &list) == nil {
		for _, y := range list {
			x.add(y, depth+1)
		}
		return
	}
	var by map[string]json.RawMessage
	if json.Unmarshal(b, &by) != nil {
		return
	}
	for _, c := range conditions {
		if y, ok := by[c]; ok {
			x.add(y, depth+1)
			delete(by, c)
		}
	}
	last := by[byDefault]
	delete(by, byDefault)
	for _, c := range slices.Sorted(maps.Keys(by)) {
		x.add(by[c], depth+1)
	}
	x.add(last, depth+1)
}

// exported returns the places of a path by the rules of Node: the line that is written so, else the
// one with the longest text before its "*".
func exported(list []export, written string) (places []string, ok bool) {
	best, middle := -1, ""
	for i, x := range list {
		before, after, star := strings.Cut(x.written, "*")
		switch {
		case x.written == written:
			return x.places, true
		case !star && strings.HasSuffix(x.written, "/"):
			before, star = x.written, true
		}
		rest, begins := strings.CutPrefix(written, before)
		rest, ends := strings.CutSuffix(rest, after)
		if !star || !begins || !ends || rest == "" {
			continue
		}
		if best >= 0 && len(before) <= len(strings.SplitN(list[best].written, "*", 2)[0]) {
			continue
		}
		best, middle = i, rest
	}
	if best < 0 {
		return nil, false
	}
	for _, p := range list[best].places {
		if strings.HasSuffix(list[best].written, "/") && strings.HasSuffix(p, "/") {
			p += "*"
		}
		places = append(places, strings.ReplaceAll(p, "*", middle))
	}
	return places, true
}

// pnpm reads the folders of a pnpm-workspace.yaml: the list below "packages".
func (m *Manifests) pnpm(folder, body string) {
	var members []string
	inside := false
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, " \t\r\n")
		key, inline, _ := strings.Cut(line, ":")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "#") || line == "":
		case key == "packages":
			inside = true
			for _, s := range strings.FieldsFunc(inline, func(r rune) bool { return strings.ContainsRune("[], \t", r) }) {
				members = append(members, strings.Trim(s, `"'`))
			}
		case inside && strings.HasPrefix(strings.TrimSpace(line), "- "):
			s := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- "))
			s, _, _ = strings.Cut(s, " #")
			members = append(members, strings.Trim(strings.TrimSpace(s), `"'`))
		default:
			inside = false
		}
	}
	m.addPackage(scriptPackage{folder: folder, members: members})
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

// packageFor finds the package of the tree that a file means by a name: its own, one that its
// manifest links, one installed above it, else a member of the workspace around it. A file without
// a workspace means the nearest package of that name.
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
		members = slices.DeleteFunc(members, isStray) // a test has a package of that name, too
	}
	best, shared := "", -1
	for _, at := range members {
		switch n := commonFolders(at+"/x", from); {
		case n > shared:
			best, shared = at, n
		case n == shared:
			return scriptPackage{}, false
		}
	}
	p, ok = m.packages[best]
	return p, ok && shared >= 0
}
