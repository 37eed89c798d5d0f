package text

import (
	"path"
	"slices"
	"strings"
)

// IsLockFile reports whether a path names a file of resolved versions and hashes.
func IsLockFile(name string) bool { return lockFiles.Has(strings.ToLower(path.Base(name))) }

// Routine reports whether a file changes with nearly every piece of work: a manifest, a lock file,
// a list of changes. Such a file changed together with most others, so it says little about any of
// them.
func Routine(name string) bool {
	base := strings.ToLower(path.Base(name))
	return lockFiles.Has(base) || manifests.Has(base) || manifestEnds.Has(path.Ext(base)) || proseEnds[path.Ext(base)] &&
		ListsChanges(name)
}

// RoutineLast moves routine files after the others. Both keep their order.
func RoutineLast(paths []string) {
	slices.SortStableFunc(paths, ByRoutine)
}

// ByRoutine compares two paths for sorting: routine files come after the others.
func ByRoutine(a, b string) int {
	switch x, y := Routine(a), Routine(b); {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

var (
	lockFiles = Set(`package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb
		deno.lock cargo.lock go.sum go.work.sum gemfile.lock poetry.lock uv.lock pdm.lock pipfile.lock pixi.lock
		conda-lock.yml composer.lock mix.lock rebar.lock flake.lock podfile.lock package.resolved cartfile.resolved
		pubspec.lock packages.lock.json paket.lock gradle.lockfile stack.yaml.lock cabal.project.freeze shard.lock
		module.bazel.lock .terraform.lock.hcl chart.lock gopkg.lock`)
	manifests = Set(`go.mod go.work cargo.toml pyproject.toml setup.cfg setup.py requirements.txt pipfile
		pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts dependencies.gradle composer.json
		package.json gemfile`)
	manifestEnds = Set(`.gemspec .csproj`)
	// Endings of prose. history.go is code, so its ending must not be here.
	proseEnds = map[string]bool{"": true, ".md": true, ".rst": true, ".txt": true, ".adoc": true}
)

// The names of files that list changes: their beginnings, and words that may be anywhere in them
// (2_3_release_notes.md).
var (
	changeListNames = []string{"change", "history", "news", "release"}
	changeListParts = []string{"changelog", "release_notes", "release-notes"}
)

// ListsChanges reports whether a document lists the changes of a project.
func ListsChanges(name string) bool {
	base := strings.ToLower(path.Base(name))
	return slices.ContainsFunc(changeListNames, func(l string) bool { return strings.HasPrefix(base, l) }) ||
		slices.ContainsFunc(changeListParts, func(l string) bool { return strings.Contains(base, l) })
}
