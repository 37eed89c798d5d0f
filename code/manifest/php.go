package manifest

import "strings"

// A Composer is the content of a composer.json.
type Composer struct {
	Names      []string // its own, and those of the packages that it replaces
	Needs      []Need
	Namespaces []string // that it autoloads
}

// composerScopes are the objects that list dependencies.
var composerScopes = map[string]Scope{"require": ForUse, "require-dev": ForTests}

// ReadComposer reads a composer.json, up to the first mistake.
func ReadComposer(text string) (c Composer) {
	eachJSON(text, func(t jsonText) {
		scope, needs := Unsaid, false
		if len(t.keys) > 0 {
			scope, needs = composerScopes[t.keys[0]]
		}
		switch {
		case len(t.keys) == 1 && t.keys[0] == "name":
			c.Names = append(c.Names, t.value)
		case len(t.keys) == 2 && t.keys[0] == "replace":
			c.Names = append(c.Names, t.keys[1])
		case len(t.keys) == 2 && needs:
			if strings.Contains(t.keys[1], "/") { // neither php itself nor an extension
				c.Needs = append(c.Needs, Need{t.keys[1], scope, t.line})
			}
		case len(t.keys) >= 3 && strings.HasPrefix(t.keys[0], "autoload") && strings.HasPrefix(t.keys[1], "psr-"):
			c.Namespaces = append(c.Namespaces, strings.Trim(t.keys[2], `\`))
		}
	})
	return c
}
