package manifest

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// A PackageJSON has the parts of a package.json that are needed to resolve imports.
type PackageJSON struct {
	Name       string
	Mains      []string // paths of its own module: source, types, main
	Exports    []Export // nil if there is no "exports"
	Imports    []Export // names that begin with "#"
	Workspaces []string // globs of folders
	Versions   []NPMVersion
}

// An NPMVersion is the wanted version or the location of a package: "^1", "file:../x".
type NPMVersion struct{ Name, Version string }

// An Export is one line of "exports" or "imports" with the paths of all its conditions.
type Export struct {
	Written string // "." or "./sub" or "#name", perhaps with a "*"
	Places  []string
}

// These bound one package.json. They are far above real ones: the largest of trpc and vitest have
// 60 lines of exports with six conditions each.
const (
	maxExports = 2000
	maxPlaces  = 40
	maxNested  = 8
)

// ReadPackageJSON reads a package.json. It returns false if the text is not valid JSON.
func ReadPackageJSON(text string) (p PackageJSON, ok bool) {
	var said struct {
		Name, Source, Types, Typings, Module, Main, Exports, Imports, Workspaces json.RawMessage

		Dependencies, DevDependencies, PeerDependencies, OptionalDependencies json.RawMessage
	}
	if json.Unmarshal([]byte(text), &said) != nil {
		return PackageJSON{}, false
	}
	p.Name = textValue(said.Name)
	for _, main := range []json.RawMessage{said.Source, said.Types, said.Typings, said.Module, said.Main} {
		if s := textValue(main); s != "" {
			p.Mains = append(p.Mains, s)
		}
	}
	p.Exports, p.Imports = exportsOf(said.Exports), exportsOf(said.Imports)
	if p.Workspaces = textsOf(said.Workspaces); p.Workspaces == nil {
		var yarn struct{ Packages json.RawMessage }
		_ = json.Unmarshal(said.Workspaces, &yarn)
		p.Workspaces = textsOf(yarn.Packages)
	}
	for _, list := range []json.RawMessage{
		said.Dependencies, said.DevDependencies, said.PeerDependencies, said.OptionalDependencies,
	} {
		var versions map[string]json.RawMessage
		_ = json.Unmarshal(list, &versions)
		for name, v := range versions {
			p.Versions = append(p.Versions, NPMVersion{name, textValue(v)})
		}
	}
	return p, true
}

// textValue returns a JSON string, or "" for another value.
func textValue(b json.RawMessage) (s string) {
	_ = json.Unmarshal(b, &s)
	return s
}

// textsOf returns a JSON list of strings, or nil for another value.
func textsOf(b json.RawMessage) (list []string) {
	_ = json.Unmarshal(b, &list)
	return list
}

// exportsOf reads "exports" or "imports": one path, a list, conditions, or one of these for each
// name.
func exportsOf(b json.RawMessage) (list []Export) {
	var lines map[string]json.RawMessage
	if json.Unmarshal(b, &lines) == nil {
		for _, written := range slices.Sorted(maps.Keys(lines)) {
			if strings.HasPrefix(written, ".") || strings.HasPrefix(written, "#") {
				x := Export{Written: written}
				x.addPlaces(lines[written], 0)
				list = append(list, x)
			}
		}
	}
	if len(list) == 0 {
		x := Export{Written: "."}
		if x.addPlaces(b, 0); len(x.Places) > 0 {
			list = append(list, x)
		}
	}
	return list[:min(len(list), maxExports)]
}

// conditions are tried first, those nearest to the source first. The others follow by name, and
// byDefault is last.
var conditions = []string{"source", "development", "types", "import", "module", "node", "require", "browser"}

const byDefault = "default"

// addPlaces adds the paths of all conditions, because all are builds of one source.
func (x *Export) addPlaces(b json.RawMessage, depth int) {
	if place := textValue(b); place != "" && len(x.Places) < maxPlaces {
		if !slices.Contains(x.Places, place) {
			x.Places = append(x.Places, place)
		}
		return
	}
	if depth == maxNested {
		return
	}
	var list []json.RawMessage
	if json.Unmarshal(b, &list) == nil {
		for _, y := range list {
			x.addPlaces(y, depth+1)
		}
		return
	}
	var by map[string]json.RawMessage
	if json.Unmarshal(b, &by) != nil {
		return
	}
	for _, c := range conditions {
		if y, ok := by[c]; ok {
			x.addPlaces(y, depth+1)
			delete(by, c)
		}
	}
	last := by[byDefault]
	delete(by, byDefault)
	for _, c := range slices.Sorted(maps.Keys(by)) {
		x.addPlaces(by[c], depth+1)
	}
	x.addPlaces(last, depth+1)
}

// An NPM is the package and the dependencies in a package.json.
type NPM struct {
	Name    string
	Private bool   // not published
	Manager string // the program and its version: "pnpm@9"
	Needs   []NPMNeed
}

// An NPMNeed is a dependency on the package Name.
type NPMNeed struct {
	Need
	As string // its name in sources
}

// npmScopes are the objects that list dependencies.
var npmScopes = map[string]Scope{
	"dependencies": ForUse, "peerDependencies": ForUse, "optionalDependencies": ForUse, "devDependencies": ForTests,
}

// ReadNPM reads a package.json up to the first mistake.
func ReadNPM(text string) (p NPM) {
	eachJSON(text, func(t jsonText) {
		switch {
		case len(t.keys) == 1:
			switch t.keys[0] {
			case "name":
				p.Name = t.value
			case "private":
				p.Private = t.value == "true"
			case "packageManager":
				p.Manager = t.value
			}
		case len(t.keys) == 2:
			if scope, ok := npmScopes[t.keys[0]]; ok {
				n := NPMNeed{Need{t.keys[1], scope, t.line}, t.keys[1]}
				if real, ok := strings.CutPrefix(t.value, "npm:"); ok { // "alias": "npm:name@1"
					if i := strings.LastIndexByte(real, '@'); i > 0 {
						real = real[:i]
					}
					n.Name = real
				}
				p.Needs = append(p.Needs, n)
			}
		}
	})
	return p
}

// ReadPnpmWorkspace returns the globs below "packages" in a pnpm-workspace.yaml.
func ReadPnpmWorkspace(text string) (globs []string) {
	inside := false
	eachLine(text, func(_ int, line string) {
		line = strings.TrimRight(line, " \t")
		key, inline, _ := strings.Cut(line, ":")
		bare := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(bare, "#") || line == "":
		case key == "packages":
			inside = true
			isBetween := func(r rune) bool { return strings.ContainsRune("[], \t", r) }
			for _, s := range strings.FieldsFunc(inline, isBetween) {
				globs = append(globs, strings.Trim(s, `"'`))
			}
		case inside && strings.HasPrefix(bare, "- "):
			s, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(bare, "- ")), " #")
			globs = append(globs, strings.Trim(strings.TrimSpace(s), `"'`))
		default:
			inside = false
		}
	})
	return globs
}
