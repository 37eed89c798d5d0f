package brief

import (
	"path"
	"strings"

	"patina/code/manifest"
	"patina/internal/lazyregexp"
)

// ConventionsIn finds the rules of a project that a program enforces: forbidden imports with their
// reasons, layers, and retracted versions. It returns nil for other files.
func ConventionsIn(name, source string) []Quote {
	dir, base := path.Split(name)
	switch {
	case dir == "" && strings.HasPrefix(base, ".golangci."):
		return append(readDenied(name, source, "depguard"), readDenied(name, source, "forbidigo")...)
	case strings.HasPrefix(base, ".eslintrc") || strings.HasPrefix(base, "eslint.config."):
		return restrictedImports(name, source)
	case base == "deny.toml" || base == ".cargo-deny.toml":
		return bannedCrates(name, source)
	case base == "go.mod" && dir == "":
		return readRetractions(name, source)
	case dir == "" && (base == ".importlinter" || base == "setup.cfg" || base == "pyproject.toml"):
		return readContracts(name, source)
	}
	return nil
}

// maxConventions bounds the conventions of one file.
const maxConventions = 50

// addQuote appends a convention and its reason, which may be empty. It adds nothing beyond
// maxConventions.
func addQuote(found []Quote, name string, n int, says, reason string) []Quote {
	if len(found) == maxConventions {
		return found
	}
	if reason = strings.TrimSpace(reason); reason != "" {
		says += ": " + reason
	}
	return append(found, Quote{says, name, n})
}

var (
	deniedName = lazyregexp.New(`^\s*(?:- )?(?:pkg|p|pattern):\s*['"]?([^'"#]+?)['"]?\s*(?:#.*)?$`)
	deniedWhy  = lazyregexp.New(`^\s*(?:- )?(?:desc|msg):\s*['"]?(.+?)['"]?\s*$`)
)

// readDenied reads the names that depguard or forbidigo deny in the settings of golangci-lint.
func readDenied(name, source, linter string) (found []Quote) {
	depth, item, at := -1, "", 0
	flush := func(reason string) {
		if item != "" {
			found = addQuote(found, name, at, linter+" denies "+item, reason)
		}
		item = ""
	}
	eachLine(source, func(n int, line string) {
		bare := strings.TrimLeft(line, " ")
		indent := len(line) - len(bare)
		switch {
		case bare == "" || bare[0] == '#':
			return
		case strings.TrimRight(bare, " ") == linter+":":
			flush("")
			depth = indent
			return
		case depth < 0 || indent <= depth:
			flush("")
			depth = -1
			return
		}
		if m := deniedName().FindStringSubmatch(line); m != nil {
			flush("")
			item, at = m[1], n
		} else if m := deniedWhy().FindStringSubmatch(line); m != nil {
			flush(m[1])
		}
	})
	flush("")
	return found
}

var (
	restrictedName = lazyregexp.New(`\b(?:name|group|regex)['"]?\s*:\s*\[?\s*['"]([^'"]+)['"]`)
	restrictedWhy  = lazyregexp.New("\\bmessage['\"]?\\s*:\\s*(?:'([^']+)'|\"([^\"]+)\"|`([^`]+)`)")
)

// restrictedImports reads the rules "no-restricted-imports" of ESLint, up to the closing bracket of
// each.
func restrictedImports(name, source string) (found []Quote) {
	depth, item, at := 0, "", 0
	inside := false
	flush := func(reason string) {
		if item != "" {
			found = addQuote(found, name, at, "no-restricted-imports: "+item, reason)
		}
		item = ""
	}
	eachLine(source, func(n int, line string) {
		if !inside {
			_, rest, ok := strings.Cut(line, "no-restricted-imports")
			if !ok {
				return
			}
			inside, depth, line = true, 0, rest
		}
		if m := restrictedName().FindStringSubmatch(line); m != nil {
			flush("")
			item, at = m[1], n
		}
		if m := restrictedWhy().FindStringSubmatch(line); m != nil {
			flush(m[1] + m[2] + m[3])
		}
		depth += strings.Count(line, "[") + strings.Count(line, "{") -
			strings.Count(line, "]") - strings.Count(line, "}")
		if depth <= 0 {
			flush("")
			inside = false
		}
	})
	flush("")
	return found
}

var (
	crateName = lazyregexp.New(`\b(?:crate|name)\s*=\s*"([^"]+)"`)
	crateWhy  = lazyregexp.New(`\breason\s*=\s*"([^"]+)"`)
)

// bannedCrates reads the crates that cargo-deny bans.
func bannedCrates(name, source string) (found []Quote) {
	section, inDeny, comment := "", false, ""
	eachLine(source, func(n int, line string) {
		bare := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(bare, "#"):
			comment = strings.TrimSpace(strings.TrimLeft(bare, "#"))
			return
		case strings.HasPrefix(bare, "[") && strings.HasSuffix(bare, "]"):
			section, inDeny = strings.Trim(bare, "[]"), false
		case strings.HasPrefix(bare, "deny") && section == "bans":
			inDeny = true
		}
		if m := crateName().FindStringSubmatch(bare); m != nil && (inDeny || section == "bans.deny") {
			reason := comment
			if why := crateWhy().FindStringSubmatch(bare); why != nil {
				reason = why[1]
			}
			found = addQuote(found, name, n, "cargo-deny bans "+m[1], reason)
		}
		if inDeny && strings.HasSuffix(bare, "]") {
			inDeny = false
		}
		comment = ""
	})
	return found
}

// readRetractions reads the versions that a Go module has retracted.
func readRetractions(name, source string) (found []Quote) {
	for _, r := range manifest.ReadGoMod(source).Retract {
		found = addQuote(found, name, r.Line, "retracted "+r.Version, r.Reason)
	}
	return found
}

var contractName = lazyregexp.New(`^name\s*=\s*['"]?(.+?)['"]?\s*$`)

// readContracts reads the names of the contracts that import-linter checks.
func readContracts(name, source string) (found []Quote) {
	in := false
	eachLine(source, func(n int, line string) {
		bare := strings.TrimSpace(line)
		if strings.HasPrefix(bare, "[") {
			in = strings.HasPrefix(bare, "[importlinter:contract") || bare == "[[tool.importlinter.contracts]]"
			return
		}
		if m := contractName().FindStringSubmatch(bare); in && m != nil {
			found = addQuote(found, name, n, "import-linter: "+m[1], "")
		}
	})
	return found
}
