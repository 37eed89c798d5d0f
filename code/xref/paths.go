package xref

import (
	"path"
	"slices"
	"strings"
)

// splitName splits a name at every separator.
func splitName(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool {
		return strings.ContainsRune(`.:->\/?!`, r)
	})
}

// FolderOf returns the folder of a path, "" for the root.
func FolderOf(p string) string {
	i := strings.LastIndexByte(p, '/')
	return p[:max(i, 0)]
}

// IsIndex reports whether a file stands for its folder: index.ts, __init__.py, mod.rs, lib.rs.
func IsIndex(p string) bool { return slices.Contains(indexNames, stemOf(p)) }

var indexNames = []string{"index", "__init__", "mod", "lib"}

// moduleOf is a file's name as imports spell it: without its extension, the name of an index file
// and "src" folders.
func moduleOf(p string) string {
	m := withoutExtension(p)
	if IsIndex(p) {
		m = FolderOf(p)
	}
	m = strings.TrimPrefix("/"+m, "/src/")
	return strings.Trim(strings.ReplaceAll("/"+m+"/", "/src/", "/"), "/")
}

// commonFolders counts the first folders that two paths share.
func commonFolders(a, b string) int {
	as, bs := strings.Split(FolderOf(a), "/"), strings.Split(FolderOf(b), "/")
	n := 0
	for n < min(len(as), len(bs)) && as[n] == bs[n] {
		n++
	}
	return n
}

func withoutExtension(p string) string {
	if i := strings.LastIndexByte(p, '.'); i > strings.LastIndexByte(p, '/')+1 {
		return p[:i]
	}
	return p
}

func stemOf(p string) string { return path.Base(withoutExtension(p)) }

// isHeader reports whether a file of C or C++ is there to be included.
func isHeader(p string) bool {
	switch path.Ext(p) {
	case ".h", ".hh", ".hpp", ".hxx", ".H", ".inl", ".inc", ".ipp", ".tcc", ".cuh", ".def":
		return true
	}
	return false
}
