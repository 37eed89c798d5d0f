package xref

import (
	"sort"
	"strings"
	"unicode"

	"patina/store/doc"
)

// followModule finds the file of a module by its name, below the folders of sources. Elixir's
// Plug.Conn is plug/conn.ex, Haskell's Data.Map is Data/Map.hs, and Lua's a.b is a/b.lua or
// a/b/init.lua.
func (r *Resolver) followModule(family, from, imported string) Target {
	parts := strings.Split(imported, ".")
	if family == "Elixir" {
		for i, p := range parts {
			parts[i] = underscore(p)
		}
	}
	place := strings.Join(parts, "/")
	if family != "Lua" {
		return r.nearestModule(family, from, place, nil)
	}
	for _, p := range []string{place, place + "/init"} {
		if t := r.oneOf(family, p, "lua/"+p); t.found {
			return t
		}
		if t := r.nearestModule(family, from, p, nil); t.found {
			return t
		}
	}
	return Target{}
}

// underscore spells a part of a module's name as Elixir's files do: HTTPServer is http_server.
func underscore(s string) string {
	runes := []rune(s)
	var b strings.Builder
	for i, c := range runes {
		if unicode.IsUpper(c) && i > 0 && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// swiftModule is the module of a folder: by the rules of Swift's package manager the folder below
// Sources or Tests. Elsewhere it is the first folder.
func swiftModule(folder string) string {
	parts := strings.Split(folder, "/")
	for i, p := range parts[:len(parts)-1] {
		if p == "Sources" || p == "Tests" {
			return strings.Join(parts[:i+2], "/")
		}
	}
	return parts[0]
}

// followSwift finds the sources of a module: where the manifest says, else the folder of its name
// below Sources or Tests, or at the root. A part behind the module is a name in it.
func (r *Resolver) followSwift(imported string) Target {
	module, rest, _ := strings.Cut(imported, ".")
	places := []string{"Sources/" + module, "Tests/" + module, module}
	if place, ok := r.manifests.swift[module]; ok {
		places = []string{place}
	}
	t := Target{whole: rest == ""}
	for _, place := range places {
		if t.files = r.swiftBelow(place); len(t.files) > 0 {
			t.found, t.names = true, splitName(rest)
			break
		}
	}
	return t
}

// swiftBelow are the sources below a folder. They stand together among the paths in order.
func (r *Resolver) swiftBelow(folder string) []int {
	at := func(prefix string) int {
		return sort.Search(len(r.swift), func(k int) bool { return r.files[r.swift[k]].Path >= prefix })
	}
	return r.swift[at(folder+"/"):at(folder+"0")] // "0" is the byte after "/"
}

// moduleNamed are the families whose files name their module themselves: "M" of Lua's "M.f" and
// the last part of Elixir's "Plug.Conn" say nothing that the import does not.
var moduleNamed = map[string]bool{"Lua": true, "Elixir": true}

// isExported reports whether a name after an imported module means the definition.
func (d *Definition) isExported(names []string) bool {
	return moduleNamed[d.family] && len(names) == 1 && names[0] == d.name && d.Entry.Sort != doc.Type
}
