package class

import (
	"path"
	"strings"

	"patina/store/text"
)

// builtFolders are the folders into which a build writes copies of the sources next to it.
var builtFolders = text.Set("dist build out lib es esm cjs umd")

// sourceFolder is the folder next to them.
const sourceFolder = "src"

// sourcesOfScripts are the extensions of files that are compiled to a script of the same name.
var sourcesOfScripts = []string{".ts", ".tsx", ".mts", ".cts", ".coffee"}

// noteSource keeps a path that may have a built copy: without its extension if it is in a source
// folder, or if scripts are compiled from it.
func (s Neighbours) noteSource(name string) {
	if strings.HasPrefix(name, sourceFolder+"/") || strings.Contains(name, "/"+sourceFolder+"/") {
		s.originals[withoutEnding(name)] = true
	}
	for _, end := range sourcesOfScripts {
		if strings.HasSuffix(name, end) && !strings.HasSuffix(name, ".d"+end) {
			s.scripts[strings.TrimSuffix(name, end)] = true
		}
	}
}

// isBuilt reports whether a file is a built copy of another: lib/a.js next to src/a.ts,
// dist/esm/a.js next to src/a.js, or a.js next to a.ts.
func (s Neighbours) isBuilt(name string) bool {
	end := path.Ext(name)
	if end == ".js" || end == ".mjs" || end == ".cjs" || end == ".jsx" {
		if s.scripts[strings.TrimSuffix(name, end)] {
			return true
		}
	}
	if len(s.originals) == 0 {
		return false
	}
	stem, start := withoutEnding(name), 0
	for i := range len(stem) {
		if stem[i] != '/' {
			continue
		}
		if builtFolders.Has(stem[start:i]) && s.copied(stem[:start]+sourceFolder+"/", stem[i+1:]) {
			return true
		}
		start = i + 1
	}
	return false
}

// copied reports whether a source folder has a file, or has it without the folder of its module
// format: dist/esm/a, src/a.
func (s Neighbours) copied(sources, rest string) bool {
	if s.originals[sources+rest] {
		return true
	}
	format, inner, ok := strings.Cut(rest, "/")
	return ok && builtFolders.Has(format) && s.originals[sources+inner]
}

// withoutEnding cuts a file's name at its first dot: dist/a.min.js has the stem of src/a.ts.
func withoutEnding(name string) string {
	folder, base := path.Split(name)
	stem, _, _ := strings.Cut(base, ".")
	return folder + stem
}
