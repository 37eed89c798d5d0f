package brief

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"patina/code/describe"
	"patina/internal/lazyregexp"
)

// manifests are the names of files that make their folder a package of its own.
var manifests = []string{
	"package.json", "Cargo.toml", "pyproject.toml", "go.mod", "composer.json", "pom.xml",
	"build.gradle", "build.gradle.kts", "setup.py",
}

// A unit is a folder of code, with the files in which its purpose may be found.
type unit struct {
	folder string
	weight float64 // sum over its central files
	leads  []string
}

// unitsOf groups the central files of a project by package: the nearest folder below the root that
// has a manifest, otherwise the file's folder. The most central come first.
func unitsOf(central []describe.Central, exists func(name string) bool) []unit {
	users, commits := 1, 1
	for _, c := range central {
		users, commits = max(users, c.Users), max(commits, c.Commits)
	}
	weights := map[string]float64{}
	for _, c := range central {
		if folder := unitOf(c.Path, exists); folder != "." && !besideCode().MatchString(folder+"/") {
			weights[folder] += float64(c.Users)/float64(users) + float64(c.Commits)/float64(commits)
		}
	}
	var units []unit
	for _, folder := range slices.Sorted(maps.Keys(weights)) {
		units = append(units, unit{folder, weights[folder], leadsOf(folder, central)})
	}
	slices.SortStableFunc(units, func(a, b unit) int { return cmp.Compare(b.weight, a.weight) })
	return units[:min(len(units), maxUnits)]
}

// besideCode matches folders of documentation, examples and tests.
var besideCode = lazyregexp.New(`(?i)(?:^|/)(?:docs?|documentation[\w-]*|examples?|samples?|snippets|` +
	`demos?|tests?|testdata|fixtures)/`)

// maxUnits bounds the folders whose purpose is looked for. maxLeads bounds the files for each,
// except for up to eight central Go files.
const (
	maxUnits = 60
	maxLeads = 16
)

func unitOf(name string, exists func(name string) bool) string {
	folder := path.Dir(name)
	for dir := folder; dir != "."; dir = path.Dir(dir) {
		if slices.ContainsFunc(manifests, func(m string) bool { return exists(dir + "/" + m) }) {
			return dir
		}
	}
	return folder
}

// leadsOf returns the files in which the purpose of a folder may be found, the likeliest first.
// They need not exist.
func leadsOf(folder string, central []describe.Central) []string {
	name := path.Base(folder)
	leads := []string{folder + "/doc.go"}
	for _, base := range []string{
		name + ".go", "package-info.java", "lib.rs", "mod.rs", "src/lib.rs", "main.rs", "src/main.rs",
		"__init__.py", "README.md", "README.rst", "readme.md",
		"package.json", "Cargo.toml", "pyproject.toml", "composer.json",
	} {
		leads = append(leads, folder+"/"+base)
	}
	leads = append(leads, folder+".rs")
	for _, c := range central {
		if len(leads) < maxLeads+8 && path.Dir(c.Path) == folder && strings.HasSuffix(c.Path, ".go") {
			leads = append(leads, c.Path)
		}
	}
	return leads
}
