package suggest

import (
	"encoding/json"
	"strings"
)

// A jsonEntry is a text in an object of JSON.
type jsonEntry struct {
	path  []string // the keys that lead to it
	value string
	line  int // of its key
}

// jsonTexts lists the texts, numbers and truths in objects, up to the first mistake.
func jsonTexts(text string) (all []jsonEntry) {
	d := json.NewDecoder(strings.NewReader(text))
	line, at := 1, 0
	here := func() int {
		to := min(len(text), int(d.InputOffset()))
		line += strings.Count(text[at:to], "\n")
		at = to
		return line
	}
	var value func(path []string, line int) bool
	value = func(path []string, line int) bool {
		t, err := d.Token()
		if err != nil || len(path) > maxDepth {
			return false
		}
		switch v := t.(type) {
		case json.Delim:
			for d.More() {
				if v == '{' {
					key, err := d.Token()
					if err != nil {
						return false
					}
					name, _ := key.(string)
					if !value(append(path[:len(path):len(path)], name), here()) {
						return false
					}
				} else if !value(append(path[:len(path):len(path)], ""), here()) {
					return false
				}
			}
			_, err = d.Token()
			return err == nil
		case string:
			all = append(all, jsonEntry{path, v, line})
		case bool:
			if v {
				all = append(all, jsonEntry{path, "true", line})
			}
		}
		return true
	}
	value(nil, 1)
	return all
}

// maxDepth bounds how deep objects lie in one another.
const maxDepth = 50

// scopesOfJSON are the objects of package.json and composer.json that list dependencies.
var scopesOfJSON = map[string]scope{
	"dependencies": forUse, "peerDependencies": forUse, "optionalDependencies": forUse, "devDependencies": forTests,
	"require": forUse, "require-dev": forTests,
}

// packageJSON reads a package of npm. Nobody depends on a private one by its name.
func (m *manifest) packageJSON() {
	name, private := "", false
	all := jsonTexts(m.text)
	for _, e := range all {
		switch {
		case len(e.path) == 1 && e.path[0] == "name":
			name = e.value
		case len(e.path) == 1 && e.path[0] == "private":
			private = e.value == "true"
		case len(e.path) == 2:
			use, ok := scopesOfJSON[e.path[0]]
			if !ok || strings.HasPrefix(e.path[0], "require") {
				continue
			}
			dep := e.path[1]
			if real, ok := strings.CutPrefix(e.value, "npm:"); ok { // "alias": "npm:name@1"
				if i := strings.LastIndexByte(real, '@'); i > 0 {
					real = real[:i]
				}
				m.renamed[npm+" "+dep], dep = real, real
			}
			m.need(npm, dep, use, e.line)
		}
	}
	if !private {
		m.named(npm, name)
	}
}

// composer reads a package of PHP: its name, those that it stands for, and its namespaces.
func (m *manifest) composer() {
	for _, e := range jsonTexts(m.text) {
		switch {
		case len(e.path) == 1 && e.path[0] == "name":
			m.named(packagist, e.value)
		case len(e.path) == 2 && e.path[0] == "replace":
			m.named(packagist, e.path[1])
		case len(e.path) == 2 && (e.path[0] == "require" || e.path[0] == "require-dev"):
			if strings.Contains(e.path[1], "/") { // not php itself, and no ext-json
				m.need(packagist, e.path[1], scopesOfJSON[e.path[0]], e.line)
			}
		case len(e.path) >= 3 && strings.HasPrefix(e.path[0], "autoload") && strings.HasPrefix(e.path[1], "psr-") && !m.aside:
			m.module(packagist, strings.Trim(e.path[2], `\`), m.path)
		}
	}
}
