package manifest

import "strings"

// A Pubspec is the content of a pubspec.yaml.
type Pubspec struct {
	Name  string
	Needs []Need
}

// ReadPubspec reads a pubspec.yaml. Dependencies are the keys one level below their section.
func ReadPubspec(text string) (p Pubspec) {
	scopes := map[string]Scope{"dependencies": ForUse, "dev_dependencies": ForTests}
	section, indent := "", -1
	eachLine(text, func(n int, line string) {
		body := strings.TrimLeft(line, " ")
		key, value, ok := strings.Cut(body, ":")
		if !ok || body[0] == '#' {
			return
		}
		switch depth := len(line) - len(body); {
		case depth == 0:
			section, indent = key, -1
			if key == "name" && p.Name == "" {
				p.Name = strings.Trim(value, " \"'")
			}
		case indent < 0 || depth == indent:
			indent = depth
			if scope, ok := scopes[section]; ok {
				p.Needs = append(p.Needs, Need{key, scope, n})
			}
		}
	})
	return p
}
