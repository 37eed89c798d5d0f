package brief

import (
	"strings"

	"patina/code/manifest"
)

// packageScripts finds the scripts of a package.json or composer.json whose name is in targetUse.
func packageScripts(name, source string, files func(name string) bool) (found []Command) {
	runner := "composer"
	if name == "package.json" {
		runner = runnerOf(source, files)
	}
	for _, script := range manifest.Scripts(source) {
		use, ok := targetUse[script.Name]
		if !ok || script.Command == "" {
			continue
		}
		call := runner + " run " + script.Name
		if runner == "composer" || script.Name == "test" || script.Name == "start" && runner != "bun" {
			call = runner + " " + script.Name
		}
		found = append(found, Command{use, Quote{call, name, script.Line}})
	}
	return found
}

// runnerOf returns the program that runs scripts: the packageManager of the package, otherwise the
// program whose lock file exists, otherwise npm.
func runnerOf(source string, files func(name string) bool) string {
	runner, _, _ := strings.Cut(manifest.ReadNPM(source).Manager, "@")
	switch runner {
	case "npm", "pnpm", "yarn", "bun":
		return runner
	}
	for _, lock := range [...][2]string{
		{"package-lock.json", "npm"},
		{"pnpm-lock.yaml", "pnpm"},
		{"yarn.lock", "yarn"},
		{"bun.lock", "bun"},
		{"bun.lockb", "bun"},
	} {
		if files(lock[0]) {
			return lock[1]
		}
	}
	return "npm"
}
