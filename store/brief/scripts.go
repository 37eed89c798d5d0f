package brief

import (
	"encoding/json"
	"strings"
)

// packageScripts finds the scripts of a package.json or composer.json that are named after a use.
func packageScripts(name, source string, files func(name string) bool) (found []Command) {
	runner := "composer"
	if name == "package.json" {
		runner = runnerOf(source, files)
	}
	eachMember(source, func(path []string, value string, line int) {
		if len(path) != 2 || path[0] != "scripts" || value == "" {
			return
		}
		use, ok := targetUse[path[1]]
		if !ok {
			return
		}
		call := runner + " run " + path[1]
		if runner == "composer" || path[1] == "test" || path[1] == "start" && runner != "bun" {
			call = runner + " " + path[1]
		}
		found = append(found, Command{use, Quote{call, name, line}})
	})
	return found
}

// runnerOf says by which program scripts are run: the one that the package names, else the one
// whose lock file lies beside.
func runnerOf(source string, files func(name string) bool) string {
	runner := ""
	eachMember(source, func(path []string, value string, _ int) {
		if len(path) == 1 && path[0] == "packageManager" {
			runner, _, _ = strings.Cut(value, "@")
		}
	})
	switch runner {
	case "npm", "pnpm", "yarn", "bun":
		return runner
	}
	for _, lock := range [...][2]string{{"package-lock.json", "npm"}, {"pnpm-lock.yaml", "pnpm"}, {"yarn.lock", "yarn"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"}} {
		if files(lock[0]) {
			return lock[1]
		}
	}
	return "npm"
}

const (
	maxDepth   = 32
	maxMembers = 100_000
)

// eachMember calls f with the strings of a JSON text: the keys that lead there, the value, and the
// line of the last key. It ends at the first fault.
func eachMember(source string, f func(path []string, value string, line int)) {
	d := json.NewDecoder(strings.NewReader(source))
	type level struct {
		object bool
		key    string
		line   int
		keyed  bool // a value comes next
	}
	var levels []level
	counted, lines := int64(0), 1
	for range maxMembers {
		t, err := d.Token()
		if err != nil || len(levels) > maxDepth {
			return
		}
		lines += strings.Count(source[counted:d.InputOffset()], "\n")
		counted = d.InputOffset()
		top := len(levels) - 1
		if delim, ok := t.(json.Delim); ok {
			switch delim {
			case '{', '[':
				levels = append(levels, level{object: delim == '{'})
			default:
				levels = levels[:top]
				if top--; top >= 0 {
					levels[top].keyed = false
				}
			}
			continue
		}
		if top < 0 || !levels[top].object {
			continue
		}
		text, isText := t.(string)
		if !levels[top].keyed {
			levels[top].key, levels[top].line, levels[top].keyed = text, lines, true
			continue
		}
		levels[top].keyed = false
		if isText {
			var path []string
			for _, l := range levels {
				path = append(path, l.key)
			}
			f(path, text, levels[top].line)
		}
	}
}
