package imports

import (
	"path"
	"slices"
	"strings"
)

// SplitName splits a name in a call or an import at every separator of any language: "a::b.f" into
// "a", "b" and "f". It returns an empty list if there are only separators.
func SplitName(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool {
		return strings.ContainsRune(`.:->\/?!`, r)
	})
}

// FolderOf returns the folder of a path without a slash at its end, or "" for the root.
func FolderOf(p string) string {
	i := strings.LastIndexByte(p, '/')
	return p[:max(i, 0)]
}

// IsIndex reports whether the name of a file makes it the main file of its folder: index.ts,
// __init__.py, mod.rs, lib.rs.
func IsIndex(p string) bool { return slices.Contains(indexNames, StemOf(p)) }

var indexNames = []string{"index", "__init__", "mod", "lib"}

// moduleOf returns the name of a file in imports: without extension, index name and "src" folders.
func moduleOf(p string) string {
	m := WithoutExtension(p)
	if IsIndex(p) {
		m = FolderOf(p)
	}
	m = strings.TrimPrefix("/"+m, "/src/")
	return strings.Trim(strings.ReplaceAll("/"+m+"/", "/src/", "/"), "/")
}

// CommonFolders returns the number of first folders that the paths of two files share. Two files at
// the root share one.
func CommonFolders(a, b string) int {
	as, bs := strings.Split(FolderOf(a), "/"), strings.Split(FolderOf(b), "/")
	n := 0
	for n < min(len(as), len(bs)) && as[n] == bs[n] {
		n++
	}
	return n
}

// WithoutExtension returns a path without the extension of its file. A dot at the
// beginning of a name does not begin an extension: ".profile" is returned as it is.
func WithoutExtension(p string) string {
	if i := strings.LastIndexByte(p, '.'); i > strings.LastIndexByte(p, '/')+1 {
		return p[:i]
	}
	return p
}

// StemOf returns the name of the file at a path, without its folder and its extension.
func StemOf(p string) string { return path.Base(WithoutExtension(p)) }

// IsHeader reports whether the extension of a file is that of a C or C++ header.
func IsHeader(p string) bool {
	switch path.Ext(p) {
	case ".h", ".hh", ".hpp", ".hxx", ".H", ".inl", ".inc", ".ipp", ".tcc", ".cuh", ".def":
		return true
	}
	return false
}
