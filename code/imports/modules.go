package imports

import (
	"sort"
	"strings"

	"patina/code/lang"
)

// followModule returns the file of a module by its name, below folders of sources. Elixir's
// Plug.Conn is plug/conn.ex, Haskell's Data.Map is Data/Map.hs, and Lua's a.b is a/b.lua or
// a/b/init.lua.
func (r *Resolver) followModule(rules *lang.Scope, family, from, imported string) Target {
	for _, p := range rules.ModulePlaces(imported) {
		if rules.ModuleRoot != "" {
			if t := r.oneOf(family, p, rules.ModuleRoot+"/"+p); t.found {
				return t
			}
		}
		if t := r.nearestModule(family, from, p, nil); t.found {
			return t
		}
	}
	return Target{}
}

// followSwift returns the sources of a module: the folder in the manifest, otherwise the folder of
// its name below Sources or Tests, or at the root. Further parts are names in the module.
func (r *Resolver) followSwift(imported string) Target {
	module, rest, _ := strings.Cut(imported, ".")
	places := []string{"Sources/" + module, "Tests/" + module, module}
	if place, ok := r.manifests.swift[module]; ok {
		places = []string{place}
	}
	t := Target{Whole: rest == ""}
	for _, place := range places {
		if t.At = r.swiftBelow(place); len(t.At) > 0 {
			t.found, t.Names = true, SplitName(rest)
			break
		}
	}
	return t
}

// swiftBelow returns the sources below a folder, which are consecutive in the order of paths.
func (r *Resolver) swiftBelow(folder string) []int {
	at := func(prefix string) int {
		return sort.Search(len(r.swift), func(k int) bool { return r.files[r.swift[k]].Path >= prefix })
	}
	return r.swift[at(folder+"/"):at(folder+"0")] // "0" is the byte after "/"
}
