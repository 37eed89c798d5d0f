package mother

import (
	"path"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
)

// importable adds the names by which a source can be imported, if its path or its text says them.
// In the other ecosystems the manifest says them.
func (f *facts) importable(ecosystem string, x File) {
	switch ecosystem {
	case pypi:
		f.module(pypi, pythonModule(x.Path), x.Path)
	case gems:
		if _, below, ok := cutFolder(x.Path, "lib"); ok && strings.HasSuffix(below, ".rb") {
			f.module(gems, strings.TrimSuffix(below, ".rb"), x.Path)
		}
	case maven:
		for _, root := range []string{"java", "kotlin", "scala", "groovy"} {
			above, below, ok := cutFolder(x.Path, root)
			if ok && strings.Contains("/"+above, "/src/") && path.Dir(below) != "." {
				f.module(maven, strings.ReplaceAll(path.Dir(below), "/", "."), x.Path)
				break
			}
		}
	case hex:
		for _, m := range defmodule().FindAllStringSubmatch(x.Text, -1) {
			f.module(hex, m[1], x.Path)
		}
	}
}

var defmodule = lazyregexp.New(`(?m)^[ \t]*defmodule[ \t]+([A-Z][\w.]*)`)

// cutFolder cuts a path at the first folder with a name. It reports false if there is no such
// folder.
func cutFolder(p, folder string) (above, below string, ok bool) {
	above, below, ok = strings.Cut("/"+p, "/"+folder+"/")
	return above + "/", below, ok
}

// pythonModule returns the top module of a file: that of a package "a/__init__.py", or of a single
// "a.py", at the root or in src, lib or python. It returns "" for all other files.
func pythonModule(p string) string {
	parts := strings.Split(p, "/")
	for len(parts) > 1 && (parts[0] == "src" || parts[0] == "lib" || parts[0] == "python") {
		parts = parts[1:]
	}
	name := ""
	switch {
	case len(parts) == 2 && strings.HasPrefix(parts[1], "__init__."):
		name = parts[0]
	case len(parts) == 1:
		name = strings.TrimSuffix(parts[0], ".py")
	}
	if slices.Contains(noModules, name) || !identifier().MatchString(name) {
		return ""
	}
	return name
}

var identifier = lazyregexp.New(`^[A-Za-z_]\w*$`)

// noModules lists files at the root that others do not import as the package.
var noModules = []string{
	"setup", "conftest", "noxfile", "tasks", "manage", "fabfile", "versioneer", "utils", "main", "app", "config",
	"types",
	"version",
}

// owners maps names to the repositories that provide them, or that sources import by them.
type owners struct {
	names, modules map[string][]owner // by ecosystem and name
}

type owner struct{ place, depth int }

func newOwners(all []facts) owners {
	own := owners{map[string][]owner{}, map[string][]owner{}}
	add := func(m map[string][]owner, key string, o owner) {
		if i := slices.IndexFunc(m[key], func(x owner) bool { return x.place == o.place }); i >= 0 {
			m[key][i].depth = min(m[key][i].depth, o.depth)
			return
		}
		m[key] = append(m[key], o)
	}
	for i, f := range all {
		for _, p := range f.provides {
			add(own.names, p.ecosystem+" "+p.name, owner{i, p.depth})
			for _, module := range modulesOf(p.ecosystem, p.name) {
				add(own.modules, p.ecosystem+" "+module, owner{i, p.depth})
			}
		}
		for _, m := range f.modules {
			add(own.modules, m.ecosystem+" "+m.name, owner{i, m.depth})
		}
	}
	return own
}

// modulesOf returns the names by which sources import a package, as far as its own name determines
// them.
func modulesOf(ecosystem, name string) []string {
	switch ecosystem {
	case golang, npm, pub:
		return []string{name}
	case cargo, pypi:
		return []string{strings.ReplaceAll(name, "-", "_")}
	case gems:
		return []string{name, strings.ReplaceAll(name, "-", "/")}
	case nuget:
		return []string{name}
	}
	return nil
}

// ofName returns the repositories that provide a package, or nil if the one at self provides it. If
// there are several, those count whose name is nearest to their root.
func (o owners) ofName(self int, ecosystem, name string) []int {
	return nearest(self, o.names[ecosystem+" "+clean(ecosystem, name)])
}

func nearest(self int, all []owner) (places []int) {
	least := -1
	for _, x := range all {
		if x.place == self {
			return nil
		}
		if least < 0 || x.depth < least {
			least, places = x.depth, nil
		}
		if x.depth == least {
			places = append(places, x.place)
		}
	}
	return places
}

// ofImport returns the repositories that an import leads to: those with the longest name that is a
// beginning of the import. It returns nil if the one at self is among them.
func (o owners) ofImport(self int, ecosystem, name string) []int {
	for _, begin := range beginnings(ecosystem, name) {
		if all := o.modules[ecosystem+" "+begin]; len(all) > 0 {
			return nearest(self, all)
		}
	}
	return nil
}

// separator returns the separator between the names of an import.
func separator(ecosystem string) string {
	switch ecosystem {
	case cargo:
		return "::"
	case pypi, maven, nuget, hex:
		return "."
	case packagist:
		return `\`
	}
	return "/"
}

// firstName returns the first name of an import.
func firstName(name, ecosystem string) string {
	head, _, _ := strings.Cut(name, separator(ecosystem))
	return head
}

// beginnings returns the names that an import may mean, the longest first.
func beginnings(ecosystem, name string) (all []string) {
	switch ecosystem {
	case gems: // the whole name of a file
		return []string{strings.TrimSuffix(name, ".rb")}
	case cargo, pypi:
		return []string{firstName(name, ecosystem)}
	case nuget:
		name = strings.ToLower(name)
	case packagist:
		name = strings.Trim(name, `\`)
	}
	by := separator(ecosystem)
	for {
		all = append(all, name)
		i := strings.LastIndex(name, by)
		if i < 0 {
			return all
		}
		name = name[:i]
	}
}
