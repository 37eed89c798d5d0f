package brief

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"patina/internal/lazyregexp"
)

// A commandSource is a kind of file that contains commands.
type commandSource int

// These are the sources, the most deliberate first.
const (
	noCommands commandSource = iota
	targets                  // a Makefile, a justfile or a Taskfile
	scripts                  // package.json, composer.json
	guide                    // CONTRIBUTING
	workflow                 // of a continuous integration
	manual                   // README
)

// sourceOf returns the kind of a file, or noCommands. Most kinds count only at the root, because
// files below it are about a part.
func sourceOf(name string) commandSource {
	low := strings.ToLower(name)
	dir, base := path.Split(low)
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch {
	case dir == "" && (base == "makefile" || base == "gnumakefile" ||
		base == "justfile" || base == ".justfile" || stem == "taskfile"):
		return targets
	case low == "package.json" || low == "composer.json":
		return scripts
	case (dir == "" || dir == ".github/" || dir == "docs/") &&
		(stem == "contributing" || stem == "hacking" || stem == "development" ||
			stem == "building" || stem == "build"):
		return guide
	case strings.HasPrefix(low, ".github/workflows/") && (path.Ext(base) == ".yml" || path.Ext(base) == ".yaml"),
		low == ".gitlab-ci.yml", low == ".travis.yml", low == ".circleci/config.yml",
		low == "azure-pipelines.yml", low == "tox.ini":
		return workflow
	case dir == "" && (stem == "readme" || stem == "install"):
		return manual
	}
	return noCommands
}

// CommandsIn finds the commands in a file of a repository. files reports whether the repository has
// a file of that name at its root. It must not be nil, because the lock file decides how scripts
// are run.
func CommandsIn(name, source string, files func(name string) bool) []Command {
	switch sourceOf(name) {
	case targets:
		return makeTargets(name, source)
	case scripts:
		return packageScripts(name, source, files)
	case guide, manual:
		return inDocument(name, source)
	case workflow:
		return inWorkflow(name, source)
	}
	return nil
}

var (
	target = lazyregexp.New(`^([A-Za-z][\w.-]*)(?:\s+[^:=]*)?:(?:[^:=]|$)`)
	task   = lazyregexp.New(`^ {2,4}([A-Za-z][\w:.-]*):\s*$`)
)

// makeTargets finds the targets whose name is in targetUse.
func makeTargets(name, source string) (found []Command) {
	tool, named := "make ", target()
	switch base := strings.ToLower(path.Base(name)); {
	case strings.HasSuffix(base, "justfile"):
		tool = "just "
	case strings.HasPrefix(base, "taskfile"):
		tool, named = "task ", task()
	}
	seen := map[string]bool{}
	eachLine(source, func(n int, line string) {
		m := named.FindStringSubmatch(line)
		if m == nil || seen[m[1]] {
			return
		}
		if use, ok := targetUse[strings.ToLower(m[1])]; ok && !onlyOthers(m[1], line) {
			seen[m[1]] = true
			found = append(found, Command{use, Quote{tool + m[1], name, n}})
		}
	})
	return found
}

// onlyOthers reports whether a target is "all" and only needs targets that build nothing, such as
// "test".
func onlyOthers(name, line string) bool {
	_, needed, _ := strings.Cut(line, ":")
	needs := strings.Fields(needed)
	return name == "all" && len(needs) > 0 && !slices.ContainsFunc(needs, func(n string) bool {
		use, ok := targetUse[strings.ToLower(n)]
		return !ok || use == Build
	})
}

// targetUse maps names of targets and scripts to uses.
var targetUse = map[string]Use{
	"build": Build, "all": Build, "compile": Build, "dist": Build, "bundle": Build,
	"test": Test, "tests": Test, "unit": Test, "test-unit": Test, "unit-test": Test, "check": Check,
	"phpstan": Check, "psalm": Check, "lint": Check, "fmt": Check, "format": Check,
	"vet": Check, "typecheck": Check, "style": Check,
	"run": Run, "start": Run, "serve": Run, "dev": Run, "server": Run, "demo": Run,
}

var useOrder = []Use{Build, Test, Check, Run}

// bestCommands returns at most maxCommands commands without repetitions: first the best command of
// each use, then the second, and so on. Commands from a more deliberate source are better. Commands
// of a workflow count only for uses that no other source has, because a workflow also runs much
// that people never type.
func bestCommands(all []Command) []Command {
	slices.SortStableFunc(all, func(a, b Command) int {
		return cmp.Or(cmp.Compare(sourceOf(a.Path), sourceOf(b.Path)), cmp.Compare(a.Path, b.Path),
			cmp.Compare(orderByName(a), orderByName(b)))
	})
	said := map[Use]bool{} // in a source other than a workflow
	for _, c := range all {
		said[c.Use] = said[c.Use] || sourceOf(c.Path) != workflow
	}
	all = slices.DeleteFunc(all, func(c Command) bool { return said[c.Use] && sourceOf(c.Path) == workflow })
	seen, rank := map[string]bool{}, map[Use]int{}
	type placed struct {
		Command
		round int
	}
	var kept []placed
	for _, c := range all {
		if key := string(c.Use) + tool().FindString(c.Text); !seen[key] {
			seen[key] = true
			kept = append(kept, placed{c, rank[c.Use]})
			rank[c.Use]++
		}
	}
	slices.SortStableFunc(kept, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.round, b.round),
			cmp.Compare(slices.Index(useOrder, a.Use), slices.Index(useOrder, b.Use)))
	})
	var out []Command
	for _, k := range kept[:min(len(kept), maxCommands)] {
		out = append(out, k.Command)
	}
	return out
}

// orderByName returns 0 for a target or script named like its use, otherwise 1.
func orderByName(c Command) int {
	if strings.HasSuffix(c.Text, " "+string(c.Use)) {
		return 0
	}
	return 1
}

// tool matches the program and the verb of a command. "go test ./..." and "go test -race" are
// equal.
var tool = lazyregexp.New(`^\S+(?: [a-z][\w:-]*)?`)
