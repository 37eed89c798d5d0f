package xref

import (
	"strings"
	"unicode"

	"patina/store"
)

// followModule finds the file of a module by its name, below the folders of sources. Elixir's
// Plug.Conn is plug/conn.ex, Haskell's Data.Map is Data/Map.hs, and Lua's a.b is a/b.lua or
// a/b/init.lua.
func (r *Resolver) followModule(family, from, imported string) Target {
	parts := strings.Split(imported, ".")
	if family == "Elixir" {
		for i, p := range parts {
			parts[i] = underscored(p)
		}
	}
	place := strings.Join(parts, "/")
	if family != "Lua" {
		return r.nearest(family, from, place, nil)
	}
	for _, p := range []string{place, place + "/init"} {
		if t := r.oneOf(family, p, "lua/"+p); t.found {
			return t
		}
		if t := r.nearest(family, from, p, nil); t.found {
			return t
		}
	}
	return Target{}
}

// underscored spells a part of a module's name as Elixir's files do: HTTPServer is http_server.
func underscored(s string) string {
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

// moduleNamed are the families whose files name their module themselves: "M" of Lua's "M.f" and
// the last part of Elixir's "Plug.Conn" say nothing that the import does not.
var moduleNamed = map[string]bool{"Lua": true, "Elixir": true}

// isExported reports whether a name after an imported module means the definition.
func (d *Definition) isExported(names []string) bool {
	return moduleNamed[d.family] && len(names) == 1 && names[0] == d.name && d.Entry.Sort != store.Type
}
